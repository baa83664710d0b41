"""Which commit last touched a line: `path:line@commit` without a `git blame` for each hit.

The index knows every committed version of a file. A note with one version needs no look at git at all; of
the others, the versions are read in one batch, and a line belongs to the oldest of the latest run of versions
that have it, also under names the file had before. A line that moved within its file is not touched, which
`git blame` sees otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.store.catalogue import Version
from mdmem.store.vault import Vault

_MOST = 100  # versions of a file that are looked at, the latest first


class Place(NamedTuple):
    """A line of a file: 1-based, and its text."""

    path: str
    line: int
    text: str


def commits(vault: Vault, places: Sequence[Place], until: int | None = None) -> list[str]:
    """The commit that last touched each place; "" for what is not committed.

    With `until` (Unix seconds) later versions count for nothing: the files are taken to be as they were then.
    """
    index = vault.index
    uncommitted = set() if until is not None else index.uncommitted()
    versions = {place.path: _versions(vault, place.path, until) for place in places}
    clear = {path for path, found in versions.items() if len(found) == 1 and path not in uncommitted}
    wanted = sorted({v.blob for path, found in versions.items() if path not in clear for v in found})
    texts = dict(zip(wanted, vault.repo.blobs(wanted), strict=True))
    lines = {blob: {line.strip() for line in text.splitlines()} for blob, text in texts.items()}
    return [
        versions[place.path][0].commit if place.path in clear else _touched(place, versions[place.path], lines)
        for place in places
    ]


def _versions(vault: Vault, path: str, until: int | None) -> list[Version]:
    """The versions that are there, the latest first, up to the last time the file was deleted."""
    found: list[Version] = []
    for version in vault.index.versions(path):
        if until is not None and version.when > until:
            continue
        if not version.blob or len(found) == _MOST:
            break
        found.append(version)
    return found


def _touched(place: Place, versions: Sequence[Version], lines: dict[str, set[bytes]]) -> str:
    text = place.text.strip().encode()
    commit = ""
    for version in versions:
        if text not in lines[version.blob]:
            break
        commit = version.commit
    return commit
