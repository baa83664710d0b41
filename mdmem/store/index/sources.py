"""Rows that are not memories: those of ingested dialogs, and facts wherever they are stated.

The room that a raw file belongs to knows what it means, and registers a reader for it (see
`store.registry.RowReader`). That room is not imported for a vault that has no such files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from mdmem.errors import Problem, UsageError
from mdmem.note import naming
from mdmem.note.memory import Memory
from mdmem.store import layout, registry
from mdmem.store.config import VaultConfig
from mdmem.store.index import rows
from mdmem.store.index.database import Database
from mdmem.store.index.port import FACT, Amendment, SourceRow

if TYPE_CHECKING:
    from mdmem.note.facts import Fact
    from mdmem.store.index.catalogue import SqliteCatalogue

INDEXED = (layout.Kind.MEMORY, layout.Kind.RAW)  # kinds of files that have rows
_HEADING = "# facts"  # in any letter case; a note without it states none


def is_indexed(path: str, config: VaultConfig) -> bool:
    """Whether a file has rows in the index."""
    return layout.kind_of(path, config) in INDEXED


class SourceRows:
    """Makes the rows of raw files, for one reading of a vault: as it is now, or as of a commit."""

    def __init__(self, db: Database, read: Callable[[str], bytes | None], config: VaultConfig) -> None:
        """`read` returns the bytes of a file, None if it is gone; it raises NoteError."""
        self._db = db
        self._read = read
        self._config = config
        self._readers: list[registry.RowReader] = []
        self._done: set[str] = set()

    def renew(self, path: str) -> None:
        """Make the rows that depend on a raw file again, once for all files of one source.

        Raises NoteError if a file cannot be read; the rows of its source then stay.
        """
        self._readers = self._readers or list(registry.row_readers(self._read, self._config))
        for reader in self._readers:
            for source in reader.sources(path):
                if source not in self._done:
                    made = list(reader.rows(source))
                    rows.drop(self._db, source)
                    _insert(self._db, source, made)
                    self._done.add(source)


def tells_facts(note: Memory) -> bool:
    """Whether a note has a topic and may state facts."""
    return bool(note.text("topic")) and _HEADING in note.body.lower()


def add_facts(db: Database, note: Memory, created: str) -> None:
    """Add the facts that a note with a topic states; `created` (RFC 3339) is used if the note does not give it."""
    if tells_facts(note):
        from mdmem.note import facts

        told, problems = facts.of_memory(note)
        rows.add_problems(db, problems)
        here = SourceRow(
            kind=FACT,
            file=note.path,
            id="",
            title="",
            text="",
            topic=_topic(note.text("topic")),
            session=note.text("session"),
            created=created,
            meta={"origin": note.text("origin")},
        )
        _insert(db, note.path, [fact_row(fact, here) for fact in told])


def not_facts(index: SqliteCatalogue) -> list[Problem]:
    """The bullets in the Facts sections of notes that are not facts."""
    return [problem for problem in index.problems() if problem.code == FACT]


def _topic(name: str) -> str:
    """The folder name of a topic, by which entries name it; the name itself if it cannot be a folder."""
    try:
        return naming.topic(name)
    except UsageError:
        return name


def fact_row(fact: Fact, place: SourceRow) -> SourceRow:
    """A fact as a row; `place` has what it shares with the other facts of its file."""
    from mdmem.note.facts import fact_id

    statement = " ".join(f"{fact.subject} {fact.relation} {fact.object}".split())
    meta = {
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "time_span": fact.time_span,
        "confidence": fact.confidence,
        "entry": fact.entry_id,
    }
    id = fact_id(fact)
    return place._replace(
        kind=FACT,
        id=id,
        fragment=id,
        title=statement,
        text=" ".join(fact.sentence.split()) or statement,
        type=fact.type,
        created=fact.entry_ts or place.created,
        meta={**place.meta, **meta} | ({} if fact.score is None else {"score": fact.score}),
        line=max(fact.line, 1),
        lines=(),
    )


def _insert(db: Database, source: str, made: Iterable[SourceRow | Amendment]) -> None:
    """Add the rows made from a source; of several rows with one key, only the first."""
    keys: set[str] = set()
    for row in made:
        if isinstance(row, Amendment):
            rows.insert_amendment(db, source, row)
        elif row.path not in keys:
            keys.add(row.path)
            rows.insert_source(db, row)
