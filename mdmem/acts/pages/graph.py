"""Memories by their links and in time: around one memory, and by project, topic or tag."""

from collections import Counter
from collections.abc import Collection, Mapping
from heapq import nsmallest
from itertools import chain
from typing import Any, NamedTuple

from mdmem.acts.pages import chronicle, topics
from mdmem.acts.pages.request import PageRequest
from mdmem.acts.style import Json
from mdmem.errors import NotFoundError
from mdmem.note import moments
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import Outline
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault

MOST = 300  # memories of one drawing
_MOST_KEPT = 40  # memories of one drawing in an export
_REACHES = ("1", "2", "3")  # how many links away a memory of the drawing may be
_GROUPS, _EXAMPLES, _MOST_IN_TIME = 40, 4, 60
_ZOOMS = ("60", "100", "150", "220")
_TOPIC = "topic"
_OF = ("project", _TOPIC, "tag")


class GraphLink(NamedTuple):
    """A link between two memories, by their paths."""

    source: str
    predicate: str
    target: str


def read_around(vault: Vault, request: PageRequest) -> Json:
    """The memories nearest to one along links, in both directions; at most MOST.

    `nodes` are in the order in which the walk reached them. Each has its `distance` in links, and the path and
    title of the memory that it was reached `from`; `relation` is the link between the two, and `is_from` is true
    if it leads from that memory to this one. `edges` are all links among the nodes. `more` counts the memories
    within `reach` that are left out. Raises NotFoundError, UsageError.
    """
    start = lookup.named(vault, request.key).path
    reach = request.choice("reach", _REACHES, "1" if request.is_kept else "2")
    met = _walked(vault, start, int(reach))
    shown = met[: _MOST_KEPT if request.is_kept else MOST]
    return {
        "path": start,
        "title": shown[0]["title"],
        "reach": int(reach),
        "zoom": int(request.choice("zoom", _ZOOMS, "100")),
        "nodes": shown,
        "edges": _among(vault, {node["path"] for node in shown}),
        "more": len(met) - len(shown),
    }


def read(vault: Vault, request: PageRequest) -> Json:
    """The whole vault `by` project, topic or tag: `groups`, the largest first, with a few of their memories.

    `kinds` are the properties that there is something to group by. `more` counts the groups that are left out.
    Raises UsageError.
    """
    index = vault.index
    kinds = chronicle.kept(vault, "page.kinds", lambda: [*filter(index.has_any, _OF)])
    by = request.choice("by", _OF, _TOPIC if request.is_kept else next(iter(kinds), _TOPIC))
    groups = chronicle.kept(vault, f"page.groups.{by}", lambda: _grouped(vault, by))
    return {"by": by, "total": index.count(), "kinds": kinds, **groups}


def _grouped(vault: Vault, by: str) -> Json:
    """The groups with the most memories, each with those that have the most links."""
    index, members = vault.index, dict[str, list[tuple[str, str]]]()  # name -> (path, the same as links name it)
    for path, folded, name in index.belonging(by):
        members.setdefault(name, []).append((path, folded))
    names = sorted(members, key=lambda name: (name == "", -len(members[name]), name))[:_GROUPS]
    links = Counter(chain.from_iterable(link[:2] for link in index.all_links()))  # by path and by folded name
    examples = {
        name: nsmallest(_EXAMPLES, members[name], lambda one: (-links.get(one[0], 0) - links.get(one[1], 0), one))
        for name in names
    }
    titles = chronicle.titles(vault, (path for linked in examples.values() for path, _ in linked))
    return {
        "groups": [
            {
                "name": name,
                "memories": len(members[name]),
                "examples": [{"path": path, "title": titles[path][0]} for path, _ in examples[name]],
            }
            for name in names
        ],
        "more": len(members) - len(names),
    }


