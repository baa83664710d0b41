"""The labelled gardening sets: their notes as real files, their labels, and scores.

`garden` (tests/data/garden_README.md) is the default of every function here; `judgement`
(tests/data/judgement_README.md), which was written later, says of each note its subject, voice and language too.

A measurement writes the notes into a vault, lets a gardener plan, and asks `score_pairs` (twins, conflicts,
deprecate) or `score_names` (topics and everything else) how well that went.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.note import fields, memory
from mdmem.note.memory import Memory

DATA = Path(__file__).with_name("data")
TODAY = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)  # the labels hold on this day
PAIRED = ("twins", "conflicts", "deprecate")

Label = Mapping[str, Any]
Pair = frozenset[str]


class Note(NamedTuple):
    """One note of a set. `part` is "dev" or "held"; subject, voice and language are empty in `garden`."""

    name: str
    part: str
    properties: dict[str, Any]
    body: str
    subject: str = ""
    voice: str = ""
    lang: str = ""

    @property
    def path(self) -> str:
        return f"allmemories/{self.name}.md"

    @property
    def data(self) -> bytes:
        """The file as mdmem writes it; notes without an id of their own get the one of their path."""
        meta = {"id": memory.derived_id(self.path), **self.properties}
        return fields.set_body(memory.render(meta, ""), self.body, self.path)

    @property
    def memory(self) -> Memory:
        return memory.parse(self.data, self.path)


class Score(NamedTuple):
    """How well a gardener did: `right` counts what it found, `wrong` should not have been, `missed` should."""

    precision: float
    recall: float
    wrong: list[tuple[str, ...]]
    missed: list[tuple[str, ...]]
    right: int

    def __str__(self) -> str:
        wrong, missed = len(self.wrong), len(self.missed)
        return f"precision {self.precision:.3f}, recall {self.recall:.3f} ({wrong} wrong, {missed} missed)"


def notes(of: str = "garden") -> list[Note]:
    """Every note of a set, in the order of the file."""
    with (DATA / f"{of}_notes.jsonl").open(encoding="utf-8") as lines:
        return [_note(json.loads(line)) for line in lines]


def _note(given: dict[str, Any]) -> Note:
    own = {key: given.pop(key) for key in Note._fields if key in given}
    return Note(**own, properties=given)


def labels(of: str = "garden") -> dict[str, Any]:
    """The labels as they stand in the file of a set."""
    found: dict[str, Any] = json.loads((DATA / f"{of}_labels.json").read_text(encoding="utf-8"))
    return found


def write(root: Path, of: str = "garden") -> None:
    """Write every note as a file below the root of a vault; the caller commits."""
    (root / "allmemories").mkdir(parents=True, exist_ok=True)
    for note in notes(of):
        (root / note.path).write_bytes(note.data)


def pair(label: Label) -> Pair:
    """The two notes of a label that is about two."""
    return frozenset((label["a"], label["b"]) if "a" in label else (label["older"], label["newer"]))


def wanted_pairs(kind: str, of: str = "garden") -> set[Pair]:
    """The pairs that a gardener of a kind of PAIRED should find."""
    return {pair(label) for label in labels(of)[kind]}


def neutral_pairs(kind: str, of: str = "garden") -> set[Pair]:
    """Pairs that count neither for nor against a gardener of this kind (rulings 1 and 2 of the README)."""
    marked = labels(of)
    chains = _groups(pair(label) for label in [*marked["deprecate"], *marked["superseded_already"]])
    looks = {pair(label) for label in marked["lookalikes"] if label["against"] not in ("both", kind)}
    return (_inside(chains) | looks) - wanted_pairs(kind, of)


def score_pairs(kind: str, found: Iterable[Iterable[str]], part: str = "", of: str = "garden") -> Score:
    """Score the pairs of names found for a kind of PAIRED. `part` is "dev", "held" or "" for all.

    Twins found as a chain (a-b, b-c) count as the whole group. A found pair belongs to a part if either of
    its notes does, so a wrong pair across the parts counts against both.
    """
    pairs = {frozenset(names) for names in found}
    if kind == "twins":
        pairs = _inside(_groups(pairs))
    return score_names(pairs - neutral_pairs(kind, of), wanted_pairs(kind, of), part, of)


def score_names(
    found: Iterable[Iterable[str]], wanted: Iterable[Iterable[str]], part: str = "", of: str = "garden"
) -> Score:
    """Score groups of names (a topic, a pair, a single name as a tuple of one) against those wanted."""
    parts = {note.name: note.part for note in notes(of)}

    def within(groups: Iterable[Iterable[str]]) -> set[Pair]:
        sets = map(frozenset, groups)
        return {group for group in sets if not part or any(parts.get(name) == part for name in group)}

    mine, right = within(found), within(wanted)
    hits = len(mine & right)
    return Score(
        precision=hits / len(mine) if mine else 1.0,
        recall=hits / len(right) if right else 1.0,
        wrong=_listed(mine - right),
        missed=_listed(right - mine),
        right=hits,
    )


def _listed(groups: Iterable[Pair]) -> list[tuple[str, ...]]:
    return sorted(tuple(sorted(group)) for group in groups)


def _groups(pairs: Iterable[Pair]) -> list[set[str]]:
    """Names joined by pairs, directly or through others."""
    groups: list[set[str]] = []
    for names in pairs:
        touched = [group for group in groups if group & names]
        groups = [group for group in groups if not group & names] + [set(names).union(*touched)]
    return groups


def _inside(groups: Sequence[set[str]]) -> set[Pair]:
    return {frozenset(two) for group in groups for two in combinations(sorted(group), 2)}
