"""A repository: where it is, its settings, its commits by name and date, and the contents of its objects."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from io import BytesIO
from typing import IO, TYPE_CHECKING, NamedTuple
from zlib import crc32

from mdmem.errors import BusyError, MdmemError, StoppedError, UsageError
from mdmem.note import patterns, tsv
from mdmem.note.plural import counted
from mdmem.store.git.command import TALK, AwayError, Git, GitError
from mdmem.store.local import files

if TYPE_CHECKING:
    import subprocess

    from mdmem.store.git.objects import ObjectLibrary

PURGES = "refs/mdmem/purges"  # published by purges: which commit replaced which
_COMMIT = patterns.late(r"[0-9a-f]{40,64}")
_NAME_OF_COMMIT = patterns.late(r"[0-9a-f]{7,64}")
_BRANCH = patterns.late(r"ref: (refs/heads/.+)")
_ATTRIBUTES = ".gitattributes"
_FORGOTTEN = 300.0  # seconds; git holds a lock on a ref for moments
_AT_ONCE = 100  # names that are asked for before the answers are read: a pipe holds them

_PROMISOR = ".promisor"  # a setting of remotes
_BRING = (
    *("-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags", "--no-recurse-submodules"),
    *("--no-write-fetch-head", "--no-auto-maintenance", "--filter=blob:none", "--stdin", "--"),
)
_EMPTY_TREE_SHA1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_EMPTY_TREE_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
_OWN = ("local", "worktree")  # the scopes of a clone's own settings
PEOPLE = "mdmem.people"  # a setting in git, with one value per address
_PERSONS = (PEOPLE, "user.name", "user.email")


def purges_of(remote: str) -> str:
    """The ref that holds the purges published by a remote, as last fetched."""
    return f"refs/mdmem/remotes/{remote}/purges"


class Identity(NamedTuple):
    """A name and e-mail address for commits; `configured` is False for mdmem's own stand-in."""

    name: str
    email: str
    configured: bool = True


_INSIDE = (".git", ".bare")  # usual names of a git folder within the folder of its project
STAND_IN = Identity("mdmem", "mdmem@localhost", configured=False)


def find_top(folder: str) -> str | None:
    """The nearest folder from `folder` up that holds a `.git`, None if there is none."""
    folder = os.path.abspath(folder)
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent
    return folder


class GitObject(NamedTuple):
    """An object of git: its `kind` is blob, tree, commit or tag."""

    id: str
    kind: str
    data: bytes


