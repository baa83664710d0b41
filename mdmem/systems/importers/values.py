"""Translates properties as other programs write them into those of mdmem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from mdmem.note import dates, memory, moments
from mdmem.note.memory import IMPORTED
from mdmem.note.properties import PROPERTIES, RELATIONS, objection_to
from mdmem.note.yamltext import Value

KEPT_AS = "imported_"  # prefix of a property whose value means something else to mdmem
_CREATED = ("created", "created_at", "date_created", "date")
_UPDATED = ("updated", "updated_at", "last_updated", "modified", "date_modified")
_UNLINKABLE = re.compile(r"[\[\]|#\n]")

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})(?!\d)")
_TIME = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?P<second>:\d\d)?(?:[.,]\d+)?\s*"
    r"(?:(?P<half>[ap])\.?m\b\.?)?\s*(?P<zone>Z\b|UTC\b|[+-]\d\d:?\d\d\b)?",
    re.I,
)


def moment(value: Value) -> str:
    """A date as people write it in frontmatter, as RFC 3339; "" if it does not name exactly one day.

    Without a time zone it is UTC. `08/02/2026` may be either of two days, so it gives "".
    """
    if rendered := moments.normal(value):
        return rendered
    text = memory.as_text(value)
    day = _YEAR_FIRST.search(text) or _DAY_FIRST.search(text)
    named = [(int(day["year"]), int(day["month"]), int(day["day"]))] if day else list(dates.windows(text))
    if len(named) != 1 or not all(named[0]):
        return ""
    year, month, number = named[0]
    return moments.normal(f"{year:04}-{month:02}-{number:02}{_time(text)}")


def _time(text: str) -> str:
    """The time of day that a text names, after a space; "" if it names none."""
    match = _TIME.search(text)
    if match is None:
        return ""
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return f" {hour:02}:{match['minute']}{match['second'] or ''}{match['zone'] or ''}"


def in_our_words(given: Mapping[str, Value]) -> dict[str, Value]:
    """The properties of a foreign note as those of a memory. None is lost.

    Dates, tags and types are brought to their usual form. A value that mdmem's property of that name cannot have
    is kept under the name with the prefix `imported_`. `origin` is always `import`: no claim of a foreign text is
    trusted.
    """
    rest = {key: value for key, value in given.items() if value not in (None, "", [], {})}
    ours: dict[str, Value] = {}
    for name, keys in (("created", _CREATED), ("updated", _UPDATED)):
        key, when = _dated(rest, keys)
        if when:
            ours[name] = when
            del rest[key]
    if "tags" in rest:
        ours["tags"] = list(tags_of(rest.pop("tags")))
    for key, value in rest.items():
        ours |= _fitting(key, value)
    if ours.get("origin", IMPORTED) != IMPORTED:
        ours[f"{KEPT_AS}origin"] = ours["origin"]
    return {"category": "past", "source": "import", **ours, "origin": IMPORTED}


def created_of(given: Mapping[str, Value]) -> str:
    """When a foreign note was created, as RFC 3339; "" if it does not say."""
    return _dated(given, _CREATED)[1]


def _dated(given: Mapping[str, Value], keys: Iterable[str]) -> tuple[str, str]:
    """(name, date) of the first of these properties that holds a date; two empty strings if none does."""
    for key in keys:
        if when := moment(given[key]) if key in given else "":
            return key, when
    return "", ""


def _fitting(key: str, value: Value) -> dict[str, Value]:
    """A property under its own name, or with a prefix if mdmem means something else by that name."""
    # a sensitivity that mdmem does not know still hides the memory
    if key not in PROPERTIES or key == "sensitivity" or objection_to(key, value) is None:
        return {key: value}
    word = memory.as_text(value).strip().lower()
    if PROPERTIES[key].choices and word in PROPERTIES[key].choices:
        return {key: word}
    return {f"{KEPT_AS}{key}": value}


def tags_of(value: Value) -> tuple[str, ...]:
    """Tags in mdmem's form, from a list or a text: without `#`, spaces as dashes, each once."""
    listed = value if isinstance(value, list) else re.split(r"[,\s]+", memory.as_text(value).strip("[] "))
    texts = (memory.as_text(item).strip().lstrip("#") for item in listed)
    return tuple(dict.fromkeys("-".join(text.split()) for text in texts if text))


def related(relations: Iterable[tuple[str, str]]) -> dict[str, Value]:
    """Relations, each (predicate, name of the target note), as properties.

    A predicate that mdmem knows becomes a property of its own, any other one an item of `relations`.
    """
    grouped: dict[str, list[Value]] = {}
    others: list[Value] = []
    for predicate, name in dict.fromkeys(relations):
        key = "_".join(predicate.lower().split())
        link = name if _UNLINKABLE.search(name) else f"[[{name}]]"
        if key in RELATIONS:
            grouped.setdefault(key, []).append(link)
        else:
            others.append({"predicate": predicate, "target": link})
    return {**grouped, **({"relations": others} if others else {})}


def plain(value: object) -> Value:
    """A JSON value in a form that a property can hold."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) else None
