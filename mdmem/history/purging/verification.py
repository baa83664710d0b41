"""Checks a rewritten history by comparing every commit with the one that it replaces.

Nothing may hold the purged content, and nothing else may have changed.
"""

from __future__ import annotations

import bisect
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from mdmem.errors import MdmemError
from mdmem.history.purging import objects
from mdmem.history.purging.objects import NO_FILE, RawChange, RawCommit, RawFile
from mdmem.history.purging.rewriting import Rewriting
from mdmem.store.progress import Progress

_UNDOES = re.compile(rb"^Memory-[A-Za-z-]+: ([0-9a-f]{7,64})$", re.M)


class PurgeFailedError(MdmemError):
    """The rewritten history is wrong; nothing was changed."""

    def __init__(self, message: str) -> None:
        super().__init__(
            f"{message}; nothing was changed", "mdmem doctor --deep; then report this as a bug of mdmem"
        )


def verify(rewriting: Rewriting, progress: Progress) -> None:
    """Raises PurgeFailedError for the first fault that is found; `progress` gets (done, total) objects."""
    _Verification(rewriting, progress).run()


class _Verification:
    def __init__(self, rewriting: Rewriting, progress: Progress) -> None:
        self.rewriting, self.progress = rewriting, progress
        self.rewriter = rewriting.target.rewriter()
        self.blobs: dict[bytes, bytes] = {}  # blob id -> new blob id, for files that change
        self.messages: dict[bytes, bytes] = {}  # commit id -> its message

    def run(self) -> None:
        self._expect()
        old = {commit.id: commit for commit in objects.commits(self.rewriting.source, "--all")}
        new = {commit.id: commit for commit in objects.commits(self.rewriting.clone, "--all")}
        for commit in old.values():
            self._compare(commit, new)
        if len(new) != len(old):
            raise PurgeFailedError(f"{len(new)} commits took the place of {len(old)}")
        self._refs()
        self._nothing_left(new)
        self._references(old, new)
        if lines := self.rewriting.clone.complaints(
            "fsck", "--connectivity-only", "--no-dangling", "--no-progress"
        ):
            raise PurgeFailedError(f"git fsck says of the rewritten history: {lines[0]}")

    def _expect(self) -> None:
        """Work out the new blob of each file, and collect the messages."""
        for item in objects.stored(self.rewriting.source, self.progress):
            if item.kind == b"blob":
                becomes = self.rewriter.file(item.id, item.data)
                if becomes != item.data:
                    self.blobs[item.id] = _blob_id(becomes, len(item.id))
            elif item.kind == b"commit":
                self.messages[item.id] = item.data.partition(b"\n\n")[2]

    def _compare(self, old: RawCommit, news: Mapping[bytes, RawCommit]) -> None:
        """Compare one commit with the one that replaces it: parents, people, times, and every file."""
        new = news.get(self._renew(old.id))
        name = old.id[:10].decode()
        if new is None:
            raise PurgeFailedError(f"commit {name} has no successor")
        if tuple(map(self._renew, old.parents)) != new.parents or self.rewriter.name(old.who) != new.who:
            raise PurgeFailedError(f"commit {name} has other parents, people or times")
        expected = {self._becomes(change) for change in old.changes}
        if _combined(expected) != _combined(new.changes):
            raise PurgeFailedError(f"commit {name} changes other files: would two files get one name?")

    def _becomes(self, change: RawChange) -> RawChange:
        before, after = (
            file._replace(id=self.blobs.get(file.id, file.id)) for file in (change.before, change.after)
        )
        return RawChange(before, after, self.rewriter.path(change.path))

    def _renew(self, id: bytes) -> bytes:
        return self.rewriting.renew(id.decode()).encode()

    def _refs(self) -> None:
        """Check that every ref exists and moved with its commit."""
        moved = {ref.name: ref.commit for ref in objects.refs(self.rewriting.clone)}
        for ref in self.rewriting.refs:
            if moved.get(ref.name) != self.rewriting.renew(ref.commit):
                raise PurgeFailedError(f"{ref.name} is not where it should be")

    def _nothing_left(self, new: Mapping[bytes, RawCommit]) -> None:
        """Check that no file, name or message of the new history holds the purged content."""
        clone = self.rewriting.clone
        files = {file.id for commit in new.values() for _, file, _ in commit.changes if file.is_plain}
        tags = [ref.id.encode() for ref in objects.refs(clone) if ref.id != ref.commit]
        for id, data in objects.contents(clone, [*files, *new, *tags]):
            if id.decode() in self.rewriting.target.blobs or self._still_holds(id in new or id in tags, data):
                raise PurgeFailedError(f"object {id[:10].decode()} still holds what is to be purged")
        for commit in new.values():
            if any(self.rewriter.path(change.path) != change.path for change in commit.changes):
                raise PurgeFailedError(f"commit {commit.id[:10].decode()} still has a name that is to be purged")

    def _still_holds(self, is_message: bool, data: bytes) -> bool:
        if not is_message:
            return self.rewriter.file(b"", data) != data
        head, _, message = data.partition(b"\n\n")
        return self.rewriter.name(head) != head or self.rewriter.message(b"", message) != message

    def _references(self, old: Iterable[bytes], new: Iterable[bytes]) -> None:
        """Check that commit ids in messages refer to the new history."""
        olds, news = sorted(old), sorted(new)
        naming = {id: ids for id in olds if (ids := _UNDOES.findall(self.messages[id]))}
        texts = dict(objects.contents(self.rewriting.clone, map(self._renew, naming)))
        for id, named in naming.items():
            named_now = _UNDOES.findall(texts[self._renew(id)].partition(b"\n\n")[2])
            for before, now in zip(named, named_now, strict=False):  # a silenced message may lose them
                found = _completed(olds, before)
                if found and _completed(news, now) != self._renew(found):
                    raise PurgeFailedError(f"commit {id[:10].decode()} refers to a commit that is gone")


def _combined(changes: Iterable[RawChange]) -> dict[bytes, tuple[RawFile, RawFile]]:
    """path -> (before, after) of the changes; the changes of two files that became one are combined.

    Files that are the same before and after are left out.
    """
    found: dict[bytes, tuple[RawFile, RawFile]] = {}
    for change in changes:
        before, after = found.get(change.path, (NO_FILE, NO_FILE))
        found[change.path] = (
            change.before if before == NO_FILE else before,
            change.after if after == NO_FILE else after,
        )
    return {path: sides for path, sides in found.items() if sides[0] != sides[1]}


def _completed(ids: Sequence[bytes], start: bytes) -> bytes:
    """The only one of some sorted ids that begins with `start`, b"" if none or several do."""
    at = bisect.bisect_left(ids, start)
    matching = [id for id in ids[at : at + 2] if id.startswith(start)]
    return matching[0] if len(matching) == 1 else b""


def _blob_id(data: bytes, length: int) -> bytes:
    """git's blob id for these bytes, by the hash that ids of this length use."""
    kind = hashlib.sha1 if length == 40 else hashlib.sha256
    return kind(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest().encode()
