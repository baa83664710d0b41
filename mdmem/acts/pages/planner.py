"""Make the gardeners' plan in a separate process: in a large vault that takes a minute, and no page waits.

    python -m mdmem.acts.pages.planner '{"root": ..., "limit": ..., "scopes": [...], "now": ...}'

The process prints lines of JSON: `{"done": 100, "total": 2000}` (notes) as it reads, then either `{"trouble":
...}`, or `{}` and the plan on the next line.
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
from mdmem.garden import keptplan
from mdmem.garden.keptplan import KeptPlan
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store.vault.vault import Vault

KEPT = "garden-plan"  # the name that the plan is saved under
_STEP = 100  # notes between two progress reports
_NICENESS = 5  # of the process: the server and the person come first
_PATIENCE = 5.0  # seconds that the process gets to end once asked to


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
            [sys.executable, "-P", "-m", "mdmem.acts.pages.planner", order],
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
