"""The results of writes, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mdmem.note.memory import stem

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange
    from mdmem.write.remember import Remembered, Twin


def remembered_json(
    done: Remembered, twins: Iterable[Twin], questions: Iterable[MayChange] = ()
) -> dict[str, Any]:
    """A new memory, the existing ones that say nearly the same (`score` is 0-1), and those that it may change."""
    like = [_twin_json(twin) for twin in twins]
    return {"name": stem(done.path), **done._asdict(), "twins": like, **may_change_json(questions, done.path)}


def may_change_json(questions: Iterable[MayChange], path: str) -> dict[str, Any]:
    """The older memories that the new one at a path may repeat or change."""
    asked = [one._asdict() for one in questions if one.new == stem(path)]
    return {"may_change": [{key: one[key] for key in one if key != "new"} for one in asked]}


def _twin_json(twin: Twin) -> dict[str, Any]:
    return {"name": twin.record.name, "path": twin.record.path, "score": round(twin.score, 3)}
