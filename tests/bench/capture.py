"""How well the trigger rules of capture find what is worth a memory, on labelled turns.

    python tests/bench/capture.py [--shared ../shared] [--misses]

The labels lie in tests/data, which says how they were made; the texts of LoCoMo are read in eval/ of the shared
folder. A turn is found if any trigger fires in it; `typed` are those where the surest is the labelled one.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from mdmem.capture import triggers
from tests.bench import labelled_chats as labelled

SETS = ("own", "facts", "locomo", "talk", "plain")


def judged(name: str, part: str, shared: Path = labelled.SHARED) -> list[labelled.Judged]:
    """The turns of a part ("dev" or "held") of a set with what capture finds in them."""
    chats = labelled.chats(f"capture_{name}", part, shared)
    return [turn for rows in chats.values() for turn in labelled.judged(rows)]


def score(name: str, part: str, shared: Path = labelled.SHARED) -> labelled.Agreement:
    """How far capture agrees with the labels of a part of a set."""
    return labelled.agreement(judged(name, part, shared), triggers.MIN_CONFIDENCE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=labelled.SHARED)
    parser.add_argument("--misses", action="store_true", help="print what was missed or found wrongly in dev")
    options = parser.parse_args()
    print("set      part  turns labels found precision recall typed")
    for name in SETS:
        for part in ("dev", "held"):
            got = score(name, part, options.shared)
            print(
                f"{name:8} {part:5} {got.turns:5} {got.labelled:6} {got.found:5}"
                f" {got.precision:9.3f} {got.recall:6.3f} {got.typed:5}"
            )
            if options.misses and part == "dev":
                labelled.print_errors(judged(name, part, options.shared), triggers.MIN_CONFIDENCE)


if __name__ == "__main__":
    main()
