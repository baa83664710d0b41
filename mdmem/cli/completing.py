"""What a shell offers while a line is typed: names of memories, of what is in the trash, of sessions and the like.

A keypress cannot wait long, and an error would stand in the middle of the line: nothing is offered then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from mdmem.errors import MdmemError

if TYPE_CHECKING:
    from mdmem.store.index.freshness import Index
    from mdmem.store.vault.vault import Vault

_NOTES_READ = 500  # at most, if there is no index yet
_COMMITS_READ = 1000  # the latest ones, for the ids of sessions


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of memories. The index is used as it is, without asking git what has changed."""
    del param
    return _offered(ctx, incomplete, lambda vault: vault.seen(_index_as_it_is(vault)).names())


def complete_type(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The types that memories have, from the index as it is."""
    del param
    return _offered(ctx, incomplete, _types)


def complete_deleted(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of memories and dialogs in the trash, the latest deletion first."""
    del param
    return _offered(ctx, incomplete, _deleted)


def complete_session(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Ids of the sessions that wrote lately, the latest first."""
    del param
    return _offered(ctx, incomplete, _sessions)


def complete_listed_vault(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of the vaults in the person's list."""
    from mdmem.store.local import place

    del ctx, param
    try:
        return [vault.name for vault in place.listed() if vault.name.startswith(incomplete)]
    except MdmemError:
        return []


def _offered(ctx: click.Context, incomplete: str, known: Callable[[Vault], Iterable[str]]) -> list[str]:
    """What begins with what is typed, of what is known in the vault that the line names and may be shown."""
    from mdmem.store.vault.vault import Vault

    try:
        with Vault.open(ctx.params.get("vault") or ctx.find_root().params.get("vault")) as vault:
            return [text for text in dict.fromkeys(known(vault)) if text.startswith(incomplete)]
    except MdmemError:
        return []


def _index_as_it_is(vault: Vault) -> Index:
    index = vault.open_index()
    if not index.count():
        index.catch_up(_NOTES_READ)
    return index


def _types(vault: Vault) -> list[str]:
    return sorted({note.type for note in vault.seen(_index_as_it_is(vault)).records()} - {""})


def _deleted(vault: Vault) -> list[str]:
    from mdmem.history import past, rawpast

    return [item.name for item in (*past.trash(vault), *rawpast.trash(vault))]


def _sessions(vault: Vault) -> list[str]:
    from mdmem.history.shown import PastSight
    from mdmem.store.git import log

    sight = PastSight(vault)
    read = log.messages if sight.is_full else log.commits  # the changes tell which commits are hidden
    commits = sight.commits(read(vault.repo, f"--max-count={_COMMITS_READ}"))
    return [commit.operation.session for commit in commits if commit.operation.session]
