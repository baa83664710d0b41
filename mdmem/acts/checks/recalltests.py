"""The results of memory tests, run by run: local, never tracked, one JSON object per line.

A damaged line is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import moments
from mdmem.store.local import files, state
from mdmem.store.vault.vault import Vault

_FILE = "tests.jsonl"
_MOST = 1000  # runs that are kept: the latest


class RecallTest(NamedTuple):
    """A run of `mdmem eval`: its time (RFC 3339), the number of questions and of those passed, and hit@5 (0-1)."""

    when: str
    questions: int
    passed: int
    hit5: float


def keep(vault: Vault, questions: int, passed: int, scores: Mapping[str, float], now: datetime) -> None:
    """Save a run, if that is possible. A run without scores, whose questions only forbid answers, is not saved."""
    if "hit@5" not in scores:
        return
    run = RecallTest(moments.render(now), questions, passed, round(scores["hit@5"], 4))
    with suppress(OSError, MdmemError):
        folder = state.prepare(vault.root, vault.repo)
        runs = [*runs_of(vault), run][-_MOST:]
        lines = "".join(json.dumps(each._asdict()) + "\n" for each in runs)
        files.save(os.path.join(folder, _FILE), lines.encode(), os.path.join(folder, "tmp"))


def runs_of(vault: Vault) -> list[RecallTest]:
    """The saved runs, the oldest first."""
    return list(_runs(os.path.join(vault.state, _FILE)))


def _runs(place: str) -> Iterator[RecallTest]:
    try:
        with open(place, encoding="utf-8", errors="replace") as file:
            lines = file.readlines()
    except OSError:
        return
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, OverflowError, RecursionError):
            found = json.loads(line)
            when = moments.normal(found["when"])
            run = RecallTest(when, int(found["questions"]), int(found["passed"]), float(found["hit5"]))
            if when and run.questions > 0 and 0 <= run.hit5 <= 1:
                yield run
