"""The weights are what their script writes, and the script finds what a figure tells."""

from __future__ import annotations

import json

import numpy as np

from mdmem.garden.pairs import judge
from tests.bench import pairs_fit


def test_the_weights_are_as_the_script_writes_them() -> None:
    text = (pairs_fit.DATA / "pairs.json").read_text(encoding="utf-8")
    assert pairs_fit.written(json.loads(text)) == text


def test_boosted_trees_find_the_figure_that_tells_and_score_as_they_were_fitted() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.random((400, 4)).round(3)
    truth = (matrix[:, 2] > 0.6).astype(float)
    data = pairs_fit.binned(matrix)
    bias, trees, sums = pairs_fit.boosted(data, truth, np.arange(400), 40)
    scorer = judge.Scorer(
        {"a": 0, "b": 1, "c": 2, "d": 3}, [0.5] * 4, bias, [judge.tree(one) for one in trees], [], 0
    )
    totals = np.array([scorer.total(row) for row in matrix.tolist()])
    assert np.allclose(totals, sums, atol=0.05)
    assert ((totals > 0) == (truth > 0)).mean() > 0.97
    assert scorer.heaviest({"c": 0.9, "a": 0.5, "b": 0.5, "d": 0.5})[0][0] == "c"


def test_shares_of_right_ones_rise_with_the_sum() -> None:
    sums = np.arange(160.0)
    points = pairs_fit.calibrated(sums, (sums >= 80).astype(float))
    assert [share for _, share in points] == [pairs_fit.LOWEST, pairs_fit.HIGHEST]


def test_what_says_the_same_excludes_less_and_the_surer_of_two_pairs_of_a_note_stands() -> None:
    twins, conflicts = judge.settled([("a", "b"), ("a", "c"), ("d", "e")], [-9.0, -9.0, 3.0], [2.0, 1.0, 2.0])
    assert [round(one) for one in conflicts] == [2, 0, -1]
    assert twins == [-9.0, -9.0, 3.0]
