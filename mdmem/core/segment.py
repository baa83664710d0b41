"""Scripts that write no spaces between words: Chinese, Japanese, Thai and others.

FTS5 takes such a run of signs for one word. The index gets it as overlapping pairs instead, and so does the
query: 机器学习 is found by 机器, by 学习, and by the whole.
"""

from __future__ import annotations

import re

_UNSPACED = (
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"  # kana, Han
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
)
_RUN, _ANY = f"[{_UNSPACED}]+", f"[{_UNSPACED}]"  # compiled when first needed: that takes 3 ms


def has_unspaced(text: str) -> bool:
    """Whether a text has signs of such a script."""
    return not text.isascii() and re.search(_ANY, text) is not None


def spaced(text: str) -> str:
    """The text for the index: each run of such signs as its pairs, between spaces; the rest as it is."""
    if not has_unspaced(text):
        return text
    return re.sub(_RUN, lambda match: f" {' '.join(pairs(match[0]))} ", text)


def terms(word: str) -> list[str]:
    """A word of a query as the index has it: pairs for such runs, other parts whole."""
    return spaced(word).split()


def pairs(run: str) -> list[str]:
    """ABCD as AB BC CD; a single sign as itself."""
    return [run[at : at + 2] for at in range(len(run) - 1)] or [run]
