"""What a purge publishes, which commit replaced which, and how other clones and remotes move over to it.

The ref `refs/mdmem/purges` is a branch with one commit per purge. Its tree holds `commit-map`, with one line
`OLD NEW` for each commit rewritten by any purge so far, and `first-changed`, the ids of the oldest of these: ids
only, no content. It comes with every fetch (`purges_of`). In an old clone, commits in the map are replaced by
their successors; commits made on top of them are made again on top of the successors, without the purged content.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple

from mdmem.errors import ConflictError, StoppedError, UsageError
from mdmem.history.purging import erasing, objects
from mdmem.history.purging.objects import RawCommit, Ref
from mdmem.history.purging.rewriter import MARK
from mdmem.history.purging.survey import entangled
from mdmem.history.purging.target import id_line
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.store.git import log, remotes, trees
from mdmem.store.git.folder import PURGES, purges_of
from mdmem.store.git.repo import MODULE, PathChange, Repo, TreeFile
from mdmem.store.git.trees import Signed
from mdmem.store.vault.vault import Vault

_MAP, _FIRST = "commit-map", "first-changed"


class Purges:
    """The purges published in a repository; none if `commit` is ""."""

    def __init__(self, repo: Repo, ref: str = PURGES) -> None:
        self.repo = repo
        self.commit = repo.ids([ref])[0]

    @cached_property
    def renewed(self) -> dict[str, str]:
        """old commit -> the commit that replaced it."""
        lines = (line.split() for line in self._read(_MAP))
        return {pair[0]: pair[1] for pair in lines if len(pair) == 2}

    @cached_property
    def first_changed(self) -> list[str]:
        """The oldest purged commits: any history that contains one of them is old."""
        return self._read(_FIRST)

    def is_old(self, commit: str) -> bool:
        """Whether a commit that is here belongs to the history from before a purge."""
        if commit in self.renewed or not commit:
            return bool(commit)
        known = filter(self.repo.has_commit, self.first_changed)
        return self.repo.has_commit(commit) and any(self.repo.is_ancestor(id, commit) for id in known)

    def _read(self, name: str) -> list[str]:
        if not self.commit:
            return []
        return next(self.repo.blobs([f"{self.commit}:{name}"])).decode("ascii", "replace").splitlines()


def publish(repo: Repo, renewed: Mapping[str, str], first: Iterable[str], message: str, by: Signed) -> None:
    """Add a purge to what was published before."""
    before = Purges(repo)
    whole = {old: renewed.get(new, new) for old, new in before.renewed.items()} | dict(renewed)
    files = {
        _MAP: "".join(f"{old} {new}\n" for old, new in sorted(whole.items())).encode(),
        _FIRST: "".join(f"{id}\n" for id in sorted({*before.first_changed, *first})).encode(),
    }
    made = trees.commit_files(repo, files, [before.commit] if before.commit else [], message, by)
    repo.run("update-ref", PURGES, made)


# -- to a remote -------------------------------------------------------------------------------------------

_PEELED = "^{}"
_REPLACED = ("refs/heads/", "refs/tags/", "refs/notes/")


class PushedPurge(NamedTuple):
    """The refs replaced in a remote, and those that still hold old history there, to be deleted by hand."""

    remote: str
    refs: tuple[str, ...]
    left: tuple[str, ...]


def push(repo: Repo, remote: str) -> PushedPurge:
    """Replace all refs of a remote that hold old history, all of them or none.

    Raises UsageError if nothing was purged or there is no such remote, ConflictError if the remote has commits
    that are not here, AwayError, GitError.
    """
    purges = Purges(repo)
    if not purges.commit:
        raise UsageError("nothing was purged here", "mdmem purge NAME, or mdmem purge --text")
    if remote not in remotes.remotes(repo):
        raise UsageError(f"there is no remote {remote}", "git remote -v lists them")
    here = {ref.name: ref.id for ref in objects.refs(repo)}
    there = remotes.refs(repo, remote, "refs/*")
    moves, left = [], []  # (ref, the id that it is expected to have there, the id that it is to get); names
    for name, id in there.items():
        if name.endswith(_PEELED):
            continue
        commit = there.get(name + _PEELED, id)
        new = here.get(name) or purges.renewed.get(commit, "")
        is_replaced = name.startswith(_REPLACED) and new not in ("", id)
        if is_replaced:
            _require_here(purges, name, commit)
        is_old = purges.is_old(commit)
        if is_replaced and (is_old or name.startswith("refs/notes/")):
            moves.append((name, id, new))
        elif is_old:
            left.append(name)
    if there.get(PURGES) != purges.commit:
        moves.append((PURGES, there.get(PURGES, ""), purges.commit))
    remotes.replace(repo, remote, moves)
    return PushedPurge(remote, tuple(name for name, _, _ in moves), tuple(left))


def _require_here(purges: Purges, name: str, commit: str) -> None:
    """Raises ConflictError for a branch with commits that a push would lose."""
    if name.startswith("refs/heads/") and not (commit in purges.renewed or purges.repo.has_commit(commit)):
        shown = name.removeprefix("refs/heads/")
        raise ConflictError(
            f"{shown} has commits there that are not here", "they come by mdmem sync, in an old clone"
        )


# -- to an old clone ---------------------------------------------------------------------------------------

_STONE = re.compile(rb"\A---\nid: (\S+)\n(?:.*\n)*?purged: ")
_ID = re.compile(rb"\b[0-9a-f]{7,64}\b")
_LOSS = 10  # a purge that would change this many files and a tenth of all needs a person's consent
_MAY_BE_OLD = ("refs/heads/", "refs/tags/", "refs/remotes/", "refs/mdmem/seen/")


def follow(vault: Vault, remote: str, there: str = "", allow_loss: bool = False) -> bool:
    """Move over to the purges that a remote published, as last fetched; False if there is nothing to follow.

    `there` is the commit of the remote's branch. Raises ConflictError if that is from before a purge that was made
    here, or if something is in the way, StoppedError if many files would be lost (unless `allow_loss`); nothing is
    changed then.
    """
    repo = vault.repo.whole
    ours, purges = Purges(repo), Purges(repo, purges_of(remote))
    new = purges.commit
    if not new or new == ours.commit or (ours.commit and repo.is_ancestor(new, ours.commit)):
        if ours.commit and ours.is_old(there):
            _refuse_old(repo, ours, remote)
        return False
    with vault.locked():
        carried = _Carrier(repo, purges).carried(refs := objects.refs(repo, *_MAY_BE_OLD))
        moved = [(ref, carried[ref.commit]) for ref in refs if carried.get(ref.commit, ref.commit) != ref.commit]
        for obstacle in entangled(repo) if moved else ():
            raise ConflictError(f"cannot follow a purge: {obstacle.message}", obstacle.fix)
        for ref, successor in moved:
            _require_whole(repo, ref, successor, allow_loss)
        erasing.begin(vault)
        swap = [[ref.name, ref.id, successor] for ref, successor in moved]
        erasing.announce(vault, [*swap, [PURGES, ours.commit, new]])
    return bool(moved)


def _require_whole(repo: Repo, ref: Ref, new: str, allow_loss: bool) -> None:
    """Raises ConflictError for a missing successor, StoppedError for more loss than a purge causes.

    A purge keeps all commits, and most files as they are.
    """
    if not repo.has_commit(new):
        raise ConflictError(f"the new history of {ref.name} is not here", "git fetch --all, then mdmem sync again")
    if allow_loss:
        return
    length, left = (len(repo.reached(commit)) for commit in (ref.commit, new))
    if length != left:
        raise StoppedError(
            f"{ref.name} has {counted(length, 'commit')}, and {left} in the history to follow; a purge keeps all",
            f"git log {new[:8]} shows it; if it is what you want: mdmem sync --yes",
        )
    held = sum(1 for _ in repo.files(ref.commit))
    touched = sum(1 for _ in log.changed(repo, ref.commit, new))
    if touched >= max(_LOSS, held // _LOSS):
        raise StoppedError(
            f"following a purge would change or take away {counted(touched, 'file')} of {held}",
            f"git diff {ref.name} {new[:8]} shows it; if that was purged on purpose: mdmem sync --yes",
        )


def _refuse_old(repo: Repo, ours: Purges, remote: str) -> None:
    """Raises ConflictError, as a remote has history from before a purge made here: it must not come back."""
    for ref in objects.refs(repo, f"refs/remotes/{remote}/"):
        if ours.is_old(ref.commit):
            repo.run("update-ref", "--no-deref", "-d", ref.name)
    erasing.erase_old(repo)
    day = moments.render(datetime.fromtimestamp(repo.time_of(ours.commit), UTC))[:10]
    raise ConflictError(f"{remote} has the history from before the purge of {day}", f"mdmem purge --push {remote}")


class _Carrier:
    """Makes commits of this clone again on top of a purged history.

    What was purged is learned from the old history, by comparing the oldest purged commits with their successors.
    """

    def __init__(self, repo: Repo, purges: Purges) -> None:
        self.repo, self.purges = repo, purges
        found = list(self._differences())
        stones = (_STONE.match(after) for _, _, after in found)
        self.ids = {id_line(stone[1]) for stone in stones if stone}  # of the memories that were purged
        fragments = {part for change, *texts in found if change.old_blob for part in _fragments(*texts)}
        self.fragments = sorted(fragments, key=len, reverse=True)  # the texts that were purged
        made = {after: change.path for change, _, after in found if not change.old_blob}
        gone = ((change.path, self._without(before)) for change, before, _ in found if not change.blob)
        self.paths = {path: made[text] for path, text in gone if text in made}  # of files that were only renamed

    def _differences(self) -> Iterator[tuple[PathChange, bytes, bytes]]:
        """Each file in which one of the oldest purged commits differs from its successor, with both texts."""
        for old in self.purges.first_changed:
            new = self.purges.renewed.get(old, "")
            if new and self.repo.has_commit(old) and self.repo.has_commit(new):
                for change in log.changed(self.repo, old, new):
                    sides = ((change.old_mode, change.old_blob), (change.mode, change.blob))
                    blobs = [blob if mode != MODULE else "" for mode, blob in sides]
                    before, after = (next(self.repo.blobs([blob])) if blob else b"" for blob in blobs)
                    yield change, before, after

    def carried(self, refs: Iterable[Ref]) -> dict[str, str]:
        """commit -> its successor, for all commits that refs reach and that change."""
        found = dict(self.purges.renewed)
        for commit in reversed(list(objects.commits(self.repo, *sorted({ref.commit for ref in refs})))):
            if commit.id not in found and any(parent in found for parent in commit.parents):
                parents = [found.get(parent, parent) for parent in commit.parents]
                found[commit.id] = self._again(commit, parents, found)
        return found

    def _again(self, commit: RawCommit, parents: list[str], found: dict[str, str]) -> str:
        """Make one commit again on top of other parents; the id of the new one."""
        there = {file.path for file in self.repo.files(parents[0])}
        contents: dict[str, bytes] = {}
        entries = dict(entry for change in commit.changes for entry in self._entry(change, there, contents))
        raw = next(self.repo.blobs([commit.id])).partition(b"\n\n")[2]
        message = _ID.sub(lambda id: found.get(id[0].decode(), id[0].decode()).encode(), self._without(raw))
        fields = commit.who.split(b"\x02")
        author, committer = (b"%s <%s> %s" % tuple(fields[at : at + 3]) for at in (0, 3))
        return trees.commit(self.repo, parents[0], entries, contents, parents, message, (author, committer))

    def _entry(
        self, change: PathChange, there: set[str], contents: dict[str, bytes]
    ) -> Iterator[tuple[str, TreeFile | None]]:
        """The entry for git that makes a change; none if the change is to a memory that was purged.

        Adds to `contents` the bytes that git does not have.
        """
        path, file = self.paths.get(change.path, change.path), change.after
        if change.old_blob and path not in there:
            return  # its memory was purged
        if file and file.mode != MODULE:
            (data,) = self.repo.blobs([file.blob])
            if any(id.search(data) for id in self.ids):
                return
            cleaned = self._without(data)
            if cleaned != data:
                file = file._replace(blob=self.repo.blob_id(cleaned))
                contents[file.blob] = cleaned
        yield path, file and file._replace(path=path)

    def _without(self, data: bytes) -> bytes:
        """A text without the purged fragments."""
        for fragment in self.fragments:
            data = data.replace(fragment, MARK)
        return data


def _fragments(before: bytes, after: bytes) -> Iterable[bytes]:
    """What a purge took out of a text."""
    parts = [re.escape(part) for part in after.split(MARK)]
    match = re.fullmatch(rb"(.+?)".join(parts), before, re.S) if MARK in after else None
    return match.groups() if match else ()
