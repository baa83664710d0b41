"""The repository of a vault: git's data as mdmem's own values.

From the ground up: `command` starts git, `folder` has paths, settings, commits and objects.
This module has the working tree, the index and the files in commits.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import MdmemError, NotFoundError
from mdmem.note import patterns
from mdmem.store.git.folder import GitFolder, find_top
from mdmem.store.local import files

if TYPE_CHECKING:
    import subprocess

    from mdmem.store.git.command import GitProcess

_UNREADABLE = patterns.late(r"(?m)^warning: could not open directory .*$|^(?!warning: ).*: Permission denied$")
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
    *("--no-renames", "--ignore-submodules=all", "--"),
)
FILE, NOTHING, MODULE = "100644", "000000", "160000"  # git's modes for a regular file, none, and a submodule
_MANY_PATHS = 500  # more paths are not put on a command line: systems limit its length


class Entry(NamedTuple):
    """A file of the vault that differs from HEAD. `staged` and `worktree` are git's letters, `.` for none.

    Untracked files are `?`, unmerged ones `U`.
    """

    path: str
    staged: str
    worktree: str


class Status(NamedTuple):
    """git's view at one moment: `head` is "" before the first commit, `branch` is "" if HEAD is detached."""

    head: str
    branch: str
    entries: tuple[Entry, ...]


class TreeFile(NamedTuple):
    """A file in a commit. Its `mode` tells links (120000) and submodules (160000) from files."""

    path: str
    mode: str
    blob: str


class PathChange(NamedTuple):
    """A path that differs between two trees; a mode is NOTHING and a blob "" if there is no file."""

    path: str
    old_mode: str
    old_blob: str
    mode: str
    blob: str

    @property
    def letter(self) -> str:
        """git's letter for the change: A, D, M, or T for another type of file."""
        if not (self.old_blob and self.blob):
            return "D" if self.old_blob else "A"
        return "M" if self.old_mode[:3] == self.mode[:3] else "T"

    @property
    def after(self) -> TreeFile | None:
        """The file in the second tree, None if it has none."""
        return TreeFile(self.path, self.mode, self.blob) if self.blob else None


def path_change(meta: bytes, path: bytes, prefix: str = "") -> PathChange:
    """A change from a line of git's raw format and the path that follows it, from which a prefix is removed."""
    old_mode, mode, before, after, _ = meta.decode().strip().lstrip(":").split(" ")
    own = os.fsdecode(path).removeprefix(prefix)
    return PathChange(own, old_mode, before if before.strip("0") else "", mode, after if after.strip("0") else "")


def raw_changes(tokens: Sequence[bytes], prefix: str = "") -> Iterator[PathChange]:
    """The changes in git's raw format without renames."""
    for meta, path in zip(tokens[::2], tokens[1::2], strict=False):
        yield path_change(meta, path, prefix)


def is_ignored(folder: str) -> bool:
    """Whether the repository around `folder` ignores it (its own root is never ignored)."""
    top = find_top(folder)
    if top is None or os.path.realpath(top) == os.path.realpath(folder):
        return False
    plain = {"GIT_LITERAL_PATHSPECS": "0"}  # check-ignore refuses to run with it
    return Repo(top, "").asks("check-ignore", "--quiet", "--", os.path.abspath(folder), env=plain)


def init(folder: str) -> None:
    """Make `folder` a repository with the branch main. Raises GitError."""
    Repo(folder, "").run("init", "--quiet", "--initial-branch=main", folder)


