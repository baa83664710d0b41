"""The properties mdmem knows, in one table, `data/properties.tsv`: validation, help texts and docs all read it.

Unknown properties are kept and never an error: the note belongs to the person.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.note import links, moments, patterns, tsv
from mdmem.note.header import CATEGORIES, is_nested
from mdmem.note.memory import ARCHIVED, SENSITIVITIES, STATUSES, Memory, as_flag, as_number, as_text

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

TYPES = (
    *("fact", "preference", "pattern", "note", "decision"),
    *("episodic", "working", "semantic", "competence", "plan_graph"),
    *("work", "chapter", "wisdom"),
)
CHUNK_TYPES = {  # type of a note -> type of its JSON chunks
    **{name: name for name in ("fact", "preference", "pattern", "note", "decision")},
    **dict.fromkeys(("episodic", "working", "work", "chapter"), "note"),
    **{"semantic": "fact", "competence": "pattern", "plan_graph": "decision", "wisdom": "pattern"},
}
RECORD_TYPES_OF = {  # type of a note -> type of the MemoryRecord that it is
    **dict.fromkeys(("fact", "preference", "pattern", "note", "decision", "chapter", "wisdom"), "semantic"),
    **{name: name for name in ("episodic", "working", "semantic", "competence", "plan_graph")},
    "work": "episodic",
}
# Types whose text is a record: sections and fields that programs read.
RECORD_TYPES = frozenset(TYPES) - {name for name, chunk in CHUNK_TYPES.items() if name == chunk}
SOURCES = ("interaction", "import", "derived")
ORIGINS = ("user", "agent", "tool", "web", "import")
POLICIES = ("auto_prune", "manual_only", "never")
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "category": CATEGORIES,
    "type": TYPES,
    "status": STATUSES,
    "sensitivity": SENSITIVITIES,
    "source": SOURCES,
    "origin": ORIGINS,
    "deletion_policy": POLICIES,
}
_OF_DAYS = (
    "due",
    "valid_from",
    "valid_until",
)  # a day stays a day, which is more than its first second
_UUID = patterns.late(
    r"(?:\w+_)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|chunk-\d{4}-\d\d-\d\d-[a-z0-9]{6,}", re.I
)


class Property(NamedTuple):
    """One known property. `kind` is text, id, choice, number, flag, moment, list, links, mapping or records."""

    name: str
    kind: str
    help: str
    choices: tuple[str, ...]
    high: float


def _known() -> Iterator[tuple[str, Property]]:
    for name, kind, most, help in tsv.rows(__file__, "properties.tsv", 4):
        high = float("inf") if most == "-" else float(most)
        yield name, Property(name, kind, help, _CHOICES.get(name, ()), high)


PROPERTIES = dict(_known())
RELATIONS = {name: known.help for name, known in PROPERTIES.items() if known.kind == "links"}


def is_archived(properties: Mapping[str, Any]) -> bool:
    """Whether a memory with these properties is archived: it is kept, but only answers if asked for."""
    return as_flag(properties.get(ARCHIVED))


def check(memory: Memory, by_protocol: bool = True) -> Iterator[Problem]:
    """Problems with the name and the properties of a parsed note; parse problems are in `memory.problems`.

    The protocol's rules for names hold `by_protocol` for what mdmem wrote, which has an id; others need
    only be legal on every system. Values outside the vocabulary are only warnings: the note still works.
    """
    from mdmem.note import decay, naming

    rule = naming.check if by_protocol and memory.meta.get("id") else naming.check_for_obsidian
    findings = rule(memory.name)
    if findings:
        message = "the name " + ", ".join(finding.message for finding in findings)
        yield Problem("name", memory.path, 0, message, findings[0].fix, "warning")
    for key, value in memory.meta.items():
        if key in PROPERTIES and value is not None and (objection := objection_to(key, value)):
            yield Problem("property", memory.path, 0, f"{key} {objection[0]}", objection[1], "warning")
    if warning := decay.warning(memory.meta):
        yield Problem("decay-curve", memory.path, 0, warning, "write curve: exponential, or linear", "warning")


def objection_to(key: str, value: Value) -> tuple[str, str] | None:
    """(what is wrong, how to fix it) for a value of a known property; None if nothing is wrong."""
    prop = PROPERTIES[key]
    items = value if isinstance(value, list) else [value]
    found: tuple[str, str] | None = None
    match prop.kind:
        case "text" if isinstance(value, list | dict):
            found = f"is not a single value: {_quoted(value)}", f"write {key}: some text"
        case "id" if not _UUID.fullmatch(as_text(value)):
            found = f"'{_quoted(value)}' is not a UUID", "delete the line; `mdmem adopt` writes a new one"
        case "choice" if value not in prop.choices:
            found = f"'{_quoted(value)}' is none of its values", "use one of " + ", ".join(prop.choices)
        case "number":
            found = _number_objection(prop, value)
        case "flag" if not isinstance(value, bool):
            found = f"'{_quoted(value)}' is neither true nor false", "write true or false"
        case "moment" if moments.parse(value) is None:
            found = f"'{_quoted(value)}' is not a date", "write it like 2026-02-08T14:05:00Z"
        case "list" if is_nested(value):
            found = "is not a flat list", f"write {key}: [one, two]"
        case "links" if bad := [item for item in items if not links.wikilink_target(as_text(item))]:
            found = f"{_quoted(bad[0])} is not a link", f'write {key}: ["[[name_of_a_memory]]"]'
        case "mapping" if not isinstance(value, dict):
            found = "is not a mapping", f"write {key}: with indented lines below"
        case "records" if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            found = "is not a list of mappings", "write '- kind: event' and '    ref: ...' lines below it"
    return found


def _number_objection(prop: Property, value: Value) -> tuple[str, str] | None:
    number = as_number(value)
    limits = "write a number from 0" + (f" to {prop.high:g}" if prop.high < float("inf") else " up")
    if number is None:
        return f"'{_quoted(value)}' is not a number", limits
    return None if 0 <= number <= prop.high else (f"{_quoted(value)} is out of range", limits)


def require_utf8(value: Value) -> None:
    """Raise UsageError for text that cannot be written as UTF-8, such as undecodable bytes of a command line."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UsageError("a text or property is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None


