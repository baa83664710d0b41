"""Typed records (Membrane) as text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mdmem.acts.style import Style, plain
from mdmem.note.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.systems.membrane.view import RecordSummary


def summary_lines(found: Sequence[RecordSummary], style: Style = plain) -> Iterator[str]:
    """A line for each record: type, effective salience, name."""
    width = max((len(one.type) for one in found), default=0)
    for one in found:
        scope = f"  ({safe_line(one.scope)})" if one.scope else ""
        yield f"{style(one.type.ljust(width), 'dim')}  {one.salience:.2f}  {safe_line(one.note.name)}{scope}"


def record_lines(value: Mapping[str, Any], salience: float, style: Style = plain) -> Iterator[str]:
    """A record for a person: its fields by name, nested ones indented. `salience` is the effective one (>= 0)."""
    for field, said in value.items():
        if field == "salience":
            yield f"{style('salience', 'bold')}: {said} ({salience:.2f} now)"
        else:
            yield from _field_lines(field, said, "", style)


def _field_lines(name: str, value: Any, indent: str, style: Style) -> Iterator[str]:
    label = f"{indent}{style(safe_line(name), 'bold')}:"
    if isinstance(value, dict) and value:
        yield label
        for inner, item in value.items():
            yield from _field_lines(inner, item, indent + "  ", style)
    elif isinstance(value, list) and value:
        yield label
        yield from (f"{indent}  - {_shown(item)}" for item in value)
    else:
        yield f"{label} {_shown(value)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{safe_line(name)}: {_shown(item)}" for name, item in value.items())
    return safe_line(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
