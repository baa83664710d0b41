"""The layout of drawings. It is deterministic: the same nodes are always at the same places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from math import cos, pi, sin, sqrt
from typing import NamedTuple

RING = 165.0  # units between two rings
_ARC = 19.0  # units along a ring that a label needs
COLUMN, ROW = 250.0, 92.0  # units between the boxes of a flow


class Spot(NamedTuple):
    """A place, in units of the drawing; `turn` is its direction from the centre in degrees, 0 to the right."""

    x: float
    y: float
    turn: float = 0.0


class DrawingFrame(NamedTuple):
    """The part of the plane that a drawing shows, in units."""

    x: float
    y: float
    width: float
    height: float


def frame(spots: Iterable[Spot], beside: float, above: float) -> DrawingFrame:
    """The smallest frame around these places, with margins `beside` (left, right) and `above` (top, bottom)."""
    places = list(spots) or [Spot(0.0, 0.0)]
    left, right = min(spot.x for spot in places) - beside, max(spot.x for spot in places) + beside
    top, bottom = min(spot.y for spot in places) - above, max(spot.y for spot in places) + above
    return DrawingFrame(round(left, 1), round(top, 1), round(right - left, 1), round(bottom - top, 1))


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
    step = 2 * pi / max(leaves.values(), default=1)
    angles = _angles(children, leaves, step)
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
        radii.append(max(radii[-1] + RING, _ARC / closest))
    return radii


def circle(weights: Sequence[float]) -> list[Spot]:
    """Places on a circle, in order, each with room for a disc as wide as its weight in units."""
    whole = sum(weights) or 1.0
    radius = max(whole / (2 * pi) * 1.25, 150.0)
    spots = []
    passed = 0.0
    for weight in weights:
        spots.append(_around(2 * pi * (passed + weight / 2) / whole - pi / 2, radius if len(weights) > 1 else 0))
        passed += weight
    return spots


def flow(columns: Mapping[str, int], links: Sequence[tuple[str, str]]) -> dict[str, Spot]:
    """Boxes in columns from left to right, each close to the boxes nearer to column 0 that it is linked to."""
    beside: dict[str, set[str]] = {}
    for first, second in links:
        beside.setdefault(first, set()).add(second)
        beside.setdefault(second, set()).add(first)
    first_column = min(columns.values(), default=0)
    spots: dict[str, Spot] = {}
    placed: dict[str, float] = {}

    def pull(name: str) -> float:
        near = [placed[other] for other in beside.get(name, ()) if other in placed]
        return sum(near) / len(near) if near else 0.0

    inside_out = sorted(columns.items(), key=lambda item: (abs(item[1]), item[1]))
    for column, names in groupby(inside_out, key=lambda item: item[1]):
        ordered = sorted((name for name, _ in names), key=lambda name: (pull(name), name))
        for at, name in enumerate(ordered):
            placed[name] = (at - (len(ordered) - 1) / 2) * ROW
            spots[name] = Spot((column - first_column) * COLUMN, placed[name])
    return spots


def disc(number: int) -> float:
    """The radius of a disc that stands for this number of memories."""
    return round(14 + 5 * sqrt(number), 1) if number < 400 else 114.0


def _around(angle: float, radius: float) -> Spot:
    x, y = round(radius * cos(angle), 1) + 0.0, round(radius * sin(angle), 1) + 0.0
    return Spot(x, y, round(angle * 180 / pi, 1))