class Repo(GitFolder):
    """The repository of a vault. Paths in and out are relative to the vault, with `/`."""

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's path in it, ending with "/"."""
        super().__init__(top, prefix)
        self._ahead: GitProcess | subprocess.Popen[bytes] | None = None

    @classmethod
    def around(cls, root: str) -> Repo:
        """The repository that contains the vault at `root`. Raises NotFoundError if there is none."""
        top = find_top(root)
        if top is None:
            raise NotFoundError(f"{root} is not in a git repository", "run `mdmem init` there")
        inner = files.relative(os.path.realpath(root), os.path.realpath(top))
        return cls(top, "" if inner == "." else inner + "/")

    @property
    def whole(self) -> Repo:
        """The same repository with paths relative to its top."""
        if not self.prefix:
            return self
        whole = Repo(self.top, "")
        whole._readers = self._readers
        return whole

    # -- what is there -------------------------------------------------------------------------------------

    def status(self, paths: Sequence[str] = ()) -> Status:
        """The differences from HEAD in the whole vault, or at `paths` only.

        Raises MdmemError for unreadable folders, GitError for a broken branch.
        """
        args = [*_STATUS, *self.pathspec(paths)]
        process = (None if paths else self._ahead) or self._start(args)
        self._ahead = None
        out, err = self._finish(process, args, b"", (0,))
        if err and (unreadable := _UNREADABLE.search(err)):
            raise MdmemError(
                f"part of the vault cannot be read: {unreadable[0]}",
                "fix the permissions; unreadable files do not count as deleted",
            )
        found = self._parse_status(out)
        if not found.head:
            self.head()  # to git, a broken branch looks like one without commits
        wanted = set(paths)
        return found._replace(entries=tuple(e for e in found.entries if e.path in wanted)) if wanted else found

    def look_ahead(self) -> None:
        """Start the next `status` in the background while there are other things to do.

        Only for callers that need it soon: it does not see what is written in between.
        """
        if self._ahead is None:
            self._ahead = self._start([*_STATUS, *self.pathspec()])

    def pathspec(self, paths: Sequence[str] = ()) -> list[str]:
        """`paths` for git's command line; the whole vault if there are none or too many."""
        if 0 < len(paths) <= _MANY_PATHS:
            return [self.prefix + path for path in paths]
        return [self.prefix] if self.prefix else []

    def _parse_status(self, out: bytes) -> Status:
        head = branch = ""
        entries = []
        for token in out.split(b"\0"):
            kind = token[:1]
            if kind == b"#":
                _, name, value = token.decode("utf-8", "surrogateescape").split(" ", 2)
                if name == "branch.oid" and value != "(initial)":
                    head = value
                elif name == "branch.head" and value != "(detached)":
                    branch = value
            elif kind == b"?":
                entries.append(Entry(self.strip(token[2:]), "?", "?"))
            elif kind == b"1":
                path, worktree = self.strip(token.split(b" ", 8)[8]), chr(token[3])
                if worktree != "D" or not self._is_in_the_cloud(path):
                    entries.append(Entry(path, chr(token[2]), worktree))
            elif kind == b"u":
                entries.append(Entry(self.strip(token.split(b" ", 10)[10]), "U", "U"))
        return Status(head, branch, tuple(entries))

    def _is_in_the_cloud(self, path: str) -> bool:
        """Whether iCloud took a file off this disk: it left another one in its place, and brings it back."""
        folder, name = os.path.split(path)
        return os.path.exists(os.path.join(self.top, self.prefix, folder, f".{name}.icloud"))

    def files(self, rev: str, paths: Sequence[str] = ()) -> Iterator[TreeFile]:
        """Every file of the vault in a commit or tree; if `paths` are given, at least those."""
        args = ["ls-tree", "-r", "-z", "--full-tree", rev, "--", *self.pathspec(paths)]
        for token in self.run(*args).split(b"\0"):
            if token:
                meta, _, path = token.partition(b"\t")
                mode, _, blob = meta.decode().split(" ")
                yield TreeFile(self.strip(path), mode, blob)

    def staged(self, index: str) -> Iterator[PathChange]:
        """The files staged in git's index, or in the one that git named to a hook; submodules count as none."""
        env = {"GIT_INDEX_FILE": index} if index else {}
        base = self.head_commit() or self.empty_tree
        flags = ("--cached", "-z", "--raw", "--no-renames", "--no-abbrev", "--diff-filter=AMTD")
        tokens = self.run("diff-index", *flags, base, "--", *self.pathspec(), env=env).split(b"\0")
        for path, *modes in raw_changes(tokens, self.prefix):
            sides = (tuple(modes[:2]), tuple(modes[2:]))
            before, after = ((NOTHING, "") if side[0] == MODULE else side for side in sides)
            if before != after:
                yield PathChange(path, *before, *after)

    def blob_ids(self, rev: str, paths: Sequence[str]) -> dict[str, str]:
        """path -> blob for those of `paths` that are files in a commit; `rev` is "" before the first one."""
        if not rev or not paths:
            return {}
        wanted = set(paths)
        return {file.path: file.blob for file in self.files(rev, paths) if file.path in wanted}

    def unseen(self, paths: Sequence[str]) -> set[str]:
        """Those of `paths` that git tracks but was told to skip (sparse checkout, skip-worktree)."""
        if not self._has_marks():
            return set()
        out = self.run("ls-files", "-z", "-v", "--full-name", "--", *self.pathspec(paths))
        marked = {self.strip(token[2:]) for token in out.split(b"\0") if token[:2].upper() == b"S "}
        return marked & set(paths)

    def _has_marks(self) -> bool:
        """Whether git's index may hold such flags: version 2 has no room for them, unless it is a split index."""
        try:
            with open(self.git_path("index"), "rb") as file:
                version = file.read(8)[4:]
        except FileNotFoundError:
            return False
        return version != b"\0\0\0\2" or self.has_split_index()

    def has_split_index(self) -> bool:
        """Whether part of git's index is in another file."""
        return any(name.startswith("sharedindex.") for name in os.listdir(self.git_dir))

    def tracked(self, folder: str) -> list[str]:
        """The files in a folder that git tracks."""
        out = self.run("ls-files", "-z", "--full-name", "--", self.prefix + folder)
        return [self.strip(token) for token in out.split(b"\0") if token]

    def unmerged(self) -> set[str]:
        """The files at which a merge has stopped; quicker than `status`."""
        out = self.run("ls-files", "-z", "-u", "--full-name", "--", *self.pathspec())
        return {self.strip(token.partition(b"\t")[2]) for token in out.split(b"\0") if token}

    def close(self) -> None:
        """End the processes that were started for reading."""
        super().close()
        if self._ahead is not None:
            self._ahead.kill()
            self._ahead.communicate()
            self._ahead = None
