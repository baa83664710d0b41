"""Changes the salience of records: reinforce, penalize, pin, prune. Each call is one commit.

Salience is written only here and when a record is made or revised. Decay over time is computed on reading
(`note.decay`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.note import decay, fields
from mdmem.note.memory import as_flag
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault


class SalienceChange(NamedTuple):
    """The effective salience (0 up) of a record before and after, None where it has none."""

    path: str
    before: float | None
    after: float | None


class Adjusted(NamedTuple):
    """The salience changes of one call, and their commit, "" if nothing changed."""

    changes: tuple[SalienceChange, ...]
    commit: str


Properties = Mapping[str, Any]
_Adjust = Callable[[Properties, str], dict[str, Any]]  # those of a note and its creation -> those to set


def reinforce(
    vault: Vault, records: Sequence[IndexedNote], caller: Caller, reason: str = "", gain: float | None = None
) -> Adjusted:
    """Raise salience by `gain` (0 up), or by each record's own gain if None: to max(s, min(1, s + gain)).

    Raises NoteError for a header that cannot be edited safely; nothing is changed then.
    """

    def adjust(meta: Properties, created: str) -> dict[str, Any]:
        return decay.reinforced(meta, created, caller.now, decay.gain_of(meta) if gain is None else gain)

    return _adjusted(vault, records, adjust, caller, "reinforce", reason)


def penalize(
    vault: Vault, records: Sequence[IndexedNote], amount: float, caller: Caller, reason: str = ""
) -> Adjusted:
    """Lower salience by `amount`, down to each record's floor. Raises UsageError for an invalid amount."""

    def adjust(meta: Properties, created: str) -> dict[str, Any]:
        return decay.penalized(meta, created, caller.now, amount)

    why = f"penalty: {reason or f'{amount:g}'}"
    return _adjusted(vault, records, adjust, caller, "decay", why)


def pin(
    vault: Vault, records: Sequence[IndexedNote], caller: Caller, reason: str = "", *, on: bool = True
) -> Adjusted:
    """Keep records from decaying, or with `on` False let them decay again from now on."""

    def adjust(meta: Properties, created: str) -> dict[str, Any]:
        return {} if as_flag(meta.get("pinned")) == on else decay.pinned(meta, created, caller.now, on=on)

    return _adjusted(vault, records, adjust, caller, "revise", reason or ("pinned" if on else "unpinned"))


def _adjusted(
    vault: Vault, records: Sequence[IndexedNote], adjust: _Adjust, caller: Caller, action: str, reason: str
) -> Adjusted:
    changes = []
    with vault.change(caller.does(action, reason)) as tx:
        for record in records:
            data = tx.require(record.path)
            note = vault.parse(data, record.path)
            created = note.created or record.created
            data = fields.set_fields(data, adjust(note.meta, created), record.path)
            after = vault.parse(data, record.path)
            tx.write(record.path, data)
            saliences = [decay.effective(each.meta, created, caller.now) for each in (note, after)]
            changes.append(SalienceChange(record.path, saliences[0], saliences[1]))
    return Adjusted(tuple(changes), tx.commit)


def prune(
    vault: Vault,
    caller: Caller,
    reason: str = "",
    *,
    strict: bool = False,
    dry_run: bool = False,
    allow_loss: bool = False,
) -> Adjusted:
    """Delete the records that have faded and whose policy allows pruning (see `decay.is_spent`).

    Records with the policy `manual_only`, `never` or none stay, as do pinned ones and those with an unreadable
    header. With `dry_run` nothing is changed. Raises StoppedError for more deletions than the circuit breaker
    allows, unless `allow_loss`.
    """

    def is_spent(meta: Properties, record: IndexedNote) -> bool:
        return decay.is_spent(meta, record.created, caller.now, strict=strict)

    gone, commit = [record for record in vault.index.records() if is_spent(record.meta, record)], ""
    if not dry_run:
        with vault.change(caller.does("decay", reason or "pruned: faded"), allow_loss) as tx:
            notes = [(vault.parse(tx.require(record.path), record.path), record) for record in gone]
            gone = [record for note, record in notes if not note.problems and is_spent(note.meta, record)]
            for record in gone:
                tx.delete(record.path)
        commit = tx.commit
    changes = (
        SalienceChange(record.path, decay.standing(record.meta, record.created, caller.now), None)
        for record in gone
    )
    return Adjusted(tuple(changes), commit)
