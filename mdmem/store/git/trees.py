"""Comparing whole trees of a repository, and building them without touching the working tree.

Paths are relative to the top of the repository, not to the vault.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mdmem.store.git import commits
from mdmem.store.git.folder import Identity, ids_of
from mdmem.store.git.repo import FILE, PathChange, Repo, TreeFile, path_change
from mdmem.store.local import files

_NEVER = str.maketrans("", "", "<>\n\0")  # git leaves them out of names and addresses
_NEAR = 30  # commits to walk through for a fork
_NO_BRANCH = b"refs/mdmem/joining"  # fast-import wants one; it is reset before it is written
_IMPORT = ("-c", "core.ignoreCase=false", "fast-import", "--quiet", "--depth=0")


class Signed(NamedTuple):
    """The author and committer of a commit, and its time."""

    author: Identity
    committer: Identity
    when: datetime

    @property
    def people(self) -> tuple[bytes, bytes]:
        """Author and committer as a commit has them: name, address, time."""
        stamp = f"{int(self.when.timestamp())} +0000"
        told = [[part.translate(_NEVER) for part in who[:2]] for who in (self.author, self.committer)]
        author, committer = (f"{name} <{email}> {stamp}".encode("utf-8", "replace") for name, email in told)
        return author, committer


def changes_since(repo: Repo, pairs: Sequence[str]) -> list[list[PathChange]]:
    """The differences of commits from earlier ones, by one git command.

    Each is given as "COMMIT EARLIER", or as "COMMIT" for its parent; with its parents, a merge has none.
    """
    if not pairs:
        return []
    args = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--root", "--always", "--stdin")
    tokens = iter(repo.run(*args, stdin="".join(f"{pair}\n" for pair in pairs).encode()).split(b"\0"))
    found: list[list[PathChange]] = []
    for token in tokens:
        if token.startswith(b":"):
            found[-1].append(path_change(token, next(tokens)))
        elif token:
            found.append([])
    return found


def renames(repo: Repo, old: str, new: str) -> dict[str, str]:
    """old path -> new path of files that moved between two commits, as guessed by git from similarity.

    A file that was rewritten while a new one became like it (`-B`) counts as moved, too.
    """
    args = ("diff-tree", "-r", "-z", "--name-status", "-B", "-M50%", "--diff-filter=R", old, new, "--")
    tokens = [os.fsdecode(token) for token in repo.run(*args).split(b"\0")[:-1]]
    return dict(zip(tokens[1::3], tokens[2::3], strict=True))


class Fork(NamedTuple):
    """Where two lines of commits part, and the commits of each since then, latest first."""

    base: str
    ours: tuple[str, ...]
    theirs: tuple[str, ...]


def fork(repo: Repo, ours: str, theirs: str) -> Fork:
    """Where two commits part; either may be "". The base is "" if that is far off, or behind a merge."""
    if ours and theirs:
        if found := _near(repo, ours, theirs):
            return found
        marked = repo.run("rev-list", "--left-right", f"{ours}...{theirs}", "--").decode().split()
        return Fork("", *(tuple(one[1:] for one in marked if one.startswith(side)) for side in "<>"))
    all_commits = tuple(repo.run("rev-list", ours or theirs, "--").decode().split()) if ours or theirs else ()
    return Fork("", all_commits, ()) if ours else Fork("", (), all_commits)


def _near(repo: Repo, ours: str, theirs: str) -> Fork | None:
    """Where two commits part, if that is near: a merge may be where they do, but not on the way there."""
    lines: tuple[dict[str, None], dict[str, None]] = ({}, {})
    here = [ours, theirs]
    for _ in range(_NEAR):
        for at, other in ((0, 1), (1, 0)):
            commit = here[at]
            lines[at][commit] = None
            if commit in lines[other]:
                until = (tuple(line)[: list(line).index(commit)] for line in lines)
                return Fork(commit, *until)
            parents = repo.parents(commit)
            here[at] = parents[0] if len(parents) == 1 else commit
    return None


def merge_bases(repo: Repo, one: str, other: str) -> list[str]:
    """The best common ancestors of two commits; none for unrelated histories."""
    return repo.run("merge-base", "--all", one, other, ok=(0, 1)).decode().split()


def commit(
    repo: Repo,
    start: str,
    entries: Mapping[str, TreeFile | None],
    contents: Mapping[str, bytes],
    parents: Sequence[str],
    message: bytes,
    people: tuple[bytes, bytes],
) -> str:
    """Make a commit that is on no branch yet, by one git command; its id. Raises GitError.

    Its tree is that of the commit `start` ("": an empty one), except for these paths; None stands for a deleted
    file. `contents` has the bytes of blobs that git may not have yet, by id. `people` are as in `Signed`.
    """
    lines = [b"commit %s\nmark :1\nauthor %s\ncommitter %s\n" % (_NO_BRANCH, *people), _data(message)]
    ways = [b"from %s\n", *[b"merge %s\n"] * (len(parents) - 1)]
    lines += [way % parent.encode() for way, parent in zip(ways, parents, strict=False)]
    lines.append(b'M 040000 %s ""\n' % repo.root_tree(start).encode() if start else b"deleteall\n")
    for path, file in sorted(
        entries.items(), key=lambda entry: entry[1] is not None
    ):  # a file may become a folder
        if file is None:
            lines.append(b"D %s\n" % _quoted(path))
        elif file.blob in contents:
            lines += [b"M %s inline %s\n" % (file.mode.encode(), _quoted(path)), _data(contents[file.blob])]
        else:
            lines.append(b"M %s %s %s\n" % (file.mode.encode(), file.blob.encode(), _quoted(path)))
    lines.append(b"get-mark :1\nreset %s\n" % _NO_BRANCH)
    return repo.run(*_IMPORT, stdin=b"".join(lines)).decode().strip()


def commit_files(repo: Repo, files: Mapping[str, bytes], parents: Sequence[str], message: str, by: Signed) -> str:
    """Make a commit that is on no branch yet and has just these files; its id."""
    entries: dict[str, TreeFile | None] = {}
    contents = {}
    for path, data in files.items():
        blob = repo.blob_id(data)
        entries[path] = TreeFile(path, FILE, blob)
        contents[blob] = data
    return commit(repo, "", entries, contents, parents, message.encode(), by.people)


def signed(repo: Repo, commit: str, by: Signed) -> str:
    """The same commit, signed by git as the person's settings say. Raises GitError if it cannot be."""
    (made,) = repo.objects([commit])
    assert made
    message = made.data.partition(b"\n\n")[2]
    flags = [part for parent in repo.parents(commit) for part in ("-p", parent)]
    env = commits.people(by.author, by.committer, by.when)
    return repo.run("commit-tree", "-S", *flags, repo.root_tree(commit), stdin=message, env=env).decode().strip()


