"""Small words by which two texts that are much alike say different things, or may both be true.

Left or right, first or third, also, staging or production: pairs that differ so are for a person to look at. The
tables are in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

from mdmem.language import likeness
from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import Reading
from mdmem.language.disagreement import stance
from mdmem.language.roots import folded
from mdmem.language.tables import ANTONYMS, PLACES

# A row is a group of which a thing has one value; words between two bars are the same value.
_GROUPS = """
north nord norden norte|south sud suden|east ost osten|west westen ouest oeste
left links linke linken linker gauche izquierda|right rechts rechte rechten rechter droite derecha
inside innen drinnen dentro|outside aussen draussen fuera
before avant antes|after apres despues
first 1st erste ersten erster erstes premier premiere primer primero primera|second 2nd zweite zweiten zweiter \
zweites deuxieme segundo segunda|third 3rd dritte dritten dritter drittes troisieme tercer tercero tercera|fourth \
4th vierte vierten vierter viertes quatrieme cuarto cuarta|last letzte letzten letzter letztes dernier derniere
brother bruder frere hermano|sister schwester soeur hermana
"""
# The same for words that tell when, or for whom, something holds: two of them may both be true.
_WHICH = """
spring fruhling fruhjahr primavera printemps|summer summers sommer verano ete|autumn herbst otono automne|\
winter winters invierno hiver
weekday weekdays werktags wochentags|weekend weekends wochenende wochenenden
adults erwachsene erwachsenen adultos adultes|children kids kinder kindern ninos enfants|\
seniors pensioners senioren jubilados retraites|students studenten studierende estudiantes etudiants|\
members mitglieder socios membres|guests visitors gaste besucher invitados visitantes invites visiteurs|\
staff employees mitarbeiter empleados personnel
"""
_ROWS = [row for table in (_GROUPS, _WHICH) for row in table.strip().split("\n")]
_TELLING_WHICH = frozenset(_WHICH.strip().split("\n"))
_VALUES = {word: (group, word) for word, group in ANTONYMS.items()} | {
    word: (row, meaning) for row in _ROWS for meaning in row.split("|") for word in meaning.split()
}
_WORD = re.compile(r"\w+")
_UNIT = re.compile(r"\d\s?([mkcµ]?[glm]|oz|lbs?|ft|psi|bar|k?pa|k?wh?|[mgkt]i?b)\b")
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
_FEW = 3  # words of either text that the other does not have
_FORBIDS = re.compile(r"\b(?:forb[ai]d|bann?ed|prohib|verb[io]et|verboten|untersag|interdi)")


def differ(one: str, two: str) -> bool:
    """Whether two texts differ in such a word or in what they forbid, or exchange one word or name for another."""
    first, second = folded(one), folded(two)
    mine, other = _values(first), _values(second)
    if any(_exclude(mine[group], other[group]) for group in mine.keys() & other.keys()):
        return True
    return (
        _forbids_alone(first, second)
        or _forbids_alone(second, first)
        or _exchange_few(reading.read(one), reading.read(two))
    )


def may_both_hold(older: str, newer: str) -> bool:
    """Whether the newer of two texts asks, only supposes, or adds to the older one, or speaks of another case."""
    before, after = folded(older), folded(newer)
    asks = "?" in newer and "?" not in older
    adds = bool(_ALSO & _words(after)) and not _ALSO & _words(before)
    supposes = stance.of_whole(newer).is_unreal or bool(_UNSURE.search(after))
    return asks or adds or supposes or _is_another_case(older, newer)


def _is_another_case(older: str, newer: str) -> bool:
    """Whether two texts name two places, seasons, groups of people or numbered things, or the newer one a time."""
    before, after = folded(older), folded(newer)
    only_before, only_after = _words(before) - _words(after), _words(after) - _words(before)
    is_elsewhere = bool(only_before & PLACES) and bool(only_after & PLACES)
    is_once = bool(_THIS_TIME.search(after)) and not _THIS_TIME.search(before)
    mine, other = _values(before), _values(after)
    named_which = _TELLING_WHICH & mine.keys() & other.keys()
    is_for_others = any(set(mine[group]).isdisjoint(other[group]) for group in named_which)
    return (
        is_elsewhere
        or is_once
        or is_for_others
        or _is_numbered_otherwise(reading.read(older), reading.read(newer))
    )


def _words(plain: str) -> frozenset[str]:
    return frozenset(_WORD.findall(plain))


def _is_numbered_otherwise(one: Reading, two: Reading) -> bool:
    """Whether texts are about two of one kind by their numbers: bus 12, bus 14."""
    mine, other = _numbered(one), _numbered(two)
    return any(mine[thing].isdisjoint(other[thing]) for thing in mine.keys() & other.keys())


def _numbered(text: Reading) -> Mapping[str, set[str]]:
    """What has a bare number behind it before a verb -> these numbers."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for sentence in text.sentences:
        for word, number in pairwise(sentence.words[: max(sentence.verb, sentence.leading)]):
            if word.kind in ("word", "name") and number.kind == "number" and number.root == number.bare:
                found[word.root].add(number.root)
        if led := _NUMBERED.match(folded(sentence.text)):
            found[led[1]].add(led[2])
    return found


def _values(plain: str) -> Mapping[str, Sequence[str]]:
    """Group -> its values that a text has, in their order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    known = [_VALUES[word] for word in _WORD.findall(plain) if word in _VALUES]
    for group, value in [*known, *(("unit", unit) for unit in _UNIT.findall(plain))]:
        if value not in found[group]:
            found[group].append(value)
    return found


def _exclude(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether the values of a group have none in common, or come in another order: left and right exchanged."""
    return not set(one) & set(two) or (set(one) == set(two) and one != two)


def _forbids_alone(one: str, two: str) -> bool:
    """Whether one text forbids something, and the other neither forbids nor denies anything."""
    return bool(_FORBIDS.search(one)) and not _FORBIDS.search(two) and not likeness.negations(two)


def _exchange_few(one: Reading, two: Reading) -> bool:
    """Whether texts that are otherwise the same exchange a word for another, or may exchange a name."""
    alone = [word for word in one.words if word.root not in two.roots]
    others = [word for word in two.words if word.root not in one.roots]
    if not (alone and others) or max(len(alone), len(others)) > _FEW:
        return False
    return len(alone) == len(others) == 1 or any(word.kind == "name" for word in (*alone, *others))
