"""RUM's works as records, a note as a work, and a work as a note; the fields of chapters, wisdom and agents, too.

    reading_of(note, around)     the record of WORK that a note states, and what is wrong with it
    note_of(work, link_of)       the properties and the body of a new note
    applied(data, work, ...)     the note changed to state another record

The five layers are sections of the body, made of nested bullets. Facts about the memory itself (who, when, in
which project, its links) are properties. In a note the time of an action is a date and time (RFC 3339).

The fields are in `data/records.schema.json`. They follow RUM's page "Memory Schema" and, as to which are optional,
its public implementation: a work needs a goal, a task type, whether it succeeded, and a summary. Times are Unix
seconds; a number from 1e11 up is read as milliseconds. An action may be nested as on that page, or flat as in the
implementation:

    {"type": "file_edit", "details": {"file_path": "a.ts"}, "result": {"success": true}}
    {"type": "file_edit", "file_path": "a.ts", "success": true}
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from posixpath import basename
from typing import Any, NamedTuple

from mdmem.errors import Problem, UsageError
from mdmem.note import fields, moments, scalars, sections
from mdmem.note.memory import Memory, as_text
from mdmem.note.sections import SectionReading
from mdmem.note.shapes import Shape, defined, is_moment, is_uuid, joined, objections
from mdmem.note.yamltext import Value
from mdmem.store.index.edges import targets_of
from mdmem.store.index.port import Trait
from mdmem.systems import format
from mdmem.systems.format import IdOf, LinkOf, problem_of, writable

Record = dict[str, Any]

MANY_LINKS = ("caused_by", "led_to", "related_to")
ONE_LINK = ("supersedes", "blocked_by")
LINK_TYPES = (*MANY_LINKS, *ONE_LINK)
# type of an action -> what it does to its file
OPERATIONS = {"file_read": "read", "file_edit": "edit", "file_create": "create", "file_delete": "delete"}
RELEVANT = "relevant"  # what was done to a file that was looked at, or that another action names
_STRENGTH = {name: rank for rank, name in enumerate((RELEVANT, "read", "edit", "create", "delete"))}
IMPORTANCE = 0.5  # of a work that states none
UNSAID: Record = {"agent_id": "", "project_id": "", "session_id": "", "tags": [], "importance": IMPORTANCE}
LAYERS = ("intent", "perception", "reasoning", "actions", "outcome")

TIMES = ("_at", "_ts", "last_accessed", "timestamp")  # how the names of times end
_MILLISECONDS = 1e11  # times from here on are in milliseconds


with open(f"{__file__.removesuffix('work.py')}data/records.schema.json", encoding="utf-8") as _file:
    SHAPES: Mapping[str, Shape] = defined(json.load(_file))
WORK, ACTION = SHAPES["work"], SHAPES["action"]
TASK_TYPES = SHAPES["intent"].fields["task_type"].choices


def parsed_json(text: str, where: str, fix: str) -> Any:
    """The JSON value of a text, with a byte order mark or without. Raises UsageError that begins with `where`."""
    try:
        return json.loads(text.lstrip("\ufeff"))
    except json.JSONDecodeError as error:
        raise UsageError(f"{where}line {error.lineno}: not JSON: {error.msg}", fix) from None
    except (ValueError, RecursionError) as error:
        why = "is nested too deep" if isinstance(error, RecursionError) else f"cannot be read: {error}"
        raise UsageError(f"{where}this JSON {why}", fix) from None


def checked(value: Any, line_of: Callable[[str], int] = lambda _: 0) -> Record:
    """A work that was handed in, in its normal form. Raises UsageError that names every invalid field.

    `line_of` returns the line (1-based) that a field was read from, 0 if it is unknown.
    """
    work = normal(value)
    told = []
    for fault in objections(work, WORK):
        place = f"line {line}: " if (line := line_of(fault.field)) else ""
        told.append(f"{place}{fault.field or 'the work'} {fault.message}: {fault.fix}")
    if told:
        raise UsageError("this is not a work: " + "; ".join(told), "mdmem guide work shows one with every field")
    assert isinstance(work, dict)
    return work


def normal(value: Any) -> Any:
    """A work with all layers, nested actions, and times in seconds; invalid parts are left as they are."""
    if not isinstance(value, Mapping):
        return value
    work = plain(value)
    actions = work.get("actions", [])
    work["actions"] = [nested_action(action) for action in actions] if isinstance(actions, list) else actions
    work["links"] = _normal_links(work.get("links", {}))
    for name in ("perception", "reasoning"):
        work.setdefault(name, {})
    return {name: work[name] for name in (*WORK.fields, *work) if name in work}


def plain(value: Mapping[str, Any]) -> Record:
    """A record without nulls, and with its times in seconds."""
    return {
        name: seconds(item) if name.endswith(TIMES) else item for name, item in value.items() if item is not None
    }


def seconds(value: Any) -> Any:
    """A time in Unix seconds, to the millisecond; anything but a number is left as it is."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        return value
    exact = round(value / 1000 if value >= _MILLISECONDS else value, 3)
    return int(exact) if exact == int(exact) else exact


