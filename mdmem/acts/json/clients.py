"""LLM clients and their connections as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mdmem.clients.connecting import Connected
    from mdmem.clients.preview import Preview
    from mdmem.clients.selftest import ClientState


def connected_json(done: Connected) -> dict[str, Any]:
    """What connecting or disconnecting a client changed."""
    return done._asdict()


def preview_json(shown: Preview) -> dict[str, Any]:
    """What connecting a client would write; `files` and `settings` map path -> text."""
    return {**shown._asdict(), "files": dict(shown.files), "settings": dict(shown.settings)}


def client_json(state: ClientState) -> dict[str, Any]:
    """A client on this machine, the vaults it is connected to, and its problems."""
    return state._asdict()
