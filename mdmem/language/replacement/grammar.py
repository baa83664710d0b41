"""Which of the rules a sentence matches, and whether the words around the match leave its meaning intact.

A sentence is read by the function of its words: each word of the vocabulary (`data/words.tsv`) is one character,
and so is any other word. What a rule has to see of "The old list ([[x]]) is no longer valid" is: old, a list, the
link in brackets, is, no longer, valid. The rules (`data/rules.tsv`) are the same in all languages; a sentence is
read once for each language.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import NamedTuple

from mdmem.language import negation
from mdmem.note import tsv
from mdmem.note.patterns import late

LANGUAGES = ("en", "de", "es", "fr")
OLD, HEIR = "old", "heir"  # the linked note has been replaced; it replaces the note with the text
PLAIN = "\ue000"  # a word that is not in the vocabulary
# Marks -> the character that the rules use for them; everything else is a word.
_MARKS = {mark: mark for mark in "§¤,:;†‡"} | {".": "!", "!": "!", "?": "‽", "(": "<", ")": ">"}
_MARKS |= dict.fromkeys("–—-", "—") | dict.fromkeys(("→", "->", "=>", ">>", "⇒"), "→")
_FENCES = ("NOT", "AND", "WHY")  # kinds that a gap between two words of a rule must not contain
_PART = "part"
_NAMED = re.compile(r"\{([A-Z]+)\}")
_ELEMENT = re.compile(r"([A-Z]{2,})|(~)| ")
_THING = re.compile(
    r"(?<!\S)(?:the|an?|our|my|der|die|das|dem|den|ein|eine|el|la|los|las|una?|les?|l'|une?) "
    r"(?!(?:place|stelle|lugar|relais|relève) )([^\W\d]\S*) (?:(?:described|mentioned|named|listed|beschrieben\w*"
    r"|genannt\w*) )?(?:in|from|of|that|which|aus|von|de|en|que|dans) §"
)
_ELIDED = re.compile(r"\b([nldcsm]|qu|jusqu)'")
_STRUCK_LINK = re.compile(r"~~([^~]*)~~")
_NAMELY = re.compile(
    r", (?:i\.e\.|that is|namely|viz\.?|d\.h\.|also|nämlich|es decir|o sea|à savoir|c'est-à-dire),? §"
)
_APPOSITION = re.compile(r"\( § \) (?=[^\s.,;:!?()])|(?<!: ), § , ")
_STRUCK = re.compile(r"~~[^~§]*~~")
_PUNCTUATION = re.compile(r"\s*(->|=>|>>|[;!?()–—→⇒*_=]|(?<!\d)[,.:]|[,.:](?!\d)|(?<= )- )\s*")
_FEW = r"((?:[^\s,.;!?()]+ ){1,3}?)"
_MORE = r"((?:[^\s,.;!?()]+ ){0,6}?)"
_NOT = r"(?<!\w)(?:not?|never|nobody|(?:do|does|is|are|did|was|ca|wo)n't) "
_TWO_PARTS = (  # denials in two parts, which are joined into one
    (late(rf"(?<!\w)(?:ne|n') {_FEW}plus ", needs="plus "), r"ne-plus \1"),
    (late(rf"{_NOT}{_MORE}(?:any (?:more|longer)|anymore) ", needs="any"), r"no-longer \1"),
    (late(rf"(?<!\w)(?:nobody|no one|never) {_MORE}again ", needs="again"), r"no-longer \1"),
    (late(rf"(?<!\w)no {_FEW}(?:más|ya) ", needs="no "), r"ya-no \1"),
    (late(rf"(?<!\w)kein(?:e|en|er|em)? {_FEW}mehr ", needs="mehr "), r"nicht-mehr \1"),
)

Kinds = frozenset[str]


class ReplacementRule(NamedTuple):
    """What a clause looks like, and whether its link (§) is replaced (OLD) or replaces the note (HEIR).

    The table says what stands in a `pattern`; `languages` are those whose order of words it is, `is_sure` is
    whether it can mean nothing else.
    """

    direction: str
    pattern: str
    example: str
    languages: tuple[str, ...]
    is_sure: bool


def met(sentence: str) -> Iterator[ReplacementRule]:
    """The rules that a sentence matches; it is in lower case, with § for the link in question and ¤ for others."""
    for language, text in readings(spaced(sentence)):
        for rule in rules():
            matches = compiled(rule.pattern).finditer(text) if language in rule.languages else ()
            if any(_may_stand(text, match, rule, language) for match in matches):
                yield rule


def is_only(name: str, sentence: str) -> bool:
    """Whether a sentence in lower case says no more than a part of the table (LABEL, VERDICT): "Replaces:"."""
    form = compiled(part(name))
    return any(form.fullmatch(text) for _, text in readings(spaced(sentence)))


def may_be_of_a_thing(sentence: str) -> bool:
    """Whether a sentence in lower case, with § for a link, may be about a thing that the linked note only names.

    The printer in [[x]] may be broken while [[x]] still holds; but a rule or an error in [[x]] is part of what
    [[x]] says.
    """
    thing = _THING.search(spaced(sentence))
    said = {"STATE", "ERROR"}
    return thing is not None and all(said.isdisjoint(kinds_of(one).get(thing[1], ())) for one in LANGUAGES)


def _may_stand(text: str, match: re.Match[str], rule: ReplacementRule, language: str) -> bool:
    """Whether the words before and after a match leave its meaning intact: no denial, no other link."""
    before = _clause_end().split(text[: match.start()])[-1]
    is_denied_behind = language == "de" and text[match.end() : match.end() + 1] in some("NOT")
    is_of_nothing = match[0][0] == "§" and _has("NONE", before)
    if "¤" in before or _has("NOT", before) or is_of_nothing or is_denied_behind:
        return False
    is_happening = match[0][0] in some("PASSIVE") and _has("BE", before[-2:])
    return rule.direction == HEIR or not (is_happening or _is_beside(match[0][0], text[: text.index("§")]))


def _is_beside(begins: str, to_link: str) -> bool:
    """Whether the words before a link make it a mere circumstance of what a match says: "since §", "as in §"."""
    last = to_link[-1:]
    if last in some("ASIN"):
        return not _has("NOT", to_link) and not _has("NOLONGER", to_link)
    return (begins == "§" and last in some("ADJUNCT")) or (begins in some("BE") and last in some("BY"))


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(f"[,;:!<>‽{''.join(some('SO'))}]")


def _has(kind: str, text: str) -> bool:
    return not some(kind).isdisjoint(text)


# -- rules ---------------------------------------------------------------------------------------------------


@cache
def rules() -> tuple[ReplacementRule, ...]:
    """All rules of the table."""
    return tuple(
        ReplacementRule(direction, _whole(pattern), example, tuple(languages.split()) or LANGUAGES, not unsure)
        for direction, pattern, example, languages, unsure in _rules()
        if direction != _PART
    )


@cache
def part(name: str) -> str:
    """The pattern of a part of the table, such as LABEL."""
    return next(_whole(row[1]) for row in _rules() if row[0] == _PART and row[-1] == name)


def _whole(pattern: str) -> str:
    """A pattern with its named parts in place."""
    return _NAMED.sub(lambda named: part(named[1]), pattern)


@cache
def _rules() -> list[list[str]]:
    return list(tsv.rows(__file__, "rules.tsv", 5))


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The regular expression of a rule, over the characters of a reading."""
    return re.compile(_ELEMENT.sub(_expression, pattern))


