"""Memories by their links: the neighbourhood of one memory, and how the topics of the whole vault are linked."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.errors import UsageError
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.recall import lookup
from mdmem.store.index.edges import fold_target
from mdmem.store.vault.vault import Vault

MOST = 300  # memories of one drawing
_MOST_KEPT = 40  # memories of one drawing in an export
_REACHES = ("1", "2", "3")  # how many links away a memory of the drawing may be
_GROUPS, _EXAMPLES = 40, 6
_NO_TOPIC = "no topic"


class GraphLink(NamedTuple):
    """A link between two memories, by their paths."""

    source: str
    predicate: str
    target: str


class LinkMap(NamedTuple):
    """The memories of a vault by path, as drawings show them, their links, and the links from and to each path."""

    notes: Mapping[str, Mapping[str, str]]
    links: Sequence[GraphLink]
    beside: Mapping[str, Sequence[GraphLink]]


def read_around(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The memories nearest to one along links, in both directions; at most MOST.

    `nodes` are in the order in which the walk reached them. Each has its `distance` in links, and the path and
    title of the memory that it was reached `from`; `relation` is the link between the two, and `is_from` is true
    if it leads from that memory to this one. `edges` are all links among the nodes. `more` counts the memories
    within `reach` that are left out. Raises NotFoundError, UsageError.
    """
    start = lookup.named(vault, request.key).path
    reach = request.text("reach") or ("1" if request.is_kept else "2")
    if reach not in _REACHES:
        raise UsageError(f"'{reach[:20]}' is not a valid reach", f"give reach={', reach='.join(_REACHES)}")
    known = link_map(vault)
    met = _walked(known, start, int(reach))
    shown = met[: _MOST_KEPT if request.is_kept else MOST]
    paths = {node["path"] for node in shown}
    edges = {link for path in paths for link in known.beside.get(path, ()) if {link.source, link.target} <= paths}
    return {
        "path": start,
        "title": known.notes[start]["title"],
        "reach": int(reach),
        "nodes": shown,
        "edges": [link._asdict() for link in sorted(edges)],
        "more": len(met) - len(shown),
    }


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """The whole vault by topic: `groups`, the largest first, each with its number of memories and a few examples.

    `edges` count the links between each pair of groups. `more` counts the topics that are left out.
    """
    del request
    known = link_map(vault)
    of_path = {path: note["topic"] or _NO_TOPIC for path, note in known.notes.items()}
    counted = Counter(of_path.values())
    names = sorted(counted, key=lambda name: (-counted[name], name))
    shown = set(names[:_GROUPS])
    pairs = Counter(tuple(sorted((of_path[link.source], of_path[link.target]))) for link in known.links)
    return {
        "total": len(of_path),
        "groups": [
            {"name": name, "memories": counted[name], "examples": _examples(known, of_path, name)}
            for name in names[:_GROUPS]
        ],
        "edges": [
            {"source": first, "target": second, "links": number}
            for (first, second), number in sorted(pairs.items())
            if first != second and {first, second} <= shown
        ],
        "more": len(names) - len(shown),
    }


def link_map(vault: Vault) -> LinkMap:
    """The links of a vault that the reader may see, read once for each state of the vault."""
    return chronicle.kept(vault, "page.links", lambda: _read_map(vault))


def _read_map(vault: Vault) -> LinkMap:
    notes: dict[str, dict[str, str]] = {}
    named: dict[str, str] = {}
    for record in vault.index.records():
        notes[record.path] = {key: getattr(record, key) for key in ("title", "type", "status", "topic")}
        named.setdefault(fold_target(record.path), record.path)
    found = (
        GraphLink(path, predicate, named[target])
        for path, target, predicate, _ in vault.index.all_links()
        if target in named and path in notes and named[target] != path
    )
    links = sorted(set(found))
    beside: dict[str, list[GraphLink]] = {}
    for link in links:
        beside.setdefault(link.source, []).append(link)
        beside.setdefault(link.target, []).append(link)
    return LinkMap(notes, links, beside)


def _walked(known: LinkMap, start: str, reach: int) -> list[dict[str, Any]]:
    """The memories that a walk from one reaches, the nearest first, as `read_around` tells them."""
    first = {"distance": 0, "from": None, "from_title": "", "relation": "", "is_from": False}
    met: dict[str, dict[str, Any]] = {start: {"path": start, **known.notes[start], **first}}
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
                met[other] = {"path": other, **known.notes[other], **way}
                met[other] |= {"relation": link.predicate, "is_from": is_from}
                todo.append(met[other])
    return list(met.values())


def _examples(known: LinkMap, of_path: Mapping[str, str], name: str) -> list[dict[str, str]]:
    """A few memories of a topic: those with the most links."""
    paths = (path for path, topic in of_path.items() if topic == name)
    linked = sorted(paths, key=lambda path: (-len(known.beside.get(path, ())), path))
    return [{"path": path, "title": known.notes[path]["title"]} for path in linked[:_EXAMPLES]]
