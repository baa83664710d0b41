"""The payload of a record as sections of a note, and back.

Each field has a section of its own, except that short fields about the record's subject share the first one:

    ## Claim

    - subject: user
    - predicate: prefers_language
    - object: Python

The validity and the status of a semantic record are properties, which recall obeys. What properties cannot express
(conditions that are not strings, links to memories elsewhere) is also in a section `## Validity` or `## Revision`.
A section that contradicts the properties is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mdmem.note import moments
from mdmem.note.memory import as_text
from mdmem.note.structured import editing, sections
from mdmem.note.structured.sections import SectionReading
from mdmem.note.structured.shapes import Shape, is_moment, record
from mdmem.note.yamltext import Value
from mdmem.systems.membrane.schema import payload_shape

Payload = dict[str, Any]
# type -> the section that its short fields share, and these fields
LEADS: dict[str, tuple[str, tuple[str, ...]]] = {
    "semantic": ("claim", ("subject", "predicate", "object", "revision_policy")),
    "working": ("task", ("thread_id", "state")),
    "competence": ("skill", ("skill_name", "version")),
    "plan_graph": ("plan", ("plan_id", "version", "intent")),
}
_STATUSES = {"deprecated": "retracted"}  # status of a note -> of a revision, where the words differ


def body_shape(type: str) -> Shape:
    """The sections that a note of a type may have; even a short field may have its own."""
    fields = {name: field for name, field in payload_shape(type).fields.items() if name != "kind"}
    lead, short = LEADS.get(type, ("", ()))
    shared = {lead: record({name: fields[name] for name in short})} if lead else {}
    return record({**shared, **fields})


def read(body: str, type: str, above: int = 0) -> SectionReading:
    """Read a body as the sections of a type; `above` is the number of lines above the body, for line numbers."""
    return sections.read(body, body_shape(type), above)


def payload_of(reading: SectionReading, type: str) -> Payload:
    """The payload that the sections of a reading hold."""
    lead, _ = LEADS.get(type, ("", ()))
    shared = reading.values.get(lead) if lead else None
    said = {**reading.values, **(shared if isinstance(shared, dict) else {})}
    return {"kind": type, **{name: said[name] for name in payload_shape(type).fields if name in said}}


def write(payload: Mapping[str, Any], type: str) -> str:
    """The body that holds `payload`; short fields share one section."""
    lead, short = LEADS.get(type, ("", ()))
    shared = {name: payload[name] for name in short if name in payload}
    rest = {name: value for name, value in payload.items() if name != "kind" and name not in shared}
    return editing.edit("", {lead: shared, **rest} if shared else rest, body_shape(type))


# -- what properties say of a semantic record ----------------------------------------------------------------


def with_properties(payload: Payload, meta: Mapping[str, Value], links: Mapping[str, str]) -> Payload:
    """The semantic payload with the validity and revision that its note's properties state.

    `links` maps `supersedes` and `superseded_by` to the ids that the note names.
    """
    said = dict(payload)
    validity = said.get("validity")
    if not isinstance(validity, dict) or _disagrees(validity_properties(validity), meta):
        said["validity"] = validity_of(meta)
    revision = said.get("revision")
    if not isinstance(revision, dict) or _disagrees(status_property(revision), meta):
        said.pop("revision", None)
        if derived := revision_of(meta, links):
            said["revision"] = derived
    return {name: said[name] for name in payload_shape("semantic").fields if name in said}


def without_properties(payload: Mapping[str, Any], links: Mapping[str, str]) -> tuple[Payload, dict[str, Value]]:
    """(the part of a semantic payload for the body, the properties for the rest; None for a property not set)."""
    validity, revision = payload.get("validity"), payload.get("revision")
    properties = {**validity_properties(validity or {}), **status_property(revision or {})}
    body = dict(payload)
    if validity == validity_of(properties):
        del body["validity"]
    if revision and revision == revision_of(properties, links):
        del body["revision"]
    return body, properties


def _disagrees(wanted: Mapping[str, Value], meta: Mapping[str, Value]) -> bool:
    """Whether any of the `wanted` properties is set, and one of them differs."""
    is_set = any(meta.get(name) not in (None, "") for name in wanted)
    return is_set and any(_plain(meta.get(name)) != _plain(value) for name, value in wanted.items())


def _plain(value: Value) -> Value:
    return moments.normal(value) or value if isinstance(value, str) else value or None


def validity_of(meta: Mapping[str, Value]) -> dict[str, Any]:
    """The validity that the properties of a note state."""
    conditions = _conditions(meta.get("valid_if"))
    start, end = moment_text(meta.get("valid_from")), moment_text(meta.get("valid_until"))
    mode = "conditional" if conditions else "timeboxed" if start or end else "global"
    said = {"mode": mode, "conditions": conditions, "start": start, "end": end}
    return {name: value for name, value in said.items() if value}


def validity_properties(validity: Mapping[str, Any]) -> dict[str, Value]:
    """The properties that express a validity, None for one not set; of conditions only those that are strings."""
    said = validity.get("conditions")
    conditions = said.items() if isinstance(said, dict) else ()
    texts: list[Value] = [f"{name}={value}" for name, value in conditions if isinstance(value, str)]
    return {"valid_from": validity.get("start"), "valid_until": validity.get("end"), "valid_if": texts or None}


def _conditions(value: Value) -> dict[str, str]:
    """`["env=prod"]` as `{"env": "prod"}`."""
    items: Sequence[Value] = value if isinstance(value, list) else [value]
    pairs = [as_text(item).partition("=") for item in items if item not in (None, "")]
    return {name.strip(): said.strip() for name, _, said in pairs}


def revision_of(meta: Mapping[str, Value], links: Mapping[str, str]) -> dict[str, Any]:
    """The revision that a note's status and links state; empty if it has no status."""
    status = as_text(meta.get("status"))
    return {**links, "status": _STATUSES.get(status, status)} if status else {}


def status_property(revision: Mapping[str, Any]) -> dict[str, Value]:
    """The property for the status of a revision."""
    return {"status": revision.get("status")}


def moment_text(value: Value) -> str:
    """A property as RFC 3339: unchanged if it is written so, else normalized; "" if it is not a point in time."""
    return value if isinstance(value, str) and is_moment(value) else moments.normal(value)
