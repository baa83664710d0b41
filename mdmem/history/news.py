"""What changed since an actor was last here. Its cursor, the ref `refs/mdmem/seen/<actor>`, names a commit.

The vault as it is now is compared with the vault at that commit. So nothing is missed, whatever happened to the
history in between, and what came and went in the meantime is not reported. The commits in between say who did it.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from mdmem.errors import NoteError
from mdmem.history import past
from mdmem.history.shown import PastSight
from mdmem.note import memory
from mdmem.store import layout
from mdmem.store.git import log
from mdmem.store.git.command import AwayError
from mdmem.store.git.log import Commit
from mdmem.store.index.port import IndexedNote
from mdmem.store.index.successor import successor_of
from mdmem.store.vault.vault import Vault

_REFS = "refs/mdmem/seen/"
_RETIRED = "deprecated"


class NewsItem(NamedTuple):
    """The change to one memory: `kind` is added, revised, renamed, superseded or removed.

    `by` are the actors, latest first, and `when` is the time of the latest commit; () and None if the change is
    not committed. `other` is the old name of a renamed memory, or the name of the memory that supersedes this one.
    `record` is None for a removed memory.
    """

    kind: str
    name: str
    path: str
    record: IndexedNote | None
    by: tuple[str, ...] = ()
    when: datetime | None = None
    committed: bool = True
    other: str = ""


class News(NamedTuple):
    """The changes between two commits, latest first. `since` is "" if there is no commit to compare with.

    `when` is the time of `since`; `warning` says why the news may not be exact, "" if it is.
    """

    since: str
    when: datetime | None
    changes: tuple[NewsItem, ...] = ()
    warning: str = ""


class Reader(NamedTuple):
    """The actor that asks. `left` is when it was last here, as far as that is known without its ref."""

    actor: str
    session: str = ""
    left: datetime | None = None


def cursor(vault: Vault, actor: str) -> str:
    """The commit that an actor has seen, "" if it has never been here."""
    return vault.repo.ref(_ref(actor))


def move(vault: Vault, actor: str, new: str, old: str) -> bool:
    """Move an actor's cursor from `old` ("": none) to `new`; False if another of its sessions was faster."""
    return vault.repo.move_ref(_ref(actor), new, old)


def _ref(actor: str) -> str:
    from mdmem.note.encoded import encoded

    return _REFS + encoded(actor)


def news(vault: Vault, reader: Reader, seen: str) -> News:
    """What changed since the commit `seen`, without the reader's own writes through mdmem.

    Edits by hand are reported: to git, a person and an agent acting in their name are the same actor. If the
    commit no longer exists, the last commit before `reader.left` takes its place.
    """
    head = vault.index.head
    since, warning = start(vault, reader, seen, head)
    if not since:
        return News("", None, warning=warning)
    comparison = _Comparison(vault, reader, since, head)
    when = datetime.fromtimestamp(vault.repo.time_of(since), UTC)
    return News(since, when, comparison.latest_first(), warning or comparison.warning)


def start(vault: Vault, reader: Reader, seen: str, head: str) -> tuple[str, str]:
    """(commit from which on `news` tells of changes, "" for none; warning about it)."""
    if not (seen and head) or seen == head:
        return head and seen, ""
    if vault.repo.has_commit(seen):
        kept = bool(head) and vault.repo.is_ancestor(seen, head)
        return seen, "" if kept else "history was rewritten since, or this is another branch"
    gone = f"the commit seen last, {seen[:8]}, is gone"
    then = next(iter(vault.whole_index.told(by=reader.left, most=1)), "") if reader.left else ""
    return then, f"{gone}; going by the date" if then else f"{gone}, and its date is not known"


def _committed(vault: Vault, since: str, head: str) -> dict[str, str]:
    """path -> blob of each memory that differs between two commits: the one before, of one that was deleted."""
    shows = PastSight(vault).shows
    found = {}
    for file in log.changed(vault.repo, since, head):
        mode, blob = (file.mode, file.blob) if file.blob else (file.old_mode, file.old_blob)
        is_memory = layout.kind_of(file.path, vault.config) == layout.Kind.MEMORY
        if is_memory and mode.startswith("100") and shows(file.path):
            found[file.path] = blob
    return found


