"""A team's index as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mdmem.note.plural import counted

if TYPE_CHECKING:
    from mdmem.team.roles import TeamStatus


def team_lines(status: TeamStatus) -> Iterator[str]:
    """The vaults, one per line, then who publishes and who reads."""
    if not status.is_current:
        yield "no index of this version; mdmem team init makes one"
        return
    if not status.vaults:
        yield "no vault is published yet, or none that you may read"
    names = {vault.vault: vault.name for vault in status.vaults}
    for vault in status.vaults:
        rows, size = counted(vault.notes, "row"), vault.size / 1e6
        yield f"{vault.name}  {vault.head[:10] or 'no commit'}  {rows}  {size:.1f} MB  {vault.published}"
    if status.publishers:
        yield "publishing: " + ", ".join(status.publishers)
    for grant in status.grants:
        scopes = f" (scopes: {', '.join(grant.scopes)})" if grant.scopes else ""
        yield f"{grant.reader} reads {names.get(grant.vault, grant.vault)}{scopes}"
