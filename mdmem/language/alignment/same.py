"""Whether two aligned texts say the same, judging by what is left over.

One text may contain the other whole and say more. The rest must be neither a condition nor another subject ("the
children's choir" is not the choir). Two texts may also say the same in other words, if no slot holds two values
and no third text of the vault is as near to either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mdmem.language.alignment.reading import Word
from mdmem.language.alignment.sides import Alignment, Weights
from mdmem.language.alignment.slots import VALUE_KINDS, SentencePair, displaces
from mdmem.language.disagreement import stance
from mdmem.language.likeness import swapped
from mdmem.language.sureness import SURE, on_curve

_LEAST_WORDS = 3  # that both texts share; with fewer, nothing is sure
_LEAST_OTHER_WORDS = 4  # that both share, if neither contains the other
_LEAST_SURE = 5  # shared words; with fewer, a paraphrase is not sure
_FEW = 2  # most words that stand for one value
# (share of common weight, how sure it is that two texts say the same); linear between these points.
_GRADES = ((0.26, 0.5), (0.36, 0.8), (0.8, 0.95))
_UNSURE = 0.6
_LEAST_MOVED = 4  # shared words that may be reordered, if more is said or one is a name
FAMILY = 0.95  # of the nearness of two: a third text nearer to one of them makes a family of the three


def sureness(found: Alignment, third: float, weights: Weights) -> float:
    """How sure it is that two aligned texts say the same, 0-1.

    `third` is how near the nearest other text of the vault is to one of them, as a share of how near they are to
    each other.
    """
    if found.turned or any(map(has_another_value, found.pairs)) or _count(found) < _LEAST_WORDS:
        return 0.0
    whole = _whole(found)
    if whole and any(map(is_told_otherwise, found.pairs)):
        return SURE["twins.added"]
    return whole or _reworded(found, third, weights)


def _reworded(found: Alignment, third: float, weights: Weights) -> float:
    """How sure it is that two texts say the same if neither contains the other, 0-1."""
    if _count(found) < _LEAST_OTHER_WORDS or any(_is_crossed(pair) or displaces(pair) for pair in found.pairs):
        return 0.0
    sure = _in_other_words(found, weights)
    return min(sure, _UNSURE) if third > FAMILY else sure


def _in_other_words(found: Alignment, weights: Weights) -> float:
    """How sure it is, judging by the words that the two share, 0-1."""
    sure = graded(found.share)
    kinds = {word.kind for word in found.alone_first} & {word.kind for word in found.alone_second}
    in_order = found._replace(pairs=tuple(pair for pair in found.pairs if pair.in_order))
    if not kinds.isdisjoint(VALUE_KINDS) or is_substituted(in_order, weights):
        return 0.0
    if found.changed:
        return _UNSURE if sure >= SURE["twins.edited"] else 0.0
    is_unsure = _count(found) < _LEAST_SURE
    return min(sure, _UNSURE) if is_unsure else sure


def is_another_thing(found: Alignment, weights: Weights) -> bool:
    """Whether similar texts differ in what they are about, or in most of what they say about it.

    Words in another order are a paraphrase, unless they are all that is said.
    """
    kept = found._replace(pairs=tuple(pair for pair in found.pairs if not pair.is_rearranged))
    is_crossed = found.share >= _GRADES[-1][0] and any(map(_is_crossed, found.pairs))
    is_about_another = any(map(has_another_value, kept.pairs)) or any(map(displaces, found.pairs))
    return is_crossed or is_about_another or is_substituted(kept, weights)


def _count(found: Alignment) -> int:
    return sum(len(pair.shared) for pair in found.pairs) + found.named


def _whole(found: Alignment) -> float:
    """How sure it is that one text contains all that the other says; 0 if it does not."""
    is_moved = not all(pair.in_order for pair in found.pairs)
    if (found.alone_first and found.alone_second) or (is_moved and not _may_move(found)):
        return 0.0
    if any(map(displaces, found.pairs)):
        return 0.0
    if not (found.alone_first or found.alone_second):
        return SURE["twins.edited" if is_moved else "twins.same"]
    if any(map(_narrows, found.pairs)):
        return SURE["twins.added"]
    return SURE["twins.within" if is_moved else "twins.longer"]


def _may_move(found: Alignment) -> bool:
    """Whether enough is said for the order of words to be a matter of style."""
    names = sum(match.first.kind == "name" for pair in found.pairs for match in pair.shared)
    is_all = not (found.alone_first or found.alone_second or names)
    is_enough = _count(found) >= _LEAST_MOVED or is_all
    return is_enough and not any(map(_is_crossed, found.pairs))


def _is_crossed(pair: SentencePair) -> bool:
    """Whether two things have changed places around a word: who pays whom."""
    return not pair.in_order and (_is_exchanged(pair) or swapped(pair.first.text, pair.second.text))


def _is_exchanged(pair: SentencePair) -> bool:
    """Whether the order differs in two words only, each of which stands where the other did."""
    ranks = {place: rank for rank, place in enumerate(sorted(match.second.at for match in pair.shared))}
    moved = [rank for rank, match in enumerate(pair.shared) if ranks[match.second.at] != rank]
    return len(moved) == _FEW and moved[1] - moved[0] > 1


def is_told_otherwise(pair: SentencePair) -> bool:
    """Whether one of two sentences asks, wishes or supposes what the other states, or is about another time."""
    return stance.of_whole(pair.first.text) != stance.of_whole(pair.second.text)


def has_another_value(pair: SentencePair) -> bool:
    """Whether two sentences give two values for one thing, or one value for two things."""
    is_value = any(slot.kind != "word" for slot in pair.slots)
    return is_value or (pair.in_order and (any(slot.place == "key" for slot in pair.slots) or _has_more_key(pair)))


def _has_more_key(pair: SentencePair) -> bool:
    """Whether one of two sentences narrows down what it is about: the choir, the children's choir."""
    shared_first = {match.first.clause for match in pair.shared}
    shared_second = {match.second.clause for match in pair.shared}
    more_first = (word for word in pair.more_first if word.at < pair.first.verb and word.clause in shared_first)
    more_second = (
        word for word in pair.more_second if word.at < pair.second.verb and word.clause in shared_second
    )
    return any(more_first) or any(more_second)


def is_substituted(found: Alignment, weights: Weights) -> bool:
    """Whether substitutions of one word or two make up most of the difference between two texts."""
    exchanged = [sides for pair in found.pairs for sides in _exchanges(pair)]
    few = [sides for sides in exchanged if max(map(len, sides)) <= _FEW]
    weight = weights.total(word.root for one, two in few for word in (*one, *two))
    return bool(few) and 2 * weight >= sum(found.alone)


def _exchanges(pair: SentencePair) -> Iterator[tuple[Sequence[Word], Sequence[Word]]]:
    """What each of two sentences says instead of the other: in a slot, or in words that stand apart."""
    for slot in pair.slots:
        yield slot.first, slot.second
    if pair.more_first and pair.more_second:
        yield pair.more_first, pair.more_second


def _narrows(pair: SentencePair) -> bool:
    """Whether what one says more may narrow what both say: for whom, where, when, with what."""
    first, second = pair.first.narrowing, pair.second.narrowing
    if len(first) >= len(second):
        return len(first) > len(second) and any(word.clause in first for word in pair.alone_first)
    return any(word.clause in second for word in pair.alone_second)


def graded(share: float) -> float:
    """How sure a share of common weight makes it that two texts say the same, 0-1."""
    return on_curve(_GRADES, share) if share >= _GRADES[0][0] else 0.0
