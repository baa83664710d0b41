"""The merge commit that joins two histories. It is on no branch until the sync is done."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from posixpath import dirname, splitext
from typing import NamedTuple

from mdmem.errors import ConflictError
from mdmem.history import trail
from mdmem.history.merging import files
from mdmem.history.syncing import kinds
from mdmem.note import memory
from mdmem.store import operation
from mdmem.store.git import trees
from mdmem.store.git.command import GitError
from mdmem.store.git.repo import FILE, MODULE, NOTHING, PathChange, Repo, TreeFile
from mdmem.store.git.trees import Fork
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault

Changes = Mapping[str, PathChange]  # by path in the repository
Sent = Sequence[tuple[str, Sequence[PathChange]]]
Places = dict[str, str | None]  # old path -> the path of that file now, None if it is deleted


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


class Side:
    """The changes of one side since the common base. `places` says where files are that were there before.

    With `ids`, they are searched for: by id, then by identical text, then as `guessed` by likeness. The rest did
    not move.
    """

    def __init__(
        self, changed: Changes, ids: NoteIds | None = None, guessed: Callable[[], Mapping[str, str]] = dict
    ) -> None:
        self.changed = changed
        self.places: Places = {}
        self.ids: tuple[dict[str, str], dict[str, str]] = {}, {}  # path -> id written there, before and after
        self.taken: set[str] = set()
        if ids:
            self._search(ids, guessed)
        for path in self._left():
            self.places[path] = None if self._is_gone(path) or self._is_other(path, path) else path

    def _search(self, ids: NoteIds, guessed: Callable[[], Mapping[str, str]]) -> None:
        before, after = self.ids = (
            ids.of({path: change.old_blob for path, change in self.changed.items()}),
            ids.of({path: change.blob for path, change in self.changed.items()}),
        )
        moved = {id: path for path, id in after.items() if before.get(path) != id}
        for path, id in before.items():
            self._settle(path, path if after.get(path) == id else moved.pop(id, ""))
        copies = {change.blob: path for path, change in self.changed.items() if path not in self.taken}
        for path in self._left():
            home = copies.get(self.changed[path].old_blob, path)
            if home != path and self._is_replaced(path, ids.repo):
                self._settle(path, home)
        lost = [path for path in self._left() if self._is_gone(path)]
        guesses = guessed() if lost else {}
        for path in lost:
            home = guesses.get(path, "")
            self._settle(path, "" if self._is_other(path, home) else home)

    def _left(self) -> list[str]:
        """The old paths of files not found yet."""
        return [path for path, change in self.changed.items() if change.old_blob and path not in self.places]

    def _settle(self, old: str, new: str) -> None:
        """Take a file to be at a path now, if that is one, and no other file is there."""
        if new and new not in self.taken:
            self.places[old] = new
            self.taken.add(new)

    def _is_gone(self, path: str) -> bool:
        """Whether nothing is at a path, or a file that came from elsewhere."""
        return not self.changed[path].blob or path in self.taken

    def _is_replaced(self, path: str, repo: Repo) -> bool:
        """Whether the file at a path now has nothing to do with the one that was there."""
        if self._is_gone(path):
            return True
        blobs = repo.blobs([self.changed[path].old_blob, self.changed[path].blob])
        old, new = ({*data.split(b"\n")} - {b"", b"---"} for data in blobs)
        return len(old & new) * 2 < len(old)

    def _is_other(self, old: str, new: str) -> bool:
        """Whether two paths certainly hold different memories."""
        ids = self.ids[0].get(old), self.ids[1].get(new)
        return all(ids) and ids[0] != ids[1]

    def file(self, path: str | None) -> TreeFile | None:
        """The file at a path if this side changed it; None if there is none."""
        return self.changed[path].after if path is not None and path in self.changed else None

    def before(self, path: str) -> TreeFile | None:
        """The file at a path in the common base, if this side changed it."""
        one = self.changed.get(path)
        return TreeFile(path, one.old_mode, one.old_blob) if one and one.old_blob else None

    def added(self) -> dict[str, TreeFile]:
        """The new files by path."""
        known = set(self.places.values())
        return {path: one.after for path, one in self.changed.items() if one.after and path not in known}


_LINK_OR_MODULE = {"120000", MODULE}
_NO_FILE = TreeFile("", NOTHING, "")
_HERE, _THERE = "here", "there"


class Joined(NamedTuple):
    """Two commits merged: how the result differs from ours and from theirs.

    `conflicts` are the paths that need a person; `notices` say what was decided. `merged` are the paths that both
    sides changed, each with the id written there; `contents` has the bytes of the new blobs by their ids. `sent`
    are our commits, which the other side gets, each with its changes. `commit` is the merge commit, "" as long as
    there is none.
    """

    ours: tuple[PathChange, ...]
    theirs: tuple[PathChange, ...]
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    merged: Mapping[str, str] = {}
    contents: Mapping[str, bytes] = {}
    sent: Sent = ()
    commit: str = ""


class _Claim(NamedTuple):
    """A file at the path that it claims in the result; if that is taken, one that `yields` gets another."""

    file: TreeFile
    origin: str
    yields: bool
    merged: str | None = None  # the id written in a file that was merged
    is_in_conflict: bool = False


class _Combination:
    """Two commits on the way to one: the content of each file is settled first, then the paths."""

    def __init__(self, vault: Vault, base: str, ours: str, theirs: str, own: Sequence[str] = ()) -> None:
        self.vault, self.repo = vault, vault.repo.whole
        self.commits = (ours, theirs)
        self.ids = NoteIds(vault)
        pairs = [f"{commit} {base}" for commit in self.commits]
        here, there, *each = trees.changes_since(self.repo, [*pairs, *own])
        self.sent = tuple(zip(own, each, strict=True))
        both = [{one.path: one for one in side} for side in (here, there)]
        has_met = bool(both[0].keys() & both[1].keys())  # else no file has to be looked for
        self.ours, self.theirs = (
            Side(changed, self.ids if has_met else None, partial(trees.renames, self.repo, base, commit))
            for commit, changed in zip(self.commits, both, strict=True)
        )
        self.contents: dict[str, bytes] = {}
        self.claims: list[_Claim] = []
        self.entries: dict[str, TreeFile | None] = {}
        self.merged: dict[str, str] = {}
        self.conflicts: list[str] = []
        self.notices: list[str] = []

    def run(self) -> Joined:
        """The result. Raises ConflictError for files that cannot be merged without a person."""
        for path in dict.fromkeys([*self.ours.places, *self.theirs.places]):
            self._settle_old(path)
        here, there = self.ours.added(), self.theirs.added()
        for path in dict.fromkeys([*here, *there]):
            self._settle(path, "", here.get(path), there.get(path), path not in there)
        self._place()
        self._part_namesakes()
        self._refuse_files_for_folders()
        ours, theirs = (
            tuple(self._differing(*sides)) for sides in ((self.ours, self.theirs), (self.theirs, self.ours))
        )
        told = tuple(self.conflicts), tuple(self.notices)
        return Joined(ours, theirs, *told, self.merged, self.contents, self.sent)

    def _differing(self, side: Side, other: Side) -> Iterator[PathChange]:
        """How the result differs from one side."""
        for path, file in self.entries.items():
            before = side.file(path) if path in side.changed else other.before(path)
            if before != file:
                old, new = before or _NO_FILE, file or _NO_FILE
                yield PathChange(path, old.mode, old.blob, new.mode, new.blob)

    # -- contents ------------------------------------------------------------------------------------------

    def _settle_old(self, path: str) -> None:
        """Settle the file that was at a path in the common base."""
        our_home, their_home = self.ours.places.get(path, path), self.theirs.places.get(path, path)
        ours, theirs = self.ours.file(our_home), self.theirs.file(their_home)
        if not (path in self.ours.changed and path in self.theirs.changed):  # only one side touched it
            self._settle(path, "", ours, theirs, our_home != path)
        elif ours and theirs:
            home = ours.path if theirs.path == path else theirs.path
            if ours.path not in (home, path):
                self.notices.append(f"{_name(path)} was renamed on both sides: {_name(home)} stays")
            self._settle(home, self.ours.changed[path].old_blob, ours, theirs, home != theirs.path)
        elif (ours or theirs) and not kinds.is_derived(self.vault, path):  # deleted on the other side: it stays
            self._settle(path, "", ours, theirs, bool(ours))
            stays = ours or theirs or _NO_FILE
            edited, deleted = (_HERE, _THERE) if ours else (_THERE, _HERE)
            why = f"edited {edited}, deleted {deleted}"
            if stays.path != path:
                why = "one side deleted it, the other moved it"
            self.notices.append(f"{_name(stays.path)} stays: {why}")

    def _settle(self, path: str, base: str, ours: TreeFile | None, theirs: TreeFile | None, yields: bool) -> None:
        """Take a file from the side that has it; if both do, merge it at `path`, with its blob in the `base`."""
        if ours and theirs:
            self._merge(path, base, ours, theirs, yields)
        elif file := ours or theirs:
            self.claims.append(_Claim(file, _HERE if ours else _THERE, bool(ours) and yields))

    def _merge(self, path: str, base: str, ours: TreeFile, theirs: TreeFile, yields: bool) -> None:
        """Merge the two versions of a file."""
        if ours.blob == theirs.blob:
            self.claims.append(_Claim(theirs._replace(path=path), _THERE, yields))
            return
        if {ours.mode, theirs.mode} & _LINK_OR_MODULE:
            raise ConflictError(f"{path} was changed on both sides, and is not a file", "git pull --no-rebase")
        blobs = [*([base] if base else []), ours.blob, theirs.blob]
        *old, left, right = self.repo.blobs(blobs)
        versions, prefix = (old[0] if old else None, left, right), self.vault.repo.prefix
        if path.startswith(prefix):
            merged = files.merge_path(path.removeprefix(prefix), *versions, self.vault.config)
        else:
            merged = files.merge_other(*versions)
        if merged.two:
            for data, gives_way in zip(merged.two, (False, True), strict=True):
                file = self._stored(path, ours.mode, data)
                self.claims.append(_Claim(file, _HERE if file.blob == ours.blob else _THERE, gives_way))
            return
        if merged.conflicts and not kinds.is_note(self.vault, path):
            raise ConflictError(
                f"{path} was changed on both sides, and is not a note", "settle it with git: git pull --no-rebase"
            )
        file = self._stored(path, ours.mode if ours.mode != FILE else theirs.mode, merged.data)
        known = self.ids.of({path: theirs.blob}) or self.ids.of({path: ours.blob})
        self.claims.append(_Claim(file, _HERE, yields, known.get(path, ""), bool(merged.conflicts)))

    def _stored(self, path: str, mode: str, data: bytes) -> TreeFile:
        """A file with new bytes, which git gets with the commit."""
        blob = self.repo.blob_id(data)
        self.contents[blob] = data
        return TreeFile(path, mode, blob)

    # -- names ---------------------------------------------------------------------------------------------

    def _place(self) -> None:
        """Give each file its path; a file whose path is taken gets another."""
        self.entries = dict.fromkeys([*self.ours.changed, *self.theirs.changed])
        for claim in sorted(self.claims, key=lambda claim: claim.yields):
            home = claim.file.path
            if self.entries.get(home):
                home = self._beside(home, claim.origin)
            self.entries[home] = claim.file._replace(path=home)
            if claim.merged is not None:
                self.merged[home] = claim.merged
            self.conflicts += [home] if claim.is_in_conflict else []

    def _part_namesakes(self) -> None:
        """Rename our new notes whose names mean the same as those of theirs, in another folder or letter case."""
        ours, theirs = (
            [path for path, one in side.changed.items() if not one.old_blob and kinds.is_note(self.vault, path)]
            for side in (self.ours, self.theirs)
        )
        added = {memory.fold(_name(path)): path for path in theirs}
        for path in ours:
            file = self.entries.get(path)
            if file and added.get(memory.fold(_name(path)), path) != path:
                home = self._beside(path, _HERE)
                self.entries[home] = file._replace(path=home)
                self.entries[path] = None

    def _beside(self, path: str, origin: str) -> str:
        """A free path for a note beside another of its name: with the first number that no note has."""
        stem, ending = splitext(path)
        there = (file.path for commit in self.commits for file in self.repo.files(commit))
        names, number = {memory.fold(_name(path)) for path in (*there, *self.entries)}, 2
        while memory.fold(_name(home := f"{stem}_{number}{ending}")) in names:
            number += 1
        self.notices.append(f"two notes are called {_name(path)}: the one from {origin} is {_name(home)} now")
        return home

    def _refuse_files_for_folders(self) -> None:
        """Raises ConflictError if a file on one side is a folder on the other, since git can hold only one."""
        theirs = {path: change.after for path, change in self.theirs.changed.items()}
        there = {path for path, file in {**theirs, **self.entries}.items() if file}
        for path in there:
            folder = path
            while folder := dirname(folder):
                if folder in there:
                    raise ConflictError(
                        f"{folder} is a file on one side and a folder on the other",
                        f"git mv {folder} to another name, commit, then: mdmem sync",
                    )


def _name(path: str) -> str:
    return memory.stem(path)


def join(vault: Vault, remote: str, fork: Fork, ours: str, theirs: str, who: Caller) -> Joined:
    """Merge two commits, which part at a fork. The conflicts are paths in the vault.

    Raises ConflictError for unrelated histories, and for files that a person must merge.
    """
    bases = [fork.base] if fork.base else trees.merge_bases(vault.repo, ours, theirs)
    if not bases:
        raise _unrelated(vault, remote)
    own = () if who.allow_secret else fork.ours
    joined = _Combination(vault, _base(vault, bases), ours, theirs, own).run()
    names = [memory.stem(path) for path in joined.merged if not kinds.is_derived(vault, path)]
    ids = [
        id or memory.derived_id(path.removeprefix(vault.repo.prefix), vault.config.id)
        for path, id in joined.merged.items()
        if kinds.is_note(vault, path)
    ]
    unsettled = [f"{memory.stem(path)} is in conflict: it holds both versions" for path in joined.conflicts]
    reason = "\n".join([f"Synced with {remote}.", *(f"{line}." for line in (*joined.notices, *unsettled))])
    identity = vault.identity()
    what = who.does("merge", reason)._replace(names=tuple(names), ids=tuple(ids), actor=who.actor or identity.name)
    by = trees.Signed(author_of(who.actor, identity), identity, who.now)
    commit = _commit(vault, ours, theirs, joined, operation.message(what), by)
    if trees.signs(vault.repo):
        commit = trees.signed(vault.repo, commit, by)
    inner = tuple(path.removeprefix(vault.repo.prefix) for path in joined.conflicts)
    return joined._replace(commit=commit, conflicts=inner)


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
            joined = _Combination(vault, _base(vault, older), base, other).run()
            base = _commit(vault, base, other, joined, "the common past\n", by)
        except ConflictError:  # any of the bases will do
            break
    return base


def _commit(vault: Vault, ours: str, theirs: str, joined: Joined, message: str, by: trees.Signed) -> str:
    entries = {change.path: change.after for change in joined.theirs}
    try:
        return trees.commit(
            vault.repo.whole, theirs, entries, joined.contents, (ours, theirs), message.encode(), by.people
        )
    except GitError as error:
        raise ConflictError(f"the two sides cannot be combined: {error}", "git pull --no-rebase") from None


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
