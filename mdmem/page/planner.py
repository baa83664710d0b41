"""A plan of the garden that a process of its own makes: in a large vault it takes a minute, and no page waits.

    python -m mdmem.page.planner '{"root": ..., "limit": ..., "scopes": [...], "now": ...}'

It prints lines of JSON: `{"done": 100, "total": 2000}` as it reads, then `{"trouble": ...}`, or `{}` and on the
line after it the plan.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from datetime import datetime
from threading import Thread

from mdmem.errors import MdmemError
from mdmem.garden.keptplan import basis, store
from mdmem.garden.keptplan.basis import KeptPlan
from mdmem.note.trust.sensitivity import Clearance
from mdmem.vault.vault import Vault

KEPT = "garden-plan"  # the name it is kept under
_STEP = 100  # notes
_MODEST = 5  # how far others go before it
_PATIENCE = 5.0  # seconds that it may take to end once it is told to


class Planner:
    """A plan in the making, of what may be seen of a vault. `done` of `total` memories are read.

    When it `is_over` there is a `plan`, or `trouble` says why not. Close it.
    """

    def __init__(self, vault: Vault, now: datetime) -> None:
        self.since = now
        self.done = self.total = 0
        self.plan: KeptPlan | None = None
        self.trouble = ""
        clearance = vault.clearance._asdict()
        wanted = json.dumps({"root": vault.root, "now": now.isoformat(), **clearance})
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "mdmem.page.planner", wanted],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the server, which ends this
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
                told = json.loads(line)
                self.done, self.total = told.get("done", self.done), told.get("total", self.total)
                self.trouble = told.get("trouble", "")
                if not told:
                    self.plan = store.parsed(lines.readline())
        self._process.wait()
        if self.plan is None and not self.trouble:
            self.trouble = "the gardeners ended without a word; mdmem garden shows why"

    def close(self) -> None:
        """End it, if it is not over."""
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._listener.join(_PATIENCE)


def main(wanted: str) -> None:
    """Make a plan, print it, and keep it for the next start if that can be."""
    told = json.loads(wanted)
    if hasattr(os, "nice"):
        os.nice(_MODEST)
    try:
        with Vault(told["root"]) as vault:
            vault.clearance = Clearance(told["limit"], tuple(told["scopes"]))
            made = basis.make(vault, datetime.fromisoformat(told["now"]), _report)
            with suppress(OSError, MdmemError):
                store.save(vault, KEPT, made)
    except MdmemError as error:
        print(json.dumps({"trouble": error.message}), flush=True)
        return
    print("{}", store.rendered(made).decode(), sep="\n", flush=True)


def _report(done: int, total: int) -> None:
    if done % _STEP == 0 or done == total:
        print(json.dumps({"done": done, "total": total}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
