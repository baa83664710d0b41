"""curation.md of a topic: the scores that people give its facts, one verdict per line, the newest last.

    - 04bfc468b131e204: 8 (ana, 2026-02-08T14:05:00Z) Ana lives in Lisbon

The id of the fact and its score (0-10) are required; author and time, and a note, may follow. Lines are only ever
appended, by mdmem or by hand. If several lines score the same fact, the last one counts. `read` and `render` are
inverses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from mdmem.errors import Problem
from mdmem.note import blocks, moments, terminal
from mdmem.note.facts import HIGHEST_SCORE
from mdmem.store import layout
from mdmem.store.config import VaultConfig

HEAD = (
    "# Scores\n\n"
    "What the facts of this topic are worth, from 0 (wrong: leave it out) to 10 (never forget it). The last line\n"
    "about a fact holds; `mdmem facts` shows the ids.\n"
)
_LINE = re.compile(
    r"(?P<id>[0-9a-f]{16})[:,\s]\s*(?P<score>\d{1,3})"
    r"(?:\s+\((?P<who>[^()]*), (?P<when>[^(),]*)\))?(?:\s+(?P<note>\S.*))?"
)
_BULLET = re.compile(r"[-*+]\s+")
_FIX = "write it as `- 04bfc468b131e204: 8`, the id of a fact that `mdmem facts` shows and a score from 0 to 10"


class Verdict(NamedTuple):
    """The score that somebody gave a fact.

    `score` is 0-10. `who` may be "", `when` is RFC 3339 UTC or "". `line` is 1-based in curation.md, or 0 if the
    verdict is not written yet.
    """

    fact_id: str
    score: int
    who: str = ""
    when: str = ""
    note: str = ""
    line: int = 0


def read(data: bytes | None, path: str) -> tuple[list[Verdict], list[Problem]]:
    """The verdicts in a curation.md, in file order, and a problem for each bullet that is ignored.

    `data` are its bytes, None if there is none.
    """
    verdicts: list[Verdict] = []
    problems: list[Problem] = []
    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    for number, line in blocks.prose_lines(text):
        bullet = _BULLET.match(line)
        if bullet is None:
            continue
        match = _LINE.fullmatch(line[bullet.end() :].strip())
        if match is None:
            problems.append(_problem(path, number, "is not the score of a fact"))
        elif int(match["score"]) > HIGHEST_SCORE:
            problems.append(_problem(path, number, f"has the score {match['score']}, over {HIGHEST_SCORE}"))
        else:
            verdicts.append(_verdict(match, number))
    return verdicts, problems


def render(verdict: Verdict) -> str:
    """A verdict as a line of curation.md, newline included."""
    who = _one_line(re.sub(r"[()]", "", verdict.who))
    source = f" ({who}, {verdict.when})" if who or verdict.when else ""
    note = _one_line(verdict.note)
    return f"- {verdict.fact_id}: {verdict.score}{source}{' ' + note if note else ''}\n"


def latest(verdicts: Iterable[Verdict]) -> dict[str, Verdict]:
    """fact id -> the last verdict on that fact."""
    return {verdict.fact_id: verdict for verdict in verdicts}


def _verdict(match: re.Match[str], line: int) -> Verdict:
    """The verdict on a matched line. Parentheses without a valid time in them are the beginning of the note."""
    when = moments.normal(match["when"] or "")
    note = match["note"] or ""
    if match["when"] and not when:
        note = f"({match['who']}, {match['when']}) {note}".strip()
    who = match["who"] or "" if when else ""
    return Verdict(match["id"], int(match["score"]), who.strip(), when, note, line)


def _problem(path: str, line: int, message: str) -> Problem:
    return Problem("curation", path, line, f"{message}; it changes nothing", _FIX, "warning")


def _one_line(text: str) -> str:
    return " ".join(terminal.safe_line(text).split())


# -- the file ----------------------------------------------------------------------------------------------


def path(topic: str, config: VaultConfig) -> str:
    """The path of a topic's curation.md, relative to the vault."""
    return f"{config.topics}/{topic}/{layout.CURATION}"


def appended(before: bytes | None, verdict: Verdict) -> bytes:
    """A curation.md with a verdict added; its existing bytes stay. `before` is None for a new file."""
    text = before or f"{HEAD}\n".encode()
    return text + (b"" if text.endswith(b"\n") else b"\n") + render(verdict).encode()


def retired(before: bytes | None, fact_id: str, why: str, when: str) -> bytes:
    """A curation.md with a fact scored 0 (wrong): see `store.registry.Retirement`."""
    return appended(before, Verdict(fact_id, 0, "gardener", when, why))
