"""The interface of a catalogue of memories, whatever it is stored in.

The key of a memory is its path relative to the vault: the one thing that no two memories share. Two memories may
share an id, if a note was copied by hand or came from two branches; each of them is found, ranked and shown
separately, and `doctor` reports them. A catalogue does not expose its row numbers.

Not every row is a memory. A file beside the memories, such as an ingested dialog, is an "entry" whose key is its
path. A statement within a file is a "fact" whose key is the path of the file that it is cited by, `#`, and its
id. The key up to its last `#` opens that file (`IndexedNote.file`). A query is about memories alone unless its
`kinds` say otherwise; queries by key (`records_at`, `body`, `texts`) accept any key.

Times are RFC 3339 in UTC, "" where they are not known. FTS expressions are made by `recall.question` and
`recall.lexicon`: quoted words and phrases joined by AND, OR and NOT, with `field : ` before them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import takewhile
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.note import memory

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Concatenate, ParamSpec, TypeVar

    from mdmem.store.index.concealment import Concealed

    _T = TypeVar("_T")
    _P = ParamSpec("_P")

Kinds = Sequence[str]  # of rows: some of ALL_KINDS

# The searched parts of a note, and the weight of a word in each when candidates are gathered. The title includes
# the note's aliases, the tags its type, its topic and other words for its kind.
FIELDS = {"name": 0.5, "title": 0.5, "tags": 1.0, "headings": 0.5, "links": 0.5, "body": 1.0}
MEMORY, ENTRY, FACT = "memory", "entry", "fact"
MEMORIES: Kinds = (MEMORY,)
AT_ONCE = 500  # records of many that are in memory together
ALL_KINDS: Kinds = (MEMORY, ENTRY, FACT)
# The properties that ranking reads.
LIFE = ("importance", "salience", "pinned", "decay", "last_reinforced_at", "decay_anchor")
# The properties that say when a memory is valid.
VALIDITY = ("valid_from", "valid_until", "valid_if")


class SourceRow(NamedTuple):
    """A row that is not a memory, built from files by a reader (see `store.registry.RowReader`).

    `file` is the path that it is cited by, relative to the vault. A fact has a `fragment`: its id within that
    file. `text` is searched and shown. It begins in line `line` (1-based) of the file and continues line by
    line, unless `lines` gives the line of the file for each of its own. Times are RFC 3339 in UTC. `meta` are
    further properties for filters.
    """

    kind: str
    file: str
    id: str
    title: str
    text: str
    fragment: str = ""
    type: str = ""
    status: str = "active"
    topic: str = ""
    tags: tuple[str, ...] = ()
    session: str = ""
    created: str = ""
    meta: Mapping[str, Any] = MappingProxyType({})
    line: int = 1
    lines: tuple[int, ...] = ()

    @property
    def path(self) -> str:
        """The key of the row."""
        return f"{self.file}#{self.fragment}" if self.fragment else self.file


class Amendment(NamedTuple):
    """A statement of one file about rows of others: those with this id and topic get this status and `meta`."""

    topic: str
    id: str
    status: str
    meta: Mapping[str, Any] = MappingProxyType({})


class Trait(NamedTuple):
    """What a system says about a memory, so that it is found: the `name` of the trait, and the `key` to look up.

    `value` and `detail` are the statement itself, such as a path and what was done to that file.
    """

    name: str
    key: str
    value: str = ""
    detail: str = ""


class IndexedNote(NamedTuple):
    """What the index knows of a memory. `meta` is every property; `body_line` is 1-based in the file.

    `tags` are those of its properties, `inline_tags` those in its text (`#tag`). `foreign` is whether the
    committer of its last version is not trusted here. `kind` is one of ALL_KINDS. `lines` gives the line of the
    file for each line of the text, unless they are consecutive. `vault` is the name of its vault if several are
    searched, else "".
    """

    path: str
    id: str
    title: str
    type: str
    status: str
    category: str
    topic: str
    tags: tuple[str, ...]
    session: str
    created: str
    updated: str
    meta: Mapping[str, Any]
    body_line: int
    inline_tags: tuple[str, ...] = ()
    foreign: bool = False
    kind: str = MEMORY
    lines: tuple[int, ...] = ()
    vault: str = ""

    @property
    def name(self) -> str:
        return memory.stem(self.path) if self.kind == MEMORY else self.id

    @property
    def file(self) -> str:
        """The path of the file that the row is in."""
        return self.path.rpartition("#")[0] if self.kind == FACT else self.path

    @property
    def address(self) -> str:
        """The path of its file, after the name of its vault if several are searched."""
        return qualified(self.vault, self.file)

    def file_line(self, line: int) -> int:
        """The line of the file (1-based) that has a line (1-based) of the text."""
        return self.lines[line - 1] if self.lines else self.body_line + line - 1


def qualified(vault: str, text: str) -> str:
    """`VAULT:TEXT`, as names and paths are written if several vaults are searched; TEXT if `vault` is ""."""
    return f"{vault}:{text}" if vault else text


_BETWEEN = ":/"  # separates the vault from the path in a key


def key(vault: str, path: str) -> str:
    """The key of a path in one of several vaults."""
    return f"{vault}{_BETWEEN}{path}"


def apart(joined: str) -> tuple[str, str]:
    """(vault, path) of a key that `key` made."""
    vault, _, path = joined.partition(_BETWEEN)
    return vault, path


def local(record: IndexedNote) -> IndexedNote:
    """A record with such a key, changed to its path within its vault."""
    return record._replace(path=apart(record.path)[1])


class Outline(NamedTuple):
    """What lists and drawings of many memories tell of each."""

    path: str
    title: str
    type: str
    status: str
    topic: str
    tags: tuple[str, ...]
    project: str
    actor: str
    created: str


class RecordsAt(Collection[IndexedNote]):
    """The records with some keys, in that order, of which only a few are in memory at a time.

    Several vaults' records are given with the paths that they have in their vaults.
    """

    def __init__(self, catalogue: "Catalogue", keys: Sequence[str]) -> None:
        self._catalogue, self._keys = catalogue, keys

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, record: object) -> bool:
        return any(record == each for each in self)

    def __iter__(self) -> Iterator[IndexedNote]:
        for at in range(0, len(self._keys), AT_ONCE):
            for record in self._catalogue.records_at(self._keys[at : at + AT_ONCE]):
                yield local(record) if record.vault else record


class NoteText(NamedTuple):
    """What ranking reads of a memory: `tags` include those in its text, `life` has its properties of LIFE.

    `validity` has its properties of VALIDITY, `aliases` its further names. `dialog` is the conversation that it
    was imported from, turn by turn, "" if there is none: only there do neighbouring notes tell of each other.
    """

    path: str
    id: str
    title: str
    type: str
    category: str
    tags: tuple[str, ...]
    topic: str
    status: str
    dialog: str
    created: str
    life: Mapping[str, Any]
    body_line: int
    body: str
    kind: str = MEMORY
    validity: Mapping[str, Any] = MappingProxyType({})
    aliases: tuple[str, ...] = ()

    @property
    def titles(self) -> str:
        """Its title and its aliases, one a line."""
        return memory.titles(self.title, self.aliases)


Neighbours = tuple[list[str], list[str]]  # the paths before (nearest first) and after a memory in its dialog


class Version(NamedTuple):
    """One committed version of a file: the commit, its time in Unix seconds, the blob ("": deleted), the path."""

    commit: str
    when: int
    blob: str
    path: str = ""


def latest_life(versions: Iterable[Version]) -> list[Version]:
    """The versions of a file since it was last created; they are given and returned latest first."""
    return list(takewhile(lambda version: version.blob, versions))


class Deleted(NamedTuple):
    """A memory that is in history but no longer in the folder. `blob` is the id of its last content.

    `commit` is "" and `when` None if the deletion is not committed. A `permanent` deletion is one that a program
    asked for; people can still restore it.
    """

    path: str
    id: str
    title: str
    when: "datetime | None"
    actor: str
    reason: str
    commit: str
    blob: str
    permanent: bool = False
    purged: str = ""  # the day it was purged; nothing is left of it then

    @property
    def name(self) -> str:
        from mdmem.store import layout

        return layout.entry_name(self.path) or memory.stem(self.path)


class Edition(NamedTuple):
    """A state of a catalogue as one connection sees it: the connection, and counts of others' and own changes."""

    connection: int
    others: int
    own: int


