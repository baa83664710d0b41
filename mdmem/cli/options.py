"""What several commands share: options, the vault and the caller, ways to print."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.globals import resolve_color_default

from mdmem import identity
from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.local import clock
from mdmem.note.properties import SENSITIVITIES as LEVELS
from mdmem.operation import Caller
from mdmem.render.style import Style, plain
from mdmem.text.terminal import safe, safe_json, safe_line

if TYPE_CHECKING:
    from mdmem.vault.several import OpenVaults
    from mdmem.vault.vault import Vault

_LIMIT, _SCOPES = "mdmem.max-sensitivity", "mdmem.scopes"  # where click keeps those options
_INSISTING = "mdmem.allow-secret"  # where click keeps that option
_PARENT = "mdmem.parent-session"
_WHOLE_SENTENCE = 500  # characters
_AT_A_KEYPRESS = 500  # notes that a completion may read where there is no index yet

Command = TypeVar("Command", bound=Callable[..., Any])
now = clock.now


class FullHelpGroup(click.Group):
    """A group whose list of commands shows the first sentence of each as a whole."""

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(_WHOLE_SENTENCE)) for name, command in commands if command]
            )


class DeferredGroup(FullHelpGroup):
    """A group whose commands are imported only to run them: `modules` names the one of each, in `package`."""

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
    """`--vault DIR` on the command itself, as well as before it."""
    return click.option("--vault", metavar="DIR", help="The vault to work in.")(command)


def json_option(command: Command) -> Command:
    """`--json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(command)


def graph_option(command: Command) -> Command:
    """`--format text|dot|mermaid`, as `form`."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "dot", "mermaid"]),
        default="text",
        show_default=True,
        help="As a tree, for Graphviz, or as a Mermaid flowchart.",
    )(command)


def allow_secret_option(command: Command) -> Command:
    """`--allow-secret`, which `caller` reads."""

    def keep(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        ctx.meta[_INSISTING] = value

    text = "Write it even if it seems to hold a password or key."
    return click.option("--allow-secret", is_flag=True, expose_value=False, callback=keep, help=text)(command)


def parent_option(command: Command) -> Command:
    """`--parent-session`, which `caller` reads."""

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
    """`--max-sensitivity`, which `opened` obeys."""
    return click.option(
        "--max-sensitivity",
        type=click.Choice(LEVELS),
        expose_value=False,
        callback=_keep_limit,
        help="Show nothing more sensitive than this. An agent can only ask for less than it may see.",
    )(command)


def clearance_options(command: Command) -> Command:
    """`--max-sensitivity` and `--scope`, which `opened` obeys."""
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
    """Who writes, in which session, and why: they go into the commit; and whether a secret may be written."""
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
    """`--yes`: go on where mdmem would stop before doing harm."""
    return click.option("-y", "--yes", is_flag=True, help="Do it even if it deletes many memories.")(command)


def dry_run_option(command: Command) -> Command:
    """`--dry-run` of a command that takes memories in."""
    return click.option("--dry-run", is_flag=True, help="Only show what would be done.")(command)


@contextmanager
def opened(vault: str | None, look_ahead: bool = False) -> Iterator[Vault]:
    """The vault a command works in, closed at the end.

    With `look_ahead` git compares the files with HEAD already while the rest of the command is loaded.
    """
    from mdmem.git.repo import Repo
    from mdmem.local import place

    outer = click.get_current_context().find_root().obj or {}
    root = os.path.realpath(place.locate(vault or outer.get("vault")))
    with closing(Repo.around(root)) as repo:
        if look_ahead:
            repo.look_ahead()
        from mdmem.vault.vault import Vault

        with Vault(root, tell, repo) as found, found.following():
            found.clear_for(_acting(), *asked_for())
            yield found


@contextmanager
def asked(vault: str | None, look_ahead: bool = False) -> Iterator[Vault | OpenVaults]:
    """The vault that a question goes to, or the vaults, where there are several and none is named."""
    from mdmem.local import place

    outer = click.get_current_context().find_root().obj or {}
    is_named = bool(vault or outer.get("vault"))
    places = None if is_named or not place.may_be_several() else place.several()
    if places is None or not (places.fault or len(places.every) > 1):
        with opened(vault, look_ahead) as alone:
            yield alone
        return
    from mdmem.vault import several

    with several.opened(places, lambda found: found.clear_for(_acting(), *asked_for()), tell) as vaults:
        yield vaults


def _acting() -> str:
    """The agent that runs this command, as it says itself or the environment tells; "" for a person."""
    context = click.get_current_context()
    options = context.command.params
    named = (option.name or "" for option in options if option.envvar == identity.ACTOR)
    return next(
        (str(context.params[name]) for name in named if context.params.get(name)), ""
    ) or identity.actor_of(os.environ)


def is_limit_asked() -> bool:
    """Whether `--max-sensitivity` was given."""
    return bool(asked_for()[0])


def asked_for() -> tuple[str, tuple[str, ...]]:
    """(limit, scopes) of what is to be shown, as asked for on the command line."""
    kept = click.get_current_context().meta
    return kept.get(_LIMIT, ""), tuple(kept.get(_SCOPES, ()))


def caller(actor: str = "", session: str = "") -> Caller:
    """Who asks, now: as given, else as the environment tells. Names are one line, as they stand in commits."""
    actor = actor or identity.actor_of(os.environ)
    session = session or identity.session_of(os.environ)
    context = click.get_current_context(silent=True)
    allow_secret = bool(context and context.meta.get(_INSISTING))
    parent_session, parent_actor = map(safe_line, identity.parent_of(os.environ))
    parent_session = (context.meta.get(_PARENT) if context else "") or parent_session
    return Caller(now(), safe_line(actor), safe_line(session), allow_secret, parent_session, parent_actor)


def unread_json(vaults: Vault | OpenVaults) -> list[dict[str, Any]]:
    """What JSON says of the vaults that gave no answer, after the answers of the others."""
    unread = getattr(vaults, "unread", ())
    if not unread:
        return []
    from mdmem.render.json.upkeep import unread_vault_json

    return [unread_vault_json(each) for each in unread]


def writer(vault: Vault, actor: str = "", session: str = "") -> Caller:
    """Who writes; without a session, in the one that this actor has open."""
    from mdmem.local.sessions import Sessions

    return Sessions(vault.root, vault.repo, vault.tell).joined(caller(actor, session))


def tell(line: str) -> None:
    """A line for the person, beside the output."""
    click.echo(f"mdmem: {safe(line)}", err=True)


def standard_input() -> str:
    """All of standard input. Raises UsageError if it is not UTF-8."""
    if sys.stdin.isatty():
        tell("type the text, then Ctrl-D")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("standard input is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None


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


def print_json(value: Any) -> None:
    """One JSON value, readable, on standard output."""
    click.echo(safe_json(json.dumps(value, indent=2, ensure_ascii=False)))


def style(err: bool = False) -> Style:
    """How standard output (or error) shows what stands out: in colours and bold on a terminal that has them."""
    stream = sys.stderr if err else sys.stdout
    return _coloured if stream.isatty() and resolve_color_default() is not False else plain


def _coloured(text: str, look: str) -> str:
    return click.style(text, **{look: True}) if look in ("bold", "dim") else click.style(text, fg=look)


def print_lines(lines: Iterable[str]) -> None:
    """Lines for a person, on standard output."""
    for line in lines:
        click.echo(line)


def echo_raw(text: str, nl: bool = True) -> None:
    """Text as it is, for programs; a terminal gets it without control characters."""
    click.echo(safe(text) if sys.stdout.isatty() else text, nl=nl)


@contextmanager
def progress(label: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on a terminal's standard error, for work that reports (done, total)."""
    if not sys.stderr.isatty():
        yield lambda done, total: None  # noqa: ARG005
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
    """Report the problems, and exit with 1 if something was left out for one."""
    from mdmem.render.text.notes import problem_lines

    if not as_json:
        for problem in problems:
            click.echo(problem_lines(problem, style(err=True)), err=True)
    if any(problem.severity == "error" for problem in problems):
        raise click.exceptions.Exit(1)


def properties_of(pairs: tuple[str, ...], checked: bool = True) -> dict[str, Any]:
    """`key=value` arguments as property values, `checked` unless the caller checks them. Raises UsageError."""
    from mdmem.note import properties

    found = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise UsageError(f"'{pair}' is not key=value", "write --set confidence=0.9")
        read = properties.read_value if checked else properties.parse_value
        found[key.strip()] = read(key.strip(), text)
    return found


def as_list(value: Any) -> list[Any]:
    """A property value as a list."""
    return value if isinstance(value, list) else [value]


def complete_name(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of memories, for shell completion: as the index was left, for a keypress cannot wait for git.

    Silent: a completion has nobody to report to.
    """
    from mdmem.errors import MdmemError
    from mdmem.vault.vault import Vault

    del param
    try:
        with Vault.open(ctx.params.get("vault") or ctx.find_root().params.get("vault")) as vault:
            index = vault.open_index()
            if not index.count():
                index.catch_up(_AT_A_KEYPRESS)
            return [name for name in vault.seen(index).names() if name.startswith(incomplete)]
    except MdmemError:
        return []
