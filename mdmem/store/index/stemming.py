"""The stems of words, from FTS5's own tokenizer, so that a query and the index always agree.

A stem depends on its word alone. Stems are cached for the life of the process, and no index is touched.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing

from mdmem.note import segment

_IN_ORDER = (
    "SELECT doc, col, group_concat(term, ' ') FROM (SELECT doc, col, term FROM v ORDER BY doc, col, offset)"
    " GROUP BY doc, col"
)
_KEPT = 100_000  # words in the cache; it is cleared once it has more


class Stemmer:
    """Gets stems from FTS5, and caches them."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}  # word -> its stem, "" for none
        self._one_at_a_time = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def stems(self, words: Sequence[str]) -> dict[str, str]:
        """word -> its stem, without words that have none, such as an accent alone."""
        with self._one_at_a_time:
            if len(self._known) > _KEPT:
                self._known.clear()
            unknown = [word for word in words if word not in self._known]
            if unknown:
                self._ask(unknown)
            return {word: stem for word in words if (stem := self._known[word])}

    def _ask(self, words: Sequence[str]) -> None:
        db = self._db = self._db or _opened()
        plain = [word for word in words if word.isascii() and word.isalnum()]  # one term each: one row for all
        others = [word for word in words if not (word.isascii() and word.isalnum())]  # none, one or several
        db.execute("BEGIN")
        db.executemany("INSERT INTO stemmer(rowid, w) VALUES(?,?)", enumerate((" ".join(plain), *others)))
        found = db.execute("SELECT doc, offset, term FROM stems ORDER BY doc, offset DESC").fetchall()
        db.execute("ROLLBACK")
        self._known.update(dict.fromkeys(words, ""))
        self._known.update((others[doc - 1] if doc else plain[offset], stem) for doc, offset, stem in found)


def in_order(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The stems of each field of some rows, in order and joined by spaces; `rows` are as FTS5 gets them.

    They are the terms that an index of those rows has, position by position.
    """
    names = [f"f{at}" for at in range(len(rows[0]) if rows else 0)]
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        db.execute(
            f"CREATE VIRTUAL TABLE t USING fts5({','.join(names)}, content='', tokenize=\"{segment.TOKENIZER}\")"
        )
        db.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t','instance')")
        marks = ",".join("?" * (len(names) + 1))
        db.execute("BEGIN")
        db.executemany(
            f"INSERT INTO t(rowid,{','.join(names)}) VALUES({marks})",
            ((at, *row) for at, row in enumerate(rows)),
        )
        stems = [[""] * len(names) for _ in rows]
        for at, name, text in db.execute(_IN_ORDER):
            stems[at][int(name[1:])] = text
    return stems


def _opened() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.execute(f'CREATE VIRTUAL TABLE stemmer USING fts5(w, tokenize="{segment.TOKENIZER}")')
    db.execute("CREATE VIRTUAL TABLE stems USING fts5vocab('stemmer','instance')")
    return db


stems = Stemmer().stems
