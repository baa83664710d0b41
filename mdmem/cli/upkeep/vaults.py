"""The commands of the vault list: vaults, vaults add, vaults remove."""

from __future__ import annotations

import click

from mdmem.acts.text.upkeep import vault_lines
from mdmem.cli.completing import complete_listed_vault
from mdmem.cli.options import print_json, print_lines, style
from mdmem.cli.shared import group
from mdmem.errors import UsageError
from mdmem.local import vaultlist
from mdmem.vault import several


@group("vaults", vault=False, invoke_without_command=True)
def vaults_command(as_json: bool) -> None:
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
    if click.get_current_context().invoked_subcommand:
        return
    known = several.listing()
    if as_json:
        print_json(known)
    else:
        print_lines(vault_lines(known, style()))
    click.get_current_context().exit(1 if any(vault.problem for vault in known) else 0)


@vaults_command.command("add", vault=False)
@click.argument("place", metavar="[NAME] DIR", nargs=-1, required=True)
def add_vault(place: tuple[str, ...], as_json: bool) -> None:
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
    name = place[0] if len(place) == 2 else vaultlist.name_of(folder)
    added = vaultlist.add(name, folder)
    if as_json:
        print_json({"name": added.name, "root": added.root})
    else:
        click.echo(f"{added.name} is {added.root}")


@vaults_command.command("remove", vault=False)
@click.argument("name", shell_complete=complete_listed_vault)
def remove_vault(name: str, as_json: bool) -> None:
    """Take a vault off the list. The vault itself stays as it is.

    \b
    Examples:
      mdmem vaults remove shop
    """
    vaultlist.remove(name)
    if as_json:
        print_json({"name": name})
    else:
        click.echo(f"{name} is no longer listed; the vault itself stays as it is")
