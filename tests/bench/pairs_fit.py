"""Fits the weights by which the garden judges two notes, and how sure a sum of them is, on labelled notes.

    python -m tests.bench.pairs_fit [--write]

All pairs of near notes count, labelled or not, so that a share of right ones is what a vault would give. A figure
counts from certain values on (quantiles of those seen), by logistic regression with a ridge (L2), for each kind
against all others; weights are log-odds. A sum becomes a confidence (0-1) by isotonic regression (pool adjacent
violators; Ayer et al. 1955). What is printed, and the confidence, is out of fold: a fold's subjects are
not among those that its weights come from. Only what rules are written against is read: the part
`dev` of each set. `--write` puts the outcome into mdmem/garden/pairing/weights.py.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from mdmem.garden.gardeners import note
from mdmem.garden.pairing import judge
from mdmem.garden.pairing.features import FIRST
from mdmem.garden.pairing.judge import KINDS
from tests import garden_set
from tests.bench.capture_fit import join_falling

SETS = ("judgement", "judgement_more", "garden")
FOLDS = 8
RIDGE = 6.0
QUANTILES = (0.15, 0.4, 0.65, 0.85, 0.95)  # of what is over the least value of a figure: where weights may begin
LEAST_ROWS = 25  # pairs from a value on, with fewer of which it gets no weight
ROUNDS, LEAST_GAIN = 50, 1e-4  # of the fit, and of what a round makes better (log-likelihood)
KEPT_AT_FIRST = 0.93  # share of the labelled pairs that get a second look
POOL = 25  # pairs of which a share is taken
LOWEST, HIGHEST = 0.02, 0.98  # confidence
LEASTS = (0.9, 0.8, 0.7, 0.6, 0.5)
TARGET = Path(__file__).parents[2] / "mdmem/garden/pairing/weights.py"

Steps = Sequence[tuple[float, float]]
Table = dict[str, list[tuple[float, float]]]


class LabelledPair(NamedTuple):
    """Two near notes of one set: their subject, what they are ("twin", "conflict" or ""), figures and names."""

    subject: str
    kind: str
    figures: dict[str, float]
    names: tuple[str, str]


def labelled_pairs(of: str) -> Iterator[LabelledPair]:
    """The near notes of dev of a set, without those of which no gardener is asked."""
    read = [note.read(one.memory, one.data) for one in garden_set.notes(of) if one.part == "dev"]
    subjects = {one.name: f"{of} {one.subject or one.name}" for one in garden_set.notes(of)}
    twins, conflicts = (garden_set.wanted_pairs(kind, of) for kind in ("twins", "conflicts"))
    neutral = garden_set.neutral_pairs("twins", of) & garden_set.neutral_pairs("conflicts", of)
    for one in judge.candidates(judge.comparable(read), least=-math.inf):
        names = one.older.name, one.newer.name
        pair = frozenset(names)
        kind = "twin" if pair in twins else "conflict" if pair in conflicts else ""
        if pair not in neutral:
            yield LabelledPair(subjects[names[0]], kind, one.figures, names)


def wanted(kind: str) -> int:
    """How many pairs of a kind there are, near or not."""
    return sum(label["part"] == "dev" for of in SETS for label in garden_set.labels(of)[f"{kind}s"])


class FirstLook(NamedTuple):
    """The weights of the first look, and the sum from which on there is a second."""

    least: float
    bias: float
    table: Mapping[str, Steps]


class Columns:
    """Where weights of figures begin: one column of zeros and ones for each figure and value."""

    def __init__(self, pairs: Sequence[LabelledPair], names: Iterable[str]) -> None:
        self.starts = [
            (name, start)
            for name in sorted(names)
            for start in _starts(np.array([pair.figures.get(name, 0.0) for pair in pairs], dtype=float))
        ]

    def matrix(self, pairs: Sequence[LabelledPair]) -> np.ndarray:
        """A row a pair; the first column is for the bias."""
        named = [[pair.figures.get(name, 0.0) for name, _ in self.starts] for pair in pairs]
        values = np.array(named, dtype=float)
        reached = values >= np.array([start for _, start in self.starts])
        return np.column_stack([np.ones(len(pairs)), reached])

    def table(self, beta: np.ndarray) -> Table:
        """The weights by figure, rounded; without those that say nothing."""
        found: Table = {}
        for (name, start), weight in zip(self.starts, beta[1:], strict=True):
            if abs(weight) >= 0.05:
                found.setdefault(name, []).append((start, round(float(weight), 2)))
        return found


def _starts(values: np.ndarray) -> list[float]:
    """Values from which on a figure may count: each of few, or else quantiles."""
    seen = np.unique(values)
    if len(seen) <= len(QUANTILES) + 1:
        starts = [float(value) for value in seen[1:]]
    else:
        over = values[values > seen[0]]
        starts = sorted({float(f"{value:.2g}") for value in np.quantile(over, QUANTILES)})
    return [start for start in starts if (values >= start).sum() >= LEAST_ROWS]


def fit(matrix: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Weights by logistic regression (Newton's method), in log-odds; the bias has next to no ridge."""
    ridge = np.full(matrix.shape[1], RIDGE)
    ridge[0] = 1e-6
    beta = np.zeros(matrix.shape[1])
    beta[0] = math.log(truth.mean() / (1 - truth.mean()))
    loss = _loss(matrix, truth, ridge, beta)
    for _ in range(ROUNDS):
        share = 1 / (1 + np.exp(-(matrix @ beta)))
        slope = matrix.T @ (share - truth) + ridge * beta
        bend = (matrix * (share * (1 - share))[:, None]).T @ matrix + np.diag(ridge)
        step = np.linalg.solve(bend, slope)
        while (less := _loss(matrix, truth, ridge, beta - step)) > loss:  # a step too far
            step /= 2
        beta, gain, loss = beta - step, loss - less, less
        if gain < LEAST_GAIN:
            break
    return beta


