"""The merge commit that joins two histories. It is on no branch until the sync is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError, NoteError
from mdmem.history.syncing import kinds
from mdmem.history.syncing.combine import Combined, combine
from mdmem.note import memory
from mdmem.store import operation
from mdmem.store.git import trees
from mdmem.store.git.command import GitError
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault


class Joined(NamedTuple):
    """The merge commit, the notes in it that need a person (paths in the vault), and what was decided."""

    commit: str
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def join(vault: Vault, remote: str, ours: str, theirs: str, who: Caller) -> Joined:
    """Merge two commits. Raises ConflictError for unrelated histories, and for files that a person must merge."""
    bases = trees.merge_bases(vault.repo, ours, theirs)
    if not bases:
        raise _unrelated(vault, remote)
    combined = combine(vault, _base(vault, bases), ours, theirs)
    tree = _write(vault, theirs, combined)
    names = [memory.stem(path) for path in combined.merged if not kinds.is_derived(vault, path)]
    unsettled = [f"{memory.stem(path)} is in conflict: it holds both versions" for path in combined.conflicts]
    reason = "\n".join([f"Synced with {remote}.", *(f"{line}." for line in (*combined.notices, *unsettled))])
    what = who.does("merge", reason)._replace(names=tuple(names), ids=tuple(_ids(vault, combined)))
    identity = vault.identity()
    signed = trees.Signed(author_of(who.actor, identity), identity, who.now, trees.signs(vault.repo))
    message = operation.message(what._replace(actor=what.actor or identity.name))
    commit = trees.commit(vault.repo, tree, (ours, theirs), message, signed)
    inner = tuple(path.removeprefix(vault.repo.prefix) for path in combined.conflicts)
    return Joined(commit, inner, combined.notices)


def _base(vault: Vault, bases: Sequence[str]) -> str:
    """The merge base: a commit, or for criss-cross histories the merge of their several bases."""
    base = bases[0]
    for other in bases[1:]:
        older = trees.merge_bases(vault.repo, base, other)
        if not older:
            break
        try:
            tree = _write(vault, other, combine(vault, _base(vault, older), base, other))
        except ConflictError:  # any of the bases will do
            break
        identity = vault.repo.identity()
        when = max(vault.repo.time_of(commit) for commit in (base, other))
        signed = trees.Signed(identity, identity, trees.moment(when))
        base = trees.commit(vault.repo, tree, (base, other), "the common past\n", signed)
    return base


def _write(vault: Vault, theirs: str, combined: Combined) -> str:
    try:
        return trees.write(vault.repo, theirs, combined.entries)
    except GitError as error:
        raise ConflictError(f"the two sides cannot be combined: {error}", "git pull --no-rebase") from None


def _ids(vault: Vault, combined: Combined) -> Sequence[str]:
    """The ids of the notes that were merged."""
    ids = []
    files = [combined.entries[path] for path in combined.merged]
    blobs = [file.blob for file in files if file]
    for path, data in zip(combined.merged, vault.repo.blobs(blobs), strict=True):
        try:
            ids.append(vault.parse(data, path.removeprefix(vault.repo.prefix)).id)
        except NoteError:
            continue
    return ids


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
