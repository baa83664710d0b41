"""The documents of layers: JSON with a schema id (`topic_memory.v1`), read strictly and written in one form.

An entry, one ingested dialog, lies in `topics/<topic>/<entry id>/`: `meta.json` (entry_meta.v1) and `summary.json`
(entry_summary.v1) beside `raw.md`, the dialog byte for byte. Derived from entries are topic_memory.json
(topic_memory.v1) and GLOBAL_MEMORY.json (global_memory.v1); they do not record when they were made, so that the
same entries give the same bytes.

`data/documents.tsv` has the fields of each kind of object: they are read, checked and written by it.
Every error is a `NoteError` that names the file, the field and the fix.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn, TypeVar

import mdmem
from mdmem.errors import NoteError, Problem
from mdmem.note import moments, tsv
from mdmem.note.facts import HIGHEST_SCORE, TIME_SPANS, TYPES, Fact
from mdmem.note.shapes import of_json
from mdmem.note.terminal import quoted
from mdmem.store import layout

CORE, SECONDARY = TIERS = ("core", "secondary")  # what is not to be forgotten
Document = dict[str, Any]
_T = TypeVar("_T")

# `made_by` of a summary that is made without a model; with facts that somebody who read the dialog gave.
BY_RULE, GIVEN = "rules", "given"
_SCHEMA = re.compile(r"([a-z_]+)\.v([0-9]{1,6})")


# -- entries -----------------------------------------------------------------------------------------------


def entry_id(raw: bytes, time: str) -> str:
    """The id of an entry, `YYYYMMDDTHHMMSSZ-xxxxxxxx`: its time (RFC 3339 UTC) and 8 digits of raw.md's sha256."""
    return f"{time.replace('-', '').replace(':', '')}-{sha256(raw)[:8]}"


def sha256(raw: bytes) -> str:
    """The SHA-256 of a file's bytes, as 64 hex digits."""
    import hashlib

    return hashlib.sha256(raw).hexdigest()


class Redaction(NamedTuple):
    """A secret that was replaced in raw.md before it was written: its line (1-based) and kind."""

    line: int
    kind: str


class EntryMeta(NamedTuple):
    """Where an entry comes from.

    `time` (entry_ts) is when the dialog ended, RFC 3339 UTC. `source` is the name of the file it was read from,
    "-" for standard input. `format` is markdown, text, or the kind of transcript; `sha256` and `size` (bytes) are
    those of raw.md. `topic_confidence` (0-1) is the confidence in the chosen topic, None if a person named it.
    """

    entry_id: str
    time: str
    topic: str
    source: str
    format: str
    sha256: str
    size: int
    actor: str = ""
    session: str = ""
    topic_confidence: float | None = None
    redactions: tuple[Redaction, ...] = ()


