"""How surely what somebody says of themselves and their surroundings is worth a memory, by its cues.

Each cue of `evidence` adds its weight to the log-odds; a sentence is as sure as the logistic of their sum.
"""

from __future__ import annotations

import math
import re
from functools import cache

from mdmem.language.doubt import normal
from mdmem.language.speech.evidence import AGAINST, ANSWERS, BIAS, CROWDED, FEW, FOR, LONG, NAMED, PARTS
from mdmem.values import NamedTuple

_MOST_CHARS = 600  # of a sentence that is looked at
_LONG_WORDS = 8
_NAME = re.compile(r"(?<=[a-zà-ÿ,;] )(?!I\b|I'|I’)[A-ZÀ-Ý][a-zà-ÿ]{2,}")
_CAPITAL_NOUNS = re.compile(r"\b(?:der|die|das|den|dem|und|nicht|ist|ich|wir|mit|auch|für|ein|eine)\b")


class Declared(NamedTuple):
    """How sure it is that a sentence is worth a memory (0-1), of which kind, and the cue that says so most."""

    confidence: float
    kind: str
    cue: str


def prior(answers: bool, sentences: int) -> float:
    """What a turn of so many sentences speaks for each, in log-odds; `answers` says whether it was asked for."""
    return BIAS + answers * ANSWERS + CROWDED * math.log(max(sentences - FEW, 1))


def weigh(sentence: str, before: float = BIAS) -> Declared:
    """What a sentence of a user declares, and how surely; `before` is the `prior` of its turn."""
    cues = cues_of(sentence)
    total = before + sum(_weight(name) for name in cues)
    leading = max((name for name in cues if name in FOR), key=_weight, default="")
    kind = FOR[leading].kind if leading else ""
    return Declared(round(1 / (1 + math.exp(-total)), 2), kind, leading)


def against(sentence: str, names: frozenset[str]) -> float:
    """What these cues speak against a sentence, in log-odds: 0 or less."""
    return sum(_weight(name) for name in cues_of(sentence) if name in names)


def cues_of(sentence: str) -> tuple[str, ...]:
    """The names of the cues that a sentence has."""
    text = normal(sentence[:_MOST_CHARS])
    by_words = [name for name, pattern in _patterns() if pattern.search(text)]
    is_german = bool(_CAPITAL_NOUNS.search(text))
    if not is_german and _NAME.search(sentence):
        by_words.append("named")
    if len(text.split()) > _LONG_WORDS:
        by_words.append("long")
    return tuple(by_words)


def _weight(name: str) -> float:
    if name in FOR:
        return FOR[name].weight
    if name in AGAINST:
        return AGAINST[name].weight
    return {"named": NAMED, "long": LONG}[name]


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, _compiled(cue.pattern)) for name, cue in {**FOR, **AGAINST}.items())


def _compiled(pattern: str) -> re.Pattern[str]:
    for name, part in PARTS.items():
        pattern = pattern.replace(name, part)
    return re.compile(pattern)
