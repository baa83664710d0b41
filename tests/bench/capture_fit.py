"""Fits the weights by which capture judges a turn, on the dev chats of all sets of tests/data.

    python tests/bench/capture_fit.py [--write] [--folds 5]

Logistic regression with a ridge, for whether a turn holds something, and one for each kind of what it holds. The
heaviest weights are kept, and fitted once more alone. Prints precision and recall out of fold: each subject judged
by weights from the others. `--write` puts the outcome into mdmem/capture/data/worth.tsv. Held and fresh parts are
not read.
"""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mdmem.capture import utterances, worth
from mdmem.capture.turns import Turn
from tests.bench.labelled_chats import PROJECT, chats

SETS = ("judgement_chats", "capture_more", "capture_own", "capture_facts", "capture_wide", "capture_also")
NATURAL = SETS[:3] + SETS[4:5]  # whose share of turns that hold something is that of chats: it sets the confidence
TARGET = PROJECT / "mdmem/capture/data/worth.tsv"
KEPT, KEPT_OF_KINDS = 3_000, 900  # weights
RIDGE, KIND_RIDGE = 5.0, 3.0
LEAST_SEEN = 2  # turns that a feature has to be in
ROUNDS = 100
KINDS = {  # label -> kind, where they differ
    **{"instruction": "preference", "decision": "fact", "plan": "fact", "episode": "fact"},
}
HEAD = "# Fitted by `python tests/bench/capture_fit.py --write`: what it speaks for, feature, weight.\n"


class LabelledTurn(NamedTuple):
    """A turn: its subject, label ("" for nothing), language and features; `placed` if in context."""

    group: tuple[str, str]
    label: str
    lang: str
    features: dict[str, float]
    placed: bool


def turns() -> Iterator[LabelledTurn]:
    """The labelled turns of all sets, as capture reads them."""
    for name in SETS:
        for which, rows in chats(name, "dev").items():
            before = by = ""
            for row in rows:
                said = [
                    one for one in utterances.sentences(Turn(row["speaker"], row["text"], 1)) if not one.quoted
                ]
                place = worth.Place(row["speaker"], before, by)
                if said:
                    label, texts = KINDS.get(row["trigger"], row["trigger"]), [one.text for one in said]
                    for where in {place, worth.Place(row["speaker"])}:  # and as if nothing had been said before
                        found = worth.features(texts, where)
                        group = name, row.get("subject", which)
                        yield LabelledTurn(group, label, row.get("lang", "en"), found, where == place)
                    before, by = said[-1].text, row["speaker"]


class Matrix:
    """The features of some turns as a sparse matrix, each row scaled as `worth.judge` does."""

    def __init__(self, rows: Sequence[Mapping[str, float]], names: Sequence[str]) -> None:
        columns = {name: at for at, name in enumerate(names)}
        found = [[(columns[name], much) for name, much in row.items() if name in columns] for row in rows]
        self.rows, self.width = len(rows), len(names)
        self.of = np.repeat(np.arange(self.rows), [len(row) for row in found])
        self.column = np.array([at for row in found for at, _ in row])
        value = np.array([much for row in found for _, much in row])
        length = np.sqrt(np.bincount(self.of, value**2, self.rows))
        self.value = value / np.maximum(length, 1)[self.of] * worth.LENGTH

    def times(self, weights: np.ndarray) -> np.ndarray:
        return np.bincount(self.of, self.value * weights[self.column], self.rows)

    def summed(self, shares: np.ndarray) -> np.ndarray:
        return np.bincount(self.column, self.value * shares[self.of], self.width)

    def fit(self, truth: np.ndarray, ridge: float) -> tuple[np.ndarray, float]:
        """The weights and the bias of a logistic regression, by accelerated gradients."""
        direction = np.random.default_rng(0).normal(size=self.width)
        for _ in range(12):
            direction = self.summed(self.times(direction))
            bend = float(np.linalg.norm(direction))
            direction /= bend
        step, bias_step = 1 / (0.25 * bend + ridge), 2 / self.rows
        weights, bias, ahead, bias_ahead, pace = np.zeros(self.width), 0.0, np.zeros(self.width), 0.0, 1.0
        for _ in range(ROUNDS):
            off = 1 / (1 + np.exp(-(self.times(ahead) + bias_ahead))) - truth
            new = ahead - step * (self.summed(off) + ridge * ahead)
            new_bias = bias_ahead - bias_step * float(off.sum())
            faster = (1 + math.sqrt(1 + 4 * pace * pace)) / 2
            push = (pace - 1) / faster
            ahead, bias_ahead = new + push * (new - weights), new_bias + push * (new_bias - bias)
            weights, bias, pace = new, new_bias, faster
        return weights, bias


