"""The database of OpenCode (`~/.local/share/opencode/opencode.db`), read without changing it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from mdmem.capture.turns import JsonRecord
from mdmem.errors import NotFoundError, Problem, UsageError

MAGIC = b"SQLite format 3\0"  # the beginning of an SQLite file: https://www.sqlite.org/fileformat.html
_KNOWN = "SELECT count(*) FROM session WHERE id = ?"
_SESSIONS = "SELECT id, parent_id, directory, title FROM session"
_OF_ONE = " WHERE ? IN (id, parent_id)"
_IN_ORDER = " ORDER BY time_created, id"
_MESSAGES = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
_PARTS = "SELECT id, data FROM part WHERE message_id = ? ORDER BY id"


def sessions(path: str, session: str = "") -> tuple[list[JsonRecord], list[Problem]]:
    """(sessions in the form of `opencode export`, oldest first; problems with rows that cannot be read).

    If `session` is one of them, only that one and those of its subagents. Raises UsageError for a database of
    another program, NotFoundError for one that cannot be opened.
    """
    reader = _Reader(Path(path).name)
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True)) as connection:
            rows = _sessions(connection, session)
            return [reader.session(connection, *row) for row in rows], reader.problems
    except sqlite3.OperationalError as error:
        if "unable to open" in str(error) or "locked" in str(error):
            raise NotFoundError(f"{path} cannot be read: {error}") from None
        raise _not_opencodes(path, error) from None
    except sqlite3.DatabaseError as error:
        raise _not_opencodes(path, error) from None


def _sessions(connection: sqlite3.Connection, session: str) -> list[Any]:
    ((is_known,),) = connection.execute(_KNOWN, [session])
    if is_known:
        return connection.execute(_SESSIONS + _OF_ONE + _IN_ORDER, [session]).fetchall()
    return connection.execute(_SESSIONS + _IN_ORDER).fetchall()


def _not_opencodes(path: str, error: sqlite3.DatabaseError) -> UsageError:
    hint = "only OpenCode's database can be read; opencode export SESSION > session.json gives one session"
    return UsageError(f"{path} is not a database of OpenCode: {error}", hint)


class _Reader:
    """Turns rows into the form of an export. A row that is not JSON becomes a problem, and the rest is read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []

    def session(
        self, connection: sqlite3.Connection, id: str, parent: str | None, directory: str, title: str
    ) -> JsonRecord:
        info = {"id": id, "parentID": parent, "directory": directory, "title": title}
        messages = []
        for message_id, data in connection.execute(_MESSAGES, [id]).fetchall():
            rows = connection.execute(_PARTS, [message_id]).fetchall()
            parts = [self._value("part", part_id, part) for part_id, part in rows]
            messages.append({"info": self._value("message", message_id, data), "parts": parts})
        return JsonRecord(1, {"info": info, "messages": messages})

    def _value(self, table: str, id: object, data: object) -> dict[str, Any]:
        try:
            value = json.loads(data) if isinstance(data, str | bytes) else None
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return {"id": id, **value}
        fix = "it was left out"
        self.problems.append(Problem("transcript", self.source, 0, f"{table} {id} is not valid JSON", fix))
        return {}
