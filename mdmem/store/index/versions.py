"""The history of HEAD in the index: which commits there are, and what each made of which file, across renames.

So a memory has the times of its first and last commit if it does not say others itself, and what is asked of the
past names the commits that git then has to read. A file has an origin if the commit that adds it deletes another
file with the same content, or the same id. The rows depend on the commits alone, not on when they were taken in.

So does the order of commits, by their `place`: the second in which a commit was made, or the one after the seconds
of its parents if that is later, and in one second the beginning of its id. Seldom is that not git's order; but a
commit with a wrong date never comes after one that builds on it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from mdmem.errors import NoteError
from mdmem.note import memory, moments
from mdmem.note.terminal import safe_line
from mdmem.store.git.folder import ids_of
from mdmem.store.git.repo import PathChange, Repo
from mdmem.store.index.database import Database
from mdmem.store.index.disk import Dirty
from mdmem.store.index.port import Version

if TYPE_CHECKING:
    from mdmem.store.git.log import Commit, Step

TABLES = ("versions", "gone", "commits", "marks")
_LONGEST = 200  # characters of a mark; what is longer is found by its beginning
_WITHIN = 6  # hexadecimal digits of a commit's id in its place
_LEARN = (
    f"INSERT OR IGNORE INTO commits(oid, made, seconds, place) SELECT ?1, ?2, ?3,"  # noqa: S608 - own literals
    f" (max(?3, ifnull(max(place >> {4 * _WITHIN}) + 1, ?3)) << {4 * _WITHIN}) + ?4 FROM commits"
    " WHERE oid IN (SELECT value FROM json_each(?5)) RETURNING number, place"
)
_FORGET = (
    "DELETE FROM marks WHERE number IN (SELECT number FROM commits WHERE oid IN (SELECT value FROM json_each(?)))",
    "DELETE FROM commits WHERE oid IN (SELECT value FROM json_each(?))",
    'DELETE FROM versions WHERE "commit" IN (SELECT value FROM json_each(?))',
    'DELETE FROM gone WHERE "commit" IN (SELECT value FROM json_each(?))',
)
DELETIONS = 'SELECT told FROM gone JOIN commits ON oid="commit" ORDER BY place DESC'
# The last versions of files that are gone. The trust in each, its `marking`, is read once; it never changes.
GONE = """
SELECT path, blob, marking, max(place) FROM versions WHERE blob<>'' AND path NOT IN (SELECT path FROM notes)
AND path NOT IN (SELECT file FROM notes WHERE kind<>'memory') GROUP BY path ORDER BY path
"""
MARK = "UPDATE versions SET marking=? WHERE path=? AND place=?"
OF_NO_FILE = 'SELECT oid FROM commits WHERE oid NOT IN (SELECT "commit" FROM versions)'
WRITTEN = (
    "WITH hidden(path) AS (SELECT value FROM json_each(?))"  # noqa: S608 - own literals
    " SELECT strftime('%Y-%m', made, 'unixepoch') AS month, count(*) FROM commits"
    f' WHERE oid NOT IN ({OF_NO_FILE}) AND oid NOT IN (SELECT "commit" FROM versions v WHERE path IN hidden'
    ' AND NOT EXISTS (SELECT 1 FROM versions w WHERE w."commit"=v."commit" AND w.path NOT IN hidden))'
    " GROUP BY month"
)
# Commits with a deletion that no file with the same content or id makes up for; git may still see a move there.
UNREAD = (
    """SELECT DISTINCT "commit" FROM versions v WHERE blob='' AND "commit" NOT IN (SELECT "commit" FROM gone)"""
    ' AND NOT EXISTS (SELECT 1 FROM versions w WHERE w."commit"=v."commit" AND w.origin=v.path)'
)
_OWN_FILE = "ifnull(notes.file, notes.path)"
_LAST_COMMITTER = (
    "(SELECT versions.committer FROM versions WHERE versions.path={} AND versions.blob<>''"
    " ORDER BY versions.place DESC LIMIT 1)"
)
# The e-mail address, in lower case, of the last committer of the file of a row of `notes`; NULL if there is none.
COMMITTER = _LAST_COMMITTER.format(_OWN_FILE)
COMMITTERS_OF = f"SELECT path, {COMMITTER} FROM notes WHERE path IN (SELECT value FROM json_each(?))"  # noqa: S608
_PAST = (
    "WITH RECURSIVE past(path) AS (VALUES(?1) UNION"
    " SELECT v.origin FROM versions v JOIN past ON v.path=past.path WHERE v.origin<>'' AND v.seconds<=?2)"
    " SELECT (SELECT min(seconds) FROM versions WHERE path IN past AND seconds<=?2),"
    " (SELECT max(seconds) FROM versions WHERE path=?1 AND seconds<=?2)"
)
# The stretches of a file's past, each under one name: from the commit that moved it there (`first`, its place) to
# the one that moved it away (`last`).
_LIVES = """
WITH RECURSIVE lives(path, last, first) AS (
  SELECT ?1, 1 << 62, ifnull((SELECT max(place) FROM versions WHERE path=?1 AND origin<>''), 0)
  UNION ALL
  SELECT v.origin, v.place,
    ifnull((SELECT max(w.place) FROM versions w WHERE w.path=v.origin AND w.place<v.place AND w.origin<>''), 0)
  FROM lives JOIN versions v ON v.path=lives.path AND v.place=lives.first AND lives.first<>0)
