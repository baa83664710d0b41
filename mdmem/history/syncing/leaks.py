"""Secrets that a sync would send for the first time: in the current notes, and in every version in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import Problem, StoppedError
from mdmem.history.shown import PastSight
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.log import FileChange
from mdmem.store.vault.vault import Vault
from mdmem.write import guard

_AT_ONCE = 500  # changes whose texts are in memory at a time


class _SentVersion(NamedTuple):
    """A change of a memory, and the commit that made it."""

    commit: str
    change: FileChange


def sent(vault: Vault, there: str, after: str) -> tuple[Problem, ...]:
    """The secrets that commits of `after` added to memories and that `there` ("" for none) does not have yet.

    They are found by the rules of the pre-commit hook: errors in a strict vault, else warnings. Each kind is
    reported once per memory, where it was added last.
    """
    span = f"{there}..{after}" if there else after
    versions = [
        _SentVersion(commit.oid, change)
        for commit in log.commits(vault.repo, span)
        for change in commit.changes
        if _is_new_text(vault, change)
    ]
    leaks: dict[tuple[str, str], Problem] = {}
    for start in range(0, len(versions), _AT_ONCE):
        for commit, leak in _leaks(vault, versions[start : start + _AT_ONCE]):
            leaks.setdefault((leak.path, leak.message), _as_sent(leak, commit))
    return tuple(leaks.values())


def refuse(vault: Vault, remote: str, leaks: Sequence[Problem]) -> None:
    """Raises StoppedError for the first secret that is an error, as it is in a strict vault."""
    errors = [leak for leak in leaks if leak.severity == "error"]
    if not errors:
        return
    first = errors[0]
    where = first.where if PastSight(vault).shows(first.path) else "a note that is not shown here"
    raise StoppedError(
        f"{where}: {first.message}; nothing was sent to {remote} ([hooks] strict = true)",
        f"{first.fix}; mdmem sync --allow-secret sends it all the same",
    )


def _is_new_text(vault: Vault, change: FileChange) -> bool:
    is_text = change.plain and change.after and change.after != change.before
    return bool(is_text) and layout.kind_of(change.path, vault.config) == layout.Kind.MEMORY


def _leaks(vault: Vault, versions: Sequence[_SentVersion]) -> Iterator[tuple[str, Problem]]:
    """(commit, secret) for each secret that a version added."""
    blobs = list({blob for _, change in versions for blob in (change.before, change.after) if blob})
    contents = zip(blobs, vault.repo.blobs(blobs), strict=True)
    texts = {"": "", **{blob: data.decode("utf-8", "replace") for blob, data in contents}}
    for commit, change in versions:
        before, after = texts[change.before], texts[change.after]
        for leak in guard.problems(vault, change.path, before, after):
            yield commit, leak


def _as_sent(leak: Problem, commit: str) -> Problem:
    fix = f"change it where it is used; mdmem purge {memory.stem(leak.path)} erases it from the history"
    return leak._replace(message=f"{leak.message}, since commit {commit[:8]}", fix=fix)
