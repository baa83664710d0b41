"""What the rest of mdmem asks of a catalogue of memories, whatever keeps it.

The key of a memory is its path relative to the vault: the one thing that no two memories share. Ids may be
shared, by a note that was copied by hand or came from two branches; each of the two is found, ranked and shown
for itself, and `doctor` reports them. A catalogue does not expose its row numbers.

Not every row is a memory. What lies beside the memories, such as an ingested dialog, is an "entry" whose key is
the path of its file; a statement within a file is a "fact" whose key is the path of the file that it is cited by,
`#`, and its id. The key up to its last `#` opens that file (`IndexedNote.file`). A question is about memories
alone unless its `kinds` say otherwise; questions by key (`records_at`, `body`, `texts`) answer for any key.

Times are RFC 3339 in UTC, "" where they are not known. FTS expressions are those that `recall.question` and
`recall.lexicon` make: quoted words and phrases joined by AND, OR and NOT, with `field : ` before them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from itertools import takewhile
from types import MappingProxyType

from mdmem.errors import Problem
from mdmem.note import memory
from mdmem.values import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from typing import Concatenate, ParamSpec, Protocol, TypeVar

    from mdmem.note.trust.sensitivity import Stub

    _T = TypeVar("_T")
    _P = ParamSpec("_P")

Kinds = Sequence[str]  # of rows: some of ALL_KINDS

# The parts of a note that are searched, and what a word counts in each when candidates are gathered. Among the
# tags are its type, its topic and what else people call its kind.
FIELDS = {"name": 0.5, "title": 0.5, "tags": 1.0, "headings": 0.5, "links": 0.5, "body": 1.0}
MEMORY, ENTRY, FACT = "memory", "entry", "fact"
MEMORIES: Kinds = (MEMORY,)
ALL_KINDS: Kinds = (MEMORY, ENTRY, FACT)
# The properties that ranking reads.
LIFE = ("importance", "salience", "pinned", "decay", "last_reinforced_at", "decay_anchor")
# Those that say when a memory holds.
VALIDITY = ("valid_from", "valid_until", "valid_if")


class SourceRow(NamedTuple):
    """A row that is not a memory, as a reader makes it of files (see `mdmem.registry.RowReader`).

    `file` is what it is cited by, relative to the vault. A fact has a `fragment`: its id within that file. `text`
    is searched and shown. It begins in line `line` (1-based) of the file and goes on line by line, unless `lines`
    names the line of the file for each of its own. Times are RFC 3339 in UTC. `meta` are further properties that
    filters see.
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
    """What one file says of the rows of others: those of that id and topic have this status and this `meta`."""

    topic: str
    id: str
    status: str
    meta: Mapping[str, Any] = MappingProxyType({})


class Trait(NamedTuple):
    """What a system says of a memory, for it to be found by: the `name` of the trait, and the `key` to look up.

    `value` and `detail` are what is said, such as a path and what was done to that file.
    """

    name: str
    key: str
    value: str = ""
    detail: str = ""


