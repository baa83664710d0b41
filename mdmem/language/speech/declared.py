"""How surely what somebody says about themselves and their surroundings is worth a memory, by its cues.

Each cue adds its weight to the log-odds of a sentence, and so do its length, a name in it, and its place in the
chat; `evidence` has the weights and the confidence in a sum of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from functools import cache, lru_cache
from typing import Any, NamedTuple

from mdmem.language.cues import anywhere, english, french, german, spanish
from mdmem.language.cues.signs import FOR, KINDS
from mdmem.language.doubt import normal
from mdmem.language.persons import tongue
from mdmem.language.speech.evidence import CONFIDENCE, WEIGHTS
from mdmem.language.sureness import on_curve

LANGUAGES: dict[str, Any] = {"": anywhere, "en": english, "de": german, "es": spanish, "fr": french}
_CUES = frozenset(name for language in LANGUAGES.values() for name in language.CUES)
_MOST_CHARS = 600  # of a sentence that is looked at
_MOST_WORDS = 12  # above which further words add nothing
_NAME = re.compile(r"(?<=[a-zà-ÿ,;] )(?!I\b|I'|I’)[A-ZÀ-Ý][a-zà-ÿ]{2,}")
_CAPITAL_NOUNS = re.compile(r"\b(?:der|die|das|den|dem|und|nicht|ist|ich|wir|mit|auch|für|ein|eine)\b")
_OF_USERS = ("at hand", "points")  # cues that count against a user's sentence, but not against an assistant's
_REQUESTS = frozenset(("asks", "asks what", "asks for"))
_OFFERS = re.compile(
    r"(?:^|[.,!;] )(?:sha(?:ll)|should|want|do you want|would you|may|can) (?:i|me)\b|want me to|anything else"
    r"|or sha(?:ll)|\bsoll ich\b|\bquieres que\b|^¿(?:lo|la|los|las|se lo) |\bvoulez-vous que\b|\bdois-je\b",
    re.I,
)


class SentencePlace(NamedTuple):
    """Where a sentence stands in a chat.

    It `answers` a question, or the question is an offer (`to_offer`); its turn `opens` the chat, asks for
    something (`in_request`) and has so many `sentences`; the chat is `between_people`, without an assistant.
    `settles`: with its question it says how a thing is set up.
    """

    answers: bool = False
    to_offer: bool = False
    opens: bool = False
    in_request: bool = False
    sentences: int = 1
    between_people: bool = False
    settles: bool = False


ANYWHERE = SentencePlace()


class Declared(NamedTuple):
    """The confidence (0-1) that a sentence is worth a memory, its kind, and the cue that says so most."""

    confidence: float
    kind: str
    cue: str


def offers(question: str) -> bool:
    """Whether a question offers to do something: "Shall I add it?"."""
    return bool(_OFFERS.search(normal(question)))


def requests(sentence: str) -> bool:
    """Whether a sentence asks a question, or for something to be done."""
    return not _REQUESTS.isdisjoint(cues_of(sentence))


def features(sentence: str, place: SentencePlace, by_assistant: bool = False) -> dict[str, float]:
    """The features of a sentence that `evidence.WEIGHTS` weighs: name -> how much of each."""
    words = len(sentence.split())
    cues = cues_of(sentence)
    return {
        **dict.fromkeys((name for name in cues if not (by_assistant and name in _OF_USERS)), 1.0),
        "no cue": float(FOR.isdisjoint(cues)),
        "words": math.log(min(words, _MOST_WORDS) + 1),
        "sentences": math.log(max(place.sentences, 1)),
        "answers": float(place.answers and not place.to_offer),
        "answers an offer": float(place.to_offer),
        "opens the chat": float(place.opens),
        "beside a request": float(place.in_request),
        "by the assistant": float(by_assistant),
    }


def score(found: Mapping[str, float]) -> float:
    """How much features speak for a sentence, in log-odds of the data that the weights were fitted on."""
    return WEIGHTS["bias"] + sum(WEIGHTS.get(name, 0.0) * much for name, much in found.items())


def weigh(found: Mapping[str, float]) -> Declared:
    """What a sentence with these features declares, and how surely."""
    leading = max((name for name in found if name in _CUES), key=_weight, default="")
    return Declared(confidence(score(found)), KINDS.get(leading, "fact"), leading)


def confidence(score: float) -> float:
    """The confidence (0-1) for a score."""
    return on_curve(CONFIDENCE, score)


def may_be(kinds: Collection[str], sentence: str) -> bool:
    """Whether a sentence has a cue of one of these kinds; without one it declares nothing of that kind."""
    text = normal(sentence[:_MOST_CHARS])
    return any(
        pattern.search(text)
        for language in tongue.likely(text)
        for name, pattern in _patterns(language)
        if KINDS.get(name) in kinds
    )


@lru_cache(maxsize=64)  # each sentence of a turn is looked at twice
def cues_of(sentence: str) -> tuple[str, ...]:
    """The names of the cues that a sentence has, in the languages that it may be in."""
    text = normal(sentence[:_MOST_CHARS])
    languages = ("", *tongue.likely(text))
    found = [name for language in languages for name, pattern in _patterns(language) if pattern.search(text)]
    if _NAME.search(sentence) and not _CAPITAL_NOUNS.search(text):
        found.append("names")
    return tuple(dict.fromkeys(found))


def _weight(name: str) -> float:
    return WEIGHTS.get(name, 0.0)


@cache
def _patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    table = LANGUAGES[language]
    return tuple((name, re.compile(_whole(pattern, table.PARTS))) for name, (pattern, _) in table.CUES.items())


def _whole(pattern: str, parts: Mapping[str, str]) -> str:
    for part, meaning in parts.items():
        pattern = pattern.replace(part, meaning)
    return pattern
