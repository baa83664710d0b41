"""Capture: from the transcript of a chat, weighed against the vault, to memories.

`read` finds what is worth a memory, `weighing.weigh` compares that with what is known, `write` commits it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from mdmem.capture import candidates, findings, transcripts, triggers, utterances, worth
from mdmem.capture.findings import Finding
from mdmem.capture.turns import Transcript, Turn
from mdmem.errors import MdmemError, Problem
from mdmem.note import memory, titles
from mdmem.note.yamltext import Value
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller, Written
from mdmem.store.progress import Progress, silent
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.write import remember, secrets, succession
from mdmem.write.remember import Draft

MOST = 5  # proposals of one session
_ANOTHER = 0.1  # of confidence, by which a second one of a kind counts for less
WRITTEN = ("new", "update")  # the verdicts that `write` writes

# For each (quote, text) a better text, "" for none; or nothing. Raises MdmemError if it fails.
Reworder = Callable[[Sequence[tuple[str, str]]], Sequence[str]]

_GENERIC_FORMATS = ("jsonl", "markdown", "text")  # formats that do not name a program
_WITHOUT_LINES = ("chatgpt", "claude-ai", "opencode")  # formats that are one line, or whose lines no person reads
_SHORTENED = re.compile(r"\b(I|we)'(?:m|re|ve|d|ll)\b", re.I)  # no name begins with "im"
_TAGGED = ("learning", "milestone", "correction")  # triggers that are tags of what they find


class CaptureProposal(NamedTuple):
    """A proposed memory, with the evidence for it.

    `trigger` is one of triggers.TRIGGERS, or says where else the proposal is from; `quote` was said at `line` of
    the transcript; `confidence` is 0-1. `context` is the statement that a correction is about, `before` the
    sentence said before, `spoken` the statement with "I" and "you", each "" if there is none. `session` is the id
    of the chat, `parent` that of the session for which a subagent held it, `actor` the agent that held it,
    `project` the name of the folder where it was held, each "" if it is not known. `place` says where it was said
    if a line number does not help, as in an export that is one line.
    """

    trigger: str
    quote: str
    line: int
    confidence: float
    why: str
    draft: Draft
    context: str = ""
    before: str = ""
    spoken: str = ""
    session: str = ""
    place: str = ""
    parent: str = ""
    actor: str = ""
    project: str = ""

    @property
    def placed(self) -> Draft:
        """The draft, with the project; see `remember.placed`."""
        return remember.placed(self.draft, self.project)


class CaptureDecision(NamedTuple):
    """What is to become of a proposal, and why.

    `verdict` is "new", "update" (it corrects or completes `record`), "twin" (`record` says it already), "repeated"
    (said again later), "recalled" (recall itself put it into the chat), "secret", or "problem".
    """

    proposal: CaptureProposal
    verdict: str
    reason: str
    record: IndexedNote | None = None


class CapturedTranscript(NamedTuple):
    """What was read from a transcript: its format, the proposals, and the texts that recall had put into it."""

    format: str
    proposals: tuple[CaptureProposal, ...]
    recalled: tuple[str, ...]
    problems: tuple[Problem, ...]

    @property
    def actor(self) -> str:
        """The agent that held the conversations, by their format; "" if any program may write that format."""
        return actor_of(self.format)


def actor_of(format: str) -> str:
    """The agent that writes a format (one of transcripts.FORMATS); "" if any program may."""
    return "" if format in _GENERIC_FORMATS else format.removesuffix("-text")


# -- reading -----------------------------------------------------------------------------------------------


def best(decisions: Sequence[CaptureDecision], most: int = MOST) -> list[CaptureDecision]:
    """The decisions without those to write beyond the `most` surest; a further one of a kind counts for less."""
    seen: Counter[str] = Counter()
    ranks: dict[int, float] = {}
    for at, one in sorted(enumerate(decisions), key=lambda item: -item[1].proposal.confidence):
        if one.verdict in WRITTEN:
            ranks[at] = one.proposal.confidence - _ANOTHER * seen[one.proposal.trigger]
            seen[one.proposal.trigger] += 1
    left_out = sorted(ranks, key=lambda at: -ranks[at])[most:]
    return [one for at, one in enumerate(decisions) if at not in left_out]


def read(
    given: Transcript | str,
    source: str,
    min_confidence: float = triggers.MIN_CONFIDENCE,
    progress: Progress = silent,
    session: str = "",
    outcome: bool = False,
) -> CapturedTranscript:
    """The proposals from a transcript or its text, in its order. `progress` gets (done, total) conversations.

    `session`, if given, replaces the ids of their conversations. For `outcome` see `findings.find`. Raises
    UsageError if the text is not a transcript.
    """
    parsed = transcripts.parse(given, source) if isinstance(given, str) else given
    actor = actor_of(parsed.format)
    found: list[CaptureProposal] = []
    echoes: list[str] = []
    problems = list(parsed.problems)
    for done, conversation in enumerate(parsed.conversations):
        progress(done, len(parsed.conversations))
        titled = (conversation.title or conversation.id) if parsed.format in _WITHOUT_LINES else ""
        found_here = findings.find(conversation, min_confidence, outcome)
        said = [
            *(_proposal(finding, source, titled) for finding in found_here),
            *(item for turn in conversation.turns for item in _offered(turn, source)),
        ]
        found += [
            proposal._replace(
                session=session or conversation.id,
                parent="" if session else conversation.run.parent,
                actor=actor,
                project=conversation.project,
            )
            for proposal in said
        ]
        echoes += findings.recalled(conversation)
        problems += utterances.problems(conversation.turns, source)
    return CapturedTranscript(parsed.format, tuple(found), tuple(echoes), tuple(problems))


def _offered(turn: Turn, source: str) -> Iterator[CaptureProposal]:
    """The candidates that a model without tools wrote into the chat, for a person to save."""
    if turn.speaker != "assistant" or "CANDIDATES]" not in turn.text.upper():
        return
    for item in candidates.parse(turn.text, source).candidates:
        line = turn.line + item.line - 1
        tags: dict[str, Value] = {"tags": list(item.tags)} if item.tags else {}
        provenance: list[Value] = [{"kind": "event", "ref": f"{source}:{line}"}]
        given = {"category": item.category, **tags, "origin": "agent", "provenance": provenance}
        draft = Draft(item.body, given, item.name)
        yield CaptureProposal("save", item.name, line, 0.9, "the model proposed it", draft)


def _proposal(found: Finding, source: str, titled: str) -> CaptureProposal:
    """A finding as a proposal; with the title of a chat, its place is the turn and not the line."""
    place = f"turn {found.turn} of {titled}" if titled else ""
    said_at = {"timestamp": found.when} if found.when else {}
    ref = f"{source}: {place}" if place else f"{source}:{found.line}"
    provenance: list[Value] = [{"kind": "event", "ref": ref, **said_at}]
    is_decision = triggers.says(found.quote, "decision")
    given: dict[str, Value] = {
        "type": "preference" if found.trigger == "preference" else "decision" if is_decision else "fact",
        "category": "future" if found.trigger == "task" else None,
        "tags": [found.trigger] if found.trigger in _TAGGED else None,
        "confidence": found.confidence,
        "created": found.when or None,
        "origin": "user" if found.speaker == "user" else "agent",
        "provenance": provenance,
    }
    called = f"{found.spoken} {found.context}" if worth.points(found.spoken) else found.spoken
    properties = {key: value for key, value in given.items() if value is not None}
    draft = Draft(found.body, properties, called=_SHORTENED.sub("", titles.title_of(called)))
    return CaptureProposal(
        trigger=found.trigger,
        quote=found.quote,
        line=found.line,
        confidence=found.confidence,
        why=found.why,
        draft=draft,
        context=found.context,
        before=found.before,
        spoken=found.spoken,
        place=place,
    )


# -- wording -----------------------------------------------------------------------------------------------


def worded(
    decisions: Sequence[CaptureDecision], reword: Reworder, tell: Callable[[str], None]
) -> tuple[CaptureDecision, ...]:
    """The decisions, with the texts that `reword` makes of theirs.

    Which memories are written is already decided. Proposals with a secret never go to a model. If `reword` fails,
    the words of the rules stay, and `tell` gets a message.
    """
    wanted = [decision for decision in decisions if decision.verdict in WRITTEN]
    asked = [decision for decision in wanted if not _holds_secret(decision.proposal)]
    if not asked:
        return tuple(decisions)
    try:
        words = reword([(f"{one.context}\n{one.quote}".strip(), one.draft.text) for one, *_ in asked])
    except MdmemError as error:
        tell(f"the rules worded everything: {error.line}")
        return tuple(decisions)
    new = {
        id(one): one._replace(proposal=one.proposal._replace(draft=one.proposal.draft._replace(text=text)))
        for one, text in zip(asked, words, strict=False)
        if text
    }
    return tuple(new.get(id(decision), decision) for decision in decisions)


def _holds_secret(proposal: CaptureProposal) -> bool:
    return bool(secrets.kinds(f"{proposal.context}\n{proposal.quote}\n{proposal.draft.words}"))


# -- writing -----------------------------------------------------------------------------------------------


def write(vault: Vault, decisions: Sequence[CaptureDecision], caller: Caller, reason: str = "") -> Written:
    """Write what is new and what corrects a memory, in one commit; a path for each decision in WRITTEN.

    Each memory has the session it comes from. The commit has that session if it is the same for all; else that of
    the agent for which all of them worked, or else that of `caller`. Raises what `remember.remember_all` raises.
    """
    wanted = [decision for decision in decisions if decision.verdict in WRITTEN]
    if not wanted:
        return Written((), "")
    caller = _in_session(caller, [decision.proposal for decision in wanted])
    with vault.change(caller.does("create", reason)) as tx:
        paths = [_stage(vault, tx, decision, caller) for decision in wanted]
    remember.count_cited(vault, [(draft.text, draft.properties) for draft in drafts_of(wanted)], caller)
    return Written(tuple(paths), tx.commit)


def _in_session(caller: Caller, wanted: Sequence[CaptureProposal]) -> Caller:
    """The caller, in the session that all proposals come from, or in the one that all of them worked for."""
    sessions = {(proposal.session, proposal.parent) for proposal in wanted}
    if len(sessions) == 1:
        ((session, parent),) = sessions
        caller = caller._replace(session=session or caller.session)
        return caller._replace(parent_session=parent, parent_actor=caller.actor) if parent else caller
    roots = {parent or session for session, parent in sessions}
    return caller._replace(session=roots.pop() or caller.session) if len(roots) == 1 else caller


def _stage(vault: Vault, tx: Transaction, decision: CaptureDecision, caller: Caller) -> str:
    draft, old = decision.proposal.placed, decision.record
    caller = caller._replace(session=decision.proposal.session or caller.session)
    if old is None:
        return remember.stage(vault, tx, draft, caller).path
    when = memory.as_text(draft.properties.get("created"))[:10] or caller.now.date().isoformat()
    changed = succession.change(when, memory.as_text(draft.properties.get("type")), decision.proposal.spoken)
    text = f"{draft.text}\n\n{changed}"
    superseding: dict[str, Value] = {**draft.properties, "supersedes": [succession.link_to(vault, old)]}
    return remember.stage(vault, tx, Draft(text, superseding, draft.name), caller).path


def drafts_of(decisions: Sequence[CaptureDecision]) -> list[Draft]:
    """The drafts that `write` would write."""
    return [decision.proposal.draft for decision in decisions if decision.verdict in WRITTEN]


def paths_of(decisions: Sequence[CaptureDecision], done: Written) -> list[str]:
    """The path that each decision was written to, "" for those not written."""
    paths = iter(done.paths)
    return [next(paths, "") if decision.verdict in WRITTEN else "" for decision in decisions]
