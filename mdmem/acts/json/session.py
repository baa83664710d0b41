"""Sessions of a model as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.session import livehud

if TYPE_CHECKING:
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
