"""The three indexes of the mirror, as the text of their files."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from mdmem.store.vault.derived import DerivedFile
from mdmem.systems.rlm.linking import ChunkHead
from mdmem.systems.rlm.mirror.rendered import file_of

PARTS = ["entries", "lists", "updated"]  # of an index document
INDEXES = ("metadata_index", "tag_index", "link_graph")

_quoted = json.encoder.encode_basestring  # a string as JSON, without escaping letters beyond ASCII


def metadata_index(base: str, heads: Mapping[str, ChunkHead], updated: str | None) -> DerivedFile:
    """id -> type, conversation, created and confidence of each chunk, in order; `heads` are by chunk id."""
    return _index(base, "metadata_index", {id: _entry(head) for id, head in heads.items()}, {}, updated)


def tag_index(base: str, heads: Mapping[str, ChunkHead], updated: str | None) -> DerivedFile:
    """tag -> the ids of the chunks that have it, in order."""
    by_tag: dict[str, list[str]] = {}
    for id, head in heads.items():
        for tag in head.tags:
            by_tag.setdefault(tag, []).append(id)
    lists = {tag: _list(ids) for tag, ids in sorted(by_tag.items())}
    return _index(base, "tag_index", {}, lists, updated)


def link_graph(base: str, links: Mapping[str, str], updated: str | None) -> DerivedFile:
    """id -> the links of each chunk, which are given as rendered JSON."""
    return _index(base, "link_graph", links, {}, updated)


def _index(
    base: str, name: str, entries: Mapping[str, str], lists: Mapping[str, str], updated: str | None
) -> DerivedFile:
    """An index file; `entries` and `lists` are rendered JSON by chunk id and by tag."""
    parts = zip(PARTS, (_members(entries), _members(lists), json.dumps(updated)), strict=True)
    text = "{\n" + ",\n".join(f'  "{key}": {part}' for key, part in parts) + "\n}\n"
    return file_of(f"{base}index/{name}.json", text)


def _entry(head: ChunkHead) -> str:
    told = {"type": head.type, "conversation_id": head.conversation, "created": head.created}
    members = "".join([f'      "{key}": {_quoted(text)},\n' for key, text in told.items()])
    return f'{{\n{members}      "confidence": {head.confidence!r}\n    }}'


def _list(ids: Sequence[str]) -> str:
    """Chunk ids, which are ASCII without quotes, as a JSON list two levels deep in a document."""
    return "[\n      " + ",\n      ".join([f'"{id}"' for id in ids]) + "\n    ]"


def _members(rendered: Mapping[str, str]) -> str:
    members = [f"    {_quoted(key)}: {text}" for key, text in rendered.items()]
    return "{\n" + ",\n".join(members) + "\n  }" if rendered else "{}"
