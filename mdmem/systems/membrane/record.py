"""A note as a MemoryRecord, and a MemoryRecord as a note.

    checked(data, note, around)   the record that a note states, completed from its surroundings, and what is wrong
    note_of(record, link_of)      the properties and the body of a new note

Reading is lenient: an invalid value is kept as it is, and `problems` reports it. An absent property means its
default. Relations are link properties, `supports: ["[[a_note]]"]`; those with a weight or a date, or to a record
outside the vault, are items of the property `relations`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import Problem
from mdmem.note import links, memory, scalars, yamltext
from mdmem.note.decay import SALIENCE
from mdmem.note.memory import SENSITIVITIES, Memory, as_flag, as_text
from mdmem.note.properties import PROPERTIES, RECORD_TYPES_OF, RELATIONS
from mdmem.note.structured import sections
from mdmem.note.structured.bullets import scalar_value
from mdmem.note.structured.sections import SectionReading, line_of
from mdmem.note.structured.shapes import Objection, Shape, is_uuid, objections
from mdmem.note.yamltext import Value
from mdmem.systems.membrane import payload as payloads
from mdmem.systems.membrane import schema

Record = dict[str, Any]
IdOf = Callable[[str], str]  # target of a wikilink -> id of that record, "" if there is none
LinkOf = Callable[[str], str]  # id of a record -> wikilink to it, "" if it is not in the vault

CONFIDENCE = 1.0  # of a record that states none
_DAY = 86400
HALF_LIVES = {  # seconds, of a record that states none
    "episodic": 3600,
    "working": _DAY,
    **dict.fromkeys(("semantic", "competence", "plan_graph"), 30 * _DAY),
}
# field of a record -> property of its note, where they hold the same
_SAME = {"id": "id", "type": "type", "sensitivity": "sensitivity", "scope": "scope", "tags": "tags"}
_SAME |= {"confidence": "confidence", "salience": "salience", "created_at": "created", "updated_at": "updated"}
_PROSE = ("semantic", "episodic")  # types that may also be written as plain text, without sections
_LIFECYCLE = ("decay", "last_reinforced_at", "pinned", "deletion_policy")


class Surroundings(NamedTuple):
    """What a note does not state itself: its times (RFC 3339), its source, the ids behind links, its audit log."""

    created: str
    updated: str
    source: Mapping[str, Any]
    id_of: IdOf
    audit: Sequence[Mapping[str, Any]] = ()


def record_type(note: Memory) -> str:
    """The record type of a note; a note without one is semantic."""
    return RECORD_TYPES_OF.get(note.type, "semantic")


# -- a note as a record --------------------------------------------------------------------------------------


def _record_of(note: Memory, around: Surroundings, reading: SectionReading | None) -> Record:
    """The record that a note states. Raises nothing: an invalid value is kept as it is."""
    type, meta = record_type(note), note.meta
    relations = list(_relations(meta, around.id_of))
    found: Record = {
        "id": identity_of(note.id),
        "type": type,
        "sensitivity": _sensitivity(meta.get("sensitivity")),
        "confidence": _number(meta.get("confidence"), CONFIDENCE),
        "salience": _number(meta.get("salience"), SALIENCE),
    }
    if meta.get("scope") is not None:
        found["scope"] = note.text("scope")
    if meta.get("tags") is not None:
        found["tags"] = _tags(note)
    found["created_at"] = payloads.moment_text(meta.get("created")) or around.created
    found["updated_at"] = payloads.moment_text(meta.get("updated")) or around.updated
    found["lifecycle"] = _lifecycle(meta, type, found["created_at"])
    found["provenance"] = _provenance(meta, around.source)
    if relations or meta.get("relations") is not None:
        found["relations"] = relations
    found["payload"] = _payload(note, reading, _superseding(relations), found["created_at"])
    found["audit_log"] = [dict(entry) for entry in around.audit]
    return found


def identity_of(id: str) -> str:
    """The id of a note as a UUID: the id itself, or a UUID derived from it."""
    return id if is_uuid(id) else memory.derived_id(id, "record")


def _sensitivity(value: Value) -> Value:
    """The sensitivity; an unknown level counts as the highest."""
    if value in (None, ""):
        return "low"
    return value if value in SENSITIVITIES else SENSITIVITIES[-1]


def _number(value: Value, default: float) -> Value:
    return default if value in (None, "") else _typed(value, schema.shape_of("salience"))


def _typed(value: Value, shape: Shape) -> Value:
    """A property as the number it is written as; YAML reads only short numbers as numbers."""
    return scalar_value(value, shape) if isinstance(value, str) and shape.kind in ("number", "integer") else value


def _typed_items(values: Mapping[str, Value], shape: Shape) -> Record:
    return {name: _typed(value, shape.of(name)) for name, value in values.items()}


def _tags(note: Memory) -> list[Value]:
    value = note.meta.get("tags")
    return list(value) if isinstance(value, list) else list(note.tags)


def _lifecycle(meta: Mapping[str, Value], type: str, created: str) -> Record:
    """How a note decays. By default it has the profile of its type and is never pruned automatically."""
    decay = meta.get("decay")
    usual = {"curve": "exponential", "half_life_seconds": HALF_LIVES[type]}
    found: Record = {
        "decay": _typed_items(decay, schema.shape_of("lifecycle", "decay")) if isinstance(decay, dict) else usual,
        "last_reinforced_at": payloads.moment_text(meta.get("last_reinforced_at")) or created,
    }
    if meta.get("pinned") is not None:
        found["pinned"] = as_flag(meta["pinned"])
    if meta.get("deletion_policy") not in (None, ""):
        found["deletion_policy"] = meta["deletion_policy"]
    elif decay is None:
        found["deletion_policy"] = "manual_only"
    return found


def _provenance(meta: Mapping[str, Value], source: Mapping[str, Any]) -> Record:
    sources = meta.get("provenance")
    found: Record = {"sources": list(sources) if isinstance(sources, list) and sources else [dict(source)]}
    if meta.get("created_by") is not None:
        found["created_by"] = as_text(meta["created_by"])
    return found


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
            yield _listed_relation(item, id_of)


def _listed_relation(item: Mapping[str, Value], id_of: IdOf) -> Record:
    written = as_text(item.get("target"))
    target = links.wikilink_target(written)
    found = {"predicate": item.get("predicate"), "target_id": (id_of(target) or target) if target else written}
    more = {name: value for name, value in item.items() if name not in ("predicate", "target")}
    return found | _typed_items(more, schema.shape_of("relations", ""))


def is_predicate(name: str) -> bool:
    """Whether a property with that name states a relation if its values are links."""
    return name in RELATIONS or name not in PROPERTIES


def _superseding(relations: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The first record that this one supersedes, and the first that supersedes it, by predicate."""
    names = ("supersedes", "superseded_by")
    pairs = [(one["predicate"], one["target_id"]) for one in reversed(relations) if one["predicate"] in names]
    return dict(pairs)


