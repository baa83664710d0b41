"""The layout of drawings and plots. It is deterministic: the same nodes are always at the same places."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import groupby, pairwise
from math import cos, pi, sin
from typing import Any, NamedTuple

_RING = 165.0  # units between two rings
_ARC = 19.0  # units along a ring that a label needs
_COLUMN, _ROW = 250.0, 92.0  # units between the boxes of a flow
_MARGIN = 12.0  # units around the boxes of a flow
_BESIDE, _ABOVE = 270.0, 45.0  # units around the outermost nodes of a tree, for their labels
_NAMES, _WIDE, _ARCS, _LINE, _TICKS = 400.0, 1000.0, 70.0, 26.0, 5  # of what is drawn in time
_FEW = 14  # labels that have room to stand upright
_BEND = 0.72  # a curve's control point: its midpoint, at this share of the distance from the centre
_GAP, _WIDEST = 0.2, 48.0  # between two bars, as a share of a step, and the widest bar in units


class Spot(NamedTuple):
    """A place, in units of the drawing; `turn` is its direction from the centre in degrees, 0 to the right."""

    x: float
    y: float
    turn: float = 0.0


class Drawing(NamedTuple):
    """Nodes by name, and the lines between them.

    `box` is the part of the plane that is shown: x, y, width, height. A line has its SVG `path` (SVG 2, 9.3); in a
    drawing of links also its tooltip, and whether it `is_typed` and an edge of the tree (`is_branch`).
    """

    box: tuple[float, ...]
    spots: Mapping[str, Spot]
    lines: Sequence[Mapping[str, Any]]


def around(nodes: Sequence[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> Drawing:
    """A memory with its neighbourhood, as `reading.graph` tells it: one line for each linked pair."""
    spots = radial({node["path"]: node["from"] or "" for node in nodes})
    titles = {node["path"]: node["title"] for node in nodes}
    branches = {frozenset((node["path"], node["from"])) for node in nodes if node["from"]}
    said: dict[frozenset[str], list[Mapping[str, Any]]] = {}
    for edge in edges:
        said.setdefault(frozenset((edge["source"], edge["target"])), []).append(edge)
    lines = [
        {
            "path": _path(spots[of_pair[0]["source"]], spots[of_pair[0]["target"]], pair in branches),
            "words": "; ".join(
                f"{titles[edge['source']]}: {edge['predicate'].replace('_', ' ')} {titles[edge['target']]}"
                for edge in of_pair
            ),
            "is_typed": any(edge["predicate"] != "mentions" for edge in of_pair),
            "is_branch": pair in branches,
        }
        for pair, of_pair in said.items()
    ]
    return Drawing(_box(spots, _BESIDE, _BESIDE if len(nodes) > _FEW else _ABOVE), spots, lines)


def ages(nodes: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """path -> 0 for the oldest fifth of some memories, to 4 for the newest; for the colours of dates."""
    days = sorted({node["created"][:10] for node in nodes})
    return {node["path"]: days.index(node["created"][:10]) * 5 // len(days) for node in nodes}


def spans(memories: Sequence[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]], now: str) -> Drawing:
    """Memories in rows, each with a bar from the day it was believed until it no longer was, and arcs for links.

    The spot of a memory is the left end of its bar, its `turn` the bar's width. The lines with `words` alone are
    the days of the axis, at their `x`.
    """
    first = min(one["from"] or now for one in memories)
    begin, end = _number(first), max(_number(now), *(_number(one["until"] or now) for one in memories))

    def at(day: str) -> float:
        return round(_NAMES + (_WIDE - _NAMES) * (_number(day) - begin) / max(end - begin, 1), 1)

    places = {}
    for row, one in enumerate(memories):
        left = at(one["from"] or first)
        places[one["path"]] = Spot(left, row * _LINE, max(at(one["until"] or now) - left, 5.0))
    lines: list[dict[str, Any]] = [
        {"path": _arc(places[edge["source"]].y, places[edge["target"]].y), "words": edge["predicate"]}
        for edge in edges
    ]
    days = [begin + (end - begin) * tick // _TICKS for tick in range(_TICKS + 1)]
    ticks = {f"{date.fromordinal(day)}" for day in days}
    lines += [{"path": "", "words": day, "x": at(day)} for day in sorted(ticks)]
    return Drawing((-_ARCS, -_LINE * 1.6, _WIDE + _ARCS + 60, _LINE * (len(memories) + 1.2)), places, lines)


def _number(day: str) -> int:
    return date.fromisoformat(day[:10]).toordinal()


def _arc(start: float, end: float) -> str:
    """An arc at the left of the names."""
    far = -12 - min(abs(end - start) / 3, _ARCS - 20)
    return f"M-6 {start}C{far:.1f} {start} {far:.1f} {end} -6 {end}"


def trace(
    works: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]], width: float, height: float
) -> Drawing:
    """Works as boxes of a size, causes to the left, effects to the right, with arrows between them."""
    links = [(edge["earlier"], edge["later"]) for edge in edges]
    spots = flow({work["path"]: work["place"] for work in works}, links)
    lines = [{"path": _arrow(spots[first], spots[second], width / 2)} for first, second in links]
    return Drawing(_box(spots, width / 2 + _MARGIN, height / 2 + _MARGIN), spots, lines)


def _box(spots: Mapping[str, Spot], beside: float, above: float) -> tuple[float, ...]:
    """The smallest box around these places, with margins `beside` (left, right) and `above` (top, bottom)."""
    xs, ys = [spot.x for spot in spots.values()] or [0.0], [spot.y for spot in spots.values()] or [0.0]
    left, top = min(xs) - beside, min(ys) - above
    return round(left, 1), round(top, 1), round(max(xs) + beside - left, 1), round(max(ys) + above - top, 1)


def _path(start: Spot, end: Spot, is_straight: bool) -> str:
    if is_straight:
        return f"M{start.x} {start.y}L{end.x} {end.y}"
    x, y = (start.x + end.x) / 2 * _BEND, (start.y + end.y) / 2 * _BEND
    return f"M{start.x} {start.y}Q{x:.1f} {y:.1f} {end.x} {end.y}"


def _arrow(start: Spot, end: Spot, half: float) -> str:
    """An arrow from the right side of one box to the left side of another; `half` is half a box's width."""
    x, other = start.x + half, end.x - half - 9
    bend = max((other - x) / 2, 30.0)
    return f"M{x} {start.y}C{x + bend} {start.y} {other - bend} {end.y} {other} {end.y}"


