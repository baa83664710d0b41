"""The end of a session: what it learned becomes memories, one concept per file, all in one commit."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from mdmem.capture import candidates, concepts, intake, reading, triggers, weighing
from mdmem.capture import proposals as capture
from mdmem.capture.proposals import CaptureDecision, CaptureProposal
from mdmem.errors import ConflictError, NotFoundError, Problem
from mdmem.history.syncing import automatic
from mdmem.note import moments
from mdmem.note.yamltext import Value
from mdmem.recall import meaning
from mdmem.session import start as session
from mdmem.store import registry
from mdmem.store.local import usage
from mdmem.store.local.sessions import Session, Sessions
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault
from mdmem.write import guard, secrets
from mdmem.write.remember import Draft

SUMMARY, FUTURE = "summary", "future"  # sources of proposals, besides the triggers of a transcript
_SOURCES = {SUMMARY: "the summary", FUTURE: "the Future gauge"}
_SHORTEST = 12  # characters; a shorter text states no fact
_MOST = 1_000  # bullets and paragraphs of a summary
_TASK = "Next task: "
_MARKS = re.compile(r"(?:\s+(?:#[^\W\d][\w/-]*|type:\w+))+\s*\Z")  # at the end of a bullet


class Learnt(NamedTuple):
    """What a session leaves behind: a `summary`, and its transcript; "" for none.

    The transcript is a file at `path`, or the text `transcript` with the name `source`.
    """

    summary: str = ""
    transcript: str = ""
    source: str = ""
    path: str = ""

    @property
    def is_given(self) -> bool:
        """Whether there is a summary or a transcript."""
        return bool(self.summary or self.transcript or self.path)


class Ending(NamedTuple):
    """What the end of a session writes and leaves out, and why; `done` has what was written.

    `was_ended` is when the session had ended before it was reopened for this, "" if it was open. `offers` are
    other things that its transcript could become, each with the command for it.
    """

    session: Session
    decisions: tuple[CaptureDecision, ...]
    problems: tuple[Problem, ...]
    done: Written = Written((), "")
    learnt: Learnt = Learnt()
    was_ended: str = ""
    offers: tuple[str, ...] = ()

    @property
    def stays_open(self) -> bool:
        """Whether none of what was given is written, so that the session does not end with it."""
        wanted = any(decision.verdict in capture.WRITTEN for decision in self.decisions)
        return self.learnt.is_given and not wanted


def plan(vault: Vault, learnt: Learnt, who: Caller, reopens: bool = False) -> Ending:
    """What the end of a session would write.

    Each bullet and each paragraph of the summary is one memory, and so is each item of its [MEMORY_CANDIDATES]
    blocks. From the transcript come the findings of capture, except what the session was shown. The Future gauge
    becomes a memory if it was noted. If several say the same, the gauge counts most, then the summary. A session
    opens if its actor has none open. Raises NotFoundError if there is no such session and nothing is given,
    ConflictError for one that has ended, unless it `reopens`, and UsageError for a text that is not a transcript.
    """
    ending = _session_to_end(vault, who)
    if not learnt.is_given and Sessions(vault).get(ending.id) is None:
        raise _nothing_to_end(who, ending.actor)
    was_ended = ending.ended if reopens else ""
    _require_unchanged(ending, was_ended)
    heard, problems = _from_transcript(vault, learnt, ending, who.allow_secret)
    items, bad = _from_summary(vault, learnt.summary, who.allow_secret)
    leaks = {} if who.allow_secret else _leaks(vault, learnt.summary, items)
    fit = [item for item in items if item.line not in leaks]
    short = [item for item in fit if len(item.draft.text) < _SHORTEST and not item.draft.name]
    told = [*(item for item in fit if item not in short), *_task(ending)]
    kept = [decision.proposal for decision in heard if decision.verdict in capture.WRITTEN]
    decisions = [
        *(decision for decision in heard if decision.verdict not in capture.WRITTEN),
        *(weighing.hidden(item, leaks[item.line]) for item in items if item.line in leaks),
        *(CaptureDecision(item, "problem", "says too little") for item in short),
        *weighing.weigh(vault, _placed([*kept, *told], who), allow_secret=who.allow_secret),
    ]
    return Ending(
        ending,
        tuple(decisions),
        (*problems, *bad),
        learnt=learnt,
        was_ended=was_ended,
        offers=tuple(registry.offers(vault, learnt.path, ending.id)) if learnt.path else (),
    )


def _placed(proposals: Sequence[CaptureProposal], who: Caller) -> list[CaptureProposal]:
    return [one._replace(project=who.project or one.project) for one in proposals]


def end(vault: Vault, planned: Ending, who: Caller, reason: str = "") -> Ending:
    """Write what was planned, in one commit, and end the session, unless it `stays_open`.

    A memory that already says what the session learned is kept, which counts as use of it. If two callers end a
    session at once, only the first one does. If memories are found by meaning, missing vectors are made
    behind its back.
    Raises like `intake.remember_all`, and ConflictError for a session that has ended meanwhile.
    """
    ending, moment = planned.session, moments.render(who.now)
    ended = ending._replace(ended="" if planned.stays_open else moment, touched=moment)
    sessions = Sessions(vault)
    with session.changing(sessions):
        _require_unchanged(sessions.get(ending.id) or ending, planned.was_ended)
        done = capture.write(vault, planned.decisions, who._replace(session=ending.id), reason)
        sessions.save(ended)
    kept = [one.record.id for one in planned.decisions if one.verdict == "twin" and one.record]
    usage.add_opened(vault.root, kept)
    automatic.sync_session(vault, who, automatic.AT_END)
    meaning.catch_up(vault)
    return planned._replace(session=ended, done=done)


def _session_to_end(vault: Vault, who: Caller) -> Session:
    """The session to end; a new one if its actor has none open."""
    try:
        return session.meant(vault, who)
    except NotFoundError:
        return session.opened(vault, "", who)


def _nothing_to_end(who: Caller, actor: str) -> NotFoundError:
    missing = f"there is no session {who.session}" if who.session else f"no session of {actor} is open"
    return NotFoundError(
        f"{missing}, and nothing was given to save",
        "mdmem session start begins one; with --summary or --transcript one opens with its end",
    )


def _require_unchanged(ending: Session, was_ended: str) -> None:
    """Raise ConflictError unless the session ended at `was_ended` ("": not yet)."""
    if ending.ended != was_ended:
        raise ConflictError(
            f"the session {ending.id} ended at {ending.ended}; nothing was written",
            f"mdmem session start --session {ending.id} opens it again; mdmem remember writes at any time",
        )


def source(proposal: CaptureProposal) -> str:
    """Where a proposal is from, in words."""
    where = _SOURCES.get(proposal.trigger, "the transcript")
    return f"{where}, line {proposal.line}" if proposal.line else where


def _from_transcript(
    vault: Vault, learnt: Learnt, ending: Session, allow_secret: bool
) -> tuple[Sequence[CaptureDecision], Sequence[Problem]]:
    """The decisions of capture on the transcript, and its problems."""
    if learnt.path:
        read = reading.read(learnt.path, session=ending.id, outcome=True)
    elif learnt.transcript:
        read = capture.read(learnt.transcript, learnt.source, session=ending.id, outcome=True)
    else:
        return (), ()
    shown = [*read.recalled, *weighing.texts_of(vault, ending.shown)]
    return capture.best(weighing.weigh(vault, read.proposals, shown, allow_secret=allow_secret)), read.problems


def _from_summary(
    vault: Vault, summary: str, allow_secret: bool
) -> tuple[list[CaptureProposal], Sequence[Problem]]:
    """The proposals from the summary, from its blocks of candidates and the text around them; and problems."""
    around = candidates.outside(summary)
    said = concepts.split(around)
    items = [_proposal(SUMMARY, one.line, _draft(one.text)) for one in said[:_MOST]]
    unread: list[Problem] = []
    if len(said) > _MOST:
        told = f"says too much at once: its first {_MOST:,} bullets and paragraphs are read"
        unread = [Problem("summary", _SOURCES[SUMMARY], said[_MOST].line, told, "end it in parts", "warning")]
    if around == summary:
        return items, unread
    blocks = intake.plan(vault, summary, _SOURCES[SUMMARY], take_twins=True, allow_secret=allow_secret)
    drafts = (_proposal(SUMMARY, line, draft) for line, draft in blocks.drafts)
    return [*items, *drafts], [*unread, *blocks.problems]


def _draft(text: str) -> Draft:
    """A bullet with the tags and the type that stand at its end: "We deploy on Mondays #ops type:decision"."""
    marks = _MARKS.search(text)
    said = text[: marks.start()] if marks else text
    words = marks[0].split() if marks else []
    tags: list[Value] = [word[1:] for word in words if word.startswith("#")]
    kinds = [word.partition(":")[2] for word in words if word.startswith("type:")]
    kind = kinds[-1] if kinds else "decision" if triggers.says(said, "decision") else ""
    return Draft(said, {**({"type": kind} if kind else {}), **({"tags": tags} if tags else {})})


def _leaks(vault: Vault, summary: str, items: Sequence[CaptureProposal]) -> dict[int, str]:
    """line -> kinds of the secrets, for each item that has one, a part of one, or just announces one."""
    found = secrets.found(summary.replace("\r\n", "\n"), guard.own_rules(vault))
    lines = [one.line for one in found]  # in their order
    leaks = {item.line: "in the next line" for item in items if secrets.announced(item.draft.text)}
    for item in items:
        last = item.line + item.quote.count("\n")
        kinds = [one.kind for one in found[bisect_left(lines, item.line) : bisect_right(lines, last)]]
        if kinds:
            leaks[item.line] = ", ".join(dict.fromkeys(kinds))
    return leaks


def _task(ending: Session) -> Iterator[CaptureProposal]:
    future = ending.noted.future.strip().rstrip(".")
    if future:
        said = future if future.lower().startswith("next") else f"{_TASK}{future[:1].lower()}{future[1:]}"
        yield _proposal(FUTURE, 0, Draft(f"{future}.", {"category": "future"}, called=said))


def _proposal(trigger: str, line: int, draft: Draft) -> CaptureProposal:
    return CaptureProposal(trigger, draft.text, line, 1.0, f"{_SOURCES[trigger]} says it", draft)
