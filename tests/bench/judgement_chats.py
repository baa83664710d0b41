"""How far `mdmem capture` agrees with a careful reader of chats: precision, recall, calibration, and its notes.

    python tests/bench/judgement_chats.py [--errors] [--fresh]

The chats lie in tests/data/judgement_chats.jsonl. A turn is found if anything is proposed from it, and counts
once, with its surest proposal. Rules are written against `dev`; of `held` only totals are printed, never a turn.
So it is with `fresh` (judgement_fresh_chats.jsonl), whose totals are printed alone and only if `--fresh` asks for
them: when the work on rules is done, and not while it goes on.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))
from mdmem.note.titles import of_text
from tests.bench import labelled_chats as labelled
from tests.bench.labelled_chats import Judged, agreement

REVIEW = 0.5  # the confidence from which on proposals are shown for review
SURE = 0.8
BANDS = ((0.5, 0.6), (0.6, 0.7), (0.7, 0.8), (0.8, 0.9), (0.9, 1.01))
FIRST_PERSON = {
    "en": {"i", "i'm", "me", "my", "we", "our", "us"},
    "de": {"ich", "mich", "mir", "mein", "meine", "wir", "uns", "unser", "unsere"},
    "es": {"yo", "mi", "mis", "me", "nosotros", "nuestro", "nuestra"},
    "fr": {"je", "mon", "ma", "mes", "me", "nous", "notre", "nos"},
}


def judged(part: str) -> list[Judged]:
    """Every turn of a part ("dev", "held" or "fresh") with what capture makes of it."""
    name = "judgement_fresh_chats" if part == "fresh" else "judgement_chats"
    return [turn for rows in labelled.chats(name, part).values() for turn in labelled.judged(rows)]


def says_i(text: str, lang: str) -> bool:
    """Whether a text speaks in the first person, in its language."""
    return not FIRST_PERSON[lang].isdisjoint(re.findall(r"[\w']+", text.lower()))


POINTS = re.compile(
    r"^(?:it|that|this|those|these|they|he|she|them"
    r"|er|sie|es|das|il(?! (?:y|faut))|elle|ils|elles|ça|cela|él|ella|eso)\b"
    r"(?! \w+ (?:is|are)\b)",
    re.I,
)
WHOLE = re.compile(
    r"[.,;:!?)…–—-]|$|\s(?:because|but|which|while|until|unless|although|though|weil|denn|aber|damit|obwohl|sondern"
    r"|porque|pero|aunque|parce|mais|quand|donc|[–—-])\b",
    re.I,
)


class Faults(NamedTuple):
    """Of some notes: how many there are, and how many do not stand alone."""

    notes: int
    first_person: int
    dangling: int  # the title begins with a pronoun
    broken_off: int  # the title ends within a clause


def faults(turns: Iterable[Judged]) -> Faults:
    """What keeps the notes that are found in turns from being understood alone, right or not."""
    notes = [(turn.finding, turn.row["lang"]) for turn in turns if turn.finding]
    return Faults(
        notes=len(notes),
        first_person=sum(says_i(f"{of_text(note.body)} {note.body}", lang) for note, lang in notes),
        dangling=sum(bool(POINTS.match(of_text(note.body))) for note, _ in notes),
        broken_off=sum(is_broken_off(of_text(note.body), note.body) for note, _ in notes),
    )


def is_broken_off(title: str, body: str) -> bool:
    """Whether a title ends where its text goes on within a clause."""
    end = title[-12:].lower()
    text = " ".join(body.lower().split())
    at = text.find(end)
    return len(title) >= _LONG_TITLE and at >= 0 and not WHOLE.match(text, at + len(end))


_LONG_TITLE = 50  # characters; a shorter one was not cut


def _words(text: str) -> set[str]:
    users = {"user", "users", "nutzer", "nutzers", "usuario", "utilisateur"}
    return set(re.findall(r"\w{4,}", text.lower())) - users


def _print_agreement(part: str, turns: list[Judged]) -> None:
    print("part  floor  turns labels found right precision recall")
    for floor in (REVIEW, SURE):
        got = agreement(turns, floor)
        print(
            f"{part:5} {floor:5.2f} {got.turns:6} {got.labelled:6} {got.found:5} {got.right:5}"
            f" {got.precision:9.3f} {got.recall:6.3f}"
        )


def _print_calibration(turns: list[Judged]) -> None:
    print("confidence  found right share")
    for low, high in BANDS:
        band = agreement((turn for turn in turns if turn.found(low) and not turn.found(high)), low)
        share = f"{band.precision:.2f}" if band.found else "-"
        print(f"{low:.1f} - {min(high, 1):.1f} {band.found:8} {band.right:5} {share:>5}")


def _print_notes(turns: list[Judged]) -> None:
    """Of what was found rightly: how much of the labelled note it holds, and whether it says "I"."""
    shares, first = [], 0
    for turn in turns:
        if turn.finding and turn.labelled:
            text = f"{of_text(turn.finding.body)} {turn.finding.body}"
            wanted = _words(turn.row["fact"])
            shares.append(len(wanted & _words(text)) / len(wanted))
            first += says_i(text, turn.row["lang"])
    mean = sum(shares) / len(shares) if shares else 0.0
    print(f"{len(shares)} right: {mean:.2f} of the words of the label's note, {first} with a first person")
    print(f"all notes: {faults(turns)}\n")


def _print_by(turns: list[Judged], field: str) -> None:
    print(f"\ndev by {field:9} labels found right")
    for value in sorted({turn.row[field] for turn in turns}):
        got = agreement((turn for turn in turns if turn.row[field] == value), REVIEW)
        print(f"{value or 'nothing':16} {got.labelled:6} {got.found:5} {got.right:5}")


def _print_part(part: str, turns: list[Judged]) -> None:
    _print_agreement(part, turns)
    _print_calibration(turns)
    _print_notes(turns)


def main(parts: Iterable[str] = ("dev", "held")) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--errors", action="store_true", help="print what was missed or found wrongly in dev")
    parser.add_argument("--dev", action="store_true", help="only the half that rules are written against")
    parser.add_argument("--fresh", action="store_true", help="only the totals of the part that no rule has seen")
    options = parser.parse_args()
    if options.fresh:
        _print_part("fresh", judged("fresh"))
        return
    for part in ("dev",) if options.dev else parts:
        _print_part(part, judged(part))
    dev = judged("dev")
    for field in ("trigger", "voice", "lang"):
        _print_by(dev, field)
    if options.errors:
        labelled.print_errors(dev, REVIEW)


if __name__ == "__main__":
    main()
