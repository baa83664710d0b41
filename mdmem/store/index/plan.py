"""Plans what to read again so that the index agrees with HEAD and the files as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mdmem.store.git.repo import Repo, TreeFile
from mdmem.store.index.disk import UNSURE, Dirty

if TYPE_CHECKING:
    from mdmem.store.git import log

BREAKER_COUNT, BREAKER_SHARE = 10, 0.2
_SUBMODULE = "160000"


class Basis(NamedTuple):
    """What the rows were made from: a commit ("" before the first), and the files that differed from it then."""

    commit: str
    dirty: Mapping[str, Dirty]


class RefreshPlan(NamedTuple):
    """What to do to freshen an index: notes to read again, notes to drop, and commits to take in."""

    read: tuple[str, ...]
    drop: tuple[str, ...]
    steps: tuple[log.Step, ...]
    everything: bool  # forget all rows: a first build, or other settings
    history: bool  # forget the versions: HEAD is not a descendant of the commit known before


class _Past(NamedTuple):
    """What commits changed: path -> git's status letter, the commits to add, and whether history was rewritten."""

    letters: Mapping[str, str]
    steps: Sequence[log.Step]
    rewritten: bool


def plan(
    repo: Repo, basis: Basis | None, head: str, dirty: Mapping[str, Dirty], is_memory: Callable[[str], bool]
) -> RefreshPlan:
    """The plan that leads from `basis` to the commit `head` and the files that differ from it now.

    Without a basis all rows are dropped and everything is read.
    """
    full_rebuild = basis is None
    last = basis or Basis("", {})
    past = _past(repo, last.commit, head)
    touched = [path for path in _touched(past.letters, last.dirty, dirty) if is_memory(path)]
    gone = _gone(repo, head, _doubtful(touched, past.letters, dirty))
    return RefreshPlan(
        read=tuple(path for path in touched if path not in gone),
        drop=tuple(gone),
        steps=tuple(past.steps),
        everything=full_rebuild,
        history=past.rewritten,
    )


def _touched(committed: Iterable[str], before: Mapping[str, Dirty], now: Mapping[str, Dirty]) -> list[str]:
    """The paths whose content may have changed, those of commits first."""
    moved = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
    unsure = {path for path, entry in now.items() if entry.stamp.startswith(UNSURE)}
    return list(dict.fromkeys([*committed, *sorted(moved | unsure)]))


def _doubtful(touched: Sequence[str], letters: Mapping[str, str], dirty: Mapping[str, Dirty]) -> list[str]:
    """The touched paths that are not uncommitted, and that no commit is known to have added or changed."""
    return [path for path in touched if path not in dirty and letters.get(path, "D") == "D"]


def _gone(repo: Repo, head: str, doubtful: Sequence[str]) -> set[str]:
    """The doubtful paths that are not in HEAD: deleted, or ignored by git, and no longer memories."""
    kept = repo.blob_ids(head, doubtful)
    return {path for path in doubtful if path not in kept}


def _past(repo: Repo, old: str, head: str) -> _Past:
    """What changed between two commits; "" stands for the time before all commits."""
    from mdmem.store.git import log

    if old == head:
        return _Past({}, [], rewritten=False)
    if not old:
        present = {file.path: "A" for file in repo.files(head) if file.mode != _SUBMODULE}
        return _Past(present, list(log.steps(repo, head)), rewritten=True)
    step = log.step(repo, head)
    if step.parents == (old,):
        return _Past(_letters(step.changed), [step], rewritten=False)
    letters = _letters(log.changed(repo, old, head))
    if repo.is_ancestor(old, head):
        return _Past(letters, list(log.steps(repo, f"{old}..{head}")), rewritten=False)
    return _Past(letters, list(log.steps(repo, head)), rewritten=True)


def _letters(changed: Iterable[tuple[str, TreeFile]]) -> dict[str, str]:
    return {file.path: letter for letter, file in changed}


def breaks(lost: int, total: int) -> bool:
    """Whether the circuit breaker trips: all memories lost (if over one), or more than 10 and over 20 % of all."""
    return (lost == total and lost > 1) or (lost > BREAKER_COUNT and lost > BREAKER_SHARE * total)
