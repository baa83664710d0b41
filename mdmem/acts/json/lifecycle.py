"""Changes to records, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note.memory import stem

if TYPE_CHECKING:
    from mdmem.systems.membrane.lifecycle import Adjusted
    from mdmem.systems.membrane.revision import Descent


def adjusted_json(done: Adjusted) -> dict[str, Any]:
    """The records changed, each with its effective salience (>= 0, null for none) before and after."""
    return {
        "changes": [{"name": stem(change.path), **change._asdict()} for change in done.changes],
        "commit": done.commit,
    }


def descent_json(done: Descent) -> dict[str, Any]:
    """A new record, and the paths of the records it came from."""
    return {"name": stem(done.path), **done._asdict(), "origins": done.origins}
