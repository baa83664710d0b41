"""Texts about a moment ("The server is down right now") and texts about nothing ("test 123").

Which are about a moment, weights tell (`data/moments.tsv`), fitted by `python -m tests.bench.texts_fit --write`.
"""

from __future__ import annotations

import math
import re
from itertools import islice

from mdmem.language import weighed
from mdmem.language.doubt import normal
from mdmem.language.lapse import days

_MOST_WORDS = 25  # of a text about a moment: longer ones also tell of what lasts
_FORM, _KIND = 3.0, 2.0  # of the form of a text, and of a kind of its words, beside 1 of a word
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
    return round(weighed.share(weighed.table(__file__, "moments.tsv")["passes"], found), 2) if found else 0.0


def features(text: str) -> dict[str, float]:
    """What the weights look at in a text, each with its size; nothing in a long or an empty one."""
    said = normal(text.strip())
    words = said.count(" ") + 1
    if not said or words > _MOST_WORDS:
        return {}
    is_labelled = bool(_LABEL.match(said))
    terms = weighed.terms(said)
    kinds = frozenset().union(*weighed.kinds_of(terms, "cue_words.tsv"))
    return {
        **dict.fromkeys((*weighed.pairs(terms), *weighed.runs(said)), 1.0),
        **{f"k_{kind}": _KIND for kind in kinds},
        "= words": _FORM * math.log(words + 1),
        "= label": _FORM * is_labelled,
        "= telegram": _FORM * (not is_labelled and _is_telegram(said)),
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
