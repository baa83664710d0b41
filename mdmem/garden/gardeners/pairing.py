"""Pairs of notes that gardeners compare, and which of them become proposals of one plan."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from mdmem.garden.gardeners.edits import Workspace
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import LIKELY, Evidence, GardenSettings, Proposal


class NotePair(NamedTuple):
    """A note that stays and one that goes for it, how sure that is (0-1), and what says so.

    What is `certain` needs nobody's judgement; of those that are `ruled` somebody has judged.
    """

    stays: Note
    goes: Note
    sure: float
    evidence: tuple[Evidence, ...]
    certain: bool = False
    ruled: bool = False


def grouped(pairs: Iterable[NotePair], settings: GardenSettings) -> Iterable[list[NotePair]]:
    """The pairs to propose: the certain ones of which one note stays together, any other by itself.

    What somebody judged comes first, then what is certain, then what is surer. A note that is likely to go is in
    no further pair.
    """
    groups: defaultdict[tuple[str, str], list[NotePair]] = defaultdict(list)
    seen: set[frozenset[str]] = set()
    gone: set[str] = set()
    for one in sorted(pairs, key=_order):
        pair = frozenset((one.stays.path, one.goes.path))
        if pair in seen or (pair in settings.ruled and not one.ruled) or not gone.isdisjoint(pair):
            continue
        seen.add(pair)
        groups[one.stays.path, "" if one.certain else one.goes.path].append(one)
        if one.sure >= LIKELY:
            gone.add(one.goes.path)
    return groups.values()


def _order(one: NotePair) -> tuple[Any, ...]:
    return not one.ruled, not one.certain, -one.sure, one.stays.age_order, one.goes.age_order


def proposal(
    work: Workspace, action: str, title: str, pairs: Sequence[NotePair], about: Sequence[Note], **more: Any
) -> Proposal | None:
    """What a gardener proposes about the notes of some pairs; None if it changes nothing."""
    evidence = [why for pair in pairs for why in pair.evidence]
    is_certain = all(pair.certain for pair in pairs)
    return work.proposal(
        action, title, min(pair.sure for pair in pairs), evidence, about, certain=is_certain, **more
    )
