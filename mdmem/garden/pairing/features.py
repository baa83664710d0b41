"""Named figures on two notes that may say the same or contradict each other.

They are the features of the fitted model in `weights`, where a figure adds weight from certain values on. Figures
of the older note end in `_old`, those of the newer one in `_new`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from mdmem.garden.gardeners.note import SAME_DAYS, Note
from mdmem.garden.pairing import amounts, retold
from mdmem.garden.pairing.nearest import NearTexts
from mdmem.language import likeness
from mdmem.language.alignment import forms, reworded, same
from mdmem.language.alignment.reading import Reading, Word
from mdmem.language.alignment.sides import Alignment, Weights
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.disagreement import endings, verdict
from mdmem.language.disagreement.verdict import ChangeWords
from mdmem.language.sureness import SURE

_DAY = 86_400  # seconds

Figures = dict[str, float]
# The figures of the first look.
FIRST = (
    *("near by roots", "near by spelling", "rank for old", "rank for new", "third for old"),
    *("third for new", "nearer third", "roots_old", "roots_new", "days apart", "within days"),
    *("event_old", "event_new", "future_old", "future_new", "tags apart"),
)


class ComparedNote(NamedTuple):
    """A note with its roots (tags and title included), its body, and what its text says, read for comparison."""

    note: Note
    roots: frozenset[str]
    body: str
    said: Reading
    wording: ChangeWords


class NoteFigures(NamedTuple):
    """What the figures need of one note, collected once for all pairs that it is in."""

    circle: tuple[str, ...]
    moment: datetime
    is_event: bool
    is_ahead: bool
    tags: frozenset[str]


def figures_of(note: Note) -> NoteFigures:
    """The figures that the properties of a note give."""
    kind, category = note.text("type"), note.text("category")
    is_event = "episodic" in (kind, category) or category == "past"
    return NoteFigures(note.circle, note.moment, is_event, category == "future", frozenset(note.tags))


def first_look(near: NearTexts, old: NoteFigures, new: NoteFigures, sizes: tuple[int, int]) -> Figures:
    """The figures that need no reading of the texts; `sizes` counts the roots of the older and the newer."""
    apart = new.moment - old.moment
    return {
        "near by roots": near.roots,
        "near by spelling": near.spelled,
        "rank for old": near.ranks[0],
        "rank for new": near.ranks[1],
        "third for old": near.thirds[0],
        "third for new": near.thirds[1],
        "nearer third": max(near.thirds),
        "roots_old": sizes[0],
        "roots_new": sizes[1],
        "days apart": apart.total_seconds() / _DAY,
        "within days": apart < SAME_DAYS,
        "event_old": old.is_event,
        "event_new": new.is_event,
        "future_old": old.is_ahead,
        "future_new": new.is_ahead,
        "tags apart": bool(old.tags and new.tags) and old.tags.isdisjoint(new.tags),
    }


def second_look(
    old: ComparedNote, new: ComparedNote, aligned: Alignment, weights: Weights, third: float
) -> Figures:
    """The figures that need the texts aligned; `third` is as in `same.sureness`."""
    return {
        **_shares(old, new, aligned, weights),
        **_values(old.said, new.said, aligned),
        **_forms(aligned),
        **retold.figures(old.said, new.said, aligned, weights),
        **_changes(old.wording, new.wording, aligned),
        **_wording(old.body, "old"),
        **_wording(new.body, "new"),
        **_rules(old, new, aligned, weights, third),
    }


def _shares(old: ComparedNote, new: ComparedNote, aligned: Alignment, weights: Weights) -> Figures:
    """How much of each text is in the other."""
    shared = old.roots & new.roots
    weight = weights.total(shared)
    own = weight / (weights.total(old.roots) or 1.0), weight / (weights.total(new.roots) or 1.0)
    return {
        "share of old": own[0],
        "share of new": own[1],
        "share of shorter": max(own),
        "share of longer": min(own),
        "roots of two": sum(weights.is_of_two(root) for root in shared),
        "rarest shared": max(map(weights.of, shared), default=0.0),
        "share aligned": aligned.share,
        "share aligned within": aligned.within,
        "aligned words": sum(len(pair.shared) for pair in aligned.pairs),
        **_beginnings(old, new),
        "subject of old in new": _subject_shared(old, new, weights),
        "same language": old.said.tongue == new.said.tongue,
    }


def _beginnings(old: ComparedNote, new: ComparedNote) -> Figures:
    """Whether the first content word of each, mostly its subject, is in the other."""
    first, second = (text.said.words[0].root if text.said.words else "" for text in (old, new))
    return {
        "same beginning": first == second != "",
        "beginning of old in new": first in new.roots,
        "beginning of new in old": second in old.roots,
    }


def _subject_shared(old: ComparedNote, new: ComparedNote, weights: Weights) -> float:
    """How much of the subject of the older note's first sentence the newer note has, by weight, 0-1."""
    subject = {word.root for sentence in old.said.sentences[:1] for word in sentence.key}
    return weights.total(subject & new.roots) / (weights.total(subject) or 1.0)