def nested_action(value: Any) -> Any:
    """An action with nested `details` and `result`, whichever of the two forms it is given in."""
    if not isinstance(value, Mapping):
        return value
    action = plain(value)
    for part in ("details", "result"):
        flat = {name: action[name] for name in ACTION.of(part).fields if name in action}
        inner = action.get(part, {})
        if flat and isinstance(inner, Mapping) and not flat.keys() & inner.keys():
            action = {name: item for name, item in action.items() if name not in flat}
            action[part] = {**inner, **flat}
    return action


def flat_action(action: Mapping[str, Any]) -> Record:
    """A nested action in the flat form of the public implementation: its details are beside its type."""
    outer = {name: item for name, item in action.items() if name != "details"}
    return {**outer, **action.get("details", {})}


def _normal_links(value: Any) -> Any:
    """Links with a list for types that allow several, and one id for those that allow one."""
    if not isinstance(value, Mapping):
        return value
    links = {name: ids for name, ids in value.items() if ids is not None}
    for name, ids in links.items():
        if name in MANY_LINKS and isinstance(ids, str):
            links[name] = [ids]
        if name in ONE_LINK and isinstance(ids, list) and len(ids) == 1:
            links[name] = ids[0]
    return links


def subject(work: Mapping[str, Any]) -> str:
    """The text to name a valid work by if its goal is too short: its summary, then its task type."""
    return f"{work['outcome']['summary']}\n{work['intent']['task_type']}"


def files_of(work: Mapping[str, Any]) -> dict[str, str]:
    """path -> what a work did to that file; of several operations the strongest. What is not valid is left out.

    The strongest is delete, then create, edit, read, and last RELEVANT.
    """
    touched = [
        (named(named(action, "details"), "file_path"), OPERATIONS.get(str(named(action, "type")), RELEVANT))
        for action in listed(work.get("actions"))
    ]
    looked_at = listed(named(work.get("perception"), "relevant_files"))
    touched += [(named(file, "path"), RELEVANT) for file in looked_at]
    files: dict[str, str] = {}
    for path, operation in touched:
        is_path = isinstance(path, str) and path
        if is_path and _STRENGTH[operation] >= _STRENGTH[files.get(path, RELEVANT)]:
            files[path] = operation
    return files


def named(value: Any, name: str) -> Any:
    """A field of a mapping, None if it is not one."""
    return value.get(name) if isinstance(value, Mapping) else None


def listed(value: Any) -> list[Any]:
    """A list itself, an empty one for anything else."""
    return value if isinstance(value, list) else []


TYPE = "work"
PREFIXES = ("mem_", "chapter_", "wisdom_")  # of ids in RUM; the id of the note follows
_ACTION = ACTION._replace(fields={**ACTION.fields, "timestamp": Shape("moment")})
BODY = Shape("record", fields={name: WORK.of(name) for name in LAYERS} | {"actions": Shape("list", items=_ACTION)})
# field of a record -> property of its note
_SAME = {
    "agent_id": "actor",
    "project_id": "project",
    "session_id": "session",
    "tags": "tags",
    "importance": "importance",
}
_BLANK: tuple[Value, ...] = ("", [], {})
_STEP = re.compile(r"([^.\[\]]+)|\[(\d+)\]")  # of the name of a field: a name or an index


class Around(NamedTuple):
    """What a note does not state itself: when it was `created` (RFC 3339), and the ids behind its links."""

    created: str
    id_of: IdOf


# -- a note as a record --------------------------------------------------------------------------------------


