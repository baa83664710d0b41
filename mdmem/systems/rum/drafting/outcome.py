"""Derives a work's outcome from the end of its session. Unknown success does not count as success.

Success is known from a check that ran after the last change, or from what a person said after it. What the agent
says about its own work does not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from mdmem.capture.turns import Deed, Turn
from mdmem.note import tsv
from mdmem.systems.rum.drafting.actions import beginning, changes, first_error, shortened
from mdmem.systems.rum.drafting.tools import command_of
from mdmem.systems.rum.schema import Record

UNKNOWN = "no check ran after the last change, and nobody said whether it works"
_OF_CHECK = {
    type: (category, re.compile(rf"(?<![\w./-])(?:{words})(?![\w-])"))
    for type, category, words in tsv.rows(__file__, "checks.tsv", 3)
}
_NO_PROSE = ("#", "```", "|")  # how paragraphs begin that are not prose
_PRAISE = re.compile(r"\b(?:works|working now|perfect|great|thanks|thank you|looks good|lgtm|well done)\b", re.I)
_BLAME = re.compile(
    r"\b(?:still (?:fails|broken|wrong|not|the same)|does(?:n't| not) (?:work|help|pass|compile|run)|not working"
    r"|wrong|broken|fails|failing|revert|undo)\b",
    re.I,
)


class SessionVerdict(NamedTuple):
    """Whether a session succeeded (None if unknown), why, and the check that shows it (None if no check does)."""

    success: bool | None
    why: str = ""
    check: Record | None = None


def drafted(turns: Sequence[Turn], deeds: Sequence[Deed], given: bool | None = None) -> Record:
    """The outcome of a session, without a summary if the agent said nothing; `given` is a person's verdict."""
    verdict = judged(turns, deeds)
    success = verdict.success if given is None else given
    outcome: Record = {"success": success is True}
    if said := summary(turns):
        outcome["summary"] = said if success is not None else f"Not known whether it succeeded. {said}"
    if success is None:
        outcome["failure_reason"] = f"not known: {UNKNOWN}"
    if success is False and verdict.success is False:
        outcome["failure_reason"] = verdict.why
    if verdict.check and verdict.success is success:
        outcome["verified_by"] = verdict.check
        if success is False:
            outcome["failure_category"] = _OF_CHECK[verdict.check["type"]][0]
    return outcome


def summary(turns: Sequence[Turn]) -> str:
    """The first paragraph of prose in the last message of the agent, "" if it said nothing."""
    last = next((turn.text for turn in reversed(turns) if turn.speaker == "assistant" and turn.text.strip()), "")
    parts = [part.strip() for part in last.split("\n\n")]
    return beginning(next((part for part in parts if part and not part.startswith(_NO_PROSE)), ""))


def judged(turns: Sequence[Turn], deeds: Sequence[Deed]) -> SessionVerdict:
    """Whether the work succeeded, as far as the session shows; what a person said last comes first."""
    last = max((at for at, deed in enumerate(deeds) if changes(deed)), default=-1)
    word = _word_of_user(turns[deeds[last].turn :]) if deeds else SessionVerdict(None)
    return word if word.success is not None else _checked(deeds[last + 1 :])


def _word_of_user(turns: Sequence[Turn]) -> SessionVerdict:
    """The verdict in a person's last message; none if it is a question, or both praises and blames."""
    said = next((turn.text for turn in reversed(turns) if turn.speaker == "user"), "")
    praises, blames = bool(_PRAISE.search(said)), bool(_BLAME.search(said))
    if praises == blames or said.rstrip().endswith("?"):
        return SessionVerdict(None)
    return SessionVerdict(praises, f"the user said: {shortened(said)}")


def _checked(deeds: Sequence[Deed]) -> SessionVerdict:
    """The verdict of the checks: the last run of each counts, and a failed one outweighs the others."""
    runs: dict[str, tuple[str, Deed]] = {}
    for deed in deeds:
        command = command_of(deed.arguments)
        if type := check_of(command, deed.failed is True):
            runs[command] = type, deed
    failed = [(type, deed) for type, deed in runs.values() if deed.failed]
    passed = [(type, deed) for type, deed in runs.values() if deed.failed is False and type != "lint"]
    for success, told in ((False, failed), (True, passed)):
        if told:
            type, deed = told[-1]
            command = shortened(command_of(deed.arguments))
            error = first_error(deed.result)
            result = "passed" if success else f"failed: {error}" if error else "failed"
            return SessionVerdict(
                success, f"{command} {result}", {"type": type, "command": command, "result": result}
            )
    return SessionVerdict(None)


def check_of(command: str, failed: bool) -> str:
    """The kind of check that a command runs; "" if none, or if its success is that of another program."""
    last = re.split(r";|\n", command.strip().rstrip(";"))[-1]
    told = command if failed else last
    if not failed and re.search(r"\|", last):
        return ""
    return next((type for type, (_, words) in _OF_CHECK.items() if words.search(told)), "")
