"""Fits the weights by which a note is judged to tell of a moment only, on the dev notes of the labelled sets.

    python -m tests.bench.moments_fit [--write] [--errors]

Logistic regression with a ridge over `passing.features`. The confidence is fitted on scores out of fold (folds are
subjects), joined until it rises, and drawn towards the middle: the signs were written when these notes were read,
so that their shares flatter. `--write` puts the outcome into mdmem/language/lapse/data/moments.tsv.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import numpy as np

from mdmem.garden.gardeners.decay import PLAIN_TYPES
from mdmem.language.lapse import days, passing
from tests import garden_set
from tests.bench.linear import join_falling

SETS = ("judgement", "judgement_more", "judgement_tidy")
NAMES = (
    *dict.fromkeys(sign for sign, _ in passing.signs()),
    "any sign",
    "further signs",
    "words",
    "label",
    "telegram",
    "bias",
)
OF_MOMENT = ("passing", "moment")  # why a note is pruned
RIDGE, STEPS, FOLDS, SHUFFLES, BINS = 1.0, 40, 8, 5, 8
DOUBT = 2  # notes of which half are right, added to each pool of the curve
TARGET = Path(__file__).parents[2] / "mdmem/language/lapse/data/moments.tsv"


class LabelledNote(NamedTuple):
    """A short plain note: its subject, its text, and whether it tells of a moment only."""

    subject: str
    text: str
    passes: bool


def notes() -> Iterator[LabelledNote]:
    """The notes of dev of which the rule is asked, without what has no worth for another reason."""
    for of in SETS:
        labels = {label["name"]: label for label in garden_set.labels(of)["prune"]}
        for note in garden_set.notes(of):
            label = labels.get(note.name, {"prune": False})
            if note.part != "dev" or (label["prune"] and label["why"] not in OF_MOMENT) or not is_asked(note):
                continue
            yield LabelledNote(note.subject, note.body, label["prune"])
    with (garden_set.DATA / "moments.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            given = json.loads(line)
            yield LabelledNote(f"moments {number % FOLDS}", given["text"], given["passes"])


def is_asked(note: garden_set.Note) -> bool:
    """Whether a note is one that the rule looks at: plain, short, about the present, weeks old."""
    given = note.properties
    is_old = note.memory.meta["created"][:10] <= f"{garden_set.TODAY - timedelta(days=14):%Y-%m-%d}"
    is_plain = given.get("type", "") in PLAIN_TYPES and given.get("category") == "present"
    return is_plain and is_old and "[[" not in note.body and bool(passing.features(note.body))


def matrix(found: Sequence[LabelledNote]) -> np.ndarray:
    rows = ({**passing.features(note.text), "bias": 1.0} for note in found)
    return np.array([[row.get(name, 0.0) for name in NAMES] for row in rows])


def fit(x: np.ndarray, truth: np.ndarray) -> np.ndarray:
    beta = np.zeros(len(NAMES))
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        bend = (x * (share * (1 - share))[:, None]).T @ x + RIDGE * np.eye(len(NAMES))
        step = np.linalg.solve(bend, x.T @ (share - truth) + RIDGE * beta)
        beta -= step * min(1.0, 2.0 / max(np.abs(step).max(), 1e-9))
    return beta


def out_of_fold(found: Sequence[LabelledNote], x: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """The score of each note by weights from other subjects, a mean over several ways to share these out."""
    subjects = sorted({note.subject for note in found})
    scores = np.zeros(len(found))
    for seed in range(SHUFFLES):
        fold = {
            subject: at % FOLDS for at, subject in enumerate(np.random.default_rng(seed).permutation(subjects))
        }
        own = np.array([fold[note.subject] for note in found])
        for at in range(FOLDS):
            scores[own == at] += x[own == at] @ fit(x[own != at], truth[own != at]) / SHUFFLES
    return scores


def calibrated(scores: np.ndarray, truth: np.ndarray) -> list[tuple[float, float]]:
    """Points (score, share that is right), rising, of the scores that may count."""
    order = [at for at in np.argsort(scores) if scores[at] > -2.5]
    pools: list[tuple[float, float, int]] = []
    for chunk in np.array_split(order, BINS):
        share = (truth[chunk].sum() + DOUBT / 2) / (len(chunk) + DOUBT)
        pools.append((float(scores[chunk].mean()), float(share), len(chunk)))
        join_falling(pools)
    return [(round(score, 1), round(share, 2)) for score, share, _ in pools]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the outcome into the table")
    parser.add_argument("--errors", action="store_true", help="list the mistakes, out of fold")
    options = parser.parse_args()
    found = [note for note in notes() if not days.recurs(note.text)]
    x, truth = matrix(found), np.array([float(note.passes) for note in found])
    scores = out_of_fold(found, x, truth)
    print(f"{len(found)} notes, {int(truth.sum())} of a moment; out of fold")
    for floor in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5):
        above = truth[scores >= floor]
        rates = f"precision {above.mean():.2f}, recall {above.sum() / truth.sum():.2f}"
        print(f"  score {floor:4.1f}: {len(above):3} found, {rates}")
    points = calibrated(scores, truth)
    print(points)
    if options.errors:
        for at in np.argsort(scores):
            if (scores[at] > -0.5) != bool(truth[at]):
                print(f"  {scores[at]:5.1f} {found[at].passes} {' '.join(found[at].text.split())[:120]}")
    if options.write:
        weights = dict(zip(NAMES, fit(x, truth).round(1).tolist(), strict=True))
        TARGET.write_text(rendered(weights, points), encoding="utf-8")


def rendered(weights: dict[str, float], points: Sequence[tuple[float, float]]) -> str:
    head = [line for line in TARGET.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    rows = [f"weight\t{name}\t{weight}" for name, weight in sorted(weights.items(), key=lambda row: -abs(row[1]))]
    return "\n".join([*head, *rows, *(f"curve\t{at}\t{sure}" for at, sure in points)]) + "\n"


if __name__ == "__main__":
    main()
