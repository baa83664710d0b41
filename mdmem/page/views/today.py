"""The view of the first page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks

_GAUGES = ("past", "present", "future", "memory")


class Gauge(NamedTuple):
    """A gauge of the LiveHud: its name and its text."""

    name: str
    text: str


class TodayView(NamedTuple):
    """The first page. `news` are changes, and `more` counts those not shown.

    They are the changes since the person last said "all seen" if `is_since_seen`, else those of a week. `head` is
    the commit that "all seen" would record, "" if there is nothing new to record. The rest is as in the value.
    """

    title: str
    memories: int
    gauges: Sequence[Gauge]
    session: Mapping[str, Any] | None
    news: Sequence[Mapping[str, Any]]
    more: int
    is_since_seen: bool
    head: str
    warning: str
    tasks: Sequence[Mapping[str, Any]]
    newest: Sequence[Mapping[str, Any]]
    problems: Sequence[Mapping[str, Any]]
    total_problems: int
    waiting: int
    captured: Sequence[Mapping[str, Any]]
    checked: str


def view(value: Mapping[str, Any], links: PageLinks) -> TodayView:
    """The view for a value of `reading.today`."""
    del links
    session = value["session"]
    return TodayView(
        title="Today",
        memories=value["memories"],
        gauges=[Gauge(name, session["gauges"][name]) for name in _GAUGES] if session else (),
        session=session,
        news=value["news"],
        more=value["changed"] - len(value["news"]),
        is_since_seen=bool(value["seen"]),
        head=value["head"] if value["head"] != value["seen"] else "",
        warning=value["warning"],
        tasks=value["tasks"],
        newest=value["newest"],
        problems=value["problems"],
        total_problems=value["total_problems"],
        waiting=value["waiting"] or 0,
        captured=value["captured"],
        checked=value["checked"],
    )
