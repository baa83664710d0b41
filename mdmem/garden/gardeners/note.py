"""A note as gardeners read it, and the ground it stands in: the names of all notes, and the links between them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from mdmem.garden.noteshelf import NoteShelf, Row
from mdmem.note import header, links, memory, moments, naming, tokens
from mdmem.note.memory import TRUSTED, Memory
from mdmem.note.properties import RECORD_TYPES, RELATIONS
from mdmem.store.appendonly import IMMUTABLE
from mdmem.store.index.edges import edges, fold_target

_FIELD = re.compile(r"^\s*(?:- )+\w+:(?: |$)", re.M)
_CIRCLE = ("scope", "project", "sensitivity", "origin")
_LOWEST = datetime.min.replace(tzinfo=UTC)


class Note:
    """One memory. What is known of it, but for its path, is read from a shelf when it is asked for.

    `created` is RFC 3339, or "" if unknown. `links` are (folded target, predicate, line). `last_used` is when the
    note was last recalled, in Unix seconds; 0 is never. `used` is how often it was recalled or opened, `size` the
    estimated number of tokens in its text, `length` the number of characters. `circle` is what two notes must
    share before the text of one may count for the other: scope, project, sensitivity and origin.
    """

    __slots__ = ("_at", "_shelf", "path")
    data: bytes
    id: str
    title: str
    status: str
    tags: tuple[str, ...]
    meta: Mapping[str, Any]
    created: str
    circle: tuple[str, ...]
    links: tuple[tuple[str, str, int], ...]
    body_line: int
    broken: bool
    last_used: float
    used: int
    size: int
    length: int

    def __init__(self, path: str, row: Row, shelf: NoteShelf) -> None:
        self.path, self._shelf, self._at = path, shelf, shelf.append(row)

    def __getattr__(self, name: str) -> Any:
        try:
            return self._shelf[self._at][name]
        except KeyError:
            raise AttributeError(f"a note has no {name}") from None

    @property
    def is_active(self) -> bool:
        return self.status == "active" and not self.broken

    @property
    def type(self) -> str:
        """Its type, "" if it has none."""
        return self.text("type")

    @property
    def is_episode(self) -> bool:
        """Whether it is written once, and never changes."""
        return self.type in IMMUTABLE

    @property
    def may_give_way(self) -> bool:
        """Whether another note may take its place."""
        return self.is_active and not self.is_episode

    @property
    def is_pinned(self) -> bool:
        return memory.as_flag(self.meta.get("pinned"))

    @property
    def is_kept(self) -> bool:
        """Whether by its policy only a person removes it."""
        return self.text("deletion_policy") in ("never", "manual_only")

    @property
    def name(self) -> str:
        """The file name without folders and `.md`."""
        return memory.stem(self.path)

    @property
    def moment(self) -> datetime:
        """When it was first known, the earliest possible time if that is unknown."""
        return moments.parse(self.created) or _LOWEST

    @property
    def body(self) -> str:
        """The text below the header, with `\\n` line ends."""
        if not self.length:
            return ""
        text = self.data.removeprefix(memory.BOM).decode().replace("\r\n", "\n")
        return text.split("\n", self.body_line - 1)[-1]

    @property
    def age_order(self) -> tuple[datetime, str, str]:
        """A sort key that puts the older note first and, of two equally old ones, `a` before `a copy`."""
        return self.moment, self.name, self.path

    @property
    def is_record(self) -> bool:
        """Whether its text consists of fields that programs read; two such texts in one file no longer do."""
        return self.type in RECORD_TYPES and bool(_FIELD.search(self.body))

    def text(self, key: str) -> str:
        """A property as text, "" if absent."""
        return memory.as_text(self.meta.get(key))

    def line_of(self, key: str) -> int:
        """The line of a property in the file, 0 if there is none."""
        return header.property_line(self.data.decode("utf-8-sig"), key, self.body_line)

    def is_linked_with(self, other: Note) -> bool:
        """Whether one of two notes links to the other, by a property or in its text."""
        pairs = ((self, other), (other, self))
        return any(fold_target(there.path) in {target for target, *_ in here.links} for here, there in pairs)

    def rewritten(self, data: bytes) -> Note:
        """The note with other bytes, in which every line keeps its place and the properties are the same."""
        return Note(self.path, {**self._shelf[self._at], "data": data}, NoteShelf())

    def items(self, key: str) -> list[Any]:
        """A property as a list."""
        value = self.meta.get(key)
        return list(value) if isinstance(value, list) else [] if value in (None, "") else [value]

    def targets(self, key: str) -> list[str]:
        """The notes a property links to, folded."""
        return list(filter(None, map(target_of, self.items(key))))


def target_of(item: Any) -> str:
    """The folded name of the note that an item of a property links to, "" if it links to none."""
    target = links.wikilink_target(memory.as_text(item))
    return fold_target(target) if target else ""


def links_to(notes: Iterable[Note]) -> list[str]:
    """Wikilinks to some notes."""
    return [f"[[{note.name}]]" for note in notes]


def by_age(notes: Iterable[Note]) -> list[Note]:
    """Notes, the oldest first."""
    return sorted(notes, key=lambda note: note.age_order)


def _circle(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The `circle` of a note (see Note)."""
    scope, project, sensitivity, origin = (memory.as_text(meta.get(key)) for key in _CIRCLE)
    trust = "" if origin in TRUSTED else origin
    return scope.casefold(), project.casefold(), sensitivity or "low", trust


