"""A shortcut through the history of one file, so that git compares only the trees of commits that changed it.

In a folder of 10,000 notes, comparing two trees takes most of a millisecond, and a blame compares those of every
commit. The index knows which commits changed the file.
"""

from __future__ import annotations

from itertools import pairwise

from mdmem.store.index.port import latest_life
from mdmem.store.vault.vault import Vault

Graft = tuple[str, str]  # (commit, the commit to treat as its parent)


def grafts(vault: Vault, path: str) -> list[Graft] | None:
    """The grafts that lead `log.blame` from HEAD through the commits of a file, past all others.

    Nothing may have happened to the file between two of its versions, so each version must directly follow the one
    before. None where that is not so, for instance if two branches changed it.
    """
    head = vault.repo.head()[0]
    versions = latest_life(vault.whole_index.versions(path))
    if not (versions and head) or any("\n" in version.path for version in versions):
        return None
    steps = list(pairwise(versions))
    asked = [vault.repo.at(head, path)]
    for newer, older in steps:
        asked += [f"{newer.commit}^", vault.repo.at(f"{newer.commit}^", older.path)]
    now, *answers = vault.repo.ids(asked)
    parents, blobs = answers[::2], answers[1::2]
    if now != versions[0].blob or blobs != [older.blob for _, older in steps]:
        return None
    ways = [(head, versions[0].commit)]
    ways += [(parent, older.commit) for parent, (_, older) in zip(parents, steps, strict=True)]
    return [way for way in ways if way[0] != way[1]]
