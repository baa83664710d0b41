"""The table of weights is what its script writes, and the script finds what a figure tells."""

from __future__ import annotations

import numpy as np
import pytest

from mdmem.garden.pairing import weights
from tests.bench import pairs_fit


def test_the_table_of_weights_is_as_the_script_writes_it() -> None:
    first = pairs_fit.FirstLook(weights.FIRST_LEAST, weights.FIRST_BIAS, weights.FIRST_LOOK)
    written = pairs_fit.module(first, weights.BIAS, weights.WEIGHTS, weights.CONFIDENCE)
    assert written == pairs_fit.TARGET.read_text(encoding="utf-8")


def test_the_fit_finds_the_log_odds_and_a_ridge_makes_them_less(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = np.repeat([0.0, 1.0], 100)
    truth = np.concatenate([np.repeat([1.0, 0.0], [20, 80]), np.repeat([1.0, 0.0], [80, 20])])
    matrix = np.column_stack([np.ones(200), reached])
    monkeypatch.setattr(pairs_fit, "RIDGE", 0.0)
    assert pairs_fit.fit(matrix, truth) == pytest.approx([np.log(0.25), 2 * np.log(4)], abs=1e-3)
    monkeypatch.setattr(pairs_fit, "RIDGE", 100.0)
    assert 0 < pairs_fit.fit(matrix, truth)[1] < np.log(4)


def test_shares_of_right_ones_rise_with_the_sum() -> None:
    sums = np.arange(100.0)
    truth = (sums >= 50).astype(float)
    points = pairs_fit.calibrated(sums, truth)
    assert [share for _, share in points] == [0.02, 0.98]
