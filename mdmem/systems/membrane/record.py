"""A note as a MemoryRecord, and a MemoryRecord as a note.

    checked(data, note, around)   the record that a note states, completed from its surroundings, and what is wrong
    properties_of(record, link_of), body_of(record)   what a new note says

The fields are those of `record.schema.json`, the JSON Schema of the package, which follows Membrane's page of
schemas. Validation, and the types by which bullets of a note are read, come from it.

Reading is lenient: an invalid value is kept as it is, and `checked` reports it. An absent property means its
default. Relations are link properties, `supports: ["[[a_note]]"]`; those with a weight or a date, or to a record
outside the vault, are items of the property `relations`.

The payload is the body. Each of its fields has a section of its own, except that short fields about the record's
subject share the first one:

    ## Claim

    - subject: user
    - predicate: prefers_language
    - object: Python

The validity and the status of a semantic record are properties, which recall obeys. What properties cannot express
(conditions that are not strings, links to memories elsewhere) is also in a section `## Validity` or `## Revision`.
A section that contradicts the properties is ignored.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import links, memory, moments, sections, tsv
from mdmem.note.bullets import scalar_value
from mdmem.note.decay import SALIENCE
from mdmem.note.memory import SENSITIVITIES, Memory, as_flag, as_text
from mdmem.note.properties import PROPERTIES, RECORD_TYPES_OF, RELATIONS
from mdmem.note.sections import SectionReading
from mdmem.note.shapes import ANY, Objection, Shape, is_moment, is_uuid, objections, of_json_schema
from mdmem.note.yamltext import Value
from mdmem.store.index.port import IndexedNote
from mdmem.systems.format import (
    IdOf,
    LinkOf,
    fields_at,
    form_problems,
    nested,
    problem_of,
    property_lines,
    writable,
)

TYPES = ("episodic", "working", "semantic", "competence", "plan_graph")

# What of a note of type work has a place of its own in an episodic payload.
_ACTION = {"type": Shape("text", least=1), "details": Shape("mapping")}
_ACTIONS = Shape("list", items=Shape("record", fields=_ACTION, required=("type",), is_open=True))
_OUTCOME = Shape("record", fields={"success": Shape("flag")}, required=("success",), is_open=True)
WORK = Shape("record", fields={"actions": _ACTIONS, "outcome": _OUTCOME}, required=("outcome",))


@cache
def _definitions() -> dict[str, Any]:
    """The JSON Schema of the records of each type."""
    definitions: dict[str, Any] = json.loads(Path(__file__).with_name("record.schema.json").read_text("utf-8"))[
        "$defs"
    ]
    return definitions


@cache
def record_shape(type: str) -> Shape:
    """The shape of records of a type."""
    return of_json_schema(_definitions()[type])


def shape_of(*path: str) -> Shape:
    """The shape of a part that records of all types have: `"lifecycle", "decay"`; "" is any item of a list."""
    return reduce(Shape.of, path, record_shape(TYPES[0]))


def payload_shape(type: str) -> Shape:
    """The shape of the payloads of a type."""
    return record_shape(type).of("payload")


def faults(value: Any) -> Iterator[Objection]:
    """Everything that keeps a value from being a MemoryRecord, each with the field and what is allowed."""
    type = value.get("type") if isinstance(value, Mapping) else None
    if type not in TYPES:
        known = record_shape(TYPES[0])
        fields = {**known.fields, "type": Shape("choice", choices=TYPES), "payload": ANY}
        yield from objections(value, known._replace(fields=fields))
        return
    found = list(objections(value, record_shape(type)))
    yield from found
    if not found:
        yield from _order_faults(value["audit_log"])


def _order_faults(entries: Sequence[Mapping[str, Any]]) -> Iterator[Objection]:
    """The entries of an audit log that are older than the entry before them."""
    times = [moments.parse(entry["timestamp"]) for entry in entries]
    for place, (earlier, later) in enumerate(pairwise(times), 1):
        if earlier and later and later < earlier:
            yield Objection(
                f"audit_log[{place}].timestamp", "is before the entry above it", "put the entries in order of time"
            )


Record = dict[str, Any]
CONFIDENCE = 1.0  # of a record that states none
_PROPERTY_OF = dict(tsv.rows(__file__, "properties.tsv", 2))  # field of a record -> property of its note
_OF_TYPES = list(tsv.rows(__file__, "types.tsv", 4))
_HALF_LIVES = {type: int(seconds) for type, seconds, _, _ in _OF_TYPES}  # of a record that states none
# type -> the section that its short fields share ("": none), and these fields
_LEADS = {type: (section, short.split()) for type, _, section, short in _OF_TYPES}
_PROSE = ("semantic", "episodic")  # types that may also be written as plain text, without sections
_STATUSES = {"deprecated": "retracted"}  # status of a note -> of a revision, where the words differ


class Surroundings(NamedTuple):
    """What a note does not state itself: its times (RFC 3339), its source, the ids behind links, its audit log."""

    created: str
    updated: str
    source: Mapping[str, Any]
    id_of: IdOf
    audit: Sequence[Mapping[str, Any]] = ()


def record_type(note: Memory | IndexedNote) -> str:
    """The record type of a note; a note without one is semantic."""
    return RECORD_TYPES_OF.get(note.type, "semantic")


def identity_of(id: str) -> str:
    """The id of a note as a UUID: the id itself, or a UUID derived from it."""
    return id if is_uuid(id) else memory.derived_id(id, "record")


# -- a note as a record --------------------------------------------------------------------------------------


def _record_of(note: Memory, around: Surroundings, reading: SectionReading | None) -> Record:
    """The record that a note states. Raises nothing: an invalid value is kept as it is."""
    type, meta = record_type(note), note.meta
    said = {field: _read(field, meta.get(name)) for field, name in _PROPERTY_OF.items()}
    if said["tags"] is None and meta.get("tags") is not None:
        said["tags"] = list(note.tags)
    if said["sensitivity"] not in (None, *SENSITIVITIES):
        said["sensitivity"] = SENSITIVITIES[-1]  # an unknown level counts as the highest
    created = said["created_at"] or around.created
    defaults = usual(type, created, around.updated, around.source)
    if meta.get("decay") is not None:
        del defaults["lifecycle.deletion_policy"]
    values = {field: defaults.get(field) if value is None else value for field, value in said.items()}
    values |= {"id": identity_of(note.id), "type": type}
    found = nested({field: value for field, value in values.items() if value is not None})
    relations = list(_relations(meta, around.id_of))
    if relations or meta.get("relations") is not None:
        found["relations"] = relations
    found["payload"] = _payload(note, reading, _superseding(relations), created)
    found["audit_log"] = [dict(entry) for entry in around.audit]
    return {name: found[name] for name in record_shape(type).fields if name in found}


def usual(type: str, created: str, updated: str, source: Mapping[str, Any]) -> Record:
    """What a record of a type says if it states no more than its times (RFC 3339) and its source, by fields."""
    return {
        "type": type,
        "sensitivity": "low",
        "confidence": CONFIDENCE,
        "salience": SALIENCE,
        "created_at": created,
        "updated_at": updated,
        "lifecycle.decay": {"curve": "exponential", "half_life_seconds": _HALF_LIVES[type]},
        "lifecycle.last_reinforced_at": created,
        "lifecycle.deletion_policy": "manual_only",
        "provenance.sources": [dict(source)],
    }


def _read(field: str, value: Value) -> Any:
    """A property as the field of a record; None if it says nothing."""
    shape = shape_of(*field.split("."))
    if value is None or (value == "" and shape.kind in ("number", "choice")):
        return None
    if shape.kind == "record":
        return _typed_items(value, shape) if isinstance(value, dict) else None
    if shape.kind == "list":
        return list(value) if isinstance(value, list) and len(value) >= shape.least else None
    if shape.kind == "moment":
        return moment_text(value) or None
    if shape.kind == "flag":
        return as_flag(value)
    return as_text(value) if shape.kind == "text" else _typed(value, shape)


def moment_text(value: Value) -> str:
    """A property as RFC 3339: unchanged if it is written so, else normalized; "" if it is not a point in time."""
    return value if isinstance(value, str) and is_moment(value) else moments.normal(value)


def _typed(value: Value, shape: Shape) -> Value:
    """A property as the number it is written as; YAML reads only short numbers as numbers."""
    return scalar_value(value, shape) if isinstance(value, str) and shape.kind in ("number", "integer") else value


def _typed_items(values: Mapping[str, Value], shape: Shape) -> Record:
    return {name: _typed(value, shape.of(name)) for name, value in values.items()}


def _relations(meta: Mapping[str, Value], id_of: IdOf) -> Iterator[Record]:
    """The relations of a note, those of link properties first. Links without a target note are skipped."""
    for predicate, value in meta.items():
        if not is_predicate(predicate):
            continue
        for item in value if isinstance(value, list) else [value]:
            target = links.wikilink_target(as_text(item))
            if target and (identity := id_of(target)):
                yield {"predicate": predicate, "target_id": identity}
    listed = meta.get("relations")
    for item in listed if isinstance(listed, list) else []:
        if isinstance(item, dict):
            more = {name: value for name, value in item.items() if name not in ("predicate", "target")}
            written = as_text(item.get("target"))
            target = links.wikilink_target(written)
            identity = (id_of(target) or target) if target else written
            found = {"predicate": item.get("predicate"), "target_id": identity}
            yield found | _typed_items(more, shape_of("relations", ""))


def is_predicate(name: str) -> bool:
    """Whether a property with that name states a relation if its values are links."""
    return name in RELATIONS or name not in PROPERTIES


def _superseding(relations: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The first record that this one supersedes, and the first that supersedes it, by predicate."""
    names = ("supersedes", "superseded_by")
    return {one["predicate"]: one["target_id"] for one in reversed(relations) if one["predicate"] in names}


