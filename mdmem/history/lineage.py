"""What led to a memory and what it led to: a walk along its links to causes, to effects, or both.

A relation may be written at either end: `caused_by` and `supersedes` are properties of the later memory, `led_to`
and `superseded_by` of the earlier one. An edge is the same whether it is written at one end or both. Only the
index is queried; no file is read.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from mdmem.errors import UsageError
from mdmem.note import links
from mdmem.note.memory import Memory
from mdmem.store.index.edges import edges, fold_target, targets_of, written_targets
from mdmem.store.index.port import Catalogue, IndexedNote, retried_as_one

Outgoing = Sequence[
    tuple[str, str, IndexedNote | None]
]  # (target, predicate, memory there, None for a broken link)
Incoming = Sequence[tuple[IndexedNote, int]]  # (memory, line of its first link)
CAUSES, EFFECTS, BOTH = DIRECTIONS = ("causes", "effects", "both")
# the property of the later memory -> the inverse property of the earlier one
INVERSES = {
    "caused_by": "led_to",
    "derived_from": "source_of",
    "supersedes": "superseded_by",
    "contests": "contested_by",
    "blocked_by": "blocks",
}
_FORWARD = {inverse: predicate for predicate, inverse in INVERSES.items()}


class Edge(NamedTuple):
    """A link between two memories, by their paths; `predicate` is a key of INVERSES."""

    later: str
    predicate: str
    earlier: str


class Reached(NamedTuple):
    """A memory that the walk reached after `distance` edges, the last of them from the memory at `origin`, a path.

    `relation` is how the memory at `origin` relates to this one, such as supersedes or led_to; `direction` is
    CAUSES or EFFECTS.
    """

    record: IndexedNote
    distance: int
    origin: str
    relation: str
    direction: str


class Lineage(NamedTuple):
    """The result of a walk; `edges` are all that it met. `reached` is by direction, distance and path."""

    start: IndexedNote
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]


class Walk(NamedTuple):
    """The direction to walk in, the predicates to follow (forward or inverse), the most edges to go."""

    direction: str = BOTH
    predicates: tuple[str, ...] = tuple(INVERSES)
    depth: int = 0  # 0 for no limit


@retried_as_one
def trace(catalogue: Catalogue, start: IndexedNote, walk: Walk) -> Lineage:
    """The causes and effects of a memory. Each memory is visited once in each direction, so cycles end.

    Raises UsageError for a predicate that does not say which memory came first.
    """
    links = _Links(catalogue, tuple(dict.fromkeys(map(_forward, walk.predicates))))
    reached: list[Reached] = []
    edges: set[Edge] = set()
    for way in (CAUSES, EFFECTS) if walk.direction == BOTH else (walk.direction,):
        seen, frontier, distance = {start.path}, [start], 0
        while frontier and (not walk.depth or distance < walk.depth):
            distance += 1
            following: dict[str, IndexedNote] = {}
            for origin, predicate, to in links.beside(frontier, way):
                is_cause = way == CAUSES
                edges.add(Edge(origin, predicate, to.path) if is_cause else Edge(to.path, predicate, origin))
                if to.path not in seen:
                    relation = predicate if is_cause else INVERSES[predicate]
                    reached.append(Reached(to, distance, origin, relation, way))
                    seen.add(to.path)
                    following[to.path] = to
            frontier = [following[path] for path in sorted(following)]
    return Lineage(start, tuple(reached), tuple(sorted(edges)))


def _forward(predicate: str) -> str:
    forward = _FORWARD.get(predicate, predicate)
    if forward not in INVERSES:
        known = ", ".join((*INVERSES, *_FORWARD))
        raise UsageError(f"'{predicate}' does not say which memory came first", f"use one of {known}")
    return forward


class _Links:
    """The links of memories in the index, each resolved to the memory that it points to."""

    def __init__(self, catalogue: Catalogue, predicates: Sequence[str]) -> None:
        self._catalogue = catalogue
        self._predicates = predicates
        self._meant: dict[str, IndexedNote | None] = {}

    def beside(self, frontier: Sequence[IndexedNote], way: str) -> list[tuple[str, str, IndexedNote]]:
        """(origin, predicate, memory) of the edges that lead on, each once, by origin, path and predicate."""
        steps: dict[tuple[str, str, str], IndexedNote] = {}
        for predicate in self._predicates:
            inverse = INVERSES[predicate]
            written, read_back = (predicate, inverse) if way == CAUSES else (inverse, predicate)
            for origin, to in (*self._written(frontier, written), *self._read_back(frontier, read_back)):
                if origin != to.path:
                    steps[origin, to.path, predicate] = to
        return [(key[0], key[2], steps[key]) for key in sorted(steps)]

    def _written(self, frontier: Iterable[IndexedNote], predicate: str) -> Iterator[tuple[str, IndexedNote]]:
        """(path, memory that it links to) for the links written in these memories."""
        for record in frontier:
            for target in targets_of(record.meta.get(predicate)):
                if meant := self._resolved(target):
                    yield record.path, meant

    def _read_back(self, frontier: Iterable[IndexedNote], predicate: str) -> Iterator[tuple[str, IndexedNote]]:
        """(path, memory that links to it) for the links that point to these memories."""
        paths = {record.path for record in frontier}
        linking = self._catalogue.links_to({fold_target(path) for path in paths}, predicate)
        for source in {source.path: source for source, _ in linking}.values():
            for _, meant in self._written([source], predicate):
                if meant.path in paths:
                    yield meant.path, source

    def _resolved(self, target: str) -> IndexedNote | None:
        if target not in self._meant:
            self._meant[target] = linked(self._catalogue, target)
        return self._meant[target]


def linked(catalogue: Catalogue, target: str) -> IndexedNote | None:
    """The memory that a link leads to: the one at that path, or the first with that name."""
    named = catalogue.named(fold_target(target))
    ending = f"/{target.removesuffix('.md')}.md"
    exact = [record for record in named if f"/{record.path}".endswith(ending)]
    return next(iter(exact or named), None)


def outgoing(catalogue: Catalogue, note: Memory) -> Outgoing:
    """The links of a note, each target once."""
    predicates = {target: predicate for target, predicate, _ in edges(note, list(links.to_notes(note.body)))}
    named = written_targets(note.meta, note.body)
    written = [(named.get(target, target), predicate) for target, predicate in predicates.items()]
    return [(target, predicate, linked(catalogue, target)) for target, predicate in written]


def incoming(catalogue: Catalogue, path: str) -> Incoming:
    """The other memories that link to the one at a path, each once."""
    found: dict[str, tuple[IndexedNote, int]] = {}
    for record, line in catalogue.links_to({fold_target(path)}):
        if record.path != path:
            found.setdefault(record.path, (record, line))
    return list(found.values())
