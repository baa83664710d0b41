"""The merge commit that joins two histories. It is on no branch until the sync is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, splitext
from typing import NamedTuple

from mdmem.errors import ConflictError
from mdmem.history import trail
from mdmem.history.merging import files
from mdmem.history.syncing import kinds
from mdmem.note import memory
from mdmem.store import operation, registry
from mdmem.store.git import trees
from mdmem.store.git.command import GitError
from mdmem.store.git.repo import FILE, NOTHING, PathChange, TreeFile
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault

Changes = Mapping[str, PathChange]  # by path in the repository


class Side(NamedTuple):
    """The changes of one side, and where the changed files are now: old path -> new path, None if deleted."""

    changed: Changes
    places: Mapping[str, str | None]

    def file(self, path: str | None) -> TreeFile | None:
        """The file at a path that this side changed."""
        return None if path is None else self.now(path)

    def now(self, path: str) -> TreeFile | None:
        return self.changed[path].after

    def before(self, path: str) -> TreeFile | None:
        """The file at a path in the common base, if this side changed it."""
        one = self.changed.get(path)
        return TreeFile(path, one.old_mode, one.old_blob) if one and one.old_blob else None

    @property
    def added(self) -> list[str]:
        """The paths of new files."""
        known = set(self.places.values())
        return [path for path, change in self.changed.items() if change.blob and path not in known]


class NoteIds:
    """The ids that notes of a repository have in them; each blob is parsed once."""

    def __init__(self, vault: Vault) -> None:
        self.vault, self.repo = vault, vault.repo.whole
        self._known: dict[str, str] = {}

    def of(self, blobs: Mapping[str, str]) -> dict[str, str]:
        """path -> the id written in the note there; notes without one are left out."""
        notes = {path: blob for path, blob in blobs.items() if blob and kinds.is_note(self.vault, path)}
        new = {blob: path for path, blob in notes.items() if blob not in self._known}
        for (blob, path), data in zip(new.items(), self.repo.blobs(list(new)), strict=True):
            self._known[blob] = trail.written_id(self.vault, data, path)
        return {path: id for path, blob in notes.items() if (id := self._known[blob])}

    def written(self, path: str, blob: str) -> str:
        """The id written in one file, "" if it has none."""
        return self.of({path: blob}).get(path, "")


def in_place(changed: Changes) -> Side:
    """A side whose files are taken to be where they were."""
    return Side(changed, {path: path if change.blob else None for path, change in _older(changed).items()})


def followed(ids: NoteIds, base: str, commit: str, changed: Changes) -> Side:
    """A side with each of its files tracked to its current path."""
    return Side(changed, _Search(ids, changed).run(base, commit))


def _older(changed: Changes) -> dict[str, PathChange]:
    """The changes to files that existed before."""
    return {path: change for path, change in changed.items() if change.old_blob}


class _Search:
    """Finds the new paths: by id, then by identical text, then by similarity. The rest did not move."""

    def __init__(self, ids: NoteIds, changed: Changes) -> None:
        self.repo, self.changed = ids.repo, changed
        self.before = ids.of({path: change.old_blob for path, change in changed.items()})
        self.after = ids.of({path: change.blob for path, change in changed.items()})
        self.places: dict[str, str | None] = {}
        self.taken: set[str] = set()

    def run(self, base: str, commit: str) -> dict[str, str | None]:
        """old path -> new path, None if deleted."""
        self._by_id()
        self._by_text()
        self._by_likeness(base, commit)
        for path in self._left():
            stays = self.changed[path].blob and path not in self.taken and not self._is_other(path, path)
            self.places[path] = path if stays else None
        return self.places

    def _left(self) -> list[str]:
        """The old paths of files not found yet."""
        return [path for path in _older(self.changed) if path not in self.places]

    def _settle(self, old: str, new: str) -> None:
        self.places[old] = new
        self.taken.add(new)

    def _by_id(self) -> None:
        homes = {id: path for path, id in self.after.items() if self.before.get(path) != id}
        for path, id in self.before.items():
            if self.after.get(path) == id:
                self._settle(path, path)
            elif id in homes:
                self._settle(path, homes.pop(id))

    def _by_text(self) -> None:
        """Find files that are elsewhere byte for byte, while something else is at their old path."""
        homes = {change.blob: path for path, change in self.changed.items() if path not in self.taken}
        for path in self._left():
            old = self.changed[path].old_blob
            home = homes.get(old, path)
            if home != path and home not in self.taken and self._is_replaced(path):
                self._settle(path, home)

    def _is_replaced(self, path: str) -> bool:
        """Whether the file at a path now has nothing to do with the one that was there."""
        change = self.changed[path]
        if not change.blob or path in self.taken:
            return True
        old, new = (
            {*data.split(b"\n")} - {b"", b"---"} for data in self.repo.blobs([change.old_blob, change.blob])
        )
        return len(old & new) * 2 < len(old)

    def _by_likeness(self, base: str, commit: str) -> None:
        lost = [path for path in self._left() if not self.changed[path].blob or path in self.taken]
        if not lost:
            return
        guesses = trees.renames(self.repo, base, commit)
        for path in lost:
            home = guesses.get(path)
            if home is not None and home not in self.taken and not self._is_other(path, home):
                self._settle(path, home)

    def _is_other(self, old: str, new: str) -> bool:
        """Whether two paths certainly hold different memories."""
        ids = self.before.get(old), self.after.get(new)
        return all(ids) and ids[0] != ids[1]


_LINK_OR_MODULE = ("120000", "160000")
_NO_FILE = TreeFile("", NOTHING, "")


class Combined(NamedTuple):
    """Two commits merged: how the result differs from the first and from the second, by path in the repository.

    `contents` has the bytes of the new blobs by their ids. `merged` are the paths that both sides changed, each
    with the id written there, `conflicts` those that need a person; `notices` say what was decided.
    """

    ours: tuple[PathChange, ...]
    theirs: tuple[PathChange, ...]
    contents: Mapping[str, bytes]
    merged: Mapping[str, str]
    conflicts: tuple[str, ...]
    notices: tuple[str, ...]


class _Claim(NamedTuple):
    """A file and the path that it claims in the result; if the path is taken, one that `yields` gets another."""

    home: str
    file: TreeFile
    origin: str  # "here" or "there"
    yields: bool
    merged: str | None = None  # the id written in a file that was merged
    is_in_conflict: bool = False


def combine(vault: Vault, base: str, ours: str, theirs: str) -> Combined:
    """Merge two commits. Raises ConflictError for files that cannot be merged without a person."""
    return _Combination(vault, base, ours, theirs).run()


class _Combination:
    def __init__(self, vault: Vault, base: str, ours: str, theirs: str) -> None:
        self.vault, self.repo = vault, vault.repo.whole
        self.commits = (ours, theirs)
        self.ids = NoteIds(vault)
        changed = [{one.path: one for one in side} for side in trees.changes_since(self.repo, base, self.commits)]
        if changed[0].keys() & changed[1].keys():
            pairs = zip(self.commits, changed, strict=True)
            self.ours, self.theirs = (followed(self.ids, base, commit, mine) for commit, mine in pairs)
        else:
            self.ours, self.theirs = (in_place(mine) for mine in changed)
        self.contents: dict[str, bytes] = {}
        self.claims: list[_Claim] = []
        self.entries: dict[str, TreeFile | None] = {}
        self.merged: dict[str, str] = {}
        self.conflicts: list[str] = []
        self.notices: list[str] = []

    def run(self) -> Combined:
        """Settle the content of each file first, then the paths."""
        for path in dict.fromkeys([*self.ours.places, *self.theirs.places]):
            self._settle_old(path)
        self._settle_new()
        self._place()
        self._part_namesakes()
        self._refuse_files_for_folders()
        ours, theirs = (
            tuple(self._differing(*sides)) for sides in ((self.ours, self.theirs), (self.theirs, self.ours))
        )
        return Combined(ours, theirs, self.contents, self.merged, tuple(self.conflicts), tuple(self.notices))

    def _differing(self, side: Side, other: Side) -> Iterator[PathChange]:
        """How the result differs from one side."""
        for path, file in self.entries.items():
            before = side.now(path) if path in side.changed else other.before(path)
            if before != file:
                old, new = before or _NO_FILE, file or _NO_FILE
                yield PathChange(path, old.mode, old.blob, new.mode, new.blob)

    # -- contents ------------------------------------------------------------------------------------------

    def _settle_old(self, path: str) -> None:
        """Settle the file that was at a path in the common base."""
        our_path, their_path = self.ours.places.get(path, path), self.theirs.places.get(path, path)
        if path not in self.ours.changed:
            self._claim(their_path, self.theirs.file(their_path), "there")
        elif path not in self.theirs.changed:
            self._claim(our_path, self.ours.file(our_path), "here", yields=our_path != path)
        elif our_path is not None and their_path is not None:
            self._settle_both(path, our_path, their_path)
        elif our_path is not None:
            self._settle_deleted(path, our_path, self.ours, ("here", "there"))
        elif their_path is not None:
            self._settle_deleted(path, their_path, self.theirs, ("there", "here"))

    def _settle_both(self, path: str, our_path: str, their_path: str) -> None:
        """Settle a file that both sides still have, and each changed or moved."""
        home = our_path if their_path == path else their_path
        if our_path not in (home, path):
            self.notices.append(f"{_name(path)} was renamed on both sides: {_name(home)} stays")
        ours, theirs = self.ours.file(our_path), self.theirs.file(their_path)
        if ours and theirs:
            self._merge(home, self.ours.changed[path].old_blob, ours, theirs, yields=home != their_path)

    def _settle_deleted(self, path: str, home: str, side: Side, where: tuple[str, str]) -> None:
        """Settle a file that one side edited or moved and the other deleted: it stays."""
        if kinds.is_derived(self.vault, path):
            return
        self._claim(home, side.file(home), where[0], yields=side is self.ours)
        if home == path:
            self.notices.append(f"{_name(path)} stays: edited {where[0]}, deleted {where[1]}")
        else:
            self.notices.append(f"{_name(home)} stays: one side deleted it, the other moved it")

    def _settle_new(self) -> None:
        """Settle the files that did not exist in the common base."""
        ours, theirs = self.ours.added, self.theirs.added
        for path in dict.fromkeys([*ours, *theirs]):
            here = self.ours.file(path) if path in ours else None
            there = self.theirs.file(path) if path in theirs else None
            if here and there:
                self._merge(path, "", here, there, yields=False)
            else:
                self._claim(path, here or there, "here" if here else "there", yields=bool(here))

    def _claim(self, home: str | None, file: TreeFile | None, origin: str, yields: bool = False) -> None:
        if home is not None and file is not None:
            self.claims.append(_Claim(home, file, origin, yields))

    def _merge(self, path: str, base: str, ours: TreeFile, theirs: TreeFile, yields: bool) -> None:
        """Merge the two versions of a file."""
        if ours.blob == theirs.blob or {ours.mode, theirs.mode} & set(_LINK_OR_MODULE):
            self._require_same(path, ours, theirs)
            self._claim(path, theirs, "there", yields)
            return
        blobs = [base, ours.blob, theirs.blob]
        texts = dict(zip(filter(None, blobs), self.repo.blobs(list(filter(None, blobs))), strict=False))
        merged = self._content(path, texts.get(base), texts[ours.blob], texts[theirs.blob])
        if merged.two:
            self._part(path, ours, *merged.two)
            return
        if merged.conflicts and not self._is_note(path):
            raise ConflictError(
                f"{path} was changed on both sides, and is not a note", "settle it with git: git pull --no-rebase"
            )
        mode = ours.mode if ours.mode != FILE else theirs.mode
        file = self._stored(path, mode, merged.data or b"")
        id = self.ids.written(path, theirs.blob) or self.ids.written(path, ours.blob)
        self.claims.append(_Claim(path, file, "here", yields, id, bool(merged.conflicts)))

    def _stored(self, path: str, mode: str, data: bytes) -> TreeFile:
        """A file with new bytes, which git gets with the commit."""
        blob = trees.blob_of(data, like=self.commits[0])
        self.contents[blob] = data
        return TreeFile(path, mode, blob)

    def _part(self, path: str, ours: TreeFile, kept: bytes, moved: bytes) -> None:
        """Keep two files with the same name: one keeps it, the other gets another."""
        stays, goes = (self._stored(path, ours.mode, data) for data in (kept, moved))
        self._claim(path, stays, "here" if stays.blob == ours.blob else "there")
        self._claim(path, goes, "here" if goes.blob == ours.blob else "there", yields=True)

    def _content(self, path: str, base: bytes | None, ours: bytes, theirs: bytes) -> registry.MergedFile:
        """Two versions of a file merged. Files outside the vault are merged line by line."""
        if path.startswith(self.vault.repo.prefix):
            return files.merge_path(
                path.removeprefix(self.vault.repo.prefix), base, ours, theirs, self.vault.config
            )
        return files.merge_other(base, ours, theirs)

    def _require_same(self, path: str, ours: TreeFile, theirs: TreeFile) -> None:
        """Raises ConflictError for a link or submodule that the sides changed differently: it is left to git."""
        if ours.blob != theirs.blob:
            raise ConflictError(f"{path} was changed on both sides, and is not a file", "git pull --no-rebase")

    # -- names ---------------------------------------------------------------------------------------------

    def _place(self) -> None:
        """Give each file its path; a file whose path is taken gets another."""
        self.entries = dict.fromkeys([*self.ours.changed, *self.theirs.changed])
        for claim in sorted(self.claims, key=lambda claim: claim.yields):
            home = claim.home
            if self.entries.get(home):
                home = self._free(home)
                self._tell_apart(claim.home, home, claim.origin)
            self.entries[home] = claim.file._replace(path=home)
            if claim.merged is not None:
                self.merged[home] = claim.merged
            self.conflicts += [home] if claim.is_in_conflict else []

    def _tell_apart(self, path: str, home: str, origin: str) -> None:
        self.notices.append(f"two notes are called {_name(path)}: the one from {origin} is {_name(home)} now")

    def _part_namesakes(self) -> None:
        """Rename our new notes whose names mean the same as those of theirs, in another folder or letter case."""
        added = {
            memory.fold(_name(path)): path
            for path, change in self.theirs.changed.items()
            if change.blob and not change.old_blob and self._is_note(path)
        }
        for path, change in self.ours.changed.items():
            twin = added.get(memory.fold(_name(path)), path)
            file = self.entries.get(path)
            if twin != path and file and not change.old_blob and self._is_note(path):
                home = self._free(path)
                self.entries[home] = file._replace(path=home)
                self.entries[path] = None
                self._tell_apart(path, home, "here")

    def _refuse_files_for_folders(self) -> None:
        """Raises ConflictError if a file on one side is a folder on the other, since git can hold only one."""
        theirs = {path: change.after for path, change in self.theirs.changed.items()}
        there = {path for path, file in {**theirs, **self.entries}.items() if file}
        for path in there:
            for folder in _folders(path):
                if folder in there:
                    raise ConflictError(
                        f"{folder} is a file on one side and a folder on the other",
                        f"git mv {folder} to another name, commit, then: mdmem sync",
                    )

    def _free(self, path: str) -> str:
        """A free path for a note beside another: its name with the first number that no note has."""
        stem, ending = splitext(path)
        names, number = self._names(), 2
        while memory.fold(_name(home := f"{stem}_{number}{ending}")) in names:
            number += 1
        return home

    def _names(self) -> set[str]:
        """The names of all files, case-folded."""
        paths = (file.path for commit in self.commits for file in self.repo.files(commit))
        return {memory.fold(_name(path)) for path in (*paths, *self.entries)}

    # -- kinds of files ------------------------------------------------------------------------------------

    def _is_note(self, path: str) -> bool:
        return kinds.is_note(self.vault, path)


def _folders(path: str) -> Iterator[str]:
    """The folders above a path, innermost first."""
    while path := dirname(path):
        yield path


def _name(path: str) -> str:
    return memory.stem(path)


class Joined(NamedTuple):
    """The merge commit and how it differs from ours and from theirs.

    `conflicts` are the notes in it that need a person (paths in the vault), `notices` say what was decided.
    """

    commit: str
    ours: tuple[PathChange, ...]
    theirs: tuple[PathChange, ...]
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def join(vault: Vault, remote: str, base: str, ours: str, theirs: str, who: Caller) -> Joined:
    """Merge two commits, of which `base` is the only common ancestor that counts; "" if git has to say.

    Raises ConflictError for unrelated histories, and for files that a person must merge.
    """
    bases = [base] if base else trees.merge_bases(vault.repo, ours, theirs)
    if not bases:
        raise _unrelated(vault, remote)
    combined = combine(vault, _base(vault, bases), ours, theirs)
    names = [memory.stem(path) for path in combined.merged if not kinds.is_derived(vault, path)]
    unsettled = [f"{memory.stem(path)} is in conflict: it holds both versions" for path in combined.conflicts]
    reason = "\n".join([f"Synced with {remote}.", *(f"{line}." for line in (*combined.notices, *unsettled))])
    what = who.does("merge", reason)._replace(names=tuple(names), ids=tuple(_ids(vault, combined)))
    identity = vault.identity()
    by = trees.Signed(author_of(who.actor, identity), identity, who.now)
    commit = _commit(
        vault, ours, theirs, combined, operation.message(what._replace(actor=what.actor or identity.name)), by
    )
    if trees.signs(vault.repo):
        commit = trees.signed(vault.repo, commit, by)
    inner = tuple(path.removeprefix(vault.repo.prefix) for path in combined.conflicts)
    return Joined(commit, combined.ours, combined.theirs, inner, combined.notices)


def _base(vault: Vault, bases: Sequence[str]) -> str:
    """The merge base: a commit, or for criss-cross histories the merge of their several bases."""
    base = bases[0]
    for other in bases[1:]:
        older = trees.merge_bases(vault.repo, base, other)
        if not older:
            break
        identity = vault.repo.identity()
        when = max(vault.repo.time_of(commit) for commit in (base, other))
        by = trees.Signed(identity, identity, trees.moment(when))
        try:
            combined = combine(vault, _base(vault, older), base, other)
            base = _commit(vault, base, other, combined, "the common past\n", by)
        except ConflictError:  # any of the bases will do
            break
    return base


def _commit(vault: Vault, ours: str, theirs: str, combined: Combined, message: str, by: trees.Signed) -> str:
    entries = {change.path: change.after for change in combined.theirs}
    try:
        return trees.commit(
            vault.repo.whole, theirs, entries, combined.contents, (ours, theirs), message.encode(), by.people
        )
    except GitError as error:
        raise ConflictError(f"the two sides cannot be combined: {error}", "git pull --no-rebase") from None


def _ids(vault: Vault, combined: Combined) -> Iterator[str]:
    """The ids of the notes that were merged."""
    for path, id in combined.merged.items():
        if kinds.is_note(vault, path):
            yield id or memory.derived_id(path.removeprefix(vault.repo.prefix), vault.config.id)


def _unrelated(vault: Vault, remote: str) -> ConflictError:
    if vault.repo.shallow():
        return ConflictError(
            f"this clone is shallow, without what it shares with {remote}",
            "git fetch --unshallow",
        )
    return ConflictError(
        f"{remote} holds another history: the two have no commit in common",
        "is it the right remote? mdmem init --from URL clones it; mdmem import brings notes of one into the other",
    )
