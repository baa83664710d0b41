"""What was rebuilt, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.acts.checks.rebuilding import Rebuilt


def rebuilt_json(done: Rebuilt) -> dict[str, Any]:
    """What was rebuilt: how many memories are indexed and topics have pages, how many files were changed."""
    told: dict[str, Any] = {} if done.memories is None else {"memories": done.memories}
    if done.pages:
        told |= {"topics": len(done.pages.topics), "written": done.pages.written, "removed": done.pages.removed}
    if done.pages or done.problems:
        told["problems"] = done.problems
    return told
