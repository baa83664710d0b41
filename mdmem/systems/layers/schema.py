"""The documents of an entry, one ingested dialog: `meta.json` (entry_meta.v1), `summary.json` (entry_summary.v1).

An entry lies in `topics/<topic>/<entry id>/` beside `raw.md`, the dialog byte for byte.
"""

from __future__ import annotations

from typing import NamedTuple

from mdmem.note.facts import Fact
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import Schema

# `made_by` of a summary that is made without a model; with facts that somebody who read the dialog gave.
BY_RULE, GIVEN = "rules", "given"


def _with_sources(document: documents.Document) -> documents.Document:
    """Upgrade a summary from version 0, which named neither its maker nor its facts' sentences, to version 1."""
    return {"made_by": BY_RULE, "open_questions": [], "next_actions": [], **document}


META = Schema("entry_meta", 1)
SUMMARY = Schema("entry_summary", 1, {0: _with_sources})


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

    def to_bytes(self) -> bytes:
        """The bytes of meta.json."""
        return documents.render(META, self)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> EntryMeta:
        """Read meta.json. Raises NoteError that names the file and the field."""
        return documents.read(data, META, path, {META.name: cls, "redaction": Redaction})  # type: ignore[no-any-return]


class EntrySummary(NamedTuple):
    """The summary of an entry. `made_by` is "rules", "given" or the name of a model."""

    entry_id: str
    entry_ts: str
    summary: str
    facts: tuple[Fact, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    made_by: str = BY_RULE

    def to_bytes(self) -> bytes:
        """The bytes of summary.json, which names the entry once for all its facts."""
        return documents.render(SUMMARY, self)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> EntrySummary:
        """Read summary.json. Raises NoteError that names the file and the field."""
        read: EntrySummary = documents.read(data, SUMMARY, path, {SUMMARY.name: cls, "fact": Fact})
        entry, time = read.entry_id, read.entry_ts
        return read._replace(facts=tuple(fact._replace(entry_id=entry, entry_ts=time) for fact in read.facts))
