"""What the doctor found when it last ran here: local, never tracked, for interfaces that cannot wait for it.

A damaged file counts as missing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import MdmemError, Problem
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.store.local import files, state
from mdmem.store.vault.vault import Vault

_FILE = "doctor.json"


class Checkup(NamedTuple):
    """A run of the doctor: its time (RFC 3339), the first problems it found, and the `total` number found."""

    when: str
    problems: tuple[Problem, ...]
    total: int


def keep(vault: Vault, problems: Sequence[Problem], now: datetime) -> None:
    """Save the results of a run, if that is possible."""
    found = {"when": moments.render(now), "problems": [problem._asdict() for problem in problems]}
    with suppress(OSError, MdmemError):
        folder = state.prepare(vault.root, vault.repo)
        files.save(os.path.join(folder, _FILE), json.dumps(found).encode(), os.path.join(folder, "tmp"))


def last(vault: Vault, most: int) -> Checkup | None:
    """The last run, with at most `most` problems; None if none was saved.

    Problems of memories that the reader may not see are left out, and their names are redacted elsewhere.
    """
    try:
        with open(os.path.join(vault.state, _FILE), "rb") as file:
            found = json.load(file)
        when, sight = str(found["when"]), PastSight(vault)
        shown = [problem for problem in found["problems"] if sight.shows(problem["path"])]
        problems = [_problem(**problem) for problem in shown[:most]]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    redacted = (each._replace(message=sight.redact(each.message), fix=sight.redact(each.fix)) for each in problems)
    return Checkup(when, tuple(redacted), len(shown))


def _problem(line: int = 0, **texts: str) -> Problem:
    """A problem as the file has it. Raises TypeError if its fields are not those of a problem."""
    if not (isinstance(line, int) and all(isinstance(text, str) for text in texts.values())):
        raise TypeError("not a problem")
    return Problem(line=line, **texts)
