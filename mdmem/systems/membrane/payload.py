"""The payload of a record as sections of a note, and back.

Each field is a section, but the short ones that say what the record is about stand together in the first one:

    ## Claim

    - subject: user
    - predicate: prefers_language
    - object: Python

While a semantic record is valid, and its status, are properties, which recall obeys. What they cannot say exactly
(conditions other than texts, links to memories elsewhere) is a section `## Validity` or `## Revision` as well;
a section that no longer agrees with the properties is not used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from mdmem.note.memory import as_text
from mdmem.note.structured import editing, sections
from mdmem.note.structured.sections import SectionReading
from mdmem.note.structured.shapes import Shape, is_moment, record
from mdmem.systems.membrane.schema import PAYLOADS
from mdmem.text import moments
from mdmem.text.yamltext import Value

Payload = dict[str, Any]
# type -> the section that its short fields share, and those
LEADS: dict[str, tuple[str, tuple[str, ...]]] = {
    "semantic": ("claim", ("subject", "predicate", "object", "revision_policy")),
    "working": ("task", ("thread_id", "state")),
    "competence": ("skill", ("skill_name", "version")),
    "plan_graph": ("plan", ("plan_id", "version", "intent")),
}
_STATUSES = {"deprecated": "retracted"}  # of a note -> of a revision, where it is another word


def body_shape(type: str) -> Shape:
    """The sections of a note of a type; each field may have one of its own, too."""
    fields = {name: field for name, field in PAYLOADS[type].fields.items() if name != "kind"}
    lead, short = LEADS.get(type, ("", ()))
    shared = {lead: record({name: fields[name] for name in short})} if lead else {}
    return record({**shared, **fields})


def read(body: str, type: str, above: int = 0) -> SectionReading:
    """How a body reads as the sections of a type. `above` is the number of lines above the body."""
    return sections.read(body, body_shape(type), above)


def payload_of(reading: SectionReading, type: str) -> Payload:
    """The payload that sections say."""
    lead, _ = LEADS.get(type, ("", ()))
    shared = reading.values.get(lead) if lead else None
    said = {**reading.values, **(shared if isinstance(shared, dict) else {})}
    return {"kind": type, **{name: said[name] for name in PAYLOADS[type].fields if name in said}}


def write(body: str, payload: Mapping[str, Any], type: str) -> str:
    """A body that says a payload; only the lines of what is different change."""
    shape = body_shape(type)
    own = sections.read(body, shape).values if body else {}
    return editing.edit(body, _sections_of(payload, type, own), shape)


def _sections_of(payload: Mapping[str, Any], type: str, own: Collection[str] = ()) -> dict[str, Value]:
    """The sections of a payload: a short field stands in the shared one, unless it has its `own` already."""
    lead, short = LEADS.get(type, ("", ()))
    shared = {name: payload[name] for name in short if name in payload and name not in own}
    rest = {name: value for name, value in payload.items() if name != "kind" and name not in shared}
    return {lead: shared, **rest} if shared else rest


# -- what properties say of a semantic record ----------------------------------------------------------------


def with_properties(payload: Payload, meta: Mapping[str, Value], links: Mapping[str, str]) -> Payload:
    """A semantic payload with its validity and revision as the properties of its note say.

    `links` are the ids that the note says it `supersedes` and is `superseded_by`.
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
    return {name: said[name] for name in PAYLOADS["semantic"].fields if name in said}


def without_properties(payload: Mapping[str, Any], links: Mapping[str, str]) -> tuple[Payload, dict[str, Value]]:
    """(what of a semantic payload stands in the body, the properties that say the rest; None for one not set)."""
    validity, revision = payload.get("validity"), payload.get("revision")
    properties = {**validity_properties(validity or {}), **status_property(revision or {})}
    body = dict(payload)
    if validity == validity_of(properties):
        del body["validity"]
    if revision and revision == revision_of(properties, links):
        del body["revision"]
    return body, properties


def _disagrees(wanted: Mapping[str, Value], meta: Mapping[str, Value]) -> bool:
    """Whether properties that are set say other than a section does."""
    is_set = any(meta.get(name) not in (None, "") for name in wanted)
    return is_set and any(_plain(meta.get(name)) != _plain(value) for name, value in wanted.items())


def _plain(value: Value) -> Value:
    return moments.normal(value) or value if isinstance(value, str) else value or None


def validity_of(meta: Mapping[str, Value]) -> dict[str, Any]:
    """The validity that properties tell."""
    conditions = _conditions(meta.get("valid_if"))
    start, end = moment_text(meta.get("valid_from")), moment_text(meta.get("valid_until"))
    mode = "conditional" if conditions else "timeboxed" if start or end else "global"
    said = {"mode": mode, "conditions": conditions, "start": start, "end": end}
    return {name: value for name, value in said.items() if value}


def validity_properties(validity: Mapping[str, Any]) -> dict[str, Value]:
    """The properties that tell a validity, as far as they can; None for one that is not set."""
    return {
        "valid_from": validity.get("start"),
        "valid_until": validity.get("end"),
        "valid_if": _condition_texts(validity.get("conditions")) or None,
    }


def _conditions(value: Value) -> dict[str, str]:
    """`["env=prod"]` as `{"env": "prod"}`."""
    items: Sequence[Value] = value if isinstance(value, list) else [value]
    pairs = [as_text(item).partition("=") for item in items if item not in (None, "")]
    return {name.strip(): said.strip() for name, _, said in pairs}


def _condition_texts(conditions: Any) -> list[Value]:
    """The conditions as texts `name=value`, as far as they are texts."""
    if not isinstance(conditions, dict):
        return []
    return [f"{name}={value}" for name, value in conditions.items() if isinstance(value, str)]


def revision_of(meta: Mapping[str, Value], links: Mapping[str, str]) -> dict[str, Any]:
    """The revision that the status and the links of a note tell; empty for a note without a status."""
    status = as_text(meta.get("status"))
    return {**links, "status": _STATUSES.get(status, status)} if status else {}


def status_property(revision: Mapping[str, Any]) -> dict[str, Value]:
    """The property that tells the status of a revision."""
    return {"status": revision.get("status")}


def moment_text(value: Value) -> str:
    """A property as RFC 3339: as it is written, where that is RFC 3339; "" if it is not a point in time."""
    return value if isinstance(value, str) and is_moment(value) else moments.normal(value)
