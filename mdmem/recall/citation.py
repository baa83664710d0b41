"""Which commit last touched a line: `path:line@commit` without a `git blame` for each hit.

The index knows every committed version of a file. A note with one version needs no look at git at all; of
the others, the versions are read in one batch, and a line belongs to the oldest of the latest run of versions
that have it, also under names the file had before. A line that moved within its file is not touched, which
`git blame` sees otherwise. Only what the versions do not settle is blamed: a line that is there twice, that came
back or came by a merge, or a commit that is not part of HEAD's history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import dropwhile, islice, takewhile
from typing import NamedTuple

from mdmem.git import log
from mdmem.index.port import Version
from mdmem.vault.vault import Vault

_MOST = 100  # versions of a file that are looked at, the latest first


class CitedLine(NamedTuple):
    """A line of a file: 1-based, and its text."""

    path: str
    line: int
    text: str


def commits(vault: Vault, places: Sequence[CitedLine], at: str = "") -> list[str]:
    """The commit that last touched each place; "" for what is not committed.

    With the commit `at` the files are taken to be as they were then.
    """
    changed = set() if at else vault.index.uncommitted()
    versions = _versions(vault, [place.path for place in places], at)
    clear = {path for path, found in versions.items() if len(found) == 1 and path not in changed}
    wanted = sorted({v.blob for path, found in versions.items() if path not in clear for v in found})
    texts = dict(zip(wanted, vault.repo.blobs(wanted), strict=True))
    lines = {blob: Counter(map(str.strip, _text(data).split("\n"))) for blob, data in texts.items()}
    found = []
    for place in places:
        known = versions[place.path]
        commit = known[0].commit if place.path in clear else _touched(place.text.strip(), known, lines)
        if commit is None:
            is_new = place.path in changed and not (known and lines[known[0].blob][place.text.strip()])
            commit = "" if is_new else log.touched(vault.repo, place.path, place.line, at)
        found.append(commit)
    return found


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace")


def _versions(vault: Vault, paths: Sequence[str], at: str) -> dict[str, list[Version]]:
    """path -> the versions that are there, the latest first, up to the last time the file was deleted.

    With the commit `at` the latest is the one that it has; none if that is not of HEAD's history.
    """
    if not at:
        return {path: _unbroken(vault.index.versions(path)) for path in paths}
    until, blobs = vault.repo.time_of(at), vault.repo.blob_ids(at, paths)
    found = {}
    for path in paths:
        then = (one for one in vault.index.versions(path) if one.when <= until)
        found[path] = _unbroken(dropwhile(lambda one: one.blob != blobs.get(path), then))  # noqa: B023 - used at once
    return found


def _unbroken(versions: Iterable[Version]) -> list[Version]:
    return list(islice(takewhile(lambda version: version.blob, versions), _MOST))


def _touched(text: str, versions: Sequence[Version], lines: Mapping[str, Mapping[str, int]]) -> str | None:
    """The commit that brought a line, by the versions of its file; None if they do not settle it."""
    have = [bool(lines[version.blob].get(text)) for version in versions]
    run = have.index(False) if False in have else len(have)
    if not run or run == _MOST or any(have[run:]) or lines[versions[0].blob][text] > 1:
        return None
    return versions[run - 1].commit
