"""What commands share: options, the vault and the caller, and ways to print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mdmem import identity
from mdmem.cli.completing import complete_name
from mdmem.cli.direct.line import CommandLine
from mdmem.cli.direct.output import echo_raw, now, print_json, report, standard_input, style, tell, unread_json
from mdmem.errors import NotFoundError, Problem
from mdmem.note.memory import SENSITIVITIES as LEVELS
from mdmem.operation import Caller
from mdmem.progress import silent

if TYPE_CHECKING:
    from mdmem.vault.several import OpenVaults
    from mdmem.vault.vault import Vault

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
    "unread_json",
]

_LIMIT, _SCOPES = "mdmem.max-sensitivity", "mdmem.scopes"  # keys of these options in click's Context.meta
_INSISTING = "mdmem.allow-secret"  # key of this option there
_PARENT = "mdmem.parent-session"
_WHOLE_SENTENCE = 500  # characters

Command = TypeVar("Command", bound=Callable[..., Any])


class FullHelpGroup(click.Group):
    """A group whose help shows the whole first sentence of each command."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_typed = not (ctx.resilient_parsing or args[0].startswith("-"))  # and not completed by a shell
        if is_typed and self.get_command(ctx, args[0]) is None:
            from mdmem.cli.aliases import suggestion_within

            hint = suggestion_within(str(ctx.info_name), args[0], self.list_commands(ctx))
            ctx.fail(f"There is no command {args[0]!r} in {ctx.command_path}. {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(_WHOLE_SENTENCE)) for name, command in commands if command]
            )


class DeferredGroup(FullHelpGroup):
    """A group whose commands are imported only to run them; `modules` maps a command to a module in `package`."""

    def __init__(self, *args: Any, package: str, modules: Mapping[str, str], **options: Any) -> None:
        super().__init__(*args, **options)
        self._package, self._modules = package, modules

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(self._modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in self._modules:
            return None
        module = import_module(f"{self._package}.{self._modules[cmd_name]}")
        command = getattr(module, cmd_name + "_command")
        assert isinstance(command, click.Command)
        return command


def vault_option(command: Command) -> Command:
    """`--vault DIR` after the command; the group takes it before the command as well."""
    return click.option("--vault", metavar="DIR", help="The vault to work in, or its listed name.")(command)


def json_option(command: Command) -> Command:
    """The option `--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def graph_option(command: Command) -> Command:
    """The option `--format text|dot|mermaid`, as the parameter `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "dot", "mermaid"]),
        default="text",
        show_default=True,
        help="As a tree, for Graphviz, or as a Mermaid flowchart.",
    )(command)


def allow_secret_option(command: Command) -> Command:
    """The option `--allow-secret`, which `caller` obeys."""

    def keep(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        ctx.meta[_INSISTING] = value

    text = "Allow what looks like a password or key."
    return click.option("--allow-secret", is_flag=True, expose_value=False, callback=keep, help=text)(command)


def parent_option(command: Command) -> Command:
    """The option `--parent-session`, which `caller` obeys."""

    def keep(ctx: click.Context, _: click.Parameter, value: str) -> None:
        ctx.meta[_PARENT] = value

    return click.option(
        "--parent-session",
        metavar="ID",
        default="",
        expose_value=False,
        callback=keep,
        help="Session of the agent that a subagent works for. Default: $MDMEM_PARENT_SESSION.",
    )(command)


def _keep_limit(ctx: click.Context, _: click.Parameter, value: str | None) -> None:
    if value:
        ctx.meta[_LIMIT] = value


def _keep_scopes(ctx: click.Context, _: click.Parameter, value: tuple[str, ...]) -> None:
    if value:
        ctx.meta[_SCOPES] = value


def sensitivity_option(command: Command) -> Command:
    """The option `--max-sensitivity`, which `opened` obeys."""
    return click.option(
        "--max-sensitivity",
        type=click.Choice(LEVELS),
        expose_value=False,
        callback=_keep_limit,
        help="Show or send nothing more sensitive than this. An agent can only ask for less than it may see.",
    )(command)


def clearance_options(command: Command) -> Command:
    """The options `--max-sensitivity` and `--scope`, which `opened` obeys."""
    scope = click.option(
        "--scope",
        multiple=True,
        metavar="NAME",
        expose_value=False,
        callback=_keep_scopes,
        help="Only memories of this scope, and those of none; may be repeated.",
    )
    return sensitivity_option(scope(command))


def writing_options(command: Command) -> Command:
    """Who writes, in which session and why, all recorded in the commit; and whether a secret may be written."""
    for option in (
        allow_secret_option,
        parent_option,
        click.option("-m", "--reason", default="", help="Why; goes into the commit."),
        click.option("--session", envvar="MDMEM_SESSION", default="", help="Id of the conversation."),
        click.option(
            "--actor",
            envvar="MDMEM_ACTOR",
            default="",
            help="Name of the agent. Default: as the agent is recognised, else git's user.",
        ),
    ):
        command = option(command)
    return command


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
    named = (option.name or "" for option in context.command.params if option.envvar == identity.ACTOR)
    actor = next((str(context.params[name]) for name in named if context.params.get(name)), "")
    kept = context.meta
    return CommandLine(
        vault=vault or outer.get("vault"),
        actor=actor,
        limit=kept.get(_LIMIT, ""),
        scopes=tuple(kept.get(_SCOPES, ())),
        allow_secret=bool(kept.get(_INSISTING)),
        parent_session=kept.get(_PARENT) or "",
    )


def opened(vault: str | None, look_ahead: bool = False) -> AbstractContextManager[Vault]:
    """The vault that a command works in, closed at the end; see `CommandLine.opened`."""
    return line(vault).opened(look_ahead)


def asked(vault: str | None) -> AbstractContextManager[Vault | OpenVaults]:
    """The vault or vaults to search; see `CommandLine.asked`."""
    return line(vault).asked()


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
    from mdmem.render.text.notes import problem_lines

    if not as_json:
        for problem in problems:
            click.echo(problem_lines(problem, style(err=True)), err=True)
    if any(problem.severity == "error" for problem in problems):
        raise click.exceptions.Exit(1)
