"""Precision and recall on the labelled gardening set at the default confidence, on either part."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.note.memory import stem
from tests import garden_scores, garden_set, plans

from .conftest import carried_out

pytestmark = pytest.mark.xdist_group("labelled")  # one process reads and plans the sets


@pytest.mark.parametrize("part", ["dev", "held"])
@pytest.mark.parametrize(
    ("gardener", "precision", "recall"),
    [
        ("twins", 0.9, 0.5),
        ("conflicts", 0.8, 0.25),  # from 0.8 on, two of ten may be wrong: 8 right, 2 wrong on held
        ("deprecate", 0.9, 1.0),
    ],
)
def test_pairs_are_right_and_the_recall_is_what_it_was(
    gardener: str, precision: float, recall: float, part: str
) -> None:
    score = garden_scores.score(gardener, part, of="garden")
    assert score.precision >= precision, f"{len(score.wrong)} wrong"
    assert score.recall >= recall


@pytest.mark.parametrize("part", ["dev", "held"])
def test_topics_and_prunes_are_right(part: str) -> None:
    labels = garden_set.labels()
    topics = garden_scores.topics(garden_scores.sure("consolidate"))
    score = garden_set.score_names(topics, [one["names"] for one in labels["consolidate"]], part)
    assert score.precision >= 0.95, score.wrong
    assert score.recall >= 0.8, score.missed
    gone = [[stem(one.edits[0].path)] for one in garden_scores.sure("decay")]
    score = garden_set.score_names(gone, [[one["name"]] for one in labels["prune"] if one["prune"]], part)
    assert (score.precision, score.recall) == (1.0, 1.0)


def test_the_set_comes_to_rest_in_a_few_rounds() -> None:
    from mdmem.note import memory

    files = {one.path: one.data for one in garden_set.notes()}
    for _ in range(5):
        notes = [note.read(memory.parse(data, path), data) for path, data in files.items()]
        plan = plans.of_notes(notes, GardenSettings(), garden_set.TODAY)
        if not plan.proposals:
            break
        files = carried_out(files, plan.proposals)
    assert (plan.proposals, plan.waiting) == ((), 0)