def _expression(element: re.Match[str]) -> str:
    """The regular expression for a kind of word, a place or a gap of a rule; "" for a blank."""
    kind, gap = element.groups()
    if kind:
        return places().get(kind) or f"[{''.join(some(kind))}]"
    return f"[^{_bars()}]{{0,6}}?" if gap else ""


@cache
def places() -> dict[str, str]:
    """The places that rules name -> their regular expressions."""
    begin = f"(?:^|(?<=[,;:!<—‽{''.join(some('AND'))}]))"
    return {"BEGIN": begin, "START": "^", "END": "(?=$|[,;:!<>])", "MARK": "[,!]", "BREAK": "[:;—→]"}


@cache
def _bars() -> str:
    """All characters that a gap in a rule must not contain: marks, links, and words that deny or separate."""
    return "".join({*_MARKS.values()}.union(*map(some, _FENCES)))


# -- readings ------------------------------------------------------------------------------------------------


@lru_cache(16)  # a sentence is read for several purposes
def spaced(sentence: str) -> str:
    """A sentence in lower case with a blank after each word and mark."""
    sentence = _STRUCK_LINK.sub(r" ‡ \1 ", _STRUCK.sub(" † ", sentence)).replace("[", "(").replace("]", ")")
    sentence = _NAMELY.sub(" §", sentence)
    parts = _ELIDED.sub(r"\1' ", " ".join(_PUNCTUATION.split(sentence))).split()
    text = " ".join(part for part in parts if part not in "*_") + " "
    text = _APPOSITION.sub("§ ", text)
    for pattern, whole in _TWO_PARTS:
        text = pattern.sub(whole, text)
    return text


def readings(sentence: str) -> Iterator[tuple[str, str]]:
    """(language, a character for each word) of a sentence, as `spaced` returns it."""
    words = sentence.split()
    for language in LANGUAGES:
        yield language, "".join(_symbols_of(words, language))


def _symbols_of(words: list[str], language: str) -> Iterator[str]:
    """The characters for some words; the longest phrase of the vocabulary comes first."""
    phrases = _phrases(language)
    at = 0
    while at < len(words):
        word = words[at]
        known = (one for one in phrases.get(word, ()) if words[at : at + len(one[0])] == one[0])
        phrase, symbol = next(known, ([word], _MARKS.get(word, PLAIN)))
        yield symbol
        at += len(phrase)


@cache
def some(kind: str) -> Kinds:
    """The characters that may stand for a word of a kind."""
    return frozenset(symbol for kinds, symbol in _symbols().items() if kind in kinds)


@cache
def _symbols() -> Mapping[Kinds, str]:
    """A character for each set of kinds that some word has in one of the languages."""
    found = {kinds for language in LANGUAGES for kinds in kinds_of(language).values()}
    return {kinds: chr(ord(PLAIN) + at) for at, kinds in enumerate(sorted(found, key=sorted), start=1)}


@cache
def vocabulary() -> list[list[str]]:
    """The rows of the vocabulary: kind, language, words."""
    return list(tsv.rows(__file__, "words.tsv", 3))


@cache
def kinds_of(language: str) -> Mapping[str, Kinds]:
    """The phrases of a language -> all kinds that each may be."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind, of, words in (*vocabulary(), ("NOT", language, "/".join(negation.NEGATIONS[language]))):
        for word in words.split("/") if of == language else ():
            found[_ELIDED.sub(r"\1' ", word)].add(kind)
    return {phrase: frozenset(kinds) for phrase, kinds in found.items()}


@cache
def _phrases(language: str) -> Mapping[str, list[tuple[list[str], str]]]:
    """First word -> the words and phrases that begin with it, the longest first, each with its symbol."""
    found: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
    for phrase, kinds in sorted(kinds_of(language).items(), key=lambda one: -one[0].count(" ")):
        words = phrase.split()
        found[words[0]].append((words, _symbols()[kinds]))
    return found
