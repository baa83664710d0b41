"""Texts that differ but may both be true: the newer one asks, adds or supposes, or is about another case.

Staging or production, bus 12 or bus 14, Peter or Peter's brother: whether one replaces the other is for a
person to say. The tables are in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Set
from itertools import pairwise, product

from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import Reading, ReadSentence, Word
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.disagreement import groups, stance
from mdmem.language.doubt import normal
from mdmem.language.roots import folded
from mdmem.language.statement import reader
from mdmem.language.statement.tables import WORDS
from mdmem.language.tables import PLACES

_WORD = re.compile(r"\w+")
_ALSO = frozenset("also auch ausserdem aussi egalement tambien ademas".split())
_UNSURE = re.compile(
    r"\b(?:unconfirmed|rumou?rs?|reportedly|apparently|supposedly|allegedly|someone (?:said|says|told)|i heard"
    r"|angeblich|geruchte?|unbestatigt|rumeurs?|il parait|non confirme|rumor(?:es)?|al parecer|sin confirmar)\b"
)
_THIS_TIME = re.compile(  # once, not from then on
    r"(?<!from )(?<!since )\bthis (?:year|week|month|season|spring|summer|autumn|winter)\b(?! on\b)"
    r"|(?<!ab )(?<!seit )\b(?:dieses jahr|heuer|diesmal|diese woche|diese[nrs] (?:monat|sommer|winter|saison))\b"
    r"|(?<!desde )\b(?:este (?:ano|mes|verano|invierno)|esta (?:vez|semana|temporada))\b"
    r"|(?<!depuis )(?<!de )\b(?:cette (?:annee|fois|semaine|saison)|cet (?:ete|hiver))\b"
)
_NUMBERED = re.compile(
    r"(?:the |der |die |das |el |la |le )?(\w+) (\d+) (?:to|from|for|in|at|nach|von|fur|hacia|vers|pour)\b"
)
_TELLING_KINDS = frozenset(("day", "name"))  # of values that tell for which of several things something holds
_OWNED = re.compile(r"(\w+)'s (\w+)")
_RELATIVES = frozenset(
    """wife husband partner girlfriend boyfriend son daughter kid child baby mother father mom mum dad brother
    sister sibling twin niece nephew cousin uncle aunt grandson granddaughter grandma grandpa grandmother
    grandfather flatmate roommate colleague boss neighbour neighbor friend dog cat horse""".split()
)
_LEAST_PART = 3  # letters of the first part of a compound; the last part has more


def may_both_hold(older: str, newer: str) -> bool:
    """Whether the newer of two texts asks, only supposes, or adds to the older one, or is about another case."""
    before, after = folded(older), folded(newer)
    asks = "?" in newer and "?" not in older
    adds = bool(_ALSO & _words(after)) and not _ALSO & _words(before)
    supposes = stance.of_whole(newer).is_unreal or bool(_UNSURE.search(after))
    return asks or adds or supposes or _is_another_case(older, newer)


def _is_another_case(older: str, newer: str) -> bool:
    """Whether texts are about other places, seasons, people or numbered things, or the newer about one time."""
    before, after = folded(older), folded(newer)
    earlier, later = reading.read(older), reading.read(newer)
    return (
        _is_for_others(before, after)
        or (bool(_THIS_TIME.search(after)) and not _THIS_TIME.search(before))
        or groups.is_other_of_one(_numbered(earlier), _numbered(later))
        or _is_named_otherwise(earlier, later, groups.are_opposite(before, after))
        or _is_of_a_kind(earlier, later)
        or _is_of_a_relative(older, newer)
        or _is_of_a_relative(newer, older)
        or _denies_of_another(earlier, later)
    )


def _is_for_others(before: str, after: str) -> bool:
    """Whether folded texts name different places, or different times or groups of people."""
    only_before, only_after = _words(before) - _words(after), _words(after) - _words(before)
    return (bool(only_before & PLACES) and bool(only_after & PLACES)) or groups.tell_which(before, after)


def _words(plain: str) -> frozenset[str]:
    return frozenset(_WORD.findall(plain))


def _numbered(text: Reading) -> Mapping[str, set[str]]:
    """Root of a word before the verb, or of one that says where else -> the bare numbers that follow it."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in text.sentences:
        for word, number in pairwise(sentence.words):
            is_number = number.kind == "number" and number.root == number.bare
            is_key = number.at < max(sentence.verb, sentence.leading) and word.kind in ("word", "name")
            if is_number and (is_key or _is_labelled(sentence, word, number, text.tongue)):
                found[word.root].add(number.root)
        if led := _NUMBERED.match(folded(sentence.text)):
            found[led[1]].add(led[2])
    return found


