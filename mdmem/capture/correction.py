"""Puts the value of a correction into a statement: "It is on Monday", "no, Tuesday" -> "It is on Tuesday"."""

from __future__ import annotations

import re

from mdmem.text import stopwords
from mdmem.text.calendar import MONTH_NAMES, WEEKDAY_NAMES

# The kinds of values, always whole words: the 8 in "UTF-8" is part of a name, not a number.
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(WEEKDAY_NAMES)})s?\b", re.I)
_MONTH = re.compile(rf"\b(?:{'|'.join(name for name in MONTH_NAMES if name != 'may')})\b", re.I)
_TIME = re.compile(r"\b\d{1,2}(?::\d\d)? ?(?:am|pm|o'clock)\b|\b\d{1,2}:\d\d\b", re.I)
_NUMBER = re.compile(r"(?<![\w.\-])[$€£]?\d+(?:[.,:/\-]\d+)*(?:%|[a-z]{1,2}\b)?(?![\w\-])", re.I)
_KINDS = (_WEEKDAY, _MONTH, _TIME, _NUMBER)
_UNIT = re.compile(r"\s*([^\W\d_]{3,})")
_NO_UNITS = stopwords.QUESTION | stopwords.STATEMENT | {"not"}
# A sentence about a belief, or about what someone said, does not state a fact: no value in it is corrected.
_BELIEF = re.compile(
    r"\b(?:assum|suppos|guess|believ|imagin|expect|th(?:ink|ought)|sa(?:id|ys?)\b|told|tells?\b|heard|meant"
    r"|reckon|figured|claim|glaub|denk|dachte|cre(?:o|í|e)\b|pens(?:o|é|e)\b|crois)",
    re.I,
)
_SELF = re.compile(r"\b(?:i|i'm|i've|me|my|mine|we|our|us|you|your|ich|mein\w*|yo|mi|je|mon|ma)\b", re.I)
_SAYS_I = re.compile(r"(?:i|i'm|i've|ich|yo|je|j')\b", re.I)


def corrected(wrong: str, right: str, same_speaker: bool = True) -> str:
    """A statement with the value that a correction names; "" where the result might be what nobody said.

    The statement has exactly one value, and the correction names one other of the same kind: a weekday, a month, a
    time, a number of the same unit. It may name the wrong value as well: "it's Tuesday, not Monday". A belief or a
    report is not corrected, nor is what another speaker says about themselves, or what is answered with "I": "I am
    a 40".
    """
    speaks_of_self = _SELF.search(wrong) or _SAYS_I.match(right)
    if _BELIEF.search(wrong) or (not same_speaker and speaks_of_self):
        return ""
    for kind in _KINDS:
        old, new = set(kind.findall(wrong)), set(kind.findall(right))
        if new:
            named = [*(new - old)]
            if len(old) != 1 or len(named) != 1 or _other_unit(kind, wrong, right, named[0]):
                return ""
            return kind.sub(named[0], wrong)
    return ""


def _other_unit(kind: re.Pattern[str], wrong: str, right: str, value: str) -> bool:
    """Whether the right number counts something other than the wrong one does: 5 people, 3 bugs."""
    if kind is not _NUMBER:
        return False
    (old,) = set(kind.findall(wrong))
    units = _unit(wrong, old), _unit(right, value)
    return bool(units[0] and units[1] and units[0].rstrip("s") != units[1].rstrip("s"))


def _unit(text: str, value: str) -> str:
    """The word after a value that says what it counts; "" if there is none."""
    word = _UNIT.match(text[text.index(value) + len(value) :])
    return word[1].lower() if word and word[1].lower() not in _NO_UNITS else ""