class Fitted(NamedTuple):
    """The names of the features that are kept, their weights and the bias."""

    names: list[str]
    weights: np.ndarray
    bias: float

    def scores(self, rows: Sequence[Mapping[str, float]]) -> np.ndarray:
        return Matrix(rows, self.names).times(self.weights) + self.bias


def fitted(rows: Sequence[Mapping[str, float]], truth: np.ndarray, names: Sequence[str], kept: int) -> Fitted:
    """The heaviest weights of a fit, fitted once more without the others."""
    seen = Counter(name for row in rows for name in row)
    weights, _ = Matrix(rows, names).fit(truth, RIDGE)
    heavy = sorted(zip(names, weights, strict=True), key=lambda one: -abs(one[1]) * math.sqrt(seen[one[0]]))[:kept]
    chosen = sorted(name for name, _ in heavy)
    return Fitted(chosen, *Matrix(rows, chosen).fit(truth, RIDGE))


def known(rows: Iterable[Mapping[str, float]]) -> list[str]:
    """The features that enough turns have."""
    seen = Counter(name for row in rows for name in row)
    return sorted(name for name, count in seen.items() if count >= LEAST_SEEN)


def out_of_fold(read: Sequence[LabelledTurn], folds: int) -> np.ndarray:
    """The score of each turn by weights from other subjects."""
    groups = sorted({turn.group for turn in read})
    order = np.random.default_rng(0).permutation(len(groups))
    fold = {groups[at]: place % folds for place, at in enumerate(order)}
    scores = np.zeros(len(read))
    for one in range(folds):
        inside = [turn for turn in read if fold[turn.group] != one]
        outside = [at for at, turn in enumerate(read) if fold[turn.group] == one]
        rows = [turn.features for turn in inside]
        model = fitted(rows, np.array([float(bool(turn.label)) for turn in inside]), known(rows), KEPT)
        scores[outside] = model.scores([read[at].features for at in outside])
    return scores


def calibration(scores: np.ndarray, truth: np.ndarray) -> tuple[float, float]:
    """The factor and the shift by which scores out of fold become log-odds."""
    factor, shift = 1.0, 0.0
    for _ in range(50):
        share = 1 / (1 + np.exp(-(factor * scores + shift)))
        bend = share * (1 - share)
        slope = np.array([((truth - share) * scores).sum(), (truth - share).sum()])
        curve = np.array([[(bend * scores**2).sum(), (bend * scores).sum()], [(bend * scores).sum(), bend.sum()]])
        step = np.linalg.solve(curve, slope)
        factor, shift = factor + float(step[0]), shift + float(step[1])
    return factor, shift


def report(read: Sequence[LabelledTurn], scores: np.ndarray) -> None:
    truth = np.array([bool(turn.label) for turn in read])
    english = np.array([turn.lang == "en" for turn in read])
    for name, part in (("en", english), ("de, es, fr", ~english)):
        print(f"{name}: {part.sum()} turns, {(truth & part).sum()} hold something")
        for share in (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7, 0.8):
            found = part & (scores >= math.log(share / (1 - share)))
            right = (found & truth).sum()
            precision, recall = right / max(found.sum(), 1), right / (truth & part).sum()
            print(f"  from {share:.2f}: precision {precision:.2f}, recall {recall:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outcome into worth.tsv")
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    read = [*turns()]
    scores = out_of_fold(read, options.folds)
    natural = [at for at, turn in enumerate(read) if turn.placed and turn.group[0] in NATURAL]
    turns_judged = [read[at] for at in natural]
    truth = np.array([float(bool(turn.label)) for turn in turns_judged])
    scale = calibration(scores[natural], truth)
    report(turns_judged, scores[natural] * scale[0] + scale[1])
    if options.write:
        TARGET.write_text(HEAD + "".join(sorted(_lines(read, scale))), encoding="utf-8")


def _lines(read: Sequence[LabelledTurn], scale: tuple[float, float]) -> Iterator[str]:
    rows = [turn.features for turn in read]
    names = known(rows)
    model = fitted(rows, np.array([float(bool(turn.label)) for turn in read]), names, KEPT)
    model = model._replace(weights=model.weights * scale[0], bias=model.bias * scale[0] + scale[1])
    yield from _written("worth", model)
    held = [turn for turn in read if turn.label]
    rows = [turn.features for turn in held]
    cues = [name for name in known(rows) if not name.startswith("c_")]
    for kind in worth.KINDS:
        truth = np.array([float(turn.label == kind) for turn in held])
        yield from _written(kind, fitted(rows, truth, cues, KEPT_OF_KINDS // len(worth.KINDS)))


def _written(what: str, model: Fitted) -> Iterator[str]:
    yield f"{what}\tbias\t{model.bias:.2f}\n"
    for name, weight in zip(model.names, model.weights, strict=True):
        if abs(weight) >= 0.005:
            yield f"{what}\t{name}\t{weight:.2f}\n"


if __name__ == "__main__":
    main()
