"""The repository of a vault: what git knows, as values of ours.

Two ways to ask: a bare git command (`Git.run`) for what has to be quick, such as status, commits and the log in
one go; GitPython for finding old versions in trees.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import BusyError, MdmemError, NotFoundError, UsageError
from mdmem.git.command import KEPT, Git, GitError, error_of

if TYPE_CHECKING:
    import git

_UNREADABLE = re.compile(r"(?m)^warning: could not open directory .*$|^(?!warning: ).*: Permission denied$")
_STATUS = (
    *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
    *("--no-renames", "--ignore-submodules=all", "--"),
)
_MANY_PATHS = 500  # more than this are not put on a command line: systems limit its length
_LIBRARY = threading.RLock()  # GitPython reads the environment, which all threads share


class Entry(NamedTuple):
    """A memory-side file that differs from HEAD. `staged` and `worktree` are git's letters, `.` for none.

    Untracked files are `?`, unmerged ones `U`.
    """

    path: str
    staged: str
    worktree: str


class Status(NamedTuple):
    """What git knows at one instant: `head` is "" before the first commit, `branch` is "" when detached."""

    head: str
    branch: str
    entries: tuple[Entry, ...]


class TreeFile(NamedTuple):
    """A file in a commit. `mode` tells links (120000) and submodules (160000) from files."""

    path: str
    mode: str
    blob: str


class Identity(NamedTuple):
    """A name and mail address for commits; `configured` is False for mdmem's own stand-in."""

    name: str
    email: str
    configured: bool = True


def find_top(folder: str) -> str | None:
    """The nearest folder from `folder` up that holds a `.git`, or None."""
    folder = os.path.abspath(folder)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


def is_ignored(folder: str) -> bool:
    """Whether the repository around `folder` ignores it (its own root is never ignored)."""
    top = find_top(folder)
    if top is None or os.path.realpath(top) == os.path.realpath(folder):
        return False
    plain = {"GIT_LITERAL_PATHSPECS": "0"}  # check-ignore refuses to run with it
    return Repo(top, "").asks("check-ignore", "--quiet", "--", os.path.abspath(folder), env=plain)


def init(folder: str) -> None:
    """Make `folder` a repository with a branch named main. Raises GitError."""
    Repo(folder, "").run("init", "--quiet", "--initial-branch=main", folder)


