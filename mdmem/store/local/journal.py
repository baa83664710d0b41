"""The journal of a change: the contents of its files, recorded before the first of them is replaced.

A change that is cut short - a full disk, Ctrl-C, a killed process - is settled from it: completed if HEAD's
history has its commit, rolled back otherwise. The failing process itself and the next one use the same mechanism.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import patterns
from mdmem.store import layout
from mdmem.store.git.repo import Repo
from mdmem.store.local import files

_FORMAT = 3
_COMMIT = patterns.late(r"(?:[0-9a-f]{40,64})?")
_BY_HAND = 1000  # commits to search for ours; between a crash and the next opening, only people commit


class _Entry(NamedTuple):
    """One file: its bytes before (None: it did not exist) and the digest of those after ("": deleted)."""

    before: bytes | None
    after: str


class _Record(NamedTuple):
    """An unfinished change: HEAD when it began ("" for none), the message of its commit, and its files.

    `commit` is the id of a commit that existed already, "" for one still to be made.
    """

    head: str
    message: str
    files: Mapping[str, _Entry]
    commit: str = ""


class Journal:
    """The journal of one vault. Callers that begin or settle hold the vault's lock."""

    def __init__(self, root: str, repo: Repo, tell: Callable[[str], None]) -> None:
        self._root = root
        self._repo = repo
        self._tell = tell
        self._folder = os.path.join(root, layout.STATE)
        self._place = os.path.join(self._folder, "journal.json")
        self._scratch = os.path.join(self._folder, "tmp")

    @property
    def open(self) -> bool:
        """Whether a change was begun and neither closed nor settled."""
        return os.path.exists(self._place) or os.path.exists(self._repo.next_index())

    def begin(
        self, head: str, message: str, changes: Mapping[str, tuple[bytes | None, bytes | None]], commit: str = ""
    ) -> None:
        """Record a change on top of `head`: path -> bytes before and after.

        Its commit will have that message; or it exists already as `commit`, and HEAD will move to it.
        """
        entries = {
            path: [None if before is None else before.hex(), _digest(after)]
            for path, (before, after) in changes.items()
        }
        record = {"format": _FORMAT, "head": head, "message": message, "commit": commit, "files": entries}
        files.sync([files.save(self._place, json.dumps(record).encode(), self._scratch)])

    def replace(self, changes: Mapping[str, tuple[bytes | None, bytes | None]], keep: Sequence[str]) -> None:
        """Replace files whose contents are as before: path -> (before, after).

        None stands for a file that does not exist. Folders within those of `keep` are deleted if they become
        empty. Raises ConflictError if someone has saved one of the files in the meantime.
        """
        files.sync(self._replace_all(changes, keep))

    def _replace_all(
        self, changes: Mapping[str, tuple[bytes | None, bytes | None]], keep: Sequence[str]
    ) -> list[str]:
        """Replace the files; returns the folders to sync."""
        written = {path: after for path, (_, after) in changes.items() if after is not None}
        with files.aside(self._root, written, self._scratch) as aside:
            return [self._replace(path, before, aside.get(path), keep) for path, (before, _) in changes.items()]

    def _replace(self, path: str, before: bytes | None, written: str | None, keep: Sequence[str]) -> str:
        """Replace one file with its temporary file `written`, or delete it; returns the folder to sync."""
        if written:
            return files.put(self._root, path, before, written)
        home = next((folder for folder in keep if layout.within(path, folder)), keep[0])
        return files.take(self._root, path, before, home, self._scratch)

    def close(self) -> None:
        """Delete the journal: the change is complete."""
        os.unlink(self._place)

    def settle(self, keep: Sequence[str]) -> None:
        """Complete a change that was cut short if its commit was made; else put every file back.

        A file that someone has saved since stays as they saved it. Raises the error that kept a file from being
        put back; the journal then stays, and the next process tries again.
        """
        from mdmem.store.git import commits

        record = self._read() if os.path.exists(self._place) else None
        before = [entry.before for entry in record.files.values()] if record else []
        for place in files.clear(self._scratch, before):
            self._tell(f"what another program saved while a change was interrupted is now {place}")
        commits.recover(self._repo)
        if record is None:
            return
        if self._landed(record):
            commits.unstage(self._repo, list(record.files), record.head, record.commit)
        else:
            self._put_back(record, keep)
            self._tell("took back a change that was interrupted")
        self.close()

    def _put_back(self, record: _Record, keep: Sequence[str]) -> None:
        failures: list[MdmemError | OSError] = []
        folders: list[str] = []
        for path, entry in reversed(list(record.files.items())):  # one may stand where an earlier one was
            try:
                now = files.read_or_none(self._root, path)
                if now != entry.before and _digest(now) == entry.after:
                    folders += self._replace_all({path: (now, entry.before)}, keep)
            except (MdmemError, OSError) as error:
                failures.append(error)
        files.sync(folders)
        if failures:
            raise failures[0]

    def _landed(self, record: _Record) -> bool:
        """Whether HEAD's history since then has the commit of this change."""
        head = self._repo.head()[0]
        if head in ("", record.head):
            return False
        if record.commit:
            return self._repo.has_commit(record.commit) and self._repo.is_ancestor(record.commit, head)
        known = record.head and self._repo.has_commit(record.head)
        since = [f"^{record.head}"] if known else []
        out = self._repo.run("log", "-z", "--format=%B", f"--max-count={_BY_HAND}", head, *since, "--")
        return record.message.strip().encode() in {message.strip() for message in out.split(b"\0")}

    def _read(self) -> _Record | None:
        """The recorded change. A file that is not a journal is set aside and reported; then None."""
        with open(self._place, "rb") as file:
            data = file.read()
        try:
            return _parsed(data)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            aside = self._place + ".unreadable"
            os.replace(self._place, aside)
            self._tell(f"an interrupted change left a journal that cannot be read; it is now {aside}")
            return None


def _parsed(data: bytes) -> _Record:
    """Parse a journal.

    Raises ValueError, TypeError, KeyError, AttributeError or RecursionError for a file that is not one of ours.
    """
    found = json.loads(data.decode())
    if found["format"] != _FORMAT:
        raise ValueError("another format")
    entries = {
        path: _Entry(None if before is None else bytes.fromhex(before), str(after))
        for path, (before, after) in found["files"].items()
    }
    head, commit = str(found["head"]), str(found.get("commit", ""))
    if not (_COMMIT.fullmatch(head) and _COMMIT.fullmatch(commit)):
        raise ValueError("the head is not a commit id")
    for path in entries:
        os.fsencode(path)  # UnicodeEncodeError is a ValueError
        if not files.is_inside(path):
            raise ValueError("a path leads out of the vault")
    return _Record(head, str(found["message"]), entries, commit)


def _digest(data: bytes | None) -> str:
    import hashlib

    return hashlib.sha256(data).hexdigest() if data is not None else ""