def read(
    found: Memory,
    data: bytes,
    created: str = "",
    last_used: float = 0,
    used: int = 0,
    shelf: NoteShelf | None = None,
) -> Note:
    """A parsed memory as a Note; `created` applies if the note itself gives no date."""
    row = {
        "data": data,
        "id": found.id,
        "title": found.title,
        "status": found.status,
        "tags": found.tags,
        "meta": dict(found.meta),
        "created": found.created or created,
        "circle": _circle(found.meta),
        "links": tuple(edges(found, list(links.to_notes(found.body)))),
        "body_line": found.body_line,
        "broken": bool(found.problems),
        "last_used": last_used,
        "used": used,
        "size": tokens.estimate(found.body),
        "length": len(found.body),
    }
    return Note(found.path, row, shelf or NoteShelf())


class Ground:
    """All notes, by path and name, and the links between them.

    A hub is a note that others link to by a property of their own, such as `categories: ["[[Albums]]"]`: tables
    and queries rely on its name. The relations that mdmem knows make no hub.
    """

    def __init__(self, notes: Sequence[Note], elsewhere: Iterable[str] = ()) -> None:
        self.notes = sorted(notes, key=lambda one: one.path)
        self.by_path = {note.path: note for note in self.notes}
        self.elsewhere = frozenset(elsewhere)
        self._named: dict[str, tuple[str, ...]] = {}
        self._linking: dict[str, list[str]] = defaultdict(list)
        known = {"mentions", *RELATIONS}  # all others are properties of people's own
        self._hubs = {target for note in notes for target, predicate, _ in note.links if predicate not in known}
        for note in self.notes:
            stem = fold_target(note.path)
            self._named[stem] = (*self._named.get(stem, ()), note.path)
            for target in dict.fromkeys(target for target, *_ in note.links):
                self._linking[target].append(note.path)

    def named(self, stem: str) -> list[str]:
        """The paths of the notes with this folded name."""
        return [*self._named.get(stem, ())]

    def free_name(self, title: str, text: str, given: set[str], path: str = "") -> str:
        """A name by the protocol from a title, with words of a text if that has too few; it is added to `given`.

        It is not among `given` (folded names), and no note has it, but the one at `path` if it is for that.
        """

        def taken(name: str) -> bool:
            folded = memory.fold(name)
            return folded in given or self._named.get(folded, (path,)) != (path,)

        name = naming.make(title, text, taken)
        given.add(memory.fold(name))
        return name

    def names(self) -> list[str]:
        """Every name, folded, sorted."""
        return sorted(self._named)

    def exists(self, path: str) -> bool:
        """Whether there is a file at this path, a memory or not."""
        return path in self.by_path or path in self.elsewhere

    def one(self, target: str) -> Note | None:
        """The only note that a folded target names; None if there are none or several."""
        paths = self.named(target)
        return self.by_path[paths[0]] if len(paths) == 1 else None

    def is_hub(self, note: Note) -> bool:
        """Whether other notes link to a note by a property of their own."""
        return fold_target(note.path) in self._hubs

    def is_part(self, note: Note) -> bool:
        """Whether a note was split off from an active note that links to it: it is apart on purpose."""
        stem = fold_target(note.path)
        wholes = filter(None, map(self.one, note.targets("derived_from")))
        return any(whole.is_active and stem in (target for target, *_ in whole.links) for whole in wholes)

    def linking(self, note: Note) -> list[Note]:
        """The other notes that link to the name of a note."""
        paths = self._linking.get(fold_target(note.path), [])
        return [self.by_path[path] for path in paths if path != note.path]
