"""One question to the published vaults of a team, with the same ranking as for a vault here.

What the index does not keep is refused: other times, and files as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from contextlib import contextmanager
from datetime import datetime
from typing import NamedTuple

from mdmem.errors import NotFoundError, UsageError
from mdmem.note.trust.sensitivity import EVERYTHING, Clearance
from mdmem.recall import ask as asking
from mdmem.recall import order
from mdmem.recall.ask import COMPLETE, Answer, Query
from mdmem.recall.gather import RecallContext
from mdmem.recall.order import Ranking
from mdmem.recall.pool import Hit
from mdmem.store.git import remotes
from mdmem.store.index import port
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import tell_nobody
from mdmem.team import meanings, schema
from mdmem.team.catalogue import PublishedVault, TeamCatalogue
from mdmem.team.server import NoServerError, Server, TeamError

_HERE = "without --in team the vaults here are asked"


class TeamReader(NamedTuple):
    """Who asks: the clearance, the people whose commits are trusted, and the function that gets warnings.

    The clearance limits what is shown of all that the role may read.
    """

    clearance: Clearance = EVERYTHING
    people: Set[str] = frozenset()
    tell: Callable[[str], None] = tell_nobody


ANYBODY = TeamReader()


@contextmanager
def opened(otherwise: str = _HERE) -> Iterator[Server]:
    """The server that the environment names. Raises TeamError, with the alternative (`otherwise`) in its hint."""
    try:
        with Server.open() as server:
            yield server
    except (TeamError, NoServerError) as error:
        raise TeamError(error.message, f"{error.hint} ({otherwise})") from None


def ask(server: Server, query: Query, now: datetime, reader: TeamReader = ANYBODY) -> list[Answer]:
    """The answer of all vaults that the role may read, best first; see `recall.ask.ask`.

    A memory is cited at the commit that was published. Raises UsageError for what only a vault can answer, and
    TeamError.
    """
    _require_published(query)
    with catalogue_of(server, reader) as catalogue:
        context = _context(server, catalogue, query, now, reader)
        hits = order.recall(catalogue, query.texts, context, query.limit)
        chosen = query.choose(hits) if query.choose else hits
        answers = _cited(catalogue, chosen)
        told = asking.told(
            query, answers, lambda answer, depth: answer.at(depth, catalogue.body(answer.hit.record.path))
        )
        return [answer._replace(hit=answer.hit.local()) for answer in told]


def why(server: Server, query: Query, name: str, now: datetime, reader: TeamReader = ANYBODY) -> Ranking | None:
    """The rank of a memory in the answer of those vaults, and why; see `recall.ask.why`."""
    _require_published(query)
    with catalogue_of(server, reader) as catalogue:
        record = named(catalogue, name)
        context = _context(server, catalogue, query, now, reader)
        return order.rank_of(catalogue, query.texts, context, record)


def show(server: Server, name: str, reader: TeamReader = ANYBODY) -> Answer:
    """The memory, entry or fact that a name means among all that the role may read, with its text; see `named`."""
    with catalogue_of(server, reader) as catalogue:
        record = named(catalogue, name)
        (answer,) = _cited(catalogue, [order.bare(catalogue, record)])
        text = catalogue.body(record.path)
        return answer._replace(hit=answer.hit.local(), depth="full", text=text)


@contextmanager
def catalogue_of(server: Server, reader: TeamReader) -> Iterator[TeamCatalogue]:
    """The catalogue that the role may read, as it is now. Raises TeamError without an index of this version."""
    with server.reading():
        schema.check(server)
        yield TeamCatalogue(server, reader.clearance, reader.people)


def named(catalogue: TeamCatalogue, name: str) -> IndexedNote:
    """The memory, entry or fact with that name, path or id; `VAULT:NAME` if several vaults have it.

    Raises NotFoundError if there is none, UsageError if there are several.
    """
    asked, _, own = name.strip().partition(":")
    vaults = [each.vault for each in catalogue.vaults.values() if asked in (each.name, each.vault) and own]
    text = own if vaults else name.strip()
    found = catalogue.called(text, vaults or list(catalogue.vaults))
    if not found:
        raise NotFoundError(
            f"no vault of the team has a memory '{name}'", "mdmem list --in team shows what there is"
        )
    if len(found) > 1:
        names = " or ".join(f"{record.vault}:{port.local(record).path}" for record in found)
        raise UsageError(f"{len(found)} memories of the team are called '{name}'", f"write {names}")
    return found[0]


def _require_published(query: Query) -> None:
    if query.as_of:
        raise UsageError(
            "the team's index knows only what is published now", "--as-of works in a clone of the vault"
        )
    if query.depth == COMPLETE:
        raise UsageError("the team's index keeps no files as they are", "--depth full shows all of the text")


def _context(
    server: Server, catalogue: TeamCatalogue, query: Query, now: datetime, reader: TeamReader
) -> RecallContext:
    """The context of the answer."""
    near = meanings.of(server, catalogue, reader.tell) if catalogue.has_vectors else None
    return asking.circumstances(RecallContext(now, likeness=near), query, now)


def _cited(catalogue: TeamCatalogue, hits: Sequence[Hit]) -> list[Answer]:
    """Hits as answers, each line cited at the commit that was published, since that has it."""
    heads = [catalogue.vault_of(each.record).head for each in asking.lines_of(hits)]
    answers = asking.with_commits([hit.local() for hit in hits], heads)
    return [
        answer._replace(hit=hit, link=_link(catalogue.vault_of(hit.record), answer.hit))
        for answer, hit in zip(answers, hits, strict=True)
    ]


def _link(vault: PublishedVault, hit: Hit) -> str:
    return remotes.page_of(vault.url, vault.head, vault.folder + hit.record.file, hit.line)
