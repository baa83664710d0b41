"""The entries for a few paths, read from git's index file: asking git takes as long as reading all entries.

See gitformat-index(5). The file is only read if git has recorded that it stages exactly the tree of a commit, so
no entry is unmerged or intent-to-add.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdmem.store.git.repo import NOTHING, PathChange, Repo, TreeFile

FEW = 10  # paths; looking for more takes longer than asking git for everything that is staged
_PLAIN = b"DIRC\0\0\0\x02"  # version 2: full names, two bytes of flags
_TREE, _TREE_HEADER = b"TREE", 8  # the extension with cached trees, and the bytes of its name and size
_FARTHEST = 40  # the most bytes from there to the end of the first tree's id
_MODE_AT, _BLOB_AT, _FLAGS_AT, _NAME_AT = 24, 40, 60, 62  # offsets in an entry
_ID_LENGTH = 20  # bytes of a SHA-1; a longer id is cut off, so that it never equals one of git's
_LONGEST = 0x0FFF  # the path length in the flags for any longer path


class IndexFile:
    """The content of an index file."""

    def __init__(self, place: str) -> None:
        """Raises FileNotFoundError."""
        with open(place, "rb") as file:
            self._data = file.read()

    def is_plain(self, repo: Repo) -> bool:
        """Whether `entry` can read this index: it has version 2 and is all in this file."""
        return self._data.startswith(_PLAIN) and not repo.has_split_index()

    def tree(self) -> str:
        """The cached id of the tree that is staged, "" if git has cached none."""
        at = self._data.rfind(_TREE)
        while at >= 0:
            start = at + _TREE_HEADER
            note, _, ids = self._data[start : start + _FARTHEST].partition(b"\n")
            if note.startswith(b"\0") and note[1:].replace(b" ", b"").isdigit():  # counts of entries and subtrees
                return ids[:_ID_LENGTH].hex()
            at = self._data.rfind(_TREE, 0, at)
        return ""

    def entry(self, repo: Repo, path: str) -> TreeFile | None:
        """The entry for a file of the vault, None if it has none."""
        full = repo.full(path)
        length = min(len(full), _LONGEST).to_bytes(2, "big")
        at = self._data.find(full + b"\0")
        while at >= 0:
            start = at - _NAME_AT
            flags = self._data[start + _FLAGS_AT : at]
            if bytes((flags[0] & 0x7F, flags[1])) == length:  # the highest bit is assume-unchanged
                mode = int.from_bytes(self._data[start + _MODE_AT : start + _MODE_AT + 4], "big")
                return TreeFile(path, f"{mode:06o}", self._data[start + _BLOB_AT : start + _FLAGS_AT].hex())
            at = self._data.find(full + b"\0", at + 1)  # that was the end of a longer path
        return None


def changes(repo: Repo, old: IndexFile, new: IndexFile, paths: Iterable[str]) -> Iterator[PathChange]:
    """The differences of `paths` between two indexes."""
    for path in sorted(paths, key=repo.full):
        nothing = TreeFile(path, NOTHING, "")
        before, after = old.entry(repo, path) or nothing, new.entry(repo, path) or nothing
        if before != after:
            yield PathChange(*before, *after[1:])