def _values(old: Reading, new: Reading, aligned: Alignment) -> Figures:
    """Counts of the numbers, times, days and names that both have or only one has, and how the values compare."""
    alone_old, alone_new = _by_kind(aligned.alone_first), _by_kind(aligned.alone_second)
    has_old, has_new = _by_kind(old.words), _by_kind(new.words)
    figures: Figures = {}
    exchanged = agreed = 0
    for kind in VALUE_KINDS:
        shared = len(has_old[kind] & has_new[kind])
        both = bool(alone_old[kind] - has_new[kind] and alone_new[kind] - has_old[kind])
        figures[f"{kind} in both"] = shared
        figures[f"other {kind} in each"] = both
        figures[f"{kind} alone_old"] = len(alone_old[kind])
        figures[f"{kind} alone_new"] = len(alone_new[kind])
        exchanged += both and not shared and kind != "name"
        agreed += bool(shared) and not both
    ratio = amounts.ratio(aligned.alone_first, aligned.alone_second)
    return figures | {"exchanged": exchanged, "agreed": agreed, "ratio of amounts": ratio}


def _by_kind(words: Iterable[Word]) -> defaultdict[str, set[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for word in words:
        found[word.kind].add(word.root)
    return found


def _forms(aligned: Alignment) -> Figures:
    """How the aligned sentences compare in form."""
    return {
        "turned": aligned.turned,
        "in order": all(pair.in_order for pair in aligned.pairs),
        "one form": any(forms.is_one_form(pair, aligned.tongue) for pair in aligned.pairs),
        "another value": any(map(same.has_another_value, aligned.pairs)),
        "told otherwise": any(map(same.is_told_otherwise, aligned.pairs)),
        "own key": any(map(verdict.has_own_key, aligned.pairs)),
    }


def _changes(old: ChangeWords, new: ChangeWords, aligned: Alignment) -> Figures:
    """Words that tell of a change or an end."""
    changed, maybe = new.changed - old.changed, new.may_have_changed - old.may_have_changed
    end = endings.ending(aligned)
    return {
        "changed_new": len(changed),
        "changed near": verdict.is_near(aligned, changed),
        "may have changed_new": len(maybe),
        "may have changed_old": len(old.may_have_changed),
        "may have changed near": verdict.is_near(aligned, maybe),
        "no change told": not (changed or maybe or end.is_told),
        "ended": end.is_told,
    }


def _wording(body: str, which: str) -> Figures:
    """What shows of which kind a text is: denials, questions, lists."""
    return {
        f"denies_{which}": likeness.negations(body),
        f"asks_{which}": "?" in body,
        f"list_{which}": "\n- " in body,
    }


def _rules(old: ComparedNote, new: ComparedNote, aligned: Alignment, weights: Weights, third: float) -> Figures:
    """How sure the rules are, 0-1, that the two say the same, say it in other words, or contradict each other."""
    kind = verdict.kind(aligned, old.wording, new.wording)
    return {
        "same by rule": same.sureness(aligned, third, weights),
        "reworded by rule": reworded.sureness(aligned, third, weights),
        "contradiction by rule": SURE[f"rivals.{kind}"] if kind else 0.0,
    }
