"""What the rest of mdmem asks of a catalogue of memories, whatever keeps it.

The key of a memory is its path relative to the vault: the one thing that no two memories share. Ids may be
shared, by a note that was copied by hand or came from two branches; each of the two is found, ranked and shown
for itself, and `doctor` reports them. A catalogue does not expose its row numbers.

Times are RFC 3339 in UTC, "" where they are not known. FTS expressions are those that `recall.question` and
`recall.lexicon` make: quoted words and phrases joined by AND, OR and NOT, with `field : ` before them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Concatenate, NamedTuple, ParamSpec, Protocol, TypeVar

from mdmem.errors import Problem
from mdmem.note import memory

_T = TypeVar("_T")
_P = ParamSpec("_P")

# The parts of a note that are searched, and what a word counts in each when candidates are gathered. Among the
# tags are its type, its topic and what else people call its kind.
FIELDS = {"name": 0.5, "title": 0.5, "tags": 1.0, "headings": 0.5, "links": 0.5, "body": 1.0}
# The properties that ranking reads.
LIFE = ("importance", "salience", "pinned", "decay", "last_reinforced_at", "decay_anchor")


class IndexedNote(NamedTuple):
    """What the index knows of a memory. `meta` is every property; `body_line` is 1-based in the file.

    `tags` are those of its properties, `inline_tags` those in its text (`#tag`).
    `foreign` says that its last version was committed by someone whose commits are not trusted here.
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

    @property
    def name(self) -> str:
        return memory.stem(self.path)


class NoteText(NamedTuple):
    """What ranking reads of a memory: `tags` with those in its text, `life` those properties of LIFE it has."""

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


class Version(NamedTuple):
    """One committed version of a file: the commit, its time in Unix seconds, and the blob ("" for deleted)."""

    commit: str
    when: int
    blob: str


class Edition(NamedTuple):
    """A state of a catalogue as one connection sees it: which connection, and changes by others and through it."""

    connection: int
    others: int
    own: int


class Records(Protocol):
    """Memories by what is written in their headers."""

    def count(self) -> int:
        """How many memories there are."""

    def records(self) -> Iterator[IndexedNote]:
        """Every memory, by path."""

    def newest(self) -> Iterator[IndexedNote]:
        """Every memory, the latest created first."""

    def record(self, path: str) -> IndexedNote | None:
        """The memory at a path."""

    def records_at(self, paths: Sequence[str]) -> list[IndexedNote]:
        """The memories at those paths, in that order; paths that hold none are left out."""

    def named(self, name: str) -> list[IndexedNote]:
        """The memories of that name, whatever their folder and the name's case."""

    def with_id(self, id: str) -> list[IndexedNote]:
        """The memories with that id; more than one is a problem that `doctor` reports."""

    def property_names(self) -> set[str]:
        """The names of all properties that any memory has."""

    def links_to(self, targets: Iterable[str], predicate: str = "") -> list[tuple[IndexedNote, int]]:
        """(memory, line in its file) of each link to one of the targets, as `index.edges` folds them."""


class Texts(Protocol):
    """What memories say."""

    def body(self, path: str) -> str:
        """The text of a memory below its header; "" if there is no memory at that path (any more)."""

    def texts(self, paths: Sequence[str]) -> dict[str, NoteText]:
        """path -> what ranking reads of it."""

    def digests(self) -> dict[str, bytes]:
        """path -> what tells the text of a memory (title and body) from every other: 16 bytes."""

    def neighbours(self, of: NoteText, reach: int) -> tuple[list[str], list[str]]:
        """The paths of up to `reach` notes before (nearest first) and after a note within its session.

        The order is that of their creation.
        """


class WordIndex(Protocol):
    """Memories by their words. A stem is a word as the index keeps it."""

    def search(self, expression: str, limit: int, spans: Collection[tuple[str, str]] | None = None) -> list[str]:
        """The paths that an FTS expression finds, best first by BM25 over FIELDS; all with `limit` -1.

        With `spans` only memories that were created within one of them, both ends included.
        """

    def matching(self, expression: str) -> int:
        """How many memories an FTS expression finds."""

    def created_within(self, first: str, last: str, limit: int) -> list[str]:
        """The paths of the memories created from one time to another, both included, the latest first."""

    def years(self) -> tuple[int, int]:
        """The years of the first and the last memory created; (0, 0) if there is none."""

    def stems(self, words: Sequence[str]) -> dict[str, str]:
        """word -> its stem, without words that have none, such as an accent alone."""

    def frequencies(self, stems: Sequence[str]) -> dict[str, int]:
        """stem -> how many memories have it, for those that any has."""

    def vocabulary(self, first: str = "", last: str = "\U0010ffff") -> list[str]:
        """The stems of all memories from `first` up to but not including `last`."""


class Catalogue(Records, Texts, WordIndex, Protocol):
    """All that recall asks; `index.catalogue.SqliteCatalogue` is one."""

    def retry_as_one(self, action: Callable[[], _T]) -> _T:
        """The result of an action that asks several questions.

        If one of them finds the catalogue damaged, it is rebuilt and all are asked again: an answer never
        mixes what two states of it say.
        """

    def close(self) -> None:
        """Let go of what keeps it. It cannot be asked afterwards."""


class FileHistory(Protocol):
    """The commits that touched memories, by path."""

    def versions(self, path: str) -> list[Version]:
        """The committed versions of a file, the latest first, also under the names it had before."""

    def commits_of(self, path: str) -> set[str]:
        """The commits that changed the file at a path."""

    def changed_in(self, commits: Iterable[str]) -> dict[str, list[str]]:
        """path -> those of the commits that changed the file there, the oldest first."""

    def deleting_commits(self) -> set[str]:
        """The commits that took a memory's file away, by deleting or moving it."""

    def latest_commit(self) -> str:
        """The last commit that changed a memory, "" if there is none."""


class Upkeep(Protocol):
    """What derived files and checks ask besides."""

    def edition(self) -> Edition:
        """What differs as soon as anything in the catalogue may differ."""

    def marks(self) -> dict[str, str]:
        """path -> what tells all that a memory says from every other state of it, by path."""

    def names(self) -> list[str]:
        """Every name, each once, sorted."""

    def marked(self, category: str, tags: str) -> Iterator[IndexedNote]:
        """Memories of a category, with a tag that contains `tags`, or with an importance or pin; newest first."""

    def all_links(self) -> Iterator[tuple[str, str, str, int]]:
        """(path of the source, target as folded, predicate, line) of every link, by path and line."""

    def problems(self) -> list[Problem]:
        """What was wrong with files when they were read."""


def retried_as_one(function: Callable[Concatenate[Catalogue, _P], _T]) -> Callable[Concatenate[Catalogue, _P], _T]:
    """Run a function of a catalogue in its `retry_as_one`."""

    @wraps(function)
    def asking(catalogue: Catalogue, /, *args: _P.args, **kwargs: _P.kwargs) -> _T:
        return catalogue.retry_as_one(lambda: function(catalogue, *args, **kwargs))

    return asking
