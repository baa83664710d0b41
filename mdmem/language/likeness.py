"""The wording of a text: its content words, how often it denies, and whether words stand in another order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product, takewhile
from operator import eq

from mdmem.language import negation
from mdmem.language.roots import root, singular
from mdmem.note import links, stopwords
from mdmem.note.sentences import split

_DIRECTED = frozenset(  # what stands before and after them is not exchanged without another meaning
    "over than from to before after into calls depends rather instead not statt als vor nach que à au al".split()
)
_SHARED = 0.75  # of the content words of the shorter of two sentences of which one denies the other
_FRAME, _VALUE = 2, 3  # content words of a sentence that stay, at least, and of a value in it, at most
_WORD = re.compile(r"[^\W_]+(?:[.:'’][^\W_]+)*")
_BRACKETS = str.maketrans("()", "\n\n")


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


def telling_roots(text: str) -> frozenset[str]:
    """The roots of the content words of a text."""
    return frozenset(filter(None, map(root, telling(text))))


def negations(text: str) -> int:
    """How many negations a text contains, in any language."""
    return sum(word in negation.ANYWHERE for word in words(text))


def denies(text: str, other: str) -> bool:
    """Whether a sentence of one of two texts denies a word that one of the other says in nearly the same words.

    What both texts say counts for neither.
    """
    told, others = ({*split(each, also=";")} for each in (text, other))
    return any(_contradict(*pair) for pair in product(told - others, others - told))


def _contradict(one: str, two: str) -> bool:
    """Whether one of two sentences denies what the other says; if both deny something, in the same words."""
    one, two = sorted((one, two), key=negations, reverse=True)
    said, there = ({root for root in _roots(each) if root not in negation.ANYWHERE} for each in (one, two))
    is_like = len(said & there) >= _SHARED * min(len(said), len(there)) and not negations(two)
    return (is_like or said == there) and negations(one) > negations(two) and not there.isdisjoint(_denied(one))


def _denied(sentence: str) -> Iterator[str]:
    """The roots that a sentence denies: of each negation the next content word, or else the last one before it."""
    told = words(sentence)
    for at, word in enumerate(told):
        if word in negation.ANYWHERE:
            yield from _roots(" ".join(told[at + 1 :]))[:1] or _roots(" ".join(told[:at]))[-1:]


def exchanged(first: str, second: str) -> bool:
    """Whether two texts begin alike and differ in one place, where each has a few words of its own: a value."""
    one, two = map(_roots, (first, second))
    if abs(len(one) - len(two)) > _VALUE:
        return False
    same = _alike(one, two)
    one, two = one[same:], two[same:]
    ends = _alike(one[::-1], two[::-1])
    own = len(one) - ends, len(two) - ends
    return same > 0 and same + ends >= _FRAME and min(own) > 0 and max(own) <= _VALUE


@lru_cache(64)  # a long memory may be compared with all that a chat says
def _roots(text: str) -> list[str]:
    return [root(word) or word for word in telling(text)]


def _alike(one: Sequence[str], two: Sequence[str]) -> int:
    """With how many equal words two lists begin."""
    return sum(1 for _ in takewhile(bool, map(eq, one, two)))


def swapped(first: str, second: str, directed: bool = False) -> bool:
    """Whether the words before and after some word in one text come after and before it in the other.

    If `directed`, that is a word of comparison or direction: "tea over coffee", "coffee over tea".
    """
    seen = _around(second, directed)
    return any(
        (word, behind, before) in seen for word, before, behind in _around(first, directed) if behind != before
    )


@lru_cache(64)
def _around(text: str, directed: bool) -> set[tuple[str, str, str]]:
    """(word, before, after) for each content word of a clause, with words up to two places before and after it."""
    around: set[tuple[str, str, str]] = set()
    for clause in split(text.translate(_BRACKETS), also=";:" if directed else ",;:"):
        said = [word for word in words(clause) if word in _DIRECTED or word not in stopwords.COMPARISON]
        found = [root(singular(word)) for word in said]
        for at in range(1, len(found) - 1):
            for before in found[max(at - 2, 0) : at] if said[at] in _DIRECTED or not directed else ():
                around.update((found[at], before, behind) for behind in found[at + 1 : at + 3])
    return around
