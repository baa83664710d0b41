"""Values as HTML: the templates, which read what `--json` gives, and the frame around every page."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.util import cache_from_source
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined, compiler

from mdmem.note.terminal import safe
from mdmem.page import drawing
from mdmem.page.filters import ENGLISH, FILTERS
from mdmem.page.links import DO, PLANNING, PageLinks

if TYPE_CHECKING:
    from mdmem.page.site import SitePage


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
    text = _environment().get_template(f"{template}.html").render(value=value, frame=frame, link=frame.links.to)
    return safe(text).encode("utf-8", "replace")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("mdmem.page"),
        autoescape=True,
        undefined=StrictUndefined,
        bytecode_cache=_compiled(),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(drawing=drawing, PLANNING=PLANNING, DO=DO)
    return environment


class _Compiled(FileSystemBytecodeCache):
    """Compiled templates: made again once they, Jinja's compiler or this module changed."""

    def get_source_checksum(self, source: str) -> str:
        made_by = [os.stat(place).st_mtime_ns for place in (__file__, compiler.__file__)]
        return super().get_source_checksum(f"{made_by}{source}")


def _compiled() -> _Compiled | None:
    """What keeps the compiled templates where Python keeps compiled modules, None if it may not."""
    folder = os.path.dirname(cache_from_source(os.path.join(os.path.dirname(__file__), "templates", "base.html")))
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError:
        return None
    return _Compiled(folder) if os.access(folder, os.W_OK) and not sys.dont_write_bytecode else None
