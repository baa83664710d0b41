"""The health of a vault: its growth, what the doctor found, what the gardeners did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import nullcontext
from itertools import accumulate

from mdmem.acts import upkeep
from mdmem.acts.checks import checkup, recalltests
from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.store.git.log import Commit
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault

_MOST_PROBLEMS, _MOST_RUNS = 200, 60


def read(vault: Vault, request: PageRequest) -> Json:
    """The numbers of a vault by month, each as [month, number], and its known problems.

    `memories` counts the current memories that existed by the end of each month in which one was created, `writes`
    the commits, `gardening` the gardeners' commits; for the problems, see `doctor`. `gardeners` tells for each
    gardener how many proposals were carried out and how many of these were undone. `tests` are the runs of `mdmem
    eval` on this machine. An export holds neither these nor the doctor's findings.
    """
    return {
        **chronicle.kept(vault, "page.numbers", lambda: _numbers(vault)),
        "tests": [] if request.is_kept else [run._asdict() for run in recalltests.runs_of(vault)[-_MOST_RUNS:]],
        **doctor(vault, request, _MOST_PROBLEMS),
    }


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Let the doctor look at the vault now; nothing but what this machine keeps of that changes."""
    del request
    upkeep.doctor(vault, who, lambda _: nullcontext(silent))
    return Destination("health")


def doctor(vault: Vault, request: PageRequest, most: int) -> Json:
    """When `mdmem doctor` last ran here (`checked`), and the first of the `total_problems` that it found.

    If it never ran, and in an export, `checked` is "", and they are those met when the files were read.
    """
    last = None if request.is_kept else checkup.last(vault, most)
    problems = last.problems if last else vault.index.problems()
    return {
        "checked": last.when if last else "",
        "problems": encode(problems[:most]),
        "total_problems": last.total if last else len(problems),
    }


def _numbers(vault: Vault) -> Json:
    """Counts over all memories and commits."""
    records = list(vault.index.records())
    events = chronicle.events(vault)
    return {
        "total": len(records),
        "types": dict(Counter(record.type or "none" for record in records).most_common()),
        "memories": _growing(Counter(record.created[:7] for record in records if record.created)),
        "writes": sorted(Counter(f"{commit.when:%Y-%m}" for commit in events).items()),
        "gardening": sorted(
            Counter(f"{commit.when:%Y-%m}" for commit in events if commit.operation.get("Run")).items()
        ),
        "gardeners": _gardeners(events),
    }


def _gardeners(events: Sequence[Commit]) -> dict[str, dict[str, int]]:
    """gardener -> how many of its proposals were carried out (`done`), and how many of these were undone."""
    undone = {oid for commit in events for oid in commit.operation.get("Undoes")}
    found: dict[str, dict[str, int]] = {}
    for commit in events:
        for name in commit.operation.get("Gardener"):
            counts = found.setdefault(name, {"done": 0, "undone": 0})
            counts["done"] += 1
            counts["undone"] += commit.oid in undone
    return dict(sorted(found.items()))


def _growing(made: Counter[str]) -> list[tuple[str, int]]:
    """(month, number of memories by the end of it), for each month in which one was created."""
    months = sorted(made)
    return list(zip(months, accumulate(made[month] for month in months), strict=True))
