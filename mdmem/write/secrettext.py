"""A text that is searched for secrets, and what tells at once that most rules cannot find anything in it.

Each rule takes far longer than a look at the words there are: a rule that begins with one of certain words need
not be tried on a text without them, nor one for keys on a text without a long word. No such look hides a secret.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property

LONG = 16  # characters; no key of a service stands in a shorter word
_BLANKED = bytes(byte if chr(byte) in "abcdefghijklmnopqrstuvwxyz0123456789" else 32 for byte in range(256))


class SearchedText:
    """A text as `mdmem.write.secrets.plain` leaves it."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def low(self) -> str:
        """It in lower case, each letter at the place where it was."""
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
        return "\n".join([word for word in self.text.split() if len(word) >= LONG])

    def has_word(self, words: Collection[str]) -> bool:
        """Whether one of these is a word of it."""
        return not self.words.isdisjoint(words)

    def holds(self, parts: Collection[str]) -> bool:
        """Whether one of these stands anywhere in it, in whatever case; the parts are in lower case."""
        low = self.low
        return any(part in low for part in parts)


def _small(char: str) -> str:
    """A letter in lower case, unless that has another length."""
    low = char.lower()
    return low if len(low) == 1 else char
