"""Retrieved records, the choice among alternatives, and checks of sources, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.note.memory import stem
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.systems.membrane.retrieval import Retrieval
    from mdmem.systems.membrane.selecting import Choice
    from mdmem.systems.membrane.sources import SourceCheck


def retrieval_lines(found: Retrieval) -> Iterator[str]:
    """`type  salience  name` for each record, then the choice if there is one."""
    for each in found.records:
        reservation = f"  {safe_line(each.reservation)}" if each.reservation else ""
        yield f"{each.layer:10}  {each.salience:.2f}  {safe_line(each.record.name)}{reservation}"
    if found.choice:
        yield from choice_lines(found.choice)


def choice_lines(choice: Choice) -> Iterator[str]:
    """How certain the choice is, then the alternatives, best first."""
    more = "; find out more first" if choice.needs_more else ""
    yield f"choice, {choice.confidence:.0%} sure{more}:"
    for each in choice.ranked:
        rate = "unknown" if each.success_rate is None else f"{each.success_rate:.0%}"
        facts = f"confidence {each.confidence:g}, success {rate}"
        yield f"  {each.score:.2f}  {safe_line(stem(each.path))}  {facts}"


def source_line(check: SourceCheck, style: Style = plain) -> str:
    """`state  record: ref`, and the new place of a source that moved."""
    look = {"changed": "red", "vanished": "red", "moved": "yellow"}.get(check.state, "dim")
    place = f" (now {safe_line(check.place)})" if check.place else ""
    return f"{style(check.state, look)}  {safe_line(check.record)}: {safe_line(check.ref)}{place}"
