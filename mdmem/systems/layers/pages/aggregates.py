"""The documents derived from entries: topic_memory.json (topic_memory.v1), GLOBAL_MEMORY.json (global_memory.v1).

They do not record when they were made, so that the same entries give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import JSONEncoder
from typing import Any, NamedTuple

from mdmem.note.facts import TYPES, Fact
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import Document, Fields, Schema
from mdmem.systems.layers.pages.tiers import TIERS


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


def _in_groups(document: Document) -> Document:
    """Upgrade a global memory from version 0, in which each fact named its own tier, to version 1."""
    groups: dict[tuple[Any, Any], list[Any]] = {}
    for fact in document.get("do_not_forget", []):
        if isinstance(fact, dict):
            groups.setdefault((fact.get("tier"), fact.get("type")), []).append(_with_first_entry(fact))
    listed = [{"tier": tier, "type": type, "facts": facts} for (tier, type), facts in groups.items()]
    return {"quiet_topics": [], "more_topics": 0, **document, "do_not_forget": listed}


_flat_encoder = JSONEncoder(ensure_ascii=False, separators=(",\n      ", ": "))

TOPIC = Schema("topic_memory", 1, {0: _with_state})
GLOBAL = Schema("global_memory", 1, {0: _in_groups})


class TopicState(NamedTuple):
    """Where a topic stands: a short summary, its constraints (`bounds`), open questions and next actions."""

    summary: str = ""
    bounds: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()

    def to_dict(self) -> Document:
        """The state as an object of either document."""
        return {"summary": self.summary, **{key: list(getattr(self, key)) for key in self._fields[1:]}}

    @classmethod
    def from_fields(cls, fields: Fields) -> TopicState:
        """Read the state from such an object. Raises NoteError."""
        lists = (fields.texts(key) for key in cls._fields[1:])
        return cls(fields.text("summary"), *lists)


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

    def to_dict(self) -> Document:
        """The fact as an object of either document."""
        fact = self.fact
        fields: Document = {"id": self.id, **({"topic": self.topic} if self.topic else {})}
        fields |= {key: getattr(fact, key) for key in ("subject", "relation", "object", "type", "time_span")}
        fields |= {"confidence": fact.confidence, "user_fact_score": fact.score}
        fields |= {"entry_id": fact.entry_id, "entry_ts": fact.entry_ts}
        fields |= {"first_entry_id": self.first_entry_id, "first_entry_ts": self.first_entry_ts}
        return {
            **fields,
            "mentions": self.mentions,
            "source": self.source,
            "line": fact.line,
            "sentence": fact.sentence,
        }

    @classmethod
    def from_fields(cls, fields: Fields) -> TopicFact:
        """Read a fact from such an object. Raises NoteError."""
        return cls(
            id=fields.text("id"),
            fact=_fact(fields),
            source=fields.text("source"),
            first_entry_id=fields.text("first_entry_id"),
            first_entry_ts=fields.moment("first_entry_ts"),
            mentions=fields.count("mentions"),
            topic=fields.text("topic", ""),
        )


def _fact(fields: Fields) -> Fact:
    score = fields.count("user_fact_score") if fields.has("user_fact_score") else None
    return Fact(
        subject=fields.text("subject"),
        relation=fields.text("relation"),
        object=fields.text("object"),
        type=fields.one_of("type", tuple(TYPES)),
        time_span=fields.text("time_span"),
        confidence=fields.share("confidence"),
        score=score,
        entry_id=fields.text("entry_id"),
        entry_ts=fields.moment("entry_ts"),
        sentence=fields.text("sentence", ""),
        line=fields.count("line", 0),
    )


class EntryLine(NamedTuple):
    """An entry in one line of its topic: its id, time (RFC 3339 UTC) and a sentence of its summary."""

    entry_id: str
    entry_ts: str
    summary: str


class TopicMemory(NamedTuple):
    """What the entries of a topic, and the notes that name it, say together.

    `since` and `updated` are the times (RFC 3339 UTC) of the first and the last source. `entries` is the number of
    dialogs, `latest` lists the last ones, newest first. `made_by` is who worded the summary: "rules", or a model.
    """

    topic: str
    since: str
    updated: str
    entries: int
    latest: tuple[EntryLine, ...]
    state: TopicState
    facts: tuple[TopicFact, ...]
    made_by: str = "rules"

    def to_bytes(self) -> bytes:
        """The bytes of topic_memory.json."""
        fields = {
            **{"topic": self.topic, "since": self.since, "updated": self.updated, "entries": self.entries},
            "made_by": self.made_by,
            "state": self.state.to_dict(),
            "latest": [line._asdict() for line in self.latest],
        }
        try:
            facts = _listed(self.facts).encode()
        except UnicodeEncodeError:  # a lone surrogate
            return documents.render(TOPIC, {**fields, "facts": [fact.to_dict() for fact in self.facts]})
        return documents.render(TOPIC, {**fields, "facts": []}).removesuffix(b"[]\n}\n") + facts + b"\n}\n"

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> TopicMemory:
        """Read topic_memory.json. Raises NoteError that names the file and the field."""
        fields = documents.read(data, TOPIC, path)
        return cls(
            topic=fields.text("topic"),
            since=_time(fields, "since"),
            updated=_time(fields, "updated"),
            entries=fields.count("entries"),
            latest=tuple(map(_entry_line, fields.objects("latest"))),
            state=TopicState.from_fields(fields.object("state")),
            facts=tuple(map(TopicFact.from_fields, fields.objects("facts"))),
            made_by=fields.text("made_by", "rules"),
        )


def _listed(facts: Sequence[TopicFact]) -> str:
    """The facts as `json.dumps` with indent 2 writes them within a document, only faster."""
    bodies = (_flat_encoder.encode(fact.to_dict())[1:-1] for fact in facts)
    return "[\n" + ",\n".join(f"    {{\n      {body}\n    }}" for body in bodies) + "\n  ]" if facts else "[]"


def _time(fields: Fields, key: str) -> str:
    """A time, or "" for a topic none of whose sources could be read."""
    return fields.moment(key) if fields.text(key) else ""


def _entry_line(fields: Fields) -> EntryLine:
    return EntryLine(fields.text("entry_id"), fields.moment("entry_ts"), fields.text("summary"))


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

    def to_bytes(self) -> bytes:
        """The bytes of GLOBAL_MEMORY.json."""
        fields: Mapping[str, Any] = {
            "updated": self.updated,
            "active_topics": [{**one._asdict(), "state": one.state.to_dict()} for one in self.active_topics],
            "do_not_forget": [
                {**group._asdict(), "facts": [fact.to_dict() for fact in group.facts]}
                for group in self.do_not_forget
            ],
            "quiet_topics": [topic._asdict() for topic in self.quiet_topics],
            "more_topics": self.more_topics,
        }
        return documents.render(GLOBAL, fields)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> GlobalMemory:
        """Read GLOBAL_MEMORY.json. Raises NoteError that names the file and the field."""
        fields = documents.read(data, GLOBAL, path)
        return cls(
            updated=fields.text("updated"),
            do_not_forget=tuple(map(_group, fields.objects("do_not_forget"))),
            active_topics=tuple(map(_active, fields.objects("active_topics"))),
            quiet_topics=tuple(
                QuietTopic(one.text("topic"), one.moment("updated")) for one in fields.objects("quiet_topics")
            ),
            more_topics=fields.count("more_topics"),
        )


def _active(fields: Fields) -> ActiveTopic:
    return ActiveTopic(
        topic=fields.text("topic"),
        updated=fields.moment("updated"),
        entries=fields.count("entries"),
        facts=fields.count("facts"),
        state=TopicState.from_fields(fields.object("state")),
    )


def _group(fields: Fields) -> FactGroup:
    facts = tuple(map(TopicFact.from_fields, fields.objects("facts")))
    return FactGroup(fields.one_of("tier", TIERS), fields.one_of("type", tuple(TYPES)), facts)
