"""Comparing whole trees of a repository, and building them without touching the working tree.

Paths are relative to the top of the repository, not to the vault.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mdmem.store.git import commits
from mdmem.store.git.folder import Identity
from mdmem.store.git.repo import Repo, TreeFile

FILE, NOTHING, MODULE = "100644", "000000", "160000"  # git's modes for a regular file, none, and a submodule


class PathChange(NamedTuple):
    """A path that differs between two trees; a mode is NOTHING and a blob "" if there is no file."""

    path: str
    old_mode: str
    old_blob: str
    mode: str
    blob: str

    @property
    def after(self) -> TreeFile | None:
        """The file in the second tree, None if it has none."""
        return TreeFile(self.path, self.mode, self.blob) if self.blob else None


class Signed(NamedTuple):
    """The author and committer of a commit, its time, and whether git should sign it."""

    author: Identity
    committer: Identity
    when: datetime
    sign: bool = False

    @property
    def env(self) -> dict[str, str]:
        """The environment variables that tell git."""
        stamp = f"@{int(self.when.timestamp())} +0000"
        return {
            "GIT_AUTHOR_DATE": stamp,
            "GIT_COMMITTER_DATE": stamp,
            "GIT_AUTHOR_NAME": self.author.name,
            "GIT_AUTHOR_EMAIL": self.author.email,
            "GIT_COMMITTER_NAME": self.committer.name,
            "GIT_COMMITTER_EMAIL": self.committer.email,
        }


def whole(repo: Repo) -> Repo:
    """The repository of a vault, with paths relative to its top."""
    return Repo(repo.top, "") if repo.prefix else repo


def differences(repo: Repo, old: str, new: str) -> list[PathChange]:
    """The paths that differ between two commits ("": one without files), with renames split."""
    base = old or repo.empty_tree
    args = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", base, new, "--")
    tokens = repo.run(*args).split(b"\0")
    return [path_change(meta, path) for meta, path in zip(tokens[::2], tokens[1::2], strict=False)]


def path_change(meta: bytes, path: bytes) -> PathChange:
    """A change from a line of git's raw format and the path that follows it."""
    old_mode, mode, *blobs, _ = meta.decode().lstrip(":").split(" ")
    before, after = (blob if blob.strip("0") else "" for blob in blobs)
    return PathChange(os.fsdecode(path), old_mode, before, mode, after)


def renames(repo: Repo, old: str, new: str) -> dict[str, str]:
    """old path -> new path of files that moved between two commits, as guessed by git from similarity.

    A file that was rewritten while a new one became like it (`-B`) counts as moved, too.
    """
    args = ("diff-tree", "-r", "-z", "--name-status", "-B", "-M50%", "--diff-filter=R", old, new, "--")
    tokens = [os.fsdecode(token) for token in repo.run(*args).split(b"\0")[:-1]]
    return dict(zip(tokens[1::3], tokens[2::3], strict=True))


def merge_bases(repo: Repo, one: str, other: str) -> list[str]:
    """The best common ancestors of two commits; none for unrelated histories."""
    return repo.run("merge-base", "--all", one, other, ok=(0, 1)).decode().split()


def ahead_behind(repo: Repo, ours: str, theirs: str) -> tuple[int, int]:
    """How many commits each of two has that the other does not."""
    out = repo.run("rev-list", "--left-right", "--count", f"{ours}...{theirs}", "--")
    ahead, behind = out.split()
    return int(ahead), int(behind)


def store(repo: Repo, data: bytes) -> str:
    """Store bytes in git unchanged; the blob's id."""
    return repo.run("hash-object", "-w", "--stdin", stdin=data).decode().strip()


def folder(repo: Repo, contents: Mapping[str, bytes]) -> str:
    """A tree of files with these names and contents."""
    lines = "".join(f"{FILE} blob {store(repo, data)}\t{name}\n" for name, data in contents.items())
    return repo.run("mktree", stdin=lines.encode()).decode().strip()


def write(repo: Repo, start: str, entries: Mapping[str, TreeFile | None]) -> str:
    """A tree like that of the commit `start`, except for these paths; None stands for a deleted file."""
    import tempfile

    top = whole(repo)
    with tempfile.TemporaryDirectory(prefix="mdmem-") as folder:  # other writers may be working in the vault
        index = os.path.join(folder, "index")
        env = {"GIT_INDEX_FILE": index}
        top.run("read-tree", start, env=env)
        commits.enter(top, index, [file or commits.gone(path) for path, file in entries.items()])
        return top.run("write-tree", env=env).decode().strip()


def commit(repo: Repo, tree: str, parents: Sequence[str], message: str, signed: Signed) -> str:
    """Make a commit that is on no branch yet; its id. Raises GitError, also if it cannot be signed."""
    flags = [part for parent in parents for part in ("-p", parent)]
    flags += ["-S"] if signed.sign else []
    return repo.run("commit-tree", *flags, tree, stdin=message.encode(), env=signed.env).decode().strip()


def moment(seconds: int) -> datetime:
    """A commit's time, from Unix seconds."""
    return datetime.fromtimestamp(seconds, UTC)


def signs(repo: Repo) -> bool:
    """Whether the person's git is set to sign commits."""
    out = repo.run("config", "--type=bool", "--get", "commit.gpgSign", ok=(0, 1, 128))
    return out.strip() == b"true"


def saved(repo: Repo, paths: Sequence[str]) -> dict[str, str]:
    """path -> the blob that git would make of the current file, with filters; for those that are files."""
    there = [path for path in paths if os.path.isfile(place := os.path.join(repo.top, path)) and "\n" not in place]
    names = "".join(path + "\n" for path in there)
    out = repo.run("hash-object", "--stdin-paths", stdin=os.fsencode(names)) if there else b""
    return dict(zip(there, out.decode().split(), strict=True))


def advance(repo: Repo, old: str, new: str, placed: Sequence[TreeFile], others: bool) -> bool:
    """Move HEAD from `old` to `new`, and git's index with it; False if HEAD or the index moved in the meantime.

    The files `placed` (mode 0: deleted) are in the working tree already. If there are `others`, git writes them,
    or refuses if one is edited. Raises GitError, BusyError.
    """
    copy = repo.next_index()
    env = {"GIT_INDEX_FILE": copy}
    top = whole(repo)
    try:
        commits.release(repo)
        seen = commits.stamp(repo.git_path("index"))
        commits.copy_index(repo, copy, old)
        commits.enter(top, copy, placed)
        if others:
            top.run("read-tree", "-m", "-u", *([old] if old else []), new, env=env)
        top.run("update-index", "-q", "--refresh", env=env, ok=(0, 1))
        with commits.locked(repo):
            is_same = commits.stamp(repo.git_path("index")) == seen
            return is_same and commits.move_both(repo, "sync", new, old)
    finally:
        commits.release(repo)
