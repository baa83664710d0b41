"""Exports that come as a zip file, as the folder that it unpacks to, or as a single file from it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

from mdmem.errors import NoteError, NotFoundError, UsageError
from mdmem.note.memory import decode_any
from mdmem.systems.importers.planning import ImportRun

STDIN = "-"


def given(place: str) -> tuple[str, str]:
    """(text, name) of a file, or of standard input. Raises NotFoundError, and NoteError for what is not text."""
    data = sys.stdin.buffer.read() if place == STDIN else read(place)
    return decode_any(data, place), "standard input" if place == STDIN else place


def texts(run: ImportRun, wanted: re.Pattern[str], noun: str) -> Iterator[tuple[str, str, str]]:
    """(name, place, text) of the files whose names, with `/`, are `wanted`; a single file that is given always is.

    A file that is not text is a problem, and so is the lack of any file, which the message calls `noun`. Raises
    UsageError for a broken zip, NotFoundError for a file that cannot be read.
    """
    given, is_empty = run.given, True
    for name, data in _files(given, wanted):
        is_empty = False
        try:
            place = given if name == os.path.basename(given) else os.path.join(given, name)
            yield name, place, decode_any(data, name)
        except NoteError as error:
            run.problems.append(error.problem)
    if is_empty:
        run.problems.left_out(given, f"holds no {noun}", "give the export, or one file of it")


def _files(given: str, wanted: re.Pattern[str]) -> Iterator[tuple[str, bytes]]:
    from zipfile import is_zipfile

    if os.path.isdir(given):
        for folder, folders, names in os.walk(given):
            folders.sort()
            places = [os.path.join(folder, name) for name in sorted(names)]
            for place in (place for place in places if not os.path.islink(place)):
                path = os.path.relpath(place, given).replace(os.sep, "/")
                if wanted.fullmatch(path):
                    yield path, read(place)
    elif is_zipfile(given):
        yield from _zipped(given, wanted)
    else:
        yield os.path.basename(given), read(given)


def _zipped(given: str, wanted: re.Pattern[str]) -> Iterator[tuple[str, bytes]]:
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(given) as archive:
            for entry in archive.infolist():
                if wanted.fullmatch(entry.filename):
                    yield entry.filename, archive.read(entry)
    except (BadZipFile, OSError, RuntimeError) as error:  # RuntimeError: it needs a password
        raise UsageError(f"{given} cannot be unpacked: {error}", "unpack it, and give the folder") from None


def read(place: str, most: int = -1) -> bytes:
    """The first bytes of a file, by default all. Raises NotFoundError if it cannot be read."""
    try:
        with open(place, "rb") as file:
            return file.read(most)
    except OSError as error:
        raise NotFoundError(f"{place} cannot be read: {error.strerror}") from None


def values(text: str, load: Callable[[str], Any] = json.loads) -> Iterator[tuple[int, Any]]:
    """(line, value) of all in a JSON array (line 0), of a single JSON value, or of the lines of JSON Lines.

    In place of a text or line that `load` cannot read there is its error, a ValueError or RecursionError.
    """
    rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
    try:
        value = load(text)
        yield from ((0, item) for item in value) if isinstance(value, list) else [(1, value)]
    except (ValueError, RecursionError) as error:
        is_lines = len(rows) > 1 and rows[0][1].strip().endswith("}")
        yield from ((line, _read(row, load)) for line, row in rows) if is_lines else [(1, error)]


def _read(text: str, load: Callable[[str], Any]) -> Any:
    try:
        return load(text)
    except (ValueError, RecursionError) as error:
        return error


def records(text: str, source: str, run: ImportRun) -> Iterator[Any]:
    """The values of a JSON array, a single JSON value, or JSON Lines. What is broken is a problem."""
    for line, value in values(text):
        if isinstance(value, RecursionError):
            run.problems.left_out(source, "is nested too deeply", "take it apart", line)
        elif isinstance(value, ValueError):
            run.problems.left_out(source, f"is not JSON: {value}; left out", "export it again", line)
        else:
            yield value
