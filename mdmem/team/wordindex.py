"""Searches the words of many vaults in PostgreSQL as FTS5 searches those of one vault.

Rows are weighed by the `bm25()` of FTS5, https://www.sqlite.org/fts5.html#the_bm25_function, with the weights of
FIELDS: on the server for words joined by OR; here for phrases, which leave few rows to weigh.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, islice, starmap
from math import log
from typing import TYPE_CHECKING, NamedTuple

from mdmem.note import patterns
from mdmem.store.index import stemming
from mdmem.store.index.port import FIELDS, MEMORIES, Catalogue, Kinds, key

if TYPE_CHECKING:
    from mdmem.team.server import Server


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


WEIGHED = 3_000  # rows that are weighed for one query: those that have its rarest words
_K1, _B = 1.2, 0.75  # as in FTS5
_LEAST = 1e-6  # rarity of a word that more than half of the rows have, as there
_LAST = "\U0010ffff"
_SIZES = "SELECT kind, sum(notes)::bigint, sum(words)::bigint FROM mdmem.sizes GROUP BY kind"
_FREQUENCIES = "SELECT stem, sum(notes)::bigint FROM mdmem.frequencies WHERE stem = ANY(%s) GROUP BY stem"
_VOCABULARY = """
SELECT b.beginning, f.stem, sum(f.notes)::bigint
FROM unnest(%s::text[], %s::text[]) AS b (beginning, beyond)
JOIN mdmem.frequencies f ON f.stem >= b.beginning AND f.stem < b.beyond GROUP BY 1, 2 ORDER BY 1, 2
"""
_BEST = """
SELECT vault, path
FROM mdmem.best(%s::text[], %s::text[], %s::float8[], %s, %s::text[], %s::text[], %s::text[], %s::integer)
"""
_SAYING = "SELECT phrase, vault, path, kind, created, length, places FROM mdmem.saying(%s::text[], %s::integer[])"
_NUMBER_SAYING = "SELECT mdmem.number_saying(%s, %s)"
_WITHIN = """
SELECT vault, path FROM mdmem.notes WHERE created BETWEEN %s AND %s AND kind = ANY(%s)
ORDER BY created DESC, vault, path LIMIT %s
"""
_YEARS = "SELECT min(created), max(created) FROM mdmem.notes WHERE created <> ''"

Spans = Collection[tuple[str, str]]


class SpokenRow(NamedTuple):
    """A row that has phrases; `often` says how often it has each, weighted by field."""

    key: str
    kind: str
    created: str
    length: int
    often: dict[Phrase, float]


class TeamWords(Catalogue):
    """The words of the vaults that a role may read: the queries by words of a catalogue.

    A search weighs up to WEIGHED rows, or those that have its rarest word.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._frequencies: dict[str, int] = {}

    @property
    def hidden(self) -> Collection[str]:
        """The keys of rows that the role may read, but that are hidden."""
        return ()

    @cached_property
    def totals(self) -> Mapping[str, tuple[int, int]]:
        """kind -> (number of rows, number of words in them)."""
        return {kind: (rows, words) for kind, rows, words in self._server.run(_SIZES)}

    # -- search --------------------------------------------------------------------------------------------

    def search(
        self, expression: str, limit: int, spans: Spans | None = None, kinds: Kinds = MEMORIES
    ) -> list[str]:
        asked = parse(expression)
        ruled_out: set[str] = set()
        if isinstance(asked, Joint) and asked.how == "NOT" and words_of(asked.left):
            ruled_out = {row.key for row in self._rows(asked.right)}
            asked = asked.left
        most = None if limit < 0 else limit + len(self.hidden) + len(ruled_out)
        words = words_of(asked)
        ranked = self._having(words, most, spans, kinds) if words else self._saying(asked, spans, kinds)
        return self._first([each for each in ranked if each not in ruled_out], limit)

    def matching(self, expression: str) -> int:
        asked = parse(expression)
        if isinstance(asked, Phrase):
            return int(self._server.run(_NUMBER_SAYING, [asked.text, asked.field])[0][0])
        return len(self._rows(asked))

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        most = None if limit < 0 else limit + len(self.hidden)
        found = self._server.run(_WITHIN, [first, last, list(kinds), most])
        return self._first(starmap(key, found), limit)

    def years(self) -> tuple[int, int]:
        first, last = self._server.run(_YEARS)[0]
        return (int(first[:4]), int(last[:4])) if first else (0, 0)

    def _first(self, keys: Iterable[str], limit: int) -> list[str]:
        """The first `limit` keys (-1: all) that the reader may see."""
        seen = (each for each in keys if each not in self.hidden)
        return list(seen if limit < 0 else islice(seen, limit))

    def _having(self, words: Sequence[str], most: int | None, spans: Spans | None, kinds: Kinds) -> list[str]:
        """The keys of rows that have one of the words, best first.

        With a limit, only rows that have one of the rarest words are weighed.
        """
        known = self.frequencies(words)
        wanted = sorted(known, key=lambda word: (known[word], word))
        so_far = list(accumulate(known[word] for word in wanted))
        rarest = wanted if most is None else wanted[: max(bisect_right(so_far, WEIGHED), 1)]
        rarities = [self._rarity(known[word]) for word in wanted]
        starts, ends = [start for start, _ in spans or ()], [end for _, end in spans or ()]
        values = [rarest, wanted, rarities, self._mean_length, list(kinds), starts, ends, most]
        return list(starmap(key, self._server.run(_BEST, values))) if wanted else []

    def _saying(self, asked: Expression, spans: Spans | None, kinds: Kinds) -> list[str]:
        """The keys of rows that an expression with phrases finds, best first."""
        rows = self._rows(asked)
        frequencies = Counter(phrase for row in rows for phrase in row.often)
        rarities = {phrase: self._rarity(count) for phrase, count in frequencies.items()}
        left = [row for row in rows if row.kind in kinds and _is_within(row.created, spans)]
        return [row.key for row in sorted(left, key=lambda row: (-self._score(row, rarities), row.key))]

    def _rows(self, asked: Expression) -> list[SpokenRow]:
        """The rows of any kind that an expression finds."""
        phrases = [phrase for phrase in dict.fromkeys(phrases_of(asked)) if phrase.stems]
        texts, fields = [phrase.text for phrase in phrases], [phrase.field for phrase in phrases]
        rows: dict[str, SpokenRow] = {}
        for at, vault, path, kind, created, length, places in self._server.run(_SAYING, [texts, fields]):
            row = rows.setdefault(key(vault, path), SpokenRow(key(vault, path), kind, created, length, {}))
            row.often[phrases[at]] = _often(phrases[at], places)
        return [row for row in rows.values() if finds(asked, row.often)]

    # -- weighing ------------------------------------------------------------------------------------------

    @property
    def total(self) -> int:
        """The number of rows of all kinds."""
        return sum(rows for rows, _ in self.totals.values())

    @property
    def _mean_length(self) -> float:
        return sum(words for _, words in self.totals.values()) / max(self.total, 1) or 1.0

    def _rarity(self, frequency: int) -> float:
        return max(log((self.total - frequency + 0.5) / (frequency + 0.5)), _LEAST)

    def _score(self, row: SpokenRow, rarities: Mapping[Phrase, float]) -> float:
        long = _K1 * (1 - _B + _B * row.length / self._mean_length)
        return sum(rarities[phrase] * often * (_K1 + 1) / (often + long) for phrase, often in row.often.items())

    # -- words ---------------------------------------------------------------------------------------------

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        unknown = [stem for stem in stems if stem not in self._frequencies]
        if unknown:
            self._frequencies |= dict.fromkeys(unknown, 0) | dict(self._server.run(_FREQUENCIES, [unknown]))
        return {stem: count for stem in stems if (count := self._frequencies[stem])}

    def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        known: dict[str, dict[str, int]] = {beginning: {} for beginning in beginnings}
        beyond = [beginning + _LAST for beginning in beginnings]
        for beginning, stem, count in self._server.run(_VOCABULARY, [list(beginnings), beyond]) if known else ():
            known[beginning][stem] = self._frequencies[stem] = count
        return known


def _often(phrase: Phrase, places: str) -> float:
    """How often a phrase occurs in the fields of a row, each occurrence weighted by its field."""
    weights = list(FIELDS.values())
    lines = [line.split(" ") for line in places.split("\n")]
    fields = [phrase.field - 1] if phrase.field else range(len(lines))
    return sum(weights[field] * _times(phrase.stems, lines[field]) for field in fields)


def _times(stems: Sequence[str], line: Sequence[str]) -> int:
    return sum(tuple(line[at : at + len(stems)]) == stems for at in range(len(line) - len(stems) + 1))


def _is_within(created: str, spans: Spans | None) -> bool:
    return not spans or any(start <= created <= end for start, end in spans)
