"""The command `remember`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.direct import remember
from mdmem.cli.direct.remember import OURS
from mdmem.cli.options import json_option, line, vault_option, writing_options
from mdmem.errors import UsageError
from mdmem.note.properties import PROPERTIES
from mdmem.write.remember import TWIN_POLICIES


def property_options(command: Any) -> Any:
    """An option for each known property except those that mdmem sets itself."""
    for prop in reversed(PROPERTIES.values()):
        if prop.name in OURS:
            continue
        flags = [f"--{prop.name.replace('_', '-')}", prop.name]
        settings: dict[str, Any] = {"help": prop.help[0].upper() + prop.help[1:] + "."}
        if prop.kind == "choice":
            settings["type"] = click.Choice(prop.choices)
        elif prop.kind == "number":
            settings["type"] = click.FloatRange(prop.low, None if prop.high == float("inf") else prop.high)
        elif prop.kind == "flag":
            settings |= {"is_flag": True, "default": None}
        elif prop.kind in ("list", "links"):
            settings |= {"multiple": True, "metavar": "NAME" if prop.kind == "links" else "TEXT"}
            flags = ["-t", "--tag", "--tags", "tags"] if prop.name == "tags" else flags
        command = click.option(*flags, cls=_PropertyOption, **settings)(command)
    return command


class _PropertyOption(click.Option):
    """An option that sets a property of the memory; the help lists these below the others."""


class _RememberCommand(click.Command):
    """A command whose argument is a text. If that begins with a dash, the error says how to pass it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))  # it consumes the list
        except click.NoSuchOption as error:
            if error.option_name == "--rename":
                hint = "mdmem rename NAME NEW_NAME renames one; --name says what a new one is called"
                raise UsageError("remember writes a new memory; it does not rename one", hint) from None
            dashed = next((text for text in args if text.startswith("-") and len(text.split()) > 1), "")
            if not dashed:
                raise
            hint = "put -- before a text that begins with a dash, or pipe it in"
            raise UsageError(f"'{dashed.split(chr(10))[0]}' is not an option ({error.message})", hint) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the command's own options first, then those that set a property."""
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        for heading, of_properties in (("Options", False), ("Properties of the memory", True)):
            chosen = [option for option in options if isinstance(option, _PropertyOption) is of_properties]
            records = [record for option in chosen if (record := option.get_help_record(ctx))]
            with formatter.section(heading):
                formatter.write_dl(records)


@click.command("remember", cls=_RememberCommand)
@click.argument("words", nargs=-1, metavar="[TEXT]")
@property_options
@click.option(
    "--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the title."
)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Any other property.")
@click.option("-e", "--edit", is_flag=True, help="Write it in $EDITOR, from the template of its type.")
@click.option(
    "--twins",
    type=click.Choice(TWIN_POLICIES),
    help="What to do about an existing near-duplicate. Default: ask on a terminal, else refuse-same: from 97 %.",
)
@click.option("--split", is_flag=True, help="Of a text that says several things, make a memory of each.")
@writing_options
@vault_option
@json_option
def remember_command(**options: Any) -> None:
    """Write a new memory, as one file and one commit.

    TEXT is the memory; "-" or nothing reads it from standard input. It may be a whole note with its
    properties on top. Existing near-duplicates are
    shown before anything is written. A text that says several things is better split: --split does so, at
    a terminal mdmem asks.

    \b
    Examples:
      mdmem remember "User prefers tables over prose" --type preference -t formatting
      git log -1 --format=%B | mdmem remember --title "Why the cache went" -t cache
      mdmem remember --edit --type decision
    """
    remember.run(line(options.pop("vault")), options)
