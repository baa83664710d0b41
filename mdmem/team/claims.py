"""Who may publish under a vault's id.

A vault states its id itself, and so does a copy of it, a fork, or anything that is pushed to a hub. What is
published under an id is replaced only by a repository that has the published commit, that has the same name and
URL, or that published it from a hub before. In a hub, only one repository may have an id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.errors import StoppedError

if TYPE_CHECKING:
    from mdmem.team.server import Server

_LOOK = "SELECT hub FROM mdmem.publishers WHERE vault = %s"
# A row rather than an advisory lock, since any role of the server may take those.
_LOCK = """
INSERT INTO mdmem.publishers AS p (vault, hub) VALUES (%s, '')
ON CONFLICT (vault) DO UPDATE SET hub = p.hub
"""
_KEEP = "UPDATE mdmem.publishers SET hub = %s WHERE vault = %s"


def lock(server: Server, vault: str) -> None:
    """Make others that publish or drop the vault wait until the transaction ends."""
    server.run(_LOCK, [vault])


def hub_of(server: Server, vault: str) -> str:
    """The repository of a hub, and the folder in it, that publishes a vault; "" if none does."""
    told = server.run(_LOOK, [vault])
    return str(told[0][0]) if told else ""


def keep(server: Server, vault: str, hub: str) -> None:
    """Record which repository of a hub publishes a vault."""
    server.run(_KEEP, [hub, vault])


def of_another_hub() -> StoppedError:
    """The error for a repository of a hub if another one publishes a vault with the same id."""
    return StoppedError(
        "another repository of the hub publishes a vault of the same id",
        "a copy needs an id of its own in mdmem.toml; if the other is gone: mdmem team drop",
    )


def of_another_history() -> StoppedError:
    """The error for a repository that lacks the commit published under its id."""
    return StoppedError(
        "what is published under this vault's id has another history, which this repository lacks",
        "a copy needs an id of its own in mdmem.toml; if it is this vault's: mdmem publish --refill",
    )
