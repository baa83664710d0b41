"""Where some paths stand in an index, or belong, and the parts of its file that change with them.

See gitformat-index(5), version 2.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from mdmem import digests
from mdmem.git.indexfile import IndexFile
from mdmem.values import NamedTuple

_HEADER, _COUNT_AT = 12, 8
_CHANGED_AT, _MODE_AT, _BLOB_AT, _FLAGS_AT, _NAME_AT = 8, 24, 40, 60, 62  # places in an entry
_LONGEST = 0x0FFF  # what flags say of the length of a longer path
_SUM = 20  # bytes of a SHA-1
_WORD = 4  # bytes of a number


class IndexEntry(NamedTuple):
    """An entry of an index: where it begins and ends in the file, and what it says."""

    start: int
    end: int
    path: bytes
    mode: int
    blob: bytes
    is_plain: bool


class PathSpot(NamedTuple):
    """A path, its entry (None: it has none), and the entries around the place of it."""

    path: bytes
    entry: IndexEntry | None
    before: IndexEntry | None
    behind: IndexEntry | None
    at: int


class NotedFolder:
    """A folder as the index notes it: its name, the number of entries in it, and the id of its tree."""

    def __init__(self, name: bytes, count: int, tree: bytes) -> None:
        self.name = name
        self.count = count
        self.tree = tree
        self.folders: dict[bytes, NotedFolder] = {}

    def chain(self, names: Sequence[bytes]) -> list[NotedFolder]:
        """This folder and those in it by their names, each in the one before. Raises KeyError."""
        chain = [self]
        for name in names:
            chain.append(chain[-1].folders[name])
        return chain

    def note(self) -> bytes:
        """It and all in it, as an index has it."""
        own = b"%s\0%d %d\n" % (self.name, self.count, len(self.folders)) + self.tree
        return own + b"".join(folder.note() for folder in self.folders.values())


class IndexSurvey(NamedTuple):
    """What is known of an index: the places of some paths, entries that may be out of date, and the folders."""

    data: bytes
    spots: list[PathSpot]
    doubtful: list[IndexEntry]
    end: int
    top: NotedFolder


class IndexPart(NamedTuple):
    """Bytes of an index that take the place of those from `start` to `end`."""

    start: int
    end: int
    new: bytes


def survey(file: IndexFile, paths: Sequence[bytes]) -> IndexSurvey | None:
    """Look for paths; None if the index holds more than entries and trees, or not what it says."""
    data = file.data
    try:
        spots, doubtful, end = _walk(data, sorted(paths), file.seconds.to_bytes(_WORD, "big"))
        size = int.from_bytes(data[end + 4 : end + 8], "big")
        if data[end : end + 4] != b"TREE" or end + 8 + size + _SUM != len(data):
            return None
        top, noted = _folder(data, end + 8)
    except (IndexError, ValueError):
        return None
    return IndexSurvey(data, spots, doubtful, end, top) if noted == end + 8 + size else None


def _walk(data: bytes, paths: Sequence[bytes], since: bytes) -> tuple[list[PathSpot], list[IndexEntry], int]:
    """The places of sorted paths, the entries of files saved `since`, and where the entries end.

    Plain steps without a call for each entry, of which there are many.
    """
    spots: list[PathSpot] = []
    doubtful: list[IndexEntry] = []
    missing = [*reversed(paths)]
    at, last = _HEADER, 0
    for _ in range(int.from_bytes(data[_COUNT_AT:_HEADER], "big")):
        name_at = at + _NAME_AT
        length = (data[name_at - 2] & 0x0F) << 8 | data[name_at - 1]
        if length == _LONGEST:
            length = data.index(0, name_at) - name_at
        while missing and data[name_at : name_at + length] >= missing[-1]:
            spots.append(_spot(data, missing.pop(), last, at))
        if data[at + _CHANGED_AT : at + _CHANGED_AT + _WORD] >= since:
            doubtful.append(entry(data, at))
        last = at
        at += (_NAME_AT + length + 8) & ~7  # 1 to 8 NULs fill each up to a multiple of 8 bytes
    spots += [PathSpot(path, None, entry(data, last) if last else None, None, at) for path in reversed(missing)]
    return spots, doubtful, at


def _next(start: int, end: int) -> int:
    """Where the entry begins that follows one whose path ends at a place."""
    return start + ((end - start + 8) & ~7)


def _spot(data: bytes, path: bytes, last: int, at: int) -> PathSpot:
    here = entry(data, at)
    before = entry(data, last) if last else None
    return PathSpot(path, here if here.path == path else None, before, here, at)


def entry(data: bytes, at: int) -> IndexEntry:
    """The entry that begins at a place."""
    end = data.index(0, at + _NAME_AT)
    mode = int.from_bytes(data[at + _MODE_AT : at + _MODE_AT + _WORD], "big")
    is_plain = not data[at + _FLAGS_AT] & 0xF0  # neither to be taken for unchanged, nor unmerged
    return IndexEntry(
        at, _next(at, end), data[at + _NAME_AT : end], mode, data[at + _BLOB_AT : at + _FLAGS_AT], is_plain
    )


def new_entry(path: bytes, status: os.stat_result, mode: int, blob: bytes) -> bytes:
    """The entry of a file that was looked at."""
    times = (*divmod(status.st_ctime_ns, 10**9), *divmod(status.st_mtime_ns, 10**9))
    numbers = (*times, status.st_dev, status.st_ino, mode, status.st_uid, status.st_gid, status.st_size)
    stats = b"".join((number & 0xFFFFFFFF).to_bytes(_WORD, "big") for number in numbers)
    flags = min(len(path), _LONGEST).to_bytes(2, "big")
    written = stats + blob + flags + path
    return written + b"\0" * (_next(0, len(written)) - len(written))


def rewritten(found: IndexSurvey, parts: Sequence[IndexPart], more: int) -> bytes:
    """The file of an index with other parts and folders, and so many more entries than now."""
    data = found.data
    count = int.from_bytes(data[_COUNT_AT:_HEADER], "big") + more
    note = found.top.note()
    pieces = [data[:_COUNT_AT], count.to_bytes(_WORD, "big")]
    done = _HEADER
    for part in sorted(parts):
        pieces += [data[done : part.start], part.new]
        done = part.end
    pieces += [data[done : found.end], b"TREE", len(note).to_bytes(_WORD, "big"), note]
    body = b"".join(pieces)
    return body + bytes.fromhex(digests.sha1_of_much(body))


def _folder(data: bytes, at: int) -> tuple[NotedFolder, int]:
    """The folder that is noted at a place, with all in it, and where the next one is. Raises ValueError."""
    name_end = data.index(b"\0", at)
    line_end = data.index(b"\n", name_end)
    count, inner = map(int, data[name_end + 1 : line_end].split(b" "))
    if count < 1:  # nothing in the index tells where an empty folder stands
        raise ValueError("a tree that git does not know, or an empty one")
    end = line_end + 1 + _SUM
    folder, at = NotedFolder(data[at:name_end], count, data[line_end + 1 : end]), end
    for _ in range(inner):
        below, at = _folder(data, at)
        folder.folders[below.name] = below
    return folder, at
