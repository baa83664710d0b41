"""What a server of tools works with: the vault that it keeps open, and who calls in which conversation."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from mdmem.acts.pages.request import PageRequest
from mdmem.note.terminal import safe_line
from mdmem.store import identity
from mdmem.store.git.folder import find_top
from mdmem.store.local import clock, place
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.acts.pages.planning import PlanKeeper
    from mdmem.store.vault.several import OpenVaults

TELL = place.TELL  # before what only the person can put right

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
    sessions = Sessions(vault)
    session = _plain(os.environ.get(identity.SESSION) or client.session)
    if not session:  # the environment is that of the session in which the server was started
        session = sessions.gone_on_with(_plain(identity.session_of(os.environ, actor)))
    parent_session, parent_actor = map(_plain, identity.parent_of(os.environ))
    folder = client.folder or os.getcwd()
    project = _plain(vault.repo.project_at(folder))
    who = Caller(clock.now(), actor, session, False, parent_session, parent_actor, project, folder)
    who = sessions.joined(who)
    return who if who.session else who._replace(session=f"{begun:%Y%m%dT%H%M%S}-{actor}-{os.getpid()}")


def runner() -> str:
    """The agent that runs this process, "" for a person."""
    return safe_line(identity.actor_of(os.environ))


def person(vault: Vault) -> Caller:
    """Who acts by a page: the person who runs this, or an agent that does, in its session."""
    return Sessions(vault).joined(Caller(clock.now(), runner()))


def asked(key: str, given: Mapping[str, str], plans: PlanKeeper | None) -> PageRequest:
    """A request for a page by the person or agent that runs this process, now, in the repository of its folder."""
    folder = find_top(os.getcwd()) or ""
    return PageRequest(clock.now(), key, given, actor=runner(), plans=plans, folder=folder)


@contextmanager
def shown(keeper: VaultKeeper) -> Iterator[Vault]:
    """The vault as the person or agent that runs this process may see it."""
    with keeper.visit() as vault:
        keeper.clear(vault, identity.actor_of(os.environ))
        yield vault


class Visit(NamedTuple):
    """One call: the open vault, with the clearance of the agent `who` that calls.

    `beside` opens it together with the other vaults that queries go to; None if it is the only one.
    """

    vault: Vault
    who: Caller
    beside: Callable[[], AbstractContextManager[OpenVaults | None]]

    @contextmanager
    def places(self) -> Iterator[Vault | OpenVaults]:
        """The vault, or all that queries go to."""
        with self.beside() as vaults:
            yield vaults or self.vault

    @contextmanager
    def holder(self, text: str) -> Iterator[tuple[Vault, str, str]]:
        """(vault, its name among several or "", the text within it) for the vault with what a text names."""
        with self.places() as places:
            yield lookup.holder(places, text)


class Host:
    """The vault of a server, for its callers."""

    def __init__(self, keeper: VaultKeeper) -> None:
        self._keeper = keeper
        self._begun = clock.now()
        self.close = keeper.close

    @property
    def told(self) -> list[str]:
        """The lines that the vault told in the last visit."""
        return self._keeper.told

    def where(self) -> str:
        """The folder of the vault. Raises NotFoundError if there is none."""
        return place.locate(self._keeper.where)

    @contextmanager
    def visit(self, client: Client) -> Iterator[Visit]:
        """A call of a client. Raises MdmemError."""
        with self._keeper.visit() as vault:
            actor = actor_of(client)
            self._keeper.clear(vault, actor)
            yield Visit(vault, caller(vault, client, self._begun), lambda: self._keeper.beside(vault, actor))


def _plain(text: str) -> str:
    return safe_line(text)[:_LONGEST]
