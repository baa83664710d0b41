"""Fits the weights by which capture judges a sentence, and how sure a sum of them is, on the dev chats.

    python tests/bench/capture_fit.py [--write]

A turn holds something if one of its sentences does, so the surest sentence of each turn is what is fitted, by
logistic regression with a ridge (each cue starts from the mean of those that speak the same way). The confidence
is fitted on scores out of fold: those of a conversation come from weights fitted on other conversations. Held
halves are not read. `--write` puts the outcome into mdmem/language/speech/evidence.py.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2]))
from mdmem.capture import findings, triggers, utterances
from mdmem.capture.referents import Sentence
from mdmem.capture.transcripts import Turn
from mdmem.language.cues.signs import AGAINST, FOR
from tests.bench.labelled_chats import PROJECT, chats

SETS = {  # set -> weight
    "judgement_chats": 1.0,
    "capture_more": 0.6,
    "capture_own": 1.0,
    "capture_facts": 1.5,
    "capture_wide": 1.0,
}
JUDGED = (
    "judgement_chats",
    "capture_more",
    "capture_own",
    "capture_wide",
)  # whose shares are what a confidence should be
RIDGE = 3.0
WEAK_RIDGE = 0.3  # of what any set can tell by itself
RULE_RIDGE = 1.0  # of rules, which know what they read
RULE_START = 0.5  # of their weights: that one fires is a reason
SHARED_FOR, SHARED_AGAINST = "any cue for it", "any cue against it"
STARTS = {"supposes": -2.5, "asks": -1.0, "plays": -1.0}  # where their weights start: rare in the chats, and sure
WEAK = {
    "bias",
    SHARED_FOR,
    SHARED_AGAINST,
    "by the assistant",
    "sureness of a rule",
    "sentences",
    "words",
    "no cue",
}
ROUNDS, STEPS, MOST_STEP = 4, 30, 2.0
BINS = 36
FOLDS, SHUFFLES = 10, 3
TARGET = PROJECT / "mdmem/language/speech/evidence.py"

Features = dict[str, float]


class LabelledTurn(NamedTuple):
    """A turn: its set, its subject or chat, whether it holds something, and the features of its sentences."""

    set: str
    group: str
    labelled: bool
    sentences: list[Features]


def turns_of(name: str) -> Iterable[LabelledTurn]:
    for which, rows in chats(name, "dev").items():
        if all(row["speaker"] == "user" for row in rows):
            continue  # what people say between them is not weighed
        before: list[list[Sentence]] = []
        for row in rows:
            turn = Turn(row["speaker"], row["text"], 1)
            sentences = list(utterances.sentences(turn))
            place = findings.place_of(turn.speaker, sentences, before)
            found = [triggers.features(one.text, turn.speaker, place) for one in sentences if not one.quoted]
            yield LabelledTurn(name, row.get("subject", which), bool(row["trigger"]), found)
            before = findings.remembered(before, sentences)


class Model:
    """Logistic regression over named features, of which the surest sentence of a turn is the turn's."""

    def __init__(self, turns: Sequence[LabelledTurn]) -> None:
        used = {name for turn in turns for sentence in turn.sentences for name in sentence}
        self.names = sorted(used | WEAK)
        self.columns = {name: at for at, name in enumerate(self.names)}
        self.ridge = np.array([_ridge(name) for name in self.names])
        self.start = np.array([STARTS.get(name, RULE_START * name.startswith("rule ")) for name in self.names])
        self.rows = {id(turn): self._matrix(turn) for turn in turns}

    def _matrix(self, turn: LabelledTurn) -> np.ndarray:
        matrix = np.zeros((len(turn.sentences), len(self.names)))
        for row, sentence in zip(matrix, turn.sentences, strict=True):
            for name, much in {**sentence, "bias": 1.0}.items():
                row[self.columns[name]] = much
            row[self.columns[SHARED_FOR]] = len(FOR & sentence.keys())
            row[self.columns[SHARED_AGAINST]] = len(AGAINST & sentence.keys())
        return matrix

    def fit(self, turns: Sequence[LabelledTurn]) -> np.ndarray:
        told = [turn for turn in turns if turn.sentences]
        truth = np.array([float(turn.labelled) for turn in told])
        weight = np.array([SETS[turn.set] for turn in told])
        beta = self.start.copy()
        beta[self.columns["bias"]] = beta[self.columns[SHARED_AGAINST]] = -1.0
        beta[self.columns[SHARED_FOR]] = 1.0
        for _ in range(ROUNDS):
            surest = [self.rows[id(turn)][int(np.argmax(self.rows[id(turn)] @ beta))] for turn in told]
            beta = self._regress(np.array(surest), truth, weight, beta)
        return beta

    def _regress(self, x: np.ndarray, truth: np.ndarray, weight: np.ndarray, beta: np.ndarray) -> np.ndarray:
        for _ in range(STEPS):
            share = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
            slope = x.T @ (weight * (share - truth)) + self.ridge * (beta - self.start)
            bend = (x * (weight * share * (1 - share))[:, None]).T @ x + np.diag(self.ridge)
            step = np.linalg.solve(bend, slope)
            beta = beta - step * min(1.0, MOST_STEP / max(np.abs(step).max(), 1e-9))
            if np.abs(step).max() < 1e-3:
                break
        return beta

    def scores(self, turns: Iterable[LabelledTurn], beta: np.ndarray) -> list[float]:
        return [max(self.rows[id(turn)] @ beta, default=-10.0) for turn in turns]

    def table(self, beta: np.ndarray) -> dict[str, float]:
        """Round weights, with what all cues share added to each of them."""
        shared = dict.fromkeys(FOR, beta[self.columns[SHARED_FOR]])
        shared |= dict.fromkeys(AGAINST, beta[self.columns[SHARED_AGAINST]])
        own = {name: beta[at] for name, at in self.columns.items() if name not in (SHARED_FOR, SHARED_AGAINST)}
        return {name: round(float(own[name] + shared.get(name, 0.0)), 1) for name in own}


