"""What a vault syncs with: a remote that git knows by name, and a branch of it."""

import json
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, UsageError
from mdmem.note import moments
from mdmem.store.git import remotes, trees
from mdmem.store.git.remotes import Remote
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault

_FILE = "sync.json"
_SETTING = "mdmem.sync"
_HEADS = "refs/heads/"


class SyncTarget(NamedTuple):
    """A remote, its branch, and the branch here; `follows` is true if git has the former set as its upstream."""

    remote: Remote
    branch: str
    local: str
    follows: bool


class LastSync(NamedTuple):
    """The last sync with a remote: the commit that both had after it, and when it was."""

    head: str = ""
    when: str = ""


def find(vault: Vault, name: str = "") -> SyncTarget:
    """The sync target of the current branch: the named remote, else its upstream, else origin, else the only one.

    Raises UsageError if there is none, ConflictError if HEAD is detached or git is in the middle of an operation.
    """
    repo = vault.repo
    for what, how in repo.unfinished():
        raise ConflictError(f"{what} is under way here", how)
    repo.reread()
    local = repo.branch_name()
    if not local:
        raise ConflictError("HEAD is detached, so there is no branch to sync", "git switch main")
    known = remotes.remotes(repo)
    upstream = repo.known(f"branch.{local}.remote")
    chosen = name or _usual(known, upstream)
    if chosen not in known:
        raise UsageError(
            f"{remotes.masked(chosen)!r} is not a remote of this vault",
            f"remotes here: {', '.join(known) or 'none'}; git remote add origin URL adds one",
        )
    merged = repo.known(f"branch.{local}.merge") if upstream == chosen else ""
    branch = merged.removeprefix(_HEADS) or local
    return SyncTarget(known[chosen], branch, local, bool(merged))


def automatic(vault: Vault) -> str:
    """The remote that sessions sync with: `mdmem.sync` in this clone's own git settings; "" for none.

    Clones do not copy this setting, and it counts only if it names a remote of this repository.
    """
    vault.repo.reread()
    name = vault.repo.known(_SETTING, own=True)
    return name if name in remotes.remotes(vault.repo) else ""


def follow(vault: Vault, target: SyncTarget) -> None:
    """Set the remote's branch as the upstream of the branch here, as `git push -u` does."""
    settings = vault.repo
    settings.run("config", "--local", f"branch.{target.local}.remote", target.remote.name)
    settings.run("config", "--local", f"branch.{target.local}.merge", _HEADS + target.branch)


def last(vault: Vault, target: SyncTarget) -> LastSync:
    """The last sync with that branch, as recorded here."""
    known = _known(vault).get(_key(target), {})
    return LastSync(str(known.get("head", "")), str(known.get("when", "")))


def remember(vault: Vault, target: SyncTarget, head: str, when: datetime) -> None:
    """Record a sync, for this clone only."""
    with vault.locked():  # what another process records meanwhile is not lost
        known = _known(vault) | {_key(target): {"head": head, "when": moments.render(when)}}
        state.save(vault.root, vault.repo, _FILE, json.dumps(known).encode())


def _known(vault: Vault) -> dict[str, dict[str, str]]:
    known = state.load(vault.root, _FILE)
    is_ours = isinstance(known, dict) and all(isinstance(entry, dict) for entry in known.values())
    return known if is_ours else {}


def _key(target: SyncTarget) -> str:
    return f"{target.remote.name}/{target.branch}"


def _usual(known: dict[str, Remote], upstream: str) -> str:
    for name in (upstream, "origin"):
        if name in known:
            return name
    if len(known) == 1:
        return next(iter(known))
    if not known:
        raise UsageError("this vault has no remote", "git remote add origin URL")
    raise UsageError(f"which remote? {', '.join(known)}", "mdmem sync NAME")


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
    chosen = automatic(vault)
    return [_standing(vault, remote, chosen) for remote in remotes.remotes(vault.repo).values()]


def _standing(vault: Vault, remote: remotes.Remote, chosen: str) -> RemoteStanding:
    standing = RemoteStanding(
        name=remote.name,
        url=remotes.masked(remote.url),
        push_url=remotes.masked(remote.push_url),
        automatic=remote.name == chosen,
    )
    try:
        where = find(vault, remote.name)
    except MdmemError:  # HEAD is on no branch, or in the middle of a merge
        return standing
    standing = standing._replace(branch=where.branch, synced=last(vault, where).when)
    here = vault.repo.head()[0]
    there = vault.repo.ref(remotes.tracking_ref(remote.name, where.branch))
    if not (here and there):
        return standing
    fork = trees.fork(vault.repo, here, there)
    return standing._replace(ahead=len(fork.ours), behind=len(fork.theirs))
