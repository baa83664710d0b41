"""The tools by which an agent reads what waits for a verdict, and judges it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

from mdmem.acts.checks import queue
from mdmem.acts.checks.queue import CAPTURED, LIMIT, PROPOSAL, Waiting, Wanted
from mdmem.acts.signature import Opt
from mdmem.errors import MdmemError
from mdmem.garden.gardeners.proposal import POSSIBLE
from mdmem.garden.judging import Judged, Said
from mdmem.mcp import writing
from mdmem.mcp.visit import Visit
from mdmem.note.plural import counted
from mdmem.note.terminal import safe, safe_line
from mdmem.recall import prompt

_TEXT, _DIFF = 1200, 1500  # characters of a note and of a diff that are shown
KINDS = (CAPTURED, PROPOSAL)


class Verdict(NamedTuple):
    """What is said of one that waits."""

    id: Annotated[str, ""]
    verdict: Annotated[str, "As offered"]
    why: Annotated[str, "In a sentence"] = ""
    text: Annotated[str, "With same: one text for both, with every statement; with reword: what is kept"] = ""
    drops: Annotated[Sequence[str], "Statements it leaves out"] = ()


def garden(
    visit: Visit,
    topic: Annotated[str, ""] = "",
    only: Annotated[Sequence[str], "Gardeners, captured"] = (),
    limit: Annotated[int, Opt(least=1)] = LIMIT,
) -> str:
    """What waits in the memory for somebody who can read: notes that may say the same, replace each other or be
    over, and what was captured. Read it, then judge. Use it when asked to tidy the memory, or when status
    tells that many wait."""
    wanted = Wanted(tuple(only) or KINDS, topic, limit, POSSIBLE, open=True)
    waits = queue.waiting(visit.vault, visit.who, wanted)
    left = sum(waits.counts.values()) - len(waits.items)
    end = [f"{left} more: judge these, and ask again" if left else "that is all"] if waits.items else []
    return "\n\n".join([*(_shown(one) for one in waits.items), *end]) or "nothing waits"


def _shown(one: Waiting) -> str:
    head = f"## {safe_line(one.id)}: {safe_line(one.of)}, {one.sure:.2f}\n{safe_line(one.title)}"
    source = f"From {safe_line(one.by)}: {safe_line(one.why)}" if one.kind == CAPTURED else ""
    would = f"Would become {safe_line(one.would)}" if one.kind == CAPTURED else ""
    lost = f"Would be lost: {safe_line(one.lost)}" if one.lost else ""
    change = prompt.fenced(safe(one.change[:_DIFF]), "diff") if one.change else ""
    said = f"Verdict: {' | '.join(one.answers)}"
    return "\n\n".join(filter(None, [head, source, lost, *_texts(one), would, change, said]))


def _texts(one: Waiting) -> Iterator[str]:
    """What there is to read, each text fenced as data, below its name, date and writer."""
    for told in one.texts:
        name = f"{safe_line(told.name)}, " if told.name else ""
        by = f", last written by {safe_line(told.by)}" if told.by else ""
        text = prompt.fenced(safe(told.text[:_TEXT]).strip("\n"), "markdown")
        yield f"{told.which.capitalize()}: {name}{told.date[:10] or 'no date'}{by}\n\n{text}"


def judge(visit: Visit, items: Annotated[Sequence[Verdict], Opt(most=50)]) -> str:
    """Your verdicts on what garden listed, many at once. Those on people's notes and words wait for them."""
    said = [Said(one.id, one.verdict, one.why, one.text, tuple(one.drops)) for one in items]
    done = queue.judge(visit.vault, said, visit.who)
    if len(done) == 1 and done[0].fault:
        raise done[0].fault
    return "\n".join([*map(_line, done), f"{counted(sum(not one.fault for one in done), 'verdict')} taken"])


def _line(one: Judged) -> str:
    if one.fault:
        return f"{one.said.id}: not taken: {_told(one.fault)}"
    if one.commit:
        return f"{one.said.id}: done (commit {one.commit[:8]})" + "".join(map(writing.question, one.may_change))
    if one.waits:
        return f"{one.said.id}: kept; a person decides, for it is about what a person wrote or said"
    return f"{one.said.id}: {one.why or 'kept'}"


def _told(fault: MdmemError) -> str:
    return ": ".join(filter(None, [fault.message, fault.hint]))
