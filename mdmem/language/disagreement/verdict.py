"""In which way a newer text contradicts an older one, by what is left over when the two are aligned.

Three things tell: one value that differs where all else is the same, a sentence that denies its counterpart, and
words of change in the newer text. Which notes are nearest to each other plays no part here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from mdmem.language.alignment.forms import is_one_form
from mdmem.language.alignment.shared import SharedWord
from mdmem.language.alignment.sides import Alignment
from mdmem.language.alignment.slots import VALUE_KINDS, SentencePair, Slot
from mdmem.language.disagreement import endings, stance
from mdmem.language.doubt import normal
from mdmem.language.roots import folded

_WORD = re.compile(r"\w+")
_HABIT = re.compile(r"\w+days")
_COPULA = re.compile(r"\b(?:is|are|ist|sind|es|son|est|sont)\b|:")
_NAMING = re.compile(r"\b(?:called|named|heißt|llama|appelle)\b")
_MOVED_TO = re.compile(
    r"\b(?:switched|moved|changed|migrated|upgraded|went|gewechselt|umgezogen|umgestellt|cambiamos|passés?)"
    r" [^.;]{0,40}?\b(?:to|auf|zu|nach|a|à) (?:the |a |an )?(\w+)"
)
_OFTEN_SEVERAL = ("day", "time")
_PLAIN = ("slot", "denial")  # kinds that need no word of change
_ALIKE = 0.8  # fit from which on two words say the same
_NEAR = 5  # words between a word of change and one that both texts share
_THING_AND_VALUE = 2  # slots of two sentences about two things of one kind
_MOST_EXCHANGED = 2  # words in one slot of such sentences
_MOST_VALUE_WORDS = 3  # of a value on one side of a slot
_TWIN_SHARE, _TWIN_WITHIN = 0.75, 0.9  # shares of weight from which texts without a slot say the same


class ChangeWords(NamedTuple):
    """The words of change in a text, and whether it only supposes something or is about the past or one day."""

    changed: frozenset[str]
    may_have_changed: frozenset[str]
    is_unreal: bool
    is_past: bool


@lru_cache(1024)  # a note is compared with several others, by more than one gardener
def words_of(text: str) -> ChangeWords:
    """What the words of a text say about change, doubt and the past."""
    said = normal(text)
    changed, may_have_changed = (
        frozenset(match[0] for pattern in stance.likely(name, said) for match in pattern.finditer(said))
        for name in ("CHANGED", "MAY_HAVE_CHANGED")
    )
    is_unreal, is_past = stance.of(text)
    return ChangeWords(changed, may_have_changed, is_unreal, is_past or endings.is_of_one_day(text))


def tells_of_change(old: ChangeWords, new: ChangeWords) -> bool:
    """Whether the newer of two texts has a word of change, however weak, that the older one lacks."""
    return bool(new.changed - old.changed or new.may_have_changed - old.may_have_changed)


def kind(aligned: Alignment, old: ChangeWords, new: ChangeWords) -> str:
    """The way in which the newer of two aligned texts contradicts the older; "" if it does not.

    "slot": one value differs, and nothing else; "slot.several" if a thing may have several of them.
    "denial": a sentence denies its counterpart; "denial.narrowed": it does so with additional words.
    "ended": the newer text says that something is over which both name.
    "changed.value": it tells of a change, and gives another value or says what the older text denied.
    "changed": it tells of a change; "changed.both": so does the older text, or it is unclear what has changed;
    "changed.maybe": it may tell of a change.
    """
    if old.is_unreal or new.is_unreal or not aligned.pairs or _has_arrived(aligned):
        return ""
    exchange, denial = ("", "") if old.is_past else (_exchange(aligned), _denial(aligned))
    plain_kind = next((kind for kind in (exchange, denial) if kind in _PLAIN), "")
    return plain_kind or _change(aligned, old, new) or exchange or denial


def _change(aligned: Alignment, old: ChangeWords, new: ChangeWords) -> str:
    """The way in which the newer text says that something has changed; "" if it does not."""
    end = endings.ending(aligned)
    may_have_changed = bool(new.changed - old.changed or new.may_have_changed or end.is_told)
    if not may_have_changed or _is_one_form(aligned):
        return ""
    is_repeated = bool(old.changed or old.may_have_changed)  # the older tells of a change, too: maybe the same one
    if not is_repeated and not new.is_past and aligned.share < _TWIN_SHARE:
        clear = "ended" if end.is_clear else "changed.value" if not end.is_told and _gives_another(aligned) else ""
        if clear:
            return clear
    return "" if end.is_told and not end.is_likely else _loose_change(aligned, old, new)


def _loose_change(aligned: Alignment, old: ChangeWords, new: ChangeWords) -> str:
    """The way in which something may have changed, where one has to guess what it is; "" if nothing has."""
    is_repeated = bool(old.changed or old.may_have_changed)
    if new.changed - old.changed and aligned.share < _TWIN_SHARE:
        is_clear = is_near(aligned, new.changed) and not _is_contained(aligned)
        return "changed" if is_clear and not is_repeated else "changed.both"
    return "changed.maybe" if not is_repeated and not _say_the_same(aligned) else ""


def _is_one_form(aligned: Alignment) -> bool:
    """Whether two sentences are one form filled in for two things: the course on Monday and the one on Friday."""
    return any(has_own_key(pair) and is_one_form(pair, aligned.tongue) for pair in aligned.pairs)


def _gives_another(aligned: Alignment) -> bool:
    """Whether the newer text gives the same thing another value, or says what the older one denies."""
    if is_of_another(aligned) or any(map(has_own_key, aligned.pairs)):
        return False
    kinds = {word.kind for word in aligned.alone_first} & {word.kind for word in aligned.alone_second}
    return not kinds.isdisjoint(VALUE_KINDS) or any(map(_says_what_was_denied, aligned.pairs))


def is_of_another(aligned: Alignment) -> bool:
    """Whether two texts give two things of one kind a value each: 3 euros for cars, and 9 euros for lorries."""
    return any(_is_filled_twice(pair, aligned.tongue) for pair in aligned.pairs)


def _is_filled_twice(pair: SentencePair, tongue: str) -> bool:
    """Whether two sentences differ only in a value and in the thing that has it."""
    if len(pair.slots) >= _THING_AND_VALUE:
        is_opposite = any(slot.kind == "opposite" for slot in pair.slots)
        return is_opposite or _is_all_exchanged(pair) or is_one_form(pair, tongue)
    is_named = has_own_key(pair) and any(slot.place == "value" for slot in pair.slots)
    return is_named and is_one_form(pair, tongue)


def _is_all_exchanged(pair: SentencePair) -> bool:
    """Whether two sentences differ only in short slots: one word for another, or two if a slot has a value."""
    if pair.more_first or pair.more_second or not pair.in_order:
        return False
    sizes = [max(len(slot.first), len(slot.second)) for slot in pair.slots]
    has_value = any(slot.kind in VALUE_KINDS for slot in pair.slots)
    return max(sizes) <= (_MOST_EXCHANGED if has_value else 1)


def has_own_key(pair: SentencePair) -> bool:
    """Whether one of two sentences has a word before the verb that the other lacks, after any leading phrase."""
    sides = (pair.first, pair.alone_first), (pair.second, pair.alone_second)
    return any(said.leading <= word.at < said.verb for said, alone in sides for word in alone)


def _says_what_was_denied(pair: SentencePair) -> bool:
    """Whether the newer sentence says, without a negation, all words of a clause that the older one denies."""
    said = {match.first.at for match in pair.shared if not pair.second.denies(match.second)}
    for clause in pair.first.denied:
        own = {word.at for word in pair.first.words if word.clause == clause}
        if own and own <= said:
            return True
    return False


def _say_the_same(aligned: Alignment) -> bool:
    """Whether two texts are rather twins: they share most of their weight, and nothing in them is opposed."""
    slots = [slot for slot in aligned.slots if slot.kind in (*VALUE_KINDS, "opposite")]
    return not slots and not aligned.turned and (aligned.share >= _TWIN_SHARE or aligned.within >= _TWIN_WITHIN)


def _exchange(aligned: Alignment) -> str:
    """How one value is exchanged: "slot" if nothing else differs, "slot.several" if both may hold; else ""."""
    if len(aligned.slots) != 1 or aligned.left_first or any(map(_has_other_key, aligned.pairs)):
        return ""
    pair = next(pair for pair in aligned.pairs if pair.slots)
    (slot,) = pair.slots
    is_value = slot.kind in (*VALUE_KINDS, "opposite") and slot.place == "value"
    if not is_value or pair.more_first or pair.more_second or not (pair.shared and _is_exchange(pair, slot)):
        return ""
    may_be_several = slot.kind in _OFTEN_SEVERAL and not (
        stance.is_of_one(pair.first.text) and stance.is_of_one(pair.second.text)
    )
    return "slot.several" if may_be_several else "slot"


def _is_exchange(pair: SentencePair, slot: Slot) -> bool:
    """Whether a slot exchanges one value for another: as many words on both sides, all of its kind, in order.

    A name is the value of a thing only if a copula links them; with other verbs there may be several. Plural
    weekdays do not count either: those who train on Mondays may train on Fridays, too.
    """
    sides = len(slot.first), len(slot.second)
    words = (*slot.first, *slot.second)
    if sides[0] != sides[1] or sides[0] > _MOST_VALUE_WORDS or not pair.in_order:
        return False
    if slot.kind == "opposite":
        return sides[0] == 1
    if any(word.kind != slot.kind for word in words) or any(_HABIT.fullmatch(word.text) for word in words):
        return False
    return slot.kind != "name" or all(_is_told_by_copula(said.text) for said in (pair.first, pair.second))


def _is_told_by_copula(sentence: str) -> bool:
    return bool(_COPULA.search(normal(sentence)) and not _NAMING.search(normal(sentence)))


def _denial(aligned: Alignment) -> str:
    """How one sentence denies its counterpart: "denial", or "denial.narrowed" if only in part; else ""."""
    turned = [pair for pair in aligned.pairs if pair.turned and pair.in_order]
    is_whole = not any(pair.alone_first or not all(map(_is_said_alike, pair.shared)) for pair in turned)
    if not turned or aligned.left_first or not is_whole:
        return ""
    return "denial.narrowed" if any(map(_narrows, turned)) else "denial"


def _is_said_alike(match: SharedWord) -> bool:
    """Whether two words mean the same, as forms of one word do: "week" is only a part of "weekend"."""
    return match.fit >= _ALIKE


def _narrows(pair: SentencePair) -> bool:
    """Whether the newer sentence adds words to the clause that both share: "not at night"."""
    shared = {match.second.clause for match in pair.shared}
    return any(word.clause in shared for word in pair.more_second)


def _is_contained(aligned: Alignment) -> bool:
    """Whether the newer text has all that the older one says; what changed may then be how that came about."""
    return not aligned.left_first and not aligned.turned and not any(pair.alone_first for pair in aligned.pairs)


def _has_arrived(aligned: Alignment) -> bool:
    """Whether the newer text tells of a change to what the older one says: "switched from Jira to Linear"."""
    shared = (match for pair in aligned.pairs for match in pair.shared)
    known = {word for match in shared for word in _WORD.findall(normal(match.first.text))}
    moves = (move for pair in aligned.pairs for move in _MOVED_TO.finditer(normal(pair.second.text)))
    return any(move[1] in known for move in moves)


def is_near(aligned: Alignment, changed: frozenset[str]) -> bool:
    """Whether a word of change stands within a few words of one that both texts share."""
    for pair in aligned.pairs:
        said = _WORD.findall(normal(pair.second.text))
        shared = {word for match in pair.shared for word in _WORD.findall(normal(match.second.text))}
        places = [at for at, word in enumerate(said) if folded(word) in shared or word in shared]
        for phrase in changed:
            words = _WORD.findall(phrase)
            starts = [at for at in range(len(said)) if said[at : at + len(words)] == words]
            if any(-_NEAR - len(words) < at - place <= _NEAR for at in starts for place in places):
                return True
    return False


def _has_other_key(pair: SentencePair) -> bool:
    if any(slot.place == "key" for slot in pair.slots):
        return True
    added = (pair.more_first, pair.first.verb), (pair.more_second, pair.second.verb)
    return any(word.at < end for more, end in added for word in more)
