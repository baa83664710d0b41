"""The history of a vault as values: one `git log`, parsed once.

`commits` walks HEAD's history; each Commit carries the operation its message tells and the changes its diff
shows, so that a hand-made commit is understood as well as one of ours (DESIGN section 4).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mdmem.core import operation
from mdmem.core.operation import ACTION_OF_STATUS, Operation
from mdmem.store.repo import Repo, TreeFile

_FIELDS = ("%H", "%P", "%an", "%ae", "%at", "%ct", "%B")
_FORMAT = "--format=" + "%x00".join(_FIELDS)
_CHANGE = re.compile(rb":(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])(\d*)")
_NULL = re.compile(r"0+")


class Change(NamedTuple):
    """One file of one commit. `before` and `after` are blob ids, "" for none; `old_path` differs on a rename."""

    letter: str
    path: str
    old_path: str
    before: str
    after: str

    @property
    def action(self) -> str:
        """create, revise, delete, rename or fork, as the diff shows it."""
        return ACTION_OF_STATUS.get(self.letter, "revise")


class Commit(NamedTuple):
    """One commit. `when` is the author's time in UTC; `operation.action` is "" for one made by another tool."""

    oid: str
    parents: tuple[str, ...]
    author: str
    email: str
    when: datetime
    committed: datetime
    operation: Operation
    changes: tuple[Change, ...]

    @property
    def actor(self) -> str:
        """Who did it: the operation's actor, or git's author."""
        return self.operation.actor or self.author

    @property
    def actions(self) -> tuple[str, ...]:
        """The operation's action, or those its changes show, each once."""
        if self.operation.action:
            return (self.operation.action,)
        return tuple(dict.fromkeys(change.action for change in self.changes))


def commits(repo: Repo, *options: str, paths: Sequence[str] = (), renames: bool = True) -> Iterator[Commit]:
    """The commits that touch the vault (or `paths` in it), newest first; merges show no changes.

    `options` go to `git log` (such as `--since=@123` or `--grep=...`); a revision or range may be the last.
    With `renames`, a file that moved is one change "R" instead of a "D" and an "A".
    """
    if not repo.head()[0]:
        return
    wanted = [repo.prefix + path for path in paths] or _pathspec(repo)
    detect = "--find-renames=50%" if renames else "--no-renames"
    args = [
        "log",
        "-z",
        "--raw",
        "--no-abbrev",
        "--diff-merges=off",
        detect,
        _FORMAT,
        *options,
        "--",
        *wanted,
    ]
    tokens = repo.run("-c", "log.showRoot=true", *args).split(b"\0")
    at = 0
    while at + len(_FIELDS) <= len(tokens):
        fields = [token.decode("utf-8", "replace") for token in tokens[at : at + len(_FIELDS)]]
        at, changes = _changes(repo, tokens, at + len(_FIELDS))
        oid, parents, author, email, authored, committed, body = fields
        yield Commit(
            oid=oid.strip(),
            parents=tuple(parents.split()),
            author=author,
            email=email,
            when=_moment(authored),
            committed=_moment(committed),
            operation=operation.parse(body),
            changes=tuple(changes),
        )


class Step(NamedTuple):
    """What one commit changed, and when (Unix seconds): `changed` holds (letter, file), renames taken apart."""

    oid: str
    parents: tuple[str, ...]
    when: int
    changed: tuple[tuple[str, TreeFile], ...]


def step(repo: Repo, oid: str) -> Step:
    """One commit against its parent, in one git command; a merge shows no changes."""
    args = [
        "diff-tree",
        "-r",
        "-z",
        "--root",
        "--no-renames",
        "--always",
        "--pretty=format:%H%x00%P%x00%ct%x00",
        oid,
    ]
    tokens = repo.run(*args, "--", *_pathspec(repo)).split(b"\0")
    changed = tuple(raw_changes(repo, tokens[3:]))
    return Step(tokens[0].decode(), tuple(tokens[1].decode().split()), int(tokens[2]), changed)


def steps(repo: Repo, *revisions: str) -> Iterator[Step]:
    """The commits of a history that touch the vault, the oldest first; merges are left out."""
    args = ["log", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-merges", "--reverse", "--no-show-signature"]
    out = repo.run("-c", "log.showRoot=true", *args, "--format=%x01%H %ct %P", *revisions, "--", *_pathspec(repo))
    tokens = out.split(b"\0")
    at = 0
    while at < len(tokens) - 1:
        oid, when, *parents = tokens[at].lstrip(b"\n\x01").decode().split()
        start = at = at + 1
        while at < len(tokens) and tokens[at].lstrip(b"\n").startswith(b":"):
            at += 2
        yield Step(oid, tuple(parents), int(when), tuple(raw_changes(repo, tokens[start:at])))


def changed(repo: Repo, old: str, new: str) -> Iterator[tuple[str, TreeFile]]:
    """(letter, file) of each path that differs between two commits, renames taken apart."""
    args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", old, new, "--"]
    yield from raw_changes(repo, repo.run(*args, *_pathspec(repo)).split(b"\0"))


def raw_changes(repo: Repo, tokens: Sequence[bytes]) -> Iterator[tuple[str, TreeFile]]:
    """The (letter, file) pairs of git's raw diff format without renames; a deleted file as it was before."""
    for meta, path in zip(tokens[::2], tokens[1::2], strict=False):
        old_mode, mode, old_blob, blob, letter = meta.strip().decode().lstrip(":").split(" ")
        yield letter, TreeFile(repo.strip(path), *((old_mode, old_blob) if letter == "D" else (mode, blob)))


def _pathspec(repo: Repo) -> list[str]:
    return [repo.prefix] if repo.prefix else []


def _changes(repo: Repo, tokens: list[bytes], at: int) -> tuple[int, list[Change]]:
    changes = []
    while at < len(tokens) and (match := _CHANGE.fullmatch(tokens[at].lstrip(b"\n"))):
        before, after, letter = match[3].decode(), match[4].decode(), match[5].decode()
        paths = tokens[at + 1 : at + 3] if letter in "RC" else tokens[at + 1 : at + 2]
        inside = [path for path in paths if _inside(repo, path)]
        if inside:
            changes.append(_change(repo, letter, paths, _blob(before), _blob(after)))
        at += 1 + len(paths)
    return at, changes


def _change(repo: Repo, letter: str, paths: list[bytes], before: str, after: str) -> Change:
    """A change as the vault sees it: what moves in or out over its border is created or deleted."""
    old, new = paths[0], paths[-1]
    if letter in "RC" and not _inside(repo, old):
        return Change("A", repo.strip(new), repo.strip(new), "", after)
    if letter == "R" and not _inside(repo, new):
        return Change("D", repo.strip(old), repo.strip(old), before, "")
    return Change(letter, repo.strip(new), repo.strip(old), before, after)


def _inside(repo: Repo, path: bytes) -> bool:
    return path.startswith(repo.full(""))


def _blob(oid: str) -> str:
    return "" if _NULL.fullmatch(oid) else oid


def _moment(seconds: str) -> datetime:
    """A commit's time; git takes any number, also ones no calendar holds."""
    try:
        return datetime.fromtimestamp(int(seconds), UTC)
    except (OverflowError, ValueError, OSError):
        return datetime.max.replace(tzinfo=UTC)
