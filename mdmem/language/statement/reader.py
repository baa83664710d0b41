"""Reads a short plain sentence as subject, relation and value, by tables of four languages.

A sentence that asks, is unsure, or tells of the past or of a condition states nothing. Asides are left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from mdmem.language.alignment import reading
from mdmem.language.alignment.tables import TONGUES
from mdmem.language.disagreement import stance
from mdmem.language.negation import NEGATIONS
from mdmem.language.roots import folded, singular
from mdmem.language.statement.tables import (
    ARTICLES,
    ASIDES,
    REJECTED,
    VERBS,
    WORDS,
    StatedRelation,
    StatementWords,
)
from mdmem.note import links
from mdmem.text import stopwords

_MOST_CHARS, _MOST_WORDS, _MOST_SUBJECT = 160, 24, 7
_TOKEN = re.compile(r"[$€£#]?[^\W_]+(?:[.:/@'+#-][^\W_]+)*%?|[,;]")
_ELIDED = re.compile(r"\b(?:[ldnjm]|qu)'", re.I)
_REJECTED = re.compile(REJECTED, re.I)
_OWNER = re.compile(r"'s?$")
_AUXILIARIES = frozenset("does do did can".split())
_LATELY = stopwords.STATEMENT | frozenset(
    "jetzt nun derzeit inzwischen mehr auch immer bitte ahora ya siempre maintenant desormais toujours".split()
)
_NOES = {tongue: frozenset(map(folded, noes)) for tongue, noes in NEGATIONS.items()}
_SKIPPED = {tongue: noes | _LATELY | _AUXILIARIES | {"longer", "anymore"} for tongue, noes in _NOES.items()}
PRONOUNS = frozenset("it he she they this that there these those er es sie il elle ca ello ella".split())
_CONJUNCTIONS = frozenset(  # a verb may follow what begins with one
    """after as because before since than to when als dass weil wenn como cuando para porque comme parce pour quand
    que""".split()
)
NO_RELATION = StatedRelation("", is_single=False)


class Stated(NamedTuple):
    """What a sentence states. `subject`, `value` and `tail` are words as they are written, without articles.

    `relation` is that of its verb in the tables, `verb` the verb as written; `tail` holds the circumstances of
    the value ("for reports"). `several` is whether it gives more than one value, `denied` whether it is negated.
    """

    tongue: str
    subject: tuple[str, ...]
    relation: StatedRelation
    verb: str
    value: tuple[str, ...]
    tail: tuple[str, ...]
    several: bool
    denied: bool

    @property
    def words(self) -> StatementWords:
        """The tables of its language."""
        return WORDS[self.tongue]


class Attribute(NamedTuple):
    """The attribute that a subject names, and the thing that has it, each as sorted words: port | api, billing."""

    named: tuple[str, ...]
    thing: tuple[str, ...]


def plainly(sentence: str, tongue: str) -> str:
    """A sentence without its asides: since when, according to whom, which value is wrong."""
    text = rejected(links.apart(sentence)[0].replace("’", "'").strip())[0]
    text = _asides(tongue).sub("", text)
    return _ELIDED.sub("", text) if tongue == "fr" else text


def rejected(sentence: str) -> tuple[str, str]:
    """A sentence without the wrong value that it names beside the right one, and the wrong value ("" for none)."""
    found = _REJECTED.search(sentence)
    return (sentence[: found.start()], found["old"]) if found else (sentence, "")


@cache
def _asides(tongue: str) -> re.Pattern[str]:
    return re.compile(ASIDES[tongue], re.I)


def is_short(sentence: str) -> bool:
    """Whether a sentence is short enough to be understood, and not a question."""
    return len(sentence) <= _MOST_CHARS and "?" not in sentence


def is_so(sentence: str, tongue: str) -> bool:
    """Whether a sentence states what is true now, without conditions and doubts."""
    return WORDS[tongue].unsure.isdisjoint(folded(sentence).split()) and not any(stance.of(sentence))


def read(sentence: str, tongue: str) -> Stated | None:
    """What a sentence without asides states; None if the tables know no verb that divides it."""
    written = _TOKEN.findall(sentence)
    if not 2 < len(written) <= _MOST_WORDS or "may" in written:  # the month has a capital letter
        return None
    plain = [folded(_OWNER.sub("", token) if "'" in token else token) for token in written]
    words = WORDS[tongue]
    kept = [at for at, word in enumerate(plain) if word not in _SKIPPED[tongue]]
    said = [plain[at] for at in kept]
    found = _verb(said, words)
    if found is None:
        return None
    at, length, relation = found
    behind = kept[at + length :]
    begins = next((place for place, of in enumerate(behind) if place and plain[of] in words.tails), len(behind))
    return Stated(
        tongue=tongue,
        subject=tuple(_OWNER.sub("", written[of]) for of in kept[:at] if plain[of] not in ARTICLES),
        relation=relation,
        verb=" ".join(written[of] for of in kept[at : at + length]),
        value=tuple(written[of] for of in behind[:begins] if plain[of] not in ARTICLES),
        tail=tuple(written[of] for of in behind[begins:] if written[of] not in ",;"),
        several=not (words.several | {",", ";"}).isdisjoint(said[at + length :]),
        denied=not _NOES[tongue].isdisjoint(plain),
    )


def _verb(said: Sequence[str], words: StatementWords) -> tuple[int, int, StatedRelation] | None:
    """(place, length, relation) of the verb that divides a sentence; None if another verb comes before it."""
    for at, word in enumerate(said[: _MOST_SUBJECT + 1]):
        for form, relation in words.relations.get(word, ()) if at else ():
            if tuple(said[at : at + len(form)]) == form:
                return at, len(form), relation
        if word in words.placing or word in words.owning:
            return at, 1, NO_RELATION
        if at and word in VERBS:
            return None
    return None


def is_behind_preposition(written: Sequence[str], tongue: str) -> bool:
    """Whether these words make a noun of the next one: they end in a preposition and have the verb before that."""
    verbs = VERBS | TONGUES[tongue].verbs
    before = [*map(reading.plain, written)]
    while before and before[-1] not in verbs and (before[-1] in ARTICLES or reading.root(before[-1], tongue)):
        before.pop()
    is_preposition = bool(before) and before[-1] in WORDS[tongue].tails - _CONJUNCTIONS
    return is_preposition and not verbs.isdisjoint(before)


def subject_words(words: Sequence[str], tongue: str) -> tuple[str, ...]:
    """The words of a subject in one form: singular, without articles and possessives, the speaker as `user`."""
    table, silent = WORDS[tongue], TONGUES[tongue].silent
    plain = (folded(_OWNER.sub("", word)) for word in words)
    told = (table.speakers.get(word, "" if word in silent else singular(word)) for word in plain)
    return tuple(word for word in told if word and word not in ",;")


def attribute(subject: Sequence[str], tongue: str) -> Attribute | None:
    """The attribute that the words of a subject name, if they name one."""
    table = WORDS[tongue]
    named = {table.attributes[word] for word in subject if word in table.attributes}
    thing = [word for word in subject if word not in table.attributes and word not in table.of]
    return Attribute(tuple(sorted(named)), tuple(sorted(thing))) if named else None
