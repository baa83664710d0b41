"""How an old clone moves over to a purged history and keeps its own commits.

The map of commits comes with every fetch (`theirs`). Commits in it are replaced by their successors; commits made
on top of them here are made again on top of the successors, without the purged content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from mdmem.errors import ConflictError, StoppedError
from mdmem.history.purging import erasing, objects, obstacles, published
from mdmem.history.purging.objects import RawCommit
from mdmem.history.purging.published import Purges
from mdmem.history.purging.rewriter import MARK
from mdmem.history.purging.target import id_line
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.store.git import trees
from mdmem.store.git.repo import MODULE, PathChange, Repo, TreeFile
from mdmem.store.vault.vault import Vault

_STONE = re.compile(rb"\A---\nid: (\S+)\n(?:.*\n)*?purged: ")
_ID = re.compile(rb"\b[0-9a-f]{7,64}\b")
_LOSS = 10  # a purge that would change this many files and a tenth of all needs a person's consent
_MAY_BE_OLD = ("refs/heads/", "refs/tags/", "refs/remotes/", "refs/mdmem/seen/")


class Followed(NamedTuple):
    """The result of following: the refs that moved, and how many commits of this clone were made again."""

    refs: tuple[str, ...]
    carried: int


def theirs(remote: str) -> str:
    """The ref that holds the purges published by a remote."""
    return f"refs/mdmem/remotes/{remote}/purges"


def follow(vault: Vault, remote: str, there: str = "", allow_loss: bool = False) -> Followed | None:
    """Move over to the purges that a remote published, as last fetched; None if there is nothing to follow.

    `there` is the commit of the remote's branch. Raises ConflictError if that is from before a purge that was made
    here, or if something is in the way, StoppedError if many files would be lost (unless `allow_loss`); nothing is
    changed then.
    """
    repo = vault.repo.whole
    ours, published_there = Purges(repo), Purges(repo, theirs(remote))
    new = published_there.commit
    if not new or new == ours.commit or (ours.commit and repo.is_ancestor(new, ours.commit)):
        _refuse_old(vault, ours, remote, there)
        return None
    with vault.locked():
        return _follow(vault, repo, published_there, allow_loss)


def _follow(vault: Vault, repo: Repo, purges: Purges, allow_loss: bool) -> Followed | None:
    """Work out the new commit of each ref, check all of them, then move the refs at once."""
    refs = objects.refs(repo, *_MAY_BE_OLD)
    carrier = Carrier(repo, purges)
    carried = carrier.carry([ref.commit for ref in refs])
    moved = [(ref, carried[ref.commit]) for ref in refs if carried.get(ref.commit, ref.commit) != ref.commit]
    if moved:
        _require_rest(vault)
    for ref, new in moved:
        if not repo.has_commit(new):
            hint = "git fetch --all, then mdmem sync again"
            raise ConflictError(f"the new history of {ref.name} is not here", hint)
        if not allow_loss:
            _check_loss(repo, ref, new)
    swap = [[ref.name, ref.id, new] for ref, new in moved]
    swap.append([published.REF, repo.ref(published.REF), purges.commit])
    erasing.begin(vault)
    erasing.announce(vault, swap)
    return Followed(tuple(ref.name for ref, _ in moved), carrier.made) if moved else None


def _require_rest(vault: Vault) -> None:
    """Raises ConflictError if something holds on to the old history, or is unfinished."""
    for obstacle in (*obstacles.unfinished(vault), *obstacles.entangled(vault)):
        raise ConflictError(f"cannot follow a purge: {obstacle.message}", obstacle.fix)


def _check_loss(repo: Repo, ref: objects.Ref, new: str) -> None:
    """Raises StoppedError for more loss than a purge causes: it keeps all commits, and most files as is."""
    length, left = (len(repo.reached(commit)) for commit in (ref.commit, new))
    if length != left:
        raise StoppedError(
            f"{ref.name} has {counted(length, 'commit')}, and {left} in the history to follow; a purge keeps all",
            f"git log {new[:8]} shows it; if it is what you want: mdmem sync --yes",
        )
    held = sum(1 for _ in repo.files(ref.commit))
    touched = len(trees.differences(repo, ref.commit, new))
    if touched >= max(_LOSS, held // _LOSS):
        raise StoppedError(
            f"following a purge would change or take away {counted(touched, 'file')} of {held}",
            f"git diff {ref.name} {new[:8]} shows it; if that was purged on purpose: mdmem sync --yes",
        )


def _refuse_old(vault: Vault, ours: Purges, remote: str, there: str) -> None:
    """Raises ConflictError if the remote has history from before a purge made here: it must not come back."""
    if not ours.is_old(there):
        return
    for ref in objects.refs(vault.repo, f"refs/remotes/{remote}/"):
        if ours.is_old(ref.commit):
            vault.repo.run("update-ref", "--no-deref", "-d", ref.name)
    erasing.erase_old(vault.repo)
    day = moments.render(ours.last)[:10]
    raise ConflictError(f"{remote} has the history from before the purge of {day}", f"mdmem purge --push {remote}")


class Carrier:
    """Makes commits of this clone again on top of a purged history; `made` counts them.

    What was purged is learned from the old history, by comparing the oldest purged commits with their successors.
    """

    def __init__(self, repo: Repo, purges: Purges) -> None:
        self.repo, self.purges = repo, purges
        self.made = 0

    def carry(self, tips: Iterable[str]) -> dict[str, str]:
        """commit -> its successor, for all commits that `tips` reach and that change."""
        found = dict(self.purges.renewed)
        history = list(objects.commits(self.repo, *sorted(set(tips))))
        for commit in reversed(history):
            if commit.id not in found and any(parent in found for parent in commit.parents):
                parents = [found.get(parent, parent) for parent in commit.parents]
                found[commit.id] = self._again(commit, parents, found)
        return found

    def _again(self, commit: RawCommit, parents: list[str], found: dict[str, str]) -> str:
        """Make one commit again on top of other parents; the id of the new one."""
        there = {file.path for file in self.repo.files(parents[0])}
        contents: dict[str, bytes] = {}
        entries = dict(entry for change in commit.changes for entry in self._entry(change, there, contents))
        self.made += 1
        raw = next(self.repo.blobs([commit.id])).partition(b"\n\n")[2]
        message = _ID.sub(lambda id: found.get(id[0].decode(), id[0].decode()).encode(), self._without(raw))
        return trees.commit(self.repo, parents[0], entries, contents, parents, message, _people(commit))

    def _entry(
        self, change: PathChange, there: set[str], contents: dict[str, bytes]
    ) -> Iterator[tuple[str, TreeFile | None]]:
        """The entry for git that makes a change; none if the change is to a memory that was purged.

        Adds to `contents` the bytes that git does not have.
        """
        path, file = self._paths.get(change.path, change.path), change.after
        if change.old_blob and path not in there:
            return  # its memory was purged
        if file and file.mode != MODULE:
            (data,) = self.repo.blobs([file.blob])
            if any(id_line(stone).search(data) for stone in self._stones):
                return
            cleaned = self._without(data)
            if cleaned != data:
                file = file._replace(blob=trees.blob_of(cleaned, like=file.blob))
                contents[file.blob] = cleaned
        yield path, file and file._replace(path=path)

    def _without(self, data: bytes) -> bytes:
        """A text without the purged fragments."""
        for fragment in self._fragments:
            data = data.replace(fragment, MARK)
        return data

    @cached_property
    def _pairs(self) -> list[tuple[PathChange, bytes, bytes]]:
        """Each file in which one of the oldest purged commits differs from its successor, with both texts."""
        pairs = []
        for old in self.purges.first_changed:
            new = self.purges.renewed.get(old, "")
            if new and self.repo.has_commit(old) and self.repo.has_commit(new):
                for change in trees.differences(self.repo, old, new):
                    before = self._text(change.old_mode, change.old_blob)
                    pairs.append((change, before, self._text(change.mode, change.blob)))
        return pairs

    def _text(self, mode: str, blob: str) -> bytes:
        return next(self.repo.blobs([blob])) if blob and mode != MODULE else b""

    @cached_property
    def _fragments(self) -> list[bytes]:
        """The texts that were purged, longest first."""
        found: set[bytes] = set()
        for change, before, after in self._pairs:
            if change.old_blob and MARK in after:
                parts = [re.escape(part) for part in after.split(MARK)]
                match = re.fullmatch(rb"(.+?)".join(parts), before, re.S)
                found |= set(match.groups()) if match else set()
        return sorted(found, key=len, reverse=True)

    @cached_property
    def _stones(self) -> set[bytes]:
        """The ids of the memories that were purged."""
        matches = (_STONE.match(after) for _, _, after in self._pairs)
        return {match[1] for match in matches if match}

    @cached_property
    def _paths(self) -> dict[str, str]:
        """old -> new path of files that a purge only renamed."""
        made = {after: change.path for change, _, after in self._pairs if not change.old_blob}
        gone = [(change.path, before) for change, before, _ in self._pairs if not change.blob]
        return {path: made[text] for path, before in gone if (text := self._without(before)) in made}


def _people(commit: RawCommit) -> tuple[bytes, bytes]:
    """Author and committer of a commit, as `trees.commit` takes them."""
    fields = commit.who.split(b"\x02")
    author, committer = (b"%s <%s> %s" % tuple(fields[at : at + 3]) for at in (0, 3))
    return author, committer
