"""A garden plan that is kept: what it was based on, which findings still hold later, and its file.

Planning reads every memory, which takes a minute in a large vault; most of a plan survives most changes. The file
in `.mdmem` is local, and made again whenever it cannot be used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Mapping
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from mdmem import __version__
from mdmem.errors import NoteError, UsageError
from mdmem.garden import plan as garden
from mdmem.garden.gardeners import care
from mdmem.garden.gardeners.proposal import Findings, Proposal, digest
from mdmem.garden.plan import NoteReader
from mdmem.note import moments, typed
from mdmem.store.git import log
from mdmem.store.index.edges import fold_target
from mdmem.store.local import files, state
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.vault import Vault

_FORMAT = 5


class PlanBasis(NamedTuple):
    """What a plan is based on: HEAD's `commit`, and the hash of each file that is `differing` from it.

    The hash is "" for a file that is gone, is a symbolic link or cannot be read: nothing in it is a memory. The
    `day` counts because memories decay by the day. `rules` is a hash of the version of mdmem, the reader's
    clearance and all settings except `garden.never`.
    """

    commit: str
    differing: Mapping[str, str]
    day: str
    rules: str
    never: tuple[str, ...]


class KeptPlan(NamedTuple):
    """What the gardeners found `when` (RFC 3339). It `is_whole` as long as nothing has changed since."""

    basis: PlanBasis
    findings: Findings
    when: str
    is_whole: bool = True


def basis_of(vault: Vault, now: datetime) -> PlanBasis:
    """The basis of a plan that is made now."""
    index = vault.whole_index
    config = vault.config
    rules = repr((__version__, config._replace(garden=config.garden._replace(never=())), vault.clearance))
    return PlanBasis(
        commit=index.head,
        differing={path: _hash(vault.root, path) for path in sorted(index.differing())},
        day=now.date().isoformat(),
        rules=sha256(rules.encode()).hexdigest(),
        never=config.garden.never,
    )


def _hash(root: str, path: str) -> str:
    try:
        data = files.read_or_none(root, path)
    except (NoteError, UsageError):
        return ""
    return "" if data is None else digest(data)


def make(vault: Vault, now: datetime, progress: Progress = silent) -> KeptPlan:
    """The plan of the whole vault; `progress` gets (notes read, notes in all)."""
    rests_on = basis_of(vault, now)
    findings = garden.look(vault, garden.settings_of(vault.config), now, progress=progress)
    return KeptPlan(rests_on, findings, moments.render(now))


def still_valid(vault: Vault, kept: KeptPlan, current: PlanBasis) -> KeptPlan | None:
    """The part of a plan that still holds in a vault whose basis is `current` now; None if that cannot be told.

    Proposals that touch, rest on or are about a changed file are left out, and so are those that remove a file to
    which a changed file links.
    """
    if kept.basis == current:
        return kept
    changed = _changed(vault, kept.basis, current) if kept.basis.rules == current.rules else None
    if changed is None:
        return None
    findings = _without(vault, kept.findings, changed) if changed else kept.findings
    if kept.basis.never != current.never:
        findings = _allowed(vault, findings)
    is_whole = kept.is_whole and not changed and kept.basis.day == current.day
    return KeptPlan(current, findings, kept.when, is_whole)


def _changed(vault: Vault, before: PlanBasis, after: PlanBasis) -> set[str] | None:
    """The files that changed between two states; None if that is not known."""
    states = before.differing, after.differing
    loose = {path for state in states for path in state if states[0].get(path) != states[1].get(path)}
    if before.commit == after.commit:
        return loose
    if not (before.commit and after.commit and vault.repo.has_commit(before.commit)):
        return None
    return loose | {change.path for change in log.changed(vault.repo, before.commit, after.commit)}


def _without(vault: Vault, findings: Findings, changed: Collection[str]) -> Findings:
    linked = {target for _, target, *_ in vault.whole_index.links_from(sorted(changed))}

    def holds(one: Proposal) -> bool:
        return one.concerns.isdisjoint(changed) and linked.isdisjoint(map(fold_target, one.removed))

    return Findings(
        tuple(filter(holds, findings.proposals)),
        tuple(problem for problem in findings.problems if problem.path not in changed),
        tuple(one for one in findings.withheld if holds(one.proposal)),
    )


def _allowed(vault: Vault, findings: Findings) -> Findings:
    """The findings, with exactly those proposals withheld that `garden.never` forbids now."""
    proposals = [*findings.proposals, *(one.proposal for one in findings.withheld)]
    notes = NoteReader(vault).notes(only=frozenset().union(*(one.concerns for one in proposals)))
    allowed, withheld = care.parted(proposals, {note.path: note for note in notes}, vault.config.garden.never)
    return Findings(allowed, findings.problems, withheld)


# -- the file ------------------------------------------------------------------------------------------------


def load(vault: Vault, name: str) -> KeptPlan | None:
    """The plan that was kept under a name; None if there is none, or it cannot be read."""
    try:
        return parsed(files.bytes_at(os.path.join(vault.state, f"{name}.json")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def save(vault: Vault, name: str, kept: KeptPlan) -> None:
    """Keep a plan under a name. Raises OSError, MdmemError if it cannot be written."""
    state.save(vault.root, vault.repo, f"{name}.json", rendered(kept))


def rendered(kept: KeptPlan) -> bytes:
    """A plan as one line of JSON."""
    return json.dumps([_FORMAT, kept], default=typed.text).encode()


def parsed(data: bytes) -> KeptPlan:
    """The plan in a line that `rendered` wrote. Raises ValueError, TypeError or AttributeError for any other."""
    form, told = json.loads(data)
    if form != _FORMAT:
        raise ValueError("another format")
    kept: KeptPlan = typed.decoded(KeptPlan, told)
    if kept.basis.commit and not kept.basis.commit.isalnum():  # git must not take it for an option
        raise ValueError("not a commit")
    return kept