class IndexedNote(NamedTuple):
    """What the index knows of a memory. `meta` is every property; `body_line` is 1-based in the file.

    `tags` are those of its properties, `inline_tags` those in its text (`#tag`).
    `foreign` says that its last version was committed by someone whose commits are not trusted here.
    `kind` is one of ALL_KINDS; `lines` are the lines of the file for the lines of a text that is not as it stands
    there. `vault` is the name of the vault that it is in, where several are asked; "" where there is only one.
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
        """The path of the file that it is in."""
        return self.path.rpartition("#")[0] if self.kind == FACT else self.path

    @property
    def address(self) -> str:
        """The path of that file; where several vaults are asked, behind the name of its own."""
        return qualified(self.vault, self.file)

    def file_line(self, line: int) -> int:
        """The line of the file (1-based) where a line (1-based) of the text stands."""
        return self.lines[line - 1] if self.lines else self.body_line + line - 1


def qualified(vault: str, text: str) -> str:
    """`VAULT:TEXT`, as names and paths are written where several vaults are asked; TEXT if `vault` is ""."""
    return f"{vault}:{text}" if vault else text


_BETWEEN = ":/"  # the vault and a path in a key


def key(vault: str, path: str) -> str:
    """The key of a path of one of several vaults."""
    return f"{vault}{_BETWEEN}{path}"


def apart(joined: str) -> tuple[str, str]:
    """(vault, path) of such a key."""
    vault, _, path = joined.partition(_BETWEEN)
    return vault, path


def local(record: IndexedNote) -> IndexedNote:
    """A record that has such a key with its path within its vault, as that has it."""
    return record._replace(path=apart(record.path)[1])


class NoteText(NamedTuple):
    """What ranking reads of a memory: `tags` with those in its text, `life` those properties of LIFE it has.

    `validity` are those of VALIDITY that it has.
    """

    path: str
    id: str
    title: str
    type: str
    category: str
    tags: tuple[str, ...]
    topic: str
    status: str
    session: str
    created: str
    life: Mapping[str, Any]
    body_line: int
    body: str
    kind: str = MEMORY
    validity: Mapping[str, Any] = MappingProxyType({})


Neighbours = tuple[list[str], list[str]]  # the paths before (nearest first) and after a memory in its session


class Version(NamedTuple):
    """One committed version of a file: the commit, its time in Unix seconds, the blob ("": deleted), the path."""

    commit: str
    when: int
    blob: str
    path: str = ""


def latest_life(versions: Iterable[Version]) -> list[Version]:
    """The versions of a file since it was last made; they are given and come the latest first."""
    return list(takewhile(lambda version: version.blob, versions))


class Edition(NamedTuple):
    """A state of a catalogue as one connection sees it: which connection, and changes by others and through it."""

    connection: int
    others: int
    own: int


if TYPE_CHECKING:  # making a class takes as long as importing a small module, and a recall needs none of these

    class Links(Protocol):
        """What links among memories lead to, and come from."""

        def named(self, name: str) -> list[IndexedNote]:
            """The memories of that name, whatever their folder and the name's case."""

        def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
            """(memory, line in its file) of each link to one of the targets, as `index.edges` folds them."""

    class Records(Links, Protocol):
        """Memories by what is written in their headers; other rows where `kinds` ask for them."""

        def homes(self, paths: Collection[str]) -> Iterable[tuple[Links, Collection[str]]]:
            """(what links of some memories are looked up in, their paths): links do not lead out of a vault."""

        def kinds(self) -> list[str]:
            """The kinds of rows there are besides memories, sorted."""

        def count(self, kinds: Kinds = MEMORIES) -> int:
            """How many memories there are."""

        def records(self, kinds: Kinds = MEMORIES) -> Iterator[IndexedNote]:
            """Every memory, by path."""

        def newest(self, kinds: Kinds = MEMORIES) -> Iterator[IndexedNote]:
            """Every memory, the latest created first."""

        def record(self, path: str, kinds: Kinds = MEMORIES) -> IndexedNote | None:
            """The memory at a path."""

        def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
            """What there is of those keys, in that order."""

        def with_id(self, id: str, kinds: Kinds = MEMORIES) -> list[IndexedNote]:
            """The memories with that id; more than one is a problem that `doctor` reports."""

        def property_names(self, kinds: Kinds = MEMORIES) -> set[str]:
            """The names of all properties that any memory has."""

        def with_trait(self, name: str, key: str = "") -> list[tuple[str, Trait]]:
            """(path of a memory, its trait) for the traits of a name, of one key if that is given; by path."""

    class Texts(Protocol):
        """What memories say, and other rows of which the key is known."""

        def body(self, path: str) -> str:
            """The text of a memory below its header; "" if there is nothing of that key (any more)."""

        def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
            """key -> what ranking reads of it."""

        def digests(self) -> dict[str, bytes]:
            """path -> what tells the text of a memory (title and body) from every other: 16 bytes."""

        def neighbours(self, of: Iterable[NoteText], reach: int) -> dict[str, Neighbours]:
            """path -> the neighbours, up to `reach` on each side, of those memories that are of a session.

            The order is that of their creation.
            """

    class WordIndex(Protocol):
        """Memories by their words. A stem is a word as the index keeps it; how rare it is depends on all rows."""

        def search(
            self,
            expression: str,
            limit: int,
            spans: Collection[tuple[str, str]] | None = None,
            kinds: Kinds = MEMORIES,
        ) -> list[str]:
            """The keys that an FTS expression finds, best first by BM25 over FIELDS; all with `limit` -1.

            With `spans` only of what was created within one of them, both ends included.
            """

        def matching(self, expression: str) -> int:
            """How many rows of any kind an FTS expression finds."""

        def created_within(self, first: str, last: str, limit: int, kinds: Kinds = MEMORIES) -> list[str]:
            """The keys of what was created from one time to another, both included, the latest first."""

        def years(self) -> tuple[int, int]:
            """The years of the first and the last row of any kind created; (0, 0) if there is none."""

        def stems(self, words: Sequence[str]) -> dict[str, str]:
            """word -> its stem, without words that have none, such as an accent alone."""

        def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
            """stem -> how many rows of any kind have it, for those that any has."""

        def vocabulary(self, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
            """beginning -> stem -> how many rows of any kind have it, for all stems that begin so, in order."""

    class ConcealedRows(Protocol):
        """What may not be seen of a catalogue: the stubs left, and what takes hidden names out of a text."""

        @property
        def stubs(self) -> tuple[Stub, ...]: ...
        @property
        def redact(self) -> Callable[[str], str]: ...

    class Catalogue(Records, Texts, WordIndex, Protocol):
        """All that recall asks; `index.catalogue.SqliteCatalogue` is one."""

        @property
        def concealed(self) -> ConcealedRows:
            """What is left out of every answer, for it may not be seen."""

        def kept(self, what: str) -> dict[Any, Any]:
            """What a caller keeps of this state of it, under a name; empty as soon as anything may be other."""

        def retry_as_one(self, action: Callable[[], _T]) -> _T:
            """The result of an action that asks several questions.

            If one of them finds the catalogue damaged, it is rebuilt and all are asked again: an answer never
            mixes what two states of it say.
            """

        def close(self) -> None:
            """Let go of what keeps it. It cannot be asked afterwards."""

    class FileHistory(Protocol):
        """The commits that touched memories and files of other rows, by path."""

        def versions(self, path: str) -> list[Version]:
            """The committed versions of a file, the latest first, also under the names it had before."""

        def commits_of(self, path: str) -> set[str]:
            """The commits that changed the file at a path."""

        def changed_in(self, commits: Iterable[str]) -> dict[str, list[str]]:
            """path -> those of the commits that changed the file there, the oldest first."""

        def deleting_commits(self) -> set[str]:
            """The commits that took such a file away, by deleting or moving it."""

        def latest_commit(self) -> str:
            """The last commit that changed such a file, "" if there is none."""

    class Upkeep(Protocol):
        """What derived files and checks ask besides, of memories alone."""

        def edition(self) -> Edition:
            """What differs as soon as anything in the catalogue may differ."""

        def marks(self) -> dict[str, str]:
            """path -> what tells all that a memory says from every other state of it, by path."""

        def names(self) -> list[str]:
            """Every name, each once, sorted."""

        def marked(self, category: str, tags: str, importance: float = 0.0) -> Iterator[IndexedNote]:
            """Memories of a category, with `tags` in a tag, a pin, or so much importance; newest first."""

        def all_links(self) -> Iterator[tuple[str, str, str, int]]:
            """(path of the source, target as folded, predicate, line) of every link, by path and line."""

        def problems(self) -> list[Problem]:
            """What was wrong with files when they were read."""

else:
    Links = Records = Texts = WordIndex = ConcealedRows = Catalogue = FileHistory = Upkeep = object


def retried_as_one(function: Callable[Concatenate[Catalogue, _P], _T]) -> Callable[Concatenate[Catalogue, _P], _T]:
    """Run a function of a catalogue in its `retry_as_one`."""

    @wraps(function)
    def asking(catalogue: Catalogue, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return catalogue.retry_as_one(lambda: function(catalogue, *args, **kwargs))

    return asking
