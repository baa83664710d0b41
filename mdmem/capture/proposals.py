"""Capture: the transcript of a chat, weighed against the vault, as memories to write (B19).

`read` finds what is worth a memory, `weigh` compares it with what is known, `write` commits it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from mdmem.capture import candidates, findings, transcripts, triggers
from mdmem.capture.findings import Finding
from mdmem.capture.transcripts import Conversation, Turn
from mdmem.errors import MdmemError, Problem
from mdmem.index.port import IndexedNote
from mdmem.language import sentence
from mdmem.models import language, wording
from mdmem.note import memory, naming
from mdmem.operation import Caller
from mdmem.text.yaml12 import Value
from mdmem.vault.transaction import Transaction
from mdmem.vault.vault import Vault
from mdmem.write import remember, secrets, succession
from mdmem.write.remember import Draft, Twin

WRITTEN = ("new", "update")  # the verdicts that `write` writes
_ECHO = 85  # rapidfuzz's partial ratio from which a sentence is one that recall put into the chat
_SHARED = 0.3  # of its pairs of words that must be in it; to compare all by letters is slow
_NEARBY = 50  # proposals among which one is looked for that says the same later
_COMPARES = re.compile(r"\b(?:over|than|instead of|not|statt|als|que|plutôt que)\b", re.I)
_TYPES = {"preference": "preference"}
_OWN_TOPIC = ("learning", "milestone", "correction")  # belong to the project that the chat was about


class CaptureProposal(NamedTuple):
    """A memory that is proposed, with what speaks for it.

    `trigger` is one of triggers.TRIGGERS, or says where else it is from; `quote` was said at `line` of the
    transcript; `confidence` is 0-1. `context` is the statement that a correction is about, `before` the sentence
    said before, or "".
    """

    trigger: str
    quote: str
    line: int
    confidence: float
    why: str
    draft: Draft
    context: str = ""
    before: str = ""


class CaptureDecision(NamedTuple):
    """What becomes of a proposal, and why.

    `verdict` is "new", "update" (it corrects or completes `record`), "twin" (`record` says it already),
    "repeated" (said again later), "recalled" (recall itself put it into the chat), "secret", or "problem".
    """

    proposal: CaptureProposal
    verdict: str
    reason: str
    record: IndexedNote | None = None


class CapturedTranscript(NamedTuple):
    """What was read of a transcript: its format, the proposals, the texts that recall had put into it."""

    format: str
    proposals: tuple[CaptureProposal, ...]
    recalled: tuple[str, ...]
    problems: tuple[Problem, ...]


class _Echo(NamedTuple):
    """A text that recall put into the chat, as texts are compared, and its pairs of words."""

    text: str
    pairs: frozenset[tuple[str, str]]


class Captured(NamedTuple):
    """What was written: for each decision with a verdict of WRITTEN the path; the commit, "" if nothing was."""

    paths: tuple[str, ...]
    commit: str


# -- reading -----------------------------------------------------------------------------------------------


def _quiet(done: int, total: int) -> None:
    del done, total


def read(
    text: str,
    source: str,
    min_confidence: float = triggers.MIN_CONFIDENCE,
    progress: Callable[[int, int], None] = _quiet,
) -> CapturedTranscript:
    """The proposals of a transcript, in its order. `progress` gets (done, total) conversations.

    Raises UsageError for what is no transcript.
    """
    parsed = transcripts.parse(text, source)
    found: list[CaptureProposal] = []
    echoes: list[str] = []
    for done, conversation in enumerate(parsed.conversations):
        progress(done, len(parsed.conversations))
        found += [
            _proposal(finding, conversation, source) for finding in findings.find(conversation, min_confidence)
        ]
        found += [item for turn in conversation.turns for item in _offered(turn, source)]
        echoes += findings.recalled(conversation)
    return CapturedTranscript(parsed.format, tuple(found), tuple(echoes), parsed.problems)


def _offered(turn: Turn, source: str) -> Iterator[CaptureProposal]:
    """The candidates that a model without tools wrote into the chat for a person to save (B12)."""
    if turn.speaker != "assistant" or "CANDIDATES]" not in turn.text.upper():
        return
    for item in candidates.parse(turn.text, source).candidates:
        line = turn.line + item.line - 1
        given: dict[str, Value] = {
            "category": item.category,
            "tags": list(item.tags) or None,
            "origin": "agent",
            "provenance": [{"kind": "event", "ref": f"{source}:{line}"}],
        }
        draft = Draft(item.body, {key: value for key, value in given.items() if value is not None}, item.name)
        yield CaptureProposal("save", item.name, line, 0.9, "the model proposed it", draft)


def _proposal(found: Finding, conversation: Conversation, source: str) -> CaptureProposal:
    said_at = {"timestamp": found.when} if found.when else {}
    provenance: list[Value] = [{"kind": "event", "ref": f"{source}:{found.line}", **said_at}]
    given: dict[str, Value] = {
        "title": found.title,
        "type": _TYPES.get(found.trigger, "fact"),
        "tags": [found.trigger] if found.trigger in _OWN_TOPIC else None,
        "confidence": found.confidence,
        "created": found.when or None,
        "project": (conversation.project or None) if found.trigger in _OWN_TOPIC else None,
        "origin": "user" if found.speaker == "user" else "agent",
        "provenance": provenance,
    }
    draft = Draft(found.body, {key: value for key, value in given.items() if value is not None})
    sure = found.confidence, found.why
    return CaptureProposal(found.trigger, found.quote, found.line, *sure, draft, found.context, found.before)


# -- weighing ----------------------------------------------------------------------------------------------


def weigh(
    vault: Vault,
    proposals: Sequence[CaptureProposal],
    shown: Collection[str] = (),
    progress: Callable[[int, int], None] = _quiet,
) -> tuple[CaptureDecision, ...]:
    """What becomes of each proposal. `shown` are texts that recall or a session put into the chat.

    `progress` gets (done, total).
    """
    echoes = [_echo(text) for text in shown]
    decisions: list[CaptureDecision] = []
    for done, proposal in enumerate(proposals):
        progress(done, len(proposals))
        decisions.append(_decided(vault, proposal, echoes))
    return tuple(_without_repeats(decisions))


def _decided(vault: Vault, proposal: CaptureProposal, echoes: Sequence[_Echo]) -> CaptureDecision:
    """The first decision that a check comes to; what no check objects to is new."""
    case = _Case(vault, proposal, echoes)
    decisions = (check(case) for check in CHECKS)
    new = CaptureDecision(proposal, "new", proposal.why)
    return next((decision for decision in decisions if decision is not None), new)


class _Case:
    """A proposal with what it is weighed against; the vault is searched once, when a check first needs it."""

    def __init__(self, vault: Vault, proposal: CaptureProposal, echoes: Sequence[_Echo]) -> None:
        self.vault = vault
        self.proposal = proposal
        self.draft = proposal.draft
        self.echoes = echoes

    @cached_property
    def twins(self) -> list[Twin]:
        """The memories that say nearly the same."""
        return remember.near_twins(self.vault, self.draft) if self.draft.text.strip() else []

    @cached_property
    def in_force(self) -> list[Twin]:
        return [twin for twin in self.twins if _is_in_force(twin.record)]

    @cached_property
    def turned(self) -> IndexedNote | None:
        """The memory in force that compares the same the other way round."""
        records = (twin.record for twin in self.in_force)
        return next((record for record in records if _is_turned(self.draft.text, record.title)), None)


def _secret(case: _Case) -> CaptureDecision | None:
    proposal = case.proposal
    leaks = secrets.kinds(f"{case.draft.words}\n{proposal.quote}\n{proposal.context}") or _spilt(proposal)
    return hidden(proposal, leaks) if leaks else None


def _recalled(case: _Case) -> CaptureDecision | None:
    if not _is_echo(case.proposal, case.echoes):
        return None
    return CaptureDecision(case.proposal, "recalled", "recall put this into the chat")


def _already_said(case: _Case) -> CaptureDecision | None:
    """What a memory in force says already, or one that was captured from the same line and replaced since."""
    if case.turned:
        return None
    for twin in case.twins:
        in_force = twin in case.in_force
        counts = in_force or _is_same_moment(case.draft, twin.record)
        if counts and _says_nothing_new(case.vault, case.draft, twin):
            since = "" if in_force else ", and replaced since:"
            reason = f"{round(twin.score * 100)} % the same{since}"
            return CaptureDecision(case.proposal, "twin", reason, twin.record)
    return None


def _unfit(case: _Case) -> CaptureDecision | None:
    try:
        remember.require_fit(case.draft)
        remember.require_free(case.vault, case.draft)
    except MdmemError as error:
        return CaptureDecision(case.proposal, "problem", error.message)
    return None


def _replaces(case: _Case) -> CaptureDecision | None:
    """What turns a memory around, or corrects one: a twin, else the one that the correction is about."""
    record = case.turned
    if record is None and case.proposal.trigger == "correction":
        corrected = case.in_force or _about(case.vault, case.proposal.context)
        record = corrected[0].record if corrected else None
    return CaptureDecision(case.proposal, "update", f"replaces {record.name}", record) if record else None


CHECKS: tuple[Callable[[_Case], CaptureDecision | None], ...] = (
    *(_secret, _recalled, _already_said, _unfit, _replaces),  # in this order: a secret is looked at no further
)


def _about(vault: Vault, context: str) -> list[Twin]:
    """The memories in force that say what a correction is about."""
    found = remember.near_twins(vault, Draft(sentence.told(context), {})) if context else []
    return [twin for twin in found if _is_in_force(twin.record)]


def _is_in_force(record: IndexedNote) -> bool:
    """Who comes back to what was deprecated says something new."""
    return record.status not in ("deprecated", "retracted")


def _is_same_moment(draft: Draft, record: IndexedNote) -> bool:
    """Whether a memory was captured from the very line of the chat that a draft is from."""
    return bool(_refs(draft.properties) & _refs(record.meta))


def _refs(properties: Mapping[str, object]) -> set[str]:
    given = properties.get("provenance")
    return {str(item.get("ref")) for item in given if isinstance(item, dict)} if isinstance(given, list) else set()


def hidden(proposal: CaptureProposal, kinds: str) -> CaptureDecision:
    """That a proposal holds secrets of these kinds; it no longer holds what was said."""
    bare = proposal._replace(quote="", context="", before="", draft=Draft("", {}))
    return CaptureDecision(bare, "secret", f"holds a secret, {kinds}: it is written nowhere")


def _spilt(proposal: CaptureProposal) -> str:
    """The kinds of secrets that only show with the sentence before, such as one that ends in "password:"."""
    before = " ".join(proposal.before.split())
    leaks = secrets.found(f"{before}\n{proposal.draft.text}") if before else []
    return ", ".join(dict.fromkeys(leak.kind for leak in leaks if leak.line > 1))


def _echo(text: str) -> _Echo:
    said = remember.normal(text)
    return _Echo(said, _pairs(said))


def _pairs(said: str) -> frozenset[tuple[str, str]]:
    words = said.split()
    return frozenset(pairwise(words))


def _is_echo(proposal: CaptureProposal, echoes: Sequence[_Echo]) -> bool:
    from rapidfuzz import fuzz

    said = remember.normal(proposal.quote)
    pairs = _pairs(said)
    return len(said.split()) > 3 and any(
        len(said) <= len(echo.text)
        and len(pairs & echo.pairs) >= _SHARED * len(pairs)
        and fuzz.partial_ratio(said, echo.text) >= _ECHO
        for echo in echoes
    )


def _says_nothing_new(vault: Vault, draft: Draft, twin: Twin) -> bool:
    """Whether every telling word and number of a draft is in its twin."""
    known = f"{twin.record.title} {vault.index.body(twin.record.path)}"
    return naming.telling(draft.text) <= naming.telling(known)


def _is_turned(one: str, other: str) -> bool:
    """Whether two texts compare the same the other way round: "tea over coffee", "coffee over tea"."""
    sides = [[naming.telling(side) for side in _COMPARES.split(text, 1)] for text in (one, other)]
    if any(len(parts) < 2 for parts in sides):
        return False
    (left, right), (left_then, right_then) = sides
    return bool((left - right) & (right_then - left_then) and (right - left) & (left_then - right_then))


def _without_repeats(decisions: Sequence[CaptureDecision]) -> list[CaptureDecision]:
    """Of proposals that say the same, the last one stays: what was said later is right."""
    kept: list[CaptureDecision] = []
    seen: list[CaptureDecision] = []
    for decision in reversed(decisions):
        near = seen[-_NEARBY:]
        later = next((one for one in near if _same(one.proposal, decision.proposal)), None)
        repeats = later and decision.verdict in WRITTEN
        reason = f"said again in line {later.proposal.line}" if later else ""
        kept.append(decision._replace(verdict="repeated", reason=reason) if repeats else decision)
        if decision.verdict in (*WRITTEN, "twin"):
            seen.append(decision)
    return kept[::-1]


def _same(later: CaptureProposal, earlier: CaptureProposal) -> bool:
    if later.trigger == "correction" and later.context:
        said = earlier.quote, sentence.told(earlier.quote), earlier.draft.text.split("\n\n> ")[0]
        if remember.normal(sentence.told(later.context)) in map(remember.normal, said):
            return True
    return remember.likeness(later.draft.text, earlier.draft.text) >= remember.TWIN and naming.telling(
        earlier.draft.text
    ) <= naming.telling(later.draft.text)


# -- wording -----------------------------------------------------------------------------------------------


def worded(
    decisions: Sequence[CaptureDecision], environ: Mapping[str, str], tell: Callable[[str], None]
) -> tuple[CaptureDecision, ...]:
    """The decisions, with title and text as a model words them where the environment names one.

    Which memories are written is decided before, and a secret is none of them. If the model fails, the words of
    the rules stay, and `tell` says so.
    """
    asked = [decision for decision in decisions if decision.verdict in WRITTEN]
    if not asked:
        return tuple(decisions)
    try:
        found = language.configured(environ)
        words = wording.reworded(found, [_words(one.proposal) for one in asked]) if found else []
    except language.ModelError as error:
        tell(f"the rules worded everything: {error.message} ({error.hint})")
        return tuple(decisions)
    new = {id(one): _put(one, draft) for one, draft in zip(asked, words, strict=False) if draft}
    return tuple(new.get(id(decision), decision) for decision in decisions)


def _words(proposal: CaptureProposal) -> tuple[str, wording.Wording]:
    draft = proposal.draft
    said = f"{proposal.context}\n{proposal.quote}" if proposal.context else proposal.quote
    return said, wording.Wording(memory.as_text(draft.properties.get("title")), draft.text)


def _put(decision: CaptureDecision, words: wording.Wording) -> CaptureDecision:
    proposal = decision.proposal
    draft = Draft(words.body, {**proposal.draft.properties, "title": words.title}, proposal.draft.name)
    return decision._replace(proposal=proposal._replace(draft=draft))


# -- writing -----------------------------------------------------------------------------------------------


def write(vault: Vault, decisions: Sequence[CaptureDecision], caller: Caller, reason: str = "") -> Captured:
    """Write what is new and what corrects a memory, in one commit. Raises like `intake.remember_all`."""
    wanted = [decision for decision in decisions if decision.verdict in WRITTEN]
    if not wanted:
        return Captured((), "")
    with vault.change(caller.does("create", reason)) as tx:
        paths = [_stage(vault, tx, decision, caller) for decision in wanted]
    return Captured(tuple(paths), tx.commit)


def _stage(vault: Vault, tx: Transaction, decision: CaptureDecision, caller: Caller) -> str:
    draft, old = decision.proposal.draft, decision.record
    if old is None:
        return remember.stage(vault, tx, draft, caller).path
    when = memory.as_text(draft.properties.get("created"))[:10] or caller.now.date().isoformat()
    text = f"{draft.text}\n\n{succession.changed_mind(when)}"
    new = remember.stage(
        vault, tx, Draft(text, {**draft.properties, "supersedes": [f"[[{old.name}]]"]}, draft.name), caller
    )
    tx.write(old.path, succession.deprecated(tx.require(old.path), old.path, memory.stem(new.path)))
    return new.path


def paths_of(decisions: Sequence[CaptureDecision], done: Captured) -> list[str]:
    """For each decision the path it was written to, "" for what was not written."""
    paths = iter(done.paths)
    return [next(paths, "") if decision.verdict in WRITTEN else "" for decision in decisions]
