"""What commands share: options, the vault and the caller, and ways to print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mdmem.cli.completing import complete_name
from mdmem.cli.line import CommandLine
from mdmem.cli.output import echo_raw, now, print_json, report, standard_input, style, tell
from mdmem.cli.shared import INSISTING, LIMIT, PARENT, SCOPES
from mdmem.errors import NotFoundError, Problem
from mdmem.store import identity
from mdmem.store.operation import Caller
from mdmem.store.progress import silent

if TYPE_CHECKING:
    from mdmem.store.vault.vault import Vault

# Commands import these from here, though they are defined in modules that do not load click.
__all__ = [
    "complete_name",
    "echo_raw",
    "now",
    "print_json",
    "report",
    "standard_input",
    "style",
    "tell",
]

Command = TypeVar("Command", bound=Callable[..., Any])


def yes_option(command: Command) -> Command:
    """The option `--yes`: go on where mdmem would stop before doing harm."""
    return click.option("-y", "--yes", is_flag=True, help="Do it even if it deletes many memories.")(command)


def dry_run_option(command: Command) -> Command:
    """The option `--dry-run`."""
    return click.option("--dry-run", is_flag=True, help="Only show what would be done.")(command)


def line(vault: str | None = None) -> CommandLine:
    """The options that click has parsed so far, and the vault given to this command."""
    context = click.get_current_context(silent=True)
    if context is None:
        return CommandLine(vault)
    outer = context.find_root().obj or {}
    named = (
        option.name or "" for option in context.command.get_params(context) if option.envvar == identity.ACTOR
    )
    actor = next((str(context.params[name]) for name in named if context.params.get(name)), "")
    kept = context.meta
    return CommandLine(
        vault=vault or outer.get("vault"),
        actor=actor,
        limit=kept.get(LIMIT, ""),
        scopes=tuple(kept.get(SCOPES, ())),
        allow_secret=bool(kept.get(INSISTING)),
        parent_session=kept.get(PARENT) or "",
    )


def opened(vault: str | None, look_ahead: bool = False) -> AbstractContextManager[Vault]:
    """The vault that a command works in, closed at the end; see `CommandLine.opened`."""
    return line(vault).opened(look_ahead)


def is_limit_asked() -> bool:
    """Whether `--max-sensitivity` was given."""
    return bool(line().limit)


def asked_for() -> tuple[str, tuple[str, ...]]:
    """(limit, scopes) that the command line asks for."""
    asking = line()
    return asking.limit, asking.scopes


def caller(actor: str = "", session: str = "") -> Caller:
    """Who asks, now; see `CommandLine.caller`."""
    return line().caller(actor, session)


def writer(vault: Vault, actor: str = "", session: str = "") -> Caller:
    """Who writes; see `CommandLine.writer`."""
    return line().writer(vault, actor, session)


def read_text(file: str) -> str:
    """The text of a file, or of standard input for "-". Raises NotFoundError, NoteError."""
    from mdmem.note.memory import decode_any

    if file == "-":
        return standard_input()
    try:
        with open(file, "rb") as source:
            return decode_any(source.read(), file)
    except OSError as error:
        raise NotFoundError(f"{file} cannot be read: {error.strerror}") from None


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for a person to standard output."""
    for line in lines:
        click.echo(line)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error if that is a terminal, for work that reports (done, total)."""
    if not sys.stderr.isatty():
        yield silent
        return
    bar: Any = None

    def report(done: int, total: int) -> None:
        nonlocal bar
        if bar is None:
            bar = click.progressbar(length=total, label=label, file=sys.stderr)
        bar.update(done - bar.pos)

    yield report
    if bar is not None:
        bar.render_finish()


def end_with(problems: tuple[Problem, ...], as_json: bool) -> None:
    """Report the problems, and exit with 1 if any of them is an error."""
    from mdmem.acts.text.notes import problem_lines

    if not as_json:
        for problem in problems:
            click.echo(problem_lines(problem, style(err=True)), err=True)
    if any(problem.severity == "error" for problem in problems):
        raise click.exceptions.Exit(1)
