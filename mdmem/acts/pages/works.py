"""Works: what was tried, which files the works failed at, and which work led to which."""

from collections import Counter
from collections.abc import Mapping
from datetime import datetime

from mdmem.acts.pages import chronicle
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.acts.text.notes import record_json
from mdmem.history import lineage
from mdmem.history.lineage import CAUSES, Walk
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import recall, work
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.shelf import Shelf
from mdmem.systems.rum.work import TYPE

_AT_ONCE = 50  # works per part
_MOST_FILES = 50
_MOST = 300  # works in one drawing
_DEPTH = 8  # how many links away a work of a trace may be


def read(vault: Vault, request: PageRequest) -> Json:
    """Works, the latest first: part `page` of `pages`. `files` are those that the most works failed at.

    With `file`, only works that touch it. A work's `success` is null if the work does not record it.
    """
    file = request.text("file")
    wanted = WorkQuery(files=(file,) if file else (), archived=True)
    notes = chronicle.kept(
        vault, f"page.works.{file}", lambda: [one.note for one in recall.ranking(vault, wanted, request.now)]
    )
    part, counts = request.part(notes, _AT_ONCE)
    ended = _ended(vault)
    return {
        "works": [_work(note, ended, request.now) for note in part],
        "file": file,
        "files": _failures(vault, {note.path for note in notes}, ended),
        **counts,
    }


def read_trace(vault: Vault, request: PageRequest) -> Json:
    """The causes and effects of a work, as `mdmem lineage` finds them, each with its outcome.

    `place` is the number of links from the work, negative for causes, `from` the work that it was reached from.
    `more` counts the works left out. Raises NotFoundError, and UsageError for a memory that is not a work.
    """
    start = Shelf(vault).work(request.key)
    drawn = lineage.trace(vault.index, start, Walk(predicates=("caused_by",), depth=_DEPTH))
    ended = _ended(vault)
    places: dict[str, Json] = {
        start.path: {**_work(start, ended, request.now), "place": 0, "relation": "", "from": "", "from_title": ""}
    }
    for item in drawn.reached:
        place = -item.distance if item.direction == CAUSES else item.distance
        way = {"relation": item.relation, "from": item.origin, "from_title": places[item.origin]["title"]}
        places.setdefault(item.record.path, {**_work(item.record, ended, request.now), "place": place, **way})
    shown = dict(sorted(places.items(), key=lambda item: (abs(item[1]["place"]), item[0]))[:_MOST])
    return {
        "path": start.path,
        "works": list(shown.values()),
        "edges": encode([edge for edge in drawn.edges if {edge.later, edge.earlier} <= shown.keys()]),
        "more": len(places) - len(shown),
    }


def traced(vault: Vault) -> list[str]:
    """The paths of all works."""
    return sorted(one.path for one in vault.index.outlines([TYPE], "type"))


def _ended(vault: Vault) -> Mapping[str, bool]:
    """path of a work -> whether it succeeded; only works that record it."""
    return {path: trait.key == "true" for path, trait in vault.index.with_trait(work.SUCCESS)}


def _work(note: IndexedNote, ended: Mapping[str, bool], now: datetime) -> Json:
    return {
        **record_json(note, now),
        "success": ended.get(note.path),
        "actor": str(note.meta.get("actor") or ""),
        "session": note.session,
    }


def _failures(vault: Vault, paths: set[str], ended: Mapping[str, bool]) -> list[Json]:
    """The files of these works, each with how many touched it and how many of those failed; the worst first."""
    touched: Counter[str] = Counter()
    failed: Counter[str] = Counter()
    for path, file in {(path, trait.value) for path, trait in vault.index.with_trait(work.FILE) if path in paths}:
        touched[file] += 1
        failed[file] += ended.get(path) is False
    worst = sorted((file for file in failed if failed[file]), key=lambda file: (-failed[file], file))
    return [{"file": file, "works": touched[file], "failed": failed[file]} for file in worst[:_MOST_FILES]]