def _payload(note: Memory, reading: SectionReading | None, links: Mapping[str, str], created: str) -> Record:
    type = record_type(note)
    said = payload_of(reading, type) if reading else _ordinary_payload(note, type, created)
    return _with_properties(said, note.meta, links) if type == "semantic" else said


def _reading(note: Memory) -> SectionReading | None:
    """The sections of a note as its type defines them; None for plain text and for ordinary types."""
    if note.type not in TYPES:
        return None
    reading = read(note.body, note.type, note.body_line - 1)
    has_sections = reading.values or any(meant for _, _, meant in reading.unknown)
    return reading if has_sections or note.type not in _PROSE else None


def _ordinary_payload(note: Memory, type: str, created: str) -> Record:
    """The payload of a note without sections of a record: its title is the subject, its text the object.

    A work has an event for its title with what stands above its sections, then one for each section.
    """
    is_typed = note.type in TYPES
    what, text = ("note" if is_typed else note.type or "note"), note.body.strip()
    if type != "episodic":
        return {"kind": type, "subject": note.title, "predicate": what, "object": text}
    above, *below = ((one.key or what, one.text) for one in sections.split(note.body))
    told = [(what, text or note.title)] if is_typed else [(what, f"{note.title}\n\n{above[1]}".strip()), *below]
    events = [{"t": created, "event_kind": name, "ref": note.path, "summary": said} for name, said in told]
    return {"kind": type, "timeline": events, **({} if is_typed else _ending(note))}


