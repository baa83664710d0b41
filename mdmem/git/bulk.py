"""Many new files of one commit as one pack: an object file for each takes git several times as long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from mdmem.git.repo import Repo

# Compressed as git compresses objects that are files of their own, and never taken apart into such files.
_SETTINGS = ("-c", "pack.compression=1", "-c", "fastimport.unpackLimit=0")


@contextmanager
def storing(repo: Repo, contents: Mapping[str, bytes | None]) -> Iterator[None]:
    """Keep the bytes of files in one pack while the block runs, so that git finds them there when they are added.

    None stands for a file that is gone. Files with a filter of their own are left to it: what it encrypts may not
    lie about in plain. Raises GitError at the end of the block.
    """
    with ThreadPoolExecutor(1) as thread:
        stored = thread.submit(_store, repo, contents)
        yield
        stored.result()


def _store(repo: Repo, contents: Mapping[str, bytes | None]) -> None:
    written = {path: data for path, data in contents.items() if data is not None}
    if _is_filtered(repo, written):
        return
    blobs = (part for data in written.values() for part in (b"blob\ndata %d\n" % len(data), data, b"\n"))
    repo.run(*_SETTINGS, "fast-import", "--quiet", "--depth=0", stdin=b"".join(blobs))


def _is_filtered(repo: Repo, paths: Iterable[str]) -> bool:
    """Whether the attributes of one of these files name a filter."""
    names = b"".join(repo.full(path) + b"\0" for path in paths)
    told = repo.run("check-attr", "--stdin", "-z", "filter", stdin=names).split(b"\0")
    return any(value not in (b"unspecified", b"unset") for value in told[2::3])