def reading_of(note: Memory, around: Around, data: bytes = b"") -> tuple[Record, tuple[Problem, ...]]:
    """The work that a note states, and everything that keeps it from being valid, with file and line.

    `data` are the bytes of the note, for the lines of properties.
    """
    reading = read(note.body, note.body_line - 1)
    said = record_of(note, around, reading)
    faults = list(objections(said, WORK))
    lines = {**reading.lines, **property_lines(note, data)} if faults else reading.lines
    wrong = [problem_of(note, TYPE, lines, fault) for fault in faults]
    return said, tuple(dict.fromkeys([*note.problems, *form_problems(note, reading), *wrong]))


def record_of(note: Memory, around: Around, reading: SectionReading | None = None) -> Record:
    """The work that a note states, `reading` is its body. Raises nothing: an invalid value is kept as it is."""
    said = {name: note.meta[prop] for name, prop in _SAME.items() if note.meta.get(prop) is not None}
    if "tags" in said and not isinstance(said["tags"], list):
        said["tags"] = list(note.tags)
    importance = said.get("importance")
    if isinstance(importance, str):
        said["importance"] = scalars.read(importance)
    work: Record = {
        "id": rum_id(note.id),
        **said,
        "created_at": seconds_of(note.text("created") if moments.parse(note.text("created")) else around.created),
        **layers_of(reading or read(note.body)),
        "links": links_of(note, around.id_of),
    }
    return {name: work[name] for name in WORK.fields if name in work}


def read(body: str, above: int = 0) -> SectionReading:
    """The layers in a body, with their lines; `above` is the number of lines above the body."""
    return sections.read(body, BODY, above)


def layers_of(reading: SectionReading) -> Record:
    """The five layers of a work; those that were not written are empty."""
    layers: Record = {name: [] if name == "actions" else {} for name in LAYERS} | dict(reading.values)
    if isinstance(layers["actions"], list):
        layers["actions"] = [nested_action(with_time(action, seconds_of)) for action in layers["actions"]]
    return layers


def links_of(note: Memory, id_of: IdOf) -> Record:
    """The links of a note by type, without those to what is gone; ids of memories elsewhere stay."""
    stated = {name: ids_of(note.meta[name], id_of) for name in LINK_TYPES if note.meta.get(name) is not None}
    return {
        name: ids if name in MANY_LINKS else ids[-1] for name, ids in stated.items() if ids or name in MANY_LINKS
    }


def ids_of(value: Value, id_of: IdOf) -> list[str]:
    """The ids of the memories that a property names, without links that lead nowhere."""
    targets = targets_of(value)
    return [id for one in targets if (id := id_of(one) or (one if is_uuid(note_id(one)) else ""))]


def rum_id(id: str, prefix: str = PREFIXES[0]) -> str:
    """The id of a note in RUM's form."""
    return f"{prefix}{id}" if is_uuid(id) else id


def note_id(id: str) -> str:
    """The id of a note from its id in RUM's form."""
    rest = next((id.removeprefix(prefix) for prefix in PREFIXES if id.startswith(prefix)), id)
    return rest if is_uuid(rest) else id


def seconds_of(value: Any) -> Any:
    """A date and time as Unix seconds, to the millisecond; anything else is left as it is."""
    text = as_text(value)
    if not is_moment(text):
        text = moments.normal(text)
    return seconds(datetime.fromisoformat(text.replace("z", "Z")).timestamp()) if text else value


