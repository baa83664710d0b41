"""How many tokens a text takes in a prompt, estimated without a vocabulary.

Tokenizers of today's models take about four signs of English for a token, and about one sign of Chinese,
Japanese or Cyrillic. The estimate errs on the high side there, so that a budget is kept rather than missed.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from mdmem.core import segment

_SIGNS = 4  # ASCII signs for one token
_MORE = " …"
_WORD = rf"[{segment.UNSPACED}]|[^\s{segment.UNSPACED}]+"


def estimate(text: str) -> int:
    """The tokens of a text, estimated; 0 only for the empty text."""
    foreign = 0 if text.isascii() else sum(1 for sign in text if sign > "\x7f")
    return -(-(len(text) - foreign) // _SIGNS) + foreign


def cut(text: str, budget: int) -> str:
    """The longest beginning of `text`, whole words only, that takes at most `budget` tokens; "" if none does.

    Where words are not written apart, it may end after any sign.
    """
    if estimate(text) <= budget:
        return text
    ends = [match.end() for match in re.finditer(_WORD, text[: _SIGNS * budget + 1])]
    kept = bisect_right(ends, budget, key=lambda end: estimate(text[:end] + _MORE))
    return text[: ends[kept - 1]] + _MORE if kept else ""
