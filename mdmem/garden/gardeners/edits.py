"""Edits that several gardeners make: deprecating notes, redirecting links, joining lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mdmem.errors import StoppedError
from mdmem.garden.gardeners.note import Ground, Note, target_of
from mdmem.garden.gardeners.proposal import Evidence, FileEdit, Proposal, digest
from mdmem.note import blocks, fields, memory
from mdmem.note.plural import counted
from mdmem.note.properties import RELATIONS
from mdmem.store.index.edges import fold_target
from mdmem.write import succession
from mdmem.write.rename import Relinker

UNIONS = ("tags", "provenance", *RELATIONS)
_OWN = ("id", "updated", "actor", "session")  # single values that stay those of the note into which others go
_NOTHING = (None, "")


class Workspace:
    """The files that a proposal changes, collected step by step."""

    def __init__(self, ground: Ground, gardener: str = "") -> None:
        self.ground, self.gardener = ground, gardener
        self.changed: dict[str, FileEdit] = {}

    def data(self, note: Note) -> bytes:
        """The bytes of a note as changed so far."""
        edit = self.changed.get(note.path)
        return note.data if edit is None else edit.after or b""

    def write(self, note: Note, data: bytes | None) -> None:
        """Give a note new bytes; None removes it. Raises StoppedError if its policy forbids its removal."""
        if data is None and note.is_kept:
            raise StoppedError(
                f"would be removed, but says deletion_policy: {note.text('deletion_policy')}",
                f"mdmem update {note.name} --unset deletion_policy",
            )
        self.changed[note.path] = FileEdit(note.path, note.data, data)

    def body(self, note: Note) -> str:
        """The text of a note as changed so far."""
        return memory.parse(self.data(note), note.path).body

    def add(self, note: Note, text: str) -> None:
        """Add a paragraph to the end of a note, unless it is empty. Raises NoteError, UsageError.

        Code or a comment that the note leaves open is closed first, so that the paragraph is not part of it.
        """
        if text:
            end = blocks.closing(self.body(note))
            text = f"{end}\n\n{text}" if end else text
            self.write(note, fields.append_body(self.data(note), text, note.path))

    def create(self, path: str, data: bytes) -> None:
        """Add a file."""
        self.changed[path] = FileEdit(path, None, data)

    def set(self, note: Note, /, **changes: Any) -> None:
        """Set properties of a note. Raises NoteError."""
        self.write(note, fields.set_fields(self.data(note), changes, note.path))

    def adopt(self, note: Note, /, **changes: Any) -> None:
        """Set properties of a note in a header, which it gets if it has none. Raises NoteError."""
        self.write(note, fields.to_frontmatter(self.data(note), changes, note.path))

    def deprecate(self, note: Note, by: str) -> None:
        """Mark a note as superseded by the note named `by`. Raises NoteError."""
        self.write(note, succession.deprecated(self.data(note), note.path, by))

    def move(self, note: Note, path: str) -> None:
        """Give a note another path and redirect the links to it, its own included. Raises MdmemError."""
        self.changed[note.path] = FileEdit(note.path, note.data, None)
        self.follow({note.path: path})
        self.create(path, self.placed(note, {note.path: path}).data)

    def placed(self, note: Note, moves: Mapping[str, str]) -> Note:
        """A note with its links rewritten for the place to which `moves` takes its text. Raises MdmemError."""
        relinker = Relinker(moves, self.ground.named, self.ground.exists)
        return note.rewritten(relinker.relinked(note.data, note.path))

    def follow(self, moves: Mapping[str, str], keep: Iterable[str] = ()) -> None:
        """Redirect the links to moved or merged notes; `moves` maps their old paths to the new ones.

        Notes that are removed, and those at the paths `keep`, are left alone. Raises MdmemError.
        """
        relinker = Relinker(moves, self.ground.named, self.ground.exists)
        kept = {*keep, *(path for path, edit in self.changed.items() if edit.after is None)}
        sources = {one.path for old in moves for one in self.ground.linking(self.ground.by_path[old])}
        for path in sorted(sources - kept):
            note = self.ground.by_path[path]
            data = relinker.relinked(self.data(note), path)
            if data != self.data(note):
                self.write(note, data)

    def proposal(
        self, action: str, title: str, sure: float, why: Iterable[Evidence], about: Sequence[Note], **more: Any
    ) -> Proposal | None:
        """What the gardener proposes about some notes (see Proposal); None if the edits change nothing."""
        edits = tuple(edit for _, edit in sorted(self.changed.items()) if edit.before != edit.after)
        known = sorted(f"{note.id} {digest(note.data)}" for note in about)
        paths = tuple(note.path for note in about)
        case = Proposal(
            id=digest("\n".join([self.gardener, action, title, *known]).encode())[:12],
            gardener=self.gardener,
            action=action,
            title=title,
            confidence=round(sure, 2),
            evidence=tuple(why),
            edits=edits,
            rests_on=tuple(sorted({*paths} - {edit.path for edit in edits})),
            about=paths,
            **more,
        )
        return case if edits else None


def parting(ground: Ground, note: Note, heir: str = "") -> str:
    """What is lost with the file of a note, even if its text lives on: its name, its date, links to it.

    `heir` is the name of the note to which these links are redirected.
    """
    day = f" and the date {note.created[:10]}" if note.created else ""
    inbound = len(ground.linking(note))
    links_to_it = f" ({counted(inbound, 'note')} linked to it, now to {heir})" if inbound and heir else ""
    return f"the name {note.name}{day}{links_to_it}"


def joined(*lists: Iterable[Any]) -> list[Any]:
    """The items of several lists, each once, in order."""
    found: list[Any] = []
    for items in lists:
        found += [item for item in items if item not in found]
    return found


def merged(older: Note, others: Sequence[Note]) -> tuple[dict[str, Any], list[str]]:
    """(the properties of `older` that change when others are merged into it, what is lost of those of the others).

    Lists are joined, and links among the notes are dropped. A single value that `older` lacks is the first that
    another one has; who wrote a note, and in which session, stays its own. What differs is lost.
    """
    notes = [older, *others]
    lists = joined(UNIONS, (key for note in notes for key, value in note.meta.items() if isinstance(value, list)))
    changes = _unions(notes, lists)
    lost = []
    for note in others:
        for key, value in note.meta.items():
            own = older.meta.get(key)
            if key in lists or value in _NOTHING:
                continue
            if own in _NOTHING and key not in _OWN:
                changes.setdefault(key, value)
            elif own not in (*_NOTHING, value) and key not in (*_OWN, "title", "created"):
                lost.append(f"{key} {memory.as_text(value)} of {note.name}")
    return changes, lost


def _unions(notes: Sequence[Note], lists: Iterable[str]) -> dict[str, Any]:
    """The list properties of the first of these notes that change when the others are merged into it."""
    gone = {fold_target(note.path) for note in notes}
    found: dict[str, Any] = {}
    for key in lists:
        items = joined(*(_items(note, key) for note in notes))
        items = [item for item in items if target_of(item) not in gone]
        if items != _items(notes[0], key):
            found[key] = items or None
    return found


def _items(note: Note, key: str) -> list[Any]:
    return list(note.tags) if key == "tags" else note.items(key)
