"""Small words by which two texts that are much alike say different things, or may both be true.

Left or right, first or third, also, staging or production: pairs that differ so are for a person to look at. The
tables are in English, German, French and Spanish.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from itertools import pairwise

from mdmem.language import likeness
from mdmem.language.alignment import reading
from mdmem.language.alignment.reading import Reading
from mdmem.language.alignment.slots import VALUE_KINDS
from mdmem.language.disagreement import owners, stance
from mdmem.language.doubt import normal
from mdmem.language.roots import folded
from mdmem.language.tables import ANTONYMS, PLACES

# A row is a group of which a thing has one value; words between two bars are the same value.
_GROUPS = """
north nord norden norte|south sud suden|east ost osten|west westen ouest oeste
left links linke linken linker gauche izquierda|right rechts rechte rechten rechter droite derecha
inside innen drinnen dentro|outside aussen draussen fuera
before avant antes|after apres despues
above over uber oberhalb encima dessus|below under unter unterhalb debajo dessous
least minimum mindestens minimo moins|most maximum hochstens maximo plus
first 1st erste ersten erster erstes premier premiere primer primero primera|second 2nd zweite zweiten zweiter \
zweites deuxieme segundo segunda|third 3rd dritte dritten dritter drittes troisieme tercer tercero tercera|fourth \
4th vierte vierten vierter viertes quatrieme cuarto cuarta|last letzte letzten letzter letztes dernier derniere
brother bruder frere hermano|sister schwester soeur hermana
"""
# The same for words that tell when, or for whom, something holds: two of them may both be true.
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
"""
_ROWS = [row for table in (_GROUPS, _WHICH) for row in table.strip().split("\n")]
_TELLING_WHICH = frozenset(_WHICH.strip().split("\n"))
_VALUES = {word: (group, word) for word, group in ANTONYMS.items()} | {
    word: (row, meaning) for row in _ROWS for meaning in row.split("|") for word in meaning.split()
}
# Words for the second half of the day, in which 7:30 is 19:30; the other half is that of a time without them.
_LATE = frozenset(
    "afternoon evening night tonight nachmittag nachmittags abend abends nacht nachts tarde noche soir midi "
    "nuit".split()
)
_PM = re.compile(r"\dp\.?m\b|\bp\.?m\b")
_NOON = 12  # hours
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
_TELLING_KINDS = frozenset(("day", "name"))  # of values that tell of which of several something holds
_OWNED = re.compile(r"(\w+)'s (\w+)")
_LEAST_PART = 3  # letters of what stands before a word in a compound; the word itself has more
_TOWN = re.compile(  # of several by one name: Frankfurt am Main, Newcastle upon Tyne
    r"\b([A-ZÄÖÜÉ]\w+)[ -]"
    r"(?:a[mn]|an de[rm]|bei|ob der|im|in der|upon|on|under|sur|sous|en|del?|de la)[ -]([A-ZÄÖÜ]\w+)"
)
_FEW = 3  # words of either text that the other does not have
_FORBIDS = re.compile(r"\b(?:forb[ai]d|bann?ed|prohib|verb[io]et|verboten|untersag|interdi)")


def differ(one: str, two: str) -> bool:
    """Whether two texts differ in such a word or in what they forbid, or exchange one word or name for another."""
    first, second = folded(one), folded(two)
    mine, other = _values(first), _values(second)
    if any(_exclude(mine[group], other[group]) for group in mine.keys() & other.keys()):
        return True
    said = reading.read(one), reading.read(two)
    return (
        _forbids_alone(first, second)
        or _forbids_alone(second, first)
        or _exchange_few(*said)
        or _is_at_another_hour(one, two)
        or _lie_elsewhere(one, two)
        or owners.exchange_owners(*said)
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
    is_opposite = any(_exclude(mine[group], other[group]) for group in mine.keys() & other.keys())
    earlier, later = reading.read(older), reading.read(newer)
    return (
        is_elsewhere
        or is_once
        or is_for_others
        or _is_numbered_otherwise(earlier, later)
        or _is_named_otherwise(earlier, later, is_opposite)
        or _has_another_owner(older, newer)
        or _has_another_owner(newer, older)
        or _is_of_a_kind(only_before, only_after)
        or _is_of_a_kind(only_after, only_before)
        or _denies_of_another(earlier, later)
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


def _is_named_otherwise(one: Reading, two: Reading, is_opposite: bool) -> bool:
    """Whether texts give two names and, of these, two values: Ada's exam is in May, Ben's in June.

    `is_opposite` is whether they have words that exclude each other.
    """
    kinds = _kinds_alone(one, two) & _kinds_alone(two, one)
    return "name" in kinds and (len(kinds) > 1 or is_opposite)


def _has_another_owner(one: str, two: str) -> bool:
    """Whether the second text is about what somebody has of whom the first one tells: Peter, Peter's brother."""
    before, after = normal(one), normal(two)
    said = _words(before) - {owner for owner, _ in _OWNED.findall(before)}
    return any(owner in said and thing not in said for owner, thing in _OWNED.findall(after))


def _is_of_a_kind(words: Set[str], others: Set[str]) -> bool:
    """Whether a word names a kind of what one of the others names: Kinderchor, Chor."""
    return any(
        word.endswith(other) and len(word) >= len(other) + _LEAST_PART
        for word in words
        for other in others
        if len(other) > _LEAST_PART
    )


def _denies_of_another(older: Reading, newer: Reading) -> bool:
    """Whether the newer text denies of another day or thing what the older one says: no longer on Sundays."""
    mine = {word.root: word.kind for word in older.words if word.root not in newer.roots}
    other = {word.root: word.kind for word in newer.words if word.root not in older.roots}
    denied = {word.root for sentence in newer.sentences for word in sentence.words if sentence.denies(word)}
    if len(mine) == len(other) == 1 and set(mine.values()) == set(other.values()) == {"word"}:
        return other.keys() <= denied
    return any(
        all(root in denied for root, kind in other.items() if kind == telling)
        for telling in _TELLING_KINDS.intersection(mine.values(), other.values())
    )


def _kinds_alone(text: Reading, other: Reading) -> set[str]:
    """The kinds of values of which a text has some that the other lacks."""
    return {word.kind for word in text.words if word.root not in other.roots}.intersection(VALUE_KINDS)


def _is_at_another_hour(one: str, two: str) -> bool:
    """Whether texts give a time of twelve hours, by digits, in two halves of the day: 7:00 and 19:00."""
    mine, other = _hours(one), _hours(two)
    return any(mine[time].isdisjoint(other[time]) for time in mine.keys() & other.keys())


def _hours(text: str) -> Mapping[str, set[int]]:
    """Time of twelve hours -> the hours of the day (0-23) that a text gives it by digits."""
    said = folded(text)
    is_late = bool(_LATE & _words(said) or _PM.search(said))
    found: defaultdict[str, set[int]] = defaultdict(set)
    for word in reading.read(text).words:
        if word.kind == "time" and any(map(str.isdigit, word.text)):
            hour = int(word.bare)
            found[word.root].add(hour + _NOON if is_late and hour < _NOON else hour)
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


def _lie_elsewhere(one: str, two: str) -> bool:
    """Whether two texts name a town alike that lies elsewhere in each."""
    mine, other = ({match[1]: match[2] for match in _TOWN.finditer(text)} for text in (one, two))
    return any(mine[town] != other[town] for town in mine.keys() & other.keys())


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
