"""The memories in a team's index that a role may read, as a catalogue for recall.

A key is `ID:/PATH`, with the id of the vault; `IndexedNote.vault` is its display name. Links, names and sessions
stay within their vault. Use one catalogue per query: it caches every answer of the server.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mdmem.note import memory
from mdmem.note.trust import redaction, sensitivity
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance, Stub
from mdmem.store.index import port
from mdmem.store.index.concealment import NOTHING, Concealed
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import (
    ALL_KINDS,
    MEMORIES,
    MEMORY,
    IndexedNote,
    Kinds,
    Neighbours,
    NoteText,
    Trait,
    apart,
    key,
)
from mdmem.team.wordindex import TeamWords

if TYPE_CHECKING:
    from mdmem.store.index.port import Links
    from mdmem.team.server import Server

_T = TypeVar("_T")

_RECORD = (
    "vault, path, kind, lines, committer, id, title, type, status, category, topic, tags, session, created,"
    " updated, properties, body_line, inline_tags"
)
_TEXT = "life, validity, body"
_AT = "(vault, path) IN (SELECT * FROM unnest(%s::text[], %s::text[]))"
_AT_ONCE = 2_000  # rows of one query
_VAULTS = (
    "SELECT vault, name, url, folder, head, max_sensitivity, model, numbers FROM mdmem.vaults ORDER BY name, vault"
)
_HIDDEN = """
SELECT vault, path, kind, name, id, type, sensitivity, scope FROM mdmem.notes
WHERE NOT (sensitivity = ANY(%s) AND (scope = '' OR %s OR scope = ANY(%s))) ORDER BY vault, path
"""
_BESIDE = """
array(SELECT n.path FROM mdmem.notes n WHERE n.vault = p.vault AND n.session = p.session AND n.session <> ''
  AND n.kind = 'memory' AND (n.created, n.path) {} (p.created, p.path)
  ORDER BY n.created {order}, n.path {order} LIMIT %(reach)s)
"""
_NEIGHBOURS = f"""
SELECT p.vault, p.path, {_BESIDE.format("<", order="DESC")}, {_BESIDE.format(">", order="ASC")}
FROM unnest(%(vaults)s::text[], %(paths)s::text[], %(sessions)s::text[], %(created)s::text[])
  AS p (vault, path, session, created)
