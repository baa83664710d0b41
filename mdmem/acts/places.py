"""Where an act looks: in a vault, in several at once, or in what a team has published."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.recall.ask import Answer, Query
    from mdmem.recall.order import Ranking
    from mdmem.store.index.port import Catalogue
    from mdmem.store.operation import Caller
    from mdmem.store.vault.several import OpenVaults
    from mdmem.team.published import TeamReader
    from mdmem.team.server import Server


class TeamIndex(NamedTuple):
    """What a team has published, as its reader may see it."""

    server: Server
    reader: TeamReader


if TYPE_CHECKING:
    Places = Vault | OpenVaults | TeamIndex


def ask(places: Places, query: Query, who: Caller) -> list[Answer]:
    """The answers to a question. The memories count as used, but for those of a team."""
    if isinstance(places, TeamIndex):
        from mdmem.team import published

        return published.ask(places.server, query, who.now, places.reader)
    from mdmem.recall import ask as asking

    return asking.ask(places, query, who.now, who.session)


def why(places: Places, query: Query, name: str, who: Caller) -> Ranking | None:
    """Where a memory ranks in the answer to a question, and why; None if the question rules it out."""
    if isinstance(places, TeamIndex):
        from mdmem.team import published

        return published.why(places.server, query, name, who.now, places.reader)
    from mdmem.recall import ask as asking

    return asking.why(places, query, name, who.now)


@contextmanager
def catalogue(places: Places) -> Iterator[Catalogue]:
    """What there is to list."""
    if isinstance(places, TeamIndex):
        from mdmem.team import published

        with published.catalogue_of(places.server, places.reader) as published_notes:
            yield published_notes
    elif isinstance(places, Vault):
        yield places.index
    else:
        from mdmem.recall import joined

        yield joined.of(places)
