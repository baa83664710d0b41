"""The object of a predicate in words that can be understood alone: without loose ends or mere pointing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from mdmem.language.persons.english import about_speaker
from mdmem.language.speech import clauses, tables
from mdmem.language.speech.clauses import bare
from mdmem.text.calendar import TIMES

LONGEST = 22  # words
_TIME = re.compile(
    r"(?:yesterday|today|tonight|tomorrow|last|this|next|in|on|back in|since|recently|\w+ \w+ ago)\b", re.I
)
_NOW = re.compile(r"[\s,]*\b(?:these days|nowadays)$", re.I)  # the time span tells it
_NAMES_PERSON = re.compile(r"\b(?:i|my|we|our|it|that)\b", re.I)
_LOOSE_STARTS = tables.ADVERBS - {"all", "both"}
_LOOSE_ENDS = tables.ADVERBS | frozenset("and or but to with of that when than more for at by".split())
_OPEN_STARTS = frozenset("when if because that whether as until unless something anything nothing".split())
_NOT_TELLING = tables.FEW | tables.PRONOUNS | TIMES
_POINTING = frozenset("this these those".split())
# How many meaningful words have to precede a pronoun for it to be understood; a demonstrative never is.
_NEEDED_BEFORE = {
    **dict.fromkeys(_POINTING, LONGEST),
    **{"it": 3, "that": 3, "there": 3, "them": 2, "him": 3, "her": 3, "she": 1, "he": 1, "they": 1},
}


def told(said: str, front: str = "") -> str:
    """The object in the third person, with a time phrase from `front`; "" if it cannot be understood alone."""
    tokens = _trimmed(_NOW.sub("", said.rstrip(" .,!;:")).split())
    plain = [bare(token) for token in tokens]
    if not _stands_alone(plain):
        return ""
    text = about_speaker(" ".join(tokens), "{who}").rstrip(" .,!;:")
    return f"{text} {_time_of(front)}".strip()


def _trimmed(tokens: Sequence[str]) -> list[str]:
    """Tokens without adverbs around them, and without a second verb at the end that lacks its object."""
    trimmed = list(tokens)
    while trimmed and bare(trimmed[-1]) in _LOOSE_ENDS:
        trimmed.pop()
    while trimmed and bare(trimmed[0]) in _LOOSE_STARTS:
        trimmed.pop(0)
    ends_in_verb = len(trimmed) > 2 and bare(trimmed[-2]) == "and" and clauses.is_past(bare(trimmed[-1]))
    return trimmed[:-2] if ends_in_verb else trimmed


def _stands_alone(plain: Sequence[str]) -> bool:
    """Whether words say something by themselves: enough meaningful words come before any pronoun."""
    if not 0 < len(plain) <= LONGEST or plain[0] in _OPEN_STARTS or not tables.HEARERS.isdisjoint(plain):
        return False
    telling = 0
    for word, following in zip_longest(plain, plain[1:], fillvalue=""):
        if word in _POINTING and following in tables.TIME_NOUNS:
            continue
        if telling < _NEEDED_BEFORE.get(word, 0):
            return False
        if word not in _NOT_TELLING and any(map(str.isalnum, word)):
            telling += 1
    return telling > 0


def _time_of(front: str) -> str:
    """The time phrase before a subject, as in "Last week, I ..."; "" if there is none."""
    plain = {bare(word) for word in front.split()}
    names_time = not TIMES.isdisjoint(plain) or any(word.isdigit() for word in plain)
    if not names_time or not _TIME.match(front) or _NAMES_PERSON.search(front):
        return ""
    return front[:1].lower() + front[1:]
