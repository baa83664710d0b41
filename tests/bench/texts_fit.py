"""Fits weights that judge short texts: whether one tells of a moment only, and what it says of a link.

    python -m tests.bench.texts_fit [--write]

Logistic regression with a ridge over `passing.features` and `replacement.features`, on the dev notes of the
labelled sets and the lines of moments.jsonl, replacements.jsonl and replacement_lines.tsv; of round 5 of the
replacements only the first half is read. Prints what is right and wrong out of fold; a factor and a shift fitted
on that make the scores log-odds. `--write` puts the outcome into the data of mdmem/language.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

import numpy as np

from mdmem.garden.gardeners.decay import PLAIN_TYPES
from mdmem.language import replacement, weighed
from mdmem.language.lapse import days, passing
from mdmem.language.replacement import HEIR, OLD
from mdmem.note import sentences, tsv
from tests import garden_set
from tests.bench import linear

LANGUAGE = Path(weighed.__file__).parent
MOMENTS, REPLACED = LANGUAGE / "lapse/data/moments.tsv", LANGUAGE / "data/replaced.tsv"
HEAD = "# Fitted by `python -m tests.bench.texts_fit --write`: what it speaks for, feature, weight.\n"
SETS = ("judgement", "judgement_more", "judgement_tidy")
OF_MOMENT = ("passing", "moment")  # why a note is pruned
ROUNDS, FOLDS = 100, 5
PASSES, CLAIMS = (3.0, 800), (2.0, 2000)  # ridge, and weights that are kept
BESIDE = ("{said}, see [[x]].", "{said} ([[x]]).", "See [[x]]. {said}.", "[[x]]: {said}.")  # ways to set a link
FRAGMENT = 0.1  # how much a piece of a note counts
WRITTEN, SET = 2.0, 0.3  # how much a line that was written to be read counts, and a link set beside a sentence
FIRST_HALF = 150  # of round 5


class LabelledText(NamedTuple):
    """A text: where it is from, what it speaks for ("" for nothing), its features, and how much it counts."""

    group: str
    label: str
    features: dict[str, float]
    counts: float = 1.0


def moments() -> Iterator[LabelledText]:
    """The notes of dev of which the rule is asked, without what has no worth for another reason."""
    for of in SETS:
        labels = {label["name"]: label for label in garden_set.labels(of)["prune"]}
        for note in garden_set.notes(of):
            label = labels.get(note.name, {"prune": False})
            if note.part != "dev" or (label["prune"] and label["why"] not in OF_MOMENT) or not is_asked(note):
                continue
            yield LabelledText(note.subject, "passes" * label["prune"], passing.features(note.body))
            yield from fragments(note)
    with (garden_set.DATA / "moments.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            given = json.loads(line)
            yield LabelledText(
                f"moments {number % FOLDS}", "passes" * given["passes"], passing.features(given["text"])
            )


def fragments(note: garden_set.Note) -> Iterator[LabelledText]:
    """The first words of a note, and none that anybody knows: so little tells nothing of a moment."""
    words = note.body.split()
    for text in (" ".join(words[:1]), " ".join(words[:3]), "\u044f" * len(note.body), "\u044f " * len(words)):
        yield LabelledText(note.subject, "", passing.features(text), FRAGMENT)


def is_asked(note: garden_set.Note) -> bool:
    """Whether a note is one that the rule looks at: plain, short, about the present, weeks old."""
    given = note.properties
    is_old = note.memory.meta["created"][:10] <= f"{garden_set.TODAY - timedelta(days=14):%Y-%m-%d}"
    is_plain = given.get("type", "") in PLAIN_TYPES and given.get("category") == "present"
    is_short = "[[" not in note.body and bool(passing.features(note.body))
    return is_plain and is_old and is_short and not days.recurs(note.body)


def replacements(first_half: bool = True) -> list[dict[str, str | bool | int]]:
    """The pairs of replacements.jsonl, or those of the half of round 5 that no weight is fitted on."""
    lines = (garden_set.DATA / "replacements.jsonl").read_text("utf-8").splitlines()
    pairs = [json.loads(line) for line in lines]
    before = [pair for pair in pairs if pair["round"] < 5]
    last = pairs[len(before) :]
    return before + last[:FIRST_HALF] if first_half else last[FIRST_HALF:]


def claims() -> Iterator[LabelledText]:
    """What stands beside links, and what it says of them."""
    for direction, text in tsv.rows(str(garden_set.DATA.parent / "x"), "replacement_lines.tsv", 2):
        told = beside(text, {"x": "" if direction == "no" else direction})
        yield from (one._replace(counts=WRITTEN) for one in told)
    for pair in replacements():
        yield from beside(str(pair["older"]), {"new": HEIR} if pair["replaced"] else {})
        yield from beside(str(pair["newer"]), {"old": OLD} if pair["replaced"] else {})
    whole: set[str] = set()
    for of in (*SETS, "judgement_wide"):
        pairs = {(label["older"], label["newer"]) for label in garden_set.labels(of)["deprecate"]}
        for note in garden_set.notes(of):
            if note.part == "dev":
                said = {old: OLD for old, new in pairs if new == note.name}
                yield from beside(note.body, said | {new: HEIR for old, new in pairs if old == note.name})
                whole |= {one.strip().rstrip(".!?") for one in sentences.split(note.body.replace("\n", " "))}
    rng = random.Random(1)
    for said in sorted(one for one in whole if 3 <= len(one.split()) <= 25 and "[[" not in one):
        yield from (one._replace(counts=SET) for one in beside(rng.choice(BESIDE).format(said=said), {}))


def beside(text: str, said: dict[str, str]) -> Iterator[LabelledText]:
    """The links of a text; `said` is target -> what the text says of it."""
    for target, _, sentence, told in replacement.linked(text):
        label = said.get(target.split("#")[0].split("|")[0], "")
        yield LabelledText(sentence, label, replacement.features(told))


def fitted(read: Sequence[LabelledText], what: str, ridge: float, kept: int, least: float = 0) -> Iterator[str]:
    """The lines of the weights that speak for something; what they find out of fold is printed.

    Texts that count for at least so much say how sure a score is.
    """
    matrix = linear.Matrix([one.features for one in read], weighed.LENGTH)
    truth = np.array([float(one.label == what) for one in read])
    counts = np.array([one.counts for one in read])
    folds = np.array([crc32(one.group.encode()) % FOLDS for one in read])
    scores = matrix.out_of_fold(truth, counts, folds, ridge=ridge, kept=kept, rounds=ROUNDS)
    whole = counts >= least
    factor, shift = linear.calibration(scores[whole], truth[whole], counts[whole])
    shares = 1 / (1 + np.exp(-(factor * scores + shift)))
    print(f"{what}: {int(truth.sum())} of {len(read)}; scores times {factor:.2f}, plus {shift:.2f}")
    for share in (0.5, 0.8):
        found = whole & (shares >= share)
        print(f"  from {share}: {int(truth[found].sum())} right, {int((1 - truth[found]).sum())} wrong")
    model = matrix.fit(truth, counts, ridge, kept, rounds=ROUNDS)
    yield from linear.lines(what, matrix.names, model.scaled(factor, shift))


def written(lines: Iterable[str]) -> str:
    return HEAD + "".join(sorted(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the outcome into the tables")
    options = parser.parse_args()
    passes = written(fitted([*moments()], "passes", *PASSES, least=1))
    links = [*claims()]
    replaced = written(line for what in (OLD, HEIR) for line in fitted(links, what, *CLAIMS))
    if options.write:
        MOMENTS.write_text(passes, encoding="utf-8")
        REPLACED.write_text(replaced, encoding="utf-8")


if __name__ == "__main__":
    main()
