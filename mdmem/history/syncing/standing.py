"""How a vault compares with its remotes, as far as that is known without asking them."""

from __future__ import annotations

from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.history.syncing import target
from mdmem.store.git import remotes, trees
from mdmem.store.vault.vault import Vault


class RemoteStanding(NamedTuple):
    """A remote: its URLs for fetching and pushing, without passwords, and the branch to sync with.

    `ahead` and `behind` count the commits that only this clone has, and that only the remote had when last
    fetched; None if it never was. `synced` is when both were last the same (RFC 3339), "" for never. `automatic`
    is true if sessions sync with this remote.
    """

    name: str
    url: str
    push_url: str
    branch: str = ""
    ahead: int | None = None
    behind: int | None = None
    synced: str = ""
    automatic: bool = False


def standings(vault: Vault) -> list[RemoteStanding]:
    """The standing of every remote of a vault."""
    chosen = target.automatic(vault)
    return [_standing(vault, remote, chosen) for remote in remotes.remotes(vault.repo).values()]


def _standing(vault: Vault, remote: remotes.Remote, chosen: str) -> RemoteStanding:
    standing = RemoteStanding(
        name=remote.name,
        url=remotes.masked(remote.url),
        push_url=remotes.masked(remote.push_url),
        automatic=remote.name == chosen,
    )
    try:
        where = target.find(vault, remote.name)
    except MdmemError:  # HEAD is on no branch, or in the middle of a merge
        return standing
    standing = standing._replace(branch=where.branch, synced=target.last(vault, where).when)
    here = vault.repo.head()[0]
    there = vault.repo.ref(remotes.tracking_ref(remote.name, where.branch))
    if not (here and there):
        return standing
    ahead, behind = trees.ahead_behind(vault.repo, here, there)
    return standing._replace(ahead=ahead, behind=behind)
