"""The words by which the index is searched for a text, and the memories that share the most of them with it."""

from __future__ import annotations

from collections.abc import Iterable

from mdmem.note import patterns, segment, stopwords
from mdmem.store.index.port import Catalogue, IndexedNote, retried_as_one

MAX_WORDS = 48  # of a text; a longer one is a document, and its first words will do
MAX_CHARS = 4000

_POSSESSIVE = patterns.late(r"(?i)(?<=\w)['’]s\b")
_NAME_LIKE = patterns.late(r"(?<!^)(?<![.?!] )\b[A-Z]\w+")


@retried_as_one
def candidates(catalogue: Catalogue, text: str, limit: int) -> list[IndexedNote]:
    """The memories that share the most words with a text, for a closer comparison."""
    asked = telling(composed(text[:MAX_CHARS]))
    return catalogue.records_at(catalogue.search(match_expression(asked), limit)) if asked else []


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 expression that any of the terms satisfies; each is quoted, so it cannot be syntax."""
    return " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


def composed(text: str) -> str:
    """The text in Unicode's normal form C (NFC), in which a letter and its accent are one character."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFC", text)


def words(text: str) -> list[str]:
    """The words of a text as in a question: lower case, without possessive endings, CJK in pairs."""
    return segment.terms(_POSSESSIVE.sub("", text) if "'" in text or "’" in text else text)


def run(text: str) -> str:
    """The words of a text as one term: an FTS5 expression finds them side by side."""
    return " ".join(segment.terms(text))


def telling(text: str) -> tuple[str, ...]:
    """The first words of a text without stop words; all of them if nothing else is left.

    A stop word that is written like a name stays: Will, US, IT.
    """
    every = list(dict.fromkeys(words(text)))
    named = set(words(" ".join(_NAME_LIKE.findall(text)))) if not text.islower() else set()
    silent = stopwords.of_question(every)
    return tuple([word for word in every if word not in silent or word in named] or every)[:MAX_WORDS]
