"""What a person asks: words, phrases, exclusions, filters, dates, and the kind of answer that is wanted.

Nothing of it reaches FTS5 as syntax: `match_expression` writes every term as a quoted string.

    deploy "blue green" -staging type:decision created:>2026-01 tag:ops
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterable
from typing import NamedTuple

from mdmem.core import dates, segment
from mdmem.core.filters import OPERATORS, Filter
from mdmem.core.words import STOP_WORDS

MAX_WORDS = 48  # of a query; a longer one is a document, and its first words will do
MAX_CHARS = 4000

_PART = re.compile(
    r'(?P<minus>-)?(?:"(?P<phrase>[^"]*)"|(?P<key>[A-Za-z_][\w-]*):(?P<value>"[^"]*"|[^\s"]+)|(?P<word>[^\s"]+))'
)
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_WHEN = re.compile(
    r"(?:since )?(?:when|how long|(?:what|which) (?:day|date|year|month|time|week))\b|in (?:what|which) "
)
_COUNT = re.compile(r"how (?:many|much|old|often|far|tall|big)\b|what (?:number|percentage)")
_NAME = re.compile(
    r"(?:who|whom|whose|where)\b|(?:what|which)(?: \w+)? (?:city|country|state|place|town|book|movie|film|game"
    r"|band|artist|author|team|company|brand|song|area|park|school|university|language|series|singer|name|tool|library)\b"
)


class Question(NamedTuple):
    """A query, taken apart.

    `words` are lower case, stop words left out (unless there is nothing else); `names` are those of them
    written with a capital inside the query. `wants` is the kind of answer: "when", "count", "name" or "".
    """

    text: str
    words: tuple[str, ...]
    phrases: tuple[str, ...]
    without: tuple[str, ...]
    filters: tuple[Filter, ...]
    names: tuple[str, ...]
    windows: tuple[dates.Window, ...]
    wants: str
    only_phrases: bool

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for but what the filters say."""
        return not self.words and not self.phrases


def parse(text: str, properties: Container[str], year: int = 0) -> Question:
    """Take a query apart.

    `properties` says which names before a colon are filters; others are plain words. `year` is assumed for
    relative dates such as "last March" (0: any). Never fails: what is no syntax is words.
    """
    text = unicodedata.normalize("NFC", text[:MAX_CHARS].replace("\0", " "))
    plain: list[str] = []
    phrases: list[str] = []
    without: list[str] = []
    filters: list[Filter] = []
    for part in _PART.finditer(text):
        minus, phrase, key, value, word = part["minus"], part["phrase"], part["key"], part["value"], part["word"]
        if key and _is_filter(key, value, properties):
            filters.append(_filter(key, value.strip('"'), bool(minus)))
        elif minus:
            without += _words(phrase or word or f"{key} {value}")
        elif phrase is not None:
            phrases += [phrase.strip()] if _words(phrase) else []
            plain.append(phrase)
        else:
            plain.append(part[0])
    said = " ".join(plain)
    only_phrases = bool(phrases) and not _words(" ".join(part for part in plain if part not in set(phrases)))
    words = [word for word in dict.fromkeys(_words(said)) if word]
    telling = [word for word in words if word not in STOP_WORDS] or words
    lower = said.lower().strip()
    return Question(
        text=said,
        words=tuple(telling[:MAX_WORDS]),
        phrases=tuple(phrases),
        without=tuple(dict.fromkeys(without)),
        filters=tuple(filters),
        names=tuple(word for word in telling if word in _capitalised(said)),
        windows=dates.windows(said, year),
        wants=_wanted(lower),
        only_phrases=only_phrases,
    )


def _wanted(lower: str) -> str:
    kinds = (("when", _WHEN), ("count", _COUNT), ("name", _NAME))
    return next((kind for kind, pattern in kinds if pattern.match(lower)), "")


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 expression that any of the terms satisfies; each is quoted, so it cannot be syntax."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def words(text: str) -> list[str]:
    """The words of a text as the index has them: lower case, without possessive endings, CJK in pairs."""
    return _words(text)


def _words(text: str) -> list[str]:
    found: list[str] = []
    for match in _WORD.finditer(text.lower().replace("_", " ")):
        word = _POSSESSIVE.sub("", match[0])
        found += re.split(r"['’]", word) if not segment.has_unspaced(word) else segment.terms(word)
    return found


def _capitalised(text: str) -> set[str]:
    """Lower-case forms of the words that begin with a capital and do not begin the text."""
    matches = list(_WORD.finditer(text))[1:]
    return {_POSSESSIVE.sub("", match[0]).lower() for match in matches if match[0][0].isupper()}


def _is_filter(key: str, value: str, properties: Container[str]) -> bool:
    return key in properties and not value.startswith("//")


def _filter(key: str, value: str, negated: bool) -> Filter:
    for op in OPERATORS:
        if value.startswith(op):
            return Filter(key, op, value[len(op) :])
    return Filter(key, "!=" if negated else "=", value)
