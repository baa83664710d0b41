"""How likely a turn of a chat holds something worth a memory, of what kind, or a fact: linear models.

They look at the words, pairs of words and runs of letters of a turn, the kinds of its words
(`language/data/cue_words.tsv`), its form, and how the turn before ended. Their weights (`data/worth.tsv`) are
fitted on the labelled chats of tests/data by `python tests/bench/capture_fit.py --write`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from mdmem.language import weighed
from mdmem.note import tsv

_POINTING, _BEFORE_POINTING = ("it", "they"), ("not", "wrong", "thanks", "aside", "learnt")
LONGEST = 1_500  # characters of a text whose runs of letters are read
KINDS = ("fact", "preference", "correction", "learning", "milestone", "save")
TELLS = "tells"  # the weights that speak for a fact
_NOTHING = 0.05  # 0-1, below which no kind is looked for
_CUE = 3.0  # of a cue, beside 1 of a word
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


class Place(NamedTuple):
    """Who speaks, and what was said last before: the last sentence of the turn before, and by whom.

    Speakers are "user" or "assistant"; `before` is "" in the first turn.
    """

    speaker: str = "user"
    before: str = ""
    before_by: str = ""


class Worth(NamedTuple):
    """How likely something is worth a memory (0-1), and the kind that it would be (one of KINDS)."""

    share: float
    kind: str


def judge(sentences: Sequence[str], place: Place) -> Worth:
    """Judge the sentences of a turn, or one of them, together."""
    found = features(sentences, place)
    share = weighed.share(_weights()["worth"], found)
    if share < _NOTHING:
        return Worth(share, KINDS[0])
    return Worth(share, max(KINDS, key=lambda kind: weighed.share(_weights()[kind], found)))


def tells(sentence: str, place: Place) -> float:
    """How likely a sentence tells a fact worth keeping of its speaker, or of who and what is theirs (0-1)."""
    return weighed.share(_weights()[TELLS], features([sentence], place))


def features(sentences: Sequence[str], place: Place) -> dict[str, float]:
    """The features of some sentences, each with its size. A space is a `_`."""
    text = " ".join(sentences)
    plain = " ".join(text.replace("’", "'").lower().split())
    found = dict.fromkeys((*weighed.pairs(weighed.terms(plain)), *weighed.runs(plain[:LONGEST])), 1.0)
    cues = dict(_cues(sentences, text, place))
    if place.speaker != "user":
        cues |= {f"assistant {name}": much / 2 for name, much in cues.items()} | {"assistant": 2.0}
    found.update((f"= {name}".replace(" ", "_"), _CUE * much) for name, much in cues.items())
    return found


def _cues(sentences: Sequence[str], text: str, place: Place) -> Iterator[tuple[str, float]]:
    for sentence in sentences:
        kinds, asks = _kinds(sentence), is_question(sentence)
        yield ("asks", 1.0) if asks else ("states", 1.0)
        for kind in frozenset().union(*kinds):
            yield f"{'asks' if asks else 'says'} {kind}", 1.0
        for kind in kinds[0] if kinds and not asks else ():
            yield f"begins with {kind}", 1.0
    words = len(_WORD.findall(text))
    size = min(int(math.log2(words + 1)), 7)
    yield f"size {size}", 1.0
    yield "length", min(math.log(words + 1), 5) / 3
    yield f"sentences {min(len(sentences), 4)}", 0.7
    yield from ((name, 1.0) for name, pattern in _forms() if pattern.search(text))
    yield from _place_cues(place, size)


def _place_cues(place: Place, size: int) -> Iterator[tuple[str, float]]:
    if not place.before:
        return
    asked = is_question(place.before)
    yield f"after {place.before_by} {'asks' if asked else 'says'}", 1.0
    if asked:
        yield f"answers, size {size}", 0.7
        yield from ((f"asked {kind}", 0.7) for kind in kinds_of(place.before))


@cache
def _forms() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(pattern)) for name, pattern in tsv.rows(__file__, "forms.tsv", 2)]


def is_question(sentence: str) -> bool:
    """Whether a sentence ends in a question mark."""
    return sentence.rstrip(" )\"'»”").endswith("?")


def points(sentence: str) -> bool:
    """Whether a sentence begins with a pronoun that stands for what was said before: "it", "no, they"."""
    for kinds in _kinds(sentence):
        if not kinds.isdisjoint(_POINTING):
            return True
        if kinds.isdisjoint(_BEFORE_POINTING):
            return False
    return False


def kinds_of(sentence: str) -> frozenset[str]:
    """The kinds of all words of a sentence (`language/data/cue_words.tsv`)."""
    return frozenset().union(*_kinds(sentence))


@lru_cache(256)
def _kinds(sentence: str) -> Sequence[frozenset[str]]:
    """The kinds of each word of a sentence, with those of a phrase that begins there."""
    words = _WORD.findall(sentence.replace("’", "'").lower())
    return weighed.kinds_of(words, "cue_words.tsv")


def _weights() -> weighed.Weights:
    return weighed.table(__file__, "worth.tsv")
