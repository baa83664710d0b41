"""Adds a new record, given as JSON or written as a note; an invalid one is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mdmem.errors import UsageError
from mdmem.note import moments
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.format import nested
from mdmem.systems.membrane import record, revision, schema
from mdmem.systems.membrane.importing import parsed
from mdmem.systems.membrane.record import Record
from mdmem.systems.membrane.view import VaultRecords
from mdmem.write import remember
from mdmem.write.remember import Draft, Remembered

_GIVEN = "the record given"


def from_json(vault: Vault, text: str, type: str, caller: Caller, title: str = "", name: str = "") -> Draft:
    """A draft of a new record from JSON: a whole record, or only its payload; missing fields get defaults.

    Raises UsageError that names the invalid field and what is allowed.
    """
    values = [value for _, value in parsed(text, _GIVEN)]
    if len(values) != 1 or not isinstance(values[0], dict):
        raise UsageError("give one record as a JSON object", f"mdmem record add {type} --edit opens a template")
    given = values[0] if "payload" in values[0] else {"payload": values[0]}
    if given.get("type", type) != type:
        raise UsageError(f"its type is {given['type']}, not {type}", f"mdmem record add {given['type']}")
    value = _completed(given, type, caller)
    for fault in schema.faults(value):
        raise UsageError(f"{fault.field or 'the record'} {fault.message}", fault.fix)
    if value["audit_log"]:
        raise UsageError("audit_log is made from history", "leave it out; mdmem import membrane keeps one")
    properties, body = record.note_of(value, VaultRecords(vault).link_of)
    if "updated_at" not in given:
        del properties["updated"]  # it is the time of the last commit
    return Draft(body, {"title": title or None, **properties}, name)


def _completed(given: Mapping[str, Any], type: str, caller: Caller) -> Record:
    """The record with defaults for all fields that `given` leaves out."""
    now = moments.render(caller.now)
    created, payload = given.get("created_at", now), given["payload"]
    who = {"created_by": caller.actor} if caller.actor else {}
    source = {"kind": "event", "ref": caller.session or "mdmem record add", **who, "timestamp": now}
    usual = record.usual(type, created, created, source) | {"lifecycle.deletion_policy": "auto_prune"}
    kinded = {"kind": type, **payload} if isinstance(payload, dict) else payload
    return {"id": remember.new_id(caller.now), **nested(usual), "audit_log": [], **given, "payload": kinded}


def add(vault: Vault, draft: Draft, type: str, caller: Caller, reason: str = "") -> Remembered:
    """Write a new record of the given type in one commit.

    Raises NoteError with the line and field that make it invalid, UsageError for a draft of another type, and as
    `write.remember`.
    """
    draft = remember.require_fit(draft)
    if draft.properties.get("type") != type:
        raise UsageError(f"its type is {draft.properties.get('type')}, not {type}", f"write type: {type}")
    with vault.change(caller.does("create", reason)) as tx:
        done = revision.staged(vault, tx, draft, caller)
    return done._replace(commit=tx.commit)
