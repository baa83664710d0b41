"""How well the trigger rules of capture find what is worth a memory, on labelled turns.

    python tests/bench/capture.py [--shared ../shared] [--misses]

The labels lie in tests/data, which says how they were made; the texts of LoCoMo are read in eval/ of the shared
folder. A turn is found if any trigger fires in it; `typed` are those where the surest is the labelled one.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.capture import findings, triggers
from mdmem.capture.transcripts import Conversation, Turn

PROJECT = Path(__file__).parents[2]
LINES = 1_000  # lines that a turn is given, so that a line tells its turn


class Score(NamedTuple):
    """Of the turns of one part: how many, with how many labels, and what was found. Shares are 0-1."""

    turns: int
    labelled: int
    found: int
    right: int
    typed: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.labelled if self.labelled else 0.0


class Labelled(NamedTuple):
    speaker: str
    text: str
    trigger: str


def load(name: str, shared: Path) -> dict[str, dict[str, list[Labelled]]]:
    """part -> conversation -> its turns. Raises FileNotFoundError where the texts are not there."""
    parts: dict[str, dict[str, list[Labelled]]] = defaultdict(lambda: defaultdict(list))
    texts: dict[str, dict[str, str]] = {}
    for line in (PROJECT / "tests/data" / f"capture_{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        which = row["conversation"]
        if "text" not in row and which not in texts:
            texts[which] = dict(_locomo(json.loads((shared / f"eval/locomo_dev/{which}.json").read_text("utf-8"))))
        text = row["text"] if "text" in row else texts[which][row["turn"]]
        parts[row["part"]][which].append(Labelled(row.get("speaker", "user"), text, row["trigger"]))
    return parts


def _locomo(sessions: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for turns in sessions.values():
        if isinstance(turns, list) and turns and isinstance(turns[0], dict) and "dia_id" in turns[0]:
            yield from ((turn["dia_id"], turn["text"]) for turn in turns)


def score(conversations: dict[str, list[Labelled]], misses: bool = False) -> Score:
    """What capture finds in these conversations, against their labels."""
    total = [0, 0, 0, 0, 0]
    for name, labelled in conversations.items():
        turns = (Turn(one.speaker, one.text, at * LINES + 1) for at, one in enumerate(labelled))
        best: dict[int, findings.Finding] = {}
        for finding in findings.find(Conversation(name, "", tuple(turns))):
            at = finding.line // LINES
            if at not in best or _rank(finding) < _rank(best[at]):
                best[at] = finding
        for at, one in enumerate(labelled):
            got = best.get(at)
            hit = bool(got and one.trigger)
            for column, value in enumerate((True, one.trigger, got, hit, got and got.trigger == one.trigger)):
                total[column] += bool(value)
            if misses and bool(got) != bool(one.trigger):
                found = got.trigger if got else "none"
                print(f"  {name} {at + 1}: {one.trigger or 'none'}, found {found}: {one.text}")
    return Score(*total)


def _rank(finding: findings.Finding) -> tuple[float, int]:
    return -finding.confidence, triggers.TRIGGERS.index(finding.trigger)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shared", type=Path, default=PROJECT.parent / "shared")
    parser.add_argument("--misses", action="store_true", help="print what was missed or found wrongly in dev")
    options = parser.parse_args()
    print("set      part  turns labels found precision recall typed")
    for name in ("own", "facts", "locomo"):
        for part, conversations in load(name, options.shared).items():
            got = score(conversations, options.misses and part == "dev")
            print(
                f"{name:8} {part:5} {got.turns:5} {got.labelled:6} {got.found:5}"
                f" {got.precision:9.3f} {got.recall:6.3f} {got.typed:5}"
            )


if __name__ == "__main__":
    main()
