"""The contents of files in a repository's history: reading and storing blobs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from typing import IO, TYPE_CHECKING, NamedTuple

from mdmem.errors import StoppedError
from mdmem.store.git.command import GitError, error_of
from mdmem.store.git.refs import RefReader

if TYPE_CHECKING:
    import subprocess

    from mdmem.store.git.objects import ObjectLibrary


_ATTRIBUTES = ".gitattributes"
_AT_ONCE = 100  # names that are asked for before the answers are read: a pipe holds them


class GitObject(NamedTuple):
    """An object of git: its `kind` is blob, tree, commit or tag."""

    id: str
    kind: str
    data: bytes


class BlobReader(RefReader):
    """Reads objects. At most two git processes stay open for it, until `close`."""

    def __init__(self, top: str, prefix: str) -> None:
        """`top` is the working tree's root; `prefix` is "" or the vault's path in it, ending with "/"."""
        super().__init__(top, prefix)
        self._library: ObjectLibrary | None = None
        self._readers: dict[str, subprocess.Popen[bytes]] = {}  # by their option
        self._end = b""

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
        place = os.fsdecode(self.full(path))
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
        place = os.fsdecode(self.full(path))
        entry = self.run("ls-tree", "-z", "--full-tree", rev, "--", place)
        mode, _, blob = entry.partition(b"\t")[0].decode().split(" ") if entry else ("", "", "")
        return blob if mode.startswith("100") else ""

    def at(self, rev: str, path: str) -> str:
        """git's name for a file of the vault in a commit."""
        return f"{rev}:{os.fsdecode(self.full(path))}"

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

    def merge(self, base: bytes, ours: bytes, theirs: bytes, labels: tuple[str, str, str]) -> tuple[bytes, bool]:
        """git's three-way merge of texts: (result, whether it is clean). Conflicts are between markers."""
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
