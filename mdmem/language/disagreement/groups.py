"""Groups of words that exclude each other: left or right, first or third, 5 mg or 5 ml.

The tables are in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from mdmem.language.tables import ANTONYMS

# A row is a group of values that exclude each other; the words between two bars are one value.
_GROUPS = """
north nord norden norte|south sud suden|east ost osten|west westen ouest oeste
left links linke linken linker gauche izquierda|right rechts rechte rechten rechter droite derecha
inside innen drinnen dentro|outside aussen draussen fuera
before avant antes vor|after apres despues nach
above over uber oberhalb encima dessus|below under unter unterhalb debajo dessous
can may kann konnen darf durfen puede pueden peut peuvent|\
must should muss mussen soll sollen debe deben doit doivent
least minimum mindestens minimo moins|most maximum hochstens maximo plus
first 1st erste ersten erster erstes premier premiere primer primero primera|second 2nd zweite zweiten zweiter \
zweites deuxieme segundo segunda|third 3rd dritte dritten dritter drittes troisieme tercer tercero tercera|fourth \
4th vierte vierten vierter viertes quatrieme cuarto cuarta|last letzte letzten letzter letztes dernier derniere
"""
# Likewise for words that tell when, or for whom, something holds; texts with two of these may both be true.
_WHICH = """
spring fruhling fruhjahr primavera printemps|summer summers sommer verano ete|autumn herbst otono automne|\
winter winters invierno hiver
morning mornings morgens vormittags manana madrugada matin|afternoon afternoons nachmittags tarde|\
evening evenings abends soir|night nights nachts noche nuit
weekday weekdays werktags wochentags|weekend weekends wochenende wochenenden
adults erwachsene erwachsenen adultos adultes|children kids kinder kindern ninos enfants|\
seniors pensioners senioren jubilados retraites|students studenten studierende estudiantes etudiants|\
members mitglieder socios membres|guests visitors gaste besucher invitados visitantes invites visiteurs|\
staff employees mitarbeiter empleados personnel
mother mum mom mutter mama madre mere maman|father dad vater papa padre pere|\
grandmother grandma oma grossmutter abuela mamie|grandfather grandpa opa grossvater abuelo papy|\
brother bruder frere hermano|sister schwester soeur hermana|son sohn hijo fils|daughter tochter hija fille|\
husband ehemann marido mari|wife ehefrau esposa epouse|uncle onkel tio oncle|aunt tante tia
"""
_ROWS = [row for table in (_GROUPS, _WHICH) for row in table.strip().split("\n")]
_TELLING_WHICH = frozenset(_WHICH.strip().split("\n"))
_VALUES = {word: (group, word) for word, group in ANTONYMS.items()} | {
    word: (row, meaning) for row in _ROWS for meaning in row.split("|") for word in meaning.split()
}
_WORD = re.compile(r"\w+")
_UNIT = re.compile(r"\d\s?([mkcµ]?[glm]|oz|lbs?|ft|psi|bar|k?pa|k?wh?|[mgkt]i?b)\b")


def are_opposite(one: str, two: str) -> bool:
    """Whether folded texts have words that exclude each other, or the same in another order: left and right."""
    mine, other = _values(one), _values(two)
    return any(_exclude(mine[group], other[group]) for group in mine.keys() & other.keys())


def tell_which(one: str, two: str) -> bool:
    """Whether folded texts name different times or groups of people: summer and winter, members and guests."""
    mine, other = (
        {group: set(found) for group, found in _values(text).items() if group in _TELLING_WHICH}
        for text in (one, two)
    )
    return is_other_of_one(mine, other)


def is_other_of_one(mine: Mapping[str, Set[Any]], other: Mapping[str, Set[Any]]) -> bool:
    """Whether two texts give something that both have entirely different values: both have a bus, 12 and 14."""
    return any(mine[thing].isdisjoint(other[thing]) for thing in mine.keys() & other.keys())


def _values(plain: str) -> Mapping[str, Sequence[str]]:
    """Group -> the values of it that a folded text has, in order."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    known = filter(None, map(_value, _WORD.findall(plain)))
    for group, value in [*known, *(("unit", unit) for unit in _UNIT.findall(plain))]:
        if value not in found[group]:
            found[group].append(value)
    return found


def _value(word: str) -> tuple[str, str] | None:
    """The group and value of a folded word; a plural or genitive ("grandmas") counts without its s."""
    return _VALUES.get(word) or _VALUES.get(word.removesuffix("s"))


def _exclude(one: Sequence[str], two: Sequence[str]) -> bool:
    """Whether two lists of a group's values have none in common, or the same in another order."""
    return not set(one) & set(two) or (set(one) == set(two) and one != two)
