"""Who calls, and in which conversation."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.local import clock
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_UNNAMED = "mcp"  # a client that gives no name
_SESSION_KEYS = ("mdmem/session", "sessionId")  # in a request's _meta; Codex sends the second
_LONGEST = 200  # characters of a name or id


class Client(NamedTuple):
    """What a request says about its sender; `folder` is the one it works in, "" for that of the server."""

    name: str = ""
    session: str = ""
    folder: str = ""


def session_in(meta: Mapping[str, Any] | None) -> str:
    """The id of the conversation in a request's `_meta`, "" if it has none."""
    told = ((meta or {}).get(key) for key in _SESSION_KEYS)
    return next((value for value in told if isinstance(value, str) and value), "")


def actor_of(client: Client) -> str:
    """The name of the agent: the one set in the environment on purpose, or else that of its client."""
    named = identity.actor_of(os.environ, identity.actor_of_client(client.name))
    return _plain(named or _UNNAMED)


def caller(vault: Vault, client: Client, begun: datetime) -> Caller:
    """Who calls, now: in the session that is given, else in the one that this agent has open, else in a new one.

    The new one is the same for all later calls of the agent to a server that was started at `begun`. A client
    that clears its conversation continues in another session, which the environment of the server does not have.
    """
    actor = actor_of(client)
    sessions = Sessions(vault.root, vault.repo, vault.tell)
    session = _plain(os.environ.get(identity.SESSION) or client.session)
    if not session:  # the environment is that of the session in which the server was started
        session = sessions.gone_on_with(_plain(identity.session_of(os.environ, actor)))
    parent_session, parent_actor = map(_plain, identity.parent_of(os.environ))
    folder = client.folder or os.getcwd()
    project = _plain(vault.repo.project_at(folder))
    who = Caller(clock.now(), actor, session, False, parent_session, parent_actor, project, folder)
    who = sessions.joined(who)
    return who if who.session else who._replace(session=f"{begun:%Y%m%dT%H%M%S}-{actor}-{os.getpid()}")


def _plain(text: str) -> str:
    return safe_line(text)[:_LONGEST]
