"""How well the gardeners judge the second labelled set of notes: precision and recall on each part, with counts.

    python -m tests.bench.judgement [--wrong] [--set PART] [--model MODEL]

`--wrong` lists the mistakes on `dev`, the half that rules are written against. Those on the other parts are never
shown: whoever has read them can no longer report on them. `--set` prints the totals of one part alone, and
`--fresh`, `--unseen` and `--natural` are short for it; ask for these when the work on rules is done, and not while
it goes on. `--model` asks a sentence model, too (use, minilm).
"""

from __future__ import annotations

import argparse

from tests import garden_scores, garden_set
from tests.garden_scores import DEFAULT, KINDS
from tests.garden_set import Score

LEASTS = (DEFAULT, 0.5)  # confidences
HALVES = ("dev", "held")
OF_THEIR_OWN = ("fresh", "unseen", "natural")  # parts that are vaults of their own
SET_OF = {"dev": "judgement", "held": "judgement"} | {part: f"judgement_{part}" for part in OF_THEIR_OWN}


def row(kind: str, part: str, of: str) -> str:
    """One line of the table."""
    return f"  {kind:12}" + "     ".join(cell(garden_scores.score(kind, part, least, of)) for least in LEASTS)


def cell(score: Score) -> str:
    counts = f"{score.right:3} {len(score.wrong):3} {len(score.missed):3}"
    return f"{score.precision:5.2f} / {score.recall:4.2f}  {counts}"


def show(part: str) -> None:
    of = SET_OF[part]
    notes = sum(note.part == part for note in garden_set.notes(of))
    print(f"{part}, {notes} notes: precision / recall, right, wrong, missed; from {DEFAULT} and from {LEASTS[1]}")
    labels = garden_set.labels(of)
    for kind in KINDS:
        if labels[kind]:  # of a kind without labels, nothing is known of what is right
            print(row(kind, part, of))


def show_mistakes() -> None:
    """Those on dev, without wrong pairs that have one note on held."""
    dev = {note.name for note in garden_set.notes("judgement") if note.part == "dev"}
    for kind in KINDS:
        score = garden_scores.score(kind, "dev", LEASTS[-1])
        mistakes = [("wrong", names) for names in score.wrong] + [("missed", names) for names in score.missed]
        for what, names in mistakes:
            if dev.issuperset(names):
                print(f"{kind} {what}: {', '.join(names)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="list the mistakes on dev, from a confidence of 0.5")
    parser.add_argument("--set", dest="part", choices=SET_OF, help="only the totals of this part")
    for part in OF_THEIR_OWN:
        parser.add_argument(f"--{part}", dest="part", action="store_const", const=part, help=f"--set {part}")
    parser.add_argument("--model", default="", help="with candidates of a sentence model: use, minilm")
    given = parser.parse_args()
    garden_scores.WITH_MODEL = given.model
    for part in [given.part] if given.part else HALVES:
        show(part)
    if given.wrong:
        show_mistakes()


if __name__ == "__main__":
    main()
