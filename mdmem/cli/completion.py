"""The command `completion`."""

from __future__ import annotations

import click

from mdmem.cli.shared import Command


@click.command("completion", cls=Command)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script for your shell.

    \b
    Examples:
      mdmem completion bash >> ~/.bashrc
      mdmem completion zsh >> ~/.zshrc
      mdmem completion fish > ~/.config/fish/completions/mdmem.fish
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(root, {}, "mdmem", "_MDMEM_COMPLETE").source())
