"""Exports that come as a zip, as the folder that it unpacks to, or as one file of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from typing import Any

from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.importers import values
from mdmem.note.memory import decode_any

_MOST_BYTES = 2**31  # of a file in a zip, unpacked


def texts(given: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """(name, text) of the files that are wanted by their names, with `/`; of one file that is given, always it.

    Raises UsageError for a zip that is broken, NotFoundError and NoteError for files that cannot be read.
    """
    from zipfile import is_zipfile

    if os.path.isdir(given):
        for folder, folders, names in os.walk(given):
            folders.sort()
            places = [os.path.join(folder, name) for name in sorted(names)]
            for place in (place for place in places if not os.path.islink(place)):
                path = os.path.relpath(place, given).replace(os.sep, "/")
                if is_wanted(path):
                    yield path, _read(place)
    elif is_zipfile(given):
        yield from _zipped(given, is_wanted)
    else:
        yield os.path.basename(given), _read(given)


def _zipped(given: str, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(given) as archive:
            for entry in archive.infolist():
                if is_wanted(entry.filename) and entry.file_size <= _MOST_BYTES:
                    yield entry.filename, decode_any(archive.read(entry), entry.filename)
    except (BadZipFile, OSError, RuntimeError) as error:  # RuntimeError: it wants a password
        raise UsageError(f"{given} cannot be unpacked: {error}", "unpack it, and give the folder") from None


def _read(place: str) -> str:
    try:
        with open(place, "rb") as file:
            return decode_any(file.read(), place)
    except OSError as error:
        raise NotFoundError(f"{place} cannot be read: {error.strerror}") from None


def records(text: str, source: str, problems: list[Problem]) -> list[Any]:
    """The values of a JSON array, of one JSON value, or of JSON Lines; what is broken is a problem."""
    try:
        value = json.loads(text)
    except RecursionError:
        problems.append(values.left_out(source, "is nested too deeply", "take it apart"))
        return []
    except ValueError as error:
        rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
        if len(rows) > 1 and rows[0][1].strip().endswith("}"):
            return [value for number, row in rows for value in _line(row, number, source, problems)]
        problems.append(values.left_out(source, f"is not JSON: {error}", "export it again"))
        return []
    return value if isinstance(value, list) else [value]


def _line(row: str, number: int, source: str, problems: list[Problem]) -> Iterator[Any]:
    try:
        yield json.loads(row)
    except (ValueError, RecursionError):
        problems.append(values.left_out(source, "is not JSON; that line is left out", "delete it", number))
