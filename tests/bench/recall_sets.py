"""Recall on short turns of dialogs (LoCoMo) and on long ones (BEAM): how good it is, and what each signal earns.

    python -m tests.bench.recall_sets SET ... [--ablate] [--vectors DIR]

Each SET is a folder that `../shared/eval/make_vault.py` made (`vault` and `queries.jsonl`), or one of many such
folders, as `../shared/eval/beam.py` makes. Prints for each how many questions have one of the right notes among
the first five (hit@5), what share of the right notes is among the first ten (recall@10), and, of the questions
about a contradiction or an update, for how many both sides are there.

Then the weights of `recall.score` are fitted on all sets together, and printed beside those of the table. With
--ablate each signal is switched off in turn and the others are fitted anew, so that one that does not gain on one
kind of notes and hold on the other can go. These figures are those of the sum of the signals alone, before
repetitions move down and the list ends. With --vectors all is with the sentence model, whose vectors DIR keeps.
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

from mdmem.note import memory
from mdmem.recall import order, question
from mdmem.recall.gather import RecallContext
from mdmem.recall.meaning import Meaning
from mdmem.recall.models.sentence import MINILM
from mdmem.recall.pool import Pool
from mdmem.recall.score import WEIGHTS
from mdmem.store.index.catalogue import SqliteCatalogue
from tests.bench.proof import Asked

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FITTED = ("nearby", "session", "similar", "subject", "date", "when", "answer", "recent", "length", "meaning")
STEPS = (0.7, 1.4)
ROUNDS = 2
LINEAR = ("words", *(name for name in FITTED if name != "session"))
Weights = Mapping[str, float]


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

    `dialogs` has a number for each, -1 for none.
    """

    asked: Asked
    names: Sequence[str]
    signals: NDArray[np.float64]
    dialogs: NDArray[np.int64]

    def ranked(self, weights: Weights) -> list[str]:
        """The ten best names under other weights."""
        scores = self.signals @ np.array([weights[name] for name in LINEAR])
        inside = self.dialogs >= 0
        if inside.any():
            best = np.full(self.dialogs.max() + 1, -np.inf)
            np.maximum.at(best, self.dialogs[inside], scores[inside])
            scores = scores + np.where(inside, weights["session"] * (best[self.dialogs] - scores), 0.0)
        return [self.names[at] for at in np.argsort(-scores, kind="stable")[:10]]


class Opened(NamedTuple):
    """The index of a folder, in memory, what is asked of it, and its vectors, if there is a model."""

    catalogue: SqliteCatalogue
    asked: Sequence[Asked]
    likeness: Meaning | None

    @property
    def context(self) -> RecallContext:
        """What the answers depend on."""
        return RecallContext(NOW, likeness=self.likeness)


def opened(folder: Path, vectors: Path | None) -> Opened:
    """The index of one folder, in memory, and what is asked of it."""
    catalogue = SqliteCatalogue.in_memory()
    for path in sorted((folder / "vault").glob("*.md")):
        catalogue.insert(memory.parse(path.read_bytes(), f"allmemories/{path.name}"), "", "")
    rows = map(json.loads, (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines())
    asked = [
        Asked(row["question"], [frozenset(some) for some in row.get("groups", [row["gold"]])]) for row in rows
    ]
    likeness = None
    if vectors:
        (vectors / ".mdmem").mkdir(parents=True, exist_ok=True)
        likeness = Meaning(MINILM.load(), str(vectors), catalogue)
        likeness.embed()
    return Opened(catalogue, asked, likeness)


def vaults(folder: Path, vectors: Path | None) -> Iterator[Opened]:
    """The vault of a folder, or those of the folders in it."""
    if (folder / "queries.jsonl").exists():
        yield opened(folder, vectors)
    else:
        inside = [one for one in sorted(folder.iterdir()) if (one / "queries.jsonl").exists()]
        yield from (opened(one, vectors) for one in inside)


def told(vault: Opened, text: str) -> list[str]:
    """The files that recall answers with."""
    found = order.recall(vault.catalogue, [text], vault.context, 20)
    return [hit.record.path.rpartition("/")[2] for hit in found]


def measured(vault: Opened, asked: Asked) -> Measured:
    """The candidates of a question with their signals."""
    catalogue = vault.catalogue
    pool = Pool(catalogue, question.parse(asked.question, (), NOW.date()), vault.context)
    paths = sorted(pool.scores)
    texts = catalogue.texts(paths)
    dialogs = sorted({texts[path].dialog for path in paths} - {""})
    rows = [[pool.signals[path].get(name, 0.0) / WEIGHTS[name] for name in LINEAR] for path in paths]
    return Measured(
        asked=asked,
        names=[path.rpartition("/")[2] for path in paths],
        signals=np.array(rows, float).reshape(-1, len(LINEAR)),
        dialogs=np.array([dialogs.index(texts[path].dialog) if texts[path].dialog else -1 for path in paths], int),
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
    parser.add_argument("--vectors", type=Path, help="recall by meaning, too, with vectors that are kept there")
    given = parser.parse_args()
    opened_sets = [list(vaults(folder, given.vectors)) for folder in given.sets]
    print(" " * 20, " | ".join(folder.name for folder in given.sets))
    as_told = [
        scores([(asked, told(vault, asked.question)) for vault in some for asked in vault.asked])
        for some in opened_sets
    ]
    print("recall".ljust(20), " | ".join(map(str, as_told)), flush=True)
    sets = [[measured(vault, asked) for vault in some for asked in vault.asked] for some in opened_sets]
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
