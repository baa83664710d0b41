"""The merge commit that joins two histories. It is on no branch until the sync is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import ConflictError
from mdmem.history.syncing import kinds
from mdmem.history.syncing.combine import Combined, combine
from mdmem.note import memory
from mdmem.store import operation
from mdmem.store.git import trees
from mdmem.store.git.command import GitError
from mdmem.store.git.trees import PathChange
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import author_of
from mdmem.store.vault.vault import Vault


class Joined(NamedTuple):
    """The merge commit and how it differs from ours and from theirs.

    `conflicts` are the notes in it that need a person (paths in the vault), `notices` say what was decided.
    """

    commit: str
    ours: tuple[PathChange, ...]
    theirs: tuple[PathChange, ...]
    conflicts: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def join(vault: Vault, remote: str, base: str, ours: str, theirs: str, who: Caller) -> Joined:
    """Merge two commits, of which `base` is the only common ancestor that counts; "" if git has to say.

    Raises ConflictError for unrelated histories, and for files that a person must merge.
    """
    bases = [base] if base else trees.merge_bases(vault.repo, ours, theirs)
    if not bases:
        raise _unrelated(vault, remote)
    combined = combine(vault, _base(vault, bases), ours, theirs)
    names = [memory.stem(path) for path in combined.merged if not kinds.is_derived(vault, path)]
    unsettled = [f"{memory.stem(path)} is in conflict: it holds both versions" for path in combined.conflicts]
    reason = "\n".join([f"Synced with {remote}.", *(f"{line}." for line in (*combined.notices, *unsettled))])
    what = who.does("merge", reason)._replace(names=tuple(names), ids=tuple(_ids(vault, combined)))
    identity = vault.identity()
    by = trees.Signed(author_of(who.actor, identity), identity, who.now)
    commit = _commit(
        vault, ours, theirs, combined, operation.message(what._replace(actor=what.actor or identity.name)), by
    )
    if trees.signs(vault.repo):
        commit = trees.signed(vault.repo, commit, by)
    inner = tuple(path.removeprefix(vault.repo.prefix) for path in combined.conflicts)
    return Joined(commit, combined.ours, combined.theirs, inner, combined.notices)


def _base(vault: Vault, bases: Sequence[str]) -> str:
    """The merge base: a commit, or for criss-cross histories the merge of their several bases."""
    base = bases[0]
    for other in bases[1:]:
        older = trees.merge_bases(vault.repo, base, other)
        if not older:
            break
        identity = vault.repo.identity()
        when = max(vault.repo.time_of(commit) for commit in (base, other))
        by = trees.Signed(identity, identity, trees.moment(when))
        try:
            combined = combine(vault, _base(vault, older), base, other)
            base = _commit(vault, base, other, combined, "the common past\n", by)
        except ConflictError:  # any of the bases will do
            break
    return base


def _commit(vault: Vault, ours: str, theirs: str, combined: Combined, message: str, by: trees.Signed) -> str:
    entries = {change.path: change.after for change in combined.theirs}
    try:
        return trees.commit(
            vault.repo.whole, theirs, entries, combined.contents, (ours, theirs), message.encode(), by.people
        )
    except GitError as error:
        raise ConflictError(f"the two sides cannot be combined: {error}", "git pull --no-rebase") from None


def _ids(vault: Vault, combined: Combined) -> Iterator[str]:
    """The ids of the notes that were merged."""
    for path, id in combined.merged.items():
        if kinds.is_note(vault, path):
            yield id or memory.derived_id(path.removeprefix(vault.repo.prefix), vault.config.id)


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
