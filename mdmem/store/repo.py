"""The only door to git.

Two ways through it: `Repo.run` starts a bare git command, for what has to be quick (status, commits, the
log in one go); GitPython reads objects through its persistent `cat-file`, for everything that looks at old
versions. Both drop the GIT_* variables that git exports to hooks (they would break the person's own
commit), run no hooks, take paths literally and answer in NUL-separated, untranslated form.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import BusyError, MdmemError, NotFoundError, UsageError

if TYPE_CHECKING:
    import git

# What of the caller's GIT_* survives: how to reach remotes, where its settings are, who it says it is.
_KEPT = re.compile(
    r"GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|SSH.*|SSL_.*|HTTP_.*|PROXY_.*|ASKPASS|TERMINAL_PROMPT|EXEC_PATH"
    r"|(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM)"
)
_UNREADABLE = re.compile(r"(?m)^warning: could not open directory .*$|^(?!warning: ).*: Permission denied$")
GUARD = "MDMEM_HOOK"  # set for every git that mdmem starts: our own hooks then do nothing
_NO_HOOKS = ("-c", f"core.hooksPath={os.devnull}")


class GitError(MdmemError):
    """git refused; the message is git's own."""


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


def environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for git commands: the caller's, without the GIT_* that point into some repository."""
    kept = {key: value for key, value in environ.items() if not key.startswith("GIT_") or _KEPT.fullmatch(key)}
    return {
        **kept,
        "LC_ALL": "C",
        "LANGUAGE": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        GUARD: "1",
    }


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


