"""A vault's past: its log, one memory's history, old versions, the trash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from mdmem.core import layout, memory, naming
from mdmem.core.memory import Memory
from mdmem.core.operation import Caller
from mdmem.errors import ConflictError, NoteError, NotFoundError, UsageError
from mdmem.services import lookup
from mdmem.store import log
from mdmem.store.catalogue import Record
from mdmem.store.log import Change, Commit
from mdmem.store.vault import Vault


class Deleted(NamedTuple):
    """A memory that history holds and the folder does not. `blob` is its last content."""

    path: str
    id: str
    title: str
    when: datetime
    actor: str
    reason: str
    commit: str
    blob: str

    @property
    def name(self) -> str:
        return memory.stem(self.path)


def events(
    vault: Vault, since: datetime | None = None, actor: str = "", session: str = "", limit: int = 0
) -> Iterator[Commit]:
    """The commits that changed memories, newest first; with `limit`, among the last so many of the vault."""
    options = [f"--since=@{int(since.timestamp())}"] if since else []
    options += [f"--max-count={limit}"] if limit else []
    for commit in log.commits(vault.repo, *options):
        if memory_changes(vault, commit) and by(commit, actor, session):
            yield commit


def by(commit: Commit, actor: str, session: str) -> bool:
    """Whether a commit is of that actor (agent, git author or mail address) and session; "" asks nothing."""
    names = {commit.actor.casefold(), commit.author.casefold(), commit.email.casefold()}
    return (not actor or actor.casefold() in names) and (not session or session == commit.operation.session)


def memory_changes(vault: Vault, commit: Commit) -> list[Change]:
    """The changes of a commit that are about memories."""
    return [
        change
        for change in commit.changes
        if layout.is_memory(change.path, vault.config) or layout.is_memory(change.old_path, vault.config)
    ]


def of_memories(vault: Vault, commit: Commit) -> Commit:
    """The commit with only its changes of memories."""
    return commit._replace(changes=tuple(memory_changes(vault, commit)))


def history(vault: Vault, path: str, id: str) -> list[Commit]:
    """The commits of one memory, newest first, each with only its own changes.

    It is followed by path, through renames, and by its id: in the trailers of commits, and in notes that were
    moved and edited at once, where git sees a deletion and a creation.
    """
    found: dict[str, Commit] = {}
    queue, seen = [(path, "HEAD")], set()
    while queue:
        path, start = queue.pop()
        if (path, start) in seen:
            continue
        seen.add((path, start))
        for commit in log.commits(vault.repo, "--full-diff", start, paths=[path]):
            own = [change for change in commit.changes if path in (change.path, change.old_path)]
            origin = _origin(vault, commit, path, id)
            if origin and commit.parents:
                queue.append((origin, commit.parents[0]))
                own += [change for change in commit.changes if change.path == origin and change not in own]
            found[commit.oid] = commit._replace(changes=tuple(own))
    for commit in log.commits(vault.repo, "--fixed-strings", f"--grep=Memory-Id: {id}"):
        if commit.oid not in found and id in commit.operation.ids:
            own = [change for change in commit.changes if change.path == path]
            found[commit.oid] = commit._replace(changes=tuple(own))
    order = {oid: number for number, oid in enumerate(vault.repo.run("rev-list", "HEAD").decode().split())}
    return sorted(found.values(), key=lambda commit: order[commit.oid])


def _origin(vault: Vault, commit: Commit, path: str, id: str) -> str:
    """The path a memory had before this commit moved it to `path`; "" if it did not."""
    for change in commit.changes:
        if change.path == path and change.letter == "R":
            return change.old_path
    if any(change.path == path and change.letter == "A" for change in commit.changes):
        gone = [change for change in commit.changes if change.letter == "D"]
        for change, data in zip(gone, vault.repo.blobs([change.before for change in gone]), strict=True):
            if _id_of(vault, data, change.path) == id:
                return change.path
    return ""


def version(vault: Vault, name: str, rev: str) -> tuple[Memory, bytes, str]:
    """(memory, bytes, commit) of a memory, living or deleted, as it was at a revision, under whatever path.

    Raises UsageError for an unknown revision, NotFoundError if it was not there then.
    """
    commit = vault.resolve(rev)
    path, id = identify(vault, name)
    for candidate in dict.fromkeys([path, *_former_paths(vault, path, id)]):
        data = vault.repo.read(commit, candidate)
        if data is not None:
            return vault.parse(data, candidate), data, commit
    raise NotFoundError(f"{name} was not there at {rev}", f"mdmem log {name} lists its versions")


def difference(vault: Vault, path: str, old: str | None, new: str | None) -> str:
    """A diff of one memory, or of all: from a revision or date (default HEAD) to another (default: the files).

    Raises UsageError for revisions that do not exist.
    """
    repo = vault.repo
    if not repo.head()[0]:
        return ""
    revisions = [vault.resolve(rev) for rev in (old or "HEAD", new) if rev]
    inside = [repo.prefix + (path or vault.config.memories.removeprefix("."))]
    args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", *revisions]
    return repo.run(*args, "--", *(part for part in inside if part)).decode("utf-8", "replace").rstrip("\n")


def identify(vault: Vault, name: str) -> tuple[str, str]:
    """(path, id) of a memory, living or deleted. Raises NotFoundError, UsageError."""
    record = lookup.find_exact(vault, name)
    if record:
        return record.path, record.id
    deleted = next(iter(matching(trash(vault), name)), None)
    if deleted:
        return deleted.path, deleted.id
    record = lookup.find(vault, name)
    return record.path, record.id


def _former_paths(vault: Vault, path: str, id: str) -> Iterator[str]:
    for commit in history(vault, path, id):
        for change in commit.changes:
            yield from (change.path, change.old_path)


def trash(vault: Vault) -> list[Deleted]:
    """The memories that were deleted and are not back, the latest deletion first.

    One that moved while it was edited is not deleted: its id lives on elsewhere.
    """
    pairs = [
        (commit, change)
        for commit in log.commits(vault.repo, "--diff-filter=D")
        for change in commit.changes
        if layout.is_memory(change.path, vault.config)
    ]
    blobs = vault.repo.blobs([change.before for _, change in pairs])
    latest: dict[str, Deleted] = {}
    for (commit, change), data in zip(pairs, blobs, strict=True):
        item = _deleted(vault, commit, change, data)
        latest.setdefault(item.id, item)
    return [item for item in latest.values() if not vault.index.with_id(item.id)]


def _deleted(vault: Vault, commit: Commit, change: Change, data: bytes) -> Deleted:
    try:
        note = vault.parse(data, change.path)
        id, title = note.id, note.title
    except NoteError:
        id, title = memory.derived_id(change.path, vault.config.id), memory.stem(change.path)
    reason = commit.operation.reason if commit.operation.action else ""
    return Deleted(change.path, id, title, commit.when, commit.actor, reason, commit.oid, change.before)


def matching(items: list[Deleted], name: str) -> list[Deleted]:
    """Those of the trash that a name, path or id means."""
    wanted = naming.fold(memory.stem(name))
    return [item for item in items if name in (item.path, item.id) or naming.fold(item.name) == wanted]


def restore(vault: Vault, name: str, caller: Caller, reason: str = "") -> tuple[str, str]:
    """Bring a deleted memory back with its id, where it was; (path, commit).

    Raises NotFoundError if the trash has none of that name, UsageError if it has several, ConflictError if
    the name is in use again.
    """
    items = trash(vault)
    found = matching(items, name)
    if not found:
        known = ", ".join(item.name for item in items[:5])
        raise NotFoundError(f"the trash holds no '{name}'", f"it holds {known}" if known else "it is empty")
    if len(found) > 1:
        raise UsageError(
            f"{len(found)} deleted memories are called '{name}'", ", ".join(item.path for item in found)
        )
    item = found[0]
    (data,) = vault.repo.blobs([item.blob])
    with vault.change(caller.does("restore", reason)) as tx:
        if tx.exists(item.path) or vault.index.named(item.name):
            raise ConflictError(f"there is another {item.name} now", f"rename it, then mdmem restore {item.id}")
        tx.write(item.path, data)
    return item.path, tx.commit


def restore_version(vault: Vault, record: Record, rev: str, caller: Caller, reason: str = "") -> tuple[str, str]:
    """Make a living memory what it was at a revision; (path, commit), commit "" if it is that already."""
    _, data, commit = version(vault, record.path, rev)
    with vault.change(caller.does("restore", reason or f"As it was at {commit[:12]}.")) as tx:
        tx.write(record.path, data)
    return record.path, tx.commit


def _id_of(vault: Vault, data: bytes, path: str) -> str:
    try:
        return vault.parse(data, path).id
    except NoteError:
        return ""
