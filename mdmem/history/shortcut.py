"""A short way through the history of one file, so that git compares the trees of its own commits alone.

In a folder of 10,000 notes each comparison of two trees costs most of a millisecond, and a blame compares those of
every commit. The index knows in which the file changed.
"""

from __future__ import annotations

from itertools import pairwise

from mdmem.index.port import latest_life
from mdmem.vault.vault import Vault

Graft = tuple[str, str]  # (a commit, the one to take for its parent)


def grafts(vault: Vault, path: str) -> list[Graft] | None:
    """What leads from HEAD to the commits of a file and past all others, for `log.blame`.

    Between two of its versions nothing may have happened to the file, so each must come right out of the one
    before. None where that is not so, as with branches that both changed it.
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
