"""Which of two values of a property wins if both sides changed it, by the meaning of the property."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.note import moments
from mdmem.note.memory import as_flag, as_text

if TYPE_CHECKING:
    from mdmem.note.yamltext import Value

OURS, THEIRS, UNDECIDED = "ours", "theirs", ""
_GRAVITY = {  # the later value outranks the earlier
    "status": ("active", "contested", "deprecated", "retracted"),
    "sensitivity": ("public", "low", "medium", "high", "hyper"),
    "origin": ("user", "agent", "tool", "web", "import"),
}
_EARLIER = frozenset({"created"})
_LATER = frozenset({"updated", "decay_anchor"})


def decided(key: str, ours: Value, theirs: Value) -> str:
    """OURS or THEIRS if the property's meaning says which value wins, else UNDECIDED."""
    if key == "id":  # both sides gave an id to a note without one: the first in sort order wins
        return OURS if as_text(ours) < as_text(theirs) else THEIRS
    if key in _GRAVITY:
        return _graver(_GRAVITY[key], ours, theirs)
    if key == "pinned" and as_flag(ours) != as_flag(theirs):
        return OURS if as_flag(ours) else THEIRS
    if key in _EARLIER or key in _LATER or key.startswith("last_"):
        return _by_date(ours, theirs, latest=key not in _EARLIER)
    return UNDECIDED


def sensitivity(value: Value) -> int:
    """The rank of a memory's sensitivity, from 0 for public; an unknown or missing value ranks as low."""
    ranks = _GRAVITY["sensitivity"]
    return ranks.index(str(value) if value in ranks else "low")


def _graver(ranks: tuple[str, ...], ours: Value, theirs: Value) -> str:
    if ours not in ranks or theirs not in ranks or ours == theirs:
        return UNDECIDED
    return OURS if ranks.index(str(ours)) > ranks.index(str(theirs)) else THEIRS


def _by_date(ours: Value, theirs: Value, latest: bool) -> str:
    left, right = moments.normal(ours), moments.normal(theirs)
    if not left or not right or left == right:
        return UNDECIDED
    return OURS if (left > right) is latest else THEIRS
