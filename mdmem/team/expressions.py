"""Parses the expressions that recall searches by: quoted words and phrases joined by AND, OR and NOT.

The grammar is that of `index.port`; as in FTS5, NOT binds closest and OR loosest.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from mdmem.note import patterns
from mdmem.store.index import stemming
from mdmem.store.index.port import FIELDS

ANYWHERE = 0  # the field of a phrase that may be in any
_TOKEN = patterns.late(r'\s*(?:"(?P<text>(?:[^"]|"")*)"|(?P<sign>[():])|(?P<word>\w+))')
_JOINTS = ("OR", "AND", "NOT")  # the loosest first


class Phrase(NamedTuple):
    """Stems next to each other, and the number of the field that they are in (1 is the first); see ANYWHERE."""

    stems: tuple[str, ...]
    field: int = ANYWHERE

    @property
    def text(self) -> str:
        return " ".join(self.stems)


class Joint(NamedTuple):
    """Two expressions joined by one of OR, AND and NOT."""

    how: str
    left: Expression
    right: Expression


Expression = Phrase | Joint


def parse(text: str) -> Expression:
    """Parse an expression that `recall.question` or `recall.lexicon` made. Raises ValueError for any other."""
    tokens = [(match["text"], match["sign"] or match["word"]) for match in _TOKEN.finditer(text)]
    phrases = [quoted.replace('""', '"') for quoted, _ in tokens if quoted is not None]
    stems = iter(stemming.in_order([(phrase,) for phrase in phrases]) if phrases else ())
    parser = _Parser([sign if quoted is None else tuple(next(stems)[0].split()) for quoted, sign in tokens])
    return parser.whole()


def phrases_of(expression: Expression) -> Iterator[Phrase]:
    """The phrases of an expression, in order of their occurrence."""
    if isinstance(expression, Phrase):
        yield expression
        return
    yield from phrases_of(expression.left)
    yield from phrases_of(expression.right)


def finds(expression: Expression, said: Container[Phrase]) -> bool:
    """Whether an expression matches a row that has the phrases `said`."""
    if isinstance(expression, Phrase):
        return expression in said
    left, right = finds(expression.left, said), finds(expression.right, said)
    if expression.how == "OR":
        return left or right
    return left and right is (expression.how == "AND")


def words_of(expression: Expression) -> list[str]:
    """The stems of an expression that joins words by OR; none for any other expression."""
    phrases = list(_alternatives(expression))
    are_words = all(phrase and len(phrase.stems) == 1 and not phrase.field for phrase in phrases)
    return [phrase.stems[0] for phrase in phrases if phrase] if are_words else []


def _alternatives(expression: Expression) -> Iterator[Phrase | None]:
    """The phrases that OR joins; None for an operand that is not a phrase."""
    if isinstance(expression, Joint) and expression.how == "OR":
        yield from _alternatives(expression.left)
        yield from _alternatives(expression.right)
    else:
        yield expression if isinstance(expression, Phrase) else None


class _Parser:
    """Parses tokens: a string is a sign or a word, a tuple has the stems of a phrase."""

    def __init__(self, tokens: Sequence[str | tuple[str, ...]]) -> None:
        self._tokens = tokens
        self._at = 0

    def whole(self) -> Expression:
        expression = self._joined(0)
        if self._at < len(self._tokens):
            raise ValueError(f"cannot read {self._tokens[self._at]!r}")
        return expression

    def _joined(self, level: int) -> Expression:
        if level == len(_JOINTS):
            return self._single()
        left = self._joined(level + 1)
        while self._take(_JOINTS[level]):
            left = Joint(_JOINTS[level], left, self._joined(level + 1))
        return left

    def _single(self) -> Expression:
        part = self._next()
        if isinstance(part, tuple):
            return Phrase(part)
        if part == "(":
            inner = self._joined(0)
            self._expect(")")
            return inner
        self._expect(":")
        phrase = self._next()
        if part not in FIELDS or not isinstance(phrase, tuple):
            raise ValueError(f"cannot read {part!r}")
        return Phrase(phrase, [*FIELDS].index(part) + 1)

    def _next(self) -> str | tuple[str, ...]:
        if self._at == len(self._tokens):
            raise ValueError("the expression ends too soon")
        self._at += 1
        return self._tokens[self._at - 1]

    def _take(self, word: str) -> bool:
        """Consume the next token if it is that word; returns whether it was."""
        is_next = self._at < len(self._tokens) and self._tokens[self._at] == word
        self._at += is_next
        return is_next

    def _expect(self, sign: str) -> None:
        if self._next() != sign:
            raise ValueError(f"{sign!r} is missing")
