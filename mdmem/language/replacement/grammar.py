"""Which of the rules a sentence matches, and whether the words around the match leave its meaning intact."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from mdmem.language.replacement import reading, rules
from mdmem.language.replacement.reading import of_kind
from mdmem.language.replacement.rules import ReplacementRule
from mdmem.note.patterns import late

_ELEMENT = re.compile(r"([A-Z]{2,})|(~)| ")
_UNNEEDED = re.compile(r"\([^()]*\)[?*]?|[A-Z]{2,} ?[?*]")  # parts of a rule that may be absent or vary
_THING = re.compile(
    r"(?<!\S)(?:the|an?|our|my|der|die|das|dem|den|ein|eine|el|la|los|las|una?|les?|l'|une?) "
    r"(?!(?:place|stelle|lugar|relais|relève) )([^\W\d]\S*) (?:(?:described|mentioned|named|listed|beschrieben\w*"
    r"|genannt\w*) )?(?:in|from|of|that|which|aus|von|de|en|que|dans) §"
)


class _ReadyRule(NamedTuple):
    """A rule, its regular expression over the characters of a reading, and the kinds of words that it requires."""

    rule: ReplacementRule
    pattern: re.Pattern[str]
    needs: reading.Kinds


def met(sentence: str) -> Iterator[ReplacementRule]:
    """The rules that a sentence matches; it is in lower case, with § for the link in question and ¤ for others."""
    if "§" not in sentence:
        return
    for language, text in reading.readings(reading.spaced(sentence)):
        there = reading.kinds_in(text)
        for rule, pattern, needs in _ready(language):
            if needs <= there and any(_may_stand(text, match, rule, language) for match in pattern.finditer(text)):
                yield rule


def is_verdict(sentence: str) -> bool:
    """Whether a sentence in lower case says only that the note it is in is out of date: "No longer true!"."""
    verdict = _compiled(rules.part("VERDICT"))
    return any(verdict.match(text) for _, text in reading.readings(reading.spaced(sentence)))


def is_label(sentence: str) -> bool:
    """Whether a sentence in lower case is only a label for what is replaced, or replaces: "Replaces:"."""
    label = _compiled(rules.part("LABEL"))
    return any(label.fullmatch(text) for _, text in reading.readings(reading.spaced(sentence)))


def may_be_of_a_thing(sentence: str) -> bool:
    """Whether a sentence in lower case, with § for a link, may be about a thing that the linked note only names.

    The printer in [[x]] may be broken while [[x]] still holds; but a rule or an error in [[x]] is part of what
    [[x]] says.
    """
    thing = _THING.search(reading.spaced(sentence))
    return thing is not None and not any(reading.is_word(kind, thing[1]) for kind in ("STATE", "ERROR"))


def _may_stand(text: str, match: re.Match[str], rule: ReplacementRule, language: str) -> bool:
    """Whether the words before and after a match leave its meaning intact: no denial, no other link, no event."""
    before = _clause_end().split(text[: match.start()])[-1]
    is_denied_behind = language == "de" and text[match.end() : match.end() + 1] in _some("NOT")
    is_of_nothing = match[0][0] == "§" and _has("NONE", before)
    if "¤" in before or _has("NOT", before) or is_of_nothing or is_denied_behind:
        return False
    if rule.direction == rules.HEIR:
        return True
    begins = match[0][0]
    if begins in _some("INSTEAD"):
        return not _has("EVENT", text[: match.start()] or text[match.end() :])
    if begins in _some("PASSIVE") and _has("BE", before[-2:]):
        return False
    if begins == "§" and text[match.start() + 1 : match.start() + 2] in _some("SAYS") and not _has("WHAT", before):
        return False
    return not _is_beside(begins, text[: text.index("§")])


def _is_beside(begins: str, to_link: str) -> bool:
    """Whether the words before a link make it a mere circumstance of what a match says: "since §", "as in §"."""
    last = to_link[-1:]
    if last in _some("ASIN"):
        return not _has("NOT", to_link) and not _has("NOLONGER", to_link)
    return (begins == "§" and last in _some("ADJUNCT")) or (begins in _some("BE") and last in _some("BY"))


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(f"[,;:!<>‽{of_kind('SO')}]")


@cache
def _some(kind: str) -> frozenset[str]:
    """The characters that may stand for a word of a kind."""
    return frozenset(of_kind(kind))


def _has(kind: str, text: str) -> bool:
    return not _some(kind).isdisjoint(text)


@cache
def _ready(language: str) -> tuple[_ReadyRule, ...]:
    """The rules of a language, compiled."""
    mine = (rule for rule in rules.every() if language in rule.languages)
    return tuple(_ReadyRule(rule, _compiled(rule.pattern), _needs(rule.pattern)) for rule in mine)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a rule, over the characters of a reading."""
    return late(_ELEMENT.sub(_expression, pattern))


def _expression(element: re.Match[str]) -> str:
    """The regular expression for a kind of word, a place or a gap of a rule; "" for a blank."""
    kind, gap = element.groups()
    if kind:
        return _places().get(kind) or f"[{of_kind(kind)}]"
    return f"[^{reading.bars()}]{{0,6}}?" if gap else ""


@cache
def _places() -> dict[str, str]:
    begin = f"(?:^|(?<=[,;:!<—‽{of_kind('AND')}]))"
    return {"BEGIN": begin, "START": "^", "END": "(?=$|[,;:!<>])", "MARK": "[,!]", "BREAK": "[:;—→]"}


def _needs(pattern: str) -> reading.Kinds:
    """The kinds of words that every reading matched by a rule contains."""
    needed = pattern
    while needed != (needed := _UNNEEDED.sub("", needed)):
        pass
    kinds = {element[1] for element in _ELEMENT.finditer(needed) if element[1]}
    return frozenset(kinds - _places().keys())
