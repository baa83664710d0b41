"""Adds records, and revises them without losing what they said: supersede, fork, merge, retract, contest.

Each is one commit, or changes nothing. An invalid record is refused. An episodic record states what happened, and
cannot be revised.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import NoteError, UsageError
from mdmem.note import decay, fields, memory, moments
from mdmem.note.memory import as_flag
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.note.yamltext import Value
from mdmem.store.appendonly import IMMUTABLE, immutable
from mdmem.store.index.edges import targets_of
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller, Operation, Written
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.systems.format import nested
from mdmem.systems.membrane.audit import SOURCE
from mdmem.systems.membrane.record import TYPES, Record, body_of, faults, properties_of, usual
from mdmem.systems.membrane.records import VaultRecords, parsed
from mdmem.write import edit, remember, succession
from mdmem.write.edit import Check, Edit
from mdmem.write.remember import Draft, Remembered

# What a new record inherits from the first one it comes from, unless it states otherwise.
_HERITAGE = "type category topic project tags sensitivity scope origin decay deletion_policy".split()
_RETRACTED: dict[str, Value] = {"status": "retracted", "salience": 0.0}


class Descent(NamedTuple):
    """A new record and the paths of those it came from; `commit` is the id of the one commit."""

    path: str
    id: str
    title: str
    origins: tuple[str, ...]
    commit: str


def from_json(vault: Vault, text: str, type: str, caller: Caller, name: str = "") -> Draft:
    """A draft of a new record from JSON: a whole record, or only its payload; missing fields get defaults.

    Raises UsageError that names the invalid field and what is allowed.
    """
    values = [value for _, value in parsed(text, "the record given")]
    if len(values) != 1 or not isinstance(values[0], dict):
        raise UsageError(
            "give one record as a JSON object", f"mdmem remember --type {type} --edit opens a template"
        )
    given = values[0] if "payload" in values[0] else {"payload": values[0]}
    if given.get("type", type) != type:
        raise UsageError(f"its type is {given['type']}, not {type}", f"say --type {given['type']}")
    value = _completed(given, type, caller)
    for fault in faults(value):
        raise UsageError(f"{fault.field or 'the record'} {fault.message}", fault.fix)
    if value["audit_log"]:
        raise UsageError("audit_log is made from history", "leave it out; mdmem import membrane keeps one")
    properties = properties_of(value, VaultRecords(vault).link_of)
    if "updated_at" not in given:
        del properties["updated"]  # it is the time of the last commit
    return Draft(body_of(value), properties, name)


def _completed(given: Mapping[str, Any], type: str, caller: Caller) -> Record:
    """The record with defaults for all fields that `given` leaves out."""
    created, payload = given.get("created_at", moments.render(caller.now)), given["payload"]
    source = _source("event", caller.session or "mdmem remember", caller)
    defaults = usual(type, created, created, source) | {"lifecycle.deletion_policy": "auto_prune"}
    kinded = {"kind": type, **payload} if isinstance(payload, dict) else payload
    return {"id": remember.new_id(caller.now), **nested(defaults), "audit_log": [], **given, "payload": kinded}


def add(vault: Vault, draft: Draft, type: str, caller: Caller, reason: str = "") -> Remembered:
    """Write a new record of the given type in one commit.

    Raises NoteError with the line and field that make it invalid, UsageError for a draft of another type, and as
    `write.remember`.
    """
    draft = remember.require_fit(draft)
    if draft.properties.get("type") != type:
        raise UsageError(f"its type is {draft.properties.get('type')}, not {type}", f"write type: {type}")
    with vault.change(caller.does("create", reason)) as tx:
        done = _staged(vault, tx, draft, caller)
    return done._replace(commit=tx.commit)


def revise(
    vault: Vault,
    records: Sequence[IndexedNote],
    change: Edit,
    caller: Caller,
    reason: str = "",
    check: Check | None = None,
) -> Written:
    """Change memories in one commit, of which records stay valid; `check` as in `write.edit.update_all`.

    Raises UsageError for an episodic record, NoteError for a change that makes a record invalid, and as
    `write.edit.update_all`.
    """
    of_records = [record for record in records if record.type in RECORD_TYPES_OF.values()]
    require_mutable(of_records)
    known_records = VaultRecords(vault)

    def require_valid(record: IndexedNote, before: bytes, after: bytes) -> None:
        if check:
            check(record, before, after)
        if record not in of_records:
            return
        known = {problem.message for problem in known_records.problems(record.path, before, record.created)}
        for problem in known_records.problems(record.path, after, record.created):
            if problem.message not in known:
                raise NoteError(problem)

    return edit.update_all(vault, records, change, caller, reason, require_valid)


def supersede(vault: Vault, old: IndexedNote, draft: Draft, caller: Caller, reason: str = "") -> Descent:
    """Replace a record by a new one: the old one is retracted, loses its salience, and names its successor.

    Several records may supersede the same one; all of them stay. Raises UsageError for an episodic record,
    ConflictError for a name that is taken, NotFoundError if the old record is gone.
    """
    done = _derived(vault, [old], draft, "supersedes", caller, caller.does("revise", reason), retires=True)
    if successors := targets_of(old.meta.get("superseded_by")):
        vault.tell(f"{old.name} is superseded already, by {', '.join(successors)}; both stand now")
    return done


def fork(vault: Vault, source: IndexedNote, draft: Draft, caller: Caller, reason: str = "") -> Descent:
    """Derive a new record from one that stays as it is. Raises as `supersede`."""
    what = caller.does("fork", reason, (SOURCE, source.id))
    return _derived(vault, [source], draft, "derived_from", caller, what, retires=False)


def merge(vault: Vault, sources: Sequence[IndexedNote], draft: Draft, caller: Caller, reason: str = "") -> Descent:
    """Merge two or more records into a new one; they are retracted and name it. Raises as `supersede`."""
    if len(sources) < 2:
        raise UsageError("there is nothing to merge", "name two records or more")
    return _derived(vault, sources, draft, "derived_from", caller, caller.does("merge", reason), retires=True)


def retract(vault: Vault, records: Sequence[IndexedNote], caller: Caller, reason: str = "") -> Written:
    """Mark records as retracted, without salience; they stay. Raises UsageError for an episodic record."""
    require_mutable(records)
    with vault.change(caller.does("delete", reason or "retracted")) as tx:
        for record in records:
            _set(tx, record.path, _RETRACTED)
    return Written(tuple(record.path for record in records), tx.commit)


def contest(vault: Vault, record: IndexedNote, other: IndexedNote, caller: Caller, reason: str = "") -> Written:
    """Mark a record as contested by another; both stay.

    Raises UsageError for an episodic record, or if both are the same record.
    """
    require_mutable([record])
    if record.path == other.path:
        raise UsageError(f"{record.name} cannot contest itself", "name the record that speaks against it")
    link = succession.link_to(vault, other)
    with vault.change(caller.does("revise", reason or f"contested by {other.name}")) as tx:
        note = memory.parse(tx.require(record.path), record.path)
        known = [item for item in note.strings("contested_by") if item != link]
        _set(tx, record.path, {"status": "contested", "contested_by": [*known, link]})
    return Written((record.path,), tx.commit)


def _derived(
    vault: Vault,
    origins: Sequence[IndexedNote],
    draft: Draft,
    relation: str,
    caller: Caller,
    what: Operation,
    *,
    retires: bool,
) -> Descent:
    """Write a record that comes from others; if it `retires` them, they are retracted and name it."""
    require_mutable(origins)
    draft = _descendant(vault, draft, origins, relation, caller)
    with vault.change(what) as tx:
        for origin in origins:
            tx.require(origin.path)
        done = _staged(vault, tx, draft, caller)
        for path in [origin.path for origin in origins if retires]:
            tx.write(path, succession.deprecated(tx.require(path), path, memory.stem(done.path)))
            _set(tx, path, _RETRACTED)
    return Descent(done.path, done.id, done.title, tuple(origin.path for origin in origins), tx.commit)


def _staged(vault: Vault, tx: Transaction, draft: Draft, caller: Caller) -> Remembered:
    """Write a new note. Raises NoteError if it is of a record type and not valid."""
    done = remember.stage(vault, tx, draft, caller)
    if draft.properties.get("type") in TYPES:
        for problem in VaultRecords(vault).problems(done.path, tx.require(done.path), moments.render(caller.now)):
            raise NoteError(problem)
    return done


def require_mutable(records: Sequence[IndexedNote]) -> None:
    """Raises UsageError for an episodic record."""
    for record in records:
        if RECORD_TYPES_OF.get(record.type) in IMMUTABLE:
            raise immutable(record.name)


def _set(tx: Transaction, path: str, changes: Mapping[str, Value]) -> None:
    tx.write(path, fields.set_fields(tx.require(path), changes, path))


def _descendant(
    vault: Vault, draft: Draft, origins: Sequence[IndexedNote], relation: str, caller: Caller
) -> Draft:
    """The draft of a record derived from others, with inherited properties, links to them, and its sources."""
    given = dict(draft.properties)
    heritage: dict[str, Any] = {key: origins[0].meta[key] for key in _HERITAGE if key in origins[0].meta}
    links = [succession.link_to(vault, origin) for origin in origins]
    written = [f"[[{target}]]" for target in targets_of(given.get(relation))]
    listed = given.get("provenance")
    sources = [
        *(listed if isinstance(listed, list) else []),
        *(_source("artifact", origin.id, caller) for origin in origins),
    ]
    properties = {
        **heritage,
        "status": "active",
        "salience": 1.0,
        **given,
        relation: list(dict.fromkeys([*written, *links])),
        "provenance": sources,
    }
    return remember.require_fit(Draft(draft.text, properties, draft.name))


def _source(kind: str, ref: str, caller: Caller) -> dict[str, Value]:
    """A ProvenanceSource of a record that a caller writes."""
    who: dict[str, Value] = {"created_by": caller.actor} if caller.actor else {}
    return {"kind": kind, "ref": ref, **who, "timestamp": moments.render(caller.now)}


# -- salience: reinforce, penalize, pin, prune -----------------------------------------------------------------
#
# Changes the salience of records: reinforce, penalize, pin, prune. Each call is one commit.
#
# Salience is written only here and when a record is made or revised. Decay over time is computed on reading
# (`note.decay`).


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
            saliences = (decay.effective(each.meta, created, caller.now) for each in (note, after))
            changes.append(SalienceChange(record.path, *saliences))
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
