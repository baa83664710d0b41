"""A sentence by the function of its words: each word of the vocabulary is one character, and so is any other word.

The vocabulary is data/words.tsv. What a rule has to see of "The old list ([[x]]) is no longer valid" is: old, a
list, the link in brackets, is, no longer, valid. A sentence is read once for each language of which it has
words.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from mdmem.language import negation
from mdmem.language.replacement.rules import LANGUAGES
from mdmem.note import tsv
from mdmem.note.patterns import late

PAST = {"en": ("ed",), "de": (), "es": ("ó", "aron", "ieron", "imos"), "fr": ()}  # endings of an EVENT
PLAIN = "\ue000"  # a word that is not in the vocabulary
# Marks -> the character that the rules use for them; everything else is a word.
_MARKS = {mark: mark for mark in "§¤,:;†‡"} | {".": "!", "!": "!", "?": "‽", "(": "<", ")": ">"}
_MARKS |= dict.fromkeys("–—-", "—") | dict.fromkeys(("→", "->", "=>", ">>", "⇒"), "→")
_FENCES = ("NOT", "AND", "WHY")  # kinds that a gap between two words of a rule must not contain
# Kinds that no rule is met by alone: a sentence of these and of other words is not read further.
VERY_COMMON = frozenset(
    "BE NOT AND IDLE SELF NOW FOR IN WHO WHEN ADJUNCT BY EVENT ARTICLE INTO WE THEREIS WHAT SINCE PER WAS SO MAY "
    "WITH MAKES SAYS WHY OFF READS".split()
)

_ELIDED = late(r"\b([nldcsm]|qu|jusqu)'", needs="'")
_STRUCK_LINK = late(r"~~([^~]*)~~", needs="~~")
_NAMELY = late(
    r", (?:i\.e\.|that is|namely|viz\.?|d\.h\.|also|nämlich|es decir|o sea|à savoir|c'est-à-dire),? §", needs=" §"
)
_APPOSITION = late(r"\( § \) (?=[^\s.,;:!?()])|(?<!: ), § , ", needs=" § ")
_STRUCK = late(r"~~[^~§]*~~", needs="~~")
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
_CHOICE = re.compile(r"\(\?:([^()]*)\)(\?)?|\(([^()]*)\)(\?)?|\[([^\]]*)\](\?)?|(\w)\?")

Kinds = frozenset[str]


class WordKinds(NamedTuple):
    """A sentence in one language, one character for each word."""

    language: str
    text: str


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


def readings(sentence: str) -> Iterator[WordKinds]:
    """A sentence, as `spaced` returns it, in each language in which one of its words is significant."""
    words = sentence.split()
    for language in LANGUAGES:
        if not _significant(language).isdisjoint(words):
            symbols = _symbols_of(words, language)
            if not _telling().isdisjoint(symbols):
                yield WordKinds(language, "".join(symbols))


def kinds_in(text: str) -> Kinds:
    """The kinds of the words of a reading."""
    return frozenset(chain.from_iterable(map(_kinds_of().__getitem__, _kinds_of().keys() & set(text))))


def _symbols_of(words: list[str], language: str) -> list[str]:
    """The characters for some words; the longest phrase of the vocabulary comes first."""
    phrases, alone = _phrases(language), _alone(language)
    found, at = [], 0
    while at < len(words):
        word, length = words[at], 1
        if word not in alone:
            alone[word] = _MARKS.get(word) or (_event() if word.endswith(PAST[language]) else PLAIN)
        symbol = alone[word]
        for phrase, meant in phrases.get(word, ()):
            if words[at : at + len(phrase)] == phrase:
                symbol, length = meant, len(phrase)
                break
        found.append(symbol)
        at += length
    return found


@cache
def _event() -> str:
    return _symbols()[frozenset(("EVENT",))]


@cache
def _alone(language: str) -> dict[str, str]:
    """Each word of a language that is a phrase by itself, and others as they are met -> its character."""
    return {word: _symbols()[kinds] for word, kinds in _kinds(language).items() if " " not in word}


def of_kind(kind: str) -> str:
    """All characters that may stand for a word of a kind."""
    return "".join(symbol for kinds, symbol in _symbols().items() if kind in kinds)


def is_word(kind: str, word: str) -> bool:
    """Whether a word is of this kind in any language."""
    return any(kind in _kinds(language).get(word, ()) for language in LANGUAGES)


@cache
def bars() -> str:
    """All characters that a gap in a rule must not contain: marks, links, and words that deny or separate."""
    return "".join({*_MARKS.values(), *map(of_kind, _FENCES)})


@cache
def _telling() -> Kinds:
    return frozenset(symbol for kinds, symbol in _symbols().items() if kinds - VERY_COMMON) | set("→†‡")


@cache
def _significant(language: str) -> Kinds:
    """The marks, and the words that are or begin a telling phrase: a sentence without any is not read further."""
    phrases = ((phrase.split()[0], _symbols()[kinds]) for phrase, kinds in _kinds(language).items())
    return frozenset(word for word, symbol in (*phrases, *_MARKS.items()) if symbol in _telling())


@cache
def _kinds_of() -> Mapping[str, Kinds]:
    """The kinds that each character stands for."""
    return {symbol: kinds for kinds, symbol in _symbols().items()}


@cache
def _symbols() -> Mapping[Kinds, str]:
    """A character for each set of kinds that some word has in one of the languages."""
    found = {kinds for language in LANGUAGES for kinds in _kinds(language).values()}
    return {kinds: chr(ord(PLAIN) + at) for at, kinds in enumerate(sorted(found, key=sorted), start=1)}


@cache
def _words() -> list[list[str]]:
    """The rows of the vocabulary: kind, language, words."""
    return list(tsv.rows(__file__, "words.tsv", 3))


@cache
def _kinds(language: str) -> Mapping[str, Kinds]:
    """The phrases of a language -> all kinds that each may be."""
    found: dict[str, set[str]] = defaultdict(set)
    for kind, of, words in (*_words(), ("NOT", language, "/".join(negation.NEGATIONS[language]))):
        for word in words.split("/") if of == language else ():
            for spelling in spellings(_ELIDED.sub(r"\1' ", word)):
                found[spelling].add(kind)
    return {phrase: frozenset(kinds) for phrase, kinds in found.items()}


@cache
def _phrases(language: str) -> Mapping[str, list[tuple[list[str], str]]]:
    """First word -> the phrases of several words that begin with it, the longest first, each with its symbol."""
    found: dict[str, list[tuple[list[str], str]]] = defaultdict(list)
    for phrase, kinds in _kinds(language).items():
        if " " in phrase:
            words = phrase.split()
            found[words[0]].append((words, _symbols()[kinds]))
    for same in found.values():
        same.sort(key=lambda one: len(one[0]), reverse=True)
    return found


def spellings(word: str) -> Iterator[str]:
    """The words that a pattern with alternatives stands for: "anulad[oa]s?" is four."""
    choice = _CHOICE.search(word)
    if choice is None:
        yield word
        return
    group, group_may, plain, plain_may, letters, letters_may, letter = choice.groups()
    either = list(letters) if letters else (group or plain or letter or "").split("|")
    if group_may or plain_may or letters_may or letter:
        either.append("")
    for one in either:
        yield from spellings(word[: choice.start()] + one + word[choice.end() :])
