"""A text to search for secrets, with quick checks that rule out most rules.

A rule takes far longer than a look at the words of the text. A rule that needs one of certain words is not tried
on a text without them; nor a rule for keys on a text without a long word; nor a rule for digits on one without
any. No such check misses a secret.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from mdmem.note.patterns import late
from mdmem.write import secretvalues as values

LONG = 16  # characters; no service's key is in a shorter word
_LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"
_BLANKED = bytes(byte if chr(byte) in _LETTERS_AND_DIGITS else 32 for byte in range(256))
_DIGIT = late(r"\d")
# Digits as in a code (the 2 of CVV2 may come before): not a longer number, such as a time in nanoseconds.
_SOME_DIGITS = late(r"(?<!\d)\d{3,9}(?!\d)|(?<!\d)\d{1,2}(?:[-–/ ]\d{1,2}){2}|\d[a-z]\d|[a-z0-9]{4}-[a-z0-9]{4}")
_TWELVE_WORDS = late(r"(?m)^[ >*'`-]{0,9}(?:[a-z]{3,8} ){11}[a-z]{3,8}")
_LONG_RUN = late(r"[\w+/=.:-]{18,}")  # no service's token is shorter, prefix included


class Leak(NamedTuple):
    """A secret that was found: its kind, its index in the text, and the secret itself, which is never shown."""

    kind: str
    start: int
    value: str


class SearchedText:
    """A text as returned by `mdmem.write.secrets.plain`."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def low(self) -> str:
        """The text in lower case, with each letter at the same index: `plain` took apart those that grow."""
        return self.text.lower()

    @cached_property
    def words(self) -> frozenset[str]:
        """Its runs of letters a-z and digits, in lower case; and "12words" if a line is as many, as a seed is."""
        spaced = self.low.encode("utf-8", "surrogatepass").translate(_BLANKED)
        return frozenset(spaced.decode("ascii").split() + ["12words"] * bool(_TWELVE_WORDS.search(self.low)))

    @cached_property
    def long_words(self) -> str:
        """The words (separated by whitespace) of at least LONG characters, one per line."""
        return "\n".join(word for word in self.text.split() if len(word) >= LONG)

    @cached_property
    def has_token(self) -> bool:
        """Whether one of the long words may be a key: it mixes letters and digits."""
        return any(map(values.is_token, _LONG_RUN.findall(self.long_words)))

    @cached_property
    def near_digits(self) -> SearchedText:
        """The lines with digits as in a code, and the lines above them, in lower case."""
        near: list[str] = []
        above = ""
        for line in self.low.split("\n"):
            if _DIGIT.search(line) and _SOME_DIGITS.search(line):
                near += (above, line)
            above = line if line.strip() else above
        return SearchedText("\n".join(near))
