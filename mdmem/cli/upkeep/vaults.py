"""The commands of the vault list: vaults, vaults add, vaults remove."""

from __future__ import annotations

import click

from mdmem.acts import vaults
from mdmem.acts.text.upkeep import vault_lines
from mdmem.cli.making import made
from mdmem.cli.options import print_json, print_lines, style
from mdmem.cli.shared import group
from mdmem.store.vault import several


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


vaults_command.add_command(made("add", vaults.add))
vaults_command.add_command(made("remove", vaults.remove))
