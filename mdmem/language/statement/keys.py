"""The rules by which two statements exclude each other; each yields the keys of a statement.

The `about` of a key holds all that must be equal, its `value` what must differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import ReadSentence, Word
from mdmem.language.alignment.tables import TONGUES
from mdmem.language.disagreement import stance
from mdmem.language.roots import folded
from mdmem.language.statement import reader, signs
from mdmem.language.statement.reader import Stated
from mdmem.language.statement.tables import KINDS, MANY, SEVERAL, VERBS, WORDS
from mdmem.language.sureness import SURE, Key
from mdmem.language.tables import ANTONYMS

_LONGEST_VALUE = 4  # words
_MOST = 14  # content words of a sentence that another may repeat but for a value
_ADDED = re.compile(
    r"(?<=[\w%])(?:[,;]| (?:because|so|since|per|as|which|who|while|weil|da|pro|porque|que|car|qui|par)\b)"
)  # what follows explains
_MAY = re.compile(r"\b\d+(?:st|nd|rd|th)? May\b|\bMay \d")  # a day of a month is not a number
_CLOCK = re.compile(r"\d[:.h]\d\d\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_HABIT = re.compile(r"\w+(?:days|tags|wochs|bends)")  # those who train on Mondays may train on Fridays, too
_FOR_SOMETHING = frozenset(("use", "prefer", "want"))  # one thing for one purpose
_PURPOSES = frozenset("for as fur als para como pour comme".split())
_NAMING = "is called"


def keys(stated: Stated) -> Iterator[Key]:
    """The keys of every way in which another statement could contradict this one, whose verb is known."""
    if stated.value or stated.tail:
        yield from liking(stated)
    if stated.value and not stated.denied:
        for rule in RULES:
            yield from rule(stated)


# -- the value of what has one at a time -------------------------------------------------------------------


def valued(stated: Stated) -> Iterator[Key]:
    """Another value of what has one at a time. The user lives in Berlin. The user lives in Munich."""
    sure = "" if stated.several or len(stated.value) > _LONGEST_VALUE else _is_one_valued(stated)
    if sure:
        yield Key((*thing(stated), *_plain(stated.tail)), " ".join(stated.value), SURE[sure])


def _is_one_valued(stated: Stated) -> str:
    """Why there is only one value at a time, as a name in SURE; "" if there may be several."""
    subject = _subject(stated)
    if stated.relation.is_single:
        is_one_of_several = stated.relation.name == _NAMING and not SEVERAL.isdisjoint(subject)
        return "value.name" if is_one_of_several else "value"
    has_purpose = len(stated.tail) > 1 and folded(stated.tail[0]) in _PURPOSES
    is_marked = not stated.words.marked.isdisjoint(subject)
    names_one = is_marked or reader.attribute(subject, stated.tongue) is not None
    if stated.relation.name == "is" and names_one:
        return "value.attribute"
    return "value.attribute" if stated.relation.name in _FOR_SOMETHING and has_purpose else ""


def thing(stated: Stated) -> tuple[str, ...]:
    """What a statement gives the value of: an attribute of a thing, or a relation of it."""
    subject = _subject(stated)
    said = stated.relation.name
    is_named = said in stated.words.attributes.values()
    if is_named:
        return ("attribute", said, "|", *sorted(word for word in subject if word not in stated.words.of))
    named = reader.attribute(subject, stated.tongue) if said == "is" else None
    if named:
        return ("attribute", *named.named, "|", *named.thing)
    return ("value", *subject, "|", said)


def owned(stated: Stated) -> Iterator[Key]:
    """Another owner. Ana owns the billing service. Ben owns the billing service."""
    role = stated.words.owning.get(folded(stated.verb))
    if role and len(stated.subject) == 1:
        words = reader.subject_words((*stated.value, *stated.tail), stated.tongue)
        yield Key(("attribute", role, "|", *sorted(words)), stated.subject[0], SURE["owner"])


def placed(stated: Stated) -> Iterator[Key]:
    """Another place. The service stores sessions in Redis. The service stores sessions in Postgres."""
    particle = stated.words.placing.get(folded(stated.verb))
    if particle and stated.tail[:1] == (particle,) and len(stated.tail) > 1:
        place, *tail = stated.tail[1:]
        about = ("placed", *_subject(stated), "|", folded(stated.verb), *_plain(stated.value), "|", *_plain(tail))
        yield Key(about, place, SURE["stored"])


# -- what is liked -----------------------------------------------------------------------------------------


def over(stated: Stated) -> Iterator[Key]:
    """The opposite preference. The user prefers tabs over spaces. The user prefers spaces over tabs."""
    if stated.relation.name == "prefer" and stated.tail and folded(stated.tail[0]) in stated.words.over:
        first, second = " ".join(_plain(stated.value)), " ".join(_plain(stated.tail[1:]))
        yield Key(("over", *_subject(stated), *sorted((first, second))), first, SURE["over"])


def liking(stated: Stated) -> Iterator[Key]:
    """The opposite feeling. The user likes jazz. The user hates jazz."""
    likes = stated.relation.name == "like"
    if stated.relation.name not in ("like", "dislike") or (stated.denied and not likes):
        return  # not to hate a thing is not to like it
    about = ("liking", *_subject(stated), "|", *_plain(stated.value), *_plain(stated.tail))
    yield Key(about, str(likes != stated.denied), SURE["liking"])


RULES = (valued, owned, placed, over)


def _subject(stated: Stated) -> tuple[str, ...]:
    return reader.subject_words(stated.subject, stated.tongue) or ("you",)


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(folded, words))


# -- another value in the same place, whatever the verb ------------------------------------------------------


def may_have_slots(sentence: str, words: set[str], tongue: str) -> bool:
    """Whether a sentence of these words is short enough and has a value, so that `slots` may yield a key."""
    return signs.has_value(sentence, words) and len(words - TONGUES[tongue].silent) <= _MOST


def slots(sentence: str) -> Iterator[Key]:
    """Another value in the same sentence. The pool holds 20 connections. The pool holds 50 connections."""
    yield from _slots(sentence)
    begun = _ADDED.split(sentence, maxsplit=1)[0]
    if begun != sentence:
        yield from _slots(begun)


def _slots(text: str) -> Iterator[Key]:
    """A key for each value among the words of a text: the roots of the other words of its sentence."""
    read = reading.read(text)
    for said in read.sentences:
        for word in said.words if not said.denied and len(said.words) <= _MOST else ():
            kind, sure = _kind(word, said, read.tongue)
            others = sorted(other.root for other in said.words if other.at != word.at)
            if kind and others:
                yield Key(("slot", kind, *others), word.text, SURE[sure])


def _kind(word: Word, said: ReadSentence, tongue: str) -> tuple[str, str]:
    """The kind of value that a word is, and a name in SURE for how surely two of that kind exclude each other."""
    plain = folded(word.text)
    if plain in ANTONYMS:
        return ANTONYMS[plain], "slot.opposite"
    if plain in KINDS and MANY.isdisjoint(folded(other.text) for other in said.words):
        return KINDS[plain], "slot.kind"
    if word.root.startswith("day:"):
        is_one_day = stance.is_of_one(said.text) and not _HABIT.fullmatch(plain)
        return "weekday", "slot.weekday" if is_one_day else "slot.habit"
    if word.kind == "time":
        return _time(word, said)
    is_number = _is_number(word, said) and _is_amount(word, said, tongue)
    return ("number", "slot.number") if is_number else ("", "")


def _time(word: Word, said: ReadSentence) -> tuple[str, str]:
    """The kind and the name in SURE of a time of day; ("", "") if things may have several.

    A time excludes another one, except of things like trains: they leave at 7:10 and at 8:10.
    """
    if stance.is_of_one(said.text):
        return "time", "slot.number"
    return ("", "") if _CLOCK.search(word.text) else ("time", "slot.time")


def _is_number(word: Word, said: ReadSentence) -> bool:
    """Whether a word is a number, and neither a year nor part of a date."""
    if word.kind != "number" or _YEAR.fullmatch(folded(word.text)) or _MAY.search(said.text):
        return False
    return not any(other.root.startswith("month:") for other in said.words if abs(other.at - word.at) == 1)


def _is_amount(number: Word, said: ReadSentence, tongue: str) -> bool:
    """Whether a number says how much or when; after a noun it names one of several: invoice 17."""
    written = reading.tokens(said.text)
    first = number.text.split()[0]
    at = written.index(first) if first in written else 0
    if not at or number.at < said.verb:
        return False
    before, words = reading.plain(written[at - 1]), WORDS[tongue]
    if words.attributes.get(before, before) == "number":
        return False  # plant number 17
    is_verb = before in VERBS or before in TONGUES[tongue].verbs or (tongue == "de" and written[at - 1].islower())
    if is_verb and reader.is_behind_preposition(written[: at - 1], tongue):
        return False  # in reports 1
    return is_verb or before in words.tails or before in words.attributes or not reading.root(before, tongue)
