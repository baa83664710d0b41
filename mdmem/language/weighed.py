"""Linear models of texts: what a text says as features, what a table weighs of them, and the kinds of its words.

A table of weights has rows of what the weights speak for, a feature, and its weight; they are fitted by logistic
regression (`tests/bench`). A table of kinds has rows of a kind and its words, phrases in double quotes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from mdmem.note import tsv

LENGTH = 6.0  # of the vector of a text: long texts have more features, and weigh no more
_RUNS = (2, 3, 4)  # letters
_TERM = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|\d+|[?!…:]")
_PHRASE = 4  # words of the longest phrase in a table of kinds

Weights = Mapping[str, Mapping[str, float]]  # what they speak for -> feature -> weight
_Kinds = Mapping[str, frozenset[str]]  # a word or a phrase -> its kinds


def terms(plain: str) -> list[str]:
    """The words, numbers and telling marks of a text in lower case."""
    return _TERM.findall(plain)


def pairs(terms: Iterable[str]) -> Iterator[str]:
    """Some terms, and those that follow each other, as features; of a number only its length tells."""
    said = [f"#{min(len(term), 4)}" if term.isdigit() else term for term in terms]
    for term, following in zip(["^", *said], [*said, "$"], strict=True):
        yield f"w_{term}"
        yield f"b_{term}_{following}"


def runs(plain: str) -> Iterator[str]:
    """The runs of letters of a text in lower case, as features; a space is a `_`."""
    text = re.sub(r"\d", "0", f" {plain} ").replace(" ", "_")
    for length in _RUNS:
        for at in range(len(text) - length + 1):
            yield f"c_{text[at : at + length]}"


def share(weights: Mapping[str, float], found: Mapping[str, float]) -> float:
    """What a model makes of some features (0-1); those with a weight are as long a vector as any others."""
    known = {name: much for name, much in found.items() if name in weights}
    length = max(math.sqrt(math.fsum(much * much for much in known.values())), 1.0)  # exact in any order
    score = weights["bias"] + LENGTH / length * math.fsum(weights[name] * much for name, much in known.items())
    return 1 / (1 + math.exp(-score))


@cache
def table(module: str, name: str) -> Weights:
    """The weights in `data/NAME` beside a module, which gives its `__file__`."""
    found: dict[str, dict[str, float]] = {}
    for what, feature, weight in tsv.rows(module, name, 3):
        found.setdefault(what, {})[feature] = float(weight)
    return found


def kinds_of(words: Sequence[str], name: str) -> list[frozenset[str]]:
    """The kinds in `data/NAME` of each word in lower case, of a phrase that begins there, and of its parts."""
    known, found = _kinds(name), []
    for at, word in enumerate(words):
        own = known.get(word) or _of_parts(word, known)
        for length in range(2, _PHRASE + 1):
            own = own | known.get(" ".join(words[at : at + length]), frozenset())
        found.append(own)
    return found


def _of_parts(word: str, known: _Kinds) -> frozenset[str]:
    """The kinds of the parts of a word with an apostrophe: "l'équipe"."""
    before, mark, after = word.partition("'")
    return known.get(f"{before}'", frozenset()) | known.get(after, frozenset()) if mark else frozenset()


@cache
def _kinds(name: str) -> _Kinds:
    found: dict[str, set[str]] = {}
    for kind, listed in tsv.rows(__file__, name, 2):
        for phrase, word in re.findall(r'"([^"]+)"|(\S+)', listed):
            found.setdefault(phrase or word, set()).add(kind)
    return {phrase: frozenset(own) for phrase, own in found.items()}
