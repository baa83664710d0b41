"""Session logs as a hook reads them: piece by piece, as far as its time goes, and from where the last one stopped.

A log of JSON Lines is cut at line ends. Each piece is read together with the first line of the log, which says
whose it is, and with some lines before it, for context. Line numbers stay those of the log. Any other log is one
piece. How far logs have been read is local and bounded; a damaged file counts as empty: logs are then read again,
which proposes nothing twice.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import BinaryIO, NamedTuple

from mdmem.errors import UsageError
from mdmem.note import typed
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault

FILE = "transcripts.json"
_MOST = 200  # logs that are remembered: the latest
_PIECE, _BEFORE = 200_000, 40_000  # bytes of a piece, and of the context that is read again before it
_WHOLE = 8_000_000  # maximum bytes of a log that cannot be cut
_LINE = 32_000_000  # maximum bytes of a line; a longer one is skipped


class LogPlace(NamedTuple):
    """How far a log has been read: bytes and lines from its beginning."""

    offset: int = 0
    line: int = 0


class ReadLog(NamedTuple):
    """A session log: its session, actor and project, and how far it has been read; `is_done` if to its end."""

    path: str
    session: str = ""
    actor: str = ""
    place: LogPlace = LogPlace()
    is_done: bool = False
    project: str = ""


class ReadLogs:
    """The logs that have been read for one vault."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def get(self, path: str) -> ReadLog | None:
        """What is known of the log at a path; None if it has not been read."""
        return next((log for log in self._load() if log.path == path), None)

    def unfinished(self) -> list[ReadLog]:
        """The logs that there was no time to finish, the oldest first."""
        return [log for log in self._load() if not log.is_done and os.path.isfile(log.path)]

    def save(self, log: ReadLog) -> None:
        """Remember how far a log has been read. Raises OSError, MdmemError if that is not possible."""
        others = [known for known in self._load() if known.path != log.path]
        state.save(self._vault.root, self._vault.repo, FILE, json.dumps([*others, log][-_MOST:]).encode())

    def _load(self) -> list[ReadLog]:
        try:
            return [typed.decoded(ReadLog, told) for told in state.load(self._vault.root, FILE) or ()]
        except (ValueError, TypeError):
            return []


# -- pieces --------------------------------------------------------------------------------------------------


class Piece(NamedTuple):
    """A piece of a log from `start` to `end`; `text` has its context, too."""

    text: str
    start: LogPlace
    end: LogPlace


def next_piece(path: str, place: LogPlace) -> Piece | None:
    """The piece of a log after a place; None at its end.

    A last line that is still being written is left for later. A log that is shorter than before is read from its
    beginning. Raises OSError, and UsageError for a log that is too large and cannot be cut.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        place = place if place.offset <= size else LogPlace()
        if place.offset == size:
            return None
        return _piece(file, place) if _has_lines(file) else _whole(file, size)


def _has_lines(file: BinaryIO) -> bool:
    """Whether a log is JSON Lines, with one object per line."""
    file.seek(0)
    first, second = file.readline(_LINE), file.read(1)
    if not first.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
        return False
    return second in (b"{", b"\n") or (not second and _is_json(first))


def _whole(file: BinaryIO, size: int) -> Piece:
    if size > _WHOLE:
        raise UsageError(f"the transcript is longer than {_WHOLE} bytes", "mdmem capture FILE reads it")
    file.seek(0)
    data = file.read()
    return Piece(data.decode("utf-8", "replace"), LogPlace(), LogPlace(len(data), data.count(b"\n")))


def _piece(file: BinaryIO, place: LogPlace) -> Piece | None:
    file.seek(place.offset)
    data = file.read(_PIECE)
    if data and not data.endswith(b"\n"):
        data += file.readline(_LINE)
    if not data.endswith(b"\n"):
        complete, _, last = data.rpartition(b"\n")
        data = data if _is_json(last) or len(last) >= _LINE else complete + b"\n" * bool(complete)
    if not data:
        return None
    end = LogPlace(place.offset + len(data), place.line + data.count(b"\n"))
    head, before = _around(file, place)
    first_line = place.line - before.count(b"\n")  # lines before the context
    text = head + b"\n" * max(first_line - 1, 0) + before + data if first_line else before + data
    return Piece(text.decode("utf-8", "replace"), place, end)


def _around(file: BinaryIO, place: LogPlace) -> tuple[bytes, bytes]:
    """The first line of a log, and the lines before a place that are read again."""
    file.seek(0)
    head = file.readline(_LINE)
    start = max(place.offset - _BEFORE, 0)
    file.seek(start)
    before = file.read(place.offset - start)
    if start:
        before = before.partition(b"\n")[2]
    return head, before


def _is_json(line: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        json.loads(line)
        return True
    return False
