"""Values as HTML: the templates, which read what `--json` gives, and the frame around every page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from mdmem.note.terminal import safe
from mdmem.page import drawing, wording
from mdmem.page.filters import FILTERS
from mdmem.page.links import PLANNING, PageLinks

if TYPE_CHECKING:
    from mdmem.page.site import SitePage


class PageFrame(NamedTuple):
    """What surrounds every page: the name of the vault's folder, all pages, and the one that is shown `here`.

    `here` is None for a page that does not exist. Dates are worded in `language`.
    """

    vault: str
    links: PageLinks
    pages: Sequence[SitePage]
    here: SitePage | None = None
    language: str = wording.ENGLISH
    may_write: bool = False
    is_kept: bool = False


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
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    environment.globals.update(drawing=drawing, PLANNING=PLANNING)
    return environment