class _Comparison:
    """Compares the vault as it is now with the vault at a commit."""

    def __init__(self, vault: Vault, reader: Reader, since: str, head: str) -> None:
        self.vault = vault
        self.reader = reader
        self.warning = ""  # why the news may not be exact
        self.dirty = set(filter(PastSight(vault).shows, vault.index.uncommitted()))
        self.committed = _committed(vault, since, head) if since != head else {}
        paths = sorted(self.committed.keys() | self.dirty)
        self.before = vault.repo.blob_ids(since, paths)
        self.made = {blob: path for path, blob in self.committed.items() if path not in self.before}
        self.now = {path: vault.index.record(path) for path in paths}
        between = log.messages(vault.repo, f"{since}..{head}") if since != head else ()
        self.commits = {commit.oid: commit for commit in between}
        self.steps = vault.index.changed_in(self.commits)
        missing = [path for path in self.before if self.now[path] is None]  # or there, but not to be read
        self.gone = [path for path in missing if not os.path.lexists(os.path.join(vault.root, path))]
        deprecated = [path for path in self.before if (record := self.now[path]) and record.status == _RETIRED]
        self.then = self._then([*self.gone, *deprecated])
        homes = ((path, self._home(path, self.then.get(path))) for path in self.gone)
        self.moved = {path: home for path, home in homes if home}  # old path -> new path
        self.origins = {new: old for old, new in self.moved.items()}

    def latest_first(self) -> tuple[NewsItem, ...]:
        """The changes, latest first; those that are not committed come before all others."""
        order = {oid: at for at, oid in enumerate(self.commits)}

        def place(change: NewsItem) -> tuple[bool, int, str]:
            steps = (order[oid] for oid in self.steps.get(change.path, ()))
            return change.committed, min(steps, default=len(order)), change.path

        return tuple(sorted(self.changes(), key=place))

    def changes(self) -> Iterator[NewsItem]:
        """An item for every memory that somebody else changed, removed or added, with who did it and when."""
        for path, record in self.now.items():
            kind, origin = self._kind(path), self.origins.get(path, path)
            oids = dict.fromkeys(oid for each in dict.fromkeys((path, origin)) for oid in self.steps.get(each, ()))
            others = [commit for oid in reversed(oids) if not self._is_own(commit := self.commits[oid])]
            is_dirty = not self.dirty.isdisjoint((path, origin))
            if not kind or (oids and not others and not is_dirty):
                continue
            yield NewsItem(
                kind=kind,
                name=record.name if record else memory.stem(path),
                path=path,
                record=record,
                by=tuple(dict.fromkeys(commit.actor for commit in others)),
                when=others[0].when if others else None,
                committed=not is_dirty,
                other=memory.stem(origin) if kind == "renamed" else self._successor(kind, record),
            )

    def _successor(self, kind: str, record: IndexedNote | None) -> str:
        """The name of the memory that supersedes another; "" for other kinds of change."""
        successor = successor_of(self.vault.index, record) if kind == "superseded" and record else None
        return successor.name if successor else ""

    def _kind(self, path: str) -> str:
        """The kind of change at a path; "" if its memory moved away, or if the file just cannot be read."""
        record = self.now[path]
        if record is None:
            return "removed" if path in self.gone and path not in self.moved else ""
        if path in self.origins:
            return "renamed"
        was_retired = path in self.then and self.then[path].status == _RETIRED
        if record.status == _RETIRED and not was_retired:
            return "superseded"
        return "revised" if path in self.before else "added"

    def _then(self, paths: Sequence[str]) -> Mapping[str, memory.Memory]:
        """path -> the memory that was there before, without those that cannot be read."""
        found: dict[str, memory.Memory] = {}
        try:
            texts = list(self.vault.repo.blobs([self.before[path] for path in paths]))
        except AwayError as error:
            self.warning = f"what was renamed may be told as removed: {error.message}"
            return found
        for path, data in zip(paths, texts, strict=True):
            try:
                found[path] = self.vault.parse(data, path)
            except NoteError:
                continue
        return found

    def _home(self, path: str, note: memory.Memory | None) -> str:
        """The new path of a memory that left its old one, found by id or identical bytes; "" if there is none."""
        homes = [record.path for record in self.vault.index.with_id(note.id)] if note and note.has_id else []
        homes.append(self.made.get(self.before[path], ""))
        return next((home for home in homes if self.now.get(home) and home not in self.before), "")

    def _is_own(self, commit: Commit) -> bool:
        if not commit.operation.action:
            return False
        same_session = bool(self.reader.session) and commit.operation.session == self.reader.session
        return same_session or (bool(self.reader.actor) and past.by_any(commit, self.reader.actor))
