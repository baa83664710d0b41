"""Collects the sources of topic memories: entries, scores, and notes that state facts about a topic.

Each topic has a mark that changes with its sources, so that only changed topics are read again. Entries, which
never change, are identified by name alone; other files by what changes with them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from mdmem.errors import NoteError, NotFoundError, Problem, UsageError
from mdmem.note import facts, naming, typed
from mdmem.note.facts import Fact
from mdmem.recall import prompt
from mdmem.store import layout
from mdmem.store.index.successor import GONE
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import curation, documents, entries
from mdmem.systems.layers.topic import Sourced, TopicSources

_HEADING = f'headings : "{facts.SECTION.lower()}"'


class FactNote(NamedTuple):
    """A memory that states facts about a topic, and the stamp of its file when it was read."""

    path: str
    stamp: str
    topic: str
    facts: tuple[Fact, ...]


class TopicSurvey(NamedTuple):
    """A topic's sources: the ids of its entries, the notes that state facts about it, and the mark of both."""

    topic: str
    entries: tuple[str, ...]
    notes: tuple[FactNote, ...]
    mark: str


def survey(vault: Vault, notes: Iterable[FactNote]) -> list[TopicSurvey]:
    """The topics that have entries, or facts in notes, sorted by name. Reads no entry."""
    by_topic: dict[str, list[FactNote]] = {topic: [] for topic in entries.topics(vault)}
    for note in notes:
        by_topic.setdefault(note.topic, []).append(note)
    topics = []
    for topic, stated in sorted(by_topic.items()):
        ids = tuple(entries.ids(vault, topic))
        told = [topic, ids, _stamp(vault, curation.path(topic, vault.config)), stated]
        mark = documents.sha256(json.dumps(told).encode("utf-8", "surrogatepass"))
        if ids or stated:
            topics.append(TopicSurvey(topic, ids, tuple(stated), mark))
    return topics


def read(vault: Vault, topic: TopicSurvey) -> tuple[TopicSources, list[Problem]]:
    """The sources of a topic memory, and problems with those that cannot be read and are left out."""
    folder = f"{vault.config.topics}/{topic.topic}"
    summaries: list[documents.EntrySummary] = []
    problems: list[Problem] = []
    for entry_id in topic.entries:
        path = f"{folder}/{entry_id}/{layout.SUMMARY_FILE}"
        try:
            summaries.append(documents.read(documents.EntrySummary, files.read(vault.root, path), path))
        except (NoteError, NotFoundError, UsageError) as error:
            problems.append(entries.problem_of(error, path))
    path = curation.path(topic.topic, vault.config)
    verdicts, wrong = curation.read(files.read_or_none(vault.root, path), path)
    noted = [Sourced(fact, note.path) for note in topic.notes for fact in note.facts]
    scores = {id: verdict.score for id, verdict in curation.latest(verdicts).items()}
    return TopicSources(topic.topic, folder, summaries, noted, scores), [*problems, *wrong]


def _stamp(vault: Vault, path: str) -> str:
    """What tells whether a file changed."""
    return str(files.stamp(os.path.join(vault.root, path)))


# -- notes -------------------------------------------------------------------------------------------------


def fact_notes(vault: Vault, known: Mapping[str, FactNote]) -> dict[str, FactNote]:
    """path -> the memories that state facts about a topic. A `known` one is read again only if its stamp changed.

    Outdated and untrusted memories are left out, since readers take a page for what the vault knows.
    """
    found: dict[str, FactNote] = {}
    vault = vault.for_derived("pages")
    hidden = vault.index.concealed.mark
    for record in vault.index.records_at(vault.index.search(_HEADING, -1)):
        if record.topic.strip() and record.status not in GONE and prompt.is_trusted(record):
            stamp = f"{_stamp(vault, record.path)} {record.topic} {record.created} {hidden}".rstrip()
            note = known.get(record.path)
            if note is None or note.stamp != stamp:
                note = _read_note(vault, record.path, stamp, record.created)
            found[record.path] = note
    return {path: note for path, note in sorted(found.items()) if note.facts}


def _read_note(vault: Vault, path: str, stamp: str, created: str) -> FactNote:
    """Read the facts that a note states; none if it is gone or cannot be read, which doctor reports."""
    try:
        note = vault.parse(vault.shown(path), path)
        stated, _ = facts.of_memory(note)
        topic = naming.topic(note.text("topic"))
    except (NoteError, NotFoundError, UsageError):
        return FactNote(path, stamp, "", ())
    return FactNote(path, stamp, topic, tuple(fact._replace(entry_ts=fact.entry_ts or created) for fact in stated))


def unpacked(text: str) -> dict[str, FactNote]:
    """path -> the notes in the JSON that a manifest keeps of them."""
    return {note.path: note for note in typed.decoded(tuple[FactNote, ...], json.loads(text or "[]"))}
