"""The command `mcp`."""

from __future__ import annotations

import click

from mdmem.cli.options import asked_for
from mdmem.cli.shared import command
from mdmem.errors import MdmemError


@command("mcp", json=False)
@click.option("--read-only", is_flag=True, help="Offer only the tools that read.")
@click.option(
    "--tools",
    type=click.Choice(["standard", "all", "rum"]),
    default="standard",
    show_default=True,
    help="all: also undo, capture, garden, and search and fetch for ChatGPT; rum: the calls of RUM instead.",
)
@click.pass_context
def mcp_command(ctx: click.Context, read_only: bool, tools: str, vault: str | None) -> None:
    """Serve the memories to an agent over MCP, on standard input and output, until the input ends.

    An agent starts this command itself; it gets the tools recall, read, brief, remember, revise, forget and
    restore. Each write is a commit in the name and the session of the agent, so that `mdmem undo` takes it back.
    Without --vault it is the vault around the folder that the agent works in, else as for any command.

    \b
    Examples:
      claude mcp add mdmem -- mdmem mcp
      mdmem mcp --vault ~/notes --read-only --max-sensitivity public
    """
    try:
        from mdmem.mcp.server import serve
    except ModuleNotFoundError as error:
        if error.name and error.name.startswith("mdmem"):
            raise
        raise MdmemError(f"mdmem mcp needs the package 'mcp' ({error})", "pip install 'mdmem[mcp]'") from None
    from mdmem.mcp.desk import Desk
    from mdmem.mcp.toolbox import chosen
    from mdmem.store.vault.keeper import VaultKeeper

    outer = ctx.find_root().obj or {}
    keeper = VaultKeeper(vault or outer.get("vault"), *asked_for())
    serve(Desk(keeper, *chosen(tools, read_only)))
