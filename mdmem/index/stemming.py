"""The stems of words: FTS5's own tokenizer is asked, so that a question and the index always agree.

A stem depends on its word alone. What was asked once is kept for the process, and no index is touched.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence

from mdmem.text import segment

_KEPT = 100_000  # words; when more were asked, all are forgotten


class Stemmer:
    """Asks FTS5 for stems, and remembers them."""

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
        db.execute("BEGIN")
        db.executemany("INSERT INTO stemmer(rowid, w) VALUES(?,?)", enumerate(words))
        found = db.execute("SELECT doc, term FROM stems ORDER BY doc, offset DESC").fetchall()
        db.execute("ROLLBACK")
        self._known.update(dict.fromkeys(words, ""))
        self._known.update((words[at], stem) for at, stem in found)


def _opened() -> sqlite3.Connection:
    db = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    db.execute(f'CREATE VIRTUAL TABLE stemmer USING fts5(w, tokenize="{segment.TOKENIZER}")')
    db.execute("CREATE VIRTUAL TABLE stems USING fts5vocab('stemmer','instance')")
    return db


stems = Stemmer().stems
