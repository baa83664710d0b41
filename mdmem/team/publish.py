"""Brings the team's index up to a vault's HEAD.

One transaction writes the rows and the commit that they are from, so the two always agree. Git tells what
changed since the published commit. If that commit is no longer an ancestor (after a forced push or a purge), the
vault is filled again; if only settings or clearances changed, all rows are compared.

A vault states its id itself, and so does a copy of it, a fork, or anything that is pushed to a hub. What is
published under an id is replaced only by a repository that has the published commit, that has the same name and
URL, or that published it from a hub before. In a hub, only one repository may have an id.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import StoppedError, UsageError
from mdmem.note.trust import sensitivity
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store import layout
from mdmem.store.git import log, remotes
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import ENTRY, FACT
from mdmem.store.progress import Progress
from mdmem.team import schema
from mdmem.team.form import AT_ONCE, ORDINARY, PublishedReader, RowWriter
from mdmem.team.meanings import Meanings
from mdmem.team.server import Server

if TYPE_CHECKING:
    from mdmem.store.index.freshness import Index
    from mdmem.store.vault.vault import Vault

LIMIT = "medium"  # the default for the most sensitive level that is published
NOTHING, CHANGES, COMPARE, FILL = "nothing", "changes", "compared", "filled"
_NAME, _URL = "mdmem.team-name", "mdmem.team-url"  # in git's settings, which a clone does not copy
_OTHERS = (ENTRY, FACT)
_HUB = "SELECT hub FROM mdmem.publishers WHERE vault = %s"
_KEEP_HUB = "UPDATE mdmem.publishers SET hub = %s WHERE vault = %s"
_STATE = "SELECT head, rules, model, numbers, name, url FROM mdmem.vaults WHERE vault = %s"
_KNOWN = "SELECT path, mark FROM mdmem.notes WHERE vault = %s"
_OF_FILES = " AND (file = ANY(%s) OR kind = ANY(%s) OR path = ANY(%s))"
_MARKED = (
    "SELECT path, sensitivity, scope FROM mdmem.notes WHERE vault = %s AND (sensitivity <> %s OR scope <> '')"
)
_WRITE_STATE = """
INSERT INTO mdmem.vaults (vault, name, url, folder, head, published, notes, max_sensitivity, rules, model, numbers)
VALUES (%(vault)s, %(name)s, %(url)s, %(folder)s, %(head)s, now(),
  (SELECT coalesce(sum(notes), 0) FROM mdmem.sizes WHERE vault = %(vault)s), %(limit)s, %(rules)s,
  %(model)s, %(numbers)s)
ON CONFLICT (vault) DO UPDATE SET name = excluded.name, url = excluded.url,
  folder = excluded.folder, head = excluded.head,
  published = excluded.published, notes = excluded.notes, max_sensitivity = excluded.max_sensitivity,
  rules = excluded.rules, model = excluded.model, numbers = excluded.numbers