def require_fit(key: str, value: Value, own_words: bool = False) -> None:
    """Raise UsageError for a value that a known property cannot have, or that is not UTF-8.

    With `own_words` a choice may be any text: the note's owner has a vocabulary of their own.
    """
    require_utf8([key, value])
    is_free = own_words and key in PROPERTIES and PROPERTIES[key].kind == "choice"
    if key in PROPERTIES and not is_free and (objection := objection_to(key, value)):
        raise UsageError(f"{key} {objection[0]}", objection[1])


def is_list(key: str) -> bool:
    """Whether a property may hold several values; a property that is not known may."""
    return key not in PROPERTIES or PROPERTIES[key].kind in ("list", "links")


def read_value(key: str, text: str) -> Value:
    """The value a person means by `--set key=text`. Raises UsageError naming what is allowed.

    Known properties take their own kind (a list may be written `a, b` or `[a, b]`). The value of any other is
    the text, unless that is a number, true or false, quoted, or YAML in brackets.
    """
    value = parse_value(key, text)
    require_fit(key, value)
    return value


def parse_value(key: str, text: str) -> Value:
    """The value of `key=text`, whether or not the property may have it. Raises UsageError for broken YAML."""
    kind = PROPERTIES[key].kind if key in PROPERTIES else ""
    value: Value
    if kind in ("list", "links"):
        value = _read_items(key, text)
    elif kind in ("text", "id", "choice"):
        value = text
    elif kind == "moment":
        value = _read_moment(key, text)
    else:
        value = _read_any(key, text)
    if kind == "number" and isinstance(value, str) and (number := as_number(value)) is not None:
        value = number
    if kind == "links" and isinstance(value, list):
        value = [link if links.wikilink_target(as_text(link)) else f"[[{as_text(link)}]]" for link in value]
    if key == "tags":
        _require_tags_without_spaces(value)
    return value


def _read_moment(key: str, text: str) -> str:
    is_day = key in _OF_DAYS and ":" not in text and moments.end(text)
    return text.strip() if is_day else moments.normal(text) or text


def _require_tags_without_spaces(value: Value) -> None:
    """Raise UsageError for a tag with spaces: Obsidian allows none, though notes written by hand may have them."""
    for tag in value if isinstance(value, list) else [value]:
        text = as_text(tag).strip()
        if len(text.split()) > 1:
            raise UsageError(
                f"a tag has no spaces: '{_quoted(text)}'", f"write {'-'.join(text.split())}, or a,b for two tags"
            )


def _read_items(key: str, text: str) -> Value:
    if text.lstrip().startswith("[") and not text.lstrip().startswith("[["):
        return _read_any(key, text)
    parts = (part.strip().lstrip("#") for part in text.split(","))
    return [part for part in parts if part]


def _read_any(key: str, text: str) -> Value:
    bare = text.strip()
    quoted = len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'"
    if links.wikilink_target(bare) or not (quoted or bare.startswith(("[", "{"))):
        from mdmem.note import scalars

        value = scalars.read(bare)
        return text if value is None or value == bare else value
    from mdmem.note import yaml12

    try:
        return yaml12.load_value(bare)
    except yaml12.YamlError as error:
        raise UsageError(f"{key}={text}: {error.message}", "put it in quotes if it is a text") from None


def _quoted(value: Value) -> str:
    """A value shortened to the few words that a message shows."""
    from mdmem.note import terminal

    return terminal.quoted(as_text(value) or str(value))
