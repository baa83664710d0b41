"""Values as HTML: the templates, which read what `--json` gives, and the frame around every page."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined, compiler

from mdmem.note.terminal import safe
from mdmem.page import drawing
from mdmem.page.filters import ENGLISH, FILTERS
from mdmem.page.links import DO, PLANNING, PageLinks

if TYPE_CHECKING:
    from mdmem.page.site import SitePage


COMPILED = ".template"  # the end of the name of a compiled template
COMPILED_BY = (__file__, compiler.__file__)  # what it depends on besides its text


class PageFrame(NamedTuple):
    """What surrounds every page: the name of the vault's folder, all pages, and the one that is shown `here`.

    `here` is None for a page that does not exist, `key` is what it is about. Dates are worded in `language`.
    `done` is the commit that was just made, `lacking` are pages that the vault has nothing for, and `waiting` is
    how much waits for the person.
    """

    vault: str
    links: PageLinks
    pages: Sequence[SitePage]
    here: SitePage | None = None
    language: str = ENGLISH
    may_write: bool = False
    is_kept: bool = False
    key: str = ""
    done: Mapping[str, Any] | None = None
    lacking: Collection[str] = ()
    waiting: int = 0

    @property
    def once(self) -> str:
        """A mark for a form, by which the server knows one that is sent twice."""
        return secrets.token_urlsafe(9)


def html(template: str, value: Mapping[str, Any], frame: PageFrame) -> bytes:
    """A page as HTML: its value rendered with the template of this name."""
    text = environment().get_template(f"{template}.html").render(value=value, frame=frame, link=frame.links.to)
    return safe(text).encode("utf-8", "replace")


def keep_compiled(folder: str, mark: str) -> None:
    """Keep the compiled templates in a folder from now on; a `mark` in their names tells what made them."""
    environment().bytecode_cache = FileSystemBytecodeCache(folder, f"%s-{mark}{COMPILED}")


@cache
def environment() -> Environment:
    """The templates, and what they can do."""
    environment = Environment(
        loader=PackageLoader("mdmem.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(drawing=drawing, PLANNING=PLANNING, DO=DO)
    return environment