class Repo:
    """The repository of a vault. Paths in and out are relative to the vault, with `/`."""

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's place in it, ending in "/"."""
        self.top = top
        self.prefix = prefix
        self._objects: git.Repo | None = None

    @classmethod
    def around(cls, root: str) -> Repo:
        """The repository that the vault at `root` lies in. Raises NotFoundError if there is none."""
        top = find_top(root)
        if top is None:
            raise NotFoundError(f"{root} is in no git repository", "run `mdmem init` there")
        inner = os.path.relpath(os.path.realpath(root), os.path.realpath(top)).replace(os.sep, "/")
        return cls(top, "" if inner == "." else inner + "/")

    # -- commands ------------------------------------------------------------------------------------------

    def run(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, ok: Sequence[int] = (0,)
    ) -> bytes:
        """Run `git ARGS` at the top of the working tree; its standard output.

        Raises GitError with git's message for an exit code not in `ok`, BusyError where git's own lock is
        held by another command.
        """
        return self._finish(self._start(args, env), args, stdin, ok)[0]

    def asks(self, *args: str, env: Mapping[str, str] | None = None, no: Sequence[int] = (1,)) -> bool:
        """Whether `git ARGS` says yes (exit code 0) or no (a code in `no`). Raises GitError for other codes."""
        process = self._start(args, env)
        self._finish(process, args, b"", (0, *no))
        return process.returncode == 0

    def complaints(self, *args: str) -> list[str]:
        """The lines that `git ARGS` prints on both channels, whether it fails or not."""
        out, err = self._finish(self._start(args), args, b"", range(256))
        return [*out.decode("utf-8", "replace").splitlines(), *err.splitlines()]

    def _start(self, args: Sequence[str], env: Mapping[str, str] | None = None) -> subprocess.Popen[bytes]:
        pipe = subprocess.PIPE
        command = ["git", *_NO_HOOKS, *args]
        try:
            return subprocess.Popen(
                command,
                cwd=self.top,
                env={**environment(), **(env or {})},
                stdin=pipe,
                stdout=pipe,
                stderr=pipe,
            )
        except FileNotFoundError:
            raise GitError("git is not installed, or not on PATH", "install git 2.30 or newer") from None

    def _finish(
        self, process: subprocess.Popen[bytes], args: Sequence[str], stdin: bytes, ok: Sequence[int]
    ) -> tuple[bytes, str]:
        out, err = process.communicate(stdin)
        message = err.decode("utf-8", "replace").strip()
        if process.returncode not in ok:
            raise _error_of(message or f"git {args[0]} failed with {process.returncode}", self.top)
        return out, message

    def strip(self, path: bytes) -> str:
        """A path as git prints it, made relative to the vault."""
        return os.fsdecode(path).removeprefix(self.prefix)

    def full(self, path: str) -> bytes:
        """A path of the vault as git takes it."""
        return os.fsencode(self.prefix + path)

    # -- what is there -------------------------------------------------------------------------------------

    def head(self) -> tuple[str, str]:
        """(commit, tree) of HEAD, both "" before the first commit."""
        words = self.run("rev-parse", "--revs-only", "HEAD", "HEAD^{tree}").decode().split()
        return (words[0], words[1]) if len(words) == 2 else ("", "")

    def status(self, paths: Sequence[str] = ()) -> Status:
        """What differs from HEAD, under the vault or at `paths` only. Raises MdmemError for unreadable folders."""
        wanted = [os.fsdecode(self.full(path)) for path in paths] or ([self.prefix] if self.prefix else [])
        args = [
            *("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all"),
            *("--no-renames", "--ignore-submodules=all", "--", *wanted),
        ]
        out, err = self._finish(self._start(args), args, b"", (0,))
        if unreadable := _UNREADABLE.search(err):
            raise MdmemError(
                f"part of the vault cannot be read: {unreadable[0]}",
                "mend the permissions; unreadable is not taken for deleted",
            )
        return self._parse_status(out)

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

    def files(self, rev: str) -> Iterator[TreeFile]:
        """Every file of the vault in a commit or tree."""
        args = ["ls-tree", "-r", "-z", "--full-tree", rev, "--", *([self.prefix] if self.prefix else [])]
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
        tokens = self.run(*args, *([self.prefix] if self.prefix else []), env=env).split(b"\0")
        for meta, path in zip(tokens[::2], tokens[1::2], strict=False):
            _, mode, _, blob, letter = meta.decode().split(" ")
            yield letter, TreeFile(self.strip(path), mode, blob)

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

    def commit_before(self, when: str) -> str:
        """The last commit of HEAD's history up to `when` (RFC 3339), or "" if there is none."""
        if not self.head()[0]:
            return ""
        return self.run("rev-list", "-1", f"--before={when}", "HEAD", "--").decode().strip()

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

    def read_as_file(self, rev: str, path: str) -> bytes | None:
        """The bytes a checkout of a file would write (line ends and other filters applied), or None."""
        name = os.fsdecode(self.full(path))
        if self.run("ls-tree", "-z", "--full-tree", rev, "--", name) == b"":
            return None
        return self.run("cat-file", "--filters", f"{rev}:{name}")

    # -- objects, through GitPython ------------------------------------------------------------------------

    def read(self, rev: str, path: str) -> bytes | None:
        """The bytes of a file in a commit, or None if it is not there."""
        with self._library() as objects:
            try:
                blob = objects.commit(rev).tree / os.fsdecode(self.full(path))
            except KeyError:
                return None
            return bytes(blob.data_stream.read()) if blob.type == "blob" else None

    @contextmanager
    def _library(self) -> Iterator[git.Repo]:
        """GitPython's view of the repository, which also must not see a hook's GIT_* variables."""
        import git

        hidden = {key: os.environ.pop(key) for key in list(os.environ) if key.startswith("GIT_")}
        os.environ.update({key: value for key, value in hidden.items() if _KEPT.fullmatch(key)})
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
            raise _error_of(err.decode("utf-8", "replace").strip() or "git merge-file failed", self.top)
        return out, process.returncode == 0

    # -- settings ------------------------------------------------------------------------------------------

    def setting(self, key: str) -> list[str]:
        """The values of a git setting, all levels, as git would use it."""
        out = self.run("config", "-z", "--get-all", key, ok=(0, 1))
        return [value for value in out.decode("utf-8", "surrogateescape").split("\0") if value]

    def common_dir(self) -> str:
        """The absolute place of the git folder that all worktrees share."""
        out = self.run("rev-parse", "--git-common-dir").decode("utf-8", "surrogateescape").rstrip("\n")
        return os.path.normpath(os.path.join(self.top, out))

    def git_path(self, name: str) -> str:
        """The absolute place of a file in the git folder (worktrees and submodules included)."""
        out = self.run("rev-parse", "--git-path", name).decode("utf-8", "surrogateescape").rstrip("\n")
        return os.path.normpath(os.path.join(self.top, out))

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


def _error_of(message: str, top: str) -> MdmemError:
    """git's complaint as ours, with what to do about the common ones."""
    message = re.sub(r"(?m)^(?:fatal|error): ", "", message)
    if re.search(r"Unable to create '.*\.lock': File exists", message) or "cannot lock ref" in message:
        return BusyError(
            "another git command holds this repository's lock: " + message.splitlines()[0],
            "try again when it is done; if none is running, delete that .lock file",
        )
    if "dubious ownership" in message:
        return GitError(
            f"git does not trust {top}: it belongs to someone else",
            f"if you do: git config --global --add safe.directory {top}",
        )
    return GitError(message)
