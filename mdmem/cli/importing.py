"""The command `import`, whose help is that of the format, if one is named, else lists the formats."""

from __future__ import annotations

import click

from mdmem.acts import exchange
from mdmem.cli.shared import Command

_NAMED = "mdmem.import.format"  # key of the format in Context.meta


class ImportCommand(Command):
    """A command that helps with the format that is named before `--help`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_NAMED] = next((word for word in args if word in exchange.formats()), "")
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.meta.get(_NAMED):
            click.Command(None, help=exchange.formats()[ctx.meta[_NAMED]]).format_help_text(ctx, formatter)
            return
        super().format_help_text(ctx, formatter)
        with formatter.section("Formats"):
            formatter.write_dl([(name, help.partition("\n\n")[0]) for name, help in exchange.formats().items()])
