"""Secrets recognised by their form: keys, headers, addresses, commands, cards, codes, and own forms."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mdmem.write import secretrules as rules
from mdmem.write import secretvalues as values
from mdmem.write.secrettext import Leak, SearchedText

_AROUND = "\"'`“”‘’«».,;:?()[]{}<>|"  # punctuation around a value
_NEAR_DIGITS = ("code", "card")


class _Hinted(NamedTuple):
    """Forms that look in the same text, in order, and which of them each hint, a word or a part, is for."""

    forms: tuple[rules.Form, ...]
    words: dict[str, list[int]]
    parts: dict[str, list[int]]


def hits(searched: SearchedText) -> Iterator[Leak]:
    """Every secret that is recognisable by its form. To compile a form takes longer than to look for its hints."""
    for near, part in ((False, searched), (True, searched.near_digits)):
        hinted = _hinted(near)
        there = [hinted.words[word] for word in hinted.words.keys() & part.words]
        there += [numbers for hint, numbers in hinted.parts.items() if hint in part.low]
        if part.text if near else part.has_token:  # without a hint
            there.append(hinted.words["-"])
        for number in sorted({number for numbers in there for number in numbers}):
            yield from _of(hinted.forms[number], searched.text)


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
