"""Commits as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note import moments

if TYPE_CHECKING:
    from mdmem.store.git.log import Commit


def commit_json(commit: Commit) -> dict[str, Any]:
    """A commit; `by_hand` is true if another tool than mdmem made it."""
    operation = commit.operation
    return {
        "commit": commit.oid,
        "when": moments.render(commit.when),
        "actor": commit.actor,
        "author": f"{commit.author} <{commit.email}>",
        "session": operation.session,
        "actions": list(commit.actions),
        "by_hand": not operation.action,
        "reason": operation.reason,
        "ids": list(operation.ids),
        "changes": [
            {"action": change.action, "path": change.path, "old_path": change.old_path}
            for change in commit.changes
        ],
    }