class EntrySummary(NamedTuple):
    """The summary of an entry. `made_by` is "rules", "given" or the name of a model."""

    entry_id: str
    entry_ts: str
    summary: str
    facts: tuple[Fact, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    made_by: str = BY_RULE


# -- what is derived from them -----------------------------------------------------------------------------


class TopicState(NamedTuple):
    """Where a topic stands: a short summary, its constraints (`bounds`), open questions and next actions."""

    summary: str = ""
    bounds: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()


class TopicFact(NamedTuple):
    """A fact of a topic, merged from all the files that state it.

    `fact` is worded as in its newest source, with the highest confidence of all and the person's last score.
    `source` is the path of that newest file; `mentions` is the number of files in which its subject speaks of it.
    """

    id: str
    fact: Fact
    source: str
    first_entry_id: str
    first_entry_ts: str
    mentions: int = 1
    topic: str = ""  # only in the global memory


class TopicMemory(NamedTuple):
    """What the entries of a topic, and the notes that name it, say together.

    `since` and `updated` are the times (RFC 3339 UTC) of the first and the last source. `entries` is the number of
    dialogs, `latest` has the last ones, newest first, each with a sentence of its summary and nothing else.
    `made_by` is who worded the summary: "rules", or a model.
    """

    topic: str
    since: str
    updated: str
    entries: int
    latest: tuple[EntrySummary, ...]
    state: TopicState
    facts: tuple[TopicFact, ...]
    made_by: str = "rules"


class ActiveTopic(NamedTuple):
    """An active topic of the global memory: time of its last source, numbers of dialogs and facts, its state."""

    topic: str
    updated: str
    entries: int
    facts: int
    state: TopicState


class QuietTopic(NamedTuple):
    """A topic that is not among the active ones: its name and the time of its last source."""

    topic: str
    updated: str


class FactGroup(NamedTuple):
    """Facts of one tier and type."""

    tier: str
    type: str
    facts: tuple[TopicFact, ...]


class GlobalMemory(NamedTuple):
    """All topics on one page. `more_topics` counts those left out for space; `updated` is "" without topics."""

    updated: str
    do_not_forget: tuple[FactGroup, ...]
    active_topics: tuple[ActiveTopic, ...]
    quiet_topics: tuple[QuietTopic, ...]
    more_topics: int = 0


class TopicWording(NamedTuple):
    """A summary by the model `made_by`, and the digest (sha256, hex) of its prompt."""

    digest: str
    made_by: str
    summary: str


# -- objects -----------------------------------------------------------------------------------------------


class _Field(NamedTuple):
    """A field of an object: its name in JSON, its place in the value, its kind, and how it reads if it is missing.

    `default` is JSON, or "-" for a field that may not be missing. If it is null, the field is left out if it is.
    """

    name: str
    place: str
    kind: str
    default: str


@cache
def _objects() -> dict[str, list[_Field]]:
    """Kind of object -> its fields, in the order in which they are written."""
    table: dict[str, list[_Field]] = {}
    for kinds, *cells in tsv.rows(__file__, "documents.tsv", 5):
        for kind in kinds.split():
            table.setdefault(kind, []).append(_Field(*cells))
    return table


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _is_share(value: Any, most: float = 1) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _is_count(value: Any, most: float = math.inf) -> bool:
    return isinstance(value, int) and _is_share(value, most)


def _is_time(value: Any) -> bool:
    return _is_text(value) and bool(value) and moments.normal(value) == value


_KINDS: Mapping[str, tuple[Callable[[Any], bool], str]] = {  # whether a value is of a kind, and that in words
    "text": (_is_text, "a text"),
    "texts": (lambda value: _is_list(value) and all(map(_is_text, value)), "a list of texts"),
    "list": (_is_list, "a list of objects"),
    "count": (_is_count, "a whole number from 0"),
    "score": (lambda value: value is None or _is_count(value, HIGHEST_SCORE), f"from 0 to {HIGHEST_SCORE}"),
    "share": (_is_share, "a number from 0 to 1"),
    "time": (_is_time, "a time like 2026-02-08T14:05:00Z"),
    "time or none": (lambda value: value == "" or _is_time(value), "a time like 2026-02-08T14:05:00Z"),
    "entry_id": (lambda value: _is_text(value) and layout.is_entry_id(value), "like 20260208T140500Z-0c7a6f3e"),
    **{
        kind: (choices.__contains__, "one of " + ", ".join(choices))
        for kind, choices in {"type": TYPES, "time_span": TIME_SPANS, "tier": TIERS}.items()
    },
}
_READ: Mapping[str, Callable[[Any], Any]] = {"texts": tuple, "share": float}  # other kinds are as JSON has them


def _topic_fact(fact: Mapping[str, Any], **merged: Any) -> TopicFact:
    return TopicFact(fact=Fact(**fact), **merged)


def _entry_summary(**said: Any) -> EntrySummary:
    """A summary, which names its entry once for all its facts."""
    read = EntrySummary(**said)
    facts = (fact._replace(entry_id=read.entry_id, entry_ts=read.entry_ts) for fact in read.facts)
    return read._replace(facts=tuple(facts))


# kind of object -> what makes a value of its fields; a dict is made of those of other kinds
_MAKERS: Mapping[str, Callable[..., Any]] = {
    "entry_meta": EntryMeta,
    "redaction": Redaction,
    "entry_summary": _entry_summary,
    "fact": Fact,
    "given_fact": Fact,
    "topic_fact": _topic_fact,
    "global_fact": _topic_fact,
    "topic_memory": TopicMemory,
    "state": TopicState,
    "entry_line": EntrySummary,
    "topic_wording": TopicWording,
    "global_memory": GlobalMemory,
    "active_topic": ActiveTopic,
    "fact_group": FactGroup,
    "quiet_topic": QuietTopic,
}


def made(value: Any, kind: str, path: str, place: str = "") -> Any:
    """What is made of the fields of a JSON object of that kind.

    `place` locates the object within its file, such as `facts[2].`. Raises NoteError for a field that is missing
    or of another kind than the table says.
    """
    if not isinstance(value, dict):
        refuse(path, f"{place.rstrip('.: ') or 'the document'} is not a JSON object")
    found: Document = {}
    for field in _objects()[kind]:
        above, _, name = field.place.rpartition(".")
        inner = found.setdefault(above, {}) if above else found
        inner[name] = _read_field(value, field, path, place)
    return _MAKERS.get(kind, dict)(**found)


def _read_field(value: Document, field: _Field, path: str, place: str) -> Any:
    given: Any = value.get(field.name)
    start = f"{place}{field.name}"
    if given is None and (field.name not in value or field.default == "null"):
        return json.loads(field.default) if field.default != "-" else refuse(path, f"{start} is missing")
    kind = field.kind.strip("[]")
    is_list = kind != field.kind
    if kind in _objects() and not is_list:
        return made(given, kind, path, f"{start}.")
    is_right, wanted = _KINDS["list" if is_list else kind]
    if not is_right(given):
        refuse(path, f"{start} is {_shortened(given)}, not {wanted}")
    if is_list:
        return tuple(made(item, kind, path, f"{start}[{number}].") for number, item in enumerate(given))
    return _READ[kind](given) if kind in _READ else given


def told(value: Any, kind: str) -> Any:
    """A value of a kind as JSON has it: its fields as the table says, in that order."""
    if kind.startswith("["):
        return [told(item, kind.strip("[]")) for item in value]
    if kind not in _objects():
        return value
    fields = ((field, attrgetter(field.place)(value)) for field in _objects()[kind])
    return {
        field.name: told(inner, field.kind) for field, inner in fields if (inner, field.default) != (None, "null")
    }


# -- files -------------------------------------------------------------------------------------------------


class Schema(NamedTuple):
    """A kind of document and its current version, the one that is written.

    `upgrade` makes a document of the version before one of this version; without it, only this one can be read.
    """

    name: str
    version: int
    upgrade: Callable[[Document], Document] | None = None

    @property
    def id(self) -> str:
        """The schema id as documents state it: `entry_meta.v1`."""
        return f"{self.name}.v{self.version}"


def _with_sources(document: Document) -> Document:
    """Upgrade a summary from version 0, which named neither its maker nor its facts' sentences, to version 1."""
    return {"made_by": BY_RULE, "open_questions": [], "next_actions": [], **document}


def _with_state(document: Document) -> Document:
    """Upgrade a topic memory from version 0, whose state was at its top level, to version 1.

    Facts of version 0 name a single entry; it becomes their first one.
    """
    state = {key: document.get(key, [] if key != "summary" else "") for key in TopicState._fields}
    rest = {key: value for key, value in document.items() if key not in state}
    facts = [_with_first_entry(fact) for fact in document.get("facts", [])]
    return {
        "since": document.get("updated", ""),
        "entries": 0,
        "latest": [],
        **rest,
        "state": state,
        "facts": facts,
    }


def _with_first_entry(fact: Any) -> Any:
    if not isinstance(fact, dict):
        return fact
    first = {"first_entry_id": fact.get("entry_id"), "first_entry_ts": fact.get("entry_ts")}
    return {**first, "mentions": 1, "source": "", **fact}


SCHEMAS: Mapping[type, Schema] = {
    EntryMeta: Schema("entry_meta", 1),
    EntrySummary: Schema("entry_summary", 1, _with_sources),
    TopicMemory: Schema("topic_memory", 1, _with_state),
    GlobalMemory: Schema("global_memory", 1),
    TopicWording: Schema("topic_wording", 1),
}


def read(wanted: type[_T], data: bytes, path: str) -> _T:
    """The document of a type that a file holds, upgraded to the current version.

    Raises NoteError, which names the file and the field, for bytes that are not JSON, another kind of document, or
    a version that cannot be read.
    """
    schema = SCHEMAS[wanted]
    document = parsed(data, path)
    found = made(document, "document", path)["schema"]
    match = _SCHEMA.fullmatch(found)
    if match is None or match[1] != schema.name:
        refuse(path, f"schema is {_shortened(found)}, not {schema.id}")
    version = int(match[2])
    if version > schema.version:
        reads = f"this mdmem, {mdmem.__version__}, reads versions up to {schema.id}"
        fix = f"use an mdmem that reads {found}: pip install --upgrade mdmem"
        refuse(path, f"has schema {found}; {reads}", fix)
    if version < schema.version:
        if schema.upgrade is None or version < schema.version - 1:
            refuse(path, f"has schema {found}, which is no longer supported; use {schema.id}")
        document = schema.upgrade(document)
    return made(document, schema.name, path)  # type: ignore[no-any-return]


def schema_of(data: bytes) -> str:
    """The kind of document that a file's bytes are, without the version; "" if they are not such a document."""
    try:
        document = parsed(data, "")
    except NoteError:
        return ""
    match = _SCHEMA.fullmatch(str(document.get("schema"))) if isinstance(document, dict) else None
    return match[1] if match else ""


def render(value: Any) -> bytes:
    """The bytes of a document: UTF-8 JSON with indent 2, the schema id first, then the fields of `value`."""
    schema = SCHEMAS[type(value)]
    document = {"schema": schema.id, **told(value, schema.name)}
    try:
        return (json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can represent
        return (json.dumps(document, indent=2, allow_nan=False) + "\n").encode()


def refuse(path: str, message: str, fix: str = "", line: int = 0) -> NoReturn:
    """Raise a NoteError about the document at `path`; without a `fix`, it says how to get the file back."""
    is_derived = path.endswith(layout.TOPIC_PAGES + layout.GLOBAL_PAGES)
    again = "mdmem rebuild topics" if is_derived else "bring the file back from git: git restore or mdmem restore"
    raise NoteError(Problem("layers-document", path, line, message, fix or again)) from None


def parsed(data: bytes, path: str) -> Any:
    """The value in the bytes of a JSON file. Raises NoteError."""
    try:
        return of_json(data.decode())
    except UnicodeDecodeError:
        refuse(path, "is not UTF-8")
    except json.JSONDecodeError as error:
        refuse(path, f"is not JSON: {error.msg}", line=error.lineno)
    except (ValueError, RecursionError) as error:
        refuse(path, str(error) if isinstance(error, ValueError) else "is nested too deeply")


def _shortened(value: Any) -> str:
    return quoted(repr(value))
