"""The files as they would be without some commits, but with everything that came after them from elsewhere.

History is walked from now into the past. On the way, the walk tracks where each memory that an older commit knows
by another path is today. So a change to a memory that was renamed or moved since is taken back at its new path.
"""

from collections.abc import Iterable
from posixpath import basename, dirname, join
from typing import NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.history import trail
from mdmem.history.merging import notes
from mdmem.history.merging.order import Three, merge_lines
from mdmem.note import header, memory
from mdmem.store import layout
from mdmem.store.git.log import Commit, FileChange
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault


class Conflict(NamedTuple):
    """A file whose change cannot be taken back by itself, because someone has edited the same place since.

    `merged` shows both versions between conflict markers, or is "" if they cannot be shown that way.
    """

    path: str
    commit: Commit
    message: str
    merged: str


class _Stuck(Exception):  # noqa: N818 - a finding, not an error
    """A change cannot be taken back by itself: the reason, "" to leave it alone, and both versions if any."""

    def __init__(self, message: str, merged: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.merged = merged


class Reversal:
    """The files as they would be with commits taken back, newest first, except for the files in `skipped`.

    `incomplete` are the ids of commits that could not be taken back as a whole.
    """

    def __init__(self, vault: Vault, skipped: frozenset[str]) -> None:
        self.vault = vault
        self.skipped = skipped
        self.conflicts: list[Conflict] = []
        self.incomplete: set[str] = set()
        self._state: dict[str, bytes | None] = {}  # path -> bytes, as planned
        self._before: dict[str, bytes | None] = {}  # path -> bytes, on disk
        self._places: dict[str, str | None] = {}  # path at the commit being visited -> planned path, None: gone
        self._moved: dict[str, str] = {}  # path on disk -> planned path, where they differ
        self._begun: set[str | None] = set()  # planned paths of memories created after that commit
        self._steps = 0  # how often the plan changed a file
        self._pass_over(trail.uncommitted(vault))
        self._begun.clear()  # an uncommitted file may be a copy from before a deletion: it proves no return

    def writes(self) -> dict[str, bytes | None]:
        """The planned writes: path -> bytes, None for a file to delete."""
        return {path: data for path, data in self._state.items() if data != self._before[path]}

    def moves(self) -> dict[str, str]:
        """The planned moves: old path -> new path."""
        pairs = ((old, new) for old, new in self._moved.items() if old != new)
        return {old: new for old, new in pairs if self._before[old] is not None and self._state[new] is not None}

    def go_back(self, commit: Commit, chosen: bool) -> bool:
        """Step back past a commit, and take it back if it is `chosen`; whether taking it back had any effect."""
        if not chosen:
            self._pass_over(commit.changes)
            return False
        before = self._steps
        ours = bool(commit.operation.action)
        changes = commit.changes if ours else trail.memory_changes(self.vault, commit)
        places: dict[str, str | None] = {}
        for change in changes:
            try:
                places[change.old_path] = self._take_back(change)
            except _Stuck as stop:
                self.incomplete.add(commit.oid)
                places |= self._passed(change)
                if stop.message:
                    self.conflicts.append(Conflict(self._subject(change), commit, stop.message, stop.merged))
        self._places |= places
        return self._steps > before or commit.oid in self.incomplete

    def _pass_over(self, changes: Iterable[FileChange]) -> None:
        for places in [self._passed(change) for change in changes]:  # all of them by the places from before
            self._places |= places

    def _passed(self, change: FileChange) -> dict[str, str | None]:
        """Where the memory of a change that stays is now, by its path before the change."""
        if change.letter == "A":
            self._begun.add(self._place(change.path))
        if change.letter == "R":
            return {change.old_path: self._place(change.path)}
        if change.letter == "D" and trail.is_of_memory(self.vault, change) and change.plain:
            return {change.path: self._living(change)}
        return {}

    def _living(self, change: FileChange) -> str | None:
        """Where a deleted memory is now: it may have been created again since, there or elsewhere; else None."""
        id = trail.id_before(self.vault, change)
        paths = [self._moved.get(record.path, record.path) for record in self.vault.whole_index.with_id(id)]
        paths = [path for path in paths if path in self._begun and self._now(path) is not None]
        return change.path if change.path in paths else next(iter(paths), None)

    def _place(self, path: str) -> str | None:
        return self._places.get(path, path)

    def _subject(self, change: FileChange) -> str:
        """The path on disk of the file that a change is about."""
        place = None if change.letter == "D" else self._place(change.path)
        return change.path if place is None else self._origin(place)

    def _origin(self, place: str) -> str:
        """The path on disk of the file at a planned path."""
        return next((old for old, new in self._moved.items() if new == place), place)

    def _take_back(self, change: FileChange) -> str | None:
        """Take back one change to one file; the planned path of its memory after that, None if it is gone."""
        if self._subject(change) in self.skipped:
            raise _Stuck("")
        if not change.plain:
            raise _Stuck("is a link or a submodule")
        if change.letter == "D":
            return self._bring_back(change)
        place = self._place(change.path)
        now = None if place is None else self._now(place)
        if place is None or now is None:
            return None  # deleted since: there is nothing to take back
        checked_out = self.vault.repo.file(change.after, change.path)
        later = _with_ends_of(now, checked_out, checked_out)
        if change.letter == "A":
            if now != later:
                raise _Stuck("was edited after it was made")
            self._put(place, None)
            return None
        earlier = _with_ends_of(now, checked_out, self.vault.repo.file(change.before, change.old_path))
        return self._revise_back(change, place, now, later, earlier)

    def _bring_back(self, change: FileChange) -> str | None:
        place = self._living(change)
        if place is not None:
            return place  # it is back already
        now = self._now(change.path)
        earlier = self.vault.repo.file(change.before, change.path)
        if now is not None:
            earlier = _with_ends_of(now, earlier, earlier)
        if now not in (None, earlier):
            raise _Stuck("was created again after it was deleted")
        self._put(change.path, earlier)
        return change.path

    def _revise_back(self, change: FileChange, place: str, now: bytes, later: bytes, earlier: bytes) -> str:
        """Take back the revision or rename from `earlier` to `later` of the file at `place`; its new path."""
        if earlier in (later, now):
            data = now
        else:
            data = earlier if now == later else self._merge(change.path, later, now, earlier)
        target = place if change.letter != "R" else _renamed_back(change, place)
        if target != place:
            if self._now(target) is not None:
                raise _Stuck(f"its old name {target} is in use again")
            self._moved[self._origin(place)] = target
            self._put(place, None)
        self._put(target, data)
        return target

    def _put(self, path: str, data: bytes | None) -> None:
        self._steps += self._state[path] != data
        self._state[path] = data

    def _now(self, path: str) -> bytes | None:
        if path not in self._state:
            try:
                self._before[path] = files.read_or_none(self.vault.root, path)
            except UsageError as error:  # a symbolic link is in its place now
                raise _Stuck(error.message) from None
            self._state[path] = self._before[path]
        return self._state[path]

    def _merge(self, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes:
        """`ours` without the change from `theirs` to `base`."""
        if any(b"\0" in data for data in (base, ours, theirs)):
            raise _Stuck("was edited since, and is not a text file")
        merged, clean = _merged(base, ours, theirs)
        if clean and not self._breaks(ours, merged, path):
            return merged
        by_property = self._merge_note(path, base, ours, theirs)
        if by_property is not None and not self._breaks(ours, by_property, path):
            return by_property
        raise _Stuck("was edited since in the same place", "" if clean else merged.decode("utf-8", "replace"))

    def _merge_note(self, path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
        """`_merge` for a note: its header by property, its text by line; None if that is not clean."""
        if layout.kind_of(path, self.vault.config) != layout.Kind.MEMORY:
            return None
        try:
            (old_head, old), (our_head, our), (their_head, their) = map(_parted, (base, ours, theirs))
        except NoteError:
            return None
        head = notes.merge_headers(old_head, our_head, their_head)
        if head is None:
            return None
        text, clean = _merged(old, our, their)
        return head.encode() + text if clean else None

    def _breaks(self, old: bytes, new: bytes, path: str) -> bool:
        """Whether a merge that git calls clean has a header that cannot be read, although the old one could."""
        try:
            return bool(self.vault.parse(new, path).problems) and not self.vault.parse(old, path).problems
        except NoteError:
            return True


def _parted(data: bytes) -> tuple[str, bytes]:
    """The header of a note, and the bytes below it. Raises NoteError."""
    text = memory.decode(data, "")
    bom = "\ufeff" if data.startswith(memory.BOM) else ""
    start = header.split(text, "").body_start
    return bom + text[:start], text[start:].encode()


def _merged(base: bytes, ours: bytes, theirs: bytes) -> tuple[bytes, bool]:
    """`ours` without the change from `theirs` to `base`, line by line; whether that is clean."""
    texts = Three(base, ours, theirs).each(lambda data: data.decode("utf-8", "surrogateescape"))
    text, conflicts = merge_lines(texts, ("now", "taken back"))
    return text.encode("utf-8", "surrogateescape"), not conflicts


def _with_ends_of(now: bytes, checked_out: bytes, data: bytes) -> bytes:
    """`data` with the line endings of the file `now`, if git would check that file out with other ones.

    With `core.autocrlf`, or `eol` in .gitattributes, git would do so with a file that was written in place.
    """
    wanted = b"\r\n" in now
    if wanted == (b"\r\n" in checked_out):
        return data
    plain = data.replace(b"\r\n", b"\n")
    return plain.replace(b"\n", b"\r\n") if wanted else plain


def _renamed_back(change: FileChange, place: str) -> str:
    """The path of a memory with a rename taken back: folder and name revert unless they were changed again since.

    Raises _Stuck if either was.
    """
    parts = []
    for part in (dirname, basename):
        old, new, now = part(change.old_path), part(change.path), part(place)
        if now not in (new, old) and old != new:
            raise _Stuck(f"was renamed again since, to {place}")
        parts.append(old if old != new else now)
    return join(*parts)
