"""The order in which a person is shown proposals: those that they would care about most come first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import Proposal, Weight
from mdmem.note.memory import as_flag

_CONFLICTS = ("conflicts", "facts")  # gardeners that find contradictions

Order = tuple[bool, bool, bool, int, float, str, str, str]


def weighed(proposals: Iterable[Proposal], notes: Mapping[str, Note]) -> list[Proposal]:
    """The proposals, each with the weight of the notes (by path) that it is about."""
    return [one._replace(weight=_weight(one, notes)) for one in proposals]


def about(one: Proposal, notes: Mapping[str, Note]) -> list[Note]:
    """The notes (by path) that a proposal is about: those it names, else those of its evidence or its edits."""
    paths = notes.keys() & (one.about or {why.path for why in one.evidence}) or notes.keys() & {*one.paths}
    return [notes[path] for path in sorted(paths)]


def _weight(one: Proposal, notes: Mapping[str, Note]) -> Weight:
    concerned = about(one, notes)
    return Weight(
        active=all(note.is_active for note in concerned),
        pinned=any(as_flag(note.meta.get("pinned")) for note in concerned),
        used=max((note.used for note in concerned), default=0),
    )


def order(one: Proposal) -> Order:
    """A sort key for the order in which a person should see proposals.

    Conflicts come first, then proposals about active memories only, about a pinned one, about one that was used
    more often, and then the surer ones.
    """
    weight = one.weight
    is_conflict = one.gardener in _CONFLICTS
    return (
        *(not is_conflict, not weight.active, not weight.pinned, -weight.used),
        *(-one.confidence, one.gardener, one.title, one.id),
    )
