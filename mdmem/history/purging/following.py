"""An old clone moves over to a purged history, with its own commits kept.

The map of commits comes with every fetch (`theirs`). Commits that are in it are replaced by their successors; what
was committed on top of them here is made again on top of those, without what was purged.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from mdmem.errors import ConflictError, StoppedError
from mdmem.git.repo import Repo
from mdmem.history.purging import erasing, objects, obstacles, published
from mdmem.history.purging.carrying import Carrier
from mdmem.history.purging.published import Purges
from mdmem.text import moments
from mdmem.text.plural import counted
from mdmem.vault.vault import Vault

_LOSS = 10  # files that a purge may take away, at least; and a tenth of them


class Followed(NamedTuple):
    """What following did: the refs that moved, and how many commits of this clone were made again."""

    refs: tuple[str, ...]
    carried: int


def theirs(remote: str) -> str:
    """Where the purges are kept that a remote publishes."""
    return f"refs/mdmem/remotes/{remote}/purges"


def follow(vault: Vault, remote: str, there: str = "", allow_loss: bool = False) -> Followed | None:
    """Move over to the purges that a remote published, as last fetched; None if there is nothing to follow.

    `there` is the commit of its branch. Raises ConflictError if that is from before a purge that was made here, or
    if something is in the way, StoppedError if many files would go (unless `allow_loss`); nothing is changed then.
    """
    repo = Repo(vault.repo.top, "")
    ours, published_there = Purges(repo), Purges(repo, theirs(remote))
    new = published_there.commit
    if not new or new == ours.commit or (ours.commit and repo.is_ancestor(new, ours.commit)):
        _refuse_old(vault, ours, remote, there)
        return None
    with vault.locked():
        return _Following(vault, repo, published_there, allow_loss).run()


def _refuse_old(vault: Vault, ours: Purges, remote: str, there: str) -> None:
    """What was purged here must not come back."""
    if not ours.is_old(there):
        return
    for ref in objects.refs(vault.repo, f"refs/remotes/{remote}/"):
        if ours.is_old(ref.commit):
            vault.repo.run("update-ref", "--no-deref", "-d", ref.name)
    erasing.erase_old(vault.repo)
    day = moments.render(ours.last)[:10]
    raise ConflictError(f"{remote} has the history from before the purge of {day}", f"mdmem purge --push {remote}")


class _Following:
    def __init__(self, vault: Vault, repo: Repo, purges: Purges, allow_loss: bool) -> None:
        self.vault, self.repo, self.purges, self.allow_loss = vault, repo, purges, allow_loss
        self.carrier = Carrier(repo, purges)

    def run(self) -> Followed | None:
        """Work out where each ref goes, check that, and go there at once."""
        moves = dict(self._moves())
        carried = self.carrier.carry([ref.commit for ref in moves.values()])
        targets = {name: carried.get(ref.commit, ref.commit) for name, ref in moves.items()}
        moved = {name: new for name, new in targets.items() if new != moves[name].commit}
        if moved:
            self._refuse()
            self._check_there(moves, moved)
        swap = [[name, moves[name].id, new] for name, new in moved.items()]
        swap.append([published.REF, self.repo.ref(published.REF), self.purges.commit])
        erasing.begin(self.vault)
        erasing.announce(self.vault, swap)
        return Followed(tuple(moved), self.carrier.made) if moved else None

    def _moves(self) -> Mapping[str, objects.Ref]:
        """The refs that may hold old history."""
        kinds = ("refs/heads/", "refs/tags/", "refs/remotes/", "refs/mdmem/seen/")
        return {ref.name: ref for ref in objects.refs(self.repo, *kinds)}

    def _refuse(self) -> None:
        checks = (obstacles.unfinished, obstacles.entangled)
        in_way = [obstacle for check in checks for obstacle in check(self.vault)]
        if in_way:
            raise ConflictError(f"a purge is to be followed, but {in_way[0].message}", in_way[0].fix)

    def _check_there(self, old: Mapping[str, objects.Ref], moved: Mapping[str, str]) -> None:
        """The new commits are here, and do not lack much of what there was."""
        for name, new in moved.items():
            if not self.repo.has_commit(new):
                raise ConflictError(
                    f"the new history of {name} is not here", "git fetch --all, then mdmem sync again"
                )
        branch = self.repo.run("symbolic-ref", "HEAD").decode().strip()
        if branch not in moved or self.allow_loss:
            return
        before, after = (sum(1 for _ in self.repo.files(id)) for id in (old[branch].commit, moved[branch]))
        if before - after >= max(_LOSS, before // _LOSS):
            raise StoppedError(
                f"following a purge would take away {counted(before - after, 'file')} of {before}",
                "if that was purged on purpose: mdmem sync --yes",
            )