def _is_labelled(said: ReadSentence, word: Word, number: Word, tongue: str) -> bool:
    """Whether a number ends a phrase behind what is said, and tells which: prefers tables in reports 1."""
    written = reading.tokens(said.text)
    is_last = word.kind == "word" and number is said.words[-1] and word.at > said.verb
    if not is_last or number.text not in written or word.text in WORDS[tongue].attributes:
        return False
    at = written.index(number.text)
    is_next = at > 0 and reading.plain(written[at - 1]) == word.text
    return is_next and reader.is_behind_preposition(written[: at - 1], tongue)


def _is_named_otherwise(one: Reading, two: Reading, is_opposite: bool) -> bool:
    """Whether texts give different names and different values for them: Ada's exam is in May, Ben's in June.

    `is_opposite` is whether they have words that exclude each other. If they share a name, each text has to be
    about one that the other does not have.
    """
    kinds = _kinds_alone(one, two) & _kinds_alone(two, one)
    if "name" not in kinds or not (len(kinds) > 1 or is_opposite):
        return False
    is_common = any(word.kind == "name" and word.root in one.roots for word in two.words)
    return not is_common or (_is_about_a_name(one, two) and _is_about_a_name(two, one))


def _is_about_a_name(text: Reading, other: Reading) -> bool:
    """Whether a sentence of the text is about a name that the other text does not have."""
    keys = (word for sentence in text.sentences for word in sentence.key[sentence.leading :])
    return any(word.kind == "name" and word.root not in other.roots for word in keys)


def _is_of_a_relative(one: str, two: str) -> bool:
    """Whether the second text is about a relative of somebody whom the first names: Peter, Peter's brother."""
    before, after = normal(one), normal(two)
    said = _words(before) - {owner for owner, _ in _OWNED.findall(before)}
    return any(
        owner in said and relative in _RELATIVES and relative not in said
        for owner, relative in _OWNED.findall(after)
    )


def _is_of_a_kind(older: Reading, newer: Reading) -> bool:
    """Whether one text names a special kind of what the other names: Kinderchor, Chor.

    Not if the newer text denies a word of the older: "no longer on Mondays" is about the same thing.
    """
    if _denied(newer) & older.roots:
        return False
    before, after = _plain_words(older), _plain_words(newer)
    return _has_a_kind(before, after) or _has_a_kind(after, before)


def _has_a_kind(words: Set[str], others: Set[str]) -> bool:
    """Whether a word is a compound that ends in one of the others and begins with none of them."""
    for word, other in product(words - others, others - words):
        rest = word.removesuffix(other)
        if len(other) > _LEAST_PART <= len(rest) < len(word) and rest not in others:
            return True
    return False


def _plain_words(text: Reading) -> frozenset[str]:
    return frozenset(word.text for word in text.words if word.kind in ("word", "name"))


def _denied(text: Reading) -> frozenset[str]:
    """The roots that a text denies."""
    return frozenset(word.root for said in text.sentences for word in said.words if said.denies(word))


def _denies_of_another(older: Reading, newer: Reading) -> bool:
    """Whether the newer text denies for another day or thing what the older one says: no longer on Sundays."""
    mine = {word.root: word.kind for word in older.words if word.root not in newer.roots}
    other = {word.root: word.kind for word in newer.words if word.root not in older.roots}
    other.pop("longer", None)  # of "no longer"
    denied = _denied(newer)
    if len(mine) == len(other) == 1 and set(mine.values()) == set(other.values()) == {"word"}:
        return other.keys() <= denied
    return any(
        all(root in denied for root, kind in other.items() if kind == telling)
        for telling in _TELLING_KINDS.intersection(mine.values(), other.values())
    )


def _kinds_alone(text: Reading, other: Reading) -> set[str]:
    """The kinds of the values that a text has and the other lacks."""
    return {word.kind for word in text.words if word.root not in other.roots}.intersection(VALUE_KINDS)