"""  # noqa: S608 - own literals
_LINKING = """
SELECT DISTINCT vault, target, path, line FROM mdmem.links
WHERE (vault, target) IN (SELECT * FROM unnest(%s::text[], %s::text[])) AND (%s = '' OR predicate = %s)
"""
_TRAITS = """
SELECT vault, path, name, key, value, detail FROM mdmem.traits
WHERE name = %s AND (%s = '' OR key = %s) ORDER BY vault, path
"""


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


class _HiddenRow(NamedTuple):
    vault: str
    path: str
    kind: str
    name: str
    id: str
    type: str
    level: str
    scope: str


class TeamCatalogue(TeamWords):
    """The memories of the vaults that a role may read, up to a clearance; a `port.Catalogue`."""

    def __init__(self, server: Server, clearance: Clearance = EVERYTHING, people: Set[str] = frozenset()) -> None:
        """`people` are the e-mail addresses, in lower case, whose commits are trusted."""
        super().__init__(server)
        self._clearance = clearance
        self._people = people
        self._kept: dict[str, dict[Any, Any]] = {}
        self._records: dict[str, IndexedNote] = {}
        self._texts: dict[str, NoteText] = {}
        self._expected: set[tuple[str, str]] = set()  # (vault, target) of links to be looked up later
        # predicate -> (vault, target) -> (key of a memory, line) of each link there
        self._links: dict[str, dict[tuple[str, str], list[tuple[str, int]]]] = {}

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
        rows = [_HiddenRow(*row) for row in self._server.run(_HIDDEN, [levels, not scopes, scopes])]
        return Concealed(
            frozenset(key(row.vault, row.path) for row in rows),
            tuple(Stub(row.id, row.type, row.level) for row in rows if wanted.hints_at(row.level, row.scope)),
            redaction.redactor({row.name for row in rows if row.kind == MEMORY}, fold_target),
        )

    @property
    def hidden(self) -> Collection[str]:
        return self.concealed.paths

    # -- records -------------------------------------------------------------------------------------------

    def homes(self, paths: Collection[str]) -> Iterable[tuple[Links, Collection[str]]]:
        """The links of each vault; those to the memories of all vaults are looked up in one query."""
        expected: dict[str, list[str]] = {}
        for path in paths:
            expected.setdefault(apart(path)[0], []).append(path)
        self._expected |= {(vault, fold_target(path)) for vault, own in expected.items() for path in own}
        return [(VaultLinks(self, vault), own) for vault, own in expected.items()]

    def sizes(self) -> Mapping[str, int]:
        if self.hidden:
            return Counter(record.kind for record in self.select(ALL_KINDS))
        return {kind: rows for kind, (rows, _) in self.totals.items()}

    def select(self, kinds: Kinds, name: str = "", id: str = "", newest: bool = False) -> Iterator[IndexedNote]:
        given = [(column, value) for column, value in (("name", name), ("id", id)) if value]
        condition = " AND ".join([*(f"{column} = %s" for column, _ in given), "kind = ANY(%s)"])
        order = "created DESC, vault, path" if newest else "vault, path"
        for offset in count(0, _AT_ONCE):
            clauses = f"WHERE {condition} ORDER BY {order} LIMIT {_AT_ONCE} OFFSET {offset}"
            rows = self._found(clauses, [*(value for _, value in given), list(kinds)])
            yield from self._shown(rows)
            if len(rows) < _AT_ONCE:
                return

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        unknown = [path for path in paths if path not in self._records]
        if unknown:
            found = self._shown(self._found(f"WHERE {_AT}", _apart(unknown)))
            self._records |= {record.path: record for record in found}
        return [self._records[path] for path in paths if path in self._records]

    def called(self, name: str, vaults: Sequence[str]) -> list[IndexedNote]:
        """The rows with that path in one of the vaults, else with that file name, else with that id."""
        paths = [key(vault, path) for vault in vaults for path in (name, name + ".md")]
        found = self.records_at(paths)
        found = found or (self.named(name.removesuffix(".md")) if "/" not in name else [])
        found = found or self.with_id(name, ALL_KINDS)
        return [record for record in found if apart(record.path)[0] in vaults]

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        names = "SELECT DISTINCT json_object_keys(properties) FROM mdmem.notes WHERE kind = ANY(%s)"
        return {name for (name,) in self._server.run(names, [list(kinds)])}

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        wanted = list(targets)
        return [link for vault in self.vaults for link in VaultLinks(self, vault).links_to(wanted, predicate)]

    def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
        rows = self._server.run(_TRAITS, [name, key, key])
        return [(port.key(vault, path), Trait(*trait)) for vault, path, *trait in rows]

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        unknown = [path for path in paths if path not in self._texts]
        if unknown:
            self._read(unknown)
        return {path: self._texts[path] for path in paths if path in self._texts}

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        rows = self._server.run(
            "SELECT vault, path, digest FROM mdmem.notes WHERE kind = ANY(%s) ORDER BY 1, 2", [list(kinds)]
        )
        return {path: digest for vault, own, digest in rows if (path := key(vault, own)) not in self.hidden}

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        notes = [note for note in of if note.dialog and note.kind == MEMORY]
        if not notes:
            return {}
        vaults, paths = _apart([note.path for note in notes])
        values = {
            "vaults": vaults,
            "paths": paths,
            "sessions": [note.dialog for note in notes],
            "created": [note.created for note in notes],
            "reach": reach,
        }
        return {
            key(vault, path): (self._beside(vault, before), self._beside(vault, after))
            for vault, path, before, after in self._server.run(_NEIGHBOURS, values)
        }

    # -- helpers -------------------------------------------------------------------------------------------

    def linking(self, vault: str, targets: Collection[str], predicate: str) -> list[tuple[IndexedNote, int]]:
        """The links in a vault to some targets, with a predicate or with any ("")."""
        links = self._links.setdefault(predicate, {})
        unknown = sorted({(vault, target) for target in targets} - links.keys())
        if unknown:
            self._learn_links(sorted({*unknown, *(self._expected - links.keys())}), predicate)
        found = sorted({link for target in targets for link in links[vault, target]})
        records = {record.path: record for record in self.records_at([path for path, _ in found])}
        return [(records[path], line) for path, line in found if path in records]

    def _learn_links(self, pairs: Sequence[tuple[str, str]], predicate: str) -> None:
        links = self._links[predicate]
        links |= {pair: [] for pair in pairs}
        vaults, targets = map(list, zip(*pairs, strict=True))
        for vault, target, path, line in self._server.run(_LINKING, [vaults, targets, predicate, predicate]):
            links[vault, target].append((key(vault, path), line))

    def _beside(self, vault: str, paths: Iterable[str]) -> list[str]:
        return [each for path in paths if (each := key(vault, path)) not in self.hidden]

    def _found(self, clauses: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._server.run(f"SELECT {_RECORD} FROM mdmem.notes {clauses}", values)  # noqa: S608 - own literals

    def _shown(self, rows: Iterable[Sequence[Any]]) -> Iterator[IndexedNote]:
        """The records of those rows that the reader may see."""
        return (self._record(row) for row in rows if key(row[0], row[1]) not in self.hidden)

    def _read(self, paths: Sequence[str]) -> None:
        """Fetch the records and texts of rows into the caches."""
        text = f"SELECT {_RECORD}, {_TEXT} FROM mdmem.notes WHERE {_AT}"  # noqa: S608 - own literals
        for *row, life, validity, body in self._server.run(text, _apart(paths)):
            record = self._record(row)
            if record.path in self.hidden:
                continue
            self._records[record.path] = record
            self._texts[record.path] = NoteText(
                path=record.path,
                id=record.id,
                title=record.title,
                type=record.type,
                category=record.category,
                tags=tuple(dict.fromkeys([*record.tags, *record.inline_tags])),
                topic=record.topic,
                status=record.status,
                dialog=port.dialog_of(record.session, record.meta),
                created=record.created,
                life=life or {},
                body_line=record.body_line,
                body=self.concealed.redact(body),
                kind=record.kind,
                validity=validity or {},
                aliases=memory.aliases_of(record.meta),
            )

    def _record(self, row: Sequence[Any]) -> IndexedNote:
        vault, path, kind, lines, committer, *columns = row
        foreign = bool(committer) and committer not in self._people
        name = self.vaults[vault].name
        record = IndexedNote._make([key(vault, path), *columns, foreign, kind, tuple(lines), name])
        redact = self.concealed.redact
        return record._replace(
            title=redact(record.title),
            tags=tuple(record.tags),
            meta=redaction.redacted_value(record.meta, redact) if self.hidden else record.meta,
            inline_tags=tuple(record.inline_tags),
        )


class VaultLinks:
    """The links among the memories of one vault; a `port.Links`."""

    def __init__(self, catalogue: TeamCatalogue, vault: str) -> None:
        self._catalogue = catalogue
        self._vault = vault

    def named(self, name: str) -> list[IndexedNote]:
        return [record for record in self._catalogue.named(name) if apart(record.path)[0] == self._vault]

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        return self._catalogue.linking(self._vault, list(targets), predicate)


def _apart(keys: Sequence[str]) -> list[list[str]]:
    """The vaults and the paths of some keys, as two array parameters."""
    pairs = [apart(each) for each in keys]
    return [[vault for vault, _ in pairs], [path for _, path in pairs]]
