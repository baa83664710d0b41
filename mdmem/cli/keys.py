"""Questions that a person answers with a letter."""

from __future__ import annotations

import click


def pressed(keys: str) -> str:
    """The first letter of what the person typed, "" for none; Ctrl-C and Ctrl-D quit ("q")."""
    try:
        answer: str = click.prompt(click.style(keys, fg="cyan"), default="", show_default=False)
    except click.Abort:
        click.echo()
        return "q"
    return answer.strip().lower()[:1]
