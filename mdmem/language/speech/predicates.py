"""What a clause says of its subject, in the third person: "I've been looking for" is "has been looking for"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.language import words
from mdmem.language.persons.english import conjugated
from mdmem.language.speech import clauses, tables
from mdmem.language.speech.clauses import Clause, bare

_ARTICLES = frozenset("the a an my our".split())
_NAMING = frozenset("called named".split())
_HOW_OFTEN = frozenset("often much always usually".split())
_OF_PLACE = frozenset("from into in on at after against with".split())
_THIRD_PERSON = {
    "am": "is",
    "are": "is",
    "were": "was",
    "have": "has",
    "do": "does",
    "had": "had",
    "need": "needs",
}


class Predicate(NamedTuple):
    """The predicate of a clause: relation in the third person, verb and tense, and the rest as its object.

    `tense` is past, perfect, present, progressive, future or cannot.
    """

    relation: str
    verb: str
    tense: str
    object: str


def read(clause: Clause) -> Predicate | None:
    """The predicate of a clause; None if it only supposes something, or says nothing that lasts."""
    helpers = set(clause.helpers)
    if helpers & tables.SUPPOSING or not clause.rest or clause.verb in tables.ADVERBS:
        return None
    tokens = clause.rest.split()
    if clause.negated and bare(tokens[0]) in _HOW_OFTEN:  # "I don't go often, once a year" does not deny the year
        return None
    if helpers & {"cannot", "will", "must"}:
        return _modal(clause, tokens)
    if clause.verb in tables.BE and not helpers & tables.HAVE:
        return _copula(clause, tokens)
    if helpers & tables.BE and clause.verb.endswith("ing"):
        return _progressive(clause, tokens)
    return _simple(clause, tokens)


def _modal(clause: Clause, tokens: Sequence[str]) -> Predicate | None:
    """The predicate with "cannot", "will" or "must"; None for set phrases: "I can't wait", "I'll try"."""
    if "cannot" in clause.helpers:
        return None if clause.verb in tables.MERE_CANNOT else _made("cannot", clause.verb, "cannot", tokens)
    if clause.verb in tables.MERE_WILL or words.bases(clause.verb) & tables.PASSING:
        return None
    modal = "will" if "will" in clause.helpers else "must"
    return _made(_denied(modal, clause), clause.verb, "future", tokens)


def _copula(clause: Clause, tokens: list[str]) -> Predicate | None:
    """The predicate with "is" or "was"; None for what somebody is only for a moment."""
    is_too_much = bool(tokens) and bare(tokens[0]) == "too"  # "too lazy to look" is not lazy
    while tokens and bare(tokens[0]) in tables.ADVERBS:
        tokens = tokens[1:]
    if not tokens or is_too_much or (clause.is_own and _is_mood(tokens)):
        return None
    copula = _denied(_in_third_person(clause, clause.verb), clause)
    taken = _taken_by_copula(tokens)
    tense = "past" if clause.verb in ("was", "were") else "present"
    return Predicate(" ".join([copula, *tokens[:taken]]), "be", tense, " ".join(tokens[taken:]))


def _is_mood(tokens: Sequence[str]) -> bool:
    """Whether it only names a mood: happy, ready, a mix of glad and scared ..."""
    first = bare(tokens[0])
    noun = bare(tokens[1]) if first in ("a", "an") and len(tokens) > 1 else first
    return noun in tables.FEELINGS or first.endswith("'s")


def _taken_by_copula(tokens: Sequence[str]) -> int:
    """How many words after "is" belong to the relation: "is allergic to", "is from"."""
    first, second = bare(tokens[0]), bare(tokens[1]) if len(tokens) > 1 else ""
    if second and first in _NAMING:
        return 1
    if len(tokens) > 2 and first not in tables.FEW and second in tables.PARTICLES:
        return 2
    return int(len(tokens) > 1 and second not in tables.PARTICLES and first in _OF_PLACE)


def _progressive(clause: Clause, tokens: Sequence[str]) -> Predicate | None:
    """The predicate with "is doing" or "was doing"; None for what somebody only feels or says."""
    is_past = not {"was", "were"}.isdisjoint(clause.helpers)
    helper = next(word for word in clause.helpers if word in tables.BE | tables.HAVE)
    copula = _in_third_person(clause, helper)
    copula = f"{copula} been" if helper in tables.HAVE else copula
    copula = _denied(copula, clause)
    if clause.verb == "going" and bare(tokens[0]) == "to" and len(tokens) > 1 and not is_past:
        return _intention(f"{copula} going to", tokens[1:])
    if clause.verb in tables.FEELINGS and clause.verb not in tables.TELLING_ING:
        return None
    return _made(copula, clause.verb, "past" if is_past else "progressive", tokens)


def _intention(before: str, tokens: Sequence[str]) -> Predicate | None:
    """The predicate with "is going to" and a verb or a place; None if it says too little."""
    verb = bare(tokens[0])
    if verb in _ARTICLES or not tokens[0].islower():
        return Predicate(before, "go", "future", " ".join(tokens))
    if verb in tables.MERE_WILL | tables.PASSING | tables.ADVERBS or len(tokens) < 2:
        return None
    return _made(before, verb, "future", tokens[1:])


def _simple(clause: Clause, tokens: Sequence[str]) -> Predicate | None:
    """The predicate with "does", "did" or "has done"; None for what somebody only thinks or says."""
    helpers = [word for word in clause.helpers if word in tables.HAVE | tables.DO]
    tense = _tense(clause, helpers)
    if _is_passing(clause, tense):
        return None
    adverbs = [word for word in clause.adverbs if word in tables.KEPT_ADVERBS]
    if helpers and (clause.negated or tense == "perfect"):
        helper = _denied(_in_third_person(clause, helpers[0]), clause)
        return _made(" ".join([helper, *adverbs]), clause.verb, tense, tokens)
    verb = _in_third_person(clause, clause.verb) if tense == "present" else clause.verb
    return _made(" ".join(adverbs), verb, tense, tokens)


def _tense(clause: Clause, helpers: Sequence[str]) -> str:
    if helpers and helpers[0] in tables.HAVE:
        return "perfect"
    is_past = "did" in helpers or (not helpers and clauses.is_past(clause.verb))
    return "past" if is_past else "present"


def _is_passing(clause: Clause, tense: str) -> bool:
    """Whether a verb only tells what somebody thinks, says or feels at a moment."""
    passing = words.bases(clause.verb) & tables.PASSING
    if tense in ("past", "perfect") and not clause.negated:
        return bool(passing) and not passing & tables.PASSING_BUT_DONE
    return bool(passing)


def _made(before: str, verb: str, tense: str, tokens: Sequence[str]) -> Predicate:
    """A predicate whose relation is the verb with its particles; its object is the rest of the tokens."""
    taken = 0
    while taken < min(2, len(tokens) - 1) and tokens[taken] in tables.PARTICLES:
        taken += 1
    relation = " ".join(filter(None, [before, verb, *tokens[:taken]]))
    return Predicate(relation, verb, tense, " ".join(tokens[taken:]))


def _denied(helper: str, clause: Clause) -> str:
    return f"{helper} not" if clause.negated else helper


def _in_third_person(clause: Clause, verb: str) -> str:
    """The form of a verb after "he" if the speaker is the subject; else the verb as it is."""
    return _THIRD_PERSON.get(verb) or conjugated(verb) if clause.is_own else verb
