"""The gardeners' plan for pages: what is known is shown at once, what is missing is made in the background."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from datetime import datetime, timedelta
from threading import Thread
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.garden import keptplan
from mdmem.garden.keptplan import KeptPlan, PlanBasis
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store.vault.vault import Vault

KEPT = "garden-plan"  # the name that the plan is saved under
_OF_FILES = f"{KEPT}-of-files"  # the name that exports save their plan under
AT_ONCE = 100  # memories that are planned while a page waits: takes half a second
_PAUSE = timedelta(minutes=1)  # after an answer, before a new plan: the person may be going through the proposals
_STEP = 100  # notes between two progress reports
_NICENESS = 5  # of the process: the server and the person come first
_PATIENCE = 5.0  # seconds that the process gets to end once asked to


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


class Planner:
    """A plan that a process is making, for the part of a vault that the reader may see.

    `done` of `total` memories have been read. Once `is_over` is true, either `plan` is set, or `trouble` says why
    not. Call `close` when done with it.
    """

    def __init__(self, vault: Vault, now: datetime) -> None:
        self.since = now
        self.done = self.total = 0
        self.plan: KeptPlan | None = None
        self.trouble = ""
        clearance = vault.clearance._asdict()
        order = json.dumps({"root": vault.root, "now": now.isoformat(), **clearance})
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "mdmem.acts.pages.planning", order],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C reaches only the server, which ends this process
        )
        self._listener = Thread(target=self._listen, name="mdmem-planner", daemon=True)
        self._listener.start()

    @property
    def is_over(self) -> bool:
        return not self._listener.is_alive()

    def _listen(self) -> None:
        lines = self._process.stdout
        assert lines
        with lines, suppress(ValueError, TypeError, KeyError, AttributeError):  # a line may be cut off
            for line in lines:
                report = json.loads(line)
                self.done, self.total = report.get("done", self.done), report.get("total", self.total)
                self.trouble = report.get("trouble", "")
                if not report:
                    self.plan = keptplan.parsed(lines.readline())
        self._process.wait()
        if self.plan is None and not self.trouble:
            self.trouble = "the gardeners stopped without a message; mdmem garden shows why"

    def close(self) -> None:
        """End the process if it is still running."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._listener.join(_PATIENCE)


def main(order: str) -> None:
    """Make the plan requested in JSON, print it, and save it for the next start if possible."""
    asked = json.loads(order)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        with Vault(asked["root"]) as vault:
            vault.clearance = Clearance(asked["limit"], tuple(asked["scopes"]))
            made = keptplan.make(vault, datetime.fromisoformat(asked["now"]), _report)
            with suppress(OSError, MdmemError):
                keptplan.save(vault, KEPT, made)
    except MdmemError as error:
        print(json.dumps({"trouble": error.message}), flush=True)
        return
    print("{}", keptplan.rendered(made).decode(), sep="\n", flush=True)


def _report(done: int, total: int) -> None:
    if done % _STEP == 0 or done == total:
        print(json.dumps({"done": done, "total": total}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
