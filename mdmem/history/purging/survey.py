"""What a purge would do: what it finds, what it would rewrite, and what it cannot reach. Nothing is changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from mdmem.errors import NotFoundError
from mdmem.history.purging import objects, obstacles, outside
from mdmem.history.purging.objects import RawCommit
from mdmem.history.purging.obstacles import Obstacle
from mdmem.history.purging.outside import OutsideFile
from mdmem.history.purging.rewriter import PurgeTarget
from mdmem.store.git import remotes, trees
from mdmem.store.git.repo import PathChange, Repo
from mdmem.store.local.sessions import JOINED_HOURS, Sessions
from mdmem.store.progress import Progress
from mdmem.store.vault.vault import Vault

_SIGNED = (b"\ngpgsig ", b"\ngpgsig-sha256 ")


class HoldingCommit(NamedTuple):
    """A commit with the content to purge: who made it, when, and its subject as it will be."""

    id: str
    when: datetime
    author: str
    subject: str


class PurgeSurvey(NamedTuple):
    """What was found. Names and subjects are given as they will be, without the text to purge.

    `holding` are the commits that introduce the content; `rewritten` is how many get another id (those and all
    after them), `known` how many of them there were at the commit `at`: a person agrees to those, even if
    others write meanwhile; `signed` is how many lose their signature. `files` hold the content now, `past_files`
    only in the past. `refs` will move. `loose` is how many unreachable objects hold the content. `unreached` are
    sentences for the person about what a purge cannot change.
    """

    target: PurgeTarget
    holding: tuple[HoldingCommit, ...]
    rewritten: int
    known: int
    at: str
    signed: int
    files: tuple[str, ...]
    past_files: tuple[str, ...]
    refs: tuple[str, ...]
    loose: int
    outside: tuple[OutsideFile, ...]
    obstacles: tuple[Obstacle, ...]
    unreached: tuple[str, ...]

    @property
    def agree(self) -> str:
        """The value of --commits that agrees to this, even if others write meanwhile."""
        return f"{self.known}@{self.at[:8]}"


def survey(
    vault: Vault,
    target: PurgeTarget,
    now: datetime,
    home: str,
    whole_repository: bool,
    progress: Progress,
    at: str = "",
) -> PurgeSurvey:
    """Search everywhere; agents' transcripts are looked for under `home`. `progress` gets (done, total).

    The commits to agree to are counted at the commit `at`, by default the last one. Raises NotFoundError if the
    content is neither in git nor in a file.
    """
    at = at or vault.repo.head()[0]
    census = Census(vault.repo, target, progress)
    hits = outside.found(vault, target.needles, home)
    if not (census.holding or census.stored or hits):
        raise NotFoundError("nothing in this repository holds that", "check the spelling: case matters")
    rewritten = census.rewritten()
    since = vault.repo.reached("HEAD") - vault.repo.reached(at) if at else set()
    now_at, once_at = census.files()
    return PurgeSurvey(
        target,
        tuple(census.told(commit) for commit in census.history if commit.id in census.holding),
        len(rewritten),
        len(rewritten - since),
        at,
        len(rewritten & census.signed),
        now_at,
        once_at,
        census.refs(rewritten),
        len(census.stored.keys() - census.reached()),
        tuple(hits),
        tuple(obstacles.found(vault, whole_repository)),
        tuple(_unreached(vault, now)),
    )


class Census:
    """Every object and commit of a repository, and which of them a purge would change.

    `stored` maps the ids of objects with the content to purge to the ids that their new contents have as files,
    `holding` are the commits that introduce it.
    """

    def __init__(self, repo: Repo, target: PurgeTarget, progress: Progress) -> None:
        self.repo, self.target = repo, target
        self.stored: dict[str, str] = {}
        self.signed: set[str] = set()
        self.subjects: dict[str, bytes] = {}
        for item in objects.stored(repo, progress):
            self._look_at(item)
        self.history = list(objects.commits(repo, "--all"))
        self.holding = {commit.id for commit in self.history if self._brings(commit)}

    def _look_at(self, item: objects.StoredObject) -> None:
        becomes = self.target.becomes(*item)
        if becomes != item.data:
            content = b"blob %d\0" % len(becomes) + becomes
            self.stored[item.id] = hashlib.sha1(content, usedforsecurity=False).hexdigest()
        if item.kind != "blob":
            self.subjects[item.id] = becomes.partition(b"\n\n")[2].partition(b"\n")[0]
            if any(mark in item.data.partition(b"\n\n")[0] for mark in _SIGNED):
                self.signed.add(item.id)

    def _brings(self, commit: RawCommit) -> bool:
        return commit.id in self.stored or any(map(self._holds, commit.changes))

    def _holds(self, change: PathChange) -> bool:
        """Whether a file has the content to purge after a change, or its name has."""
        return change.blob in self.stored or self.target.path(change.path) != change.path

    def rewritten(self) -> set[str]:
        """The commits that get another id: those that add or remove the content, and all after them."""
        found: set[str] = set()
        for commit in reversed(self.history):
            removes = any(change.old_blob in self.stored for change in commit.changes)
            if commit.id in self.holding or removes or not found.isdisjoint(commit.parents):
                found.add(commit.id)
        return found

    def reached(self) -> set[str]:
        """The objects in some commit, and the commits and refs themselves."""
        changes = [change for commit in self.history for change in commit.changes]
        files = {blob for change in changes for blob in (change.old_blob, change.blob)}
        return files | {commit.id for commit in self.history} | {ref.id for ref in objects.refs(self.repo)}

    def files(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """(now, past): the paths of files with the content, as they will be."""
        once = {change.path for commit in self.history for change in commit.changes if self._holds(change)}
        files = trees.differences(self.repo, "", "HEAD") if self.repo.head_commit() else []
        head = {change.path for change in files if self._holds(change)}
        return self._shown(head), self._shown(once - head)

    def _shown(self, paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted({self.target.shown(path).removeprefix(self.repo.prefix) for path in paths}))

    def refs(self, rewritten: set[str]) -> tuple[str, ...]:
        """The refs that will move."""
        changed = rewritten | self.stored.keys()
        return tuple(ref.name for ref in objects.refs(self.repo) if {ref.id, ref.commit} & changed)

    def told(self, commit: RawCommit) -> HoldingCommit:
        """A commit as it may be shown, without the content to purge."""
        fields = self.target.name(commit.who).split(b"\x02")
        author, subject = fields[0], self.subjects.get(commit.id, b"")
        when = datetime.fromtimestamp(int(fields[2].split()[0]), UTC)
        return HoldingCommit(commit.id, when, *(part.decode("utf-8", "replace") for part in (author, subject)))


def _unreached(vault: Vault, now: datetime) -> Iterable[str]:
    """What a purge here cannot change, as sentences."""
    yield "other clones: each moves over with its next mdmem sync; until then it holds the old history"
    for remote in remotes.remotes(vault.repo).values():
        place = f"{remote.name} at {remotes.masked(remote.url)}"
        yield f"the host of {place}: forks, cached pages and pull requests stay with it"
    yield "backups, synchronised folders, search indexes of the system, and what was copied or printed"
    opened = Sessions(vault.root, vault.repo, vault.tell).open_since(now - timedelta(hours=JOINED_HOURS))
    for session in opened:
        yield f"what session {session.id} of {session.actor} has in its context, until it ends"
