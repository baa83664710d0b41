"""What a sentence asserts about its speaker: subject, relation, object, type, time span and confidence.

    "I've lived in Rome since 2019."  ->  {who} | has lived in | Rome since 2019 (identity, long_term, 0.9)

By rules over `clauses`; questions, suppositions, passing moods and what is said about others are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.language import words
from mdmem.language.persons.english import about_speaker
from mdmem.language.speech import clauses, kinds, objects, predicates, tables
from mdmem.language.speech.clauses import Clause, bare
from mdmem.language.speech.predicates import Predicate

LEAST = 0.5  # confidence below which nothing is asserted
_FEW_WORDS = 6  # of what is pointed at: "the yellow leaves"
_OWNED = re.compile(
    r"(?:(?:yeah|yes|well|and|plus|actually),? )?(?P<thing>[A-Z][\w'-]*(?: [\w'-]+){0,3})"
    r" (?P<verb>is|are|was|were) (?:really |always |also |one of |pretty much )*(?:my|our)"
    r" (?P<what>\w[^.!?,;]*?)(?= - |, | and | too\b|[.!;]|$)"
)
_NOTHING_OWNED = tables.PRONOUNS | tables.HEARERS | tables.NO_THINGS
_MINE = re.compile(r"\b(?:my|our)\b")
_PREFERRED = re.compile(
    r"^(?:\w+ )?(?:favou?rite|passion|hobby|love|thing|jam|go-to|happy place|escape|top pick)\b"
)
_POINTED_AT = re.compile(r"(?:the|this|that|these|those)\b")
_QUOTE = re.compile(r"[\"“”`]")


class Assertion(NamedTuple):
    """An assertion in the third person; `{who}` stands for the speaker's name: "{who}'s daughter".

    `type` and `time_span` are those of a fact; `confidence` is 0-1.
    """

    subject: str
    relation: str
    object: str
    type: str
    time_span: str
    confidence: float


def of_sentence(sentence: str, hearers: Sequence[str] = ()) -> Iterator[Assertion]:
    """The assertions of a sentence in the first person; none of a question.

    `hearers` are the names of the people to whom the speaker may be talking.
    """
    if sentence.rstrip(" )\"'").endswith("?") or _QUOTE.search(sentence):
        return
    owned = _owned(sentence)
    if owned:
        yield owned
    for clause in clauses.divide(sentence, hearers):
        assertion = _of_clause(clause)
        if assertion and assertion.confidence >= LEAST:
            yield assertion


def _owned(sentence: str) -> Assertion | None:
    """The assertion that something is the speaker's: "Dance is my passion". None if the sentence makes none."""
    match = _OWNED.match(clauses.expanded(sentence)) if _MINE.search(sentence) else None
    if match is None or bare(match["thing"].split()[0]) in _NOTHING_OWNED:
        return None
    plain = [bare(word) for word in match["what"].split()]
    if not tables.HEARERS.isdisjoint(plain) or plain[0] in tables.FEW or len(plain) > kinds.LONG_OBJECT:
        return None
    kind = "preference" if _PREFERRED.search(match["what"]) else "trait"
    lasting = "long_term" if kind == "preference" else "current"
    span = "past" if match["verb"] in ("was", "were") else lasting
    what = about_speaker(match["what"], "{who}").rstrip(" .,!;:")
    return Assertion(match["thing"], match["verb"], f"{{who}}'s {what}", kind, span, kinds.SURE["trait"])


def _of_clause(clause: Clause) -> Assertion | None:
    predicate = predicates.read(clause)
    if predicate is None or (predicate.tense == "present" and "all" in clause.adverbs):  # people in general
        return None
    told = objects.told(predicate.object, clause.front)
    if not told or _points_at_something(predicate, told):
        return None
    kind = kinds.type_of(clause, predicate)
    return Assertion(
        subject="{who}" if clause.is_own else "{who}'s " + clause.subject.split(" ", 1)[1],
        relation=predicate.relation,
        object=told,
        type=kind,
        time_span=kinds.time_span(kind, clause, predicate),
        confidence=kinds.confidence(kind, clause, predicate, told),
    )


def _points_at_something(predicate: Predicate, told: str) -> bool:
    """Whether a clause likes something only those present can see, looks forward, or "has to say" something."""
    if predicate.relation.endswith(" to") and told.split(" ", 1)[0] in tables.MERE_PHRASES:
        return True
    if predicate.verb.startswith("look") and told.startswith("forward"):
        return True
    likes = bool(words.bases(predicate.verb) & tables.LIKING)
    return likes and bool(_POINTED_AT.match(told)) and told.count(" ") <= _FEW_WORDS
