"""A cache of what a language model answered, by what it was asked: a second run asks nothing twice.

The file is local and can be deleted; the model is then asked again.
"""

import hashlib
import json
import os
import sqlite3
from contextlib import closing

from mdmem.store import layout

_TABLE = "CREATE TABLE IF NOT EXISTS answers(asked BLOB PRIMARY KEY, answer TEXT) WITHOUT ROWID"
_WAIT = 5.0  # seconds for another process that writes


class KeptAnswers:
    """The cached answers of one model in one vault. A damaged file counts as empty."""

    def __init__(self, root: str, model: str) -> None:
        self._place = os.path.join(root, layout.STATE, "answers.sqlite")
        self._model = model

    def get(self, system: str, prompt: str) -> str | None:
        """The answer to exactly this system prompt and prompt; None if there is none yet."""
        if not os.path.exists(self._place):
            return None
        try:
            with closing(self._open()) as db:
                row = db.execute(
                    "SELECT answer FROM answers WHERE asked=?", (self._key(system, prompt),)
                ).fetchone()
        except sqlite3.DatabaseError:
            return None
        return row[0] if row else None

    def put(self, system: str, prompt: str, answer: str) -> None:
        """Keep an answer, unless the disk cannot be written or the file is damaged."""
        try:
            with closing(self._open()) as db, db:
                db.execute(_TABLE)
                db.execute("INSERT OR REPLACE INTO answers VALUES(?,?)", (self._key(system, prompt), answer))
        except sqlite3.DatabaseError:
            return

    def _key(self, system: str, prompt: str) -> bytes:
        asked = json.dumps([self._model, system, prompt]).encode()
        return hashlib.blake2b(asked, digest_size=16).digest()

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._place, timeout=_WAIT)