class GitFolder(Git):
    """A repository. Paths in and out are relative to the vault, with `/`.

    At most two git processes stay open for reading objects, until `close`.
    """

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's path in it, ending with "/"."""
        super().__init__(top)
        self.prefix = prefix
        self._library: ObjectLibrary | None = None
        self._readers: dict[str, subprocess.Popen[bytes]] = {}  # by their option
        self._end = b""

    def strip(self, path: bytes) -> str:
        """A path printed by git, made relative to the vault."""
        return os.fsdecode(path).removeprefix(self.prefix)

    def full(self, path: str) -> bytes:
        """A path in the vault as git takes it, relative to the top."""
        return os.fsencode(self.prefix + path)

    def nul_ended(self, paths: Iterable[str]) -> bytes:
        """Paths in the vault as git reads them with -z: relative to the top, and each ended by a NUL."""
        return b"".join(self.full(path) + b"\0" for path in paths)

    def setting(self, key: str) -> list[str]:
        """The values of a git setting on all levels, as git would use it."""
        out = self.run("config", "-z", "--get-all", key, ok=(0, 1))
        return [value for value in out.decode("utf-8", "surrogateescape").split("\0") if value]

    @property
    def empty_tree(self) -> str:
        """git's id for the empty tree, by the hash of this repository: 40 or 64 hexadecimal digits."""
        return _EMPTY_TREE_SHA1 if self.is_sha1 else _EMPTY_TREE_SHA256

    @property
    def is_sha1(self) -> bool:
        """Whether the ids in this repository are SHA-1, which is git's default."""
        return self.known("extensions.objectformat") != "sha256"

    def blob_id(self, data: bytes) -> str:
        """The id that git gives these bytes in this repository."""
        return ids_of(data, len(self.empty_tree))[0]

    @cached_property
    def git_dir(self) -> str:
        """The absolute path of this working tree's git folder."""
        place = os.path.join(self.top, ".git")
        return os.path.join(self.top, _line(place).removeprefix("gitdir: ")) if os.path.isfile(place) else place

    def common_dir(self) -> str:
        """The absolute path of the git folder that all worktrees share."""
        pointer = os.path.join(self.git_dir, "commondir")
        shared = os.path.join(self.git_dir, _line(pointer)) if os.path.isfile(pointer) else self.git_dir
        return os.path.normpath(shared)

    def git_path(self, name: str) -> str:
        """The absolute path of a file in git's folder that belongs to this working tree only, like the index."""
        return os.path.normpath(os.path.join(self.git_dir, name))

    def project_at(self, folder: str) -> str:
        """The name of the project in which work in a folder is done: that of its repository, else of the folder.

        All worktrees of a repository are one project. It is "" for a folder that contains the vault, whose
        memories are then all of that project, for a home folder, and if no folder is given.
        """
        top = find_top(folder) if os.path.isabs(folder) else None
        if top:
            clone = GitFolder(top, "")
            shared = clone.common_dir()
            is_main = shared == os.path.normpath(clone.git_dir)  # else it is a linked worktree
            folder = os.path.dirname(shared) if os.path.basename(shared) in _INSIDE else top if is_main else shared
        folder = os.path.realpath(folder) if folder else ""
        own = os.path.join(self.top, self.prefix, "")
        is_own = own.startswith(f"{folder}/") or folder == os.path.realpath(os.path.expanduser("~"))
        return "" if is_own else os.path.basename(folder).removesuffix(".git")

    def next_index(self) -> str:
        """The path of the index for a commit that mdmem is making: while it exists, the commit is not done.

        Its name differs between vaults that share a repository.
        """
        return self.git_path(f"mdmem-{crc32(os.fsencode(self.prefix)):08x}.index")

    def writing(self) -> str:
        """The path of the file that the one process that writes to the vault holds locked.

        It stands beside `next_index`, which must have one writer: `.mdmem` may be deleted while somebody writes.
        """
        return self.next_index().removesuffix("index") + "writing"

    def off_branch(self) -> str:
        """Why HEAD is detached, "" if it is on a branch."""
        if self._branch() or os.path.islink(self.git_path("HEAD")):
            return ""
        return next((reason for reason, _, _ in self._under_way() if reason), "HEAD is detached")

    @cached_property
    def _settings(self) -> list[tuple[str, str, str]]:
        """(scope, key, value) of all git settings, read once; section and variable name are in lower case."""
        out = self.run("config", "-z", "--show-scope", "--list").decode("utf-8", "surrogateescape")
        words = out.split("\0")
        entries = ((scope, *entry.partition("\n")) for scope, entry in zip(words[::2], words[1::2], strict=False))
        return [(scope, key, value) for scope, key, _, value in entries if scope != "command"]

    def reread(self) -> None:
        """Discard the settings that were read: another program may have changed them."""
        self.__dict__.pop("_settings", None)

    def known(self, key: str, own: bool = False) -> str:
        """The last value of a setting, as read once, "" for none; with `own`, only of this clone's settings."""
        values = [value for scope, name, value in self._settings if name == key and (not own or scope in _OWN)]
        return values[-1] if values else ""

    def known_values(self, key: str) -> list[str]:
        """All non-empty values of a setting, as read once."""
        return [value for _, name, value in self._settings if name == key and value]

    def learn_from(self, other: GitFolder) -> None:
        """Reuse the settings that `other` has read, if it is of the same working tree."""
        if other.top == self.top and "_settings" in other.__dict__:
            self._settings = other._settings

    def known_under(self, section: str) -> list[tuple[str, str]]:
        """(key, value) of the settings in a section, as read once."""
        return [(key, value) for _, key, value in self._settings if key.startswith(section + ".")]

    @property
    def _persons(self) -> list[tuple[str, str]]:
        """(key, value) of the git settings that say who somebody is and what they may see."""
        return [
            (key, _plain(value))
            for _, key, value in self._settings
            if key in _PERSONS or (key.startswith("mdmem.") and key.endswith("max-sensitivity"))
        ]

    def people(self) -> frozenset[str]:
        """The e-mail addresses, in lower case, of people whose commits are trusted here.

        They are the values of `mdmem.people` and the address of git's user. A clone cannot bring any, since they
        are in this repository's own settings or in its user's.
        """
        set_here = [value for key, value in self._persons if key in (PEOPLE, "user.email")]
        user = os.environ.get("GIT_COMMITTER_EMAIL", "")
        known = [address for address in (*set_here, user) if address]
        return frozenset(address.lower() for address in known or [STAND_IN.email])

    def personal(self, key: str) -> str:
        """A setting in which a person says what may be seen, "" if it is not set. Clones do not copy it."""
        return dict(self._persons).get(key, "")

    def names_people(self) -> bool:
        """Whether anybody is explicitly trusted here, beyond git's current user."""
        return any(key == PEOPLE for key, _ in self._persons)

    def trust(self, address: str) -> None:
        """Trust commits by an e-mail address in this clone."""
        self.run("config", "--local", "--add", PEOPLE, address)
        self.reread()

    def identity(self) -> Identity:
        """Who commits, by git's environment and settings; a stand-in if the name or the address is missing."""
        name, email = os.environ.get("GIT_COMMITTER_NAME", ""), os.environ.get("GIT_COMMITTER_EMAIL", "")
        if not (name and email):
            user = dict(self._persons)  # the last value of a repeated setting counts
            name, email = name or user.get("user.name", ""), email or user.get("user.email", "")
        if name and email:
            return Identity(name, email)
        return STAND_IN

    # -- commits -------------------------------------------------------------------------------------------

    def head(self) -> tuple[str, str]:
        """(commit, tree) of HEAD, both "" before the first commit. Raises GitError for a broken branch."""
        words = self.run("rev-parse", "--revs-only", "HEAD", "HEAD^{tree}").decode().split()
        if len(words) == 2:
            return words[0], words[1]
        branch = self.run("symbolic-ref", "--quiet", "HEAD", ok=(0, 1)).decode("utf-8", "surrogateescape").strip()
        if words or not branch or os.path.lexists(os.path.join(self.common_dir(), branch)):
            raise GitError(
                f"{branch or 'HEAD'} of this repository is broken: it names no commit",
                "git reflog and git fsck show what there was; git update-ref repairs it",
            )
        return "", ""

    def _branch(self) -> str:
        """The ref that HEAD stands for, "" if it is detached."""
        branch = _BRANCH.fullmatch(_line(self.git_path("HEAD")))
        return branch[1] if branch else ""

    def branch_name(self) -> str:
        """The current branch, "" if HEAD is detached."""
        return self._branch().removeprefix("refs/heads/")

    def branch_file(self) -> str:
        """The commit in the file of HEAD's branch, read without git; "" if there is none (packed, detached)."""
        with suppress(OSError):
            if branch := self._branch():
                return _line(os.path.join(self.common_dir(), branch))
        return ""

    def head_locks(self) -> tuple[str, str]:
        """The files by which git locks the branch of HEAD, and HEAD."""
        head = self.git_path("HEAD")
        return f"{os.path.join(self.common_dir(), self._branch() or head)}.lock", f"{head}.lock"

    def ref_locks(self) -> list[str]:
        """The files by which git locks refs at the moment: one of them, those that are packed, or HEAD."""
        shared = self.common_dir()
        found = [os.path.join(shared, "packed-refs.lock"), *self.head_locks()]
        for folder, _, names in os.walk(os.path.join(shared, "refs")):
            found += [os.path.join(folder, name) for name in names if name.endswith(".lock")]
        return found

    def head_commit(self) -> str:
        """The commit at HEAD, "" before the first; git is only asked if the commit is not a loose object."""
        commit = self.branch_file()
        is_loose = _COMMIT.fullmatch(commit) and os.path.isfile(self.loose_file(commit))
        return commit if is_loose else self.head()[0]

    def continues(self, older: str, newer: str) -> bool:
        """Whether commits from `older` to `newer` are a single line of descent; False if one does not exist."""
        try:
            out = self.run("rev-list", "--reverse", "--topo-order", "--parents", f"{older}..{newer}", "--")
        except GitError:
            return False
        last = older
        for line in out.decode().splitlines():
            commit, *parents = line.split()
            if parents != [last]:
                return False
            last = commit
        return last == newer

    def has_commit(self, oid: str) -> bool:
        """Whether a commit recorded earlier still exists (it may have been garbage collected)."""
        return self.asks("cat-file", "-e", f"{oid}^{{commit}}", no=(1, 128))

    def resolve(self, rev: str) -> str:
        """The commit that a person means by `rev`. Raises UsageError."""
        try:
            return (
                self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
                .decode()
                .strip()
            )
        except GitError:
            if place := self._successor(rev):
                message = f"'{rev}' is from before a purge, which is not undone"
                raise UsageError(message, f"{place[:10]} has its place, without what was purged") from None
            raise UsageError(f"'{rev}' is not a commit here", self._first_before(rev)) from None

    def _first_before(self, rev: str) -> str:
        """What to do about a revision that is unknown, such as REV~9 from before the first commit."""
        start, tilde, _ = rev.partition("~")
        asked = ("rev-list", "--first-parent", "--count", "--end-of-options", start)
        count = self.run(*asked, ok=(0, 128, 129)) if tilde else b""
        if count and self.shallow():
            return "this clone was made without older commits: git fetch --unshallow gets them"
        return f"the first is {start}~{int(count) - 1}" if count else "`mdmem log` lists them"

    def _successor(self, rev: str) -> str:
        """The commit that replaced one in a purge; "" if no purged commit has that id."""
        if not _NAME_OF_COMMIT.fullmatch(rev) or not self.ref(PURGES):
            return ""
        lines = self.run("cat-file", "blob", f"{PURGES}:commit-map").decode("ascii", "replace").splitlines()
        return next((line.partition(" ")[2] for line in lines if line.startswith(rev)), "")

    def reached(self, rev: str, without: str = "") -> set[str]:
        """The commit `rev` and all its ancestors, but for `without` and its ancestors."""
        return set(self.run("rev-list", rev, *([f"^{without}"] if without else []), "--").decode().split())

    def unfinished(self) -> list[tuple[str, str]]:
        """What git is in the middle of, each with how to end it."""
        return [(what, how) for _, what, how in self._under_way()]

    def _under_way(self) -> Iterator[list[str]]:
        for mark, *told in tsv.rows(__file__, "unfinished.tsv", 4):
            if os.path.exists(self.git_path(mark)):
                yield told

    def shallow(self) -> set[str]:
        """The commits at which a shallow clone was cut off: they look as if they had created every file."""
        place = self.git_path("shallow")
        return set(_line(place).split()) if os.path.exists(place) else set()

    def ref(self, name: str) -> str:
        """The id that a ref (`refs/...`) names, even if that object does not exist; "" if there is no such ref."""
        return self.run("rev-parse", "--verify", "--quiet", name, ok=(0, 1, 128)).decode().strip()

    def move_ref(self, name: str, new: str, old: str) -> bool:
        """Move a ref of mdmem's own to the commit `new`; False if it is not at `old` ("": no such ref) any more.

        A lock on it that is older than _FORGOTTEN is that of a process that died.
        """
        import time

        lock = os.path.join(self.common_dir(), f"{name}.lock")
        with suppress(FileNotFoundError):
            if time.time() - os.stat(lock).st_mtime > _FORGOTTEN:
                os.unlink(lock)
        try:
            self.run("update-ref", "-m", "mdmem", name, new, old)
        except (GitError, BusyError):
            if self.ref(name) == old:
                raise
            return False
        return True

    def tree(self, commit: str, folder: str = "") -> str:
        """The id of the vault's folder, or one in it, in a commit; "" if it did not exist. Raises GitError."""
        place = f"{commit}:{self.prefix}{folder}"
        return self.run("rev-parse", "--verify", "--quiet", place, ok=(0, 1)).decode().strip()

    def root_tree(self, commit: str) -> str:
        """The tree of a commit for the whole repository. git is only asked if the commit's object file cannot say.

        That is the case if there is no such file, or if `git replace` may have replaced the commit.
        """
        held = b"" if self._has_replacements() else self.loose_commit(commit)
        named = held.partition(b"\n")[0].removeprefix(b"tree ").decode("ascii", "replace")
        return named if _COMMIT.fullmatch(named) else self.run("rev-parse", f"{commit}^{{tree}}").decode().strip()

    def _has_replacements(self) -> bool:
        """Whether this repository may have objects that replace others (`git replace`)."""
        folder = self.common_dir()
        is_packed = b" refs/replace/" in files.bytes_at(os.path.join(folder, "packed-refs"))
        return is_packed or os.path.isdir(os.path.join(folder, "refs", "replace"))

    def loose_file(self, id: str) -> str:
        """The file of an object in git's folder, as long as it is not packed; it need not be there."""
        return os.path.join(self.common_dir(), "objects", id[:2], id[2:])

    def loose_commit(self, commit: str) -> bytes:
        """The content of a commit, read from its loose object; b"" if there is none."""
        from zlib import decompress, error

        try:
            with open(self.loose_file(commit), "rb") as file:
                return decompress(file.read()).partition(b"\0")[2]
        except (OSError, error):
            return b""

    def time_of(self, commit: str) -> int:
        """The time of a commit, in Unix seconds. Raises GitError."""
        return int(self.run("show", "--no-patch", "--no-show-signature", "--format=%ct", commit))

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether `older` is `newer` or one of its ancestors. Raises GitError if one does not exist."""
        return self.asks("merge-base", "--is-ancestor", older, newer)

    # -- objects -------------------------------------------------------------------------------------------

    def objects(self, names: Sequence[str]) -> list[GitObject | None]:
        """The object that each name stands for: an id, a ref, `COMMIT^`, `COMMIT:path`; None if there is none.

        One git process answers all calls. Paths are as in `at`; none may contain a newline.
        """
        asked = [os.fsencode(name) + b"\n" for name in names]
        found: list[GitObject | None] = []
        for start in range(0, len(asked), _AT_ONCE):
            reader = self._reader("--batch")
            assert reader.stdin
            assert reader.stdout
            some = asked[start : start + _AT_ONCE]
            reader.stdin.write(b"".join(some))
            reader.stdin.flush()
            found += [_next_object(reader.stdout) for _ in some]
        return found

    def ids(self, names: Sequence[str]) -> list[str]:
        """The id of each of those objects, "" if there is none."""
        return [found.id if found else "" for found in self.objects(names)]

    def blobs(self, oids: Sequence[str]) -> Iterator[bytes]:
        """The bytes of blobs, in order, from one process. Raises GitError for one that does not exist."""
        self.bring(oids)
        if "--batch" in self._readers:
            found = iter(self.objects(oids))
        else:  # for a single question, a process that ends takes less time
            out = (
                self.run("cat-file", "--batch", stdin="".join(oid + "\n" for oid in oids).encode())
                if oids
                else b""
            )
            stream = BytesIO(out)
            found = (_next_object(stream) for _ in oids)
        for oid, blob in zip(oids, found, strict=True):
            if blob is None:
                raise GitError(f"git has no object {oid}", "a shallow or partial clone? try git fetch --unshallow")
            yield blob.data

    @cached_property
    def promisor(self) -> str:
        """The remote that has what this partial clone lacks; "" if it is a whole one."""
        promised = (
            key for key, value in self.known_under("remote") if key.endswith(_PROMISOR) and value == "true"
        )
        return next(promised, "").removeprefix("remote.").removesuffix(_PROMISOR)

    @cached_property
    def _here(self) -> set[str]:
        """The ids of all objects that are here: git fetches any other that it is asked about."""
        return set(self.run("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").decode().split())

    def bring(self, oids: Iterable[str]) -> None:
        """Have a partial clone fetch objects together: git fetches each for itself when it is read.

        Raises AwayError.
        """
        lacking = {*oids} - self._here - {""} if self.promisor else set()
        if lacking:
            del self._here  # some may have been made since
            lacking -= self._here
        if not lacking:
            return
        try:
            self.run(*TALK, *_BRING, self.promisor, stdin="".join(f"{oid}\n" for oid in sorted(lacking)).encode())
        except MdmemError as error:
            message = f"this partial clone lacks {counted(len(lacking), 'older version')} of files"
            why = error.message.partition("\n")[0]
            raise AwayError(f"{message}, and {self.promisor} cannot be asked: {why}", "try again later") from None
        self._here.update(lacking)

    def content(self, oid: str) -> bytes | None:
        """The content of an object of any kind, None if there is none with that id."""
        (found,) = self.objects([oid])
        return found.data if found else None

    def parents(self, commit: str) -> list[str]:
        """The parents of a commit; none if it does not exist."""
        head = (self.content(commit) or b"").partition(b"\n\n")[0]
        return [line[7:].decode() for line in head.split(b"\n") if line.startswith(b"parent ")]

    def _reader(self, option: str) -> subprocess.Popen[bytes]:
        """The git process that stays open for reading objects in this way."""
        if option not in self._readers:
            import weakref
            from subprocess import DEVNULL

            reader = self._readers[option] = self._open(("cat-file", *option.split()), stderr=DEVNULL)
            weakref.finalize(self, _end, reader)  # for those who do not close
        return self._readers[option]

    def has_known(self, path: str) -> bool:
        """Whether any commit in HEAD's history touched a file at that path."""
        return bool(self.head()[0] and self.run("log", "-1", "--format=%H", "--", self.prefix + path).strip())

    def file(self, blob: str, path: str) -> bytes:
        """The bytes that a checkout of a blob at `path` would write, with line endings and other filters applied.

        One git process serves all calls. It does not tell sizes after filters, so each request is followed by one
        whose answer marks the end. Raises GitError for a blob that does not exist.
        """
        self.bring([blob])
        self._end = self._end or b"end-" + os.urandom(16).hex().encode()
        reader = self._reader("--batch --filters")
        assert reader.stdin
        assert reader.stdout
        name = self.full(path).replace(b"\n", b" ")
        reader.stdin.write(b"%s %s\n%s\n" % (blob.encode(), name, self._end))
        reader.stdin.flush()
        lines: list[bytes] = []
        while (line := reader.stdout.readline()) != self._end + b" missing\n":
            if not line or (not lines and line.endswith(b" missing\n")):
                _end(self._readers.pop("--batch --filters"))
                raise GitError(f"git cannot read object {blob}", "a shallow or partial clone? try git fetch")
            lines.append(line)
        return b"".join(lines[1:]).removesuffix(b"\n")

    def keep(self, path: str, data: bytes) -> str:
        """Store the bytes of a file as a blob, with filters applied as by `git add` of that path; the blob's id.

        Raises StoppedError if attributes are only in git's index. `git add` would read them there, but git does
        not for bytes from standard input: it would store unencrypted what a filter encrypts.
        """
        place = self.prefix + path
        if unread := self._unread_attributes(place):
            message = f"{unread} is in git but cannot be read here, and may name a filter for {path}"
            import shlex

            restoring = f"git restore {shlex.quote(f':/{unread}')}"  # from any folder
            raise StoppedError(message, f"{restoring}; to do without it, commit its deletion")
        return self.run("hash-object", "-w", "--stdin", f"--path={place}", stdin=data).decode().strip()

    def _unread_attributes(self, place: str) -> str:
        """The first attributes file above a path that only git's index has; "" if there is none."""
        folders = place.split("/")[:-1]
        names = ["/".join([*folders[:depth], _ATTRIBUTES]) for depth in range(len(folders) + 1)]
        tracked = os.fsdecode(self.run("ls-files", "-z", "--", *names)).split("\0")[:-1]
        return next((name for name in tracked if not _can_be_read(os.path.join(self.top, name))), "")

    def find(self, rev: str, path: str) -> str:
        """The blob of a file in a commit, "" if there is none at that path. Slow at first: it loads GitPython."""
        if not self.is_sha1:
            return self._listed(rev, path)
        if self._library is None:
            from mdmem.store.git.objects import ObjectLibrary

            self._library = ObjectLibrary(self.top)
        return self._library.blob(rev, os.fsdecode(self.full(path)))

    def _listed(self, rev: str, path: str) -> str:
        """The result of `find` from git itself: GitPython cannot read SHA-256 ids."""
        entry = self.run("ls-tree", "-z", "--full-tree", rev, "--", self.prefix + path)
        mode, _, blob = entry.partition(b"\t")[0].decode().split(" ") if entry else ("", "", "")
        return blob if mode.startswith("100") else ""

    def at(self, rev: str, path: str) -> str:
        """git's name for a file of the vault in a commit."""
        return f"{rev}:{self.prefix}{path}"

    def read(self, rev: str, path: str) -> bytes | None:
        """The bytes that a checkout of a file in a commit would write, None if it does not exist there."""
        blob = self.find(rev, path)
        return self.file(blob, path) if blob else None

    def close(self) -> None:
        """End the processes that are kept open for reading."""
        if self._library is not None:
            self._library.close()
            self._library = None
        while self._readers:
            _end(self._readers.popitem()[1])


