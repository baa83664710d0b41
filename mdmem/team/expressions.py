"""Parses the expressions that recall searches by: quoted words and phrases joined by AND, OR and NOT.

The grammar is that of `index.port`; as in FTS5, NOT binds closest and OR loosest.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
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
_Token = str | tuple[str, ...]  # a sign or a word; the stems of a phrase


def parse(text: str) -> Expression:
    """Parse an expression that `recall.question` or `recall.lexicon` made. Raises ValueError for any other."""
    tokens = [(match["text"], match["sign"] or match["word"]) for match in _TOKEN.finditer(text)]
    phrases = [quoted.replace('""', '"') for quoted, _ in tokens if quoted is not None]
    stems = iter(stemming.in_order([(phrase,) for phrase in phrases]) if phrases else ())
    left: list[_Token] = [sign if quoted is None else tuple(next(stems)[0].split()) for quoted, sign in tokens]
    left.reverse()
    expression = _joined(left, 0)
    if left:
        raise ValueError(f"cannot read {left[-1]!r}")
    return expression


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


def _joined(tokens: list[_Token], level: int) -> Expression:
    """The expression that the tokens begin with, of joints that bind at least as close as those of a level.

    The tokens are in reverse; those of the expression are taken away.
    """
    if level == len(_JOINTS):
        return _single(tokens)
    left = _joined(tokens, level + 1)
    while tokens and tokens[-1] == _JOINTS[level]:
        left = Joint(str(tokens.pop()), left, _joined(tokens, level + 1))
    return left


def _single(tokens: list[_Token]) -> Expression:
    part = _next(tokens)
    if isinstance(part, tuple):
        return Phrase(part)
    if part == "(":
        inner = _joined(tokens, 0)
        _expect(tokens, ")")
        return inner
    _expect(tokens, ":")
    phrase = _next(tokens)
    if part not in FIELDS or not isinstance(phrase, tuple):
        raise ValueError(f"cannot read {part!r}")
    return Phrase(phrase, [*FIELDS].index(part) + 1)


def _expect(tokens: list[_Token], sign: str) -> None:
    if _next(tokens) != sign:
        raise ValueError(f"{sign!r} is missing")


def _next(tokens: list[_Token]) -> _Token:
    if not tokens:
        raise ValueError("the expression ends too soon")
    return tokens.pop()
