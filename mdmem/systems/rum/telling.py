"""What is told of files that are about to be touched, a line each."""

from __future__ import annotations

from collections.abc import Iterator

from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.systems.rum.reminding import PastWork, Reminders

_LINE = 200  # characters of a line on a past work in a reminder


def reminder_lines(reminders: Reminders) -> Iterator[str]:
    """What is remembered of files that are about to be touched; conflicts first."""
    for conflict in reminders.conflicts:
        yield f"[RUM] {safe_line(conflict.file)}: the same was tried and failed"
        yield f"  - {_past_work(conflict.work)}"
    for about in reminders.files:
        failed = f" ({about.failed} failed)" if about.failed else ""
        yield f"[RUM] {safe_line(about.file)} has {counted(about.memories, 'memory')}{failed}"
        yield from (f"  - {_past_work(work)}" for work in about.works)


def _past_work(work: PastWork) -> str:
    ending = "" if work.success else "FAILED: "
    line = safe_line(f"{work.name}, {work.age}: {work.goal}. {ending}{work.summary}")
    return line if len(line) <= _LINE else f"{line[: _LINE - 3]}..."
