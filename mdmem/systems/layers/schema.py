"""The documents of an entry, one ingested dialog: `meta.json` (entry_meta.v1), `summary.json` (entry_summary.v1).

An entry lies in `topics/<topic>/<entry id>/` beside `raw.md`, the dialog byte for byte.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from mdmem.note import layout
from mdmem.note.facts import TYPES, Fact
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import Fields, Schema

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
        fields: dict[str, Any] = {**self._asdict(), "redactions": [item._asdict() for item in self.redactions]}
        if self.topic_confidence is None:
            del fields["topic_confidence"]
        return documents.render(META, fields)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> EntryMeta:
        """Read meta.json. Raises NoteError that names the file and the field."""
        fields = documents.read(data, META, path)
        made = cls(
            entry_id=fields.text("entry_id"),
            time=fields.moment("time"),
            topic=fields.text("topic"),
            source=fields.text("source"),
            format=fields.text("format"),
            sha256=fields.text("sha256"),
            size=fields.count("size"),
            actor=fields.text("actor", ""),
            session=fields.text("session", ""),
            topic_confidence=fields.share("topic_confidence") if fields.has("topic_confidence") else None,
            redactions=tuple(
                Redaction(item.count("line"), item.text("kind")) for item in fields.objects("redactions")
            ),
        )
        if not layout.is_entry_id(made.entry_id):
            documents.refuse(path, f"entry_id is {made.entry_id!r}, not like 20260208T140500Z-0c7a6f3e")
        return made


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
        """The bytes of summary.json."""
        fields = {
            "entry_id": self.entry_id,
            "entry_ts": self.entry_ts,
            "made_by": self.made_by,
            "summary": self.summary,
            "facts": [fact_fields(fact) for fact in self.facts],
            "open_questions": list(self.open_questions),
            "next_actions": list(self.next_actions),
        }
        return documents.render(SUMMARY, fields)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> EntrySummary:
        """Read summary.json. Raises NoteError that names the file and the field."""
        fields = documents.read(data, SUMMARY, path)
        entry, time = fields.text("entry_id"), fields.moment("entry_ts")
        return cls(
            entry,
            time,
            fields.text("summary"),
            facts=tuple(fact_of(item, entry, time) for item in fields.objects("facts")),
            open_questions=fields.texts("open_questions"),
            next_actions=fields.texts("next_actions"),
            made_by=fields.text("made_by"),
        )


def fact_fields(fact: Fact) -> dict[str, Any]:
    """A fact as an object of summary.json. The document names the entry once for all its facts."""
    fields = {
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "type": fact.type,
        "time_span": fact.time_span,
        "confidence": fact.confidence,
    }
    if fact.score is not None:
        fields["user_fact_score"] = fact.score
    return {**fields, "sentence": fact.sentence, "line": fact.line}


def fact_of(fields: Fields, entry: str, time: str) -> Fact:
    """Read a fact from an object of summary.json. Raises NoteError."""
    score = fields.count("user_fact_score") if fields.has("user_fact_score") else None
    if score is not None and score > 10:
        documents.refuse(fields.path, f"{fields.place}user_fact_score is {score}, not from 0 to 10")
    return Fact(
        subject=fields.text("subject"),
        relation=fields.text("relation"),
        object=fields.text("object"),
        type=fields.one_of("type", tuple(TYPES)),
        time_span=fields.text("time_span"),
        confidence=fields.share("confidence"),
        score=score,
        entry_id=entry,
        entry_ts=time,
        sentence=fields.text("sentence", ""),
        line=fields.count("line", 0),
    )