def _ending(note: Memory) -> Record:
    """How a work ended, and its actions as the tools that it used; empty if it does not say so."""
    said: Any = sections.read(note.body, WORK).values
    if any(objections(said, WORK)):
        return {}
    tools = [
        {
            "id": f"action-{number}",
            "tool": one["type"],
            "args": one.get("details", {}),
            "result": one.get("result"),
        }
        for number, one in enumerate(said.get("actions", ()), 1)
    ]
    return {"tool_graph": tools, "outcome": "success" if said["outcome"]["success"] else "failure"}


# -- a record as a note --------------------------------------------------------------------------------------


def properties_of(record: Mapping[str, Any], link_of: LinkOf) -> dict[str, Value]:
    """The properties of a new note for a valid record; `title` is left to the caller."""
    values = fields_at(record, _PROPERTY_OF)
    properties = {
        **{_PROPERTY_OF[field]: writable(value) for field, value in values.items()},
        **_relation_properties(record.get("relations"), link_of),
        **_payload_apart(record)[1],
    }
    return {name: value for name, value in properties.items() if value is not None}


def body_of(record: Mapping[str, Any]) -> str:
    """The body of a new note for a valid record, which is the same wherever its relations lead."""
    payload, _ = _payload_apart(record)
    lead, short = _LEADS[record["type"]]
    del payload["kind"]
    shared = {name: payload.pop(name) for name in short if name in payload}
    shape = body_shape(record["type"])
    return sections.render(sections.in_order({lead: shared, **payload} if shared else payload, shape), shape)


