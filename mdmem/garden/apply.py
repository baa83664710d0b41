"""Gardening: applies the proposals that were accepted or are sure enough, each as a commit of its own.

A proposal is applied only while its files still hold the bytes it was made for. Files that someone saved in the
meantime are left alone and planned again, as are proposals that had to wait for others, until nothing is left to
do.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import ConflictError, NoteError, StoppedError
from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import GardenSettings, Proposal
from mdmem.garden.plan import GardenPlan, Wish
from mdmem.store.index.freshness import breaks
from mdmem.store.operation import Caller, Operation
from mdmem.store.progress import Progress
from mdmem.store.vault import worktree
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault

ACTOR = "mdmem-gardener"
FOLDER = "mdmem/garden"  # of branches
ROUNDS = 5  # plans per run: each may find more to do in the result of the one before
_REASONS = 10  # lines of evidence that go into a commit message


class Request(NamedTuple):
    """What to plan and apply: the settings and the wish.

    With `accepted_only` only accepted proposals are applied. `reason` is the person's own, for the commit
    messages, `by` the one who judged.
    """

    settings: GardenSettings
    wish: Wish = Wish()
    accepted_only: bool = False
    reason: str = ""
    by: str = ""


class Outcome(NamedTuple):
    """What became of a proposal: its `commit`, or "" and `why` it was left alone."""

    proposal: Proposal
    commit: str
    why: str = ""


class Run(NamedTuple):
    """A run of the gardeners: its id, what became of each proposal, and the plan of what is left.

    If it was on a `branch`, that is its name ("" if nothing was applied), and `base` the branch or commit that it
    starts from.
    """

    id: str
    outcomes: tuple[Outcome, ...]
    rest: GardenPlan
    branch: str | None = None
    base: str = ""

    @property
    def applied(self) -> tuple[Outcome, ...]:
        return tuple(one for one in self.outcomes if one.commit)

    @property
    def left(self) -> tuple[Outcome, ...]:
        return tuple(one for one in self.outcomes if not one.commit)


def run_id(now: datetime, salt: str) -> str:
    """The id of a run, such as `garden-2026-11-21-1425-a1b2`; ids sort by time."""
    return f"garden-{now:%Y-%m-%d-%H%M}-{salt}"


def chosen(plan: GardenPlan, request: Request) -> list[Proposal]:
    """The proposals of a plan to apply, in order: named or accepted ones, and the certain unless left out."""

    def is_wanted(one: Proposal) -> bool:
        is_named = one.id in request.wish.ids or one.accepted
        return is_named or (one.certain and not request.accepted_only)

    wanted = filter(is_wanted, plan.proposals)
    return sorted(wanted, key=garden.precedence)


def plan(
    vault: Vault, request: Request, now: datetime, progress: Progress, reader: garden.NoteReader | None = None
) -> tuple[GardenPlan, Request]:
    """(the plan to choose proposals from, made now; the request, with ids instead of their beginnings).

    Raises NotFoundError if the wish names an unknown proposal, UsageError if it could mean several.
    """
    found = garden.look(vault, request.settings, now, request.wish, progress, reader)
    ids = frozenset(garden.one_of(found.proposals, id, "id").id for id in sorted(request.wish.ids))
    request = request._replace(wish=request.wish._replace(ids=ids))
    return garden.choose(found, request.settings.min_confidence, request.wish), request


def apply(
    vault: Vault, request: Request, caller: Caller, run: str, progress: Progress, allow_loss: bool = False
) -> Run:
    """Apply the requested proposals, one commit each, and plan again until none is left (at most ROUNDS times).

    Raises StoppedError, before anything is changed, if the first plan as a whole would delete more memories than
    the circuit breaker allows (unless `allow_loss`), NotFoundError and UsageError like `plan`, and BusyError.
    """
    outcomes: list[Outcome] = []
    guard, reader = _Guard(vault.index.count(), allow_loss), garden.NoteReader(vault)
    with vault.following():
        found, request = plan(vault, request, caller.now, progress, reader)
        for _ in range(ROUNDS):
            tried = {outcome.proposal.id for outcome in outcomes}
            todo = [one for one in chosen(found, request) if one.id not in tried]
            if not todo:
                break
            guard.check(todo, first=not outcomes)
            outcomes += [_apply_one(vault, one, _operation(one, request, caller, run), guard) for one in todo]
            rest = garden.look(vault, request.settings, caller.now, request.wish, progress, reader)
            found = garden.choose(rest, request.settings.min_confidence, request.wish)
    return Run(run, tuple(outcomes), found)


def on_branch(
    vault: Vault,
    request: Request,
    caller: Caller,
    run: str,
    progress: Progress,
    name: str,
    allow_loss: bool = False,
) -> Run:
    """Apply the requested proposals on a new branch that starts at the last commit.

    Without a `name` the branch is named after the day. Uncommitted changes are not part of it. Raises UsageError
    or ConflictError for the name, and what gardening.apply raises; no branch is left behind then.
    """
    if name:
        worktree.check_name(vault.repo, name)
    else:
        name = worktree.free_branch(vault.repo, f"{FOLDER}/{caller.now:%Y-%m-%d}")
    base = vault.repo.status().branch or vault.repo.head()[0][:8]
    with worktree.on_branch(vault, name) as there:
        done = apply(there, request, caller, run, progress, allow_loss)
    return done._replace(branch=name if done.applied else "", base=base)


def carry_out(
    vault: Vault, proposals: Sequence[Proposal], request: Request, caller: Caller, run: str
) -> list[Outcome]:
    """Apply proposals of an earlier plan whose files still hold the bytes they were made for.

    Raises StoppedError like `apply`, and BusyError.
    """
    guard = _Guard(vault.index.count(), allow_loss=False)
    guard.check(proposals, first=True)
    with vault.following():
        return [_apply_one(vault, one, _operation(one, request, caller, run), guard) for one in proposals]


class _Guard:
    """The circuit breaker of a run: many commits that each delete a little count as one that deletes much."""

    def __init__(self, total: int, allow_loss: bool) -> None:
        self.allow_loss = allow_loss
        self._total = total
        self._lost = 0
        self.tripped = ""

    def check(self, todo: Sequence[Proposal], first: bool) -> None:
        """Add up what these proposals delete. If it is too much: StoppedError if `first`, else the guard trips."""
        self._lost += sum(map(_deleted, todo))
        if self.allow_loss or not breaks(self._lost, self._total):
            return
        message = f"all together this would delete {self._lost} of {self._total} memories"
        if first:
            raise StoppedError(f"{message}; nothing was changed", "look with mdmem garden; --yes does it")
        self.tripped = f"{message}: --yes"


def _deleted(one: Proposal) -> int:
    """By how many a proposal reduces the number of files, at least 0."""
    gone = sum(edit.after is None for edit in one.edits)
    return max(gone - sum(edit.before is None for edit in one.edits), 0)


def _operation(one: Proposal, request: Request, caller: Caller, run: str) -> Operation:
    why = one.said.why if one.said and request.by == one.said.by else ""
    reason = "\n\n".join(part for part in (request.reason, why, reason_of(one)) if part)
    judge = (("Judge", request.by),) if request.by else ()
    return caller.does(one.action, reason, ("Gardener", one.gardener), ("Run", run), ("Proposal", one.id), *judge)


def _apply_one(vault: Vault, one: Proposal, what: Operation, guard: _Guard) -> Outcome:
    """Apply a proposal as a commit unless the guard, a conflict or a broken note prevents it. Raises BusyError."""
    if guard.tripped and _deleted(one):
        return Outcome(one, "", guard.tripped)
    try:
        with vault.change(what, guard.allow_loss) as tx:
            _stage(tx, one)
    except (ConflictError, NoteError) as error:
        return Outcome(one, "", error.message)
    return Outcome(one, tx.commit, "" if tx.commit else "it changes nothing")


def _stage(tx: Transaction, one: Proposal) -> None:
    for edit in one.edits:
        if tx.read(edit.path) != edit.before:
            raise ConflictError(f"{edit.path} was changed after the plan was made")
    for edit in one.edits:
        if edit.after is None:
            tx.delete(edit.path)
        else:
            tx.write(edit.path, edit.after)


def reason_of(one: Proposal) -> str:
    """The commit message's account of a proposal: what it does, why, how sure it is, and what is lost."""
    why = [
        f"Why: {place.path}{f':{place.line}' if place.line else ''}  {' '.join(place.text.split())}"
        for place in one.evidence[:_REASONS]
    ]
    more = len(one.evidence) - len(why)
    why += [f"Why: {more} more such"] if more > 0 else []
    title = f"{one.title[:1].upper()}{one.title[1:]}."
    return "\n".join([title, "", *why, f"Sure: {one.confidence:.2f}", f"Lost: {one.lost or 'nothing'}"])
