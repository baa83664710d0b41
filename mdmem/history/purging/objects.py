"""Everything in a repository: all its objects, reachable or not, and what each commit changed."""

from collections.abc import Iterator
from itertools import accumulate, groupby
from typing import NamedTuple

from mdmem.store.git.folder import GitObject
from mdmem.store.git.repo import PathChange, Repo, path_change
from mdmem.store.progress import Progress, silent

_AT_ONCE = 32_000_000  # bytes that one git process reads
_LEAST = 6_400  # bytes that an object counts for at least
_MARK = b"\x01"


class RawCommit(NamedTuple):
    """A commit as git has it, with its changes to the first parent.

    `who` are the names, addresses and times of author and committer.
    """

    id: str
    parents: tuple[str, ...]
    who: bytes
    changes: tuple[PathChange, ...]


class Ref(NamedTuple):
    """A ref: the id of the object it names, and that of its commit, which differs for an annotated tag."""

    name: str
    id: str
    commit: str


def stored(repo: Repo, progress: Progress = silent) -> Iterator[GitObject]:
    """Every object except trees; `progress` gets (done, total)."""
    listing = "--batch-check=%(objecttype) %(objectname) %(objectsize)"
    lines = repo.run("cat-file", "--batch-all-objects", "--unordered", listing).decode().splitlines()
    wanted = [line.split() for line in lines if not line.startswith("tree ")]
    ends = accumulate(max(int(size), _LEAST) for _, _, size in wanted)
    done = 0
    for _, batch in groupby(zip(wanted, ends, strict=True), key=lambda pair: pair[1] // _AT_ONCE):
        group = [item for item, _ in batch]
        for (kind, id, _), data in zip(group, repo.blobs([id for _, id, _ in group]), strict=True):
            yield GitObject(id, kind, data)
        done += len(group)
        progress(done, len(wanted))


def commits(repo: Repo, *revisions: str) -> Iterator[RawCommit]:
    """The commits that `revisions` reach, children before parents."""
    args = (
        *("log", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-merges=first-parent"),
        *("--topo-order", "--date=raw", "--format=%x01%H%x02%P%x02%an%x02%ae%x02%ad%x02%cn%x02%ce%x02%cd"),
    )
    current: RawCommit | None = None
    changes: list[PathChange] = []
    tokens = repo.stream(*args, *revisions, "--")
    for token in tokens:
        head, _, rest = token.lstrip(b"\n").partition(b"\n")
        if head.startswith(_MARK):
            if current:
                yield current._replace(changes=tuple(changes))
            id, parents, who = head[1:].split(b"\x02", 2)
            current, changes = RawCommit(id.decode(), tuple(parents.decode().split()), who, ()), []
            head = rest.lstrip(b"\n")
        if head.startswith(b":"):
            changes.append(path_change(head, next(tokens)))
    if current:
        yield current._replace(changes=tuple(changes))


def refs(repo: Repo, *patterns: str) -> list[Ref]:
    """The refs that match a pattern, by name; all of them if no pattern is given."""
    out = repo.run("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)", *patterns)
    lines = (line.split(" ") for line in out.decode("utf-8", "surrogateescape").splitlines())
    return [Ref(name, id, peeled or id) for name, id, peeled in lines]
