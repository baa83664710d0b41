"""Options that many commands take: declared and explained once, given before or after the command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mdmem.note.memory import SENSITIVITIES
from mdmem.store import identity

_WHOLE_SENTENCE = 500  # characters of a line of help
# keys of click's Context.meta, for values that a command is not given itself; `options.line` reads them
LIMIT, SCOPES, INSISTING, PARENT = "mdmem.limit", "mdmem.scopes", "mdmem.allow-secret", "mdmem.parent-session"


def _kept(key: str) -> Callable[[click.Context, click.Parameter, Any], None]:
    """A callback that keeps a value that was given under a key of Context.meta."""

    def keep(ctx: click.Context, _: click.Parameter, value: Any) -> None:
        if value:
            ctx.meta[key] = value

    return keep


VAULT = click.Option(["--vault"], metavar="DIR", help="The vault to work in, or its listed name.")
JSON = click.Option(["--json", "as_json"], is_flag=True, help="Print JSON.")
CLEARANCE = (
    click.Option(
        ["--max-sensitivity"],
        type=click.Choice(SENSITIVITIES),
        expose_value=False,
        callback=_kept(LIMIT),
        help="Show or send nothing more sensitive than this. An agent can only ask for less than it may see.",
    ),
    click.Option(
        ["--scope"],
        multiple=True,
        metavar="NAME",
        expose_value=False,
        callback=_kept(SCOPES),
        help="Only memories of this scope, and those of none; may be repeated.",
    ),
)
WRITING = (
    click.Option(
        ["--actor"],
        envvar=identity.ACTOR,
        default="",
        help="Name of the agent. Default: as the agent is recognised, else git's user.",
    ),
    click.Option(["--session"], envvar=identity.SESSION, default="", help="Id of the conversation."),
    click.Option(["-m", "--reason"], default="", help="Why; goes into the commit."),
    click.Option(
        ["--parent-session"],
        metavar="ID",
        expose_value=False,
        callback=_kept(PARENT),
        help="Session of the agent that a subagent works for. Default: $MDMEM_PARENT_SESSION.",
    ),
    click.Option(
        ["--allow-secret"],
        is_flag=True,
        expose_value=False,
        callback=_kept(INSISTING),
        help="Allow what looks like a password or key.",
    ),
)
READING = (VAULT, JSON, *CLEARANCE)


if TYPE_CHECKING:
    _Base = click.Command
else:
    _Base = object


class _Sharing(_Base):
    """Takes the `shared` options beside its own; an own option of the same name stands in for one of them."""

    shared: Sequence[click.Option] = ()

    def own_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The command's own parameters, and those that stand in for shared ones."""
        return super().get_params(ctx)

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = self.own_params(ctx)
        taken = {word for param in own for word in param.opts}
        return [*own, *(option for option in self.shared if taken.isdisjoint(option.opts))]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        rest = super().parse_args(ctx, args)
        outer = ctx.find_root()
        for name in (option.name for option in self.shared if option in self.get_params(ctx)):
            if _is_given(outer, name) and not _is_given(ctx, name) and name in ctx.params:
                ctx.params[name] = outer.params[name]
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [option for option in super().get_params(ctx) if isinstance(option, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl([record for option in own if (record := option.get_help_record(ctx))])
        also = [param.opts[-1] for param in self.get_params(ctx) if param in self.shared]
        if also:
            formatter.write_paragraph()
            formatter.write_text(f"Also {', '.join(also)}: see mdmem --help.")
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


def _is_given(ctx: click.Context, name: str | None) -> bool:
    return name is not None and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


class Command(_Sharing, click.Command):
    """A command that takes shared options."""


class Group(_Sharing, click.Group):
    """A group; it takes shared options where it is a command itself, and its help has whole first sentences."""

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

    def command(self, name: str, **settings: Any) -> Callable[[Callable[..., Any]], Command]:  # type: ignore[override]
        """Make a command of the group; see `command`."""

        def added(function: Callable[..., Any]) -> Command:
            made = command(name, **settings)(function)
            self.add_command(made)
            return made

        return added


def command(
    name: str,
    *,
    vault: bool = True,
    json: bool = True,
    writes: bool = False,
    cls: type[Command] = Command,
    **settings: Any,
) -> Callable[[Callable[..., Any]], Command]:
    """Make a command of a function that is given `vault`, `as_json` and, if it `writes`, actor, session, reason.

    `vault` and `json` are off for commands without one; `settings` are those of click.
    """

    def made(function: Callable[..., Any]) -> Command:
        result = click.command(name, cls=cls, **settings)(function)
        result.shared = _options(vault, json, writes)
        return result

    return made


def group(
    name: str, *, vault: bool = True, json: bool = True, cls: type[Group] = Group, **settings: Any
) -> Callable[[Callable[..., Any]], Group]:
    """Make a group of a function; one that is a command itself (`invoke_without_command`) takes shared options."""

    def made(function: Callable[..., Any]) -> Group:
        result = click.group(name, cls=cls, **settings)(function)
        result.shared = _options(vault, json, False) if settings.get("invoke_without_command") else ()
        return result

    return made


def _options(vault: bool, json: bool, writes: bool) -> tuple[click.Option, ...]:
    about_vault = (VAULT, *CLEARANCE) if vault else ()
    return (*about_vault, *((JSON,) if json else ()), *(WRITING if writes else ()))