def _loss(matrix: np.ndarray, truth: np.ndarray, ridge: np.ndarray, beta: np.ndarray) -> float:
    """What the fit makes least: minus the log-likelihood, with the ridge."""
    sums = matrix @ beta
    return float((np.logaddexp(0, sums) - truth * sums).sum() + (ridge * beta**2).sum() / 2)


def out_of_fold(matrix: np.ndarray, truth: np.ndarray, folds: np.ndarray) -> np.ndarray:
    """The sum of weights of each pair, from weights that come from other subjects."""
    scores = np.zeros(len(truth))
    for fold in range(FOLDS):
        own = folds == fold
        scores[own] = matrix[own] @ fit(matrix[~own], truth[~own])
    return scores


def calibrated(scores: np.ndarray, truth: np.ndarray) -> list[tuple[float, float]]:
    """Points (sum of weights, share that is right) by isotonic regression: pools that do not rise are made one."""
    order = np.argsort(scores)[-POOL * (len(scores) // POOL) :]
    merged: list[tuple[float, float, int]] = []
    for chunk in np.split(order, len(order) // POOL):
        merged.append((float(scores[chunk].mean()), float(truth[chunk].mean()), len(chunk)))
        join_falling(merged)
    points = [(round(at, 2), round(min(max(share, LOWEST), HIGHEST), 2)) for at, share, _ in merged]
    return points[-12:]


def _print_curve(kind: str, sure: np.ndarray, truth: np.ndarray) -> None:
    total = wanted(kind)
    for least in LEASTS:
        right, all_found = int(truth[sure >= least].sum()), int((sure >= least).sum())
        print(f"  {kind} from {least}: {right} right, {all_found - right} wrong, {total - right} missed:"
              f" {right / max(all_found, 1):.2f} / {right / total:.2f}")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outcome into weights.py")
    options = parser.parse_args()
    pairs = [pair for of in SETS for pair in labelled_pairs(of)]
    text = fitted(pairs)
    if options.write:
        TARGET.write_text(text, encoding="utf-8")


def fitted(pairs: Sequence[LabelledPair]) -> str:
    """The module of weights that some pairs give."""
    folds = np.array([crc32(pair.subject.encode()) % FOLDS for pair in pairs])
    related = np.array([bool(pair.kind) for pair in pairs], dtype=float)
    first = Columns(pairs, FIRST)
    looked = out_of_fold(first.matrix(pairs), related, folds)
    least = float(np.quantile(looked[related > 0], 1 - KEPT_AT_FIRST))
    print(f"{len(pairs)} pairs, {int((looked >= least).sum())} get a second look")
    beta = fit(first.matrix(pairs), related)
    first_look = FirstLook(round(least, 2), round(float(beta[0]), 2), first.table(beta))
    columns = Columns(pairs, {name for pair in pairs for name in pair.figures})
    matrix = columns.matrix(pairs)
    names = [pair.names for pair in pairs]
    truths = {kind: np.array([pair.kind == kind for pair in pairs], dtype=float) for kind in KINDS}
    all_sums = (out_of_fold(matrix, truths[kind], folds) for kind in KINDS)
    sums = [np.where(looked >= least, found, found.min()).tolist() for found in all_sums]
    biases, tables, curves = {}, {}, {}
    for kind, scores in zip(KINDS, map(np.array, judge.settled(names, *sums)), strict=True):
        truth = truths[kind]
        curves[kind] = calibrated(scores, truth)
        points = np.array(curves[kind])
        _print_curve(kind, np.interp(scores, points[:, 0], points[:, 1]), truth)
        beta = fit(matrix, truth)
        biases[kind], tables[kind] = round(float(beta[0]), 2), columns.table(beta)
    return module(first_look, biases, tables, curves)


def _steps(steps: Sequence[tuple[float, float]]) -> str:
    rows = [f"({start:g}, {weight:g})" for start, weight in steps]
    return f"({', '.join(rows)}{',' * (len(rows) == 1)})"


def module(
    first: FirstLook,
    biases: Mapping[str, float],
    tables: Mapping[str, Mapping[str, Steps]],
    curves: Mapping[str, Steps],
) -> str:
    """The module of weights, as it is written."""
    first_rows = "".join(f'    "{name}": {_steps(steps)},\n' for name, steps in first.table.items())
    rows = "".join(
        f'    "{kind}": {{\n'
        + "".join(f'        "{name}": {_steps(steps)},\n' for name, steps in table.items())
        + "    },\n"
        for kind, table in tables.items()
    )
    curve_rows = "".join(
        f'    "{kind}": (\n' + "".join(f"        ({at:g}, {share:g}),\n" for at, share in curve) + "    ),\n"
        for kind, curve in curves.items()
    )
    return f'''"""How much each figure speaks for twins and for a conflict, and how sure each sum of weights is.

Data, fitted on labelled notes by `python -m tests.bench.pairs_fit --write`. To change them,
change the figures (`features`) or the notes.
"""

from __future__ import annotations

Steps = tuple[tuple[float, float], ...]  # (value of a figure, log-odds added from there on)

# The first look: whether two notes may be either, without reading them. BIAS belongs to the second look.
FIRST_LEAST = {first.least:.2f}
FIRST_BIAS = {first.bias:.2f}
FIRST_LOOK: dict[str, Steps] = {{
{first_rows}}}
BIAS = {json.dumps(biases)}

# Kind -> figure -> its weights.
WEIGHTS: dict[str, dict[str, Steps]] = {{
{rows}}}

# Kind -> (sum of weights, share that is right): rising, out of fold.
CONFIDENCE: dict[str, Steps] = {{
{curve_rows}}}
'''


if __name__ == "__main__":
    main()
