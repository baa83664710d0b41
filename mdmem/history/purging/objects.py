"""Everything in a repository: all its objects, reachable or not, and what each commit changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from mdmem.store.git.repo import Repo
from mdmem.store.progress import Progress, silent

_AT_ONCE = 32_000_000  # bytes that one git process reads
_MANY = 5_000  # objects that one git process reads
_MARK = b"\x01"


class StoredObject(NamedTuple):
    """One object: `kind` is b"blob", b"commit" or b"tag"."""

    id: bytes
    kind: bytes
    data: bytes


class RawFile(NamedTuple):
    """A file in a commit: git's mode and blob id."""

    mode: bytes
    id: bytes

    @property
    def is_plain(self) -> bool:
        """Whether it has contents: it exists and is not a submodule."""
        return self.mode not in (b"000000", b"160000")


NO_FILE = RawFile(b"000000", b"")


class RawChange(NamedTuple):
    """The change of one file in a commit against the first parent; NO_FILE for a side that lacks it."""

    before: RawFile
    after: RawFile
    path: bytes


class RawCommit(NamedTuple):
    """A commit as git has it; `who` are the names, addresses and times of author and committer."""

    id: bytes
    parents: tuple[bytes, ...]
    who: bytes
    changes: tuple[RawChange, ...]


class Ref(NamedTuple):
    """A ref: the id of the object it names, and that of its commit, which differs for an annotated tag."""

    name: str
    id: str
    commit: str


def stored(repo: Repo, progress: Progress = silent) -> Iterator[StoredObject]:
    """Every object except trees; `progress` gets (done, total)."""
    listing = "--batch-check=%(objecttype) %(objectname) %(objectsize)"
    lines = repo.run("cat-file", "--batch-all-objects", "--unordered", listing).splitlines()
    wanted = [(line.split()[0], line.split()[1], int(line.split()[2])) for line in lines]
    wanted = [item for item in wanted if item[0] != b"tree"]
    done = 0
    for group in _groups(wanted):
        contents = repo.blobs([id.decode() for _, id, _ in group])
        for (kind, id, _), data in zip(group, contents, strict=True):
            yield StoredObject(id, kind, data)
        done += len(group)
        progress(done, len(wanted))


def _groups(wanted: list[tuple[bytes, bytes, int]]) -> Iterator[list[tuple[bytes, bytes, int]]]:
    """The objects in batches that fit into memory."""
    group: list[tuple[bytes, bytes, int]] = []
    size = 0
    for item in wanted:
        if group and (size + item[2] > _AT_ONCE or len(group) == _MANY):
            yield group
            group, size = [], 0
        group.append(item)
        size += item[2]
    if group:
        yield group


def contents(repo: Repo, ids: Iterable[bytes]) -> Iterator[tuple[bytes, bytes]]:
    """(id, bytes) of these objects, which must not be trees. Raises GitError if one does not exist."""
    left = iter(ids)
    while group := list(islice(left, _MANY)):
        yield from zip(group, repo.blobs([id.decode() for id in group]), strict=True)


def commits(repo: Repo, *revisions: str) -> Iterator[RawCommit]:
    """The commits that `revisions` reach, children before parents, with their changes to the first parent."""
    args = (
        "log",
        "-z",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--diff-merges=first-parent",
        "--topo-order",
        "--date=raw",
    )
    form = "--format=%x01%H%x02%P%x02%an%x02%ae%x02%ad%x02%cn%x02%ce%x02%cd"
    current: RawCommit | None = None
    changes: list[RawChange] = []
    tokens = repo.stream(*args, form, *revisions, "--")
    for token in tokens:
        head, _, rest = token.lstrip(b"\n").partition(b"\n")
        if head.startswith(_MARK):
            if current:
                yield current._replace(changes=tuple(changes))
            id, parents, who = head[1:].split(b"\x02", 2)
            current, changes = RawCommit(id, tuple(parents.split()), who, ()), []
            head = rest.lstrip(b"\n")
        if head.startswith(b":"):
            changes.append(_change(head, next(tokens)))
    if current:
        yield current._replace(changes=tuple(changes))


def _change(meta: bytes, path: bytes) -> RawChange:
    old_mode, mode, before, after, _ = meta.lstrip(b":").split(b" ")
    return RawChange(_file(old_mode, before), _file(mode, after), path)


def _file(mode: bytes, id: bytes) -> RawFile:
    return NO_FILE if mode == NO_FILE.mode else RawFile(mode, id)


def differing(repo: Repo, old: str, new: str) -> list[RawChange]:
    """The changes between the files of two commits."""
    tokens = repo.run("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", old, new, "--").split(b"\0")
    return [_change(meta, path) for meta, path in zip(tokens[::2], tokens[1::2], strict=False)]


def refs(repo: Repo, *patterns: str) -> list[Ref]:
    """The refs that match a pattern, by name; all of them if no pattern is given."""
    out = repo.run("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", *patterns)
    lines = (line.split(" ") for line in out.decode("utf-8", "surrogateescape").splitlines())
    return [Ref(name, id, peeled or id) for name, id, peeled in lines]
