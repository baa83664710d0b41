"""The purge: content is erased from all of history in a clone, whose history the vault then takes over."""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import NamedTuple

from mdmem.errors import ConflictError, StoppedError
from mdmem.history.purging import erasing, objects, obstacles, outside
from mdmem.history.purging.erasing import Reached
from mdmem.history.purging.outside import OutsideFile
from mdmem.history.purging.rewriting import Rewriting
from mdmem.history.purging.survey import PurgeSurvey
from mdmem.history.purging.verification import verify
from mdmem.note.plural import counted
from mdmem.store.git.trees import Signed
from mdmem.store.operation import Caller, Operation
from mdmem.store.progress import Progress, silent
from mdmem.store.vault import following
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault

_PATIENCE = 5.0  # seconds to wait for another writer to finish


class Purged(NamedTuple):
    """The result of a purge: its commit, how many commits got another id, and what still holds the purged content.

    `commit` is "" if nothing in history held it. `objects` is how many objects in git still do, which is 0 unless
    something keeps them; `left` are files. `unreached` are sentences about what a purge cannot reach.
    """

    commit: str
    rewritten: int
    objects: int
    left: tuple[OutsideFile, ...]
    unreached: tuple[str, ...]


class PurgeOrder(NamedTuple):
    """What a person agreed to: the number of commits to rewrite (`known` of the survey). The reason is for the
    purge's own commit.

    `home` is the folder to look for transcripts in.
    """

    commits: int
    reason: str = ""
    home: str = ""
    whole_repository: bool = False


def purge(
    vault: Vault,
    found: PurgeSurvey,
    order: PurgeOrder,
    who: Caller,
    progress: Progress = silent,
    reached: Reached = erasing.unwatched,
) -> Purged:
    """Purge what was found. `progress` gets (done, total); `reached` gets the name of each step when it is done.

    Raises StoppedError if the number of commits to rewrite is not the one agreed to, ConflictError for obstacles,
    PurgeFailedError, GitError; nothing is changed then.
    """
    if order.commits != found.known:
        raise StoppedError(
            f"{counted(found.known, 'commit')} would be rewritten, not {order.commits}; nothing was changed",
            f"--yes --commits {found.known}@{found.at[:8]}",
        )
    with vault.locked(patience=_PATIENCE):
        _refuse(vault, order)
        what = _operation(found, order, who)
        by = _signature(vault, what)
        with ExitStack() as on_failure:
            on_failure.callback(_take_back, vault)
            rewriting = Rewriting(vault.repo, erasing.begin(vault), found.target)
            reached("begun")
            rewriting.make()
            reached("rewritten")
            verify(rewriting, progress)
            reached("verified")
            moves_refs = rewriting.moves_refs()
            if moves_refs:
                rewriting.map_notes(by)
                rewriting.record(what, by)
            reached("recorded")
            erasing.take_over(vault, rewriting.clone.top, rewriting.refs, reached)
            on_failure.pop_all()
    for complaint in following.follow(vault):
        vault.tell(complaint)
    made = vault.repo.head()[0] if moves_refs else ""
    return _report(vault, found, order, made, progress)


def _refuse(vault: Vault, order: PurgeOrder) -> None:
    in_way = obstacles.found(vault, order.whole_repository)
    if in_way:
        more = f" (and {counted(len(in_way) - 1, 'other thing')})" if len(in_way) > 1 else ""
        raise ConflictError(f"{in_way[0].message}{more}; nothing was changed", in_way[0].fix)


def _take_back(vault: Vault) -> None:
    """Roll back after a failure before the refs have moved; after that, the next command completes the purge."""
    folder = erasing.folder(vault)
    if os.path.isdir(folder) and not erasing.is_announced(vault):
        erasing.take_back(vault)


def _operation(found: PurgeSurvey, order: PurgeOrder, who: Caller) -> Operation:
    """The operation of the commit that records the purge, without the purged content."""
    target = found.target
    reason = target.message("", order.reason.encode()).decode()
    count = counted(len(target.ids), "memory") if target.ids else "1 text"
    return who.does("purge", reason)._replace(names=(count,), ids=target.ids)


def _signature(vault: Vault, what: Operation) -> Signed:
    identity = vault.identity()
    assert what.when
    return Signed(author_of(what.actor, identity), identity, what.when)


def _report(vault: Vault, found: PurgeSurvey, order: PurgeOrder, commit: str, progress: Progress) -> Purged:
    """Search everything again, and report what still holds the purged content."""
    holding = sum(found.target.becomes(*item) != item.data for item in objects.stored(vault.repo, progress))
    left = tuple(outside.found(vault, found.target.needles, order.home))
    return Purged(commit, found.rewritten, holding, left, found.unreached)
