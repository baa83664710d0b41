"""What all commands share: options that many take, declared once and given before or after the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from mdmem.cli.aliases import hint_within, suggestion_within
from mdmem.errors import UsageError
from mdmem.note import tsv
from mdmem.note.memory import SENSITIVITIES

_WHOLE_SENTENCE = 500  # characters of a line of help
SHARED = "mdmem.shared"  # key of click's Context.meta: field of Face -> what was given for it


def require_given(name: str, value: Any) -> None:
    """Raise UsageError for an empty text: a script's variable was not set, and nobody means all, or any."""
    if value == "" or (isinstance(value, tuple) and "" in value):
        raise UsageError(f"{name} is empty", "give it a value, or leave it out")


def _shared(field: str, flags: str, metavar: str, how: str, help: str) -> click.Option:
    """An option whose value is kept for a field of Face, beside the values that a command takes itself."""

    def keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
        kept = ctx.meta.setdefault(SHARED, {})  # what follows the command and what is typed count more
        is_typed = ctx.get_parameter_source(str(param.name)) is ParameterSource.COMMANDLINE
        if is_typed:
            require_given(flags.rsplit(maxsplit=1)[-1], value)
        if is_typed or (value and field not in kept):
            kept[field] = value

    forms: dict[str, Any] = {"flag": {"is_flag": True}, "many": {"multiple": True}}
    forms["level"] = {"type": click.Choice(SENSITIVITIES)}
    more = forms.get(how) or {"envvar": how or None}
    names = [*flags.split(), f"face_{field}"]
    return click.Option(names, metavar=metavar or None, help=help, expose_value=False, callback=keep, **more)


VAULT, JSON, *_others = (_shared(*row) for row in tsv.rows(__file__, "shared.tsv", 5))
CLEARANCE, WRITING = _others[:2], _others[2:]
READING = (VAULT, JSON, *CLEARANCE)


class Command(click.Command):
    """Takes the `shared` options beside its own; an own option of the same name stands in for one of them."""

    shared: Sequence[click.Option] = ()
    more: Sequence[click.Parameter] = ()  # that the help only names

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        own = [*super().get_params(ctx), *self.more]
        taken = {word for param in own for word in param.opts}
        return [*own, *(option for option in self.shared if taken.isdisjoint(option.opts))]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))  # it consumes the list
        except click.BadOptionUsage as error:
            error.ctx = ctx  # click leaves it out, and nobody could tell whose help says more
            raise
        except click.NoSuchOption as error:
            hint = hint_within(str(ctx.info_name), error.option_name) or self._of_property(ctx, error.option_name)
            if hint:
                raise UsageError(f"{ctx.command_path} has no {error.option_name}", hint) from None
            dashed = next((text for text in args if text.startswith("-") and len(text.split()) > 1), "")
            if not dashed:
                raise
            hint = "put -- before a text that begins with a dash, or pipe it in"
            raise UsageError(f"'{dashed.split(chr(10))[0]}' is not an option ({error.message})", hint) from None

    def _of_property(self, ctx: click.Context, option: str) -> str:
        """How to say what was meant by an option that is called like a property of memories."""
        from mdmem.note.properties import PROPERTIES

        key = option.lstrip("-").replace("-", "_")
        taken = {word for param in self.get_params(ctx) for word in param.opts}
        way = next((way for way in ("--set", "--where") if way in taken), "")
        return f"it is a property: {way} {key}=VALUE" if way and key in PROPERTIES else ""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        own = [option for option in super().get_params(ctx) if isinstance(option, click.Option)]
        with formatter.section("Options"):
            formatter.write_dl([record for option in own if (record := option.get_help_record(ctx))])
        also = [param.opts[-1] for param in self.get_params(ctx) if param in self.shared]
        if also:
            formatter.write_paragraph()
            formatter.write_text(f"Also {', '.join(also)}: see mdmem --help.")
        if len(self.more) > 1:
            others = ", ".join(param.opts[-1] for param in self.more)
            formatter.write_text(f"Any property is an option, too: {others}.")
        if isinstance(self, click.Group):
            self.format_commands(ctx, formatter)


class Group(Command, click.Group):
    """A group; it takes shared options where it is a command itself, and its help has whole first sentences."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        is_typed = not (ctx.resilient_parsing or args[0].startswith("-"))  # and not completed by a shell
        if is_typed and self.get_command(ctx, args[0]) is None:
            hint = suggestion_within(str(ctx.info_name), args[0], self.list_commands(ctx))
            raise UsageError(f"there is no command {args[0]!r} in {ctx.command_path}", hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, command.get_short_help_str(_WHOLE_SENTENCE)) for name, command in commands if command]
            )
