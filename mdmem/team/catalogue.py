"""The memories in a team's index that a role may read, as a catalogue for recall.

A key is `ID:/PATH`, with the id of the vault; `IndexedNote.vault` is its display name. Links, names and sessions
stay within their vault. Use one catalogue per query: it caches every answer of the server.

Words are searched as FTS5 searches those of one vault. For words joined by OR the server weighs rows by its
`bm25()`, see https://www.sqlite.org/fts5.html#the_bm25_function, with the weights of FIELDS: up to WEIGHED rows,
or those that have the rarest word. Phrases leave few rows, of which those come first that have them most often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import islice, starmap
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.note.trust import redaction, sensitivity
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance, Stub
from mdmem.store.index import port, rows
from mdmem.store.index.concealment import NOTHING, Concealed
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import (
    ALL_KINDS,
    FIELDS,
    MEMORIES,
    MEMORY,
    VALIDITY,
    Catalogue,
    IndexedNote,
    Kinds,
    Neighbours,
    NoteText,
    Trait,
    apart,
    key,
)
from mdmem.team.expression import ANYWHERE, Expression, Joint, Phrase, finds, parse, phrases_of, words_of
from mdmem.team.form import TAGS, told_in

if TYPE_CHECKING:
    from mdmem.team.server import Server

_RECORD = (  # in the order of `rows.RECORD`, after the vault
    "vault, path, id, title, type, status, category, topic, tags, session, created, updated, properties,"
    " body_line, inline_tags, kind, lines, committer"
)
_TEXT = (  # in the order of `rows.TEXT`
    "path, id, title, type, category, tags, topic, status,"
    " CASE properties ->> 'source' WHEN 'import' THEN session ELSE '' END, created, life, body_line, body, kind,"
    " inline_tags, aliases, "
) + ", ".join(f"(validity -> '{name}')::text" for name in VALIDITY)
_COLUMNS = _RECORD.count(",") + 1
_VAULTS = (
    "SELECT vault, name, url, folder, head, max_sensitivity, model, numbers FROM mdmem.readable_vaults()"
    " ORDER BY name, vault"
)
_HIDDEN = """
SELECT vault, path, CASE kind WHEN 'memory' THEN name END, id, type, sensitivity, scope
FROM mdmem.hidden(%s::text[], %s::text[]) ORDER BY vault, path
"""
_BESIDE = "SELECT * FROM mdmem.beside(%s::text[], %s::text[], %s::text[], %s::text[], %s::integer)"
_TRAITS = "SELECT vault, path, name, key, value, detail FROM mdmem.traits_of(%s, %s) ORDER BY vault, path"
WEIGHED = 3_000  # rows that are weighed for one query: those that have its rarest words
_LINKING = "SELECT * FROM mdmem.linking(%s::text[], %s)"
_FREQUENCIES = "SELECT * FROM mdmem.frequencies_of(%s::text[])"
_SIZES = "SELECT kind, sum(notes)::bigint FROM mdmem.readable_sizes() GROUP BY kind"
_VOCABULARY = "SELECT beginning, stem, notes FROM mdmem.vocabulary(%s::text[]) ORDER BY 1, 2"
_BEST = "SELECT vault, path FROM mdmem.best(%s::text[], %s, %s::text[], %s::text[], %s::text[], %s::integer)"
_SAYING = """
SELECT phrase, vault, path, kind, created, often FROM mdmem.saying(%s::text[], %s::integer[], %s::float8[])
"""
_NUMBER_SAYING = "SELECT mdmem.number_saying(%s, %s)"
_WITHIN = "SELECT * FROM mdmem.created_within(%s, %s, %s::text[], %s::integer)"

Spans = Collection[tuple[str, str]]


class PublishedVault(NamedTuple):
    """A vault in the index: its id, its display name, the URL it is pushed to, and the commit that is published.

    `folder` is its folder within its repository: empty, or it ends with a slash. Nothing more sensitive than
    `max_sensitivity` was published. `model` is that of its vectors ("": it has none), `numbers` their dimension.
    """

    vault: str
    name: str
    url: str
    folder: str
    head: str
    max_sensitivity: str
    model: str
    numbers: int


class SpokenRow(NamedTuple):
    """A row that has phrases; `often` says how often it has each, weighted by field."""

    key: str
    kind: str
    created: str
    often: dict[Phrase, float]


class TeamCatalogue(Catalogue):
    """The memories of the vaults that a role may read, up to a clearance; a `port.Catalogue`."""

    def __init__(self, server: Server, clearance: Clearance = EVERYTHING, people: Set[str] = frozenset()) -> None:
        """`people` are the e-mail addresses, in lower case, whose commits are trusted."""
        self._server = server
        self._frequencies: dict[str, int] = {}
        self._clearance = clearance
        self._people = people
        self._kept: dict[str, dict[Any, Any]] = {}
        self._read: dict[str, tuple[IndexedNote, NoteText]] = {}
        # predicate -> target -> (key of a memory, line) of each link there
        self._links: dict[str, dict[str, list[tuple[str, int]]]] = {}

    def kept(self, what: str) -> dict[Any, Any]:
        return self._kept.setdefault(what, {})

    @cached_property
    def vaults(self) -> dict[str, PublishedVault]:
        """id -> vault, for the vaults that the role may read."""
        found = [PublishedVault(*row) for row in self._server.run(_VAULTS)]
        namesakes = Counter(each.name for each in found)
        return {
            each.vault: each._replace(name=f"{each.name}-{each.vault[-8:]}") if namesakes[each.name] > 1 else each
            for each in found
        }

    def vault_of(self, record: IndexedNote) -> PublishedVault:
        """The vault of a record."""
        return self.vaults[apart(record.path)[0]]

    @property
    def has_vectors(self) -> bool:
        """Whether any of the vaults has vectors."""
        return any(each.model for each in self.vaults.values())

    # -- hidden rows ----------------------------------------------------------------------------------------

    @cached_property
    def concealed(self) -> Concealed:
        """The rows that the role may read, but the clearance hides."""
        wanted = self._clearance
        published = sensitivity.higher(
            *(each.max_sensitivity for each in self.vaults.values()), sensitivity.LOWEST
        )
        if not wanted.scopes and sensitivity.rank(published) <= sensitivity.rank(wanted.limit):
            return NOTHING
        levels = [level for level in sensitivity.LEVELS if wanted.shows(level, "")]
        scopes = list(wanted.scopes)
        found = self._server.run(_HIDDEN, [levels, scopes])
        return Concealed(
            frozenset(key(vault, path) for vault, path, *_ in found),
            tuple(Stub(id, type, level) for *_, id, type, level, scope in found if wanted.hints_at(level, scope)),
            redaction.redactor({name for _, _, name, *_ in found if name is not None}, fold_target),
        )

    @property
    def hidden(self) -> Collection[str]:
        return self.concealed.paths

    # -- records -------------------------------------------------------------------------------------------

    def home(self, path: str) -> str:
        return apart(path)[0]

    def sizes(self) -> Mapping[str, int]:
        if self.hidden:
            return Counter(record.kind for record in self.select(ALL_KINDS))
        return self._sizes

    @cached_property
    def _sizes(self) -> Mapping[str, int]:
        return dict(self._server.run(_SIZES))

    def select(self, kinds: Kinds, name: str = "", id: str = "", newest: bool = False) -> Iterator[IndexedNote]:
        source, asked = ("notes_called", name) if name else ("notes_with_id", id)
        given = [asked] if asked else [list(kinds)]
        order = "created DESC, vault, path" if newest else "vault, path"
        sql = (
            f"SELECT {_RECORD} FROM mdmem.{source if asked else 'readable_notes'}(%s)"  # noqa: S608 - own literals
            f" WHERE kind = ANY(%s) AND %s IN ('', id) ORDER BY {order}"
        )
        yield from self._shown(self._server.stream(sql, [*given, list(kinds), id]))

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        return [record for record, _ in self._rows_at(paths)]

    def called(self, name: str, vaults: Sequence[str]) -> list[IndexedNote]:
        """The rows with that path in one of the vaults, else with that file name, else with that id."""
        paths = [key(vault, path) for vault in vaults for path in (name, name + ".md")]
        found = self.records_at(paths)
        found = found or (self.named(name.removesuffix(".md")) if "/" not in name else [])
        found = found or self.with_id(name, ALL_KINDS)
        return [record for record in found if apart(record.path)[0] in vaults]

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        names = "SELECT DISTINCT json_object_keys(properties) FROM mdmem.readable_notes(%s)"
        return {name for (name,) in self._server.run(names, [list(kinds)])}

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        links, wanted = self._links.setdefault(predicate, {}), sorted({*targets})
        if unknown := [target for target in wanted if target not in links]:
            links |= {target: [] for target in unknown}
            for target, vault, path, line in self._server.run(_LINKING, [unknown, predicate]):
                links[target].append((key(vault, path), line))
        found = sorted({link for target in wanted for link in links[target]})
        records = {record.path: record for record in self.records_at([path for path, _ in found])}
        return [(records[path], line) for path, line in found if path in records]

    def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
        rows = self._server.run(_TRAITS, [name, key])
        return [(port.key(vault, path), Trait(*trait)) for vault, path, *trait in rows]

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        return {record.path: text for record, text in self._rows_at(paths)}

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        rows = self._server.run(
            "SELECT vault, path, digest FROM mdmem.readable_notes(%s) ORDER BY 1, 2", [list(kinds)]
        )
        return {path: digest for vault, own, digest in rows if (path := key(vault, own)) not in self.hidden}

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        notes = [note for note in of if note.dialog and note.kind == MEMORY]
        if not notes:
            return {}
        sessions, created = [note.dialog for note in notes], [note.created for note in notes]
        values = [*_apart([note.path for note in notes]), sessions, created, reach]
        return {
            key(vault, path): (self._beside(vault, before), self._beside(vault, after))
            for vault, path, before, after in self._server.run(_BESIDE, values)
        }

    # -- search --------------------------------------------------------------------------------------------

    def search(
        self, expression: str, limit: int, spans: Spans | None = None, kinds: Kinds = MEMORIES
    ) -> list[str]:
        asked = parse(expression)
        ruled_out: set[str] = set()
        if isinstance(asked, Joint) and asked.how == "NOT" and words_of(asked.parts[0]):
            asked, *others = asked.parts
            ruled_out = {row.key for other in others for row in self._rows(other)}
        most = None if limit < 0 else limit + len(self.hidden) + len(ruled_out)
        words = words_of(asked)
        ranked = self._having(words, most, spans, kinds) if words else self._saying(asked, spans, kinds)
        return self._first([each for each in ranked if each not in ruled_out], limit)

    def matching(self, expression: str) -> int:
        asked = parse(expression)
        if isinstance(asked, Phrase):
            if len(asked.stems) == 1 and asked.field in (ANYWHERE, TAGS):
                (stem,) = [told_in(TAGS, each) if asked.field else each for each in asked.stems]
                return self.frequencies([stem]).get(stem, 0)
            return int(self._server.run(_NUMBER_SAYING, [asked.text, asked.field])[0][0])
        return len(self._rows(asked))

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        most = None if limit < 0 else limit + len(self.hidden)
        found = self._server.run(_WITHIN, [first, last, list(kinds), most])
        return self._first(starmap(key, found), limit)

    def years(self) -> tuple[int, int]:
        first, last = self._server.run("SELECT * FROM mdmem.years()")[0]
        return (int(first[:4]), int(last[:4])) if first else (0, 0)

    def _first(self, keys: Iterable[str], limit: int) -> list[str]:
        """The first `limit` keys (-1: all) that the reader may see."""
        seen = (each for each in keys if each not in self.hidden)
        return list(seen if limit < 0 else islice(seen, limit))

    def _having(self, words: Sequence[str], most: int | None, spans: Spans | None, kinds: Kinds) -> list[str]:
        """The keys of rows that have one of the words, best first.

        With a limit, only rows that have one of the rarest words are weighed.
        """
        starts, ends = [start for start, _ in spans or ()], [end for _, end in spans or ()]
        values = [list(words), WEIGHED, list(kinds), starts, ends, most]
        return list(starmap(key, self._server.run(_BEST, values)))

    def _saying(self, asked: Expression, spans: Spans | None, kinds: Kinds) -> list[str]:
        """The keys of rows that an expression with phrases finds, those with the most of them first."""
        rows = [row for row in self._rows(asked) if row.kind in kinds]
        left = [row for row in rows if not spans or any(start <= row.created <= end for start, end in spans)]
        return [row.key for row in sorted(left, key=lambda row: (-sum(row.often.values()), row.key))]

    def _rows(self, asked: Expression) -> list[SpokenRow]:
        """The rows of any kind that an expression finds."""
        phrases = [phrase for phrase in dict.fromkeys(phrases_of(asked)) if phrase.stems]
        texts, fields = [phrase.text for phrase in phrases], [phrase.field for phrase in phrases]
        rows: dict[str, SpokenRow] = {}
        values = [texts, fields, [*FIELDS.values()]]
        for at, vault, path, kind, created, often in self._server.run(_SAYING, values):
            row = rows.setdefault(key(vault, path), SpokenRow(key(vault, path), kind, created, {}))
            row.often[phrases[at]] = often
        return [row for row in rows.values() if finds(asked, row.often)]

    # -- words ---------------------------------------------------------------------------------------------

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        unknown = [stem for stem in stems if stem not in self._frequencies]
        if unknown:
            self._frequencies |= dict.fromkeys(unknown, 0) | dict(self._server.run(_FREQUENCIES, [unknown]))
        return {stem: count for stem in stems if (count := self._frequencies[stem])}

    def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        known: dict[str, dict[str, int]] = {beginning: {} for beginning in beginnings}
        for beginning, stem, number in self._server.run(_VOCABULARY, [list(beginnings)]) if known else ():
            known[beginning][stem] = self._frequencies[stem] = number
        return known

    # -- helpers -------------------------------------------------------------------------------------------

    def _beside(self, vault: str, paths: Iterable[str]) -> list[str]:
        return [each for path in paths if (each := key(vault, path)) not in self.hidden]

    def _shown(self, rows: Iterable[Sequence[Any]]) -> Iterator[IndexedNote]:
        """The records of those rows that the reader may see."""
        return (self._record(row) for row in rows if key(row[0], row[1]) not in self.hidden)

    def _rows_at(self, paths: Sequence[str]) -> list[tuple[IndexedNote, NoteText]]:
        """The records and texts of the rows that exist for those keys, in that order."""
        if unknown := [path for path in paths if path not in self._read]:
            sql = f"SELECT {_RECORD}, {_TEXT} FROM mdmem.notes_at(%s::text[], %s::text[])"  # noqa: S608 - own literals
            for row in self._server.run(sql, _apart(unknown)):
                for record in self._shown([row[:_COLUMNS]]):
                    text = rows.text_of((record.path, *row[_COLUMNS + 1 :]))
                    self._read[record.path] = record, self.concealed.text(text)
        return [self._read[path] for path in paths if path in self._read]

    def _record(self, row: Sequence[Any]) -> IndexedNote:
        vault, path, *columns = row
        record = rows.record_of((key(vault, path), *columns), self._people)
        return self.concealed.record(record._replace(vault=self.vaults[vault].name))


def _apart(keys: Sequence[str]) -> list[list[str]]:
    """The vaults and the paths of some keys, as two array parameters."""
    pairs = [apart(each) for each in keys]
    return [[vault for vault, _ in pairs], [path for _, path in pairs]]
