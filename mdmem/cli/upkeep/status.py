"""The command `status`."""

from __future__ import annotations

import click

from mdmem.cli.options import json_option, opened, print_json, vault_option
from mdmem.text.terminal import safe_line
from mdmem.upkeep import status


@click.command("status")
@vault_option
@json_option
def status_command(vault: str | None, as_json: bool) -> None:
    """Show the state of the vault: what it holds, what is not committed, what is wrong.

    \b
    Example:
      mdmem status --json
    """
    from mdmem import hooks

    with opened(vault) as found:
        state = status.survey(found)
        installed = [hook.name for hook in hooks.status(found.repo) if hook.installed]
    if as_json:
        print_json({**state._asdict(), "hooks": installed})
        return
    click.echo(f"vault      {state.root}" + (f"  (on {state.branch})" if state.branch else "  (detached HEAD)"))
    click.echo(f"memories   {state.memories}" + _counted(state.by_status) + _counted(state.by_type))
    click.echo(f"last write {state.last}" if state.last else "last write none yet")
    click.echo(
        f"hooks      {'installed' if len(installed) == len(hooks.NAMES) else 'not installed: mdmem hooks install'}"
    )
    for path in state.uncommitted:
        click.echo(click.style(f"not committed  {safe_line(path)}", fg="yellow"))
    if state.problems:
        click.echo(click.style(f"{state.problems} files have problems: mdmem doctor", fg="red"))


def _counted(counts: dict[str, int]) -> str:
    return (
        "  (" + ", ".join(f"{count} {safe_line(name) or 'untyped'}" for name, count in counts.items()) + ")"
        if counts
        else ""
    )
