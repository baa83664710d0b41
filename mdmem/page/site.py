"""The table of pages, `site.toml`: the address of each, its name in the navigation, the functions that make it.

A page that is added there is served, has an endpoint below `/api/`, and appears in the OpenAPI document.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.acts.pages.request import HOME, Destination, PageRequest
from mdmem.page.links import API

if TYPE_CHECKING:
    from mdmem.store.operation import Caller
    from mdmem.store.vault.vault import Vault

Value = Mapping[str, Any]


class SitePage(NamedTuple):
    """One kind of page. `read` gives its value; `name` is also the name of the template that shows it.

    `about` describes it in the API's document. `label` is its name in the navigation; a page without a label may
    be `under` the page of that name. `key` says what the rest of its address names, "" for a page that exists
    once. `takes` maps each parameter of its address to what it means. `keys` gives the keys of its pages for an
    export, which leaves out what is not `exported`, such as the answer to a question. `act` takes what a form of
    the page sends, changes something and returns the next page, None to show this one again. If `acts_locally`, it
    changes nothing in the vault, only what this machine keeps, and needs no permission to write. A page that
    `keeps` what was typed is shown again with it if it cannot be saved.
    """

    name: str
    about: str
    read: Callable[[Vault, PageRequest], Value]
    label: str = ""
    under: str = ""
    key: str = ""
    takes: Mapping[str, str] = MappingProxyType({})
    keys: Callable[[Vault], Iterable[str]] | None = None
    exported: bool = True
    act: Callable[[Vault, PageRequest, Caller], Destination | None] | None = None
    acts_locally: bool = False
    keeps: bool = False

    def kept(self, vault: Vault) -> Iterable[str]:
        """The keys of the pages that an export holds."""
        if not self.exported:
            return ()
        return self.keys(vault) if self.keys else ("",)

    @property
    def path(self) -> str:
        """The path of the page, in Starlette's notation."""
        return "/" if self.name == HOME else self.api_path.removeprefix(API)

    @property
    def api_path(self) -> str:
        """The path of its value."""
        return f"{API}/{self.name}" + ("/{key:path}" if self.key else "")


def _named(place: str) -> Any:
    """The function that a line of `site.toml` names: `today.read`."""
    module, _, name = place.partition(".")
    return getattr(import_module(f"mdmem.acts.pages.{module}"), name)


def _pages() -> Iterator[SitePage]:
    with open(os.path.join(os.path.dirname(__file__), "site.toml"), "rb") as file:
        for told in tomllib.load(file)["page"]:
            functions = {name: _named(told[name]) for name in ("read", "keys", "act") if name in told}
            yield SitePage(**told | functions)


PAGES = tuple(_pages())
BY_NAME = {page.name: page for page in PAGES}
