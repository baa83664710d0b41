"""Whose id it is. A vault says its id itself; so may a copy of it, a fork, or anything that is pushed to a hub.

What is published under an id is replaced only by a repository that has the commit that is published, that has the
same name and URL, or that published it from a hub before. Only one repository of a hub may have an id.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mdmem.errors import StoppedError

if TYPE_CHECKING:
    from mdmem.team.server import Server

_LOOK = "SELECT hub FROM mdmem.publishers WHERE vault = %s"
# A row and not an advisory lock, which any role of the server may hold.
_LOCK = """
INSERT INTO mdmem.publishers AS p (vault, hub) VALUES (%s, '')
ON CONFLICT (vault) DO UPDATE SET hub = p.hub
"""
_KEEP = "UPDATE mdmem.publishers SET hub = %s WHERE vault = %s"


def lock(server: Server, vault: str) -> None:
    """Keep others who publish or drop a vault waiting until the transaction ends."""
    server.run(_LOCK, [vault])


def hub_of(server: Server, vault: str) -> str:
    """The repository of a hub, and the folder in it, that publish a vault; "" for none."""
    told = server.run(_LOOK, [vault])
    return str(told[0][0]) if told else ""


def keep(server: Server, vault: str, hub: str) -> None:
    """Remember which repository of a hub publishes a vault."""
    server.run(_KEEP, [hub, vault])


def of_another_hub() -> StoppedError:
    """What a repository is told where another one of the hub publishes a vault of the same id."""
    return StoppedError(
        "another repository of the hub publishes a vault of the same id",
        "a copy needs an id of its own in mdmem.toml; if the other is gone: mdmem team drop",
    )


def of_another_history() -> StoppedError:
    """What a repository is told that lacks the commit that is published under its id."""
    return StoppedError(
        "what is published under this vault's id has another history, which this repository lacks",
        "a copy needs an id of its own in mdmem.toml; if it is this vault's: mdmem publish --refill",
    )
