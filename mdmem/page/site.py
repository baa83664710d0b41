"""The table of pages: each with its address, its name in the navigation, and what makes it.

A page that is added here is served, has an endpoint below `/api/`, and stands in the OpenAPI document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from mdmem.page.links import HOME, PageLinks
from mdmem.page.reading import memory as read_memory
from mdmem.page.reading import today as read_today
from mdmem.page.request import PageRequest
from mdmem.page.views import memory as memory_view
from mdmem.page.views import today as today_view
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault

Value = Mapping[str, Any]


def _once(vault: Vault) -> tuple[str, ...]:
    """The keys of a page that there is once."""
    del vault
    return ("",)


class SitePage(NamedTuple):
    """One kind of page. `read` gives its value, `view` what it shows; `name` is also that of its template.

    `about` says what it shows, for the API's document. `label` is its name in the navigation, "" for none. `key`
    says what its address names, "" for a page that there is once. `takes` are the parameters of its address, each
    with what it means. `kept` gives the keys of the pages that an export holds.
    """

    name: str
    about: str
    read: Callable[[Vault, PageRequest], Value]
    view: Callable[[Value, PageLinks], Any]
    label: str = ""
    key: str = ""
    takes: Mapping[str, str] = MappingProxyType({})
    kept: Callable[[Vault], Iterable[str]] = _once


def _memories(vault: Vault) -> list[str]:
    return [record.path for record in vault.index.records()]


PAGES = (
    SitePage(
        name=HOME,
        about="What is going on: changes of the last week, open tasks, what waits for a decision.",
        read=read_today.read,
        view=today_view.view,
        label="Today",
    ),
    SitePage(
        name="memory",
        about="One memory with its links and its history.",
        read=read_memory.read,
        view=memory_view.view,
        key="path, name or id of the memory",
        takes={"as_of": "a date or revision: the memory as it was then"},
        kept=_memories,
    ),
)
BY_NAME = {page.name: page for page in PAGES}