class Catalogue:
    """The queries of recall. A store answers those that raise NotImplementedError; the others follow from them."""

    @property
    def concealed(self) -> "Concealed":
        """The rows that are left out of every answer, since the reader may not see them."""
        raise NotImplementedError

    def kept(self, what: str) -> dict[Any, Any]:
        """A cache for this state of the catalogue, by the caller's name for it; any change may empty it."""
        raise NotImplementedError

    def retry_as_one(self, action: "Callable[[], _T]") -> "_T":
        """The result of an action that runs several queries.

        If one finds damage, the catalogue is rebuilt and all are repeated: an answer never mixes two states.
        """
        return action()

    def close(self) -> None:
        """Close the underlying storage, if it is not closed elsewhere. There are no queries afterwards."""

    # -- records -------------------------------------------------------------------------------------------

    def sizes(self) -> Mapping[str, int]:
        """kind -> how many rows of it there are."""
        raise NotImplementedError

    def select(self, kinds: Kinds, name: str = "", id: str = "", newest: bool = False) -> Iterator[IndexedNote]:
        """The rows of some kinds, by path or the latest created first; only those with a folded name or an id."""
        raise NotImplementedError

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        """The rows that exist for those keys, in that order."""
        raise NotImplementedError

    def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
        """The names of all properties that any memory has."""
        raise NotImplementedError

    def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
        """(path of a memory, its trait) for the traits of a name and, if given, of a key; by path."""
        raise NotImplementedError

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        """(memory, line in its file) of each link to one of the targets, as `index.edges` folds them."""
        raise NotImplementedError

    def home(self, path: str) -> str:
        """The vault of a key if several are searched, else "": links and names do not lead out of a vault."""
        del path
        return ""

    def kinds(self) -> list[str]:
        """The kinds of rows that exist besides memories, sorted."""
        return sorted(kind for kind, number in self.sizes().items() if number and kind != MEMORY)

    def count(self, kinds: Kinds = MEMORIES) -> int:
        """How many memories there are."""
        sizes = self.sizes()
        return sum(sizes.get(kind, 0) for kind in kinds)

    def records(self, kinds: Kinds = MEMORIES) -> Iterator[IndexedNote]:
        """Every memory, by path."""
        return self.select(kinds)

    def newest(self, kinds: Kinds = MEMORIES) -> Iterator[IndexedNote]:
        """Every memory, the latest created first."""
        return self.select(kinds, newest=True)

    def record(self, path: str, kinds: Kinds = MEMORIES) -> IndexedNote | None:
        """The memory at a path."""
        return next((record for record in self.records_at([path]) if record.kind in kinds), None)

    def named(self, name: str) -> list[IndexedNote]:
        """The memories with that name, in any folder and letter case."""
        return list(self.select(MEMORIES, name=memory.fold(name))) if name else []

    def with_id(self, id: str, kinds: Kinds = MEMORIES) -> list[IndexedNote]:
        """The memories with that id; more than one is a problem that `doctor` reports."""
        return list(self.select(kinds, id=id)) if id else []

    # -- texts ---------------------------------------------------------------------------------------------

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        """key -> the parts of the row that ranking reads."""
        raise NotImplementedError

    def body(self, path: str) -> str:
        """The text of a memory below its header; "" if no row has that key (any more)."""
        return texts[path].body if path in (texts := self.texts([path])) else ""

    def digests(self, kinds: Kinds = MEMORIES) -> dict[str, bytes]:
        """key -> digest of the text of a row (title and body), 16 bytes."""
        raise NotImplementedError

    def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
        """path -> the neighbours, up to `reach` on each side, of each memory that belongs to a session.

        Memories of a session are in the order of their creation.
        """
        raise NotImplementedError

    # -- words: a stem is a word as the index stores it; its frequency counts rows of all kinds ------------

    def search(
        self,
        expression: str,
        limit: int,
        spans: Collection[tuple[str, str]] | None = None,
        kinds: Kinds = MEMORIES,
    ) -> list[str]:
        """The keys that an FTS expression finds, best first by BM25 over FIELDS; all with `limit` -1.

        With `spans`, only those of rows created within one of them, both ends included.
        """
        raise NotImplementedError

    def matching(self, expression: str) -> int:
        """How many rows of any kind an FTS expression finds."""
        raise NotImplementedError

    def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
        """The keys of rows created from one time to another, both included, the latest first."""
        raise NotImplementedError

    def years(self) -> tuple[int, int]:
        """The years of the first and the last row of any kind created; (0, 0) if there is none."""
        raise NotImplementedError

    def stems(self, words: Sequence[str]) -> dict[str, str]:
        """word -> its stem, without words that have none, such as an accent alone."""
        from mdmem.store.index import stemming

        return stemming.stems(words)

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        """stem -> the number of rows of any kind that have it, for stems that any row has."""
        raise NotImplementedError

    def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        """beginning -> stem -> number of rows of any kind with it, for all stems that begin so, in order."""
        raise NotImplementedError


def retried_as_one(
    function: "Callable[Concatenate[Catalogue, _P], _T]",
) -> "Callable[Concatenate[Catalogue, _P], _T]":
    """Decorate a function of a catalogue so that it runs in the catalogue's `retry_as_one`."""

    @wraps(function)
    def asking(catalogue: Catalogue, /, *args: "_P.args", **kwargs: "_P.kwargs") -> "_T":
        return catalogue.retry_as_one(lambda: function(catalogue, *args, **kwargs))

    return asking