def _payload(note: Memory, reading: SectionReading | None, links: Mapping[str, str], created: str) -> Record:
    type = record_type(note)
    said = payloads.payload_of(reading, type) if reading else _ordinary_payload(note, type, created)
    if type == "semantic":
        return payloads.with_properties(said, note.meta, links)
    return said


def _reading(note: Memory) -> SectionReading | None:
    """The sections of a note as its type defines them; None for plain text and for ordinary types."""
    if note.type not in schema.TYPES:
        return None
    reading = payloads.read(note.body, note.type, note.body_line - 1)
    has_sections = reading.values or any(meant for _, _, meant in reading.unknown)
    return reading if has_sections or note.type not in _PROSE else None


def _ordinary_payload(note: Memory, type: str, created: str) -> Record:
    """The payload of a note without sections of a record: its title is the subject, its text the object.

    A work has an event for its title with what stands above its sections, then one for each section.
    """
    is_typed = note.type in schema.TYPES
    what, text = ("note" if is_typed else note.type or "note"), note.body.strip()
    if type != "episodic":
        return {"kind": type, "subject": note.title, "predicate": what, "object": text}
    above, *below = ((one.key or what, one.text) for one in sections.split(note.body))
    told = [(what, text or note.title)] if is_typed else [(what, f"{note.title}\n\n{above[1]}".strip()), *below]
    events = [{"t": created, "event_kind": name, "ref": note.path, "summary": said} for name, said in told]
    return {"kind": type, "timeline": events, **({} if is_typed else _ending(note))}


def _ending(note: Memory) -> Record:
    """How a work ended, and its actions as the tools that it used; empty if it does not say so."""
    said: Any = sections.read(note.body, schema.WORK).values
    if any(objections(said, schema.WORK)):
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


def note_of(record: Mapping[str, Any], link_of: LinkOf) -> tuple[dict[str, Value], str]:
    """The properties and the body of a new note for a valid record; `title` is left to the caller."""
    type, payload, relations = record["type"], record["payload"], record.get("relations")
    said: dict[str, Value] = {}
    if type == "semantic":
        payload, said = payloads.without_properties(payload, _superseding(relations or ()))
    properties = {
        **{name: _writable(record.get(field)) for field, name in _SAME.items()},
        **{name: _writable(record["lifecycle"].get(name)) for name in _LIFECYCLE},
        "provenance": record["provenance"]["sources"],
        "created_by": record["provenance"].get("created_by"),
        **_relation_properties(relations, link_of),
        **said,
    }
    return {name: value for name, value in properties.items() if value is not None}, payloads.write(payload, type)


