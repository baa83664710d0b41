"""What is taken in from chats and other systems, as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mdmem.note.memory import as_text
from mdmem.render.json.notes import problem_json

if TYPE_CHECKING:
    from mdmem.capture.intake import IntakePlan
    from mdmem.capture.proposals import Captured, CaptureDecision, CapturedTranscript
    from mdmem.systems.legacy.importing import LegacyImportPlan
    from mdmem.systems.rlm.importing import ChunkImportPlan
    from mdmem.write.remember import Remembered


def captured_json(
    transcript: CapturedTranscript, decisions: Sequence[CaptureDecision], done: Captured
) -> dict[str, Any]:
    """The proposals out of a transcript, and what became of each."""
    from mdmem.capture.proposals import paths_of

    paths = paths_of(decisions, done)
    return {
        "format": transcript.format,
        "proposals": [_decision_json(decision, path) for decision, path in zip(decisions, paths, strict=True)],
        "problems": [problem_json(problem) for problem in transcript.problems],
        "commit": done.commit,
    }


def _decision_json(decision: CaptureDecision, path: str) -> dict[str, Any]:
    """A proposal; `confidence` is 0-1, `line` is where its quote stands, `place` its turn in an export."""
    proposal = decision.proposal
    return {
        "trigger": proposal.trigger,
        "confidence": proposal.confidence,
        "why": proposal.why,
        "line": proposal.line,
        "place": proposal.place or None,
        "quote": proposal.quote,
        "verdict": decision.verdict,
        "reason": decision.reason,
        "memory": decision.record.name if decision.record else None,
        "title": as_text(proposal.draft.properties.get("title")),
        "text": proposal.draft.text,
        "path": path or None,
    }


def intake_json(plan: IntakePlan, done: Sequence[Remembered]) -> dict[str, Any]:
    """The candidates of a paste; `done` is empty where nothing was written."""
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
        "problems": [problem_json(problem) for problem in plan.problems],
    }


def legacy_import_json(plan: LegacyImportPlan, commit: str) -> dict[str, Any]:
    """The notes of an old memory tree, and those that were there already (old path -> path)."""
    return {
        "memories": [{"source": item.source, "path": item.path, "renamed": item.renamed} for item in plan.items],
        "known": dict(plan.known),
        "problems": [problem_json(problem) for problem in plan.problems],
        "commit": commit,
    }


def chunk_import_json(plan: ChunkImportPlan, commit: str) -> dict[str, Any]:
    """The chunks of an RLM-MEM tree, and those that were there already (file -> id)."""
    return {
        "chunks": [
            {"id": item.chunk_id, "source": item.source, "path": item.path, "archived": item.archived}
            for item in plan.items
        ],
        "known": dict(plan.known),
        "problems": [problem_json(problem) for problem in plan.problems],
        "commit": commit,
    }