class Repo(Git):
    """The repository of a vault. Paths in and out are relative to the vault, with `/`."""

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's place in it, ending in "/"."""
        super().__init__(top)
        self.prefix = prefix
        self._objects: git.Repo | None = None
        self._reader: subprocess.Popen[bytes] | None = None
        self._end = b""
        self._ahead: subprocess.Popen[bytes] | None = None

    @classmethod
    def around(cls, root: str) -> Repo:
        """The repository that the vault at `root` lies in. Raises NotFoundError if there is none."""
        top = find_top(root)
        if top is None:
            raise NotFoundError(f"{root} is in no git repository", "run `mdmem init` there")
        inner = os.path.relpath(os.path.realpath(root), os.path.realpath(top)).replace(os.sep, "/")
        return cls(top, "" if inner == "." else inner + "/")

    # -- paths ---------------------------------------------------------------------------------------------

    def strip(self, path: bytes) -> str:
        """A path as git prints it, made relative to the vault."""
        return os.fsdecode(path).removeprefix(self.prefix)

    def full(self, path: str) -> bytes:
        """A path of the vault as git takes it."""
        return os.fsencode(self.prefix + path)

    # -- what is there -------------------------------------------------------------------------------------

    def head(self) -> tuple[str, str]:
        """(commit, tree) of HEAD, both "" before the first commit. Raises GitError for a broken branch."""
        words = self.run("rev-parse", "--revs-only", "HEAD", "HEAD^{tree}").decode().split()
        if len(words) == 2:
            return words[0], words[1]
        branch = self.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).decode("utf-8", "surrogateescape").strip()
        if words or not branch or os.path.lexists(os.path.join(self.common_dir(), branch)):
            raise GitError(
                f"{branch or 'HEAD'} of this repository is broken: it names no commit",
                "git reflog and git fsck show what there was; git update-ref puts it right",
            )
        return "", ""

    def status(self, paths: Sequence[str] = ()) -> Status:
        """What differs from HEAD, under the vault or at `paths` only.

        Raises MdmemError for unreadable folders, GitError for a broken branch.
        """
        args = [*_STATUS, *self._pathspec(paths)]
        process = (None if paths else self._ahead) or self._start(args)
        self._ahead = None
        out, err = self._finish(process, args, b"", (0,))
        if unreadable := _UNREADABLE.search(err):
            raise MdmemError(
                f"part of the vault cannot be read: {unreadable[0]}",
                "mend the permissions; unreadable is not taken for deleted",
            )
        found = self._parse_status(out)
        if not found.head:
            self.head()  # git calls a broken branch one without commits
        wanted = set(paths)
        return found._replace(entries=tuple(e for e in found.entries if e.path in wanted)) if wanted else found

    def look_ahead(self) -> None:
        """Let git begin with the next `status` while there are other things to do.

        Only for who asks for it soon: what is written in between is not seen by it.
        """
        if self._ahead is None:
            self._ahead = self._start([*_STATUS, *self._pathspec()])

    def _pathspec(self, paths: Sequence[str] = ()) -> list[str]:
        """`paths`, or the whole vault for none or too many of them, as git takes them on a command line."""
        if 0 < len(paths) <= _MANY_PATHS:
            return [os.fsdecode(self.full(path)) for path in paths]
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
                entries.append(Entry(self.strip(token.split(b" ", 8)[8]), chr(token[2]), chr(token[3])))
            elif kind == b"u":
                entries.append(Entry(self.strip(token.split(b" ", 10)[10]), "U", "U"))
        return Status(head, branch, tuple(entries))

    def files(self, rev: str, paths: Sequence[str] = ()) -> Iterator[TreeFile]:
        """Every file of the vault in a commit or tree; if `paths` are given, at least those."""
        args = ["ls-tree", "-r", "-z", "--full-tree", rev, "--", *self._pathspec(paths)]
        for token in self.run(*args).split(b"\0"):
            if token:
                meta, _, path = token.partition(b"\t")
                mode, _, blob = meta.decode().split(" ")
                yield TreeFile(self.strip(path), mode, blob)

    def staged(self, index: str = "") -> Iterator[tuple[str, TreeFile]]:
        """(letter, file) of what is added or changed in git's index, or in the one that git named to a hook."""
        env = {"GIT_INDEX_FILE": index} if index else {}
        base = self.head()[1] or self.run("hash-object", "-t", "tree", "--stdin").decode().strip()
        args = [
            "diff-index",
            "--cached",
            "-z",
            "--raw",
            "--no-renames",
            "--no-abbrev",
            "--diff-filter=AMT",
            base,
            "--",
        ]
        tokens = self.run(*args, *self._pathspec(), env=env).split(b"\0")
        for meta, path in zip(tokens[::2], tokens[1::2], strict=False):
            _, mode, _, blob, letter = meta.decode().split(" ")
            yield letter, TreeFile(self.strip(path), mode, blob)

    def blob_ids(self, rev: str, paths: Sequence[str]) -> dict[str, str]:
        """path -> blob of those of `paths` that are files in a commit; none are in "", before the first one."""
        if not rev or not paths:
            return {}
        wanted = set(paths)
        return {file.path: file.blob for file in self.files(rev, paths) if file.path in wanted}

    def unseen(self, paths: Sequence[str]) -> set[str]:
        """Those of `paths` that git tracks but was told not to look at (sparse checkout, skip-worktree)."""
        out = self.run("ls-files", "-z", "-v", "--full-name", "--", *self._pathspec(paths))
        marked = {self.strip(token[2:]) for token in out.split(b"\0") if token[:2].upper() == b"S "}
        return marked & set(paths)

    def tracked(self, folder: str) -> list[str]:
        """The files in a folder that git tracks."""
        out = self.run("ls-files", "-z", "--full-name", "--", os.fsdecode(self.full(folder)))
        return [self.strip(token) for token in out.split(b"\0") if token]

    def has_commit(self, oid: str) -> bool:
        """Whether a commit recorded earlier still exists (it may have been garbage collected)."""
        return self.asks("cat-file", "-e", f"{oid}^{{commit}}", no=(1, 128))

    def resolve(self, rev: str) -> str:
        """The commit a person means by `rev`. Raises UsageError."""
        try:
            return (
                self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
                .decode()
                .strip()
            )
        except GitError:
            raise UsageError(f"'{rev}' is no commit here", "`mdmem log` lists them") from None

    def reached(self, rev: str) -> set[str]:
        """The commit `rev` and all before it."""
        return set(self.run("rev-list", rev, "--").decode().split())

    def shallow(self) -> set[str]:
        """The commits at which a shallow clone was cut off: they look as if they had made everything."""
        try:
            with open(self.git_path("shallow"), encoding="ascii") as file:
                return set(file.read().split())
        except FileNotFoundError:
            return set()

    def commit_before(self, when: datetime) -> str:
        """The last commit of HEAD's history up to and with `when`, or "" if there is none."""
        seconds = int(when.timestamp())  # git reads no year before 1970 or after 2099
        if seconds < 0 or not self.head()[0]:
            return ""
        return self.run("rev-list", "-1", f"--before=@{seconds} +0000", "HEAD", "--").decode().strip()

    def ref(self, name: str) -> str:
        """The commit that a ref (`refs/...`) names, be it there or not; "" if there is no such ref."""
        return self.run("rev-parse", "--verify", "--quiet", name, ok=(0, 1, 128)).decode().strip()

    def move_ref(self, name: str, new: str, old: str) -> bool:
        """Have a ref name the commit `new`; False if it does not name `old` ("": there is none) any more."""
        try:
            self.run("update-ref", "-m", "mdmem", name, new, old or "0" * 40)
        except (GitError, BusyError):
            if self.ref(name) == old:
                raise
            return False
        return True

    def tree(self, commit: str) -> str:
        """The id of the vault's folder in a commit; "" if it was not there. Raises GitError."""
        return self.run("rev-parse", "--verify", "--quiet", f"{commit}:{self.prefix}", ok=(0, 1)).decode().strip()

    def time_of(self, commit: str) -> int:
        """When a commit was made, in Unix seconds. Raises GitError."""
        return int(self.run("show", "--no-patch", "--no-show-signature", "--format=%ct", commit))

    def blobs(self, oids: Sequence[str]) -> Iterator[bytes]:
        """The bytes of blobs, in order, from one process. Raises GitError for one that is not there."""
        out = self.run("cat-file", "--batch", stdin="".join(oid + "\n" for oid in oids).encode()) if oids else b""
        at = 0
        for oid in oids:
            header, _, _ = out[at : at + 200].partition(b"\n")
            words = header.split(b" ")
            if len(words) != 3:  # "<oid> missing"
                raise GitError(f"git has no object {oid}", "a shallow or partial clone? try git fetch --unshallow")
            start = at + len(header) + 1
            at = start + int(words[2]) + 1
            yield out[start : at - 1]

    def file(self, blob: str, path: str) -> bytes:
        """The bytes that a checkout of a blob at `path` would write: line ends and other filters applied.

        One git process serves all calls. It tells no sizes after filters, so that each answer is followed by
        one that marks its end. Raises GitError for a blob that is not there.
        """
        if self._reader is None:
            self._end = b"end-" + os.urandom(16).hex().encode()
            self._reader = self._start(("cat-file", "--batch", "--filters"), stderr=subprocess.DEVNULL)
        assert self._reader.stdin
        assert self._reader.stdout
        name = self.full(path).replace(b"\n", b" ")
        self._reader.stdin.write(b"%s %s\n%s\n" % (blob.encode(), name, self._end))
        self._reader.stdin.flush()
        lines: list[bytes] = []
        while (line := self._reader.stdout.readline()) != self._end + b" missing\n":
            if not line or (not lines and line.endswith(b" missing\n")):
                self._end_reader()
                raise GitError(f"git cannot read object {blob}", "a shallow or partial clone? try git fetch")
            lines.append(line)
        return b"".join(lines[1:]).removesuffix(b"\n")

    def _end_reader(self) -> None:
        if self._reader is not None:
            self._reader.kill()
            self._reader.communicate()
            self._reader = None

    # -- objects, through GitPython ------------------------------------------------------------------------

    def find(self, rev: str, path: str) -> str:
        """The blob of a file in a commit, "" if there is no file at that path."""
        with self._library() as objects:
            try:
                found = objects.commit(rev).tree / os.fsdecode(self.full(path))
            except KeyError:
                return ""
            return found.hexsha if found.mode & 0o170000 == 0o100000 else ""

    def read(self, rev: str, path: str) -> bytes | None:
        """The bytes that a checkout of a file in a commit would write, or None if it is not there."""
        blob = self.find(rev, path)
        return self.file(blob, path) if blob else None

    @contextmanager
    def _library(self) -> Iterator[git.Repo]:
        """GitPython's view of the repository, for one thread at a time; it must not see a hook's GIT_* either."""
        import git

        with _LIBRARY:
            hidden = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
            os.environ.update({key: value for key, value in hidden.items() if KEPT.fullmatch(key)})
            try:
                if self._objects is None:
                    self._objects = git.Repo(self.top)
                yield self._objects
            finally:
                os.environ.update(hidden)

    def close(self) -> None:
        """End GitPython's helper processes."""
        if self._objects is not None:
            self._objects.close()
            self._objects = None
        self._end_reader()
        if self._ahead is not None:
            self._ahead.kill()
            self._ahead.communicate()
            self._ahead = None

    def merge(self, base: bytes, ours: bytes, theirs: bytes, labels: tuple[str, str, str]) -> tuple[bytes, bool]:
        """git's three-way merge of texts: (result, whether it is clean). Conflicts stand between markers."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="mdmem-") as folder:
            names = [os.path.join(folder, name) for name in ("ours", "base", "theirs")]
            for name, data in zip(names, (ours, base, theirs), strict=True):
                with open(name, "wb") as file:
                    file.write(data)
            flags = [part for label in labels for part in ("-L", label)]
            args = ("merge-file", "-p", *flags, *names)
            process = self._start(args)
            out, err = process.communicate()
        if process.returncode < 0 or process.returncode > 127:
            raise error_of(err.decode("utf-8", "replace").strip() or "git merge-file failed", self.top)
        return out, process.returncode == 0

    # -- settings ------------------------------------------------------------------------------------------

    def setting(self, key: str) -> list[str]:
        """The values of a git setting, all levels, as git would use it."""
        out = self.run("config", "-z", "--get-all", key, ok=(0, 1))
        return [value for value in out.decode("utf-8", "surrogateescape").split("\0") if value]

    @cached_property
    def git_dir(self) -> str:
        """The absolute place of this working tree's git folder."""
        place = os.path.join(self.top, ".git")
        return os.path.join(self.top, _line(place).removeprefix("gitdir: ")) if os.path.isfile(place) else place

    def common_dir(self) -> str:
        """The absolute place of the git folder that all worktrees share."""
        pointer = os.path.join(self.git_dir, "commondir")
        shared = os.path.join(self.git_dir, _line(pointer)) if os.path.isfile(pointer) else self.git_dir
        return os.path.normpath(shared)

    def git_path(self, name: str) -> str:
        """The absolute place of a file that belongs to this working tree alone, such as the index."""
        return os.path.normpath(os.path.join(self.git_dir, name))

    def identity(self) -> Identity:
        """Who commits: git's own settings, or a stand-in if `user.name` or `user.email` is missing."""
        name, email = os.environ.get("GIT_COMMITTER_NAME", ""), os.environ.get("GIT_COMMITTER_EMAIL", "")
        if not (name and email):
            out = self.run("config", "-z", "--get-regexp", r"^user\.(name|email)$", ok=(0, 1)).decode(
                "utf-8", "replace"
            )
            found = dict(line.split("\n", 1) for line in out.split("\0") if "\n" in line)
            name, email = name or found.get("user.name", ""), email or found.get("user.email", "")
        if name and email:
            return Identity(name, email)
        return Identity("mdmem", "mdmem@localhost", configured=False)


def _line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read().strip()