def radial(parents: Mapping[str, str]) -> dict[str, Spot]:
    """A tree in rings around its root. `parents` maps child -> parent, "" for the root; parents come first.

    Each leaf takes the same angle, so that no two labels of a ring overlap.
    """
    depth: dict[str, int] = {}
    children: dict[str, list[str]] = {name: [] for name in parents}
    for name, parent in parents.items():
        depth[name] = depth[parent] + 1 if parent else 0
        if parent:
            children[parent].append(name)
    leaves: dict[str, int] = {}
    for name in reversed(list(parents)):
        leaves[name] = sum(leaves[child] for child in children[name]) or 1
    angles = _angles(children, leaves, 2 * pi / max(leaves.values(), default=1))
    radii = _radii(depth, angles)
    return {name: _around(angles[name], radii[depth[name]]) for name in parents}


def _angles(children: Mapping[str, Sequence[str]], leaves: Mapping[str, int], step: float) -> dict[str, float]:
    """The direction of each node in radians: the middle of its leaves, each of which takes a `step`."""
    starts: dict[str, float] = {}
    angles: dict[str, float] = {}
    for name, own in children.items():
        start = starts.setdefault(name, -pi / 2)
        angles[name] = start + step * leaves[name] / 2
        for child in own:
            starts[child] = start
            start += step * leaves[child]
    return angles


def _radii(depth: Mapping[str, int], angles: Mapping[str, float]) -> list[float]:
    """The radius of each ring: larger than the one before, and large enough for the labels of the ring."""
    radii = [0.0]
    for ring in range(1, max(depth.values(), default=0) + 1):
        around = sorted(angles[name] for name in depth if depth[name] == ring)
        closest = min((second - first for first, second in pairwise(around)), default=2 * pi)
        radii.append(max(radii[-1] + _RING, _ARC / closest))
    return radii


def flow(columns: Mapping[str, int], links: Sequence[tuple[str, str]]) -> dict[str, Spot]:
    """Boxes in columns from left to right, each close to the boxes nearer to column 0 that it is linked to."""
    beside: dict[str, set[str]] = {}
    for first, second in links:
        beside.setdefault(first, set()).add(second)
        beside.setdefault(second, set()).add(first)
    first_column = min(columns.values(), default=0)
    spots: dict[str, Spot] = {}

    def pull(name: str) -> float:
        near = [spots[other].y for other in beside.get(name, ()) if other in spots]
        return sum(near) / len(near) if near else 0.0

    inside_out = sorted(columns.items(), key=lambda item: (abs(item[1]), item[1]))
    for column, names in groupby(inside_out, key=lambda item: item[1]):
        ordered = sorted((name for name, _ in names), key=lambda name: (pull(name), name))
        for at, name in enumerate(ordered):
            y = (at - (len(ordered) - 1) / 2) * _ROW
            spots[name] = Spot((column - first_column) * _COLUMN, y)
    return spots


def _around(angle: float, radius: float) -> Spot:
    x, y = round(radius * cos(angle), 1) + 0.0, round(radius * sin(angle), 1) + 0.0
    return Spot(x, y, round(angle * 180 / pi, 1))


def bars(numbers: Sequence[float], width: int, height: int) -> list[dict[str, float]]:
    """Numbers as the bars of a plot of a size in units; the highest number, or 1, is as high as the plot."""
    most = max(*numbers, 1)
    step = min(width / len(numbers), 2 * _WIDEST)
    return [
        {
            "x": round(at * step, 2),
            "y": round(height * (1 - number / most), 2),
            "width": round(min(step * (1 - _GAP), _WIDEST), 2),
            "height": round(height * number / most, 2),
        }
        for at, number in enumerate(numbers)
    ]
