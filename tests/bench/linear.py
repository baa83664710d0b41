"""Fits linear models with sparse features, and joins the pools of a curve, with nothing but numpy."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np


class Model(NamedTuple):
    """The weight of each column (0 if it was left out), and the bias."""

    weights: np.ndarray
    bias: float

    def scaled(self, factor: float, shift: float) -> Model:
        """The model whose scores are these times a factor, and a shift."""
        return Model(self.weights * factor, self.bias * factor + shift)


class Matrix:
    """Rows of named features, each with its size; a row is divided by its length as a vector, times `length`.

    Columns that are left out do not count in that.
    """

    def __init__(self, rows: Sequence[Mapping[str, float]], length: float) -> None:
        self.names = sorted({name for row in rows for name in row})
        columns = {name: at for at, name in enumerate(self.names)}
        self.rows, self.length = len(rows), length
        self.of = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        self.column = np.array([columns[name] for row in rows for name in sorted(row)], dtype=np.int64)
        self.value = np.array([row[name] for row in rows for name in sorted(row)])

    def scores(self, model: Model) -> np.ndarray:
        """The score of each row."""
        kept = model.weights != 0
        inside = kept[self.column]
        sums = np.bincount(self.of[inside], self._scaled(inside) * model.weights[self.column[inside]], self.rows)
        return sums + model.bias

    def _scaled(self, inside: np.ndarray) -> np.ndarray:
        """The sizes of some features, in rows of these alone."""
        of, value = self.of[inside], self.value[inside]
        return self.length * value / np.sqrt(np.maximum(np.bincount(of, value**2, self.rows), 1))[of]

    def fit(
        self,
        truth: np.ndarray,
        counts: np.ndarray,
        ridge: float,
        kept: int = 0,
        least: int = 2,
        rounds: int = 60,
        evenly: bool = False,
    ) -> Model:
        """A logistic regression with a ridge, by accelerated gradients.

        `counts` says how much each row counts; 0 leaves it out. Features of fewer than `least` rows are left out.
        With `kept`, the heaviest weights are fitted once more without the others. With `evenly`, rare features are
        learned as fast as frequent ones; without, they are as far behind as the rows are many.
        """
        inside = counts[self.of] > 0
        seen = np.bincount(self.column[inside], minlength=len(self.names))
        columns = np.flatnonzero(seen >= least)
        weights, bias = self._fit(truth, counts, ridge, columns, rounds, evenly)
        if kept:
            columns = columns[np.argsort(-np.abs(weights) * np.sqrt(seen[columns]), kind="stable")[:kept]]
            weights, bias = self._fit(truth, counts, ridge, columns, rounds, evenly)
        every = np.zeros(len(self.names))
        every[columns] = weights
        return Model(every, bias)

    def out_of_fold(self, truth: np.ndarray, counts: np.ndarray, folds: np.ndarray, **how: Any) -> np.ndarray:
        """The score of each row by a model from the rows of other folds; `how` to fit it, see `fit`."""
        scores = np.zeros(self.rows)
        for fold in np.unique(folds):
            model = self.fit(truth, counts * (folds != fold), **how)
            scores[folds == fold] = self.scores(model)[folds == fold]
        return scores

    def _fit(
        self,
        truth: np.ndarray,
        counts: np.ndarray,
        ridge: float,
        columns: np.ndarray,
        rounds: int,
        evenly: bool,
    ) -> tuple[np.ndarray, float]:
        rows = np.flatnonzero(counts > 0)
        row_of, column_of = np.full(self.rows, -1), np.full(len(self.names), -1)
        row_of[rows], column_of[columns] = np.arange(len(rows)), np.arange(len(columns))
        inside = (row_of[self.of] >= 0) & (column_of[self.column] >= 0)
        value = self._scaled(inside)
        of, column = row_of[self.of[inside]], column_of[self.column[inside]]
        truth, counts = truth[rows], counts[rows]

        def times(weights: np.ndarray) -> np.ndarray:
            return np.bincount(of, value * weights[column], len(rows))

        def summed(shares: np.ndarray) -> np.ndarray:
            return np.bincount(column, value * shares[of], len(columns))

        direction = np.random.default_rng(0).normal(size=len(columns))
        bend = 1.0
        for _ in range(12):
            direction = summed(counts * times(direction))
            bend = float(np.linalg.norm(direction))
            direction /= bend
        bends = summed(counts * times(np.ones(len(columns)))) if evenly else bend
        step, bias_step = 1 / (0.25 * bends + ridge), 2 / float(counts.sum())
        weights, bias, ahead, bias_ahead, pace = np.zeros(len(columns)), 0.0, np.zeros(len(columns)), 0.0, 1.0
        for _ in range(rounds):
            off = counts * (1 / (1 + np.exp(-(times(ahead) + bias_ahead))) - truth)
            new = ahead - step * (summed(off) + ridge * ahead)
            new_bias = bias_ahead - bias_step * float(off.sum())
            faster = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
            push = (pace - 1) / faster
            ahead, bias_ahead = new + push * (new - weights), new_bias + push * (new_bias - bias)
            weights, bias, pace = new, new_bias, faster
        return weights, bias


def calibration(scores: np.ndarray, truth: np.ndarray, counts: np.ndarray | None = None) -> tuple[float, float]:
    """The factor and the shift by which scores out of fold become log-odds."""
    counts = np.ones(len(scores)) if counts is None else counts
    factor, shift = 1.0, 0.0
    for _ in range(50):
        share = 1 / (1 + np.exp(-(factor * scores + shift)))
        off, bend = counts * (truth - share), counts * share * (1 - share)
        slope = np.array([(off * scores).sum(), off.sum()])
        curve = np.array([[(bend * scores**2).sum(), (bend * scores).sum()], [(bend * scores).sum(), bend.sum()]])
        step = np.linalg.solve(curve, slope)
        factor, shift = factor + float(step[0]), shift + float(step[1])
    return factor, shift


def lines(what: str, names: Sequence[str], model: Model) -> Iterator[str]:
    """A model as the lines of a table of weights (mdmem.language.weighed)."""
    yield f"{what}\tbias\t{model.bias:.2f}\n"
    for name, weight in zip(names, model.weights.tolist(), strict=True):
        if abs(weight) >= 0.005:
            yield f"{what}\t{name}\t{weight:.2f}\n"


def join_falling(merged: list[tuple[float, float, int]]) -> None:
    """Join the last pools, (sum, share, count), as long as the share of the last is not above the one before."""
    while len(merged) > 1 and merged[-2][1] >= merged[-1][1]:
        (at, share, count), (other_at, other, others) = merged.pop(), merged.pop()
        whole = count + others
        merged.append(((at * count + other_at * others) / whole, (share * count + other * others) / whole, whole))
