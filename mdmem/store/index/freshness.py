"""The search index of a vault: a Catalogue that is brought up to date each time it is opened.

It remembers the commit it was filled from and which files differed from it then. To freshen it, git names
what changed since (`diff-tree`) and what is not committed (`status`); only those files are read. Nothing is
ever dropped because a folder could not be read: a file is gone when git says so.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.errors import BusyError, MdmemError, NoteError, StoppedError
from mdmem.store import layout
from mdmem.store.config import VaultConfig
from mdmem.store.git.folder import is_blob
from mdmem.store.git.repo import MODULE, PathChange, Repo, Status
from mdmem.store.index import database, disk, rows, versions
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.disk import Dirty
from mdmem.store.index.port import Deleted
from mdmem.store.local import files, state
from mdmem.store.progress import Progress, silent

if TYPE_CHECKING:
    from mdmem.note.memory import Memory
    from mdmem.store.git import log
    from mdmem.store.index.filler import Filler

Marking = tuple[str, str]  # (level, scope) that a note states, "" for none
BREAKER_COUNT, BREAKER_SHARE = 10, 0.2
HOOK_PATIENCE = 0.05  # seconds a git hook waits for a locked index; the next opening catches up


class Index(SqliteCatalogue):
    """The index of one vault, kept in its local folder."""

    def __init__(
        self,
        root: str,
        config: VaultConfig,
        repo: Repo,
        tell: Callable[[str], None],
        patience: float = database.PATIENCE,
    ) -> None:
        """Open the index file, rebuilding it if it is missing, damaged or of another schema.

        If the file cannot be used, the index is kept in memory; `tell` gets one line about either. `patience`
        is how many seconds to wait for another process that has the file locked.
        """
        self.root = root
        self.config = config
        self.repo = repo
        self._tell = tell
        self._patience = patience
        self._path = os.path.join(root, layout.STATE, "index.sqlite")
        self._inode = 0
        self._is_memory = partial(layout.is_memory, config=config)
        self._is_indexed = partial(layout.is_indexed, config=config)
        super().__init__(database.Database(self._open(), self._repair), repo.people)

    # -- the file ------------------------------------------------------------------------------------------

    def _open(self) -> sqlite3.Connection:
        try:
            state.prepare(self.root, self.repo)
            return self._connect()
        except (OSError, sqlite3.OperationalError, database.ForeignError) as error:
            return self._in_memory(error)
        except sqlite3.DatabaseError as error:
            return self._replace(error)

    def _connect(self) -> sqlite3.Connection:
        connection = database.connect(self._path, self._tell, self._patience)
        self._inode = os.stat(self._path).st_ino
        return connection

    def _in_memory(self, error: Exception) -> sqlite3.Connection:
        self._tell(f"the index cannot be kept in {layout.STATE} ({error}); building it in memory")
        self._path, self._inode = ":memory:", 0
        return database.connect(self._path, self._tell)

    def _replace(self, error: sqlite3.DatabaseError) -> sqlite3.Connection:
        self._tell(f"the index was damaged ({error}); rebuilding it")
        database.discard(self._path, self._inode or os.stat(self._path).st_ino)
        return self._connect()

    def renew(self, error: sqlite3.DatabaseError) -> None:
        """Rebuild the index file after a copy of it gave `error`."""
        if self._path != ":memory:":
            self._repair(error)

    def _repair(self, error: sqlite3.DatabaseError) -> None:
        """Replace an index that gave `error` by a sound and fresh one; raises it again if that does not help."""
        if isinstance(error, sqlite3.OperationalError):
            lasting = any(word in str(error) for word in ("readonly", "locked", "disk", "unable to open"))
            if not lasting or self._path == ":memory:":
                raise error
            replace: Callable[..., sqlite3.Connection] = self._in_memory
        elif isinstance(error, sqlite3.IntegrityError | sqlite3.ProgrammingError):
            raise error
        else:
            replace = self._replace
        self._db.close()  # before its file is replaced
        self._db.use(replace(error))
        self._freshen()

    # -- freshness -----------------------------------------------------------------------------------------

    def freshen(self, allow_loss: bool = False) -> int:
        """Make the index agree with HEAD and the files as they are now; returns how many notes were read.

        Raises StoppedError if more memories have vanished without a commit than the circuit breaker allows
        (unless `allow_loss`), and MdmemError for folders that cannot be read.
        """
        return self.retry_as_one(lambda: self._freshen(allow_loss))

    def catch_up(self, at_most: int) -> None:
        """`freshen` for a git hook: if more than `at_most` notes changed, it is left to the next opening.

        Raises BusyError if another process has the index locked, or if it is damaged.
        """
        if self._path == ":memory:":
            return
        try:
            self._db.retry_as_one(lambda: self._freshen(at_most=at_most), heal=False)
        except sqlite3.DatabaseError as error:
            raise BusyError(f"the index: {error}; the next opening will catch up") from None

    def rebuild(self, allow_loss: bool, progress: Progress) -> int:
        """Read all notes again and replace all rows; returns how many notes were read.

        Others may use the index meanwhile.
        """

        def again() -> int:
            self._set_state("basis", "")
            return self._freshen(allow_loss, progress)

        return self.retry_as_one(again)

    def follow_head(self, allow_loss: bool = False) -> None:
        """Freshen if HEAD has moved since the last time: another process has written."""
        known = self.retry_as_one(lambda: self._state("head"))
        if known != self.repo.branch_file() and known != (self.repo.head()[0] or "none"):
            self.freshen(allow_loss)

    def _freshen(
        self,
        allow_loss: bool = False,
        progress: Progress = silent,
        at_most: int = sys.maxsize,
    ) -> int:
        started = time.time_ns()
        status = self.repo.status()
        stamps = self._stamps(status)
        if self._is_fresh(status.head, stamps):
            return 0
        with self._db.transaction():
            is_told = self._state("head") != (status.head or "none")  # of a commit, perhaps since git was asked
            if is_told and self.repo.head()[0] != status.head:
                started = time.time_ns()
                status = self.repo.status()
                stamps = self._stamps(status)
            moved = self._moved(status)
            dirty = {path: Dirty(stamp, moved.get(path, "")) for path, stamp in stamps.items()}
            plan = _planned(self.repo, self._last_basis(status.head), status.head, dirty, self._is_indexed)
            if len(plan.read) > at_most:
                return 0
            if not allow_loss:
                self._check_loss(status, set(moved.values()), plan.everything)
            self._carry_out(plan, dirty, started, progress)
            self._remember(status.head, dirty)
        return len(plan.read)

    def _carry_out(self, plan: RefreshPlan, dirty: dict[str, Dirty], started: int, progress: Progress) -> None:
        """Bring the rows up to date; adds to `dirty` the files that have to be checked again next time."""
        if plan.everything:
            rows.clear(self._db)
        if plan.lost:
            versions.forget(self._db, plan.lost)
        touched = versions.add(self._db, self.repo, plan.steps, self._is_indexed)
        self.drop([*filter(self._is_memory, plan.drop)])
        raw_gone = [path for path in plan.drop if not self._is_memory(path)]
        filler = self._filler()
        filler.read_all([*plan.read, *raw_gone], dirty, started, progress, empty=plan.everything)
        if not plan.everything:  # those that did not change, but what they were made from did
            moved = {path for path in dirty if dirty[path].origin}
            filler.set_times((versions.heirs(self._db, touched) | moved) - set(plan.read), dirty)

    def freshen_commit(self, step: log.Step, notes: Mapping[str, Memory] = MappingProxyType({})) -> None:
        """Take in a commit just made; `notes` are those of its memories that are parsed already, by path.

        If the index is not at the commit's parent, it is left to `freshen`. Raises MdmemError if it cannot be
        saved.
        """
        try:
            self._db.retry_as_one(lambda: self._take_in(step, notes), heal=False)
        except sqlite3.DatabaseError as error:
            raise MdmemError(f"the index: {error}", "the next opening will catch up") from None

    def _take_in(self, step: log.Step, notes: Mapping[str, Memory]) -> None:
        parent = next(iter(step.commit.parents), "none")
        with self._db.transaction():  # a reader may be taking in the same commit
            if self._state("head") == parent and self._state("basis") == self._rules():
                self._take_step(step, notes)
                self._set_state("head", step.commit.oid)

    def _take_step(self, step: log.Step, notes: Mapping[str, Memory]) -> None:
        versions.add(self._db, self.repo, [step], self._is_indexed)
        paths = [change.path for change in step.changed if self._is_indexed(change.path)]
        unsure: dict[str, Dirty] = {}
        filler = self._filler()
        filler.read_all(paths, unsure, time.time_ns(), silent, notes=notes)
        filler.set_times(versions.heirs(self._db, paths) - set(paths), self._known_dirty())
        self._db.executemany("UPDATE dirty SET stamp=? WHERE origin=?", [(disk.UNSURE, path) for path in paths])
        self._db.executemany("DELETE FROM dirty WHERE path=?", [(path,) for path in paths])
        self._add_dirty(unsure)

    def take_in_head(self, at_most: int) -> bool:
        """Update the index for the commit at HEAD from its own diff, without a look at other files, as hooks do.

        Returns whether it did. It is left to `catch_up` if the commit changed more than `at_most` files, if the
        index does not know its only parent or cannot be read, if the folder of memories is gone, or if a file is
        not as it was committed. Raises MdmemError if the index cannot be written.
        """
        try:
            return self._db.retry_as_one(lambda: self._take_in_head(at_most), heal=False)
        except sqlite3.DatabaseError:
            return False

    def _take_in_head(self, at_most: int) -> bool:
        step = self._next_step()
        if step is None or len(step.changed) > at_most:
            return False
        indexed = (change for change in step.changed if self._is_indexed(change.path))
        if not all(_is_as_committed(self.root, change) for change in indexed):
            return False
        self.freshen_commit(step)
        return self.head == step.commit.oid

    def _next_step(self) -> log.Step | None:
        """The commit at HEAD, if its only parent is the commit that the index knows."""
        from mdmem.store.git import log

        known, head = self.head, self.repo.head_commit()
        is_folder_there = os.path.isdir(os.path.join(self.root, self.config.memories))
        if not known or known == head or not is_folder_there:
            return None
        step = self.recorded_step(known, head) or log.step(self.repo, head)
        return step if step.commit.parents == (known,) else None

    def recorded_step(self, parent: str, oid: str) -> log.Step | None:
        """A commit as the hook before it recorded it (see `local.staging`); None without such a record."""
        from mdmem.store.git import log
        from mdmem.store.local import staging

        record = staging.take(self.root)
        made = log.loose(self.repo, oid)
        if record is None or made is None:
            return None
        tree, commit = made
        if not (parent,) == commit.parents == (record.parent,) or tree != record.tree:
            return None
        return log.Step(commit, record.changed)

    @property
    def head(self) -> str:
        """The commit the index was freshened to; "" before the first."""
        head = self._state("head")
        return "" if head == "none" else head

    # -- the commits of HEAD's history that touch the vault -------------------------------------------------

    def told(
        self,
        *names: Iterable[str],
        among: Iterable[str] | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        by: datetime | None = None,
        most: int = -1,
    ) -> list[str]:
        """The commits that each of `names` may find, newest first: authors, sessions, ids of memories, actions.

        A commit is found if any of those made it or stands in a trailer; the caller reads it to know how. `among`
        are ids of commits; `since` is the first moment and `until` the first one after. `by` is the last moment at
        which a commit may have come into this history: that of its committer. Of more than `most`, the newest are
        told; -1: all.
        """
        wanted = ["made>=? AND made<? AND seconds<=?"]
        values: list[Any] = [since.timestamp() if since else -inf]
        values += [moment.timestamp() if moment else inf for moment in (until, by)]
        for some in names:
            wanted.append("number IN (SELECT number FROM marks WHERE text IN (SELECT value FROM json_each(?)))")
            values.append(json.dumps([versions.mark(name) for name in some]))
        if among is not None:
            wanted.append("oid IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(list(among)))
        sql = f"SELECT oid FROM commits WHERE {' AND '.join(wanted)} ORDER BY place DESC LIMIT ?"  # noqa: S608
        return self._db.column(sql, [*values, most])

    def written(self, hidden: Iterable[str]) -> tuple[dict[str, int], list[str]]:
        """Month (YYYY-MM) -> number of commits that changed a file with rows; ids of those that changed none.

        Changes to files at the paths `hidden` do not count.
        """
        return dict(self._db.among(versions.WRITTEN, hidden)), self._db.column(versions.OF_NO_FILE)

    def deletions(self, read: Callable[[list[str]], Mapping[str, list[Deleted]]]) -> list[Deleted]:
        """What commits deleted, the latest first. `read` tells it of some commits: once, then the index knows."""
        unread = self.told(among=self._db.column(versions.UNREAD))
        found = read(unread)
        kept = [(oid, json.dumps(found.get(oid, ()), default=datetime.isoformat)) for oid in unread]
        if kept:
            with self._db.transaction():
                self._db.executemany("REPLACE INTO gone VALUES(?,?)", kept)
        items = [Deleted(*item) for told in self._db.column(versions.DELETIONS) for item in json.loads(told)]
        return [item._replace(when=datetime.fromisoformat(str(item.when))) for item in items]

    def markings_gone(self, read: Callable[[Mapping[str, str]], Iterable[Marking]]) -> dict[str, Marking]:
        """path -> what the last version of each committed file that is gone says of who may see it.

        `read` tells it of some versions, path -> blob, in their order: once, then the index knows.
        """
        gone = self._db.execute(versions.GONE)
        unread = [(path, blob, place) for path, blob, marking, place in gone if marking is None]
        found = read({path: blob for path, blob, _ in unread})
        told = [
            (rows.as_json(marking), path, place) for marking, (path, _, place) in zip(found, unread, strict=True)
        ]
        if told:
            with self._db.transaction():
                self._db.executemany(versions.MARK, told)
            gone = self._db.execute(versions.GONE)
        return {path: (level, scope) for path, _, marking, _ in gone for level, scope in [json.loads(marking)]}

    def uncommitted(self) -> set[str]:
        """The paths of memories that differed from HEAD when the index was freshened."""
        return set(self.shown(filter(self._is_memory, self.differing())))

    def differing(self) -> set[str]:
        """The files of any rows, memories or not, that differed from HEAD when the index was freshened."""
        return set(self._known_dirty())

    def _is_fresh(self, head: str, stamps: Mapping[str, str]) -> bool:
        if self._state("head") != (head or "none") or self._state("basis") != self._rules():
            return False
        known = {path: dirty.stamp for path, dirty in self._known_dirty().items()}
        return known == stamps and not any(stamp.startswith(disk.UNSURE) for stamp in known.values())

    def _known_dirty(self) -> dict[str, Dirty]:
        known = self._db.execute("SELECT path, stamp, origin FROM dirty")
        return {path: Dirty(stamp, origin) for path, stamp, origin in known}

    def _stamps(self, status: Status) -> dict[str, str]:
        """path -> stamp of each uncommitted file that has rows."""
        found = (entry.path for entry in status.entries if self._is_indexed(entry.path))
        return {path: disk.stamp(os.path.join(self.root, path)) for path in found}

    def _moved(self, status: Status) -> dict[str, str]:
        """new path -> old path of memories that were moved without a commit."""
        new = [e.path for e in status.entries if e.staged in "?A" and self._is_memory(e.path)]
        gone = self._gone(status)
        found = {path: disk.read_if_note(self.root, path) for path in new} if gone else {}
        return versions.moves(self.repo, status.head, gone, {p: d for p, d in found.items() if d is not None})

    def _gone(self, status: Status) -> list[str]:
        """The memories that git has and the folder does not have."""
        return [
            entry.path
            for entry in status.entries
            if "D" in (entry.staged, entry.worktree)
            and self._is_memory(entry.path)
            and not os.path.lexists(os.path.join(self.root, entry.path))  # it may only have been unstaged
        ]

    def _last_basis(self, head: str) -> tuple[str, dict[str, Dirty]] | None:
        """What the rows were made from (see `_planned`); None for other settings, or a commit that is gone."""
        if self._state("basis") != self._rules():
            return None
        commit = self.head
        if commit not in ("", head) and not (head and self.repo.has_commit(commit)):
            return None
        return commit, self._known_dirty()

    def _check_loss(self, status: Status, moved: set[str], everything: bool) -> None:
        """The circuit breaker: raise StoppedError if too many memories are gone without a commit."""
        gone = [path for path in self._gone(status) if path not in moved]
        if not gone:
            return
        if everything:
            total = sum(1 for file in self.repo.files(status.head) if self._is_memory(file.path))
            lost = len(gone)
        else:
            total = self.count()
            moved_before = {entry.origin for entry in self._known_dirty().values()}
            lost = sum(1 for path in gone if path in moved_before or self.record(path) is not None)
        folder = self.config.memories
        missing = not os.path.isdir(os.path.join(self.root, folder))
        if (missing and lost) or breaks(lost, total):
            raise StoppedError(
                f"{lost} of {total} memories are gone from {folder} but not from git",
                "if that is an accident: git restore . ; if it is meant: commit it, or mdmem rebuild --yes",
            )

    def _filler(self) -> Filler:
        from mdmem.store.index.filler import Filler

        return Filler(self, self._db, self.root, self.config)

    def _remember(self, head: str, dirty: Mapping[str, Dirty]) -> None:
        self._db.execute("DELETE FROM dirty")
        self._add_dirty(dirty)
        self._set_state("head", head or "none")
        self._set_state("basis", self._rules())

    def _add_dirty(self, dirty: Mapping[str, Dirty]) -> None:
        self._db.executemany("INSERT INTO dirty VALUES(?,?,?)", [(path, *entry) for path, entry in dirty.items()])

    def _rules(self) -> str:
        """What all rows depend on: the settings, the index file, and which parts of HEAD and of its past are here.

        An index that came with a clone or a copied folder has another inode, so it is never trusted.
        """
        places = [self.repo.git_path(name) for name in ("info/sparse-checkout", "config.worktree", "shallow")]
        parts = [files.stamp(place) for place in places]
        return json.dumps([*self.config.of_rows, self.root, self._inode, *parts])

    def _state(self, key: str) -> str:
        row = self._db.execute("SELECT value FROM state WHERE key=?", (key,))
        return row[0][0] if row else ""

    def _set_state(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO state VALUES(?,?)", (key, value))


def _is_as_committed(root: str, change: PathChange) -> bool:
    """Whether the file on disk is as it was committed: it may have been edited again, or staged in part."""
    if not change.blob:
        return not os.path.lexists(os.path.join(root, change.path))
    try:
        data = disk.read(root, change.path, disk.MOST_RAW)
    except NoteError:
        return False
    return is_blob(change.blob, data)


# -- what to read again ----------------------------------------------------------------------------------------


class RefreshPlan(NamedTuple):
    """What to do to freshen an index: notes to read again, notes to drop, and commits to take in."""

    read: tuple[str, ...]
    drop: tuple[str, ...]
    steps: Iterable[log.Step]
    everything: bool  # forget all rows: a first build, or other settings
    lost: Sequence[str]  # commits to forget: HEAD does not descend from them any more


def _planned(
    repo: Repo,
    basis: tuple[str, Mapping[str, Dirty]] | None,
    head: str,
    dirty: Mapping[str, Dirty],
    is_memory: Callable[[str], bool],
) -> RefreshPlan:
    """The plan that leads from `basis` to the commit `head` and the files that differ from it now.

    The basis is what the rows were made from: a commit ("" before the first), and the files that differed from it
    then. Without one all rows are dropped and everything is read.
    """
    commit, before = basis or ("", {})
    letters, steps, lost = _past(repo, commit, head)
    touched = [path for path in _touched(letters, before, dirty) if is_memory(path)]
    # not uncommitted, and added or changed by no commit: deleted, or ignored by git and no longer memories
    doubtful = [path for path in touched if path not in dirty and letters.get(path, "D") == "D"]
    kept = repo.blob_ids(head, doubtful)
    gone = dict.fromkeys(path for path in doubtful if path not in kept)
    return RefreshPlan(
        read=tuple(path for path in touched if path not in gone),
        drop=tuple(gone),
        steps=steps,
        everything=basis is None,
        lost=lost,
    )


def _touched(committed: Iterable[str], before: Mapping[str, Dirty], now: Mapping[str, Dirty]) -> list[str]:
    """The paths whose content may have changed, those of commits first."""
    moved = {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
    unsure = {path for path, entry in now.items() if entry.stamp.startswith(disk.UNSURE)}
    return list(dict.fromkeys([*committed, *sorted(moved | unsure)]))


def _past(repo: Repo, old: str, head: str) -> tuple[Mapping[str, str], Iterable[log.Step], Sequence[str]]:
    """What changed between two commits; "" stands for the time before all commits.

    That is path -> git's status letter, the commits to add, and those to forget.
    """
    from mdmem.store.git import log

    if old == head:
        return {}, [], ()
    if not old:
        present = {file.path: "A" for file in repo.files(head) if file.mode != MODULE}
        return present, log.steps(repo, head), ()
    step = log.step(repo, head)
    if step.commit.parents == (old,):
        return {change.path: change.letter for change in step.changed}, [step], ()
    letters = {change.path: change.letter for change in log.changed(repo, old, head)}
    return letters, log.steps(repo, f"{old}..{head}"), sorted(repo.reached(old, head))


def breaks(lost: int, total: int) -> bool:
    """Whether the circuit breaker trips: all memories lost (if over one), or more than 10 and over 20 % of all."""
    return (lost == total and lost > 1) or (lost > BREAKER_COUNT and lost > BREAKER_SHARE * total)
