"""The word pieces of BERT for English without upper case: a text in, the numbers of its pieces out (Devlin 2018).

A word is cut into the longest pieces that `data/wordpieces.txt` has; the line of a piece is its number. That file
is Google's, under the Apache License 2.0 beside it.
"""

from __future__ import annotations

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

_UNKNOWN, _START, _END = 100, 101, 102  # numbers of [UNK], [CLS] and [SEP]
_LONGEST_WORD = 100  # characters; a longer one is unknown
_SIZE = 20  # characters of a text that are read for each piece wanted
_KANJI = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2CEAF), (0x2F800, 0x2FA1F))
_ASCII_SIGNS = frozenset("$+<=>^`|~")  # what Unicode does not call punctuation, but BERT does


class _Characters(dict[int, str]):
    """What stands for a character in a text that is about to be split at spaces; found when first asked for."""

    def __missing__(self, code: int) -> str:
        found = self[code] = self._of(chr(code), unicodedata.category(chr(code)))
        return found

    @staticmethod
    def _of(character: str, category: str) -> str:
        if character in "\t\n\r" or category == "Zs":
            return " "
        if category[0] == "C" or category == "Mn" or character == "\N{REPLACEMENT CHARACTER}":
            return ""
        is_kanji = any(first <= ord(character) <= last for first, last in _KANJI)
        is_apart = is_kanji or category[0] == "P" or character in _ASCII_SIGNS
        return f" {character} " if is_apart else character


_CHARACTERS = _Characters()


def numbers(text: str, most: int) -> list[int]:
    """The numbers of the pieces of a text, `most` at most, between those of its start and its end."""
    decomposed = unicodedata.normalize("NFD", text[: most * _SIZE].lower())
    found = [_START]
    for word in decomposed.translate(_CHARACTERS).split():
        found += _of_word(word)
        if len(found) >= most:
            break
    return [*found[: most - 1], _END]


@lru_cache(50_000)
def _of_word(word: str) -> tuple[int, ...]:
    """The numbers of the pieces of a word, or that of an unknown one."""
    known = _pieces()
    found, start = list[int](), 0
    while start < len(word) <= _LONGEST_WORD:
        before = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if before + word[start:end] in known), start)
        if end == start:
            return (_UNKNOWN,)
        found.append(known[before + word[start:end]])
        start = end
    return tuple(found) or (_UNKNOWN,)


@cache
def _pieces() -> dict[str, int]:
    """piece -> its number."""
    lines = Path(__file__).with_name("data").joinpath("wordpieces.txt").read_text("utf-8").split("\n")
    return {piece: number for number, piece in enumerate(lines[:-1])}
