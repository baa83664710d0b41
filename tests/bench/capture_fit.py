"""Fits the weights by which capture judges a turn, and ingest a sentence, on the dev sets of tests/data.

    python -m tests.bench.capture_fit [--write] [--folds 5]

Logistic regression with a ridge, for whether a turn holds something, and one for each kind of what it holds. The
heaviest weights are kept, and fitted once more alone. Prints precision and recall out of fold: each subject judged
by weights from the others. So it does of sentences that tell a fact, which are labelled in facts_locomo.jsonl; the
sets of capture stand beside those, for other subjects and languages. `--write` puts the outcome into
mdmem/capture/data/worth.tsv. Held and fresh parts are not read.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

from mdmem.capture import utterances, worth
from mdmem.capture.turns import Turn
from mdmem.language import weighed
from mdmem.note import naming
from mdmem.systems.layers import dialog, extract
from tests.bench import facts, linear
from tests.bench.labelled_chats import PROJECT, SHARED, chats

SETS = (
    "judgement_chats",
    "capture_more",
    "capture_own",
    "capture_facts",
    "capture_wide",
    "capture_also",
    "capture_talk",
    "capture_plain",
)
NATURAL = (
    *SETS[:3],
    "capture_wide",
    "capture_talk",
    "capture_plain",
)  # whose share of turns that hold something is that of chats: it sets the confidence
TARGET = PROJECT / "mdmem/capture/data/worth.tsv"
KEPT, KEPT_OF_KINDS = 3_000, 900  # weights
OF_TURNS: dict[str, Any] = {"ridge": 5.0, "kept": KEPT, "rounds": 100}
OF_FACTS: dict[str, Any] = {"ridge": 4.0, "kept": KEPT, "rounds": 120}
FACTS = PROJECT / "tests/data/facts_locomo.jsonl"
BESIDE = 0.1  # how much a sentence of the sets of capture counts beside one of these
DAY = "2026-01-01"  # of dialogs; no weight depends on it
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


class LabelledSentence(NamedTuple):
    """A sentence: its conversation ("" in a set of capture), whether it tells a fact, and its features."""

    conversation: str
    tells: bool
    features: dict[str, float]


def sentences() -> Iterator[LabelledSentence]:
    """The labelled sentences of LoCoMo, as ingest reads them."""
    labels: dict[str, set[tuple[str, int]]] = defaultdict(set)
    for line in FACTS.read_text("utf-8").splitlines():
        row = json.loads(line)
        labels[row["conversation"]] |= {(row["turn"], at) for at in row["sentences"]}
    for name, tell in labels.items():
        conversation = json.loads((SHARED / f"eval/locomo_dev/{name}.json").read_text("utf-8"))
        for number, text in facts.sessions(conversation):
            told = facts.turns(conversation, number)
            for one in extract.statements(extract.spoken(dialog.read(text.encode(), "chat.txt")), DAY):
                place = told[one.turn.line - 1]["dia_id"], one.sentence.at
                yield LabelledSentence(name, place in tell, worth.features([one.heard], one.place))


def sentences_beside() -> Iterator[LabelledSentence]:
    """The statements of users in the sets of capture; of a turn that holds something the one that says it best."""
    for name in SETS:
        for rows in chats(name, "dev").values():
            turns = [Turn(row["speaker"], row["text"], at) for at, row in enumerate(rows)]
            told = [(turn, tuple(utterances.sentences(turn))) for turn in turns]
            for turn, stated in groupby(extract.statements(told, DAY), lambda one: one.turn):
                row = rows[turn.line]
                wanted = naming.telling(row.get("fact") or row["text"])
                ranked = sorted(stated, key=lambda one: -len(wanted & naming.telling(one.said)))
                for one in ranked[:1] if row["trigger"] else ranked:
                    yield LabelledSentence("", bool(row["trigger"]), worth.features([one.heard], one.place))


def out_of_fold(read: Sequence[LabelledTurn], folds: int) -> np.ndarray:
    """The score of each turn by weights from other subjects."""
    groups = sorted({turn.group for turn in read})
    order = np.random.default_rng(0).permutation(len(groups))
    places = {groups[at]: place % folds for place, at in enumerate(order)}
    fold = np.array([places[turn.group] for turn in read])
    matrix = linear.Matrix([turn.features for turn in read], weighed.LENGTH)
    truth = np.array([float(bool(turn.label)) for turn in read])
    return matrix.out_of_fold(truth, np.ones(len(read)), fold, **OF_TURNS)


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


def report_facts(told: Sequence[LabelledSentence]) -> tuple[float, float]:
    """Print how well each conversation is judged by weights from the others; returns what scales the scores."""
    matrix, truth, counts = _facts(told)
    names = np.array([one.conversation for one in told])
    scores = matrix.out_of_fold(truth, counts, names, **OF_FACTS)
    labelled = names != ""
    factor, shift = linear.calibration(scores[labelled], truth[labelled])
    print(f"facts: {labelled.sum()} sentences, {int(truth[labelled].sum())} tell one")
    for share in (0.2, 0.3, 0.4, 0.5, 0.6, 0.7):
        found = labelled & (factor * scores + shift >= math.log(share / (1 - share)))
        right = truth[found].sum()
        precision, recall = right / max(found.sum(), 1), right / truth[labelled].sum()
        print(f"  from {share:.2f}: precision {precision:.2f}, recall {recall:.2f}")
    return factor, shift


def _fact_lines(told: Sequence[LabelledSentence], scale: tuple[float, float]) -> Iterator[str]:
    matrix, truth, counts = _facts(told)
    yield from linear.lines(worth.TELLS, matrix.names, matrix.fit(truth, counts, **OF_FACTS).scaled(*scale))


def _facts(told: Sequence[LabelledSentence]) -> tuple[linear.Matrix, np.ndarray, np.ndarray]:
    """The sentences as rows, whether they tell a fact, and how much each counts."""
    matrix = linear.Matrix([one.features for one in told], weighed.LENGTH)
    counts = [1.0 if one.conversation else BESIDE for one in told]
    return matrix, np.array([float(one.tells) for one in told]), np.array(counts)


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
    scale = linear.calibration(scores[natural], truth)
    report(turns_judged, scores[natural] * scale[0] + scale[1])
    told = [*sentences(), *sentences_beside()]
    scale_of_facts = report_facts(told)
    if options.write:
        lines = [*_lines(read, scale), *_fact_lines(told, scale_of_facts)]
        TARGET.write_text(HEAD + "".join(sorted(lines)), encoding="utf-8")


def _lines(read: Sequence[LabelledTurn], scale: tuple[float, float]) -> Iterator[str]:
    matrix = linear.Matrix([turn.features for turn in read], weighed.LENGTH)
    truth = np.array([float(bool(turn.label)) for turn in read])
    model = matrix.fit(truth, np.ones(len(read)), **OF_TURNS)
    yield from linear.lines("worth", matrix.names, model.scaled(*scale))
    held = [turn for turn in read if turn.label]
    rows = [{name: much for name, much in turn.features.items() if not name.startswith("c_")} for turn in held]
    matrix = linear.Matrix(rows, weighed.LENGTH)
    for kind in worth.KINDS:
        truth = np.array([float(turn.label == kind) for turn in held])
        model = matrix.fit(truth, np.ones(len(held)), **OF_TURNS | {"kept": KEPT_OF_KINDS // len(worth.KINDS)})
        yield from linear.lines(kind, matrix.names, model)


if __name__ == "__main__":
    main()
