"""A text to search for secrets, with quick checks that rule out most rules.

A rule takes far longer than a look at the words of the text. A rule that begins with one of certain words need not
be tried on a text without them, or elsewhere than at these words; nor a rule for keys on a text without a long
word; nor a rule for digits on a line without any. No such check misses a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from mdmem.text.patterns import late
from mdmem.values import NamedTuple

LONG = 16  # characters; no service's key is in a shorter word
_DIGIT = late(r"\d")
_LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"
_BLANKED = bytes(byte if chr(byte) in _LETTERS_AND_DIGITS else 32 for byte in range(256))
_DIGITS = b" " * ord("0") + b"0" * 10 + b" " * (256 - ord("9") - 1)  # digits become 0, all else a space
# ASCII characters become x, and those at which `str.split` splits a space
_MARKED = bytes(ord(" " if chr(byte).isspace() else "x") for byte in range(128)).ljust(256, b"x")
_LONG_RUN = b"x" * LONG


class DigitLine(NamedTuple):
    """Where a line with a digit begins and ends, and where the last non-empty line above it begins."""

    above: int
    start: int
    end: int


class SearchedText:
    """A text as returned by `mdmem.write.secrets.plain`."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def low(self) -> str:
        """The text in lower case, with each letter at the same index."""
        low = self.text.lower()
        return low if len(low) == len(self.text) else "".join(map(_small, self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its runs of letters a-z and digits, in lower case."""
        spaced = self.low.encode("utf-8", "surrogatepass").translate(_BLANKED)
        return frozenset(spaced.decode("ascii").split())

    @cached_property
    def long_words(self) -> str:
        """The words (separated by whitespace) of at least LONG characters, one per line."""
        return "\n".join(self._long_words)

    @cached_property
    def longest(self) -> int:
        """The length of the longest of these words, 0 if there are none."""
        return max(map(len, self._long_words), default=0)

    @cached_property
    def _long_words(self) -> list[str]:
        """The words in `long_words`; for ASCII text, without creating the short words."""
        text = self.text
        if not text.isascii():
            return [word for word in text.split() if len(word) >= LONG]
        marked = text.encode().translate(_MARKED)
        words = []
        start = marked.find(_LONG_RUN)
        while start >= 0:
            end = marked.find(b" ", start)
            end = len(text) if end < 0 else end
            words.append(text[start:end])
            start = marked.find(_LONG_RUN, end)
        return words

    @cached_property
    def digit_lines(self) -> tuple[DigitLine, ...]:
        """The lines with digits, in order."""
        return tuple(self._digit_lines())

    def _digit_lines(self) -> Iterator[DigitLine]:
        text, end = self.text, 0
        next_digit = _digit_finder(text)
        while (digit := next_digit(end)) >= 0:
            start = text.rfind("\n", 0, digit) + 1
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            above = start
            while above and text[above - 1] == "\n":
                above -= 1
            yield DigitLine(text.rfind("\n", 0, above) + 1, start, end)

    def has_word(self, words: Collection[str]) -> bool:
        """Whether the text has one of these words."""
        return not self.words.isdisjoint(words)

    def places(self, words: Collection[str]) -> list[int]:
        """The indexes of these words in the text, in order, including those where they begin a longer word."""
        return sorted({at for word in self.words.intersection(words) for at in _places_of(word, self.low)})

    def runs_with(self, parts: Collection[str]) -> list[int]:
        """The start indexes of the runs of letters a-z and digits that contain a part or end right before it."""
        low = self.low
        return sorted({start for part in parts if part in low for start in _runs_with(part, low)})

    def holds(self, parts: Collection[str]) -> bool:
        """Whether one of these lower-case parts occurs anywhere in the text, in any letter case."""
        low = self.low
        return any(part in low for part in parts)


def begun(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """The matches of `pattern.finditer`, for a pattern that can only match at `places`, which are in order."""
    end = 0
    for at in places:
        if at >= end and (match := pattern.match(text, at)):
            yield match
            end = match.end()


def _digit_finder(text: str) -> Callable[[int], int]:
    """A function that returns the index of the first digit at or after an index, -1 if there is none."""
    if text.isascii():
        marked = text.encode().translate(_DIGITS)
        return lambda start: marked.find(b"0", start)

    def find(start: int) -> int:
        digit = _DIGIT.search(text, start)
        return digit.start() if digit else -1

    return find


def _places_of(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _runs_with(part: str, low: str) -> Iterator[int]:
    last = -1
    for at in _places_of(part, low):
        start = at
        while start > max(last, 0) and low[start - 1] in _LETTERS_AND_DIGITS:
            start -= 1
        if start != last:  # else it is in the same run as the part before
            yield start
        last = at


def _small(char: str) -> str:
    """A letter in lower case, unless its length would change."""
    low = char.lower()
    return low if len(low) == 1 else char
