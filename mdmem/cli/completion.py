"""The command `completion`."""

from __future__ import annotations

import os
from typing import Annotated

import click

SHELLS = ("bash", "zsh", "fish")


def completion(shell: Annotated[str, SHELLS], *, install: bool = False) -> None:
    """Print the completion script for your shell.

    \b
    Examples:
      mdmem completion bash --install
      mdmem completion zsh >> ~/.zshrc
    """
    from click.shell_completion import get_completion_class

    root = click.get_current_context().find_root().command
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(root, {}, "mdmem", "_MDMEM_COMPLETE").source()
    if not install:
        click.echo(script)
        return
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    place = {
        "bash": f"{data}/bash-completion/completions/mdmem",
        "zsh": f"{data}/zsh/site-functions/_mdmem",
        "fish": f"{config}/fish/completions/mdmem.fish",
    }[shell]
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w", encoding="utf-8", newline="\n") as file:
        file.write(script)
    click.echo(f"wrote {place}")
    if shell == "zsh":
        click.echo(f"if it is not there already, above compinit in ~/.zshrc: fpath+=({os.path.dirname(place)})")
