"""A vault's past: its log, the history of one memory, old versions, the trash, who wrote which line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from datetime import datetime
from itertools import chain, pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.history import trail
from mdmem.history.shown import PastSight
from mdmem.note import memory, moments
from mdmem.note.memory import Memory
from mdmem.note.terminal import safe_line
from mdmem.note.trust import tombstone
from mdmem.store.git import log
from mdmem.store.git.log import Commit
from mdmem.store.index import citation
from mdmem.store.index.port import Deleted, IndexedNote, latest_life
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.vault.transaction import Transaction


_AS_IT_IS = ("utf-8", "surrogateescape")
_IN_A_REVISION = re.compile(r"\w[~^]|@\{")  # and seldom in a name


class Comparison(NamedTuple):
    """What to compare: the memory at `path` ("": all memories), from the revision or date `old` to `new`.

    None means the last commit for `old`, and the files in the folder for `new`.
    """

    path: str
    id: str
    old: str | None
    new: str | None


class Wrote(NamedTuple):
    """One line of a memory and who wrote it; `commit` is "" if the line is not committed yet.

    `action` is "" for a commit made by another tool.
    """

    number: int
    text: str
    commit: str
    when: datetime
    actor: str
    action: str
    session: str


def events(
    vault: Vault,
    since: datetime | None = None,
    actor: str = "",
    session: str = "",
    run: str = "",
    until: datetime | None = None,
) -> Iterator[Commit]:
    """The commits that changed memories or raw entries, newest first, each with only those changes.

    Merges by sync and purges are included, without changes. Those of a session include those of its subagents.
    """
    sight, sessions = PastSight(vault), family(vault, session)
    asked = names({actor}, sessions, {run})
    found = vault.whole_index.told(*asked, since=since, until=until)
    for commit in trail.told(vault, trail.commits(vault, found)):
        if by_any(commit, actor, sessions, run):
            yield from sight.commit(commit)


def names(*alternatives: Set[str]) -> list[Set[str]]:
    """Those that name anything: of each, a commit bears one of the names."""
    return [some for some in alternatives if some != {""}]


def family(vault: Vault, session: str) -> frozenset[str]:
    """A session and the sessions of its subagents, and of theirs, at any depth; {""} for the session ""."""
    found = parents = {safe_line(session)}
    while parents - {""}:
        naming = log.messages(vault.repo, only=vault.whole_index.told(parents))
        children = {
            safe_line(one.operation.session)
            for one in naming
            if parents.intersection(map(safe_line, one.operation.get("Parent-Session")))
        }
        parents = children - {""} - found
        found = found | parents
    return frozenset(found)


def undone_sessions(vault: Vault, sessions: Iterable[str]) -> set[str]:
    """Those of the sessions whose writes were all taken back; what one wrote after that does not count."""
    undone: set[str] = set()
    gone: set[str] = set()
    left: set[str] = set()
    index, sessions = vault.whole_index, {safe_line(session) for session in sessions} - {""}
    for commit in log.messages(vault.repo, only=index.told({"undo"}) if sessions else ()):
        trail.note_undone(commit, undone)
    taken_back = log.messages(vault.repo, only=index.told(sessions, among=undone) if undone else ())
    sessions &= {safe_line(commit.operation.session) for commit in taken_back}
    oids = index.told({"undo", *sessions}) if sessions else ()
    undone.clear()
    for commit in log.messages(vault.repo, only=oids):
        trail.note_undone(commit, undone)
        if undone and commit.operation.action not in trail.NEVER_UNDONE:
            (gone if commit.oid in undone else left).add(commit.operation.session)
    return (gone - left) & sessions


def by_any(commit: Commit, actor: str, sessions: Iterable[str] = ("",), run: str = "") -> bool:
    """Whether a commit is by an actor (agent, git author or mail address), a run, and one of some sessions.

    "" matches any.
    """
    names = {commit.actor.casefold(), commit.author.casefold(), commit.email.casefold()}
    own = safe_line(commit.operation.session)
    return (
        (not actor or actor.casefold() in names)
        and any(not session or safe_line(session) == own for session in sessions)
        and (not run or run in commit.operation.get("Run"))
    )


def history(vault: Vault, path: str, id: str) -> list[Commit]:
    """The commits of one memory under all its names, newest first, each with only the changes to that memory."""
    return list(PastSight(vault).commits(_followed(vault, path, id)))


def _followed(vault: Vault, path: str, id: str) -> Iterator[Commit]:
    record = vault.whole_index.record(path)
    return trail.follow(vault, path, id, record is not None and record.id == id)


def version(vault: Vault, name: str, rev: str) -> tuple[Memory, bytes, str]:
    """(memory, bytes, commit) of a memory, living or deleted, as it was at a revision, whatever its path was then.

    The names of hidden memories are redacted. Raises UsageError for an unknown revision, NotFoundError if the
    memory did not exist then, or the reader may not see that version.
    """
    path, data, commit = _version(vault, name, rev)
    data = PastSight(vault).redact(data.decode(*_AS_IT_IS)).encode(*_AS_IT_IS)
    return vault.parse(data, path), data, commit


def _version(vault: Vault, name: str, rev: str) -> tuple[str, bytes, str]:
    """(path, bytes, commit) of a memory at a revision, not redacted."""
    commit = vault.resolve(rev)
    path, id = identify(vault, name)
    place = _place_at(vault, path, id, commit)
    data = vault.repo.read(commit, place) if place else None
    if data is not None:  # at that path may have been another memory: branches may disagree on paths
        written = trail.written_id(vault, data, place)
        is_this = written in ("", id) or id == memory.derived_id(path, vault.config.id)
        data = data if is_this and PastSight(vault).shows_content(data, place) else None
    if data is None:
        raise NotFoundError(f"{name} was not there at {rev}", f"mdmem log {name} lists its versions")
    tombstone.require_content(name, tombstone.purged_on(vault.parse(data, place)))
    return place, data, commit


def _place_at(vault: Vault, path: str, id: str, commit: str) -> str:
    """The path of a memory at a commit, "" if it did not exist then.

    That is one at which a version of it stands; after a merge it may be none, and the last one before tells.
    """
    steps = [step for step in _followed(vault, path, id) if step.changes]
    versions = [(change.path, change.after) for step in steps for change in step.changes]
    there = vault.repo.blob_ids(commit, [place for place, _ in versions])
    found = next((place for place, blob in versions if there.get(place) == blob), "")
    if found or not there:
        return found
    reached = vault.repo.reached(commit)
    last = next((step.changes[-1] for step in steps if step.oid in reached), None)
    return last.path if last and last.letter != "D" else ""


def difference(vault: Vault, path: str, id: str, old: str | None, new: str | None) -> str:
    """A diff of one memory, or of all (path ""), between two revisions or dates.

    None means HEAD for `old`, and the files in the folder for `new`. A memory is found under the name that it had
    at each end. Raises UsageError for revisions that do not exist.
    """
    start, end = (vault.resolve(rev) if rev else "" for rev in (old, new))
    sight = PastSight(vault)
    without = () if sight.is_full else sorted(_withheld(vault, sight, start, end))
    if not path:
        folder = vault.config.memories
        text = log.difference(vault.repo, start, end, [] if folder == "." else [folder], without)
        return sight.redact(text)
    revisions = (start or vault.repo.head()[0], end)
    places = {_place_at(vault, path, id, rev) if rev else path for rev in revisions} - {""}
    return sight.redact(log.difference(vault.repo, start, end, sorted(places), without)) if places else ""


def _withheld(vault: Vault, sight: PastSight, start: str, end: str) -> set[str]:
    """The paths in a diff that have a side which the reader may not see."""
    found = set()
    for change in log.differing(vault.repo, start, end):
        sides = [(change.before, change.old_path), (change.after if end else "", change.path)]
        versions = (vault.repo.file(blob, path) for blob, path in sides if blob and change.plain)
        if not all(map(sight.shows, (change.path, change.old_path))) or not all(
            sight.shows_content(data, change.path) for data in versions
        ):
            found |= {change.path, change.old_path}
    return found


def compared(vault: Vault, text: str, now: datetime) -> Comparison:
    """Parse what to compare: NAME, NAME@REV, REV or REV..REV. A memory takes precedence over a revision.

    Raises NotFoundError, UsageError.
    """
    name, rev = lookup.split_revision(vault, text)
    if not rev and _identified(vault, name) is None:
        old, _, new = text.partition("..")
        ends = [_resolved(vault, moments.dated(end, now)) if end else "" for end in (old or "HEAD", new)]
        if None not in ends:
            return Comparison("", "", *(end or None for end in ends))
    return Comparison(*identify(vault, name), rev or None, None)


def _resolved(vault: Vault, rev: str) -> str | None:
    """The commit of a revision, None if nothing is called so. Raises UsageError for what is surely a revision."""
    try:
        return vault.resolve(rev)
    except UsageError:
        if _IN_A_REVISION.search(rev):
            raise
        return None


def identify(vault: Vault, name: str, exactly: bool = False) -> tuple[str, str]:
    """(path, id) of a memory, living or deleted; a near match is accepted, unless it must be `exactly` that name.

    Raises NotFoundError with the nearest names, UsageError, NoteError.
    """
    found = _identified(vault, name) or _found(vault, name, exactly, deletions(vault))
    return found.path, found.id


def _found(vault: Vault, name: str, exactly: bool, gone: Iterable[Deleted]) -> IndexedNote:
    """The same as `lookup.find`; the hint of the NotFoundError names also those that are near among the `gone`."""
    try:
        return lookup.find(vault, name, exactly)
    except NotFoundError as error:
        near = lookup.near_names([item.name for item in gone if not item.purged], name)
        if near:
            error.hint = f"in the trash: {', '.join(near)}; {error.hint}"
        raise


def _identified(vault: Vault, name: str) -> Deleted | IndexedNote | None:
    """The memory with exactly that name, living or deleted; None if there never was one."""
    name = lookup.within(vault, name)
    return lookup.find_exact(vault, name) or _former(vault, deletions(vault), name)


def _former(vault: Vault, gone: list[Deleted], name: str) -> Deleted | IndexedNote | None:
    """The memory that had that name: one of the `gone`, or one that was renamed since; None for none."""
    return next(iter(matching(gone, name) or _once_called(vault, gone, name)), None)


def _once_called(vault: Vault, gone: Iterable[Deleted], name: str) -> list[Deleted | IndexedNote]:
    """The memories that had that name before they were renamed, of the living and of those `gone`."""
    sight, wanted = PastSight(vault), memory.fold(memory.stem(name))
    left = {*vault.whole_index.vacated(), *(change.old_path for change in trail.uncommitted(vault))}
    found: dict[str, None] = {}
    for old in (old for old in left if memory.fold(memory.stem(old)) == wanted and sight.shows(old)):
        path, seen = old, set[str]()
        while path in left and path not in seen:
            seen.add(path)
            path = _moved_to(vault, path) or path
        found[path] = None
    there: dict[str, Deleted | IndexedNote] = {item.path: item for item in gone}
    there |= {record.path: record for record in vault.index.records_at([*found])}
    return [there[path] for path in found if path in there]


def _moved_to(vault: Vault, path: str, deletion: str = "") -> str:
    """Where the file is that left a path after a `deletion`, by its id or by the likeness of its text; else ""."""
    versions = takewhile(lambda version: version.commit != deletion, vault.whole_index.versions(path))
    leaving = trail.commits(vault, [version.commit for version in versions if not version.blob])
    changes = chain(trail.uncommitted(vault), *(commit.changes for commit in leaving))
    return next((one.path for one in changes if one.letter == "R" and one.old_path == path), "")


def blame(vault: Vault, name: str) -> tuple[str, list[Wrote]]:
    """(path, lines) of a memory: who first wrote each line, when, in which commit and session.

    Lines that an undo or a restore brought back are attributed to their earlier writer. Raises UsageError for a
    memory that is not committed yet.
    """
    record = lookup.find(vault, name)
    head = vault.repo.head()[0]
    if not (head and vault.repo.find(head, record.path)):
        raise UsageError(f"{record.name} is not committed yet", f"git add {record.path}, then git commit")
    lines = log.blame(vault.repo, record.path, grafts(vault, record.path))
    oids = [line.commit for line in lines]
    told = log.named(vault.repo, oids)
    if any(commit.operation.action in citation.BRINGS_BACK for commit in told.values()):
        oids = citation.first_writers(vault, record.path, [(line.text, line.commit) for line in lines])
        told |= log.named(vault.repo, set(oids) - told.keys())
    sight, written = PastSight(vault), []
    for line, oid in zip(lines, oids, strict=True):
        wrote = Wrote(line.number, sight.redact(line.text), "", line.when, "", "", "")
        if commit := told.get(oid):
            what = commit.operation
            wrote = Wrote(line.number, wrote.text, oid, commit.when, commit.author, what.action, what.session)
        written.append(wrote)
    return record.path, written


# -- the trash ---------------------------------------------------------------------------------------------


def trash(vault: Vault, every: Iterable[Deleted] | None = None) -> list[Deleted]:
    """The memories deleted and not restored since, latest deletion first; `every` deletion may be known."""
    sight = PastSight(vault)
    return [item for item in deletions(vault, every) if sight.shows(item.path) and not item.purged]


def deletions(vault: Vault, every: Iterable[Deleted] | None = None) -> list[Deleted]:
    """As `trash`, purged ones included.

    A memory that moved is not deleted: its id lives on elsewhere. A copy that kept its original's id is another
    memory, though, as it existed beside the original.
    """
    sight, found = PastSight(vault), []
    gone = [item for item in (trail.deletions(vault) if every is None else every) if item.id]  # else no memory
    homes = vault.whole_index.homes({item.id for item in gone})  # where it is, or was deleted later
    left = vault.whole_index.vacated()
    for item in gone:
        known = homes.setdefault(item.id, [])
        if item.path in known:
            continue
        if _stood_beside(vault, item, known) if known else not _is_back(vault, item, left):
            known.append(item.path)
            if sight.shows(item.path):
                found.append(item._replace(reason=sight.redact(item.reason)))
    return found


def _is_back(vault: Vault, item: Deleted, left: Mapping[str, str]) -> bool:
    """Whether a note without an id was brought back after its deletion, and then `left` its path by a move."""
    if item.commit in ("", left.get(item.path)):
        return False
    after = takewhile(lambda one: one.commit != item.commit, vault.whole_index.versions(item.path))
    return any(one.blob == item.blob for one in after) and bool(_moved_to(vault, item.path, item.commit))


def _stood_beside(vault: Vault, item: Deleted, paths: list[str]) -> bool:
    """Whether another note with the same id was at one of `paths` just before a memory was deleted."""
    before = f"{item.commit}^" if item.commit else "HEAD"
    texts = ((path, vault.repo.read(before, path)) for path in paths)
    return any(text is not None and trail.written_id(vault, text, path) == item.id for path, text in texts)


def matching(items: list[Deleted], name: str) -> list[Deleted]:
    """The deleted memories with that name, path or id."""
    wanted = memory.fold(memory.stem(name))
    return [item for item in items if name in (item.path, item.id) or memory.fold(item.name) == wanted]


def living(vault: Vault, name: str, exactly: bool = False) -> IndexedNote:
    """The same as `lookup.find`; of one that was forgotten or renamed, the NotFoundError tells that.

    A name that a memory had comes before one that is only near.
    """
    try:
        return lookup.named(vault, name)
    except NotFoundError as error:
        nearest = error.hint
    gone = trash(vault)
    item = _former(vault, gone, lookup.within(vault, name))
    if item is None:
        return _found(vault, name, exactly, gone)
    if isinstance(item, IndexedNote):
        message, hint = f"it is called {item.name} now", f"mdmem show {item.name}"
    else:
        message = f"it was forgotten{f' {moments.render(item.when)[:10]}' if item.when else ''}"
        hint = f"mdmem log {item.name} shows why, mdmem restore {item.name} brings it back; {nearest}"
    raise NotFoundError(f"there is no memory '{name}' any more: {message}", hint)


def restore(vault: Vault, name: str, caller: Caller, reason: str = "") -> tuple[str, str]:
    """Bring a deleted memory back at its old path, with its id; (path, commit).

    The commit is "" if the deletion was not committed. Raises NotFoundError if no such memory is in the trash,
    UsageError if several are, ConflictError if the name is in use again.
    """
    items = deletions(vault)
    called = lookup.within(vault, name)
    once = _once_called(vault, items, called)
    found = matching(items, called) or [item for item in once if isinstance(item, Deleted)]
    if not found:
        there = ", ".join([item.name for item in items if not item.purged][:5])
        known = f"it holds {there}" if there else "it is empty"
        hint = next((f"{item.name} is in the vault" for item in once), known)
        raise NotFoundError(f"the trash holds no '{name}'", hint)
    if len(found) > 1:
        which = ", ".join(f"{item.id} ({item.path})" for item in found)
        raise UsageError(f"{len(found)} deleted memories are called '{name}'", f"say which by its id: {which}")
    item = found[0]
    tombstone.require_content(name, item.purged)
    with vault.change(caller.does("restore", reason)) as tx:
        tx.write(item.path, restorable(vault, tx, item))
    return item.path, tx.commit


def restorable(vault: Vault, tx: Transaction, item: Deleted) -> bytes:
    """The bytes of a deleted memory, to be written at its old path. Raises ConflictError if its name is in use."""
    if tx.exists(item.path) or vault.whole_index.named(item.name):
        raise ConflictError(f"there is another {item.name} now", f"rename it, then mdmem restore {item.id}")
    return vault.repo.file(item.blob, item.path)


def restore_version(
    vault: Vault, record: IndexedNote, rev: str, caller: Caller, reason: str = ""
) -> tuple[str, str]:
    """Set a memory back to a revision, keeping its id; (path, commit), with commit "" if nothing had to change."""
    _, data, commit = _version(vault, record.path, rev)
    if record.meta.get("id") and trail.written_id(vault, data, record.path) != record.id:
        from mdmem.note import fields  # it loads yaml, which looking does not need

        data = fields.set_fields(data, {"id": record.meta["id"]}, record.path)
    with vault.change(caller.does("restore", reason or f"As it was at {commit[:12]}.")) as tx:
        tx.write(record.path, data)
    return record.path, tx.commit


Graft = tuple[str, str]  # (commit, the commit to treat as its parent)


def grafts(vault: Vault, path: str) -> list[Graft] | None:
    """The grafts that lead `log.blame` from HEAD through the commits of a file, past all others.

    Nothing may have happened to the file between two of its versions, so each version must directly follow the one
    before. None where that is not so, for instance if two branches changed it.
    """
    head = vault.repo.head()[0]
    versions = latest_life(vault.whole_index.versions(path))
    if not (versions and head) or any("\n" in version.path for version in versions):
        return None
    vault.repo.bring(version.blob for version in versions)
    steps = list(pairwise(versions))
    asked = [vault.repo.at(head, path)]
    for newer, older in steps:
        asked += [f"{newer.commit}^", vault.repo.at(f"{newer.commit}^", older.path)]
    now, *answers = vault.repo.ids(asked)
    parents, blobs = answers[::2], answers[1::2]
    if now != versions[0].blob or blobs != [older.blob for _, older in steps]:
        return None
    ways = [(head, versions[0].commit)]
    ways += [(parent, older.commit) for parent, (_, older) in zip(parents, steps, strict=True)]
    return [way for way in ways if way[0] != way[1]]
