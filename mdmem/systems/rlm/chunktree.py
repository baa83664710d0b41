"""Reads the chunks of an RLM-MEM tree from its files. Its indexes are used only for the order of creation."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from math import isfinite
from typing import Any, NamedTuple

from mdmem.errors import MdmemError, NoteError, Problem, is_text
from mdmem.note import moments, properties
from mdmem.store.local import files
from mdmem.systems.importers import values
from mdmem.systems.rlm import schema
from mdmem.systems.rlm.schema import Chunk

_TREES = ("brain/memory", "memory", "")
_CHUNKS, _ARCHIVE, _INDEX = "chunks", "archive", "index"
_MOST = 2**53  # limit for the tokens of a chunk, and for its access count


class TreeChunk(NamedTuple):
    """A chunk of the tree, its file, and whether it is in the archive."""

    source: str
    chunk: Chunk
    archived: bool


def tree_at(given: str) -> str:
    """The folder with the chunks and the archive, at or below `given`, as it is shown to people."""
    inner = (os.path.normpath(os.path.join(given, path)) for path in _TREES)
    return next((place for place in inner if os.path.isdir(os.path.join(place, _CHUNKS))), os.path.normpath(given))


def sources(tree: str, problems: list[Problem]) -> Iterator[tuple[str, bool]]:
    """(path within the tree, whether it is archived) of every JSON file, the archive last; links are skipped."""

    def unlisted(error: OSError) -> None:
        path = os.path.relpath(error.filename or tree, tree)
        problems.append(values.left_out(path, f"cannot be listed: {error.strerror}", "fix its permissions"))

    index = os.path.join(tree, _INDEX)
    tops = [top for top in (_CHUNKS, _ARCHIVE) if os.path.isdir(os.path.join(tree, top))] or [""]
    for top in tops:
        for inner in files.walk(os.path.join(tree, top), lambda place: place != index, unlisted):
            path = f"{top}/{inner}" if top else inner
            place = os.path.join(tree, path)
            if not (inner.lower().endswith(".json") or os.path.isdir(place)):
                continue
            if os.path.islink(place) or not os.path.isfile(place) or not is_text(path):
                shown = path.encode("utf-8", "backslashreplace").decode()
                fix = "copy its contents there, under a plain name"
                problems.append(values.left_out(shown, "is not a regular file, or its name is not text", fix))
            else:
                yield path, top == _ARCHIVE


def read_all(
    tree: str, sources: Sequence[tuple[str, bool]], problems: list[Problem], progress: Callable[[int], None]
) -> Iterator[TreeChunk]:
    """The chunks in the files; `progress` gets the number of files read."""
    for done, (source, archived) in enumerate(sources, 1):
        try:
            made, doubts = _chunk(files.read(tree, source))
        except NoteError as error:
            problems.append(error.problem._replace(code="import", path=source))
        except (MdmemError, ValueError, OverflowError) as error:
            problems.append(values.left_out(source, f"is not a chunk: {error}", "fix it, then import again"))
        else:
            problems += [Problem(code, source, 0, said, fix, "warning") for code, said, fix in doubts]
            yield TreeChunk(source, made, archived)
        progress(done)


def _chunk(data: bytes) -> tuple[Chunk, list[tuple[str, str, str]]]:
    """(chunk, what the schema says against it). Raises ValueError if the bytes are not a chunk."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("the document is nested too deeply") from None
    metadata = document.get("metadata") if isinstance(document, dict) else None
    if isinstance(metadata, dict):
        for key in ("created", "last_accessed"):
            if isinstance(written := metadata.get(key), str | int | float):
                metadata[key] = _moment(written)
    made = Chunk.from_dict(document)
    if not schema.is_id(made.id):
        raise ValueError(f"its id cannot be {made.id[:80]!r}")
    properties.require_utf8(made.to_dict())
    if not isfinite(made.metadata.confidence):
        raise ValueError(f"metadata.confidence cannot be {made.metadata.confidence}")
    if abs(made.tokens) >= _MOST:
        raise ValueError("tokens cannot be that many")
    if not 0 <= made.metadata.access_count < _MOST:
        raise ValueError(f"metadata.access_count cannot be {made.metadata.access_count}")
    return made, list(_doubts(document, made))


def _doubts(document: Mapping[str, Any], made: Chunk) -> Iterator[tuple[str, str, str]]:
    """(code, message, fix) of what is lost of a document ("import"), or kept against the schema ("chunk")."""
    known = made.to_dict()
    unknown = [*document.keys() - known.keys()]
    for part in ("metadata", "links"):
        unknown += [f"{part}.{key}" for key in (document.get(part) or {}).keys() - known[part].keys()]
    if unknown:
        names = ", ".join(sorted(key[:80] for key in unknown))
        yield "import", f"has keys that the schema does not know, left out: {names}", "put them into its content"
    if "links" not in document:
        yield "chunk", "has no links, which the schema requires", "add them"
    for fault in schema.faults(made.type, made.metadata.source, made.metadata.confidence):
        yield (
            "chunk",
            f"its {fault.field} {fault.message}: ChunkStore does not read its memory",
            "give it a value of the schema",
        )


def _moment(written: str | float) -> str:
    """A point in time as the schema writes it; UTC without a zone, Unix time as a number. Raises ValueError."""
    try:
        when = datetime.fromisoformat(written) if isinstance(written, str) else moments.parse(written)
    except ValueError:
        when = moments.parse(written)
    if when is None:
        raise ValueError(f"{str(written)[:80]!r} is not a date")
    try:
        when = when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{str(written)[:80]!r} is out of range") from None
    return when.replace(tzinfo=None).isoformat() + "Z"


def ranks(tree: str) -> dict[str, int]:
    """id -> its position in the tree's own index, which is in order of creation; empty if the index is broken."""
    try:
        entries = json.loads(files.read(tree, f"{_INDEX}/metadata_index.json"))["entries"]
        return {id: rank for rank, id in enumerate(dict(entries))}
    except (MdmemError, ValueError, KeyError, TypeError, RecursionError):
        return {}
