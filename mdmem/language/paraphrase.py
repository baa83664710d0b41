"""Whether two texts say the same in other words: the words they share, each weighed by how rare it is.

What two notes share must outweigh what each has alone, and what each has alone must not be a value: numbers,
names, places and days on both sides, a yes against a no, opposites, or another word in the same place of
sentences that are alike otherwise, mean another thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import pairwise, product

from mdmem.language import likeness
from mdmem.language.alignment.sides import Weights
from mdmem.language.roots import root
from mdmem.language.tables import ANTONYMS, VALUES
from mdmem.language.words import synonyms
from mdmem.note import links
from mdmem.values import NamedTuple

_TITLE = 0.5  # what a word of a title alone weighs; titles are labels
_SYNONYM = 0.8  # what another word for the same counts of the word itself
_LEAST_SHARED = 5  # roots without which two texts are not sure to say the same
_UNSURE = 0.6
_FEW = 2  # words that stand for one value
_MOSTLY = 2  # times the weight of other words in the same place that all words of one alone may have
# From a share of common weight on, how sure it is that two texts say the same; between them it grows evenly.
_GRADES = ((0.26, 0.5), (0.37, 0.8), (0.8, 0.95))
_WITHIN = 0.75  # share of the weight of the shorter text from which the longer one may say it, with more beside


class Text(NamedTuple):
    """What a note says: its title, and its body or both where the body says too little."""

    title: str
    body: str


def sureness(one: Text, two: Text, weights: Weights) -> float:
    """How sure it is that two notes say the same in other words, 0-1; below 0.5 it is nothing to speak of.

    Which of them comes first makes no difference.
    """
    one, two = sorted((one, two))  # words are paired and sentences aligned from the first on
    first, second = _RootedWords(one), _RootedWords(two)
    left, right = first.roots - second.roots, second.roots - first.roots
    pairs = _same_sense(first.words(left), second.words(right))
    left, right = left - {a for a, _ in pairs}, right - {b for _, b in pairs}
    common = first.roots & second.roots
    shared = weights.total(common) + _SYNONYM * _common_weight(pairs, weights)
    alone = sorted((_alone(first, left, weights), _alone(second, right, weights)))
    share = shared / (shared + sum(alone) or 1)
    few = len(common) + len(pairs) < _LEAST_SHARED
    sure = _graded(share)
    if few and share < _GRADES[1][0]:
        return 0.0
    if not few and shared >= _WITHIN * (shared + alone[0]):
        sure = max(sure, _UNSURE)
    if not sure or _denies(one) != _denies(two) or _excludes(first, second, left, right):
        return 0.0
    other = substituted(one.body, two.body)
    if other and weights.total(left | right) <= _MOSTLY * weights.total(other & (left | right)):
        return 0.0
    return min(sure, _UNSURE) if few or other else sure


def _common_weight(pairs: Iterable[tuple[str, str]], weights: Weights) -> float:
    return sum(min(weights.of(one), weights.of(other)) for one, other in pairs)


def _denies(text: Text) -> bool:
    return likeness.negations(text.body) > 0


class _RootedWords:
    """The words of a note by their roots."""

    def __init__(self, text: Text) -> None:
        self.text = text
        self.by_root: dict[str, str] = {}
        body, _ = links.apart(text.body)  # what a text points to is said elsewhere
        for word in likeness.telling(f"{body}\n{text.title}"):
            self.by_root.setdefault(root(word), word)
        self.roots = frozenset(self.by_root)
        self.body = {root(word) for word in likeness.telling(body)}

    def words(self, roots: Iterable[str]) -> list[tuple[str, str]]:
        """(root, word) of these roots, sorted."""
        return [(root, self.by_root[root]) for root in sorted(roots)]


def _full(text: Text) -> str:
    return f"{text.title}.\n{text.body}"


def _alone(said: _RootedWords, roots: Iterable[str], weights: Weights) -> float:
    return sum(weights.of(root) * (1 if root in said.body else _TITLE) for root in sorted(roots))


def _graded(share: float) -> float:
    if share < _GRADES[0][0]:
        return 0.0
    for (low, sure), (high, surer) in pairwise(_GRADES):
        if share < high:
            return round(sure + (surer - sure) * (share - low) / (high - low), 2)
    return _GRADES[-1][1]


def _same_sense(left: Iterable[tuple[str, str]], right: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs of roots, one of each side, whose words mean much the same; each root in one pair."""
    free = dict(right)
    found = []
    for mine, word in left:
        match = next((root for root, other in free.items() if _are_synonyms(word, other)), None)
        if match is not None:
            del free[match]
            found.append((mine, match))
    return found


def _are_synonyms(word: str, other: str) -> bool:
    """Whether a thesaurus lists one of two words under the other, in either direction."""
    return root(other) in map(root, synonyms(word)) or root(word) in map(root, synonyms(other))


def _excludes(one: _RootedWords, two: _RootedWords, left: Iterable[str], right: Iterable[str]) -> bool:
    """Whether what each has alone are values of which only one can be meant, or the same words lead elsewhere."""
    first, second = ([said.by_root[root] for root in roots] for said, roots in ((one, left), (two, right)))
    for is_value in (_is_number, VALUES.__contains__):
        if any(map(is_value, first)) and any(map(is_value, second)):
            return True
    if any(ANTONYMS.get(a) == ANTONYMS.get(b, "") for a, b in product(first, second)):
        return True
    names = [likeness.names(said.text.body) for said in (one, two)]
    if not names[0].isdisjoint(first) and not names[1].isdisjoint(second):
        return True
    return likeness.swapped(_full(one.text), _full(two.text))


def _is_number(word: str) -> bool:
    return any(sign.isdigit() for sign in root(word))


def substituted(one: str, two: str) -> set[str]:
    """The roots of words in whose place a sentence of the other text, alike otherwise, has another word."""
    there, here = ([_roots(found) for found in likeness.sentences(text)] for text in (two, one))
    both = [found for found in here if found in there]  # what both say is not another version of anything
    mine, others = ([found for found in said if found not in both] for said in (here, there))
    return {root for first in mine for second in others for root in _other_words(first, second)}


def _roots(words: Iterable[str]) -> list[str]:
    return [root(word) for word in words]


def _other_words(one: list[str], two: list[str]) -> Iterator[str]:
    equal = sum((Counter(one) & Counter(two)).values())
    if 2 * equal < max(len(one), len(two)):
        return
    for kind, start, end, from_, to in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        here, there = one[start:end], two[from_:to]
        few = kind == "replace" and max(len(here), len(there)) <= _FEW
        if few and not ({*here} & {*two} or {*there} & {*one}) and not _mean_the_same(here, there):
            yield from (*here, *there)


def _mean_the_same(here: Sequence[str], there: Sequence[str]) -> bool:
    return all(any(_are_synonyms(a, b) for b in there) for a in here)
