"""Lineages, what led to what among memories: as a tree for people, as DOT for Graphviz, and as Mermaid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Style, plain
from mdmem.acts.text.notes import record_line
from mdmem.note.memory import stem
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.history.lineage import Incoming, Lineage, Outgoing, Reached

_HEADS = {"causes": "came of", "effects": "what came of it"}


def lineage_lines(
    lineage: Lineage, out: Outgoing = (), back: Incoming = (), style: Style = plain
) -> Iterator[str]:
    """The memory, its causes and effects, each indented below the one it was reached from, and its other links."""
    yield record_line(lineage.start, style)
    known = {item.record.path for item in lineage.reached}
    lines = [
        record_line(record, style) if record else f"{safe_line(target)} (not written yet)"
        for target, _, record in out
        if not record or record.path not in known
    ]
    linking = [record_line(record, style) for record, _ in back if record.path not in known]
    if not (known or lines or linking):
        yield "  no links"
    for way, head in _HEADS.items():
        reached = [item for item in lineage.reached if item.direction == way]
        if reached:
            yield f"  {head}:"
            yield from _branches(reached, lineage.start.path, style)
    for head, others in (("links to", lines), ("linked from", linking)):
        yield from (f"  {head}:", *(f"    - {line}" for line in others)) if others else ()


def _branches(reached: Sequence[Reached], start: str, style: Style) -> Iterator[str]:
    """The lines of a tree, depth first. Not recursive: a lineage may be longer than Python's stack is deep."""
    children: dict[str, list[Reached]] = {}
    for item in reversed(reached):
        children.setdefault(item.origin, []).append(item)
    waiting = children.pop(start, [])
    while waiting:
        item = waiting.pop()
        yield f"{'  ' * (item.distance + 1)}- {item.relation} {record_line(item.record, style)}"
        waiting += children.pop(item.record.path, [])


def lineage_dot(lineage: Lineage) -> str:
    """A digraph for Graphviz; each arrow goes from the later memory to the earlier one, with the predicate."""
    nodes = [f"  {_quoted(path)} [label={_quoted(stem(path))}];" for path in _paths(lineage)]
    arrows = [
        f"  {_quoted(edge.later)} -> {_quoted(edge.earlier)} [label={_quoted(edge.predicate)}];"
        for edge in lineage.edges
    ]
    return "\n".join(["digraph lineage {", *nodes, *arrows, "}"])


def _quoted(text: str) -> str:
    escaped = safe_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def lineage_mermaid(lineage: Lineage) -> str:
    """A Mermaid flowchart with the same arrows, which Obsidian and git hosts can show."""
    numbers = {path: f"m{number}" for number, path in enumerate(_paths(lineage))}
    nodes = [f'  {number}["{_entities(stem(path))}"]' for path, number in numbers.items()]
    arrows = [f"  {numbers[edge.later]} -->|{edge.predicate}| {numbers[edge.earlier]}" for edge in lineage.edges]
    return "\n".join(["flowchart LR", *nodes, *arrows])


def _entities(text: str) -> str:
    """A text escaped for a Mermaid label, which supports entities but no backslashes."""
    return safe_line(text).replace("#", "#35;").replace('"', "#quot;").replace("<", "#lt;")


def _paths(lineage: Lineage) -> list[str]:
    """The paths of the memories, that of the start first."""
    ends = [path for edge in lineage.edges for path in (edge.later, edge.earlier)]
    others = sorted({*ends, *(item.record.path for item in lineage.reached)} - {lineage.start.path})
    return [lineage.start.path, *others]
