"""What waits for a verdict, and what became of verdicts, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.acts.text.past import diff_text
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line

if TYPE_CHECKING:
    from mdmem.acts.checks.queue import Queue, Told, Waiting
    from mdmem.garden.judging import Judged

_NOUNS = {
    "captured": "captured memory",
    "proposal": "proposal",
    "fact": "unscored fact",
    "merge": "merge conflict",
}
_LINES, _DIFF = 6, 40  # lines of a text and of a diff that are shown at first


def queue_lines(queue: Queue, style: Style = plain) -> Iterator[str]:
    """How much waits, the first of it, and how to answer."""
    waits = [counted(count, _NOUNS[kind]) for kind, count in queue.counts.items() if count]
    if not waits:
        yield "nothing waits"
        return
    yield style(", ".join(waits), "bold")
    for one in queue.items:
        yield from waiting_lines(one, style)
    if left := sum(queue.counts.values()) - len(queue.items):
        yield f"... and {left} more: --limit, --kind"
    yield "answer: mdmem judge, or mdmem judge ID VERDICT"
    yield from agreed_lines(queue.items)


def agreed_lines(items: Iterable[Waiting]) -> Iterator[str]:
    """Who agrees to how much of what waits, and how to take that."""
    by: dict[str, int] = {}
    for one in items:
        if one.agreed:
            by[one.agreed] = by.get(one.agreed, 0) + 1
    for actor, count in by.items():
        yield f"{count} that {safe_line(actor)} agrees to: mdmem judge --agreed-by {safe_line(actor)}"


def waiting_lines(
    one: Waiting, style: Style = plain, with_diff: bool = False, whole: bool = False
) -> Iterator[str]:
    """What waits: id, kind, how sure it is and title, from whom, what there is to read, what taking it would do.

    With the diff, or the `whole` of texts and diff.
    """
    title = style(safe_line(one.title), "bold")
    yield f"{style(safe_line(one.id), 'yellow')}  {safe_line(one.of)}  {one.sure:.2f}  {title}"
    yield f"    from    {safe_line(one.by)}{': ' if one.why else ''}{safe_line(one.why)}"
    for told in one.texts:
        yield from _text_lines(told, whole)
    would = safe_line(one.would) + (f"; lost: {safe_line(one.lost)}" if one.lost else "")
    yield f"    would   {would}"
    if one.said:
        yield f"    said    {safe_line(one.said)}"
    if one.undone:
        yield f"    {style('its session was undone', 'yellow')}"
    yield f"    answer  {', '.join(one.answers)}"
    if (with_diff or whole) and one.change:
        lines = one.change.splitlines()
        yield diff_text("\n".join(lines if whole else lines[:_DIFF]), style)
        if len(lines) > _DIFF and not whole:
            yield f"... and {len(lines) - _DIFF} more lines: d"


def _text_lines(told: Told, whole: bool) -> Iterator[str]:
    about = ", ".join(safe_line(part) for part in (told.name, told.date, told.by) if part)
    rows = [line for line in safe(told.text).splitlines() if line.strip()] or ["(nothing)"]
    head = [about] if told.name else []
    rows = [*head, *(rows if whole or len(rows) <= _LINES else [*rows[:_LINES], "..."])]
    for at, row in enumerate(rows):
        yield f"    {told.which if not at else '':7} {'  ' if at and head else ''}{row}".rstrip()


def judged_lines(done: Iterable[Judged], dry_run: bool = False) -> Iterator[str]:
    """What became of each verdict."""
    for one in done:
        title = safe_line(one.title or one.said.id)
        if one.fault:
            yield f"not taken: {safe_line(one.said.id)}: {safe_line(one.fault.message)}"
        elif dry_run:
            fate = "kept for a person" if one.waits else "done"
            yield f"would be {fate}: {safe_line(one.said.verdict)}: {title}"
        elif one.path:
            yield f"remembered {safe_line(one.path)}  ({one.commit[:8]})"
            yield from (f"  {safe_line(each.advice)}" for each in one.may_change)
        elif one.commit:
            yield f"done: {title}  ({one.commit[:8]})"
        elif one.waits:
            yield f"waits for a person: {title}"
        else:
            yield f"{safe_line(one.said.verdict)}: {title}{': ' if one.why else ''}{safe_line(one.why)}"