def read_group(vault: Vault, request: PageRequest) -> Json:
    """The memories of one project, topic or tag in time: what was believed from when until when.

    `until` is the day from which a memory no longer holds, "" if it does, and `successor` what replaced it.
    `edges` are the links among them. `more` counts the older ones that are left out. `has_facts` says whether a
    topic has a page of facts. Raises NotFoundError.
    """
    by, name = request.choice("by", _OF, _TOPIC), request.text("of")
    found = vault.index.listed({by: name}, "", "newest", 0, -1) if name else []
    shown = list(vault.index.outlines(found[:_MOST_IN_TIME]))
    if not shown:
        raise NotFoundError(f"no memory has the {by} '{name[:40]}'", "look at the groups")
    paths = [one.path for one in shown]
    metas = {record.path: record.meta for record in vault.index.records_at(paths)}
    newer = {link.target: link.source for link in _beside(vault, paths) if link.predicate == "supersedes"}
    successors = {one.path: one for one in vault.index.outlines(newer.values())}
    spans = [_span(one, successors.get(newer.get(one.path, "")), metas.get(one.path, {})) for one in shown]
    return {
        "by": by,
        "of": name,
        "memories": sorted(spans, key=lambda span: span["from"], reverse=True),
        "edges": _among(vault, set(paths)),
        "has_facts": by == _TOPIC and name in topics.names(vault),
        "now": f"{request.now:%Y-%m-%d}",
        "zoom": int(request.choice("zoom", _ZOOMS, "100")),
        "more": len(found) - len(shown),
    }


def _beside(vault: Vault, paths: Collection[str]) -> list[GraphLink]:
    """The links from and to some memories, each once and sorted; of several with a name, to the newest."""
    index, named = vault.index, dict[str, str]()
    found = [*index.links_from(sorted(paths)), *index.links_into(sorted(map(fold_target, paths)))]
    for one in index.outlines({target for _, target, *_ in found}, "folded"):
        named.setdefault(fold_target(one.path), one.path)
    sources = {one.path for one in index.outlines({path for path, *_ in found})}
    ends = ((path, predicate, named.get(target, path)) for path, target, predicate, _ in found if path in sources)
    links = {GraphLink(*link) for link in ends if link[0] != link[2]}
    return sorted(link for link in links if link.source in paths or link.target in paths)


def _among(vault: Vault, paths: set[str]) -> list[Json]:
    """The links among some memories."""
    return [link._asdict() for link in _beside(vault, paths) if {link.source, link.target} <= paths]


def _span(one: Outline, newer: Outline | None, meta: Mapping[str, Any]) -> Json:
    """A memory with the days between which it was believed."""
    day = moments.normal(meta.get("valid_from")) or one.created
    end = moments.normal(meta.get("valid_until")) or (newer.created if newer else "")
    return {
        **one._asdict(),
        "from": day[:10],
        "until": end[:10],
        "successor": newer and {"path": newer.path, "title": newer.title},
    }


def _walked(vault: Vault, start: str, reach: int) -> list[Json]:
    """The memories that a walk from one reaches, the nearest first, as `read_around` tells them."""
    first = {"distance": 0, "from": None, "from_title": "", "relation": "", "is_from": False}
    [here] = vault.index.outlines([start])
    met: dict[str, Json] = {start: {**here._asdict(), **first}}
    frontier = [start]
    for distance in range(1, reach + 1):
        links = _beside(vault, set(frontier))
        ends = {end for link in links for end in (link.source, link.target)} - met.keys()
        there = {one.path: one for one in vault.index.outlines(ends)}
        following: list[str] = []
        for path in frontier:
            for link in links:
                other = {link.source: link.target, link.target: link.source}.get(path, "")
                if other in there and other not in met:
                    way = {"distance": distance, "from": path, "from_title": met[path]["title"]}
                    way |= {"relation": link.predicate, "is_from": link.source == path}
                    met[other] = {**there[other]._asdict(), **way}
                    following.append(other)
        frontier = following
    return list(met.values())
