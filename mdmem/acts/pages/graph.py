"""Memories by their links and in time: around one memory, and by project, topic or tag."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping, Sequence
from heapq import nsmallest
from typing import Any, NamedTuple

from mdmem.acts.pages import chronicle
from mdmem.acts.pages.chronicle import Row
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.style import Json
from mdmem.errors import NotFoundError, UsageError
from mdmem.note import moments
from mdmem.recall import lookup
from mdmem.store.index.edges import fold_target
from mdmem.store.vault.vault import Vault

MOST = 300  # memories of one drawing
_MOST_KEPT = 40  # memories of one drawing in an export
_REACHES = ("1", "2", "3")  # how many links away a memory of the drawing may be
_GROUPS, _EXAMPLES, _MOST_IN_TIME = 40, 4, 60
_ZOOMS = ("60", "100", "150", "220")
_TOPIC = "topic"
_OF: Mapping[str, Callable[[Row], Sequence[str]]] = {
    "project": lambda row: (row.project,) if row.project else (),
    _TOPIC: lambda row: (row.topic,) if row.topic else (),
    "tag": lambda row: row.tags,
}


class GraphLink(NamedTuple):
    """A link between two memories, by their paths."""

    source: str
    predicate: str
    target: str


class LinkMap(NamedTuple):
    """The memories of a vault by path, as drawings show them, and the links from and to each path."""

    notes: Mapping[str, Row]
    beside: Mapping[str, Sequence[GraphLink]]


def read_around(vault: Vault, request: PageRequest) -> Json:
    """The memories nearest to one along links, in both directions; at most MOST.

    `nodes` are in the order in which the walk reached them. Each has its `distance` in links, and the path and
    title of the memory that it was reached `from`; `relation` is the link between the two, and `is_from` is true
    if it leads from that memory to this one. `edges` are all links among the nodes. `more` counts the memories
    within `reach` that are left out. Raises NotFoundError, UsageError.
    """
    start = lookup.named(vault, request.key).path
    reach = _choice(request, "reach", _REACHES, "1" if request.is_kept else "2")
    known = link_map(vault)
    met = _walked(known, start, int(reach))
    shown = met[: _MOST_KEPT if request.is_kept else MOST]
    return {
        "path": start,
        "title": known.notes[start].title,
        "reach": int(reach),
        "zoom": int(_choice(request, "zoom", _ZOOMS, "100")),
        "nodes": shown,
        "edges": _among(known, {node["path"] for node in shown}),
        "more": len(met) - len(shown),
    }


def read(vault: Vault, request: PageRequest) -> Json:
    """The whole vault `by` project, topic or tag: `groups`, the largest first, with a few of their memories.

    `kinds` are the properties that there is something to group by. `more` counts the groups that are left out.
    Raises UsageError.
    """
    known = link_map(vault)
    kinds = [key for key in _OF if any(map(_OF[key], known.notes.values()))]
    by = _choice(request, "by", _OF, _TOPIC if request.is_kept else next(iter(kinds), _TOPIC))
    of = {path: _OF[by](row) or ("",) for path, row in known.notes.items()}
    counted = Counter(name for names in of.values() for name in names)
    names = sorted(counted, key=lambda name: (name == "", -counted[name], name))[:_GROUPS]
    return {
        "total": len(of),
        "by": by,
        "kinds": kinds,
        "groups": [
            {"name": name, "memories": counted[name], "examples": _examples(known, of, name)} for name in names
        ],
        "more": len(counted) - len(names),
    }


def read_group(vault: Vault, request: PageRequest) -> Json:
    """The memories of one project, topic or tag in time: what was believed from when until when.

    `until` is the day from which a memory no longer holds, "" if it does, and `successor` what replaced it.
    `edges` are the links among them. `more` counts the older ones that are left out. Raises NotFoundError.
    """
    known, by, name = link_map(vault), _choice(request, "by", _OF, _TOPIC), request.text("of")
    paths = [path for path, row in known.notes.items() if name in _OF[by](row)]
    if not paths:
        raise NotFoundError(f"no memory has the {by} '{name[:40]}'", "look at the groups")
    shown = paths[:_MOST_IN_TIME]
    metas = {record.path: record.meta for record in vault.index.records_at(shown)}
    spans = [_span(known, known.notes[path], metas.get(path, {})) for path in shown]
    return {
        "by": by,
        "of": name,
        "memories": sorted(spans, key=lambda span: span["from"], reverse=True),
        "edges": _among(known, set(shown)),
        "now": f"{request.now:%Y-%m-%d}",
        "zoom": int(_choice(request, "zoom", _ZOOMS, "100")),
        "more": len(paths) - len(shown),
    }


def _among(known: LinkMap, paths: set[str]) -> list[Json]:
    """The links among some memories."""
    links = {link for path in paths for link in known.beside.get(path, ()) if {link.source, link.target} <= paths}
    return [link._asdict() for link in sorted(links)]


def _span(known: LinkMap, row: Row, meta: Mapping[str, Any]) -> Json:
    """A memory with the days between which it was believed."""
    newer = [
        known.notes[link.source]
        for link in known.beside.get(row.path, ())
        if link.predicate == "supersedes" and link.target == row.path
    ]
    day = moments.normal(meta.get("valid_from")) or row.created
    end = moments.normal(meta.get("valid_until")) or (newer[0].created if newer else "")
    successor = {"path": newer[0].path, "title": newer[0].title} if newer else None
    return {**row._asdict(), "from": day[:10], "until": end[:10], "successor": successor}


def _choice(request: PageRequest, name: str, of: Collection[str], otherwise: str) -> str:
    """The value of a parameter that is one of a few. Raises UsageError."""
    text = request.text(name) or otherwise
    if text not in of:
        raise UsageError(f"'{text[:20]}' is not a valid {name}", f"give {name}={f', {name}='.join(of)}")
    return text


def link_map(vault: Vault) -> LinkMap:
    """The links of a vault that the reader may see, read once for each state of the vault."""
    return chronicle.kept(vault, "page.links", lambda: _read_map(vault))


def _read_map(vault: Vault) -> LinkMap:
    notes = chronicle.rows(vault)
    named: dict[str, str] = {}
    for path in notes:
        named.setdefault(fold_target(path), path)
    found = (
        GraphLink(path, predicate, named[target])
        for path, target, predicate, _ in vault.index.all_links()
        if target in named and path in notes and named[target] != path
    )
    beside: dict[str, list[GraphLink]] = {}
    for link in sorted(set(found)):
        beside.setdefault(link.source, []).append(link)
        beside.setdefault(link.target, []).append(link)
    return LinkMap(notes, beside)


def _walked(known: LinkMap, start: str, reach: int) -> list[Json]:
    """The memories that a walk from one reaches, the nearest first, as `read_around` tells them."""
    first = {"distance": 0, "from": None, "from_title": "", "relation": "", "is_from": False}
    met: dict[str, Json] = {start: {**known.notes[start]._asdict(), **first}}
    todo = deque(met.values())
    while todo:
        here = todo.popleft()
        if here["distance"] == reach:
            continue
        for link in known.beside.get(here["path"], ()):
            is_from = link.source == here["path"]
            other = link.target if is_from else link.source
            if other not in met:
                way = {"distance": here["distance"] + 1, "from": here["path"], "from_title": here["title"]}
                met[other] = {**known.notes[other]._asdict(), **way}
                met[other] |= {"relation": link.predicate, "is_from": is_from}
                todo.append(met[other])
    return list(met.values())


def _examples(known: LinkMap, of: Mapping[str, Sequence[str]], name: str) -> list[dict[str, str]]:
    """A few memories of a group: those with the most links."""
    paths = (path for path, names in of.items() if name in names)
    linked = nsmallest(_EXAMPLES, paths, key=lambda path: (-len(known.beside.get(path, ())), path))
    return [{"path": path, "title": known.notes[path].title} for path in linked]
