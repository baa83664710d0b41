"""What commands print."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from mdmem.acts.style import Aside, Raw, Style, plain
from mdmem.note.terminal import safe, safe_json

warnings: list[str] = []  # what the vault that this command opened has told


def is_interactive() -> bool:
    """Whether a person at a terminal can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def show(result: Any, as_json: bool) -> None:
    """Print a result: as JSON, or its lines for a person; what is beside it goes to standard error.

    A JSON object has what the vault told, as `warnings`. What a Raw text controls in a terminal is removed there.
    """
    from mdmem.acts.telling import encode, lines

    if as_json:
        import json

        value = encode(result)
        if warnings and isinstance(value, dict):
            value = {**value, "warnings": warnings}
        click.echo(safe_json(json.dumps(value, indent=2, ensure_ascii=False)))
        return
    for text in lines(result, style()):
        if isinstance(text, Raw):
            click.echo(safe(text) if sys.stdout.isatty() else text, nl=not text.endswith("\n"))
        else:
            click.echo(text, err=isinstance(text, Aside))


def warn(line: str) -> None:
    """Print what a vault tells a person, and keep it for programs, which may read standard output alone."""
    warnings.append(safe(line))
    tell(line)


def tell(line: str) -> None:
    """Print a message for the person to standard error. If nobody reads that any more, the work goes on."""
    try:
        click.echo(f"mdmem: {safe(line)}", err=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def style() -> Style:
    """How to highlight standard output: colours and bold on a terminal that has them, else nothing."""
    from click.globals import resolve_color_default

    return plain if not sys.stdout.isatty() or resolve_color_default() is False else _coloured


def _coloured(text: str, look: str) -> str:
    return click.style(text, **{look: True}) if look in ("bold", "dim") else click.style(text, fg=look)
