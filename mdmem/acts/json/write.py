"""The results of writes, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mdmem.acts.json.notes import problem_json
from mdmem.note.memory import stem

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange
    from mdmem.vault.starter import Refreshed
    from mdmem.write.edit import Adoption, Written
    from mdmem.write.remember import Remembered, Twin
    from mdmem.write.rename import Moved


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


def written_json(done: Written | Refreshed) -> dict[str, Any]:
    """The files that a write touched."""
    return {"paths": list(done.paths), "commit": done.commit}


def adopted_json(done: Adoption) -> dict[str, Any]:
    """The notes that were given properties, and the problems that kept others from getting them."""
    problems = [problem_json(problem) for problem in done.problems]
    return {"paths": list(done.paths), "commit": done.commit, "problems": problems}


def renamed_json(old_path: str, done: Moved) -> dict[str, Any]:
    """A memory with its new name, and the notes whose links followed."""
    return {
        "old_path": old_path,
        "path": done.moves[old_path],
        "relinked": list(done.relinked),
        "commit": done.commit,
    }


def moved_json(done: Moved) -> dict[str, Any]:
    """The memories that a change of layout moved, old path -> new path."""
    return {"moves": dict(done.moves), "relinked": list(done.relinked), "commit": done.commit}


def restored_json(path: str, commit: str) -> dict[str, Any]:
    """A memory, dialog or version that was restored."""
    return {"path": path, "commit": commit}
