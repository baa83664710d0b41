"""Views as HTML: the templates, and the frame around every page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from mdmem.note.memory import name_words
from mdmem.page import wording
from mdmem.page.links import PageLinks
from mdmem.text.plural import counted
from mdmem.text.terminal import safe


class NavigationItem(NamedTuple):
    """An item of the navigation: `is_here` on its own page, `is_above` on the pages that belong to it."""

    label: str
    address: str
    is_here: bool = False
    is_above: bool = False


class PageFrame(NamedTuple):
    """What surrounds every page. `vault` is the name of the vault's folder; dates are worded in `language`."""

    vault: str
    links: PageLinks
    navigation: Sequence[NavigationItem]
    language: str = wording.ENGLISH
    may_write: bool = False
    is_kept: bool = False


def html(template: str, view: Any, frame: PageFrame) -> bytes:
    """A page as HTML: a view rendered with the template of this name."""
    text = _environment().get_template(f"{template}.html").render(view=view, frame=frame, link=frame.links.to)
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
    environment.filters.update(
        when=_when, day=_day, weekday=_weekday, clock=_clock, words=name_words, counted=counted
    )
    return environment


@pass_context
def _when(context: Context, text: str | datetime) -> Markup | str:
    """A point in time as `1 March 2026, 14:05`, in a <time> element; other text is returned unchanged."""
    return _timed(context, text, wording.time)


@pass_context
def _day(context: Context, text: str | datetime) -> Markup | str:
    """The day of a point in time as `1 March 2026`."""
    return _timed(context, text, wording.day)


@pass_context
def _weekday(context: Context, text: str | datetime) -> Markup | str:
    """The day of a point in time as `Sunday, 1 March 2026`."""
    return _timed(context, text, wording.weekday)


@pass_context
def _clock(context: Context, text: str | datetime) -> Markup | str:
    """The time of day of a point in time as `14:05`."""
    return _timed(context, text, wording.clock)


def _timed(context: Context, text: str | datetime, worded: Any) -> Markup | str:
    moment = text if isinstance(text, datetime) else wording.read(text)
    if moment is None:
        return str(text)
    language = context["frame"].language
    machine = f"{moment:%Y-%m-%dT%H:%M:%SZ}" if worded in (wording.time, wording.clock) else f"{moment:%Y-%m-%d}"
    marked = Markup('<time datetime="{}" lang="{}">{}</time>')
    return marked.format(machine, language, worded(moment, language))
