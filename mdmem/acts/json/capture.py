"""Proposals from chats, candidates, imports and the inbox, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mdmem.acts.telling import encode
from mdmem.note.plural import plural

if TYPE_CHECKING:
    from mdmem.capture.inbox.store import InboxItem
    from mdmem.capture.intake import IntakePlan
    from mdmem.capture.proposals import Captured, CaptureDecision, CapturedTranscript
    from mdmem.store.registry import ImportPlan
    from mdmem.write.remember import Remembered


def captured_json(
    transcript: CapturedTranscript, decisions: Sequence[CaptureDecision], done: Captured
) -> dict[str, Any]:
    """The proposals found in a transcript, and what became of each."""
    from mdmem.capture.proposals import paths_of

    paths = paths_of(decisions, done)
    return {
        "format": transcript.format,
        "proposals": [_decision_json(decision, path) for decision, path in zip(decisions, paths, strict=True)],
        "problems": encode(transcript.problems),
        "commit": done.commit,
    }


def _decision_json(decision: CaptureDecision, path: str) -> dict[str, Any]:
    """A proposal; `confidence` is 0-1, `line` is the line of its quote, `place` its turn in an export.

    `session`, `parent_session`, `actor` and `project` are those of the conversation, null if it does not tell
    them.
    """
    proposal = decision.proposal
    return {
        "trigger": proposal.trigger,
        "confidence": proposal.confidence,
        "why": proposal.why,
        "line": proposal.line,
        "place": proposal.place or None,
        "session": proposal.session or None,
        "parent_session": proposal.parent or None,
        "actor": proposal.actor or None,
        "project": proposal.project or None,
        "quote": proposal.quote,
        "verdict": decision.verdict,
        "reason": decision.reason,
        "memory": decision.record.name if decision.record else None,
        "title": proposal.draft.title,
        "text": proposal.draft.text,
        "path": path or None,
    }


def intake_json(plan: IntakePlan, done: Sequence[Remembered]) -> dict[str, Any]:
    """The candidates in a pasted text; `done` is empty if nothing was written."""
    written = [memory._asdict() for memory in done] or [{}] * len(plan.drafts)
    return {
        "memories": [
            {"name": draft.name, "line": line, **memory}
            for (line, draft), memory in zip(plan.drafts, written, strict=True)
        ],
        "twins": [
            {"name": item.name, "line": item.line, "twin": twin.record.name, "score": round(twin.score, 3)}
            for item, twin in plan.twins
        ],
        "problems": encode(plan.problems),
    }


def import_json(plan: ImportPlan, noun: str, commit: str) -> dict[str, Any]:
    """What is imported, under the plural of `noun`; `known` maps each source already there to its match."""
    return {
        plural(noun): [dict(item.facts) for item in plan.items],
        "known": dict(plan.known),
        "problems": encode(plan.problems),
        "commit": commit,
    }


# -- the inbox -------------------------------------------------------------------------------------------


def item_json(item: InboxItem) -> dict[str, Any]:
    """A proposal in the inbox; `confidence` is 0-1, `line` is the line of its quote in the transcript `source`."""
    return {
        "id": item.id,
        "title": item.title,
        "text": item.text,
        "trigger": item.trigger,
        "confidence": item.confidence,
        "why": item.why,
        "quote": item.quote,
        "actor": item.actor,
        "session": item.session,
        "project": item.project or None,
        "source": item.source,
        "line": item.line,
        "sensitivity": item.level,
        "added": item.added,
    }
