"""The words by which a text may state a value: cheap to look for, so that few sentences have to be read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache

from mdmem.language.alignment.tables import DENYING, TONGUES
from mdmem.language.roots import folded
from mdmem.language.statement.tables import KINDS, WORDS
from mdmem.language.tables import ANTONYMS

_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_SHORT = 3  # letters: no single word of "is in" is enough to know it by


def words_of(text: str) -> set[str]:
    """The words of a text, folded."""
    return set(_WORD.findall(folded(text)))


def may_state(sentence: str, words: set[str]) -> bool:
    """Whether a sentence of these words may state a value: it has a number, or a word or phrase of the tables."""
    known, phrases = _known()
    if not words.isdisjoint(known) or _DIGIT.search(sentence):
        return True
    begun = words & phrases.keys()
    return any(words.issuperset(form) for first in begun for form in phrases[first])


def has_value(text: str, words: set[str]) -> bool:
    """Whether a text of these words has a number, or a word of a kind whose values exclude each other."""
    return bool(_DIGIT.search(text)) or not words.isdisjoint(_values())


def has_verb(words: set[str], tongue: str) -> bool:
    """Whether a sentence of these words may have a verb of the tables of its language."""
    table = WORDS[tongue]
    return any(not words.isdisjoint(verbs) for verbs in (table.relations, table.placing, table.owning))


@cache
def _known() -> tuple[frozenset[str], Mapping[str, Sequence[tuple[str, ...]]]]:
    """The words of the tables that may state a value, and phrases of very short words, by their first word."""
    known = set(_values())
    phrases: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for words in WORDS.values():
        for form, relation in (row for rows in words.relations.values() for row in rows):
            longest = max((word for word in form if word not in words.tails), key=len)
            if len(longest) > _SHORT:
                known.add(longest)
            elif relation.is_single:
                phrases[form[0]].append(form)
        named = (*words.attributes, *words.marked, *words.placing, *words.owning)
        known.update(named, (f"{word}s" for word in named))
    return frozenset(known), phrases


@cache
def _values() -> frozenset[str]:
    """Words that are values: opposites, weekdays, numbers, and others of a kind."""
    found = {*ANTONYMS, *KINDS}
    for tongue in TONGUES.values():
        found.update(tongue.numbers)
        days = {day for names in tongue.days for day in names.split()}
        found |= days | {f"{day}s" for day in days}
    return frozenset(found).difference(*(tongue.silent for tongue in TONGUES.values()), *DENYING.values())