def _ridge(name: str) -> float:
    if name in WEAK:
        return WEAK_RIDGE
    return RULE_RIDGE if name.startswith("rule ") else RIDGE


def out_of_fold(model: Model, turns: Sequence[LabelledTurn]) -> list[tuple[float, bool]]:
    """(score, whether something is there) of each turn of JUDGED, by weights from other conversations alone.

    Each turn comes once for each way of SHUFFLES in which the conversations are dealt to FOLDS.
    """
    found: list[tuple[float, LabelledTurn]] = []
    groups = sorted({(turn.set, turn.group) for turn in turns})
    for seed in range(SHUFFLES):
        order = np.random.default_rng(seed).permutation(len(groups))
        folds = {groups[at]: place % FOLDS for place, at in enumerate(order)}
        for fold in range(FOLDS):
            beta = model.fit([turn for turn in turns if folds[turn.set, turn.group] != fold])
            own = [turn for turn in turns if folds[turn.set, turn.group] == fold]
            found += zip(model.scores(own, beta), own, strict=True)
    for name in JUDGED:
        _print_curve(name, [(score, turn.labelled) for score, turn in found if turn.set == name])
    return [(score, turn.labelled) for score, turn in found if turn.set in JUDGED]


def _print_curve(name: str, pairs: Sequence[tuple[float, bool]]) -> None:
    total = sum(labelled for _, labelled in pairs)
    print(f"{name}: {len(pairs) // SHUFFLES} turns, {total // SHUFFLES} hold something; out of fold")
    for floor in (0.0, 0.5, 1.0, 1.5, 2.0):
        found = [labelled for score, labelled in pairs if score >= floor]
        print(f"  score {floor:4.1f}: {len(found) / SHUFFLES:5.1f} found, precision {np.mean(found or [0]):.2f},"
              f" recall {sum(found) / total:.2f}")  # fmt: skip


def calibrated(pairs: Sequence[tuple[float, bool]]) -> list[tuple[float, float]]:
    """Points (score, share that is right), rising: pools of neighbours whose shares do not rise (isotonic)."""
    ordered = sorted(pairs)[-(sum(score > -3 for score, _ in pairs)) :]
    pools = [[*zip(*chunk, strict=True)] for chunk in _chunks(ordered)]
    merged: list[tuple[float, float, int]] = []
    for scores, truths in pools:
        merged.append((float(np.mean(scores)), float(np.mean(truths)), len(scores)))
        join_falling(merged)
    return [(round(score, 1), round(share, 2)) for score, share, _ in merged]


def join_falling(pools: list[tuple[float, float, int]]) -> None:
    """Join the last of some pools (score, share, size) while their shares do not rise: isotonic regression."""
    while len(pools) > 1 and pools[-2][1] >= pools[-1][1]:
        (low, share, few), (high, other, more) = pools[-2:]
        both = few + more
        pools[-2:] = [((low * few + high * more) / both, (share * few + other * more) / both, both)]


def _chunks(ordered: Sequence[tuple[float, bool]]) -> Iterable[Sequence[tuple[float, bool]]]:
    size = math.ceil(len(ordered) / BINS)
    return (ordered[at : at + size] for at in range(0, len(ordered), size))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the outcome into evidence.py")
    options = parser.parse_args()
    turns = [turn for name in SETS for turn in turns_of(name)]
    model = Model(turns)
    points = calibrated(out_of_fold(model, turns))
    weights = model.table(model.fit(turns))
    text = _module(weights, points)
    print(text)
    if options.write:
        Path(TARGET).write_text(text, encoding="utf-8")


def _module(weights: dict[str, float], points: Sequence[tuple[float, float]]) -> str:
    ordered = sorted(weights.items(), key=lambda pair: (-abs(pair[1]), pair[0]))
    rows = "\n".join(f'    "{name}": {value},' for name, value in ordered if value)
    knots = "\n".join(f"    ({score}, {share})," for score, share in points)
    return f'''"""The weight of each cue that a sentence is worth a memory, and the confidence in their sum.

Data, fitted on the dev chats of tests/data by `python tests/bench/capture_fit.py --write`. To change it, change
the cues or the chats.
"""

from __future__ import annotations

# The name of a feature of `declared.features` -> its weight, in log-odds.
WEIGHTS = {{
{rows}
}}

# (sum of weights, share of turns with it that held something): rising, out of fold.
CONFIDENCE = (
{knots}
)
'''


if __name__ == "__main__":
    main()