def _relation_properties(relations: list[Record] | None, link_of: LinkOf) -> dict[str, Value]:
    """Link properties for the relations that are plain links; one list of all if that would lose their order."""
    if not relations:
        return {"relations": None if relations is None else []}
    plain: dict[str, list[Record]] = {}  # by predicate
    others = []
    for one in relations:
        if _is_plain(one) and link_of(one["target_id"]):
            plain.setdefault(one["predicate"], []).append(one)
        else:
            others.append(one)
    if [*(one for group in plain.values() for one in group), *others] != relations:
        plain, others = {}, relations
    found: dict[str, Value] = {
        predicate: [link_of(one["target_id"]) for one in group] for predicate, group in plain.items()
    }
    return {**found, "relations": [_relation_item(one, link_of) for one in others] or None}


def _is_plain(relation: Mapping[str, Any]) -> bool:
    predicate = relation["predicate"]
    return len(relation) == 2 and predicate.isidentifier() and predicate.isascii() and is_predicate(predicate)


def _relation_item(relation: Mapping[str, Any], link_of: LinkOf) -> dict[str, Value]:
    more = {name: writable(value) for name, value in relation.items() if name != "target_id"}
    target = relation["target_id"]
    return {"predicate": more.pop("predicate"), "target": link_of(target) or target, **more}


# -- the payload as sections ---------------------------------------------------------------------------------


def body_shape(type: str) -> Shape:
    """The sections that a note of a type may have; even a short field may have its own."""
    fields = {name: field for name, field in payload_shape(type).fields.items() if name != "kind"}
    lead, short = _LEADS[type]
    shared = {lead: Shape("record", fields={name: fields[name] for name in short})} if lead else {}
    return Shape("record", fields={**shared, **fields})


def read(body: str, type: str, above: int = 0) -> SectionReading:
    """Read a body as the sections of a type; `above` is the number of lines above the body, for line numbers."""
    return sections.read(body, body_shape(type), above)


def payload_of(reading: SectionReading, type: str) -> Record:
    """The payload that the sections of a reading hold."""
    lead, _ = _LEADS[type]
    shared = reading.values.get(lead)
    return _in_order({**reading.values, **(shared if isinstance(shared, dict) else {}), "kind": type}, type)


def _in_order(payload: Mapping[str, Any], type: str) -> Record:
    """The fields of a payload in the order of the schema, without others."""
    return {name: payload[name] for name in payload_shape(type).fields if name in payload}


def _with_properties(payload: Record, meta: Mapping[str, Value], links: Mapping[str, str]) -> Record:
    """The semantic payload with the validity and revision that its note's properties state.

    `links` maps `supersedes` and `superseded_by` to the ids that the note names.
    """
    said = dict(payload)
    for name, (stated, properties_of) in _STATED.items():
        value = said.get(name)
        if not isinstance(value, dict) or _disagrees(properties_of(value), meta):
            said.pop(name, None)
            said |= {name: now} if (now := stated(meta, links)) else {}
    return _in_order(said, "semantic")


def _payload_apart(record: Mapping[str, Any]) -> tuple[Record, dict[str, Value]]:
    """(the part of a payload for the body, the properties for the rest; None for a property not set)."""
    payload, properties = dict(record["payload"]), dict[str, Value]()
    links = _superseding(record.get("relations") or ())
    for name, (stated, expressed) in _STATED.items() if record["type"] == "semantic" else ():
        properties |= expressed(payload.get(name) or {})
        if payload.get(name) and payload[name] == stated(properties, links):
            del payload[name]
    return payload, properties


