"""The views of the link drawings, and of the lists with the same content."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views import drawing
from mdmem.page.views.drawing import DrawingFrame, Spot

_LABEL = 26  # characters of a label, at most
_BESIDE, _ABOVE = 210.0, 45.0  # units around the outermost nodes, for their labels
_FEW = 14  # labels that have room to stand upright
_LARGE = 1400.0  # units of width; a wider drawing is not scaled to fit the screen
_BEND = 0.72  # a curve's control point: its midpoint, at this share of the distance from the centre
_REACHES = (1, 2, 3)


class DrawnNode(NamedTuple):
    """A node: its place, how its label is placed, and where it leads."""

    value: Mapping[str, Any]
    spot: Spot
    label: str
    anchor: str
    turn: float
    offset: float
    address: str


class DrawnLine(NamedTuple):
    """A line between two nodes: its SVG path (SVG 2, 9.3), its tooltip, and whether it is an edge of the tree."""

    path: str
    words: str
    is_typed: bool
    is_branch: bool


class NearNotes(NamedTuple):
    """The memories at one distance in links."""

    distance: int
    nodes: Sequence[Mapping[str, Any]]


class ReachLink(NamedTuple):
    """A choice of how many links to follow, and the address of the page that does."""

    reach: int
    address: str
    is_here: bool


class AroundView(NamedTuple):
    """The drawing of a memory and its neighbourhood."""

    title: str
    path: str
    box: DrawingFrame
    is_large: bool
    nodes: Sequence[DrawnNode]
    lines: Sequence[DrawnLine]
    rings: Sequence[NearNotes]
    titles: Mapping[str, str]
    reaches: Sequence[ReachLink]
    more: int


class DrawnGroup(NamedTuple):
    """A topic: its place, the radius of its disc, and the address of its page, "" for none."""

    value: Mapping[str, Any]
    spot: Spot
    radius: float
    label: str
    address: str


class GroupsView(NamedTuple):
    """The topics of a vault and the links between them."""

    title: str
    total: int
    box: DrawingFrame
    groups: Sequence[DrawnGroup]
    lines: Sequence[DrawnLine]
    edges: Sequence[Mapping[str, Any]]
    more: int


def view_around(value: Mapping[str, Any], links: PageLinks) -> AroundView:
    """The view for a value of `reading.graph.read_around`."""
    nodes = value["nodes"]
    spots = drawing.radial({node["path"]: node["from"] or "" for node in nodes})
    is_crowded = len(nodes) > _FEW
    box = drawing.frame(spots.values(), _BESIDE, _BESIDE if is_crowded else _ABOVE)
    path = value["path"]
    return AroundView(
        title=f"Around {value['title']}",
        path=path,
        box=box,
        is_large=box.width > _LARGE,
        nodes=[_node(node, spots[node["path"]], is_crowded, links) for node in nodes],
        lines=_lines(value, spots),
        rings=[NearNotes(far, list(near)) for far, near in groupby(nodes, lambda node: node["distance"]) if far],
        titles={node["path"]: node["title"] for node in nodes},
        reaches=_reaches(value, links),
        more=value["more"],
    )


def _node(node: Mapping[str, Any], spot: Spot, is_crowded: bool, links: PageLinks) -> DrawnNode:
    address = links.to("around", node["path"]) if node["distance"] else links.to("memory", node["path"])
    label = shortened(node["title"])
    if not node["distance"]:
        return DrawnNode(node, spot, label, "middle", 0.0, 0.0, address)
    is_left = spot.x < -1
    anchor = "end" if is_left else "start"
    turn = (spot.turn + (180 if is_left else 0)) if is_crowded else 0.0
    return DrawnNode(node, spot, label, anchor, round(turn, 1), -12.0 if is_left else 12.0, address)


def _lines(value: Mapping[str, Any], spots: Mapping[str, Spot]) -> list[DrawnLine]:
    """One line for each linked pair, with what all of its links say."""
    titles = {node["path"]: node["title"] for node in value["nodes"]}
    branches = {frozenset((node["path"], node["from"])) for node in value["nodes"] if node["from"]}
    said: dict[frozenset[str], list[Mapping[str, Any]]] = {}
    for edge in value["edges"]:
        said.setdefault(frozenset((edge["source"], edge["target"])), []).append(edge)
    lines = []
    for pair, edges in said.items():
        first, second = edges[0]["source"], edges[0]["target"]
        words = "; ".join(_sentence(edge, titles) for edge in edges)
        path = _path(spots[first], spots[second], pair in branches)
        is_typed = any(edge["predicate"] != "mentions" for edge in edges)
        lines.append(DrawnLine(path, words, is_typed, pair in branches))
    return lines


def _sentence(edge: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    return f"{titles[edge['source']]}: {edge['predicate'].replace('_', ' ')} {titles[edge['target']]}"


def _path(start: Spot, end: Spot, is_straight: bool) -> str:
    if is_straight:
        return f"M{start.x} {start.y}L{end.x} {end.y}"
    x, y = (start.x + end.x) / 2 * _BEND, (start.y + end.y) / 2 * _BEND
    return f"M{start.x} {start.y}Q{x:.1f} {y:.1f} {end.x} {end.y}"


def _reaches(value: Mapping[str, Any], links: PageLinks) -> list[ReachLink]:
    found = [
        ReachLink(reach, links.to("around", value["path"], reach=str(reach)), reach == value["reach"])
        for reach in _REACHES
    ]
    return [one for one in found if one.address]


def view(value: Mapping[str, Any], links: PageLinks) -> GroupsView:
    """The view for a value of `reading.graph.read`."""
    groups = value["groups"]
    radii = [drawing.disc(group["memories"]) for group in groups]
    places = drawing.circle([2 * radius + 40 for radius in radii])
    spots = {group["name"]: spot for group, spot in zip(groups, places, strict=True)}
    most = max((edge["links"] for edge in value["edges"]), default=1)
    widest = max(radii, default=0.0)
    return GroupsView(
        title="Graph",
        total=value["total"],
        box=drawing.frame(places, widest + 60, widest + 45),
        groups=[
            DrawnGroup(
                group, spot, radius, shortened(group["name"].replace("_", " ")), _group_address(group, links)
            )
            for group, spot, radius in zip(groups, places, radii, strict=True)
        ],
        lines=[
            DrawnLine(
                _path(spots[edge["source"]], spots[edge["target"]], False),
                f"{edge['source']} and {edge['target']}: {edge['links']}",
                edge["links"] > most / 2,
                True,
            )
            for edge in value["edges"]
        ],
        edges=sorted(value["edges"], key=lambda edge: -edge["links"]),
        more=value["more"],
    )


def _group_address(group: Mapping[str, Any], links: PageLinks) -> str:
    """Where a topic leads: to the surroundings of its memory with the most links."""
    return links.to("around", group["examples"][0]["path"]) if group["examples"] else ""


def shortened(text: str, most: int = _LABEL) -> str:
    """A text cut to at most this many characters."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
