"""The index traits of a work note, by which works are found by file, task type and success without being read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import basename
from typing import Any

from mdmem.note.memory import Memory
from mdmem.store.index.port import Trait
from mdmem.systems.rum import schema
from mdmem.systems.rum.schema import Record

TASK_TYPE, SUCCESS, FILE = "task_type", "success", "file"


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