def _disagrees(wanted: Mapping[str, Value], meta: Mapping[str, Value]) -> bool:
    """Whether any of the `wanted` properties is set, and one of them differs."""
    is_set = any(meta.get(name) not in (None, "") for name in wanted)
    return is_set and any(_plain(meta.get(name)) != _plain(value) for name, value in wanted.items())


def _plain(value: Value) -> Value:
    return moments.normal(value) or value if isinstance(value, str) else value or None


def _validity(meta: Mapping[str, Value], _: Mapping[str, str]) -> Record:
    """The validity that the properties of a note state; `["env=prod"]` are conditions."""
    value = meta.get("valid_if")
    items = [as_text(item).partition("=") for item in (value if isinstance(value, list) else [value])]
    conditions = {name.strip(): said.strip() for name, _, said in items if name or said}
    start, end = moment_text(meta.get("valid_from")), moment_text(meta.get("valid_until"))
    mode = "conditional" if conditions else "timeboxed" if start or end else "global"
    said = {"mode": mode, "conditions": conditions, "start": start, "end": end}
    return {name: value for name, value in said.items() if value}


def _validity_properties(validity: Mapping[str, Any]) -> dict[str, Value]:
    """The properties that express a validity, None for one not set; of conditions only those that are strings."""
    said = validity.get("conditions")
    conditions = said.items() if isinstance(said, dict) else ()
    texts: list[Value] = [f"{name}={value}" for name, value in conditions if isinstance(value, str)]
    return {"valid_from": validity.get("start"), "valid_until": validity.get("end"), "valid_if": texts or None}


def _revision(meta: Mapping[str, Value], links: Mapping[str, str]) -> Record:
    """The revision that a note's status and links state; empty if it has no status."""
    status = as_text(meta.get("status"))
    return {**links, "status": _STATUSES.get(status, status)} if status else {}


# field of a semantic payload -> what the properties of a note state of it, and which properties express a value
_STATED: dict[str, tuple[Callable[..., Record], Callable[..., dict[str, Value]]]] = {
    "validity": (_validity, _validity_properties),
    "revision": (_revision, lambda revision: {"status": revision.get("status")}),
}


# -- what is wrong with a note as a record -------------------------------------------------------------------


_PLACES = (  # (field of a record, property of its note that states it)
    *_PROPERTY_OF.items(),
    ("relations", "relations"),
    ("payload.revision", "status"),
    *(("payload.validity", name) for name in ("valid_from", "valid_until", "valid_if")),
)


def checked(data: bytes, note: Memory, around: Surroundings) -> tuple[Record, list[Problem]]:
    """(the record that a note states, everything that keeps it from being valid, with file and line)."""
    reading = _reading(note)
    record = _record_of(note, around, reading)
    wrong = list(faults(record))
    if note.text("sensitivity") not in ("", *SENSITIVITIES):
        allowed = f"write one of {', '.join(SENSITIVITIES)}"
        wrong.append(Objection("sensitivity", f"is '{note.text('sensitivity')}'", allowed))
    lines = property_lines(note, data, _PLACES)
    found = list(note.problems)
    if reading:
        placed = _in_payload(reading, note.type)
        lines |= placed.lines
        found += form_problems(note, "record", placed, body_shape(note.type), f"{note.type} record")
    found += (problem_of(note, "record", lines, fault) for fault in wrong)
    return record, list(dict.fromkeys(found))


def _in_payload(reading: SectionReading, type: str) -> SectionReading:
    """A reading whose fields are called as in the record."""
    return reading._replace(
        lines={_as_payload(field, type): line for field, line in reading.lines.items()},
        faults=tuple(fault._replace(field=_as_payload(fault.field, type)) for fault in reading.faults),
        ignored=tuple((_as_payload(field, type), line) for field, line in reading.ignored),
    )


def _as_payload(field: str, type: str) -> str:
    """`claim.subject` as `payload.subject`."""
    lead, _ = _LEADS[type]
    is_shared = bool(lead) and f"{field}.".startswith(f"{lead}.")
    inner = field[len(lead) + 1 :] if is_shared else field
    return f"payload.{inner}" if inner else "payload"
