"""How a vault does: its growth, what the doctor found, what the gardeners did."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import Any

from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.render.json.notes import problem_json
from mdmem.upkeep import checkup
from mdmem.vault.vault import Vault

_MOST_PROBLEMS = 200


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The numbers of a vault by month, each as [month, number], and the problems that are known.

    `memories` counts those that are there by the end of a month in which one was made, `writes` the commits,
    `gardening` those of the gardeners. `checked` is when `mdmem doctor` last ran here, and `problems` what it
    found that may be shown; without it, what was wrong when the files were read.
    """
    last = None if request.is_kept else checkup.last(vault)
    problems = last.problems if last else vault.index.problems()
    return {
        **chronicle.kept(vault, "page.numbers", lambda: _numbers(vault)),
        "checked": last.when if last else "",
        "problems": [problem_json(problem) for problem in problems[:_MOST_PROBLEMS]],
    }


def _numbers(vault: Vault) -> dict[str, Any]:
    """What is counted of all memories and commits."""
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
    }


def _growing(made: Counter[str]) -> list[tuple[str, int]]:
    """How many there are by the end of each month."""
    months = sorted(made)
    return list(zip(months, accumulate(made[month] for month in months), strict=True))
