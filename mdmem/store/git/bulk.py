"""Storing the many new files of one commit in one pack: separate object files take git several times as long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from mdmem.store.git.repo import Repo

# Compress as git does with loose objects, and never unpack the pack into them.
_SETTINGS = ("-c", "pack.compression=1", "-c", "fastimport.unpackLimit=0")


@contextmanager
def storing(repo: Repo, contents: Mapping[str, bytes | None]) -> Iterator[None]:
    """Store the contents of files in a pack while the block runs, so that git finds the blobs when they are added.

    None stands for a deleted file. If any of the files has a filter, nothing is stored here: what the filter
    encrypts must not be stored unencrypted. Raises GitError at the end of the block.
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
    """Whether the attributes of any of these files name a filter."""
    names = b"".join(repo.full(path) + b"\0" for path in paths)
    told = repo.run("check-attr", "--stdin", "-z", "filter", stdin=names).split(b"\0")
    return any(value not in (b"unspecified", b"unset") for value in told[2::3])