def _relation_properties(relations: list[Record] | None, link_of: LinkOf) -> dict[str, Value]:
    """Link properties for the relations that are plain links; one list of all if that would lose their order."""
    if not relations:
        return {"relations": None if relations is None else []}
    plain = [one for one in relations if _is_plain(one) and link_of(one["target_id"])]
    others = [one for one in relations if one not in plain]
    predicates = dict.fromkeys(one["predicate"] for one in plain)
    grouped = [one for predicate in predicates for one in plain if one["predicate"] == predicate]
    if [*grouped, *others] != relations:
        grouped, others, predicates = [], relations, {}
    found: dict[str, Value] = {
        predicate: [link_of(one["target_id"]) for one in grouped if one["predicate"] == predicate]
        for predicate in predicates
    }
    listed: list[Value] = [_relation_item(one, link_of) for one in others]
    return {**found, "relations": listed or None}


def _is_plain(relation: Mapping[str, Any]) -> bool:
    predicate = relation["predicate"]
    return len(relation) == 2 and predicate.isidentifier() and predicate.isascii() and is_predicate(predicate)


def _relation_item(relation: Mapping[str, Any], link_of: LinkOf) -> dict[str, Value]:
    target = relation["target_id"]
    more = {name: _writable(value) for name, value in relation.items() if name not in ("predicate", "target_id")}
    return {"predicate": relation["predicate"], "target": link_of(target) or target, **more}


def _writable(value: Any) -> Value:
    """A value as a property that reads back unchanged: YAML reads a very long number as a string."""
    if isinstance(value, dict):
        return {name: _writable(item) for name, item in value.items()}
    if isinstance(value, bool) or not isinstance(value, int | float):
        kept: Value = value
        return kept
    written = yamltext.scalar(value)
    return value if isinstance(scalars.read(written), int | float) else written


# -- what is wrong with a note as a record -------------------------------------------------------------------


def problems(data: bytes, note: Memory, around: Surroundings) -> list[Problem]:
    """Everything that keeps a note from being a valid record, with file and line; empty for a valid note."""
    return checked(data, note, around)[1]


def checked(data: bytes, note: Memory, around: Surroundings) -> tuple[Record, list[Problem]]:
    """(the record that a note states, the result of `problems`), reading the sections of the note only once."""
    reading = _reading(note)
    record = _record_of(note, around, reading)
    found, lines = list(note.problems), _property_lines(data, note)
    if reading:
        lines |= _payload_lines(reading.lines, note.type)
        found += [
            _problem(note, lines, fault._replace(field=_as_payload(fault.field, note.type)))
            for fault in reading.faults
        ]
        found += [_heading_problem(note, *heading) for heading in reading.unknown]
    found += [_problem(note, lines, fault) for fault in schema.faults(record)]
    if note.text("sensitivity") not in ("", *SENSITIVITIES):
        allowed = f"write one of {', '.join(SENSITIVITIES)}"
        found.append(_problem(note, lines, Objection("sensitivity", f"is '{note.text('sensitivity')}'", allowed)))
    return record, list(dict.fromkeys(found))


def _problem(note: Memory, lines: Mapping[str, int], fault: Objection) -> Problem:
    return Problem("record", note.path, line_of(lines, fault.field), f"{fault.field} {fault.message}", fault.fix)


def _heading_problem(note: Memory, heading: str, line: int, meant: str) -> Problem:
    names = ", ".join(sections.heading_of(name) for name in payloads.body_shape(note.type).fields)
    fix = f"write ## {meant}" if meant else f"the sections are {names}; a heading of your own begins with ###"
    return Problem("record", note.path, line, f"has a section '{heading}' that no {note.type} record has", fix)


def _as_payload(field: str, type: str) -> str:
    """`claim.subject` as `payload.subject`."""
    lead, _ = payloads.LEADS.get(type, ("", ()))
    is_shared = bool(lead) and f"{field}.".startswith(f"{lead}.")
    inner = field[len(lead) + 1 :] if is_shared else field
    return f"payload.{inner}" if inner else "payload"


def _payload_lines(lines: Mapping[str, int], type: str) -> dict[str, int]:
    return {_as_payload(field, type): line for field, line in lines.items()}


def _property_lines(data: bytes, note: Memory) -> dict[str, int]:
    """The line of each field that is a property in the frontmatter."""
    names = {name: field for field, name in _SAME.items()}
    names |= {name: f"lifecycle.{name}" for name in _LIFECYCLE} | {"provenance": "provenance.sources"}
    names |= {"created_by": "provenance.created_by", "relations": "relations", "status": "payload.revision"}
    names |= dict.fromkeys(("valid_from", "valid_until", "valid_if"), "payload.validity")
    rows = memory.decode(data, note.path).split("\n")[: max(note.body_line - 1, 0)]
    found = {}
    for line, row in enumerate(rows, 1):
        name = row.partition(":")[0].strip()
        if row[:1].strip() and name in names:
            found[names[name]] = line
    return found
