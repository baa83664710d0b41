"""What git's index says of a few paths, read from its file: asking git takes as long as reading all entries.

See gitformat-index(5). It is read only where git has noted that it stages exactly the tree of a commit, so that
no entry is unmerged or only intended.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mdmem.git.repo import Repo, TreeFile

_PLAIN = b"DIRC\0\0\0\x02"  # version 2: names are written out, flags are of two bytes
_SPLIT = b"link\0"  # begins the extension of an index of which a part is in another file
_TREE, _TREE_HEADER = b"TREE", 8  # the extension with the trees that are known, and the bytes of its name and size
_FARTHEST = 40  # bytes from there to the id of the first tree
_MODE_AT, _BLOB_AT, _FLAGS_AT, _NAME_AT = 24, 40, 60, 62  # places in an entry
_TREE_DIGITS = 40
_LONGEST = 0x0FFF  # what flags say of the length of a longer path
_KIND = 3  # digits of a mode that tell files from links


class IndexFile:
    """The bytes of an index."""

    def __init__(self, place: str) -> None:
        """Raises FileNotFoundError."""
        with open(place, "rb") as file:
            self._data = file.read()

    def is_plain(self) -> bool:
        """Whether `entry` can read it."""
        return self._data.startswith(_PLAIN) and _SPLIT not in self._data

    def stages(self, tree: str) -> bool:
        """Whether git has noted that what is staged is exactly that tree; False for one that is not SHA-1."""
        if len(tree) != _TREE_DIGITS:  # entries with longer ids lie otherwise
            return False
        at = self._data.find(bytes.fromhex(tree))
        start = self._data.rfind(_TREE, max(0, at - _FARTHEST), max(0, at))
        note = self._data[start + _TREE_HEADER : at]  # no name, how many entries, how many trees in it
        is_first = start >= 0 and note.startswith(b"\0") and note.endswith(b"\n")
        return is_first and note[1:-1].replace(b" ", b"").isdigit()

    def entry(self, repo: Repo, path: str) -> TreeFile | None:
        """The entry of a file of the vault, None if it has none."""
        full = repo.full(path)
        length = min(len(full), _LONGEST).to_bytes(2, "big")
        at = self._data.find(full + b"\0")
        while at >= 0:
            start = at - _NAME_AT
            flags = self._data[start + _FLAGS_AT : at]
            if bytes((flags[0] & 0x7F, flags[1])) == length:  # the highest bit: not to be looked at
                mode = int.from_bytes(self._data[start + _MODE_AT : start + _MODE_AT + 4], "big")
                return TreeFile(path, f"{mode:06o}", self._data[start + _BLOB_AT : start + _FLAGS_AT].hex())
            at = self._data.find(full + b"\0", at + 1)  # it was the end of a longer path
        return None


def changes(repo: Repo, old: IndexFile, new: IndexFile, paths: Iterable[str]) -> Iterator[tuple[str, TreeFile]]:
    """How `paths` differ between two indexes: (letter, file) as of `log.raw_changes`."""
    for path in sorted(paths, key=repo.full):
        before, after = old.entry(repo, path), new.entry(repo, path)
        if before is None and after is not None:
            yield "A", after
        elif before is not None and after is None:
            yield "D", before
        elif before is not None and after is not None and before != after:
            yield "M" if before.mode[:_KIND] == after.mode[:_KIND] else "T", after
