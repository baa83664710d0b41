"""Sessions of a model as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from mdmem.acts.json.notes import answer_json
from mdmem.acts.json.past import news_json
from mdmem.acts.json.write import may_change_json
from mdmem.session import livehud

if TYPE_CHECKING:
    from mdmem.capture.proposals import CaptureDecision
    from mdmem.garden.asking import MayChange
    from mdmem.session.choosing import Chosen
    from mdmem.session.end import Ending
    from mdmem.session.start import Pack
    from mdmem.store.local.sessions import Session


def session_json(session: Session) -> dict[str, Any]:
    """A session and its LiveHud."""
    return {
        "session": session.id,
        "actor": session.actor,
        "started": session.started,
        "ended": session.ended,
        "livehud": livehud.line(session.livehud),
        "gauges": session.livehud._asdict(),
    }


def pack_json(pack: Pack, now: datetime) -> dict[str, Any]:
    """What a session starts with; `left_out` are memories that did not fit into the budget."""
    return {
        **session_json(pack.session),
        "news": news_json(pack.news),
        "memories": [_item_json(item, now) for item in pack.page.items],
        "left_out": [_item_json(item, now) for item in pack.page.left_out],
        "text": pack.page.text,
    }


def _item_json(item: Chosen, now: datetime) -> dict[str, Any]:
    return {**answer_json(item.answer, now), "why": item.why}


def ending_json(ending: Ending, questions: Sequence[MayChange] = ()) -> dict[str, Any]:
    """What the end of a session wrote and left out, or would; `offers` are commands for what could be added."""
    from mdmem.capture.proposals import paths_of

    paths = paths_of(ending.decisions, ending.done)
    return {
        **session_json(ending.session),
        "proposals": [
            {**_decision_json(decision, path), **may_change_json(questions, path)}
            for decision, path in zip(ending.decisions, paths, strict=True)
        ],
        "offers": list(ending.offers),
        "problems": ending.problems,
        "commit": ending.done.commit,
    }


def _decision_json(decision: CaptureDecision, path: str) -> dict[str, Any]:
    from mdmem.session import end

    return {
        "source": end.source(decision.proposal),
        "line": decision.proposal.line,
        "title": (draft := decision.proposal.draft).name or draft.title,
        "verdict": decision.verdict,
        "reason": decision.reason,
        "memory": decision.record.name if decision.record else None,
        "path": path or None,
    }
