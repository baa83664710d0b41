"""The tools by which an agent reads what waits in the garden, and judges it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import repeat

from mdmem.errors import UsageError
from mdmem.garden import apply as gardening
from mdmem.garden import decisions, judging, verdicts
from mdmem.garden import plan as garden_plan
from mdmem.garden.gardeners.proposal import POSSIBLE, Proposal, diff
from mdmem.garden.judging import Judged, Said
from mdmem.mcp.visit import Visit
from mdmem.note import memory
from mdmem.recall import prompt
from mdmem.text.plural import counted
from mdmem.text.terminal import safe, safe_line

LIMIT = 10
_NOTES, _TEXT, _DIFF = 8, 1200, 1500  # notes, and characters of each and of a diff, that are shown


def garden(visit: Visit, topic: str = "", only: Sequence[str] = (), limit: int = LIMIT) -> str:
    """What waits for somebody who can read, the likeliest first; nothing is changed."""
    if unknown := [name for name in only if name not in garden_plan.GARDENERS]:
        raise UsageError(f"there is no gardener '{unknown[0]}'", f"there are {', '.join(garden_plan.GARDENERS)}")
    vault, wish = visit.vault, garden_plan.Wish(tuple(only), topic)
    settings = garden_plan.settings_of(vault.config)._replace(least=POSSIBLE)
    found = garden_plan.look(vault, settings, visit.who.now, wish)
    plan = garden_plan.choose(found, POSSIBLE, wish, decisions.load(vault))
    waiting = sorted((one for one in plan.proposals if not one.judged), key=lambda one: -one.confidence)
    shown = [_shown(visit, one) for one in waiting[:limit]]
    more = len(waiting) - len(shown)
    end = [f"{more} more: judge these, and ask again" if more > 0 else "that is all"] if waiting else []
    return "\n\n".join([*shown, *end]) or "nothing waits"


def _shown(visit: Visit, one: Proposal) -> str:
    about, _ = one.asks
    is_pair = about == "pair"
    head = f"## {one.id}: {one.gardener}, {one.confidence:.2f}\n{safe_line(one.title)}"
    lost = f"Would be lost: {safe_line(one.lost)}" if one.lost else ""
    paths = one.pair if is_pair else one.about or one.paths
    notes = [_note(visit, path, which) for path, which in zip(paths[:_NOTES], _names(is_pair), strict=False)]
    change = prompt.fenced(safe(diff(one.edits)[:_DIFF]), "diff")
    words = " | ".join(verdicts.OF_PAIRS if is_pair else verdicts.OF_OTHERS)
    return "\n\n".join(filter(None, [head, lost, *notes, change, f"Verdict: {words}"]))


def _names(is_pair: bool) -> Iterator[str]:
    yield from ("First", "Second") if is_pair else ()
    yield from repeat("Note")


def _note(visit: Visit, path: str, which: str) -> str:
    """A note as somebody who judges needs it: its name, date and actor, and its text, fenced as data."""
    note = memory.parse(visit.vault.shown(path), path)
    writer = judging.last_writer(visit.vault, path)
    by = f"last written by {writer}" if writer else "not committed"
    text = prompt.fenced(safe(note.body[:_TEXT]).strip("\n"), "markdown")
    return f"{which}: {safe_line(note.name)}, {note.created[:10] or 'no date'}, {safe_line(by)}\n\n{text}"


def judge(visit: Visit, items: Sequence[Mapping[str, str]]) -> str:
    """Take verdicts on what waits, many at once."""
    who = visit.who
    said = [Said(one["id"], one["verdict"], one.get("why", "")) for one in items]
    done = judging.judge(visit.vault, said, who, gardening.run_id(who.now, os.urandom(2).hex()))
    return "\n".join(_lines(done))


def _lines(done: Sequence[Judged]) -> Iterator[str]:
    for one in done:
        if one.commit:
            yield f"{one.said.id}: done (commit {one.commit[:8]})"
        elif one.waits:
            yield f"{one.said.id}: kept; a person decides, for these notes are not agents'"
        else:
            yield f"{one.said.id}: {one.why or 'kept'}"
    yield f"{counted(len(done), 'verdict')} taken"
