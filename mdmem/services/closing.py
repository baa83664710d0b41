"""The end of a session: what it learnt becomes memories, one concept to a file, all in one commit (B9, B11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mdmem.core import candidates, concepts, moments
from mdmem.core.operation import Caller
from mdmem.errors import ConflictError, MdmemError, Problem
from mdmem.services import intake, proposals, session
from mdmem.services.intake import Draft, Remembered
from mdmem.store.sessions import Session
from mdmem.store.vault import Vault

_SUMMARY, _FUTURE = "the summary", "the Future gauge"
_SHORTEST = 12  # characters; less says no fact
_TASK = "Next task: "


class Learnt(NamedTuple):
    """What may become a memory: where it was said (a line, 0 for none), and the memory it would be."""

    source: str
    line: int
    draft: Draft

    @property
    def title(self) -> str:
        """What it is called before it has a file."""
        return self.draft.name or str(self.draft.properties.get("title") or self.draft.text.split("\n", 1)[0])


class Left(NamedTuple):
    """What becomes none, and why."""

    source: str
    line: int
    title: str
    reason: str


class Ending(NamedTuple):
    """What the end of a session writes and leaves out; `written` is empty until it is done."""

    session: Session
    learnt: tuple[Learnt, ...]
    left: tuple[Left, ...]
    problems: tuple[Problem, ...]
    written: tuple[Remembered, ...] = ()


def plan(vault: Vault, summary: str, who: Caller) -> Ending:
    """What the end of a session would write.

    Of `summary` each bullet and each paragraph is one memory, and each item of its [MEMORY_CANDIDATES] blocks;
    the Future gauge becomes one if it was noted. Raises NotFoundError if no session is open, ConflictError for
    one that has ended.
    """
    ending = session.meant(vault, who)
    if ending.ended:
        raise ConflictError(
            f"the session {ending.id} ended at {ending.ended}; nothing was written",
            f"mdmem session start --session {ending.id} opens it again; mdmem remember writes at any time",
        )
    learnt: list[Learnt] = []
    left: list[Left] = []
    blocks = proposals.plan(vault, summary, _SUMMARY) if candidates.outside(summary) != summary else None
    for item in [*_said(summary, ending), *(_taken(blocks) if blocks else ())]:
        reason = _objection(vault, item, learnt)
        if reason:
            left.append(Left(item.source, item.line, item.title, reason))
        else:
            learnt.append(item)
    for candidate, twin in blocks.twins if blocks else ():
        left.append(Left(_SUMMARY, candidate.line, candidate.name, _same_as(twin)))
    return Ending(ending, tuple(learnt), tuple(left), blocks.problems if blocks else ())


def end(vault: Vault, planned: Ending, who: Caller, reason: str = "") -> Ending:
    """Write it, in one commit, and end the session. Raises like `intake.remember_all`."""
    ending = planned.session
    who = who._replace(session=ending.id)
    drafts = [item.draft for item in planned.learnt]
    written = intake.remember_all(vault, drafts, who, reason) if drafts else []
    done = ending._replace(ended=moments.render(who.now), touched=moments.render(who.now))
    try:
        sessions = session.known(vault)
        with session.changing(sessions):
            sessions.save(done)
    except MdmemError as error:
        vault.tell(str(error))
    return planned._replace(session=done, written=tuple(written))


def _said(summary: str, ending: Session) -> Iterator[Learnt]:
    for concept in concepts.split(candidates.outside(summary)):
        yield Learnt(_SUMMARY, concept.line, Draft(concept.text, {"title": concept.title}))
    future = ending.noted.future.strip()
    if future:
        title = future if future.lower().startswith("next") else f"{_TASK}{future[:1].lower()}{future[1:]}"
        yield Learnt(_FUTURE, 0, Draft(f"{future}", {"title": title.rstrip("."), "category": "future"}))


def _taken(blocks: proposals.Plan) -> Iterator[Learnt]:
    for line, draft in blocks.drafts:
        yield Learnt(_SUMMARY, line, draft)


def _objection(vault: Vault, item: Learnt, before: list[Learnt]) -> str:
    """Why something becomes no memory, "" if it does.

    The title of a concept is only its first sentence: a memory of that title need not say the rest.
    """
    draft = item.draft
    if len(draft.text) < _SHORTEST and not draft.name:
        return "says too little"
    twins = intake.near_twins(vault, draft if item.source == _FUTURE else draft._replace(properties={}))
    if twins:
        return _same_as(twins[0])
    said = any(intake.likeness(draft.text, one.draft.text) >= intake.TWIN for one in before)
    return "is said twice" if said else ""


def _same_as(twin: intake.Twin) -> str:
    return f"{round(twin.score * 100)} % the same as {twin.record.name}"
