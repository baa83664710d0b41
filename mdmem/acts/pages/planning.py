"""The gardeners' plan for pages: what is known is shown at once, what is missing is made in the background."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import NamedTuple

from mdmem.acts.pages.planner import KEPT, Planner
from mdmem.errors import MdmemError
from mdmem.garden import keptplan
from mdmem.garden.keptplan import KeptPlan, PlanBasis
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store.vault.vault import Vault

_OF_FILES = f"{KEPT}-of-files"  # the name that exports save their plan under
AT_ONCE = 100  # memories that are planned while a page waits: takes half a second
_PAUSE = timedelta(minutes=1)  # after an answer, before a new plan: the person may be going through the proposals


class KnownPlan(NamedTuple):
    """What is known of the plan: `plan` is None if there is nothing yet.

    `in_making` is the planner that is working on a new one, None if there is none; `trouble` is why the last one
    failed, "" if it did not.
    """

    plan: KeptPlan | None
    in_making: Planner | None = None
    trouble: str = ""


class PlanKeeper:
    """Keeps the plan of one vault up to date. Not thread-safe. Call `close` when done with it."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        """A vault of up to `at_once` memories is planned while the caller waits, a larger one in a process."""
        self._at_once = at_once
        self._plan: KeptPlan | None = None
        self._about: tuple[str, Clearance] | None = None  # whose plan it is: vault and clearance
        self._planner: Planner | None = None
        self._failed: tuple[PlanBasis, str] | None = None
        self._answered: datetime | None = None

    def refresh(self, vault: Vault, now: datetime) -> KnownPlan:
        """Make a new plan, or start to, if the current one is incomplete; return what is known."""
        self._turn_to(vault)
        rests_on = keptplan.basis_of(vault, now)
        self._take_in(rests_on)
        self._plan = self._plan and keptplan.still_valid(vault, self._plan, rests_on)
        if not (self._plan and self._plan.is_whole):
            self._make(vault, rests_on, now)
        trouble = self._failed[1] if self._failed and not self._planner else ""
        return KnownPlan(self._plan, self._planner, trouble)

    def known(self, vault: Vault, now: datetime) -> KeptPlan | None:
        """What still holds of the last plan; None if there is none. Makes no new one."""
        self._turn_to(vault)
        return self._plan and keptplan.still_valid(vault, self._plan, keptplan.basis_of(vault, now))

    def in_making(self) -> Planner | None:
        """The planner that is running, None if there is none. Does not look at the vault."""
        return self._planner if self._planner and not self._planner.is_over else None

    def answered(self, now: datetime) -> None:
        """Note that a person answered a proposal: for a minute, the rest of the current plan is good enough."""
        self._answered = now

    def close(self) -> None:
        """Stop the planner, if one is running."""
        if self._planner:
            self._planner.close()
        self._planner = None

    def _turn_to(self, vault: Vault) -> None:
        about = vault.root, vault.clearance
        if about != self._about:
            self.close()
            self._failed, self._about = None, about
            self._plan = keptplan.load(vault, KEPT)

    def _take_in(self, rests_on: PlanBasis) -> None:
        """Take over the result of a planner that has finished."""
        if not (self._planner and self._planner.is_over):
            return
        self._plan = self._planner.plan or self._plan
        self._failed = None if self._planner.plan else (rests_on, self._planner.trouble)
        self.close()

    def _make(self, vault: Vault, rests_on: PlanBasis, now: datetime) -> None:
        if vault.index.count() <= self._at_once:
            self._plan = keptplan.make(vault, now)
        elif self._planner is None and self._is_time(vault, rests_on, now):
            self._planner = Planner(vault, now)

    def _is_time(self, vault: Vault, rests_on: PlanBasis, now: datetime) -> bool:
        if self._failed and self._failed[0] == rests_on:
            return False
        is_answering = self._answered is not None and now - self._answered < _PAUSE
        least = vault.config.garden.min_confidence
        proposals = self._plan.findings.proposals if self._plan else ()
        return not (is_answering and any(proposal.confidence >= least for proposal in proposals))


def settled(vault: Vault, now: datetime) -> KnownPlan:
    """The whole plan, for an export: the last export's if nothing has changed since, else a new one."""
    kept = keptplan.load(vault, _OF_FILES)
    plan = kept and keptplan.still_valid(vault, kept, keptplan.basis_of(vault, now))
    if plan is None or not plan.is_whole:
        plan = keptplan.make(vault, now)
        if vault.index.count() > AT_ONCE:
            with suppress(OSError, MdmemError):
                keptplan.save(vault, _OF_FILES, plan)
    return KnownPlan(plan)
