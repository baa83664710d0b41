"""The view of one memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from mdmem.note import links as note_links
from mdmem.note import pieces
from mdmem.note.memory import as_text
from mdmem.page import markdown
from mdmem.page.links import PageLinks
from mdmem.page.views.blame import WrittenLines, pieces_of
from mdmem.page.views.search import Reason, reasons_of
from mdmem.text import moments

_SHOWN_ELSEWHERE = ("title", "status", "tags", "type")


class PropertyValue(NamedTuple):
    """A value of a property: its text, its link ("" for none), and whether it is a point in time."""

    words: str
    address: str = ""
    is_time: bool = False


class ShownProperty(NamedTuple):
    """A property with its values."""

    key: str
    values: Sequence[PropertyValue]


class MemoryView(NamedTuple):
    """A memory: its text as HTML, its properties, the links from and to it, and its history.

    `commit` is the version shown, "" for the file as it is now, and `version` its number from 1. `day` is the date
    of that version, `first` that of the oldest; `pieces` say who wrote which lines, if that was requested. `asked`
    is the question for which recall ranks the memory, "" for none; `rank` is its rank, 0 if it was not found, and
    `reasons` say why. `can_ask` tells whether it can be ranked at all. `doubt` is why
    models are shown it as mere data, "" if they are not.
    """

    title: str
    name: str
    path: str
    commit: str
    day: str
    first: str
    pieces: Sequence[WrittenLines]
    type: str
    status: str
    tags: Sequence[str]
    text: Markup
    doubt: str
    properties: Sequence[ShownProperty]
    outgoing: Sequence[Mapping[str, Any]]
    incoming: Sequence[Mapping[str, Any]]
    history: Sequence[Mapping[str, Any]]
    version: int
    can_ask: bool
    asked: str
    rank: int
    reasons: Sequence[Reason]


def view(value: Mapping[str, Any], links: PageLinks) -> MemoryView:
    """The view for a value of `reading.memory`."""
    note = value["memory"]
    meant = {link["target"]: link["path"] for link in value["links"]["out"] if link["path"]}

    def resolve(target: str) -> str:
        path = meant.get(target)
        return links.to("memory", path) if path else ""

    properties = note["properties"]
    standing = value["standing"]
    ranking = standing["ranking"] if standing else None
    return MemoryView(
        title=note["title"],
        name=note["name"],
        path=note["path"],
        commit=note["commit"],
        day=_day_of(value),
        first=value["history"][-1]["when"][:10] if value["history"] else "",
        pieces=pieces_of(value["lines"] or ()),
        type=as_text(properties.get("type")),
        status=_status(value),
        tags=_tags(properties),
        text=markdown.html(pieces.without_title(note["body"], note["title"]), resolve),
        doubt=value["doubt"],
        properties=[_property(key, properties[key], resolve) for key in properties if key not in _SHOWN_ELSEWHERE],
        outgoing=value["links"]["out"],
        incoming=value["links"]["in"],
        history=value["history"],
        version=value["version"],
        can_ask=standing is not None,
        asked=standing["ask"] if standing else "",
        rank=ranking["rank"] if ranking else 0,
        reasons=reasons_of(ranking["signals"]) if ranking else (),
    )


def _day_of(value: Mapping[str, Any]) -> str:
    """The day (RFC 3339) as of which a memory is shown: the requested one, or that of the version."""
    asked = moments.parse(value["as_of"])
    if asked:
        return f"{asked:%Y-%m-%d}"
    history, number = value["history"], value["version"]
    return str(history[-number]["when"][:10]) if number else ""


def _status(value: Mapping[str, Any]) -> str:
    now = value["record"]["status"] if value["record"] else "deleted"
    return as_text(value["memory"]["properties"].get("status")) or ("active" if value["as_of"] else now)


def _tags(properties: Mapping[str, Any]) -> list[str]:
    tags = properties.get("tags")
    listed = tags if isinstance(tags, list) else as_text(tags).split(",")
    return [tag for tag in (as_text(each).strip().lstrip("#") for each in listed) if tag]


def _property(key: str, value: Any, resolve: markdown.Resolve) -> ShownProperty:
    items = value if isinstance(value, list) else [value]
    return ShownProperty(key, [_said(item, resolve) for item in items])


def _said(item: Any, resolve: markdown.Resolve) -> PropertyValue:
    if isinstance(item, Mapping):
        return PropertyValue(", ".join(f"{key}: {as_text(part)}" for key, part in item.items()))
    text = as_text(item)
    target = note_links.wikilink_target(text)
    if not target:
        return PropertyValue(text, is_time=":" in text and bool(moments.normal(text)))
    _, _, words = text.strip("[]!").partition("|")
    return PropertyValue(words or target, resolve(target))