def moment_of(value: Any) -> Any:
    """Unix seconds as RFC 3339, with milliseconds if there are any; anything else is left as it is."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return moments.of_seconds(value) if is_number else value


def with_time(action: Any, convert: Callable[[Any], Any]) -> Any:
    """An action with its time converted, if it has one."""
    if not isinstance(action, dict) or "timestamp" not in action:
        return action
    return {**action, "timestamp": convert(action["timestamp"])}


# -- a record as a note --------------------------------------------------------------------------------------


def note_of(work: Mapping[str, Any], link_of: LinkOf) -> tuple[dict[str, Value], str]:
    """The properties and the body of a new note for a valid work; `title` is left to the caller."""
    properties: dict[str, Value] = {"type": TYPE}
    if "id" in work:
        properties["id"] = note_id(work["id"])
    if "created_at" in work:
        properties["created"] = moment_of(work["created_at"])
    properties |= {prop: writable(work[name]) for name, prop in _SAME.items() if name in work}
    properties |= _link_properties(work.get("links", {}), link_of)
    return properties, sections.render(_sections_of(work), BODY)


def applied(data: bytes, work: Mapping[str, Any], note: Memory, around: Around, link_of: LinkOf) -> bytes:
    """The bytes of the note changed to state `work`; what it states already keeps its bytes.

    Raises NoteError, UsageError like `note.fields`.
    """
    now = record_of(note, around)
    changes = {
        prop: writable(work.get(name))
        for name, prop in _SAME.items()
        if not scalars.is_same(now.get(name), work.get(name))
    }
    if now["created_at"] != work.get("created_at", now["created_at"]):
        changes["created"] = moment_of(work["created_at"])
    before, after = now["links"], work["links"]
    changed = [name for name in LINK_TYPES if before.get(name) != after.get(name)]
    written = _link_properties({name: after[name] for name in changed if name in after}, link_of)
    changes |= {name: written.get(name) for name in changed}
    data = fields.set_fields(data, changes, note.path)
    body = sections.edit(note.body, _sections_of(work), BODY)
    return data if body == note.body else fields.set_body(data, body, note.path)


def _sections_of(work: Mapping[str, Any]) -> dict[str, Value]:
    """The layers that are not empty."""
    said = {name: work[name] for name in LAYERS if work.get(name)}
    if "actions" in said:
        said["actions"] = [with_time(action, moment_of) for action in said["actions"]]
    return said


def _link_properties(said: Mapping[str, Any], link_of: LinkOf) -> dict[str, Value]:
    by_type = {name: ids if isinstance(ids, list) else [ids] for name, ids in said.items()}
    return {name: [link_of(id) or id for id in ids] for name, ids in by_type.items()}


# -- what is wrong with a note as a work ---------------------------------------------------------------------


def form_problems(note: Memory, reading: SectionReading) -> Iterator[Problem]:
    """The parts of a body that cannot be read: bullets without a field, headings that a work does not have."""
    return format.form_problems(note, TYPE, reading, BODY, TYPE)


def property_lines(note: Memory, data: bytes) -> dict[str, int]:
    """The line (1-based), in the bytes of a note, of each field of a work that is a property."""
    names = {**_SAME, "id": "id", "created_at": "created", **{f"links.{name}": name for name in LINK_TYPES}}
    return format.property_lines(note, data, names.items())


def without_blanks(value: Any, shape: Shape = BODY) -> Any:
    """The filled-in part of a template: without strings, lists and mappings that were left empty."""
    if isinstance(value, dict):
        kept = {name: without_blanks(item, shape.of(name)) for name, item in value.items()}
        return {name: item for name, item in kept.items() if item not in _BLANK}
    if isinstance(value, list):
        items = [without_blanks(item, shape.items or shape) for item in value]
        return [item for item in items if item not in _BLANK]
    return value


def with_blanks(field: str, value: Any) -> str:
    """The name in `value` of a field of what `without_blanks` left of it: indexes there count empty items, too."""
    written = ""
    for name, index in _STEP.findall(field):
        if name:
            written = joined(written, name)
            value = value.get(name) if isinstance(value, dict) else None
            continue
        filled_in = [place for place, item in enumerate(value) if without_blanks(item) not in _BLANK]
        place = filled_in[int(index)]
        written, value = f"{written}[{place}]", value[place]
    return written


# -- index traits, by which works are found by file, task type and success without being read ----------------

TASK_TYPE, SUCCESS, FILE = "task_type", "success", "file"


def of_note(note: Memory) -> Iterator[Trait]:
    """The traits of a work note; none for a field that it does not have, or that holds something else."""
    layers = layers_of(read(note.body))
    task_type, success = named(layers["intent"], "task_type"), named(layers["outcome"], "success")
    if task_type and isinstance(task_type, str):
        yield Trait(TASK_TYPE, task_type, task_type)
    if isinstance(success, bool):
        yield Trait(SUCCESS, str(success).lower())
    for path, operation in files_of(layers).items():
        yield Trait(FILE, file_key(path), path, operation)


def file_key(path: str) -> str:
    """The key by which files are looked up: the last part of the path, case folded."""
    return basename(path.replace("\\", "/").rstrip("/")).casefold()
