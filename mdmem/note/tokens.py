"""The number of tokens of a text in a prompt: estimated without a vocabulary, or counted with one.

A token of today's models is about four characters of English, or about one character of Chinese, Japanese or
Cyrillic. There the estimate errs on the high side, so that a budget is kept rather than exceeded. Exact counts
are those of cl100k_base, whose vocabulary is included in the wheels of the extra `tokens`.
"""

import re
from collections.abc import Callable

from mdmem.errors import UsageError
from mdmem.note import segment

SIGNS = 4  # ASCII characters per token
_MORE = " …"
_WORD = rf"[{segment.UNSPACED}]|[^\s{segment.UNSPACED}]+"


def estimate(text: str) -> int:
    """The estimated number of tokens of a text; 0 only for an empty one."""
    return -(-weight(text) // SIGNS)


def weight(text: str) -> int:
    """The estimated length of a text in parts of a token, SIGNS to each; for two texts it is the sum."""
    foreign = 0 if text.isascii() else sum(1 for sign in text if sign > "\x7f")
    return len(text) + (SIGNS - 1) * foreign


def counter(tokenizer: str) -> Callable[[str], int]:
    """A function that counts the tokens of a text: `estimate`, or the exact count of cl100k_base.

    Raises UsageError if the package for that is not installed.
    """
    if tokenizer == "estimate":
        return estimate
    try:
        return _cl100k()
    except ImportError:
        raise UsageError(
            f"the tokenizer {tokenizer} is not installed",
            "pip install 'mdmem[tokens]', or set [mirror] tokenizer = \"estimate\"",
        ) from None


def _cl100k() -> Callable[[str], int]:
    """The counter of rs-bpe (11 ms to import), else of bpe-openai (400 ms), which has wheels for every Python."""
    try:
        from rs_bpe.bpe import openai
    except ImportError:
        import bpe_openai

        encode = bpe_openai.get_encoding("cl100k_base").encode_ordinary
        return lambda text: len(encode(text))
    count: Callable[[str], int] = openai.cl100k_base().count
    return count


def cut(text: str, budget: int) -> str:
    """The longest beginning of `text`, in whole words, that takes at most `budget` tokens; "" if none does.

    In scripts without spaces it may end after any character.
    """
    if estimate(text) <= budget:
        return text
    from bisect import bisect_right

    ends = [match.end() for match in re.finditer(_WORD, text[: SIGNS * budget + 1])]
    kept = bisect_right(ends, budget, key=lambda end: estimate(text[:end] + _MORE))
    return text[: ends[kept - 1]] + _MORE if kept else ""
