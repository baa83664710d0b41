"""Texts about a moment ("The server is down right now") and texts about nothing ("test 123")."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import islice

from mdmem.language.doubt import normal
from mdmem.language.lapse import days
from mdmem.language.sureness import on_curve
from mdmem.note import tsv

_MOST_WORDS = 25  # of a text about a moment: longer ones also tell of what lasts
_WORD = re.compile(r"\w+")
_PIECES = re.compile(r"[,;] |[.!?] ")
_FEW_WORDS = 5  # of each piece of a text in telegram style: "Strom weg, Kerzen an"
_LABEL = re.compile(r"[^.,;]{2,40}: ")
_MASHED = re.compile(r"(\w)\1+|(\w{3})\2+\w{0,2}|(?:[qwertzuiop]{5,}|[asdfghjkl]{5,}|[yxcvbnm]{5,})")
_SLIP = re.compile(r"a?sdf+g?h?j?\w?|asd|qwert[yz]?|azerty|(?:aze){2,}|(\w)\1{3,}")  # no word of any language
_MOST_MASHED = 5  # words of a text that is noise if one of them is a slip of the keyboard
_MOST_NOISE = 12  # words of a text that is noise


def sureness(text: str) -> float:
    """The confidence (0-1) that a text only tells of a passing state: "Staging is down"."""
    found = {} if days.pattern_of("lasting").search(normal(text)) else features(text)
    weights, curve = _fitted()
    score = weights["bias"] + sum(weights[name] * much for name, much in found.items())
    if "any sign" not in found or score < curve[0][0]:
        return 0.0
    return on_curve(curve, score)


def features(text: str) -> Mapping[str, float]:
    """The features of a text that data/moments.tsv weighs: name -> how much of each; empty for a long text."""
    said = normal(text.strip())
    words = said.count(" ") + 1
    if words > _MOST_WORDS:
        return {}
    found = dict.fromkeys((sign for sign, pattern in signs() if pattern.search(said)), 1.0)
    if found:
        found |= {"any sign": 1.0, "further signs": len(found) - 1.0}
    is_labelled = bool(_LABEL.match(said))
    return {
        **found,
        "words": math.log(words + 1),
        "label": float(is_labelled),
        "telegram": float(not is_labelled and _is_telegram(said)),
    }


def _is_telegram(said: str) -> bool:
    """Whether a text consists of a few short pieces: "Strom weg, Kerzen an"."""
    lengths = [piece.count(" ") + 1 for piece in _PIECES.split(said) if piece]
    return len(lengths) > 1 and max(lengths) <= _FEW_WORDS


def is_noise(text: str) -> bool:
    """Whether a text says nothing: somebody tries out the program or the keyboard."""
    said = normal(text).strip()
    words = [match[0] for match in islice(_WORD.finditer(said), _MOST_NOISE + 1)]
    if not 0 < len(words) <= _MOST_NOISE:
        return False
    if days.pattern_of("trial").search(said) or (len(words) <= _MOST_MASHED and any(map(_SLIP.fullmatch, words))):
        return True
    has_letters = any(word.isalpha() for word in words)
    return has_letters and all(
        days.pattern_of("noise").fullmatch(word) or _MASHED.fullmatch(word) for word in words
    )


@cache
def signs() -> list[tuple[str, re.Pattern[str]]]:
    """The sign that each row of the table finds, and its pattern."""
    return [(sign, re.compile(pattern)) for sign, pattern, _ in tsv.rows(__file__, "signs.tsv", 3)]


@cache
def _fitted() -> tuple[Mapping[str, float], Sequence[tuple[float, float]]]:
    """The weights by feature, and the points (sum of weights, confidence) of the curve."""
    rows = list(tsv.rows(__file__, "moments.tsv", 3))
    weights = {name: float(weight) for kind, name, weight in rows if kind == "weight"}
    return weights, [(float(at), float(sure)) for kind, at, sure in rows if kind == "curve"]
