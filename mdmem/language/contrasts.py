"""Sentences of the same words but for one value, whatever their order and grammar: a number, a no, an opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mdmem.language.roots import root, singular
from mdmem.language.tables import ANTONYMS, AUXILIARIES, NEGATIONS
from mdmem.text import stopwords

Key = tuple[tuple[str, ...], str, float]

_SURE = 0.85
_MOST = 14  # telling words of a sentence; longer ones are hardly said twice
_LEAST = 3  # roots beside the value without which two sentences may be about different things
_VALUE = re.compile(r"[$€£]?\d+(?:[.,:/-]\d+)*%?")
_NO = NEGATIONS | {f"{verb}n't" for verb in AUXILIARIES}
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
    yield from _contrasts(words)
    end = next((at for at, word in enumerate(words) if at > _LEAST and word in _ADDED), 0)
    if end:
        yield from _contrasts(words[:end])


def _contrasts(words: Sequence[str]) -> Iterator[Key]:
    said = [word for word in words if word not in stopwords.COMPARISON]
    if not _LEAST <= len(said) <= _MOST:
        return
    denied = not _NO.isdisjoint(said)
    if denied:
        said = [word for word in said if word not in _NO]
    yield ("words", "no", *[singular(word) for word in said]), "no" if denied else "yes", _SURE
    numbers = [at for at, word in enumerate(words) if word[-1] in _LAST and _VALUE.fullmatch(word)]
    if denied or len(numbers) > 1 or (ANTONYMS.keys().isdisjoint(words) and not numbers):
        return
    one = [words[at] for at in numbers]
    roots = sorted({root(word) for word in said if word not in one})
    if one and len(roots) >= _LEAST and _is_amount(words, numbers[0]):
        yield ("words", "number", *roots), one[0], _SURE
    opposites = [word for word in words if word in ANTONYMS]
    if len(opposites) == 1:
        (word,) = opposites
        others = [other for other in roots if other != root(word)]
        if len(others) >= _LEAST:
            yield ("words", ANTONYMS[word], *others, *one), word, _SURE


def _is_amount(words: Sequence[str], at: int) -> bool:
    """Whether a number says how much or when, not which one of several."""
    return not _YEAR.fullmatch(words[at]) and (at == 0 or words[at - 1] in _BEFORE)