SELECT v."commit", v.seconds, v.blob, v.path FROM lives
JOIN versions v ON v.path=lives.path AND v.place>=lives.first AND v.place<lives.last
ORDER BY v.place DESC
"""
_CHANGES = (
    'SELECT "commit", path, before, blob FROM versions WHERE before IS NOT NULL'
    ' AND "commit" IN (SELECT value FROM json_each(?)) ORDER BY rowid'
)
_HEIRS = (
    "WITH RECURSIVE heirs(path) AS (SELECT value FROM json_each(?) UNION"
    " SELECT v.path FROM versions v JOIN heirs ON v.origin=heirs.path WHERE v.origin<>'')"
    " SELECT path FROM heirs"
)


def add(db: Database, repo: Repo, steps: Iterable[Step], is_memory: Callable[[str], bool]) -> set[str]:
    """Take in commits, parents first, and the versions that they made; the paths of the changed files."""
    touched: set[str] = set()
    for step in steps:
        commit, place = step.commit, _learn(db, step.commit)
        if not place:  # it is known: where clocks were wrong, git may tell of too many commits
            continue
        changed = [change for change in step.changed if is_memory(change.path)]
        origins = _origins(repo, changed)
        before = {change.path: change.old_blob for change in changed}
        is_plain = _is_plain(step.changed) and len(changed) == len(step.changed)
        rows = []
        for path, _, _, _, blob in changed:
            origin = origins.get(path, "")
            is_moved = bool(origin) and before[origin] == blob
            committer = _committer(db, origin, blob) if is_moved else commit.address.lower()
            known = before[path] if is_plain else None
            rows.append((path, commit.oid, place, _seconds(commit.committed), blob, origin, committer, known))
        db.executemany("INSERT INTO versions VALUES(?,?,?,?,?,?,?,?,NULL)", rows)
        touched.update(before)
    return touched


def _is_plain(changed: Sequence[PathChange]) -> bool:
    """Whether a commit moved no file and changed neither a link nor a submodule."""
    letters = {change.letter for change in changed}
    modes = {mode for change in changed for mode in (change.old_mode, change.mode)}
    return not {"A", "D"} <= letters and all(mode.startswith("100") or not mode.strip("0") for mode in modes)


def changes_in(db: Database, commits: Iterable[str]) -> dict[str, list[tuple[str, str, str]]]:
    """commit -> all that it changed in the vault: (path, blob before, blob after), "" for no file.

    Left out are commits that may have moved a file, or changed a link, a submodule, or a file without rows.
    """
    found: dict[str, list[tuple[str, str, str]]] = {}
    for commit, *change in db.among(_CHANGES, commits):
        found.setdefault(commit, []).append(tuple(change))
    return found


def _learn(db: Database, commit: Commit) -> int:
    """Take in a commit; its place, 0 if it is known. It is found by who made it, and by what its trailers say."""
    made, committed = _seconds(commit.when), _seconds(commit.committed)
    values = (commit.oid, made, committed, int(commit.oid[:_WITHIN], 16), json.dumps(commit.parents))
    number, place = next(iter(db.execute(_LEARN, values)), (0, 0))
    if not place:
        return 0
    what = commit.operation
    told = (what.action, what.session, *what.ids, *(value for _, value in what.extra))
    marks = {mark(text) for text in (commit.author, commit.email, commit.actor, *told) if text}
    db.executemany("INSERT INTO marks VALUES(?,?)", [(text, number) for text in marks])
    return int(place)


def _seconds(when: datetime) -> int:
    return int(when.timestamp())


def mark(text: str) -> str:
    """A text as commits are found by it."""
    return safe_line(text).casefold()[:_LONGEST]


def forget(db: Database, oids: Collection[str]) -> None:
    """Delete some commits, and what they did to files."""
    for statement in _FORGET:
        db.among(statement, oids)


def _committer(db: Database, path: str, blob: str) -> str:
    """The address of the last committer of the file that was moved from a path: that does not change its text."""
    sql = "SELECT committer FROM versions WHERE path=? AND blob<>'' ORDER BY blob=? DESC, place DESC LIMIT 1"
    return next(iter(db.column(sql, (path, blob))), "")


def of(db: Database, path: str) -> list[Version]:
    """The versions of a file, the latest first, also under its former names."""
    return [Version(*version) for version in db.execute(_LIVES, (path,))]


def heirs(db: Database, paths: Iterable[str]) -> set[str]:
    """`paths`, and all paths that their files were renamed to."""
    return {heir for (heir,) in db.among(_HEIRS, paths)}


def times(db: Database, path: str, until: int = 1 << 62) -> tuple[int | None, int | None]:
    """(first, last) commit time of a file in Unix seconds, up to `until`; None for one without history."""
    ((first, last),) = db.execute(_PAST, (path, until))
    return first, last


def times_of_file(db: Database, root: str, path: str, dirty: Mapping[str, Dirty]) -> tuple[str, str]:
    """(created, updated) of a file from its history; without one, the time when the file was saved.

    `dirty` are the uncommitted files, by path.
    """
    first, last = times(db, path)
    uncommitted = dirty.get(path)
    if uncommitted and uncommitted.origin and not first:
        first, _ = times(db, uncommitted.origin)
    saved = ""
    if uncommitted or not last:
        saved = moments.of_seconds(int(os.stat(os.path.join(root, path)).st_mtime))
    return moments.of_seconds(first) if first else saved, saved or moments.of_seconds(last or 0)


def moves(repo: Repo, head: str, gone: Sequence[str], new: Mapping[str, bytes]) -> dict[str, str]:
    """new path -> old path of files that were moved without a commit.

    `gone` are files of `head` that no longer exist, `new` the bytes of files that git does not have.
    """
    if not gone or not new:
        return {}
    old = repo.blob_ids(head, gone)
    same = {path: ids_of(data, len(repo.empty_tree)) for path, data in new.items()}
    matched = {path: next((id for id in same[path] if id in old.values()), same[path][0]) for path in sorted(new)}
    return _pair(matched, old, lambda paths: {path: _id(new[path]) for path in paths}, _ids_in(repo, old))


def _origins(repo: Repo, changed: Sequence[PathChange]) -> dict[str, str]:
    added = {change.path: change.blob for change in changed if not change.old_blob}
    gone = {change.path: change.old_blob for change in changed if not change.blob}
    return _pair(added, gone, _ids_in(repo, added), _ids_in(repo, gone)) if added and gone else {}


def _pair(
    added: Mapping[str, str],
    gone: Mapping[str, str],
    ids_added: Callable[[Sequence[str]], dict[str, str]],
    ids_gone: Callable[[Sequence[str]], dict[str, str]],
) -> dict[str, str]:
    """new path -> old path of files with the same blob, or else with the same id."""
    found = _match(added, gone)
    rest = sorted(added.keys() - found.keys())
    left = sorted(gone.keys() - set(found.values()))
    return found | (_match(ids_added(rest), ids_gone(left)) if rest and left else {})


def _match(added: Mapping[str, str], gone: Mapping[str, str]) -> dict[str, str]:
    by_mark: dict[str, list[str]] = {}
    for path in sorted(gone, reverse=True):
        by_mark.setdefault(gone[path], []).append(path)
    found = {}
    for path in sorted(added):
        if added[path] and by_mark.get(added[path]):
            found[path] = by_mark[added[path]].pop()
    return found


def _ids_in(repo: Repo, blobs: Mapping[str, str]) -> Callable[[Sequence[str]], dict[str, str]]:
    def ids(paths: Sequence[str]) -> dict[str, str]:
        found = repo.blobs([blobs[path] for path in paths])
        return {path: _id(data) for path, data in zip(paths, found, strict=True)}

    return ids


def _id(data: bytes) -> str:
    """The id written in a note, or ""."""
    try:
        note = memory.parse(data, "")
    except NoteError:
        return ""
    return note.id if note.has_id else ""
