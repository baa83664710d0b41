"""The rules by which two claims contradict each other: each gives the keys under which a claim is kept.

A key holds all that must be equal, its value what must differ.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from mdmem.language.roots import singular
from mdmem.language.statement import grammar, verbs
from mdmem.language.statement.grammar import Claim
from mdmem.language.sureness import SURE, Key
from mdmem.language.tables import ANTONYMS, NUMBERS
from mdmem.text.calendar import MONTHS, WEEKDAYS
from mdmem.values import NamedTuple

NUMBER = re.compile(r"[$€£#]?v?\d+(?:[.,:/-]\d+)*(?:\s?(?:%|[a-z]{1,3}))?")
_MOST = 8  # words behind a verb that are denied as one
_LONGEST_VALUE = 4  # words

_NUMBERED = frozenset("step phase part chapter version sprint item level tier".split())
_HEADS = frozenset("mode theme indentation style units format layout".split())
_PURPOSE = frozenset(("for", "as"))
_SEVERAL_VALUES = frozenset(("and", "or", ",", ";", "plus", "both"))
_KINDS = {
    word: kind
    for kind, words in {
        "frequency": "hourly daily nightly weekly biweekly fortnightly monthly quarterly yearly annually",
        "language": "english german french spanish italian portuguese dutch polish russian chinese japanese",
        "diet": "vegetarian vegan pescatarian carnivore omnivore",
        "tie": "single married divorced engaged widowed",
    }.items()
    for word in words.split()
}
_THROUGH = frozenset("to with via through".split())
_MEASURES = frozenset("cup cups glass glasses bottle bottles piece pieces slice slices pack packs of".split())
_PERIODS = frozenset("day week month year daily weekly monthly anywhere anymore ever all".split())
_SCHEDULES = frozenset(
    " ".join(map(grammar.base, phrase)) for phrases in verbs.ONE_VALUED.values() for phrase in phrases
)


class Rule(NamedTuple):
    """A rule: the keys it gives a claim. Most hold only for what a claim says, not for what it denies."""

    keys: Callable[[Claim], Iterator[Key]]
    of_denials: bool = False


def keys(claim: Claim) -> Iterator[Key]:
    """Every way in which another statement could contradict a claim."""
    affirmed = not claim.negated and bool(claim.rest)
    for rule in RULES:
        if affirmed or rule.of_denials:
            yield from rule.keys(claim)


# -- yes and no --------------------------------------------------------------------------------------------


def _bare(claim: Claim) -> Iterator[Key]:
    """The user drinks three cups of coffee daily. The user does not drink coffee."""
    if len(claim.rest) <= _MOST and claim.relation not in ("is", "have", "need"):
        bare = _without_measures(claim)
        if bare:
            yield Key(("bare", *claim.head, *bare), _yes_or_no(claim), SURE["denied"])


def _liking(claim: Claim) -> Iterator[Key]:
    """The user likes jazz. The user hates jazz."""
    likes = verbs.LIKING.get(claim.relation)
    if not claim.rest or likes is None or (claim.negated and not likes):
        return  # who does not hate a thing need not like it
    yield Key(("liking", *claim.subject, "|", *claim.rest), str(likes != claim.negated), SURE["liking"])


def _yes_or_no(claim: Claim) -> str:
    return "no" if claim.negated else "yes"


def _without_measures(claim: Claim) -> tuple[str, ...]:
    """What is done or not, without how much, how often and with whom: `no coffee` denies three cups a day."""
    words = list(claim.rest)
    while words and words[-1] in _PERIODS:
        words.pop()
    if not claim.negated:
        words = _uncounted(words)
    return () if {",", "and", "or", "but"}.intersection(words) else tuple(words)


def _uncounted(words: Sequence[str]) -> list[str]:
    end = next((at for at, word in enumerate(words) if at and word in _THROUGH), len(words))
    things = [word for word in words[:end] if not NUMBER.fullmatch(word) and word not in NUMBERS]
    if things and things[0] in _MEASURES:
        things = things[1:]
    return things[1:] if things[:1] == ["of"] else things


# -- other values ------------------------------------------------------------------------------------------


def _over(claim: Claim) -> Iterator[Key]:
    """The user prefers tabs over spaces. The user prefers spaces over tabs."""
    if "over" in claim.rest[1:-1]:
        at = claim.rest.index("over")
        first, second = " ".join(claim.rest[:at]), " ".join(claim.rest[at + 1 :])
        yield Key(("over", *claim.head, *sorted((first, second))), first, SURE["over"])


def _slots(claim: Claim) -> Iterator[Key]:
    """The pool holds 20 connections. The pool holds 50 connections."""
    rest = claim.rest
    for at, word in enumerate(rest):
        if MONTHS.intersection(rest[max(at - 1, 0) : at]) or MONTHS.intersection(rest[at + 1 : at + 2]):
            continue  # a day of a month is not a number
        counts = at > 0 and rest[at - 1] in _NUMBERED
        for kind, sure in _kinds(word, claim.relation):
            if kind != "number" or not counts:
                yield Key(("slot", *claim.head, *rest[:at], f"<{kind}>", *rest[at + 1 :]), word, sure)


def _kinds(word: str, relation: str) -> Iterator[tuple[str, float]]:
    """The kinds of value a word may be, each with how sure two of that kind exclude each other."""
    if NUMBER.fullmatch(word):
        yield "number", SURE["slot.number"]
    if singular(word) in WEEKDAYS:
        habit = word.endswith("s") and relation != "is" and relation not in _SCHEDULES
        yield "weekday", SURE["slot.habit" if habit else "slot.weekday"]
    if word in ANTONYMS:
        yield ANTONYMS[word], SURE["slot.opposite"]
    if word in NUMBERS:
        yield "number", SURE["slot.kind"]
    elif word in _KINDS and relation not in verbs.MANY:
        yield _KINDS[word], SURE["slot.kind"]


def _owner(claim: Claim) -> Iterator[Key]:
    """Ana owns the billing service. Ben owns the billing service."""
    if claim.relation in verbs.OWNING and len(claim.subject) == 1:
        owned = grammar.attribute((verbs.OWNING[claim.relation], *claim.rest))
        if owned:
            (owner,) = claim.subject
            yield Key(owned.head, claim.written.get(owner, owner), SURE["owner"])


def _stored(claim: Claim) -> Iterator[Key]:
    """The service stores sessions in Redis. The service stores sessions in Postgres."""
    if claim.relation == "store" and "in" in claim.rest[1:-1]:
        at = claim.rest.index("in")
        place, tail = claim.rest[at + 1], claim.rest[at + 2 :]
        yield Key(("stored", *claim.head, *claim.rest[:at], "in", *tail), claim.written[place], SURE["stored"])


# -- the value of a relation that has one at a time --------------------------------------------------------


def _valued(claim: Claim) -> Iterator[Key]:
    """The user lives in Berlin. The user lives in Munich."""
    begins = (at for at, word in enumerate(claim.rest) if at and word in verbs.TAILS)
    end = next(begins, len(claim.rest))
    value, tail = claim.rest[:end], claim.rest[end:]
    if _SEVERAL_VALUES.intersection(claim.rest) or len(value) > _LONGEST_VALUE or value[0] in verbs.TAILS:
        return
    sure = _is_one_valued(claim, value, tail)
    if sure:
        kind = ("head", value[-1]) if claim.relation == "prefer" and not tail else ()
        written = " ".join(claim.written[word] for word in value)
        yield Key((*_valued_thing(claim), *tail, *kind), written, SURE[sure])


def _is_one_valued(claim: Claim, value: Sequence[str], tail: Sequence[str]) -> str:
    """Why there is one value at a time, as a name in SURE; "" if there may be several."""
    if claim.one_valued:
        is_one_of_several = claim.relation in verbs.NAMING and not verbs.SEVERAL.isdisjoint(claim.subject)
        return "value.name" if is_one_of_several else "value"
    has_purpose = len(tail) > 1 and tail[0] in _PURPOSE
    if _names_an_attribute(claim) or (claim.relation in verbs.FOR_SOMETHING and has_purpose):
        return "value.attribute"
    is_of_a_kind = len(value) > 1 and value[-1] in _HEADS
    return "value.head" if claim.relation == "prefer" and not tail and is_of_a_kind else ""


def _valued_thing(claim: Claim) -> tuple[str, ...]:
    """What a value is one of: the attribute of a thing, or a relation of it."""
    named = verbs.ATTRIBUTED.get(claim.relation)
    attribute = grammar.attribute((named, *claim.subject) if named else claim.subject)
    if attribute and (named or claim.relation == "is"):
        return attribute.head
    return ("value", *claim.head)


def _names_an_attribute(claim: Claim) -> bool:
    """Whether a subject names something that has one value: `default branch`, `port of the api`."""
    is_marked = not verbs.MARKED.isdisjoint(claim.subject)
    return claim.relation == "is" and (is_marked or grammar.attribute(claim.subject) is not None)


RULES: tuple[Rule, ...] = (
    Rule(_bare, of_denials=True),
    Rule(_liking, of_denials=True),
    Rule(_over),
    Rule(_slots),
    Rule(_owner),
    Rule(_stored),
    Rule(_valued),
)
