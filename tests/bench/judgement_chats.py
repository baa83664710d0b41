"""How far `mdmem capture` agrees with a careful reader of chats: precision, recall and calibration.

    python tests/bench/judgement_chats.py [--errors]

The chats lie in tests/data/judgement_chats.jsonl; each is read as the command reads a transcript. A turn is found
if anything is proposed from it, and counts once, with its surest proposal. Rules are written against `dev`;
of `held` only totals are printed, never a turn.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.capture import proposals
from mdmem.capture.proposals import CaptureProposal
from mdmem.cli.capture import capture_command

CHATS = Path(__file__).parents[1] / "data/judgement_chats.jsonl"
REVIEW = 0.5  # the confidence from which on proposals are shown for review
BANDS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01))
FIRST_PERSON = {
    "en": {"i", "i'm", "me", "my", "we", "our", "us"},
    "de": {"ich", "mich", "mir", "mein", "meine", "wir", "uns", "unser", "unsere"},
    "es": {"yo", "mi", "mis", "me", "nosotros", "nuestro", "nuestra"},
    "fr": {"je", "mon", "ma", "mes", "me", "nous", "notre", "nos"},
}

Row = dict[str, Any]


class Judged(NamedTuple):
    """A labelled turn and the surest proposal that was made from it, if any."""

    row: Row
    proposal: CaptureProposal | None

    def found(self, floor: float) -> bool:
        """Whether something is proposed from the turn at this confidence (0-1)."""
        return self.proposal is not None and self.proposal.confidence >= floor

    @property
    def labelled(self) -> bool:
        return bool(self.row["trigger"])


class Agreement(NamedTuple):
    """Of some turns: how many there are, hold something, were found, and were found rightly."""

    turns: int
    labelled: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        return self.right / self.labelled if self.labelled else 0.0


def judged() -> list[Judged]:
    """Every turn of the set with what capture makes of it."""
    chats: dict[str, list[Row]] = defaultdict(list)
    for line in CHATS.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        chats[row["conversation"]].append(row)
    return [turn for rows in chats.values() for turn in _of_chat(rows)]


def _of_chat(rows: list[Row]) -> Iterable[Judged]:
    lines = [json.dumps({"role": row["speaker"], "content": row["text"]}) for row in rows]
    surest: dict[int, CaptureProposal] = {}
    for proposal in proposals.read("\n".join(lines), "chat.jsonl", REVIEW).proposals:
        known = surest.get(proposal.line)
        if known is None or proposal.confidence > known.confidence:
            surest[proposal.line] = proposal
    return [Judged(row, surest.get(row["turn"])) for row in rows]


def agreement(turns: Iterable[Judged], floor: float) -> Agreement:
    """How well these turns were judged at this confidence (0-1)."""
    listed = list(turns)
    found = [turn for turn in listed if turn.found(floor)]
    right = sum(turn.labelled for turn in found)
    return Agreement(len(listed), sum(turn.labelled for turn in listed), len(found), right)


def half(turns: list[Judged], part: str) -> list[Judged]:
    return [turn for turn in turns if turn.row["part"] == part]


def default_confidence() -> float:
    """What --min-confidence of the command is if nobody sets it."""
    option = next(option for option in capture_command.params if option.name == "min_confidence")
    return float(str(option.default))


def says_i(text: str, lang: str) -> bool:
    """Whether a text speaks in the first person, in its language."""
    return not FIRST_PERSON[lang].isdisjoint(re.findall(r"[\w']+", text.lower()))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w{4,}", text.lower())) - {
        "user",
        "users",
        "nutzer",
        "nutzers",
        "usuario",
        "utilisateur",
    }


def _print_agreement(turns: list[Judged]) -> None:
    print("part  floor  turns labels found right precision recall")
    for part in ("dev", "held"):
        for floor in sorted({REVIEW, default_confidence(), 0.8}):
            got = agreement(half(turns, part), floor)
            default = "  (the default)" if floor == default_confidence() else ""
            print(
                f"{part:5} {floor:5.2f} {got.turns:6} {got.labelled:6} {got.found:5} {got.right:5}"
                f" {got.precision:9.3f} {got.recall:6.3f}{default}"
            )


def _print_calibration(turns: list[Judged]) -> None:
    print("\nconfidence   dev found right share   held found right share")
    for low, high in BANDS:
        columns = []
        for part in ("dev", "held"):
            band = [turn for turn in half(turns, part) if turn.found(low) and not turn.found(high)]
            got = agreement(band, low)
            share = f"{got.precision:.2f}" if got.found else "-"
            columns.append(f"{got.found:9} {got.right:5} {share:>5}")
        print(f"{low:.1f} - {min(high, 1):.1f} {'  '.join(columns)}")


def _print_notes(turns: list[Judged]) -> None:
    """Of what was found rightly: how much of the labelled note it holds, and whether it says "I"."""
    print("\npart  right  words of the label's note  with a first person")
    for part in ("dev", "held"):
        shares, first = [], 0
        for turn in half(turns, part):
            if turn.proposal and turn.labelled:
                draft = turn.proposal.draft
                text = f"{draft.properties['title']} {draft.text}"
                wanted = _words(turn.row["fact"])
                shares.append(len(wanted & _words(text)) / len(wanted))
                first += says_i(text, turn.row["lang"])
        print(f"{part:5} {len(shares):5} {sum(shares) / len(shares) if shares else 0:26.2f} {first:20}")


def _print_by(turns: list[Judged], field: str) -> None:
    print(f"\ndev by {field:9} labels found right")
    for value in sorted({turn.row[field] for turn in turns}):
        got = agreement((turn for turn in turns if turn.row[field] == value), REVIEW)
        print(f"{value or 'nothing':16} {got.labelled:6} {got.found:5} {got.right:5}")


def _print_errors(turns: list[Judged]) -> None:
    for turn in turns:
        if turn.found(REVIEW) != turn.labelled:
            got = f"{turn.proposal.trigger} {turn.proposal.confidence:.2f}" if turn.proposal else "nothing"
            row = turn.row
            print(
                f"{row['conversation']} {row['turn']}: {row['trigger'] or 'nothing'}, found {got}: {row['text']}"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="print what was missed or found wrongly in dev")
    options = parser.parse_args()
    turns = judged()
    _print_agreement(turns)
    _print_calibration(turns)
    _print_notes(turns)
    dev = half(turns, "dev")
    for field in ("trigger", "voice", "lang"):
        _print_by(dev, field)
    if options.errors:
        _print_errors(dev)


if __name__ == "__main__":
    main()
