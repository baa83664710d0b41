"""The commands of Anthropic's memory tool (`memory_20250818`) over a folder of a vault.

They answer what the file-system tool of Anthropic's Python SDK answers, word for word. The differences are
deliberate: `/memoriesX` is not `/memories/X`, `/memories/` is listed without `//`, git's own names and those that
not every system can hold are refused, and a refused command leaves no folder behind.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from posixpath import basename

from mdmem.errors import ConflictError, MdmemError, NotFoundError, UsageError, is_text
from mdmem.store import layout
from mdmem.store.local import files
from mdmem.store.operation import Caller, Operation
from mdmem.store.vault.vault import Vault
from mdmem.systems.adapters.access import folder_of_memories, is_hidden
from mdmem.write import edit, rename

TOP = "/memories"
FOLDER = "claude"  # within the folder of memories
_LEVELS = 2  # of folders in a listing
_AROUND = 2  # lines that are shown on either side of a change
_MOST_LINES = 999_999
_UNITS = ("B", "K", "M", "G")


class MemoryFiles:
    """The files that a model sees below `/memories`: they lie in `folder` of the vault, as the model wrote them.

    Every command that writes is one commit by the caller `who`. Paths are as the model gives them. All commands
    raise MdmemError, worded for the model, and OSError.
    """

    def __init__(self, vault: Vault, folder: str, who: Caller) -> None:
        """Raises UsageError for a folder that is not one of memories."""
        self._vault = vault
        self._who = who
        self._folder = folder_of_memories(vault, folder, FOLDER)
        self._top = files.locate(vault.root, self._folder)
        os.makedirs(self._top, exist_ok=True)

    # -- reading -------------------------------------------------------------------------------------------

    def view(self, path: str, view_range: Sequence[int] | None = None) -> str:
        """The lines of a file, or only `view_range` (first, last; -1 is the end), or the files of a folder."""
        place = self._place(path)
        if os.path.isdir(self._absolute(place)):
            return self._listing(path, place)
        self._require_file(place, path, f"Unsupported file type for {path}")
        lines = _decoded(self._vault.shown(place), path).split("\n")
        if len(lines) > _MOST_LINES:
            raise UsageError(f"File {path} exceeds maximum line limit of 999,999 lines.")
        first, last = 1, len(lines)
        if view_range and len(view_range) == 2:
            first = max(1, view_range[0])
            last = len(lines) if view_range[1] == -1 else view_range[1]
        shown = lines[first - 1 : last]
        return f"Here's the content of {path} with line numbers:\n" + _numbered(shown, first)

    def _listing(self, path: str, place: str) -> str:
        header = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
        folder = self._absolute(place)
        return "\n".join([header, f"{_size(folder)}\t{path}", *self._listed(folder, path.rstrip("/"), _LEVELS)])

    def _listed(self, folder: str, path: str, levels: int) -> Iterator[str]:
        """A line for each file and folder, down to `levels` levels, without symbolic links that lead outside."""
        for name in sorted(os.listdir(folder)):
            inner = os.path.realpath(os.path.join(folder, name))
            if name.startswith(".") or not self._is_within(inner):
                continue
            if os.path.isdir(inner):
                yield f"{_size(inner)}\t{path}/{name}/"
                if levels > 1:
                    yield from self._listed(inner, f"{path}/{name}", levels - 1)
            elif os.path.isfile(inner) and not is_hidden(self._vault, self._relative(inner)):
                yield f"{_size(inner)}\t{path}/{name}"

    # -- writing -------------------------------------------------------------------------------------------

    def create(self, path: str, file_text: str) -> str:
        """Write a new file."""
        place = self._place(path)
        self._require_folder_above(place, path)
        with self._vault.change(self._does("create", [place])) as tx:
            if os.path.lexists(self._absolute(place)):
                raise ConflictError(f"File {path} already exists")
            tx.write(place, file_text.encode())
        return f"File created successfully at: {path}"

    def str_replace(self, path: str, old_str: str, new_str: str) -> str:
        """Replace a text that occurs exactly once in a file."""

        def replaced(text: str) -> str:
            _require_once(old_str, text, path)
            return text.replace(old_str, new_str)

        before, after = self._edit(path, replaced)
        lines = after.split("\n")
        changed = before[: before.find(old_str)].count("\n")
        first = max(0, changed - _AROUND)
        snippet = _numbered(lines[first : changed + _AROUND + 1], first + 1)
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return f"{head}\n{snippet}"

    def insert(self, path: str, insert_line: int, insert_text: str) -> str:
        """Insert a text after the line with that number; 0 is above all lines."""

        def with_text(text: str) -> str:
            lines = text.removesuffix("\n").split("\n") if text else []
            if not 0 <= insert_line <= len(lines):
                raise UsageError(
                    f"Invalid `insert_line` parameter: {insert_line}. "
                    f"It should be within the range [0, {len(lines)}]."
                )
            lines.insert(insert_line, insert_text.rstrip("\n"))
            whole = "\n".join(lines)
            return whole if whole.endswith("\n") else whole + "\n"

        self._edit(path, with_text)
        return f"The file {path} has been edited."

    def delete(self, path: str) -> str:
        """Delete a file, or a folder with everything in it."""
        place = self._place(path)
        if place == self._folder:
            raise UsageError("Cannot delete the /memories directory itself")
        self._delete(self._files_of(place, path))
        self._remove_folders(place)
        return f"Successfully deleted {path}"

    def rename(self, old_path: str, new_path: str) -> str:
        """Move a file, or a folder with everything in it. Links to moved memories are updated."""
        old, new = self._place(old_path), self._place(new_path)
        if old == self._folder:
            raise UsageError("Cannot rename the /memories directory itself")
        if os.path.lexists(self._absolute(new)):
            raise ConflictError(f"The destination {new_path} already exists")
        inner = self._files_of(old, old_path)
        if layout.within(new, old):
            raise UsageError(f"Cannot move {old_path} into itself")
        self._require_folder_above(new, new_path)
        folders = self._folders_of(old)
        if inner:
            moves = {place: new + place.removeprefix(old) for place in inner}
            rename.move_files(self._vault, moves, self._does("rename", list(moves.values())))
        for folder in folders:
            os.makedirs(self._absolute(new + folder.removeprefix(old)), exist_ok=True)
        self._remove_folders(old)
        return f"Successfully renamed {old_path} to {new_path}"

    def clear(self) -> str:
        """Delete everything, in one commit."""
        self._delete(self._files_of(self._folder, TOP), allow_loss=True)
        self._remove_folders(self._folder)
        os.makedirs(self._top, exist_ok=True)
        return "All memory cleared"

    def _does(self, action: str, places: Sequence[str]) -> Operation:
        names = tuple(basename(place).removesuffix(".md") for place in places)
        return self._who.does(action)._replace(names=names)

    def _edit(self, path: str, edited: Callable[[str], str]) -> tuple[str, str]:
        """Change the text of a file. Returns the text before and after, as the reader may see it."""
        place = self._place(path)
        self._require_file(place, path, f"The path {path} is not a file.")
        with self._vault.change(self._does("revise", [place])) as tx:
            data = tx.require(place)
            before = self._as_seen(data, path)
            edited(before)  # fails where only hidden text would match
            whole = edited(_decoded(data, path)).encode()
            tx.write(place, whole)
        return before, self._as_seen(whole, path)

    def _delete(self, places: Sequence[str], allow_loss: bool = False) -> None:
        for place in places:
            if layout.kind_of(place, self._vault.config) == layout.Kind.MEMORY:
                note = self._vault.get(place)
                edit.require_deletable(note.name, note.meta)
        if places:
            with self._vault.change(self._does("delete", places), allow_loss) as tx:
                for place in places:
                    tx.delete(place)

    # -- places --------------------------------------------------------------------------------------------

    def _place(self, path: str) -> str:
        """The path in the vault, with symbolic links followed, for a path of the tool. Raises UsageError."""
        if path != TOP and not path.startswith(TOP + "/"):
            raise UsageError(f"Path must start with /memories, got: {path}")
        if "\\" in path or any(not char.isprintable() for char in path):
            raise UsageError(f"Path {path!r} has a character that a file name cannot have here")
        place = os.path.realpath(os.path.join(self._top, path.removeprefix(TOP).lstrip("/")))
        if "%2e" in path.lower() or not self._is_within(place):
            raise UsageError(f"Path {path} would escape /memories directory")
        relative = self._relative(place)
        if not files.is_inside(relative) or "/.git" in relative.lower():
            raise UsageError(f"Path {path} is one of git's own names; choose another")
        files.locate(self._vault.root, relative)  # refuses what no file can be called, before looking for it
        return relative

    def _absolute(self, place: str) -> str:
        return os.path.join(self._vault.root, place)

    def _relative(self, place: str) -> str:
        return os.path.relpath(place, self._vault.root).replace(os.sep, "/")

    def _is_within(self, place: str) -> bool:
        return place == self._top or place.startswith(self._top + os.sep)

    def _as_seen(self, data: bytes, path: str) -> str:
        return _decoded(data if self._vault.clearance.is_full else self._vault.redacted(data), path)

    def _require_file(self, place: str, path: str, otherwise: str) -> None:
        if is_hidden(self._vault, place) or not os.path.lexists(self._absolute(place)):
            raise NotFoundError(f"The path {path} does not exist. Please provide a valid path.")
        if not os.path.isfile(self._absolute(place)):
            raise UsageError(otherwise)

    def _require_folder_above(self, place: str, path: str) -> None:
        """Raise UsageError for a path below a file: the system would refuse it only halfway through a change."""
        above = os.path.dirname(self._absolute(place))
        while not os.path.lexists(above):
            above = os.path.dirname(above)
        if not os.path.isdir(above):
            raise UsageError(f"Path {path} leads through a file, not a directory")

    def _files_of(self, place: str, path: str) -> list[str]:
        """The path itself, or those of all files in a folder. Raises NotFoundError if it is missing or hidden."""
        whole = self._absolute(place)
        if os.path.isdir(whole):
            walked = ((folder, name) for folder, _, names in os.walk(whole) for name in names)
            inner = sorted(self._relative(os.path.join(folder, name)) for folder, name in walked)
            if any(is_hidden(self._vault, each) for each in inner):
                raise MdmemError(f"{path} holds memories that you may not see; a person has to do that")
            return inner
        if not os.path.isfile(whole) or is_hidden(self._vault, place):
            raise NotFoundError(f"The path {path} does not exist")
        return [place]

    def _folders_of(self, place: str) -> list[str]:
        """The folders in a folder, and itself; none for a file."""
        return [self._relative(folder) for folder, _, _ in os.walk(self._absolute(place))]

    def _remove_folders(self, place: str) -> None:
        """Remove the empty folders left at a place. The folder above stays, empty or not."""
        for folder, _, _ in os.walk(self._absolute(place), topdown=False):
            with suppress(OSError):  # it is not empty: another program has written into it since
                os.rmdir(folder)
        os.makedirs(os.path.dirname(self._absolute(place)), exist_ok=True)


COMMANDS: Mapping[str, Sequence[str]] = {  # what each command takes
    "view": ("path", "view_range"),
    "create": ("path", "file_text"),
    "str_replace": ("path", "old_str", "new_str"),
    "insert": ("path", "insert_line", "insert_text"),
    "delete": ("path",),
    "rename": ("old_path", "new_path"),
}


def _is_range(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(item, int) for item in value))


def checked(command: str, given: Mapping[str, object]) -> dict[str, object]:
    """The arguments of a command. Raises UsageError for one that is missing or has another type."""
    for name in COMMANDS[command]:
        value = given.get(name)
        if name == "view_range":
            kind, fits = "range", _is_range(value)
        elif name == "insert_line":
            kind, fits = "number", isinstance(value, int)
        else:
            kind, fits = "text", isinstance(value, str) and is_text(value)
        if not fits:
            raise UsageError(f"`{name}` of {command} must be a {kind}")
    return {name: given.get(name) for name in COMMANDS[command]}


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise UsageError(f"The file {path} is not UTF-8 text") from None


def _numbered(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def _size(place: str) -> str:
    """The size of a file in the form of `ls -h`: 14B, 1.5K."""
    size = os.stat(place).st_size
    power = min(max(size.bit_length() - 1, 0) // 10, len(_UNITS) - 1)
    scaled = size / 1024**power
    return f"{int(scaled) if scaled.is_integer() else format(scaled, '.1f')}{_UNITS[power]}"


def _require_once(old: str, text: str, path: str) -> None:
    count = text.count(old)
    if count == 0:
        raise UsageError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if count > 1:
        starts = (found.start() for found in re.finditer(f"(?={re.escape(old)})", text))
        lines = ", ".join(str(text.count("\n", 0, start) + 1) for start in starts)
        raise UsageError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}."
            " Please ensure it is unique"
        )
