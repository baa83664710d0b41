"""The list of vaults that are searched together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from mdmem.acts.style import Lines, Style, plain
from mdmem.acts.telling import Told
from mdmem.errors import UsageError
from mdmem.note.terminal import safe_line
from mdmem.store.local import vaultlist
from mdmem.store.vault import several
from mdmem.store.vault.several import ListedVault


def vaults() -> Told:
    """List the vaults that questions go to, the one that is written to first.

    Those that are listed, in a settings file of yours, are searched together with the vault that you are in; each
    answer says which vault it is from. MDMEM_VAULT may name several instead, with the separator of PATH between
    them. Exit code 1 if one of them cannot be read.

    \b
    Examples:
      mdmem vaults
      mdmem vaults add personal ~/notes
      mdmem recall --vault personal where do I live
    """
    known = several.listing()
    return Told(known, partial(vault_lines, known), failed=any(vault.problem for vault in known))


def add(place: Sequence[str]) -> Told:
    """List a vault by a name: recall, list, show and agents search it, too.

    Without NAME it is called like its folder.

    \b
    Examples:
      mdmem vaults add personal ~/notes
      mdmem vaults add ~/team/handbook
      mdmem vaults add shop . --json
    """
    if len(place) > 2:
        raise UsageError(f"{len(place)} arguments are too many", "mdmem vaults add [NAME] DIR")
    folder = place[-1]
    added = vaultlist.add(place[0] if len(place) == 2 else vaultlist.name_of(folder), folder)
    return Told(added, f"{added.name} is {added.root}")


def remove(name: str) -> Told:
    """Take a vault off the list. The vault itself stays as it is.

    \b
    Examples:
      mdmem vaults remove shop
    """
    vaultlist.remove(name)
    return Told({"name": name}, f"{name} is no longer listed; the vault itself stays as it is")


def vault_lines(vaults: Sequence[ListedVault], style: Style = plain) -> Lines:
    """`NAME  FOLDER` for each vault, with remarks and problems."""
    widest = max((len(vault.name) for vault in vaults), default=0)
    for vault in vaults:
        name = style(safe_line(vault.name).ljust(widest), "bold")
        notes = ["written to"] if vault.nearest else []
        notes += [] if vault.listed else ["not listed"]
        remark = f"  ({', '.join(notes)})" if notes else ""
        problem = f"  {style(safe_line(vault.problem), 'red')}" if vault.problem else ""
        yield f"{name}  {safe_line(vault.root)}{remark}{problem}".strip()
