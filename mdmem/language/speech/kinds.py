"""The type of the fact that a clause states, how long it holds, and how sure it is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdmem.language import words
from mdmem.language.speech import tables
from mdmem.language.speech.clauses import Clause, bare
from mdmem.language.speech.predicates import Predicate

LONG_OBJECT = 12  # words from which an assertion is less plain
_FUTURE = re.compile(
    r"\b(?:tomorrow|next \w+|soon|upcoming|later this|in (?:a|two|three|\d+) (?:day|week|month)s?)\b", re.I
)
_SOON = re.compile(
    r"\b(?:today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening)|these days)\b", re.I
)
_MONTHS = re.compile(
    r"\b(?:this (?:month|summer|winter|spring|fall|autumn|year|semester|season)|next (?:month|year))\b", re.I
)
_LASTING = re.compile(r"\b(?:since|for (?:\w+ )?(?:years|\d+ years)|all my life|whole life|born|forever)\b", re.I)
_IN_A_PLACE = re.compile(r" (?:in|at|as|for)$")
_FAVOURITE = re.compile(r"\bfavou?rite\b", re.I)
_GOAL = re.compile(r"\b(?:goal|dream|plan|plans|aim|hope|mission|resolution)$")
_DUTY = re.compile(r"(?:has|have) to\b")
_TO = re.compile(r"\bto\b")
_TO_WITHIN = 40  # characters of relation and object within which a "to" belongs to "wants" and the like

# The confidence in each type if it is stated plainly, and what is deducted from it (0-1).
SURE = {
    **{"identity": 0.9, "preference": 0.9, "constraint": 0.85, "commitment": 0.8, "event": 0.85, "trait": 0.75},
    **{"elided": -0.2, "opinion": -0.1, "doubt": -0.25, "we": -0.1, "long": -0.1, "wish": -0.1, "front": -0.05},
}


def type_of(clause: Clause, predicate: Predicate) -> str:
    """The type of the fact: the first of which it has the marks, else event or trait."""
    plain = [bare(token) for token in f"{predicate.relation} {predicate.object}".split()]
    bases = words.bases(predicate.verb)
    if _is_constraint(clause, predicate, plain, bases):
        return "constraint"
    if _is_preference(clause, predicate, plain, bases):
        return "preference"
    if _is_identity(clause, predicate, plain, bases):
        return "identity"
    if _is_commitment(clause, predicate, bases):
        return "commitment"
    has_happened = predicate.tense in ("past", "perfect", "progressive") and predicate.verb != "be"
    return "event" if has_happened else "trait"


def _is_constraint(clause: Clause, predicate: Predicate, plain: Sequence[str], bases: frozenset[str]) -> bool:
    """Whether it says what somebody cannot do, never does, or must observe."""
    is_allergic = predicate.verb in ("be", "been", "got", "went") and not tables.ALLERGIC.isdisjoint(plain[:4])
    if predicate.tense == "cannot" or is_allergic:
        return True
    is_denied = clause.negated or "never" in clause.adverbs
    if is_denied and "must" in clause.helpers:
        return True
    if predicate.tense != "present":
        return False
    names_limit = not clause.is_own and not tables.LIMITS.isdisjoint(map(bare, clause.subject.split()))
    return names_limit or (is_denied and bool(bases & tables.DIETS))


def _is_preference(clause: Clause, predicate: Predicate, plain: Sequence[str], bases: frozenset[str]) -> bool:
    """Whether it says what somebody likes or dislikes."""
    if bases & tables.LIKING or _FAVOURITE.search(clause.subject):
        return True
    return predicate.verb == "be" and not tables.INTERESTED.isdisjoint(plain[1:4])


def _is_identity(clause: Clause, predicate: Predicate, plain: Sequence[str], bases: frozenset[str]) -> bool:
    """Whether it says who somebody is: name, birth, role, home, work, family."""
    if "born" in plain or clause.subject.lower() == "my name":
        return True
    if not clause.is_own or predicate.tense in ("past", "future", "cannot"):
        return False
    if predicate.verb in tables.BE:
        return _names_role(plain)
    lives = bool(bases & tables.LIVING) and bool(_IN_A_PLACE.search(predicate.relation))
    has_family = "have" in bases and not tables.KIN.isdisjoint(plain[1:5])
    does_for_now = predicate.tense == "progressive" and "work" not in bases
    return (lives and not does_for_now) or has_family


def _names_role(plain: Sequence[str]) -> bool:
    is_from = " ".join(plain[:3]).endswith((" from", " married to"))
    return is_from or not tables.ROLE_NOUNS.isdisjoint(plain[1:6])


def _is_commitment(clause: Clause, predicate: Predicate, bases: frozenset[str]) -> bool:
    """Whether it says what somebody is going to do, wants, plans, has to do, or has set as a goal."""
    if predicate.tense == "future" or _GOAL.search(clause.subject):
        return True
    is_trial = predicate.relation.endswith(" trying out")
    if predicate.tense == "progressive" and predicate.verb in tables.STARTING and not is_trial:
        return True
    has_to = bool(_TO.search(f"{predicate.relation} {predicate.object}"[:_TO_WITHIN]))
    if has_to and bases & tables.INTENDING:
        return True
    wishes = has_to and bases & tables.WISHING and predicate.tense != "past"
    return bool(wishes) or (clause.is_own and bool(_DUTY.match(predicate.relation)))


def time_span(kind: str, clause: Clause, predicate: Predicate) -> str:
    """The time span of a fact, such as "long_term", by the tense and by the words that say when."""
    said = f"{clause.front} {predicate.object}"
    near = "short_term" if _SOON.search(said) else "medium_term" if _MONTHS.search(said) else ""
    lasts = bool(_LASTING.search(said))
    if _is_over(predicate, lasts):
        return "past"
    if kind == "constraint" and "must" in clause.helpers:
        return near or "long_term"
    if predicate.tense == "future" or kind == "commitment":
        return near or "future"
    if predicate.tense == "progressive" and _FUTURE.search(said):
        return "future"
    if near:
        return near
    return "long_term" if lasts or kind in ("identity", "preference", "constraint") else "current"


def _is_over(predicate: Predicate, lasts: bool) -> bool:
    is_past = predicate.tense == "past" or predicate.relation.startswith("used to")
    return is_past or (predicate.tense == "perfect" and not lasts)


def confidence(kind: str, clause: Clause, predicate: Predicate, told: str) -> float:
    """The confidence in the fact (0-1): that of its type, less what makes it less plain."""
    doubts = {
        "elided": clause.elided,
        "opinion": clause.opinion,
        "we": clause.subject.lower() == "we",
        "doubt": not tables.DOUBTING_ADVERBS.isdisjoint(clause.adverbs),
        "long": told.count(" ") >= LONG_OBJECT,
        "wish": bool(words.bases(predicate.verb) & tables.WISHING),
        "front": bool(clause.front),
    }
    return round(SURE[kind] + sum(SURE[name] for name, holds in doubts.items() if holds), 2)
