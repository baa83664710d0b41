"""Recall on short turns of dialogs (LoCoMo) and on long ones (BEAM): how good it is, and what each signal earns.

    python -m tests.bench.recall_sets SET ... [--ablate]

Each SET is a folder that `../shared/eval/make_vault.py` made (`vault` and `queries.jsonl`), or one of many such
folders, as `../shared/eval/beam.py` makes. Prints for each how many questions have one of the right notes among
the first five (hit@5), what share of the right notes is among the first ten (recall@10), and, of the questions
about a contradiction or an update, for how many both sides are there.

Then the weights of `recall.score` are fitted on all sets together, and printed beside those of the table. With
--ablate each signal is switched off in turn and the others are fitted anew, so that one that does not gain on one
kind of notes and hold on the other can go. These figures are those of the sum of the signals alone, before
repetitions move down and the list ends.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mdmem.index.catalogue import SqliteCatalogue
from mdmem.note import memory
from mdmem.recall import order, question
from mdmem.recall.gather import RecallContext
from mdmem.recall.pool import BESIDE_SHARE, Pool
from mdmem.recall.score import WEIGHTS

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FITTED = ("nearby", "session", "similar", "subject", "date", "when", "answer", "recent")
STEPS = (0.7, 1.4)
ROUNDS = 2
LINEAR = ("words", *(name for name in FITTED if name != "session"))
Weights = Mapping[str, float]


class Asked(NamedTuple):
    """A question and the names of the notes that answer it, in groups of which each is one side."""

    question: str
    groups: Sequence[frozenset[str]]

    @property
    def gold(self) -> frozenset[str]:
        """All right notes."""
        return frozenset().union(*self.groups)


class Scores(NamedTuple):
    """Shares of 0-1; `both` is None if no question has two sides."""

    hit5: float
    recall10: float
    both: float | None

    def __str__(self) -> str:
        both = f" {self.both:.3f}" if self.both is not None else ""
        return f"{self.hit5:.3f} {self.recall10:.3f}{both}"


class Measured(NamedTuple):
    """The candidates of a question: their names, the LINEAR signals of each, and how they stand in dialogs.

    `dialogs` has a number for each, -1 for none; `beside` are pairs of a candidate and one right beside it.
    """

    asked: Asked
    names: Sequence[str]
    signals: NDArray[np.float64]
    dialogs: NDArray[np.int64]
    beside: NDArray[np.int64]

    def ranked(self, weights: Weights) -> list[str]:
        """The ten best names under other weights."""
        scores = self.signals @ np.array([weights[name] for name in LINEAR])
        inside = self.dialogs >= 0
        if inside.any():
            best = np.full(self.dialogs.max() + 1, -np.inf)
            np.maximum.at(best, self.dialogs[inside], scores[inside])
            nearer = np.where(inside, weights["session"] * (best[self.dialogs] - scores), 0.0)
            at, near = self.beside.T
            np.maximum.at(nearer, at, (BESIDE_SHARE if weights["session"] else 0.0) * (scores[near] - scores[at]))
            scores = scores + nearer
        return [self.names[at] for at in np.argsort(-scores, kind="stable")[:10]]


def opened(folder: Path) -> tuple[SqliteCatalogue, list[Asked]]:
    """The index of one folder, in memory, and what is asked of it."""
    catalogue = SqliteCatalogue.in_memory()
    for path in sorted((folder / "vault").glob("*.md")):
        catalogue.insert(memory.parse(path.read_bytes(), f"allmemories/{path.name}"), "", "")
    rows = map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    return catalogue, [
        Asked(row["question"], [frozenset(some) for some in row.get("groups", [row["gold"]])]) for row in rows
    ]


def vaults(folder: Path) -> Iterator[tuple[SqliteCatalogue, list[Asked]]]:
    """The vault of a folder, or those of the folders in it."""
    if (folder / "queries.jsonl").exists():
        yield opened(folder)
    else:
        yield from (opened(one) for one in sorted(folder.iterdir()) if (one / "queries.jsonl").exists())


def told(catalogue: SqliteCatalogue, text: str) -> list[str]:
    """The files that recall answers with."""
    found = order.recall(catalogue, [text], RecallContext(NOW), 20)
    return [hit.record.path.rpartition("/")[2] for hit in found]


def measured(catalogue: SqliteCatalogue, asked: Asked) -> Measured:
    """The candidates of a question with their signals."""
    pool = Pool.filled(catalogue, question.parse(asked.question, (), NOW.date()), RecallContext(NOW))
    paths = sorted(pool.scores)
    at = {path: number for number, path in enumerate(paths)}
    texts = catalogue.texts(paths)
    dialogs = sorted({texts[path].dialog for path in paths} - {""})
    beside = {path: pool.learned.beside.get(path) for path in paths}
    pairs = [(at[path], at[n]) for path, near in beside.items() if near for n in near.nearest if n in at]
    rows = [[pool.signals[path].get(name, 0.0) / WEIGHTS[name] for name in LINEAR] for path in paths]
    return Measured(
        asked=asked,
        names=[path.rpartition("/")[2] for path in paths],
        signals=np.array(rows, float).reshape(-1, len(LINEAR)),
        dialogs=np.array([dialogs.index(texts[path].dialog) if texts[path].dialog else -1 for path in paths], int),
        beside=np.array(pairs, int).reshape(-1, 2),
    )


def scores(answers: Sequence[tuple[Asked, Sequence[str]]]) -> Scores:
    """The scores of questions with the names that were ranked for them."""
    hits = [not asked.gold.isdisjoint(ranked[:5]) for asked, ranked in answers]
    recalls = [len(asked.gold.intersection(ranked[:10])) / len(asked.gold) for asked, ranked in answers]
    both = [
        all(not side.isdisjoint(ranked[:10]) for side in asked.groups)
        for asked, ranked in answers
        if len(asked.groups) > 1
    ]
    return Scores(_mean(hits), _mean(recalls), _mean(both) if both else None)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def under(sets: Sequence[Sequence[Measured]], weights: Weights) -> list[Scores]:
    """The scores of each set under some weights."""
    return [scores([(one.asked, one.ranked(weights)) for one in some]) for some in sets]


def worth(found: Sequence[Scores]) -> float:
    """What a fit makes as large as it can: hit@5 and, for half, recall@10, all sets alike."""
    return _mean([each.hit5 + each.recall10 / 2 for each in found])


def fitted(sets: Sequence[Sequence[Measured]], without: str = "") -> dict[str, float]:
    """The weights, each changed by STEPS as long as that helps; one of them is 0 if it is left out."""
    weights = dict(WEIGHTS) | ({without: 0.0} if without else {})
    best = worth(under(sets, weights))
    for _ in range(ROUNDS):
        before = best
        for name in FITTED:
            for step in STEPS:
                tried = weights | {name: weights[name] * step}
                if name != without and (found := worth(under(sets, tried))) > best + 1e-4:
                    weights, best = tried, found
        if best == before:
            break
    return weights


def main() -> None:
    """Print the scores of each set, and the weights that a fit gives; with --ablate those without each signal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--ablate", action="store_true")
    given = parser.parse_args()
    opened_sets = [list(vaults(folder)) for folder in given.sets]
    print(" " * 20, " | ".join(folder.name for folder in given.sets))
    as_told = [
        scores([(asked, told(catalogue, asked.question)) for catalogue, every in some for asked in every])
        for some in opened_sets
    ]
    print("recall".ljust(20), " | ".join(map(str, as_told)), flush=True)
    sets = [[measured(catalogue, asked) for catalogue, every in some for asked in every] for some in opened_sets]
    print("sum of signals".ljust(20), " | ".join(map(str, under(sets, WEIGHTS))), flush=True)
    for without in ("", *(FITTED if given.ablate else ())):
        weights = fitted(sets, without)
        print(
            f"no {without}".ljust(20) if without else "fitted".ljust(20),
            " | ".join(map(str, under(sets, weights))),
        )
        print(" " * 20, " ".join(f"{name} {weights[name]:.2f}" for name in FITTED), flush=True)


if __name__ == "__main__":
    main()
