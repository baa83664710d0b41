"""Precision on the labelled gardening set at the default confidence: at least 0.95 on either part."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from mdmem.garden import plan as garden
from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.proposal import GardenSettings, Proposal
from mdmem.note.memory import stem
from tests import garden_set

from .conftest import carried_out


@cache
def proposals(gardener: str) -> tuple[Proposal, ...]:
    notes = [note.read(one.memory, one.data) for one in garden_set.notes()]
    found = garden.GARDENERS[gardener](notes, GardenSettings(), garden_set.TODAY).proposals
    return tuple(one for one in found if one.confidence >= GardenSettings().min_confidence)


def pairs(gardener: str) -> Iterator[tuple[str, str]]:
    """The pairs of names that proposals are about: each note of the evidence with the one that stays."""
    for one in proposals(gardener):
        names = {stem(why.path) for why in one.evidence} | {stem(edit.path) for edit in one.edits}
        stays = next(name for name in sorted(names, key=len, reverse=True) if _stays(one, name))
        yield from ((name, stays) for name in names - {stays} if name in one.title.replace(",", " ").split())


def _stays(one: Proposal, name: str) -> bool:
    return any(f"{word} {name}" in one.title for word in ("into", "trust")) or one.title.endswith(
        f": {name} supersedes it"
    )


@pytest.mark.parametrize("part", ["dev", "held"])
@pytest.mark.parametrize(("gardener", "recall"), [("twins", 0.55), ("conflicts", 0.25), ("deprecate", 1.0)])
def test_pairs_are_right_and_the_recall_is_what_it_was(gardener: str, recall: float, part: str) -> None:
    score = garden_set.score_pairs(gardener, pairs(gardener), part)
    assert score.precision >= 0.95, score.wrong
    assert score.recall >= recall


@pytest.mark.parametrize("part", ["dev", "held"])
def test_topics_and_prunes_are_right(part: str) -> None:
    labels = garden_set.labels()
    topics = [[stem(why.path) for why in one.evidence] for one in proposals("consolidate")]
    score = garden_set.score_names(topics, [one["names"] for one in labels["consolidate"]], part)
    assert score.precision >= 0.95, score.wrong
    assert score.recall >= 0.8, score.missed
    gone = [[stem(one.edits[0].path)] for one in proposals("decay")]
    score = garden_set.score_names(gone, [[one["name"]] for one in labels["prune"] if one["prune"]], part)
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_the_set_comes_to_rest_in_a_few_rounds() -> None:
    from mdmem.note import memory

    files = {one.path: one.data for one in garden_set.notes()}
    for _ in range(5):
        notes = [note.read(memory.parse(data, path), data) for path, data in files.items()]
        plan = garden.plan(notes, GardenSettings(), garden_set.TODAY)
        if not plan.proposals:
            break
        files = carried_out(files, plan.proposals)
    assert (plan.proposals, plan.waiting) == ((), 0)
