"""The labelled chats that capture is measured and fitted on, and how what was found is scored against the labels.

tests/data/README.md says how each set was made. The texts of LoCoMo lie in eval/ of the shared folder.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.capture import findings, triggers
from mdmem.capture.findings import Finding
from mdmem.capture.turns import Conversation, Turn

PROJECT = Path(__file__).parents[2]
SHARED = PROJECT.parent / "shared"
DATA = PROJECT / "tests/data"
LINES = 1_000  # lines that a turn is given, so that a line tells its turn

Row = dict[str, Any]


class Agreement(NamedTuple):
    """Of some turns: how many there are, hold something, were found, were found rightly, and as what they are."""

    turns: int
    labelled: int
    found: int
    right: int
    typed: int = 0

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.labelled if self.labelled else 0.0


class Judged(NamedTuple):
    """A labelled turn and the surest finding in it, if any."""

    row: Row
    finding: Finding | None

    def found(self, floor: float) -> bool:
        """Whether something is found in the turn at this confidence (0-1)."""
        return self.finding is not None and self.finding.confidence >= floor

    @property
    def labelled(self) -> bool:
        return bool(self.row["trigger"])


def chats(name: str, part: str, shared: Path = SHARED) -> dict[str, list[Row]]:
    """The conversations of a part ("dev", "held", "fresh") of a set, each as its labelled turns with their texts.

    Raises FileNotFoundError where the texts are not there.
    """
    found: dict[str, list[Row]] = defaultdict(list)
    texts: dict[str, dict[str, str]] = {}
    for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        which = row["conversation"]
        if row["part"] != part:
            continue
        if "text" not in row:
            texts[which] = texts.get(which) or dict(_locomo(shared / f"eval/locomo_dev/{which}.json"))
            row |= {"text": texts[which][row["turn"]], "speaker": "user"}
        found[which].append(row)
    return found


def _locomo(path: Path) -> Iterator[tuple[str, str]]:
    for turns in json.loads(path.read_text("utf-8")).values():
        if isinstance(turns, list) and turns and isinstance(turns[0], dict) and "dia_id" in turns[0]:
            yield from ((turn["dia_id"], turn["text"]) for turn in turns)


def conversation(rows: Iterable[Row]) -> Conversation:
    turns = (Turn(row["speaker"], row["text"], at * LINES + 1) for at, row in enumerate(rows))
    return Conversation("", "", tuple(turns))


def judged(rows: list[Row]) -> list[Judged]:
    """The turns of a conversation with what capture finds in them."""
    surest: dict[int, Finding] = {}
    for finding in findings.find(conversation(rows)):
        at = finding.line // LINES
        if at not in surest or _rank(finding) < _rank(surest[at]):
            surest[at] = finding
    return [Judged(row, surest.get(at)) for at, row in enumerate(rows)]


def _rank(finding: Finding) -> tuple[float, int]:
    return -finding.confidence, triggers.TRIGGERS.index(finding.trigger)


def agreement(turns: Iterable[Judged], floor: float) -> Agreement:
    """How well these turns were judged at this confidence (0-1)."""
    listed = list(turns)
    found = [turn for turn in listed if turn.finding and turn.found(floor)]
    return Agreement(
        turns=len(listed),
        labelled=sum(turn.labelled for turn in listed),
        found=len(found),
        right=sum(turn.labelled for turn in found),
        typed=sum(turn.finding.trigger == turn.row["trigger"] for turn in found if turn.finding),
    )


def print_errors(turns: Iterable[Judged], floor: float) -> None:
    """Every turn that was missed or found wrongly."""
    for turn in turns:
        if turn.found(floor) != turn.labelled:
            row, got = turn.row, turn.finding
            said = f"{got.trigger} {got.confidence:.2f} ({got.why})" if got and turn.found(floor) else "nothing"
            kind = row["trigger"] or "nothing"
            print(f"  {row['conversation']} {row['turn']}: {kind}, found {said}: {row['text']}")
