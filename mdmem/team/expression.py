"""Reads the FTS expressions of recall, for an index that is not FTS5's own."""

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
    """Expressions joined by OR or AND; or with NOT the first of them without the others."""

    how: str
    parts: tuple[Expression, ...]


Expression = Phrase | Joint
_Token = str | tuple[str, ...]  # a sign or a word; the stems of a phrase


def parse(text: str) -> Expression:
    """Parse an expression that `recall.question` or `recall.lexicon` made. Raises ValueError for any other."""
    tokens = [(match["text"], match["sign"] or match["word"]) for match in _TOKEN.finditer(text)]
    phrases = [quoted.replace('""', '"') for quoted, _ in tokens if quoted is not None]
    stems = iter(stemming.in_order([(phrase,) for phrase in phrases]) if phrases else ())
    left: list[_Token] = [sign if quoted is None else tuple(next(stems)[0].split()) for quoted, sign in tokens]
    left.reverse()
    try:
        expression = _joined(left)
    except IndexError:
        raise ValueError("the expression ends too soon") from None
    if left:
        raise ValueError(f"cannot read {left[-1]!r}")
    return expression


def _joined(tokens: list[_Token], joints: Sequence[str] = _JOINTS) -> Expression:
    """The expression that the tokens begin with, which has none but these joints outside of parentheses.

    The tokens are in reverse; those of the expression are taken away. Raises IndexError if there are too few.
    """
    if not joints:
        return _single(tokens)
    how, *closer = joints
    parts = [_joined(tokens, closer)]
    while tokens and tokens[-1] == how:
        tokens.pop()
        parts.append(_joined(tokens, closer))
    if how == "OR":
        parts = [each for part in parts for each in _alternatives(part)]
    return Joint(how, tuple(parts)) if len(parts) > 1 else parts[0]


def _single(tokens: list[_Token]) -> Expression:
    part = tokens.pop()
    if isinstance(part, tuple):
        return Phrase(part)
    if part == "(":
        inner, end = _joined(tokens), tokens.pop()
        if end == ")":
            return inner
    elif part in FIELDS and tokens.pop() == ":":
        phrase = tokens.pop()
        if isinstance(phrase, tuple):
            return Phrase(phrase, [*FIELDS].index(part) + 1)
    raise ValueError(f"cannot read {part!r}")


def _alternatives(expression: Expression) -> tuple[Expression, ...]:
    """What an expression joins by OR, else the expression itself."""
    return expression.parts if isinstance(expression, Joint) and expression.how == "OR" else (expression,)


def phrases_of(expression: Expression) -> Iterator[Phrase]:
    """The phrases of an expression, in order of their occurrence."""
    if isinstance(expression, Phrase):
        yield expression
    else:
        for part in expression.parts:
            yield from phrases_of(part)


def finds(expression: Expression, said: Container[Phrase]) -> bool:
    """Whether an expression matches a row that has the phrases `said`."""
    if isinstance(expression, Phrase):
        return expression in said
    first, *others = (finds(part, said) for part in expression.parts)
    if expression.how == "NOT":
        return first and not any(others)
    return any((first, *others)) if expression.how == "OR" else all((first, *others))


def words_of(expression: Expression) -> list[str]:
    """The stems of an expression that joins words by OR; none for any other expression."""
    parts = _alternatives(expression)
    words = [part for part in parts if isinstance(part, Phrase) and len(part.stems) == 1 and not part.field]
    return [word.stems[0] for word in words] if len(words) == len(parts) else []
