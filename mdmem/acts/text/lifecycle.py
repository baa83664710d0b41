"""Changes to the salience of records, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.note.memory import stem
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.systems.membrane.lifecycle import Adjusted


def adjusted_lines(done: Adjusted, verb: str) -> Iterator[str]:
    """`reinforced name  salience 0.40 -> 0.60  (commit)` for each record."""
    commit = f"  ({done.commit[:8]})" if done.commit else ""
    for change in done.changes:
        name = safe_line(stem(change.path))
        after = "" if change.after is None else f" -> {change.after:.2f}"
        yield f"{verb} {name}  salience {_number(change.before)}{after}{commit}"


def _number(salience: float | None) -> str:
    return "none" if salience is None else f"{salience:.2f}"
