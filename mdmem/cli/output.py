"""Input and output of commands; click is loaded only for a person at a terminal."""

from __future__ import annotations

import os
import sys
from typing import Any

from mdmem.acts.style import Style, plain
from mdmem.errors import UsageError
from mdmem.note import patterns
from mdmem.note.terminal import safe, safe_json
from mdmem.store.local import clock

_STYLING = patterns.late(r"\033\[[0-?]*[ -/]*[@-~]")  # escape sequences, which click also strips from piped output

now = clock.now
warnings: list[str] = []  # what the vault that this command opened has told


def is_interactive() -> bool:
    """Whether a person at a terminal can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def is_watched() -> bool:
    """Whether any output may go to a terminal rather than into a pipe or a file."""
    return os.name != "posix" or any(stream is None or stream.isatty() for stream in (sys.stdout, sys.stderr))


def echo(text: str = "", err: bool = False, nl: bool = True) -> None:
    """Print a text, with a newline if `nl`, as `click.echo` does."""
    if is_watched():
        import click

        click.echo(text, err=err, nl=nl)
        return
    stream = sys.stderr if err else sys.stdout
    stream.write((_STYLING.sub("", text) if "\033" in text else text) + "\n" * nl)
    stream.flush()


def report(text: str, err: bool = False) -> None:
    """Print a line about work that goes on. If its reader, such as head, is gone, the work goes on in silence."""
    try:
        echo(text, err=err)
    except BrokenPipeError:
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def echo_raw(text: str, nl: bool = True) -> None:
    """Print a text unchanged, for programs; control characters are removed if the output is a terminal."""
    echo(safe(text) if sys.stdout.isatty() else text, nl=nl)


def print_json(value: Any) -> None:
    """Print one JSON value, indented, to standard output; an object has what the vault told, as `warnings`."""
    import json

    from mdmem.acts.telling import encode

    value = encode(value)
    if warnings and isinstance(value, dict):
        value = {**value, "warnings": warnings}
    echo(safe_json(json.dumps(value, indent=2, ensure_ascii=False)))


def warn(line: str) -> None:
    """Print what a vault tells a person, and keep it for programs, which may read standard output alone."""
    warnings.append(safe(line))
    tell(line)


def tell(line: str) -> None:
    """Print a message for the person to standard error."""
    report(f"mdmem: {safe(line)}", err=True)


def style(err: bool = False) -> Style:
    """How to highlight standard output (or error): colours and bold on a terminal that has them, else nothing."""
    if not (sys.stderr if err else sys.stdout).isatty():
        return plain
    from click.globals import resolve_color_default

    return plain if resolve_color_default() is False else _coloured


def _coloured(text: str, look: str) -> str:
    import click

    return click.style(text, **{look: True}) if look in ("bold", "dim") else click.style(text, fg=look)


def standard_input() -> str:
    """All of standard input. Raises UsageError if it is not UTF-8."""
    if sys.stdin.isatty():
        tell("type the text, then Ctrl-D")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None
