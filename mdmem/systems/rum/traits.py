"""The index traits of a work note, by which works are found by file, task type and success without being read."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import basename

from mdmem.note.memory import Memory
from mdmem.store.index.port import Trait
from mdmem.systems.rum import schema
from mdmem.systems.rum.schema import Record, named

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
    """The layers of a body, whatever they hold, and its `task_type` and `success`, "" and None for none."""
    from mdmem.systems.rum import work

    layers = work.layers_of(work.read(body))
    task_type, success = named(layers["intent"], "task_type"), named(layers["outcome"], "success")
    return {
        **layers,
        "task_type": task_type if isinstance(task_type, str) else "",
        "success": success if isinstance(success, bool) else None,
    }
