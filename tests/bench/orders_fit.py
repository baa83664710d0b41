"""Fits the weights by which orders to the model that reads a text are known.

    python -m tests.bench.orders_fit [--write] [--by id|kind|language] [--missed]

Reads the labelled texts of tests/data/orders, and as further harmless text chats, notes and the guides. Of a text
with an order, the sentence that looks most like one counts. Prints how many are found of texts, kinds or
languages that the weights were not fitted to, at the bound that flags few of the harmless. `--write` puts the
weights into mdmem/language/data/order_weights.tsv.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from mdmem.language import orders
from tests import orders_set
from tests.bench import linear
from tests.bench.labelled_chats import DATA, PROJECT

TARGET = PROJECT / "mdmem/language/data/order_weights.tsv"
HEAD = (
    "# Fitted by `python -m tests.bench.orders_fit --write`: beginning of features, their rests with hundredths.\n"
)
KEPT, RIDGE, LENGTH = 22_000, 0.2, 8.0
TURNS = 2  # how often the sentence that counts of each text is chosen
FOLDS = 5
STEP = 0.05  # weights are rounded to
HARMLESS = 0.012  # of harmless texts of kinds that were not seen may be flagged
CHATS = ("judgement_chats", "capture_more", "capture_own", "capture_facts", "capture_wide")
NOTES = ("judgement_notes", "judgement_more_notes", "judgement_natural_notes", "garden_notes")


class Example(NamedTuple):
    """A text: its kind, language, whether it is an order, and its windows."""

    id: str
    kind: str
    language: str
    order: bool
    windows: list[list[str]]


def windows(text: str) -> Iterator[list[str]]:
    """The features of each sentence of a text, and of each with the next: its names, and the pairs of classes."""
    said = [names for _, names in orders.sentences(text)]
    for names in [*said, *(one | two for one, two in pairwise(said))]:
        yield [*names, *orders.pairs(names)]


def examples() -> Iterator[Example]:
    for name in ("orders", "harmless"):
        for path in sorted(orders_set.FOLDER.glob(f"{name}*.tsv")):
            for text in orders_set.labelled(path):
                yield _example(text.id, text.kind, text.language, name == "orders", text.text)
    for name in (*CHATS, *NOTES):
        for number, line in enumerate((DATA / f"{name}.jsonl").read_text("utf-8").splitlines()):
            turn = json.loads(line)
            if turn.get("part", "dev") == "dev" and turn.get("speaker") in (None, "user"):
                said = turn.get("text") or turn["body"]
                yield _example(f"{name}:{number}", name, turn.get("lang", "en"), False, said)
    for path in sorted((PROJECT / "mdmem/guides").rglob("*.md")):
        for part in path.read_text("utf-8").split("\n\n"):
            if "instructions" not in part:
                yield _example(path.stem, "guides", "en", False, part)


def _example(name: str, kind: str, language: str, order: bool, text: str) -> Example:
    return Example(name, kind, language, order, [*windows(text)] or [[]])


class Texts:
    """The windows of texts as one matrix."""

    def __init__(self, every: Sequence[Example]) -> None:
        self.every = every
        self.matrix = linear.Matrix([dict.fromkeys(row, 1.0) for one in every for row in one.windows], LENGTH)
        self.starts = np.cumsum([0, *(len(one.windows) for one in every)])
        self.text = np.repeat(np.arange(len(every)), np.diff(self.starts))
        self.order = np.array([one.order for one in every])

    def best(self, model: linear.Model) -> np.ndarray:
        """The score of the window of each text that is most like an order."""
        return np.maximum.reduceat(self.matrix.scores(model), self.starts[:-1])

    def fitted(self, inside: np.ndarray) -> linear.Model:
        """A model of those texts; of each order, the window that is most like one counts."""
        sizes = np.diff(self.starts)[self.text]
        shares = np.where(self.order[self.text], 1 / sizes, 1 / np.sqrt(sizes))
        counts = inside[self.text]
        truth = self.order[self.text].astype(float)
        for turn in range(TURNS):
            model = self.matrix.fit(truth, counts * shares, RIDGE, KEPT if turn + 1 == TURNS else 0, evenly=True)
            scores = self.matrix.scores(model)
            chosen = scores >= np.maximum.reduceat(scores, self.starts[:-1])[self.text]
            shares = np.where(self.order[self.text], chosen, shares)
        return model

    def out_of_fold(self, by: str) -> np.ndarray:
        """The score of each text by a model of texts of other kinds, or languages."""
        of = [getattr(one, by) for one in self.every]
        groups = sorted(set(of))
        shuffled = np.random.default_rng(0).permutation(len(groups))
        places = {groups[at]: place % FOLDS for place, at in enumerate(shuffled)}
        fold = np.array([places[group] for group in of])
        best = np.zeros(len(of))
        for number in sorted(set(fold)):
            outside = fold == number
            best[outside] = self.best(self.fitted(~outside))[outside]
        return best


def bound_of(texts: Sequence[Example], best: np.ndarray) -> float:
    """The score above which the allowed share of the labelled harmless texts lies."""
    harmless = sorted(value for value, one in zip(best, texts, strict=True) if not one.order)
    return float(harmless[-1 - int(len(harmless) * HARMLESS)])


def report(texts: Sequence[Example], best: np.ndarray, bound: float, missed: bool) -> None:
    for by in ("language", "kind"):
        found: dict[tuple[bool, str], list[bool]] = defaultdict(list)
        for one, value in zip(texts, best, strict=True):
            found[one.order, getattr(one, by)].append(bool(value > bound))
            found[one.order, "all"].append(bool(value > bound))
        for (order, name), hits in sorted(found.items()):
            if order or any(hits) or name == "all":
                print(f"{'order' if order else 'harmless'} {name}: {sum(hits)}/{len(hits)} {np.mean(hits):.1%}")
    for one, value in sorted(zip(texts, best, strict=True), key=lambda pair: pair[1]) if missed else ():
        if one.order != (value > bound):
            print(f"{value - bound:+.2f} {one.id} {one.kind} {one.language}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--by", choices=["id", "kind", "language"], default="kind")
    parser.add_argument("--missed", action="store_true", help="show what was missed and flagged wrongly")
    options = parser.parse_args()
    every = [*examples()]
    texts = Texts(every)
    best = texts.out_of_fold(options.by)
    bound = bound_of(every, best)
    print(f"{len(every)} texts; bound {bound:.2f}")
    report(every, best, bound, options.missed)
    if options.write:
        model = texts.fitted(np.ones(len(every)))
        weights = {"=": round((model.bias - bound) * 100)}
        for name, weight in zip(texts.matrix.names, model.weights.tolist(), strict=True):
            weights[name] = round(weight * LENGTH / STEP) * round(STEP * 100)
        write(weights)


def write(weights: dict[str, int]) -> None:
    """Write the weights that are not 0, in hundredths, a row for each beginning of names."""
    rows = defaultdict[str, list[str]](list)
    for name, weight in sorted(weights.items()):
        if weight:
            rows[name[: orders.START]].append(f"|{name[orders.START :]}:{weight}")
    lines = [f"{start}\t{''.join(told)}\n" for start, told in rows.items()]
    TARGET.write_text(HEAD + "".join(lines), encoding="utf-8")
    print(f"{sum(map(len, rows.values()))} weights")


if __name__ == "__main__":
    main()
