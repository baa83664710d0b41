"""How many tokens a text takes in a prompt, estimated without a vocabulary.

Tokenizers of today's models take about four signs of English for a token, and about one sign of Chinese,
Japanese or Cyrillic. The estimate errs on the high side there, so that a budget is kept rather than missed.
"""

from __future__ import annotations

_SIGNS = 4  # ASCII signs for one token


def estimate(text: str) -> int:
    """The tokens of a text, estimated; 0 only for the empty text."""
    foreign = 0 if text.isascii() else sum(1 for sign in text if sign > "\x7f")
    return -(-(len(text) - foreign) // _SIGNS) + foreign


def cut(text: str, budget: int) -> str:
    """The longest beginning of `text`, whole words only, that takes at most `budget` tokens; "" if none does."""
    if estimate(text) <= budget:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= budget - 1 else (low, middle - 1)
    kept = text[:low]
    if low < len(text) and not text[low].isspace():
        kept = kept[: max(kept.rfind(" "), kept.rfind("\n"), 0)]
    return kept.rstrip() + " …" if kept.strip() else ""
