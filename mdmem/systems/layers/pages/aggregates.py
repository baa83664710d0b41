"""The documents derived from entries: topic_memory.json (topic_memory.v1), GLOBAL_MEMORY.json (global_memory.v1).

They do not record when they were made, so that the same entries give the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mdmem.note.facts import Fact
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import Document, Schema


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


TOPIC = Schema("topic_memory", 1, {0: _with_state})
GLOBAL = Schema("global_memory", 1)


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


def _topic_fact(fact: Mapping[str, Any], **merged: Any) -> TopicFact:
    return TopicFact(fact=Fact(**fact), **merged)


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
        return documents.render(TOPIC, self)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> TopicMemory:
        """Read topic_memory.json. Raises NoteError that names the file and the field."""
        return documents.read(data, TOPIC, path, _MAKERS)  # type: ignore[no-any-return]


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
        return documents.render(GLOBAL, self)

    @classmethod
    def from_bytes(cls, data: bytes, path: str) -> GlobalMemory:
        """Read GLOBAL_MEMORY.json. Raises NoteError that names the file and the field."""
        return documents.read(data, GLOBAL, path, _MAKERS)  # type: ignore[no-any-return]


_MAKERS: Mapping[str, Callable[..., Any]] = {
    TOPIC.name: TopicMemory,
    GLOBAL.name: GlobalMemory,
    **{"state": TopicState, "topic_fact": _topic_fact, "global_fact": _topic_fact, "entry_line": EntryLine},
    **{"active_topic": ActiveTopic, "fact_group": FactGroup, "quiet_topic": QuietTopic},
}
