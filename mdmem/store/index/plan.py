"""Plans what to read again so that the index agrees with HEAD and the files as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.store.git.repo import MODULE, PathChange, Repo
from mdmem.store.index.disk import UNSURE, Dirty

if TYPE_CHECKING:
    from mdmem.store.git import log

BREAKER_COUNT, BREAKER_SHARE = 10, 0.2


class RefreshPlan(NamedTuple):
    """What to do to freshen an index: notes to read again, notes to drop, and commits to take in."""

    read: tuple[str, ...]
    drop: tuple[str, ...]
    steps: Sequence[log.Step]
    everything: bool  # forget all rows: a first build, or other settings
    history: bool  # forget the versions: HEAD is not a descendant of the commit known before


def plan(
    repo: Repo,
    basis: tuple[str, Mapping[str, Dirty]] | None,
    head: str,
    dirty: Mapping[str, Dirty],
    is_memory: Callable[[str], bool],
) -> RefreshPlan:
    """The plan that leads from `basis` to the commit `head` and the files that differ from it now.

    The basis is what the rows were made from: a commit ("" before the first), and the files that differed from it
    then. Without one all rows are dropped and everything is read.
    """
    commit, before = basis or ("", {})
    letters, steps, is_rewritten = _past(repo, commit, head)
    touched = [path for path in _touched(letters, before, dirty) if is_memory(path)]
    # not uncommitted, and added or changed by no commit: deleted, or ignored by git and no longer memories
    doubtful = [path for path in touched if path not in dirty and letters.get(path, "D") == "D"]
    kept = repo.blob_ids(head, doubtful)
    gone = dict.fromkeys(path for path in doubtful if path not in kept)
    return RefreshPlan(
        read=tuple(path for path in touched if path not in gone),
        drop=tuple(gone),
        steps=steps,
        everything=basis is None,
        history=is_rewritten,
    )


def _touched(committed: Iterable[str], before: Mapping[str, Dirty], now: Mapping[str, Dirty]) -> list[str]:
    """The paths whose content may have changed, those of commits first."""
    moved = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
    unsure = {path for path, entry in now.items() if entry.stamp.startswith(UNSURE)}
    return list(dict.fromkeys([*committed, *sorted(moved | unsure)]))


def _past(repo: Repo, old: str, head: str) -> tuple[Mapping[str, str], Sequence[log.Step], bool]:
    """What changed between two commits; "" stands for the time before all commits.

    That is path -> git's status letter, the commits to add, and whether history was rewritten.
    """
    from mdmem.store.git import log

    if old == head:
        return {}, [], False
    if not old:
        present = {file.path: "A" for file in repo.files(head) if file.mode != MODULE}
        return present, list(log.steps(repo, head)), True
    step = log.step(repo, head)
    if step.parents == (old,):
        return _letters(step.changed), [step], False
    letters = _letters(log.changed(repo, old, head))
    is_rewritten = not repo.is_ancestor(old, head)
    return letters, list(log.steps(repo, head if is_rewritten else f"{old}..{head}")), is_rewritten


def _letters(changed: Iterable[PathChange]) -> dict[str, str]:
    return {change.path: change.letter for change in changed}


def breaks(lost: int, total: int) -> bool:
    """Whether the circuit breaker trips: all memories lost (if over one), or more than 10 and over 20 % of all."""
    return (lost == total and lost > 1) or (lost > BREAKER_COUNT and lost > BREAKER_SHARE * total)