RETURNING notes
"""


class PublishRequest(NamedTuple):
    """The options of a publication.

    `max_sensitivity` is the limit, "" for the default. `refill` fills the vault again whatever is there,
    `rewind` goes back to an older commit. With `dry_run` nothing is written. `name` is the display name of the
    vault, "" for the name of its folder. `hub` is the repository of a hub to publish from, "" for a clone.
    """

    max_sensitivity: str = ""
    refill: bool = False
    rewind: bool = False
    dry_run: bool = False
    name: str = ""
    hub: str = ""


class Publication(NamedTuple):
    """What was published, or would be.

    `how` is "filled" (all rows), "changes" (what changed according to git), "compared" (every row was compared)
    or "nothing". `previous` is the commit that was published before, "" for none. `notes` is the number of rows
    that are published now, `vectors` that of the vectors written, `left_out` that of rows that are too sensitive
    or have a name that the server cannot store.
    """

    vault: str
    name: str
    head: str
    previous: str
    how: str
    written: int
    removed: int
    notes: int
    vectors: int
    left_out: int
    max_sensitivity: str


class _State(NamedTuple):
    """What the index records about a vault; the defaults stand for a vault that it does not have."""

    head: str = ""
    rules: str = ""
    model: str = ""
    numbers: int = 0
    name: str = ""
    url: str = ""


class _Source(NamedTuple):
    """The committed state of a vault, as a team may see it."""

    vault: Vault
    head: str
    catalogue: SqliteCatalogue
    reader: PublishedReader
    limit: str

    @property
    def rules(self) -> str:
        """A digest of everything besides the commit that all rows depend on."""
        parts = [schema.VERSION, *self.vault.config.of_rows, self.limit, self.catalogue.concealed.mark]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def publish(vault: Vault, server: Server, request: PublishRequest, progress: Progress) -> Publication:
    """Bring the index up to the vault's HEAD.

    Raises StoppedError for a clone that is behind what is published or lacks a part of its history, and if
    another vault has the same id; UsageError for a vault without an id, TeamError if the server refuses.
    """
    if vault.repo.shallow():
        raise StoppedError(
            "this clone lacks a part of its history, which tells when memories were made", "git fetch --unshallow"
        )
    if not vault.config.id:
        raise UsageError("this vault has no id, by which the team's index knows it", "mdmem init gives it one")
    with _committed(vault, request) as source, server.transaction(request.dry_run):
        schema.become_owner(server)
        schema.check(server)
        return _Publisher(server, source, request, progress).publish()


@contextmanager
def _committed(vault: Vault, request: PublishRequest) -> Iterator[_Source]:
    """The content of HEAD, without uncommitted changes and without what is too sensitive."""

    index = vault.whole_index
    limit = _limit(vault, request)
    committed = _at_head(index)
    try:
        seen = committed.seen_with(Clearance(limit))
        yield _Source(vault, index.head, seen, PublishedReader(vault.config.id, seen), limit)
    finally:
        if committed is not index:
            committed.close()


def _at_head(index: Index) -> SqliteCatalogue:
    """The rows of what is committed: those of the index itself if it holds nothing else."""
    from mdmem.store.index import snapshot

    if not index.head:
        return SqliteCatalogue.in_memory()
    return snapshot.at(index, index.head) if index.differing() else index


def _limit(vault: Vault, request: PublishRequest) -> str:
    """The most sensitive level to publish: the requested one, or else at most LIMIT."""
    if request.max_sensitivity:
        return sensitivity.limit_of(request.max_sensitivity, "--max-sensitivity")
    return sensitivity.lower(LIMIT, vault.clearance.limit, vault.config.trust.max_sensitivity or LIMIT)


class _Publisher:
    """One publication, within its transaction."""

    def __init__(self, server: Server, source: _Source, request: PublishRequest, progress: Progress) -> None:
        self._server = server
        self._source = source
        self._request = request
        self._progress = progress
        self._id = source.vault.config.id
        self._written = self._removed = self._unstorable = 0

    def publish(self) -> Publication:
        source = self._source
        schema.claim(self._server, self._id)
        rows = self._server.run(_STATE, [self._id])
        before = _State(*rows[0]) if rows else _State()
        self._require_own(before)
        meanings = Meanings(self._server, source.vault, source.reader, (before.model, before.numbers))
        how = self._way(before.head, before.rules) if rows else FILL
        how = how if meanings.is_same else FILL
        if how == FILL:
            schema.clear(self._server, self._id)
        if how != NOTHING:
            self._update(self._touched(before.head) if how == CHANGES else None)
        new, gone = meanings.update(how == FILL)
        return Publication(
            vault=self._id,
            name=self._name,
            head=source.head,
            previous=before.head,
            how=CHANGES if how == NOTHING and (new or gone) else how,
            written=self._written,
            removed=self._removed,
            notes=self._remember(meanings),
            vectors=new,
            left_out=len(source.catalogue.concealed.paths) + self._unstorable,
            max_sensitivity=source.limit,
        )

    def _require_own(self, before: _State) -> None:
        """Raise StoppedError if another vault with the same id is published."""
        told, own = self._server.run(_HUB, [self._id]), self._request.hub
        hub = str(told[0][0]) if told else ""
        if own and hub not in ("", own):
            raise StoppedError(
                "another repository of the hub publishes a vault of the same id",
                "a copy needs an id of its own in mdmem.toml; if the other is gone: mdmem team drop",
            )
        is_known = not before.head or self._source.vault.repo.has_commit(before.head)
        is_same_place = hub == own if own else (before.name, before.url) == (self._name, self._url)
        if not (is_known or is_same_place or self._request.refill):
            raise StoppedError(
                "what is published under this vault's id has another history, which this repository lacks",
                "a copy needs an id of its own in mdmem.toml; if it is this vault's: mdmem publish --refill",
            )

    def _way(self, previous: str, rules: str) -> str:
        """How to get from what is published to HEAD."""
        head, repo = self._source.head, self._source.vault.repo
        if self._request.refill:
            return FILL
        if previous == head:
            return NOTHING if rules == self._source.rules else COMPARE
        if not (previous and head and repo.has_commit(previous)):
            return FILL
        if repo.is_ancestor(previous, head):
            return CHANGES if rules == self._source.rules else COMPARE
        if repo.is_ancestor(head, previous) and not self._request.rewind:
            raise StoppedError(
                f"the team's index is ahead of this clone, at {previous[:10]}",
                "mdmem sync brings that in; if history was set back on purpose: mdmem publish --rewind",
            )
        return FILL

    # -- what is different ---------------------------------------------------------------------------------

    def _touched(self, previous: str) -> set[str]:
        """The files whose rows may have changed since a commit.

        They are the files that later commits changed, and those whose times depend on them.
        """
        repo, head = self._source.vault.repo, self._source.head
        net = {change.path for change in log.changed(repo, previous, head)}
        on_the_way = {change.path for step in log.steps(repo, f"{previous}..{head}") for change in step.changed}
        return self._source.catalogue.heirs(net | on_the_way)

    def _update(self, files: set[str] | None) -> None:
        """Make the rows of some files, or of all (None), agree with HEAD."""
        known, keys = self._known(files), self._keys(files)
        writer = RowWriter(self._server, self._id)
        for at in range(0, len(keys), AT_ONCE):
            some = keys[at : at + AT_ONCE]
            rows = list(self._source.reader.read(some))
            self._unstorable += len(some) - len(rows)
            changed = [row for row in rows if known.get(row.path) != row.note["mark"]]
            writer.remove([row.path for row in changed if row.path in known])
            writer.write(changed)
            self._written += len(changed)
            self._progress(at + len(some), len(keys))
        gone = sorted(known.keys() - set(keys))
        writer.remove(gone)
        writer.settle()
        self._removed = len(gone)

    def _keys(self, files: set[str] | None) -> list[str]:
        """The keys of the current rows of some files, and of rows that these files affect."""
        catalogue = self._source.catalogue
        if files is None:
            return catalogue.keys()
        others = catalogue.keys(kinds=_OTHERS) if self._touches_raw(files) else []
        return sorted({*catalogue.keys(files), *others, *self._of_other_trust})

    def _known(self, files: set[str] | None) -> dict[str, bytes]:
        """path -> mark of the same rows in the index."""
        if files is None:
            return dict(self._server.run(_KNOWN, [self._id]))
        kinds = list(_OTHERS) if self._touches_raw(files) else []
        values = [self._id, sorted(files), kinds, self._of_other_trust]
        return dict(self._server.run(_KNOWN + _OF_FILES, values))

    def _touches_raw(self, files: Iterable[str]) -> bool:
        """Whether one of the files is raw: it may affect rows of other files."""
        config = self._source.vault.config
        return any(layout.kind_of(path, config) == layout.Kind.RAW for path in files)

    @cached_property
    def _of_other_trust(self) -> list[str]:
        """The rows whose level or scope has changed because of their sources."""
        rows = self._server.run(_MARKED, [self._id, sensitivity.UNMARKED])
        before = {path: (level, scope) for path, level, scope in rows}
        trust = self._source.reader.trust
        now = {path: trust[path] for path in self._source.catalogue.shown(trust)}
        return sorted(
            path for path in before.keys() | now.keys() if before.get(path, ORDINARY) != now.get(path, ORDINARY)
        )

    # -- the state ------------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        vault = self._source.vault
        return vault.repo.known(_NAME, own=True) or self._request.name or os.path.basename(vault.root)

    @property
    def _url(self) -> str:
        repo = self._source.vault.repo
        known = remotes.remotes(repo)
        remote = known.get("origin") or next(iter(known.values()), None)
        return remotes.public(repo.known(_URL, own=True) or (remote.url if remote else ""))

    def _remember(self, meanings: Meanings) -> int:
        """Record the commit that the rows are from; returns the number of rows."""
        values = {
            "vault": self._id,
            "name": self._name,
            "url": self._url,
            "folder": self._source.vault.repo.prefix,
            "head": self._source.head,
            "limit": self._source.limit,
            "rules": self._source.rules,
            "model": meanings.model,
            "numbers": meanings.numbers,
        }
        if self._request.hub:
            self._server.run(_KEEP_HUB, [self._request.hub, self._id])
        return int(self._server.run(_WRITE_STATE, values)[0][0])
