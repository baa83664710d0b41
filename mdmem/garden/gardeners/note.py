"""A note as gardeners read it, and the ground they stand in: who has which name, who links to whom."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from mdmem.index.edges import edges, fold_target
from mdmem.note import links, memory
from mdmem.note.memory import TRUSTED, Memory
from mdmem.note.properties import RECORD_TYPES, RELATIONS
from mdmem.text import moments, tokens
from mdmem.values import NamedTuple

SAME_DAYS = timedelta(days=14)  # notes written within that time tell of two things, not of one again or changed
_FIELD = re.compile(r"^\s*(?:- )+\w+:(?: |$)", re.M)
_SHORT = 24  # characters of a value that other notes may have, too
_LOWEST = datetime.min.replace(tzinfo=UTC)


class NoteStorage(NamedTuple):
    """Where notes are put: `keep` puts bytes away and gives what reads them, `share` a text that many have."""

    keep: Callable[[bytes], Callable[[], bytes]]
    share: Callable[[str], str]


class Note(NamedTuple):
    """One memory. `load` gives its bytes: those of a large vault are not in memory (`garden.spill`).

    `created` and `updated` are RFC 3339 or "" where nothing says. `links` are (folded target, predicate, line).
    `last_used` is when it was last recalled, in Unix seconds; 0 is never. `used` is how often it was recalled or
    opened, `size` the tokens of its text, estimated, `length` the characters of it.
    """

    path: str
    id: str
    title: str
    status: str
    tags: tuple[str, ...]
    meta: Mapping[str, Any]
    created: str
    updated: str
    links: tuple[tuple[str, str, int], ...]
    body_line: int
    has_body: bool
    broken: bool
    load: Callable[[], bytes]
    last_used: int = 0
    used: int = 0
    size: int = 0
    length: int = 0

    @property
    def name(self) -> str:
        """The file name without folders and `.md`."""
        return memory.stem(self.path)

    @property
    def data(self) -> bytes:
        """The file's bytes."""
        return self.load()

    @property
    def body(self) -> str:
        """The text below the header, with `\\n` line ends."""
        if not self.has_body:
            return ""
        text = self.data.removeprefix(memory.BOM).decode().replace("\r\n", "\n")
        return text.split("\n", self.body_line - 1)[-1]

    @property
    def is_active(self) -> bool:
        return self.status == "active" and not self.broken

    @property
    def moment(self) -> datetime:
        """When it was first known; the dawn of time where nothing says."""
        return moments.parse(self.created) or _LOWEST

    @property
    def age_order(self) -> tuple[datetime, str, str]:
        """A key that sorts the older note first; of two as old, `a` before `a copy`."""
        return self.moment, self.name, self.path

    @property
    def circle(self) -> tuple[str, ...]:
        """What two notes must share before the text of one may count for the other: whose, where, how secret."""
        origin = self.text("origin")
        trust = "" if origin in TRUSTED else origin
        return (
            *(self.text(key).casefold() for key in ("scope", "project")),
            self.text("sensitivity") or "low",
            trust,
        )

    @property
    def is_record(self) -> bool:
        """Whether its text is fields that programs read; two such texts in one are a record no longer."""
        return self.text("type") in RECORD_TYPES and bool(_FIELD.search(self.body))

    def text(self, key: str) -> str:
        """A property as text, "" if absent."""
        return memory.as_text(self.meta.get(key))

    def rewritten(self, data: bytes) -> Note:
        """The note with other bytes in which every line stands where it stood, and the properties are the same."""
        return self._replace(load=in_memory(data))

    def items(self, key: str) -> list[Any]:
        """A property as a list."""
        value = self.meta.get(key)
        return list(value) if isinstance(value, list) else [] if value in (None, "") else [value]

    def targets(self, key: str) -> list[str]:
        """The notes a property links to, folded."""
        found = (links.wikilink_target(memory.as_text(item)) for item in self.items(key))
        return [fold_target(target) for target in found if target]


def in_memory(data: bytes) -> Callable[[], bytes]:
    """What gives bytes that stay in memory."""
    return lambda: data


_IN_MEMORY = NoteStorage(in_memory, str)


def read(
    found: Memory,
    data: bytes,
    created: str = "",
    updated: str = "",
    last_used: int = 0,
    used: int = 0,
    storage: NoteStorage = _IN_MEMORY,
) -> Note:
    """A parsed memory as a Note; the dates hold where the note does not say."""
    return Note(
        path=found.path,
        id=found.id,
        title=found.title,
        status=found.status,
        tags=tuple(map(storage.share, found.tags)),
        meta={storage.share(key): _shared(value, storage) for key, value in found.meta.items()},
        created=found.created or created,
        updated=found.updated or updated,
        links=tuple(edges(found, list(links.to_notes(found.body)))),
        body_line=found.body_line,
        has_body=bool(found.body),
        broken=bool(found.problems),
        load=storage.keep(data),
        last_used=last_used,
        used=used,
        size=tokens.estimate(found.body),
        length=len(found.body),
    )


def _shared(value: Any, storage: NoteStorage) -> Any:
    """A property's value; a short text, which many notes may have, only once for all of them."""
    if isinstance(value, list):
        return [_shared(item, storage) for item in value]
    return storage.share(value) if type(value) is str and len(value) <= _SHORT else value


def _is_own(predicate: str) -> bool:
    """Whether a link comes from a property that mdmem does not know."""
    return predicate != "mentions" and predicate not in RELATIONS


class Ground:
    """All notes by path and name, and who links to whom.

    A hub is what other notes link to by a property of their own, such as `categories: ["[[Albums]]"]`: tables and
    queries go by its name. The relations that mdmem knows make none.
    """

    def __init__(self, notes: Sequence[Note], elsewhere: Iterable[str] = ()) -> None:
        self.by_path = {note.path: note for note in notes}
        self.elsewhere = frozenset(elsewhere)
        self._named: dict[str, list[str]] = defaultdict(list)
        self._linking: dict[str, list[str]] = defaultdict(list)
        self._hubs = {target for note in notes for target, predicate, _ in note.links if _is_own(predicate)}
        for note in sorted(notes, key=lambda one: one.path):
            self._named[fold_target(note.path)].append(note.path)
            for target in dict.fromkeys(target for target, *_ in note.links):
                self._linking[target].append(note.path)

    def named(self, stem: str) -> list[str]:
        """The paths of the notes of that name (folded)."""
        return self._named.get(stem, [])

    def names(self) -> list[str]:
        """Every name, folded, sorted."""
        return sorted(self._named)

    def exists(self, path: str) -> bool:
        """Whether there is such a file."""
        return path in self.by_path or path in self.elsewhere

    def one(self, target: str) -> Note | None:
        """The note that a folded target means, if it is one only."""
        paths = self.named(target)
        return self.by_path[paths[0]] if len(paths) == 1 else None

    def is_hub(self, note: Note) -> bool:
        """Whether other notes link to a note by a property."""
        return fold_target(note.path) in self._hubs

    def is_part(self, note: Note) -> bool:
        """Whether a note was split off another one that is there and leads to it: it is apart on purpose."""
        stem = fold_target(note.path)
        wholes = filter(None, map(self.one, note.targets("derived_from")))
        return any(whole.is_active and stem in (target for target, *_ in whole.links) for whole in wholes)

    def linking(self, note: Note) -> list[Note]:
        """The other notes that link to the name of a note."""
        paths = self._linking.get(fold_target(note.path), [])
        return [self.by_path[path] for path in paths if path != note.path]
