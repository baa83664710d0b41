"""Recall with its reasons, and the list of all memories."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from mdmem.acts.json.notes import answer_json, record_json, stub_json
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.recall import ask, selection
from mdmem.recall.ask import Query
from mdmem.store.index.port import ALL_KINDS, Kinds
from mdmem.store.vault.vault import Vault

Told = dict[str, Any]
_MOST = 20  # answers
_AT_ONCE = 100  # memories of one part of the list
_PART = re.compile(r'(?P<filter>-?[^\W\d][\w-]*:(?:"[^"]*"|[^\s"]+)|-"[^"]*"|-[^\s"]+)|"[^"]*"|[^\s"]+')
_FACETS, _VALUES = ("type", "topic", "tag", "status"), 6


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The answers of recall to `query`, each with its reasons. `facets` count the values of their properties.

    `filters` are those of the query, each with the query without it.

    The answers do not count as used: browsing must not change what is recalled. Raises UsageError.
    """
    asked = request.text("q")
    found = answers(vault, request, asked, _MOST) if asked else []
    return {
        "query": asked,
        "as_of": request.text("as_of"),
        "answers": found,
        "facets": _facets(found),
        "filters": _filters(asked),
    }


def answers(vault: Vault, request: PageRequest, words: str, most: int, kinds: Kinds = ALL_KINDS) -> list[Told]:
    """What recall answers, with its reasons. It does not count as used."""
    project = vault.repo.project_at(request.folder)
    asked = Query((words,), limit=most, as_of=request.text("as_of"), project=project, folder=request.folder)
    found = ask.ask(vault, asked._replace(kinds=kinds), request.now, counted=False)
    return [answer_json(answer, request.now, explain=True) for answer in found]


def _filters(query: str) -> list[dict[str, str]]:
    """The filters of a query as they are written, each with the query `without` it."""
    return [
        {"filter": match["filter"], "without": " ".join((query[: match.start()] + query[match.end() :]).split())}
        for match in _PART.finditer(query)
        if match["filter"]
    ]


def _facets(found: list[dict[str, Any]]) -> dict[str, dict[str, int]]:
    """property -> how often each value occurs; only properties with more than one value."""
    counted = {key: Counter(_values(found, key)) for key in _FACETS}
    return {key: dict(values.most_common(_VALUES)) for key, values in counted.items() if len(values) > 1}


def _values(found: list[dict[str, Any]], key: str) -> list[str]:
    if key == "tag":
        return [tag for answer in found for tag in answer["tags"]]
    return [answer[key] for answer in found if answer[key]]


def read_all(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """All memories, the newest first: part `page` of `pages`.

    `hidden` are stubs of the memories one sensitivity level above the reader's.
    """
    newest = chronicle.kept(vault, "page.newest", lambda: [record.path for record in vault.index.newest()])
    paths, counts = request.part(newest, _AT_ONCE)
    return {
        "memories": [record_json(record, request.now) for record in vault.index.records_at(paths)],
        "hidden": [stub_json(stub) for stub in selection.stubs(vault.index, ())],
        **counts,
    }
