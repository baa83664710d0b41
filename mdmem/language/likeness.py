"""Compares the wording of two notes: their content words in order, and what each has that the other lacks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from mdmem.language import negation
from mdmem.language.roots import are_one, root, singular
from mdmem.note import links
from mdmem.text import stopwords
from mdmem.text.sentences import split

_DIRECTED = frozenset("over than from to before after into calls depends rather".split())
_WORD = re.compile(r"[^\W_]+(?:[.:'’][^\W_]+)*")
_BRACKETS = str.maketrans("()", "\n\n")
_LEAST_TYPO = 7  # letters from which on one differing letter counts as a typo


class Difference(NamedTuple):
    """The words that only one of two texts has. `moved`: a sentence of one is a reordering of one of the other."""

    first: tuple[str, ...]
    second: tuple[str, ...]
    moved: bool


def words(text: str) -> list[str]:
    """The words of a text in lower case, stop words included; a link counts as its alias and its target."""
    said, pointed = links.apart(text)
    if pointed:
        said = f"{said} {pointed.replace('_', ' ')}"
    found = _WORD.findall(said.lower())
    return [word.replace("'", "").replace("’", "") for word in found] if "'" in said or "’" in said else found


def telling(text: str) -> list[str]:
    """The content words of a text, in order, with plurals as singulars."""
    return [singular(word) for word in words(text) if word not in stopwords.COMPARISON]


def tells(text: str, least: int) -> bool:
    """Whether a text has at least so many content words."""
    found = (word for word in words(text) if word not in stopwords.COMPARISON)
    return len(list(islice(found, least))) == least


def telling_roots(text: str) -> frozenset[str]:
    """The roots of the content words of a text."""
    return frozenset(filter(None, map(root, telling(text))))


def negations(text: str) -> int:
    """How many negations a text contains, in any language."""
    return sum(word in negation.ANYWHERE for word in words(text))


def difference(first: str, second: str) -> Difference:
    """The words that only one of two texts has; inflected forms, synonyms and typos count as the same word."""
    one, two = telling(first), telling(second)
    only_one, only_two = Counter(one) - Counter(two), Counter(two) - Counter(one)
    left = [word for word in only_one if word not in two]
    right = [word for word in only_two if word not in one]
    names = {word for word in left + right if _is_name(word, first) or _is_name(word, second)}
    for word in list(left):
        match = next((other for other in right if _equal(word, other, word in names or other in names)), None)
        if match is not None:
            left.remove(word)
            right.remove(match)
    return Difference(tuple(sorted(left)), tuple(sorted(right)), _moved(first, second))


def _is_name(word: str, text: str) -> bool:
    """Whether a word occurs with a capital letter inside a sentence."""
    return bool(re.search(rf"(?<=[\w,;:)] ){re.escape(word.capitalize())}\b", text))


def swapped(first: str, second: str) -> bool:
    """Whether the words before and after some word in one text come after and before it in the other."""
    seen = set(_around(second))
    return any((word, behind, before) in seen for word, before, behind in _around(first) if behind != before)


def _around(text: str) -> Iterator[tuple[str, str, str]]:
    """(word, before, after) for each content word of a clause, with words up to two places before and after it."""
    for clause in split(text.translate(_BRACKETS), also=",;:"):
        found = [
            root(singular(word)) for word in words(clause) if word in _DIRECTED or word not in stopwords.COMPARISON
        ]
        for at in range(1, len(found) - 1):
            for before in found[max(at - 2, 0) : at]:
                yield from ((found[at], before, behind) for behind in found[at + 1 : at + 3])


def _equal(one: str, two: str, name: bool) -> bool:
    if are_one(one, two):
        return True
    if not (one.isalpha() and two.isalpha()) or name:
        return False
    if root(one) == root(two):
        return True
    from rapidfuzz.distance import OSA

    return one[:3] == two[:3] and min(len(one), len(two)) >= _LEAST_TYPO and OSA.distance(one, two) == 1


def _moved(first: str, second: str) -> bool:
    """Whether a sentence of one text reorders one of the other; moving a clause to the front does not count."""
    orders = {tuple(sorted(found)): found for found in map(_roots, sentences(second))}
    for found in map(_roots, sentences(first)):
        other = orders.get(tuple(sorted(found)))
        if other is not None and other != found and not _is_rotation(found, other):
            return True
    return False


def _roots(found: list[str]) -> list[str]:
    """The roots of words."""
    return [root(word) for word in found]


def _is_rotation(one: list[str], two: list[str]) -> bool:
    return len(one) > 3 and any(one[at:] + one[:at] == two for at in range(1, len(one)))


def sentences(text: str) -> Iterator[list[str]]:
    """The content words of each sentence or line."""
    for part in split(text):
        if found := telling(part):
            yield found
