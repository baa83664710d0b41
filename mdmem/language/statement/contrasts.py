"""Sentences of the same words but for one value, whatever their order and grammar: a number or an opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mdmem.language import negation
from mdmem.language.roots import root
from mdmem.language.sureness import SURE, Key
from mdmem.language.tables import ANTONYMS
from mdmem.text import stopwords

_MOST = 14  # content words of a sentence; longer ones are hardly said twice
_LEAST = 3  # roots beside the value without which two sentences may be about different things
_NUMBER = re.compile(r"[$€£]?\d+(?:[.,:/-]\d+)*%?")
_LAST = frozenset("0123456789%")
_YEAR = re.compile(r"(?:19|20)\d\d(?:-\d\d)*")
_ADDED = frozenset("because so since per as which who while although though , ;".split())
_BEFORE = frozenset(  # words before a number that is an amount; after another noun it is a name: invoice 17
    """is are at of to in on for about around every each after within least most than takes take costs lasts
    has have needs need gets get port version budget limit price timeout size age dose temperature rate quota
    wait keep keeps run runs drink drinks eat eats with by until under over only up exactly roughly""".split()
)


def contrasts(words: Sequence[str]) -> Iterator[Key]:
    """The keys of a sentence in lower case: all its words that tell but one value; or up to what is only added."""
    yield from _of_words(words)
    end = next((at for at, word in enumerate(words) if at > _LEAST and word in _ADDED), 0)
    if end:
        yield from _of_words(words[:end])


def _of_words(words: Sequence[str]) -> Iterator[Key]:
    telling = [word for word in words if word not in stopwords.COMPARISON]
    if _LEAST <= len(telling) <= _MOST and not negation.denies(telling):
        yield from _by_number(words, telling)
        yield from _by_opposite(words, telling)


def _by_number(words: Sequence[str], telling: Sequence[str]) -> Iterator[Key]:
    """The session cookie lasts 30 minutes. The session cookie lasts 45 minutes."""
    numbers = _numbers(words)
    if len(numbers) != 1:
        return
    roots = _roots(telling, without=numbers)
    if len(roots) >= _LEAST and _is_amount(words, words.index(numbers[0])):
        yield Key(("words", "number", *roots), numbers[0], SURE["words"])


def _by_opposite(words: Sequence[str], telling: Sequence[str]) -> Iterator[Key]:
    """Registration for the summer course is open. Registration for the summer course is closed."""
    numbers = _numbers(words)
    opposites = [word for word in words if word in ANTONYMS]
    if len(numbers) > 1 or len(opposites) != 1:
        return
    (opposite,) = opposites
    others = [other for other in _roots(telling, without=numbers) if other != root(opposite)]
    if len(others) >= _LEAST:
        yield Key(("words", ANTONYMS[opposite], *others, *numbers), opposite, SURE["words"])


def _numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if word[-1] in _LAST and _NUMBER.fullmatch(word)]


def _roots(telling: Sequence[str], without: Sequence[str]) -> list[str]:
    """The roots of all content words but some, sorted, each once."""
    return sorted({root(word) for word in telling if word not in without})


def _is_amount(words: Sequence[str], at: int) -> bool:
    """Whether a number says how much or when, not which one of several."""
    return not _YEAR.fullmatch(words[at]) and (at == 0 or words[at - 1] in _BEFORE)
