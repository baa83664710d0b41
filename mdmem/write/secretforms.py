"""Secrets recognised by their form: keys, headers, addresses, commands, cards, codes, and own forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from mdmem.note.patterns import late
from mdmem.write import secretrules as rules
from mdmem.write import secretvalues as values

LONG = 16  # characters; no service's key is in a shorter word
_LETTERS_AND_DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"
_BLANKED = bytes(byte if chr(byte) in _LETTERS_AND_DIGITS else 32 for byte in range(256))
# Digits as in a code (the 2 of CVV2 may come before): not a longer number, such as a time in nanoseconds.
# It begins with the sign that is found fastest.
_SOME_DIGITS = late(
    r"[\d-](?:(?<=\d)(?:(?<!\d\d)(?:\d{2,8}(?!\d)|\d?(?:[-–/ ]\d{1,2}){2})|[a-z]\d)|(?<=[a-z0-9]{4}-)[a-z0-9]{4})"
)
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
            if _SOME_DIGITS.search(line):
                near += (above, line)
            above = line if line.strip() else above
        return SearchedText("\n".join(near))


_AROUND = "\"'`“”‘’«».,;:?()[]{}<>|"  # punctuation around a value
_NEAR_DIGITS = ("code", "card")


class _Hinted(NamedTuple):
    """Forms that look in the same text, in order, and which of them each hint, a word or a part, is for."""

    forms: tuple[rules.Form, ...]
    words: dict[str, list[int]]
    parts: dict[str, list[int]]


def hits(searched: SearchedText) -> Iterator[Leak]:
    """Every secret that is recognisable by its form. To compile a form takes longer than to look for its hints."""
    for near in (False, True):
        hinted = _hinted(near)
        there = _hinting(hinted, searched)
        if near and there:
            there = _hinting(hinted, searched.near_digits)
        if _SOME_DIGITS.search(searched.low) if near else searched.has_token:  # without a hint
            there.append(hinted.words["-"])
        for number in sorted({number for numbers in there for number in numbers}):
            yield from _of(hinted.forms[number], searched.text)


def _hinting(hinted: _Hinted, searched: SearchedText) -> list[list[int]]:
    """The forms for each hint in a text."""
    there = [hinted.words[word] for word in hinted.words.keys() & searched.words]
    return there + [hinted.parts[part] for part in filter(searched.low.__contains__, hinted.parts)]


@cache
def _hinted(near: bool) -> _Hinted:
    forms = tuple(form for form in rules.forms() if (form.check in _NEAR_DIGITS) is near and form.kind != "plugin")
    hinted = _Hinted(forms, {}, {})
    for number, form in enumerate(forms):
        for hint in form.hints:
            hints = hinted.words if hint.isalnum() or hint == "-" else hinted.parts
            hints.setdefault(hint.removesuffix("*"), []).append(number)
    return hinted


def _of(form: rules.Form, text: str) -> Iterator[Leak]:
    for match in form.pattern.finditer(text):
        named = match.groupdict()
        value = named.get("value") or match[0]
        bare = value if form.check == "any" else value.strip(_AROUND)
        if values.CHECKS[form.check](named.get("part") or bare) and not values.is_published(bare):
            yield Leak(form.kind, match.start("value" if "value" in named else 0), bare)


def of_own(text: str, own: rules.OwnRules) -> Iterator[Leak]:
    """The secrets of one's own forms, each within a word that is not too long to compare with them."""
    start = 0
    for word in text.split() if own.forms else ():
        start = text.index(word, start)
        for kind, pattern in own.forms if len(word) <= rules.LONGEST_OWN else ():
            if match := pattern.search(word):
                yield Leak(kind, start + match.start(), match[0])
        start += len(word)
