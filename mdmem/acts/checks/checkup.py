"""What the doctor found when it last ran here, and how memory tests went: local, never tracked.

Interfaces that cannot wait for either read it. What is damaged counts as missing.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import MdmemError, Problem
from mdmem.history.shown import PastSight
from mdmem.note import moments
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault

_DOCTOR, _TESTS = "doctor.json", "tests.jsonl"
_MOST = 1000  # runs of memory tests that are kept: the latest


class Checkup(NamedTuple):
    """A run of the doctor: its time (RFC 3339), the first problems it found, and the `total` number found."""

    when: str
    problems: tuple[Problem, ...]
    total: int


class RecallTest(NamedTuple):
    """A run of `mdmem eval`: its time (RFC 3339), the number of questions and of those passed, and hit@5 (0-1)."""

    when: str
    questions: int
    passed: int
    hit5: float


def keep(vault: Vault, problems: Sequence[Problem], now: datetime) -> None:
    """Save the results of a run of the doctor, if that is possible."""
    found = {"when": moments.render(now), "problems": [problem._asdict() for problem in problems]}
    _save(vault, _DOCTOR, json.dumps(found))


def keep_test(vault: Vault, questions: int, passed: int, scores: Mapping[str, float], now: datetime) -> None:
    """Save a run of memory tests, if that is possible, one JSON object a line.

    A run without scores, whose questions only forbid answers, is not saved.
    """
    if "hit@5" in scores:
        run = RecallTest(moments.render(now), questions, passed, round(scores["hit@5"], 4))
        runs = [*tests(vault), run][-_MOST:]
        _save(vault, _TESTS, "".join(json.dumps(each._asdict()) + "\n" for each in runs))


def _save(vault: Vault, name: str, text: str) -> None:
    with suppress(OSError, MdmemError):
        state.save(vault.root, vault.repo, name, text.encode())


def last(vault: Vault, most: int) -> Checkup | None:
    """The last run, with at most `most` problems; None if none was saved.

    Problems of memories that the reader may not see are left out, and their names are redacted elsewhere.
    """
    found = state.load(vault.root, _DOCTOR)
    try:
        when, sight = str(found["when"]), PastSight(vault)
        shown = [problem for problem in found["problems"] if sight.shows(problem["path"])]
        problems = [_problem(**problem) for problem in shown[:most]]
    except (TypeError, KeyError):
        return None
    redacted = (each._replace(message=sight.redact(each.message), fix=sight.redact(each.fix)) for each in problems)
    return Checkup(when, tuple(redacted), len(shown))


def _problem(line: int = 0, **texts: str) -> Problem:
    """A problem as the file has it. Raises TypeError if its fields are not those of a problem."""
    if not (isinstance(line, int) and all(isinstance(text, str) for text in texts.values())):
        raise TypeError("not a problem")
    return Problem(line=line, **texts)


def tests(vault: Vault) -> list[RecallTest]:
    """The saved runs of memory tests, the oldest first; what cannot be read is left out."""
    try:
        with open(os.path.join(vault.state, _TESTS), encoding="utf-8", errors="replace") as file:
            return list(_tests(file))
    except OSError:
        return []


def _tests(lines: Iterator[str]) -> Iterator[RecallTest]:
    for line in lines:
        with suppress(ValueError, TypeError, KeyError, OverflowError, RecursionError):
            found = json.loads(line)
            when = moments.normal(found["when"])
            run = RecallTest(when, int(found["questions"]), int(found["passed"]), float(found["hit5"]))
            if when and run.questions > 0 and 0 <= run.hit5 <= 1:
                yield run
