"""The index traits of a work note, by which works are found by file, task type and success without being read.

A body as mdmem writes it, like most that people write, is read line by line, which takes a hundredth of the time
that parsing its Markdown takes. Any other body is parsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename
from typing import Any, NamedTuple

from mdmem.note.memory import Memory
from mdmem.store.index.port import Trait
from mdmem.systems.rum import schema
from mdmem.systems.rum.schema import Record

TASK_TYPE, SUCCESS, FILE = "task_type", "success", "file"

_HEADING = re.compile(r"##[ \t]+([A-Za-z]+)[ \t]*")
_ROW = re.compile(r"(?P<indent> *)(?P<markers>(?:[-*+] )+)(?P<rest>[^\s].*)")
_PAIR = re.compile(r"(?P<name>[A-Za-z][\w -]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_FLAGS = {"true": True, "yes": True, "false": False, "no": False}


def of_note(note: Memory) -> Iterator[Trait]:
    """The traits of a work note; none for a field that it does not have."""
    said = sketch(note.body)
    if said["task_type"]:
        yield Trait(TASK_TYPE, said["task_type"], said["task_type"])
    if said["success"] is not None:
        yield Trait(SUCCESS, str(said["success"]).lower())
    for path, operation in schema.files_of(said).items():
        yield Trait(FILE, file_key(path), path, operation)


def file_key(path: str) -> str:
    """The key by which files are looked up: the last part of the path, case folded."""
    return basename(path.replace("\\", "/").rstrip("/")).casefold()


def sketch(body: str) -> Record:
    """The `task_type` and the `success` of a body, and what `schema.files_of` needs of it."""
    sections = _plain_sections(body)
    if sections is None:
        return _parsed(body)
    try:
        return {
            "task_type": _first(_top(sections.get("intent", ())), "task_type"),
            "success": _FLAGS.get(_first(_top(sections.get("outcome", ())), "success").lower()),
            "actions": [_action(item) for item in _items(sections.get("actions", ()))],
            "perception": {"relevant_files": list(_files(sections.get("perception", ())))},
        }
    except _UnusualError:
        return _parsed(body)


# -- line by line --------------------------------------------------------------------------------------------


class _UnusualError(ValueError):
    """A line may mean more than it seems: the body has to be parsed."""


class _Line(NamedTuple):
    """A bullet: the column of its first marker, and its text; `name` and `value` if it reads `name: value`."""

    indent: int
    text: str
    name: str
    value: str


def _plain_sections(body: str) -> dict[str, list[_Line]] | None:
    """The bullets of each section; None if there is anything else, except a quote above the first section."""
    sections: dict[str, list[_Line]] = {}
    current: list[_Line] | None = None
    markers: set[str] = set()
    deepest = 0  # rightmost column in which the next bullet may begin
    for row in body.split("\n"):
        if not row.strip() or (current is None and row.startswith("> ")):  # a notice above the first section
            continue
        if heading := _HEADING.fullmatch(row):
            current, markers, deepest = [], set(), 0
            if heading[1].lower() in sections:
                return None
            sections[heading[1].lower()] = current
            continue
        match = _ROW.fullmatch(row)
        if current is None or match is None or len(match["indent"]) > deepest or len(match["indent"]) % 2:
            return None
        markers |= set(match["markers"]) - {" "}
        deepest = len(match["indent"]) + len(match["markers"])
        current.append(_line(match))
        if len(markers) > 1 or match["rest"].startswith(("```", "~~~")):
            return None
    return sections


def _line(match: re.Match[str]) -> _Line:
    pair = _PAIR.fullmatch(match["rest"])
    name = re.sub(r"[\s-]+", "_", pair["name"]).lower() if pair else ""
    return _Line(len(match["indent"]), match["rest"], name, (pair["value"] or "") if pair else "")


def _items(lines: Sequence[_Line]) -> list[list[_Line]]:
    """The bullets of the top level, each with those below it."""
    items: list[list[_Line]] = []
    for line in lines:
        if line.indent == lines[0].indent:
            items.append([])
        items[-1].append(line)
    return items


def _top(lines: Sequence[_Line]) -> list[_Line]:
    return [item[0] for item in _items(lines)]


def _first(lines: Sequence[_Line], name: str) -> str:
    """The value of the first bullet with that name, "" if there is none."""
    return next((_text(line.value) for line in lines if line.name == name), "")


def _text(value: str) -> str:
    """A value as a string; a quoted one is JSON."""
    if not value.startswith('"'):
        return value
    try:
        read = json.loads(value)
    except ValueError:
        return value
    return read if isinstance(read, str) else value


def _action(item: Sequence[_Line]) -> Record:
    if any(line.text.startswith(("{", "[", '"')) or line.value.startswith(("{", "[")) for line in item):
        raise _UnusualError
    return {"type": _first(item, "type"), "details": {"file_path": _first(item, "file_path")}}


def _files(perception: Sequence[_Line]) -> Iterator[Record]:
    for field in _items(perception):
        head, *below = field
        if head.name != "relevant_files":
            continue
        if head.value not in ("", "[]"):
            raise _UnusualError
        yield from ({"path": path} for item in _items(below) if (path := _path_of(item)))


def _path_of(item: Sequence[_Line]) -> str:
    """The file that a bullet is about: its field `path`, or its first line."""
    head = item[0]
    if head.text.startswith(("{", "[", '"')) or (head.name and head.name not in _FILE_FIELDS):
        raise _UnusualError
    return _first(item, "path") if head.name else head.text


_FILE_FIELDS = ("path", "relevance", "state_summary")


# -- parsed as Markdown --------------------------------------------------------------------------------------


def _parsed(body: str) -> Record:
    from mdmem.systems.rum import work

    layers = work.layers_of(work.read(body))
    success = _named(layers["outcome"], "success")
    actions = [
        {"type": _named(action, "type"), "details": {"file_path": _named(_named(action, "details"), "file_path")}}
        for action in _listed(layers["actions"])
    ]
    files = [{"path": _named(file, "path")} for file in _listed(_named(layers["perception"], "relevant_files"))]
    task_type = _named(layers["intent"], "task_type")
    return {
        "task_type": task_type if isinstance(task_type, str) else "",
        "success": success if isinstance(success, bool) else None,
        "actions": [one for one in actions if isinstance(one["details"]["file_path"], str)],
        "perception": {
            "relevant_files": [file for file in files if isinstance(file["path"], str) and file["path"]]
        },
    }


def _named(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else None


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