def _data(data: bytes) -> bytes:
    return b"data %d\n%s\n" % (len(data), data)


def _quoted(path: str) -> bytes:
    """A path for fast-import, in quotes if it needs them."""
    name = os.fsencode(path)
    if not name.startswith(b'"') and b"\n" not in name:
        return name
    return b'"%s"' % name.replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")


def moment(seconds: int) -> datetime:
    """A commit's time, from Unix seconds."""
    return datetime.fromtimestamp(seconds, UTC)


def signs(repo: Repo) -> bool:
    """Whether the person's git is set to sign commits."""
    return repo.known("commit.gpgsign").lower() in ("true", "yes", "on", "1")


def saved(repo: Repo, changes: Iterable[PathChange]) -> dict[str, str]:
    """path -> the blob that git would make of the current file, with filters; for those that are files.

    git is only asked about files whose bytes are neither those before nor those after the change.
    """
    found: dict[str, str] = {}
    asked = []
    for change in changes:
        place = os.path.join(repo.top, change.path)
        if not os.path.isfile(place) or "\n" in place:
            continue
        if same := _same_blob(place, {change.old_blob, change.blob} - {""}):
            found[change.path] = same
        else:
            asked.append(change.path)
    names = "".join(path + "\n" for path in asked)
    out = repo.run("hash-object", "--stdin-paths", stdin=os.fsencode(names)) if asked else b""
    return found | dict(zip(asked, out.decode().split(), strict=True))


def _same_blob(place: str, known: Collection[str]) -> str:
    """The one of some blobs that a file holds, unchanged or with git's line ends; "" if none."""
    with open(place, "rb") as file:
        ids = ids_of(file.read(), len(next(iter(known))))
    return next((id for id in ids if id in known), "")


def advance(repo: Repo, old: str, new: str, placed: Sequence[TreeFile], others: bool) -> bool:
    """Move HEAD from `old` to `new`, and git's index with it; False if HEAD or the index moved in the meantime.

    The files `placed` (mode 0: deleted) are in the working tree already. If there are `others`, git writes them,
    or refuses if one is edited. Raises GitError, BusyError.
    """
    copy = repo.next_index()
    env = {"GIT_INDEX_FILE": copy}
    top = repo.whole
    try:
        commits.release(repo)
        seen = files.stamp(repo.git_path("index"))
        commits.copy_index(repo, copy, old)
        commits.enter(top, copy, placed, refresh=True)
        if others:
            top.run("read-tree", "-m", "-u", *([old] if old else []), new, env=env)
        with commits.locked(repo):
            is_same = files.stamp(repo.git_path("index")) == seen
            return is_same and commits.move_both(repo, "sync", new, old)
    finally:
        commits.release(repo)
