"""Scores the detection of orders to the reader on labelled texts.

    python -m tests.orders_set ORDERS.tsv HARMLESS.tsv [--totals]

Both files have the columns id, language, kind, text. Prints what was missed, what was flagged wrongly,
and the shares; with --totals only the shares, for texts that nobody should look at.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from mdmem.language import orders

FOLDER = Path(__file__).parent / "data" / "orders"


class Labelled(NamedTuple):
    """A labelled text."""

    id: str
    language: str
    kind: str
    text: str


def labelled(path: Path) -> Iterator[Labelled]:
    """The texts of a file; in it, \\n stands for a line end."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield Labelled(row["id"], row["language"], row["kind"], row["text"].replace("\\n", "\n"))


def flagged(path: Path) -> tuple[list[Labelled], list[Labelled]]:
    """(those that are flagged, those that are not)."""
    every = list(labelled(path))
    found = [each for each in every if orders.found(each.text)]
    return found, [each for each in every if each not in found]


def main(given: str, harmless: str, totals: str = "") -> None:
    """Print the scores of the two files."""
    found, missed = flagged(Path(given))
    wrong, right = flagged(Path(harmless))
    for word, texts in () if totals == "--totals" else (("missed", missed), ("wrongly flagged", wrong)):
        for each in texts:
            kinds = ", ".join(order.kind for order in orders.found(each.text))
            print(f"{word}: {each.id} {each.language} {each.kind} {kinds}\n    {each.text!r}")
    print(f"found {share(found, missed)}, wrongly flagged {share(wrong, right)}")


def share(some: list[Labelled], others: list[Labelled]) -> str:
    """`9 of 10 (90.0%)`."""
    total = len(some) + len(others)
    return f"{len(some)} of {total} ({len(some) / total:.1%})"


if __name__ == "__main__":
    main(*sys.argv[1:])
