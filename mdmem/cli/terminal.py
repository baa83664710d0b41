"""The face of a command line: the vault and the caller that it names, the person there, what is printed."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem.acts.face import EDITOR, Face, GivenUpError
from mdmem.acts.style import Aside, Raw, Style, plain
from mdmem.acts.telling import encode, lines
from mdmem.cli.shared import SHARED
from mdmem.errors import MdmemError, UsageError
from mdmem.note.terminal import safe, safe_json

_TOLD = "mdmem.warnings"  # key of Context.meta for what the vault that this command opened has told


def is_interactive() -> bool:
    """Whether a person at a terminal can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def show(result: Any, as_json: bool) -> None:
    """Print a result: as JSON, or its lines for a person; what is beside it goes to standard error.

    A JSON object has what the vault told, as `warnings`. What a Raw text controls in a terminal is removed there.
    """
    if as_json and getattr(result, "is_streamed", False):
        for text in _array(result.json()):
            click.echo(safe_json(text), nl=False)
        return
    if as_json:
        value = encode(result)
        warnings = click.get_current_context().meta.get(_TOLD)
        if warnings and isinstance(value, dict):
            value = {**value, "warnings": warnings}
        click.echo(safe_json(json.dumps(value, indent=2, ensure_ascii=False)))
        return
    for text in lines(result, style()):
        if isinstance(text, Raw):
            click.echo(safe(text) if sys.stdout.isatty() else text, nl=not text.endswith("\n"))
        else:
            click.echo(text, err=isinstance(text, Aside))


def _array(items: Iterable[Any]) -> Iterator[str]:
    """The text of a JSON array as `json.dumps` writes it, of which one item at a time is in memory."""
    begin = "["
    for item in items:
        alone = json.dumps([encode(item)], indent=2, ensure_ascii=False)
        yield begin + alone.removeprefix("[").removesuffix("\n]")
        begin = ","
    yield "[]\n" if begin == "[" else "\n]\n"


def style() -> Style:
    """How to highlight standard output: colours and bold on a terminal that has them, else nothing."""
    from click.globals import resolve_color_default

    return plain if not sys.stdout.isatty() or resolve_color_default() is False else _coloured


def _coloured(text: str, look: str) -> str:
    return click.style(text, **{look: True}) if look in ("bold", "dim") else click.style(text, fg=look)


class Terminal(Face):
    """A command line, with the person who typed it, unless the result is for a program."""

    __slots__ = ()

    @property
    def is_there(self) -> bool:
        return is_interactive() and not self.as_json

    @property
    def style(self) -> Style:
        return style()

    def say(self, line: str, look: str = "") -> None:
        click.echo(self.style(line, look) if look else line)

    def tell(self, line: str) -> None:
        try:
            click.echo(f"mdmem: {safe(line)}", err=True)
        except BrokenPipeError:  # nobody reads that any more, and the work goes on
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())

    def warn(self, line: str) -> None:  # kept, too, for programs, which may read standard output alone
        click.get_current_context().meta.setdefault(_TOLD, []).append(safe(line))
        self.tell(line)

    def show(self, result: Any, is_news: bool = True) -> None:
        if self.as_json:
            click.echo(safe_json(json.dumps(encode(result), ensure_ascii=False)))
        elif is_news:
            show(result, False)

    def ask(self, question: str) -> str:
        try:
            return str(click.prompt(self.style(question, "cyan"), default="", show_default=False))
        except click.Abort:
            click.echo()
            raise GivenUpError("Stopped; nothing was changed.") from None

    def secret(self, question: str) -> str:
        if sys.stdin.isatty():
            return str(click.prompt(question, hide_input=True, err=True))
        return self.text()

    def agrees(self, question: str) -> bool:
        return self.is_there and click.confirm(question, err=True)

    def edit(self, path: str) -> None:
        try:
            click.edit(filename=path, editor=os.environ.get(EDITOR))
        except click.ClickException as error:
            raise MdmemError(error.message) from None

    def opens(self, link: str) -> bool:
        return click.launch(link) == 0

    def data(self) -> bytes:
        if sys.stdin.isatty():
            self.tell("type the text, then Ctrl-D")
        return sys.stdin.buffer.read()

    def text(self) -> str:
        try:
            return self.data().decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError("standard input is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None


def face() -> Terminal:
    """The face with what was given so far, before and after the command."""
    return Terminal(**click.get_current_context().meta.get(SHARED, {}))


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error if that is a terminal, for work that reports (done, total)."""
    bar: Any = None

    def report(done: int, total: int) -> None:
        nonlocal bar
        if bar is None and sys.stderr.isatty():
            bar = click.progressbar(length=total, label=label, file=sys.stderr)
        if bar is not None:
            bar.update(done - bar.pos)

    yield report
    if bar is not None:
        bar.render_finish()