def _plain(text: str) -> str:
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _line(path: str) -> str:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        return file.read().strip()


def _end(reader: subprocess.Popen[bytes]) -> None:
    with reader:
        reader.kill()


def _next_object(answers: IO[bytes]) -> GitObject | None:
    """The next answer of `git cat-file --batch`; None for "NAME missing" or "NAME ambiguous"."""
    header = answers.readline()
    if not header:
        raise GitError("git stopped while it was reading objects", "git fsck --full names what is broken")
    words = header.decode("utf-8", "replace").split()
    if len(words) != 3 or not words[2].isdigit():
        return None
    return GitObject(words[0], words[1], answers.read(int(words[2]) + 1)[:-1])


def _can_be_read(place: str) -> bool:
    """Whether git can read attributes from a file; it does not follow symbolic links."""
    return os.path.isfile(place) and not os.path.islink(place) and os.access(place, os.R_OK)


def ids_of(data: bytes, length: int) -> list[str]:
    """The blob ids that git may give these bytes: as they are, or with the line endings it stores.

    `length` is that of the repository's ids in hexadecimal digits: 64 if they are SHA-256, else SHA-1.
    """
    import hashlib

    make = hashlib.sha256 if length == 64 else hashlib.sha1
    forms = [data, data.replace(b"\r\n", b"\n")] if b"\r\n" in data else [data]
    return [make(b"blob %d\0" % len(form) + form, usedforsecurity=False).hexdigest() for form in forms]


def is_blob(id: str, data: bytes | None) -> bool:
    """Whether a blob has these bytes, unchanged or with git's line endings; None, no file, has the id ""."""
    return id in ids_of(data, len(id)) if data is not None else not id
