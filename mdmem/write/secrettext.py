"""A text that is searched for secrets, and what tells at once that most rules cannot find anything in it.

Each rule takes far longer than a look at the words there are: a rule that begins with one of certain words need
not be tried on a text without them, or elsewhere than where they stand; nor one for keys on a text without a long
word, nor one for digits on a line without any. No such look hides a secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property

from mdmem.text.patterns import late
from mdmem.values import NamedTuple

LONG = 16  # characters; no key of a service stands in a shorter word
_DIGIT = late(r"\d")
_LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"
_BLANKED = bytes(byte if chr(byte) in _LETTERS_AND_DIGITS else 32 for byte in range(256))
_DIGITS = b" " * ord("0") + b"0" * 10 + b" " * (256 - ord("9") - 1)  # each digit as 0, all else as a blank
# each ASCII character as x, and each at which `str.split` divides as a blank
_MARKED = bytes(ord(" " if chr(byte).isspace() else "x") for byte in range(128)).ljust(256, b"x")
_LONG_RUN = b"x" * LONG


class DigitLine(NamedTuple):
    """Where a line with a digit in it begins and ends, and where the last line above begins that is not empty."""

    above: int
    start: int
    end: int


class SearchedText:
    """A text as `mdmem.write.secrets.plain` leaves it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def low(self) -> str:
        """The text in lower case, each letter at the place where it was."""
        low = self.text.lower()
        return low if len(low) == len(self.text) else "".join(map(_small, self.text))

    @cached_property
    def words(self) -> frozenset[str]:
        """Its runs of letters a-z and digits, in lower case."""
        spaced = self.low.encode("utf-8", "surrogatepass").translate(_BLANKED)
        return frozenset(spaced.decode("ascii").split())

    @cached_property
    def long_words(self) -> str:
        """What stands between blanks and has at least LONG characters, a line each."""
        return "\n".join(self._long_words)

    @cached_property
    def longest(self) -> int:
        """How many characters the longest of them has, 0 if there is none."""
        return max(map(len, self._long_words), default=0)

    @cached_property
    def _long_words(self) -> list[str]:
        """What `long_words` joins; of an ASCII text the short words are never made."""
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
        """Its lines in which digits stand, in order."""
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
        """Whether one of these is a word of it."""
        return not self.words.isdisjoint(words)

    def places(self, words: Collection[str]) -> list[int]:
        """Where those of these words that it has begin, in order; also where their letters begin another word."""
        return sorted({at for word in self.words.intersection(words) for at in _places_of(word, self.low)})

    def runs_with(self, parts: Collection[str]) -> list[int]:
        """Where the runs of letters a-z and digits begin in or behind which one of these parts begins."""
        low = self.low
        return sorted({start for part in parts if part in low for start in _runs_with(part, low)})

    def holds(self, parts: Collection[str]) -> bool:
        """Whether one of these stands anywhere in it, in whatever case; the parts are in lower case."""
        low = self.low
        return any(part in low for part in parts)


def begun(pattern: re.Pattern[str], text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` finds, for a pattern that matches at these places only, which are in order."""
    end = 0
    for at in places:
        if at >= end and (match := pattern.match(text, at)):
            yield match
            end = match.end()


def _digit_finder(text: str) -> Callable[[int], int]:
    """What gives the place of the first digit from a place on, -1 if there is none."""
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
        if start != last:  # else it is of the run of the one before
            yield start
        last = at


def _small(char: str) -> str:
    """A letter in lower case, unless that has another length."""
    low = char.lower()
    return low if len(low) == 1 else char
