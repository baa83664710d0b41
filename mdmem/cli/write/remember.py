"""The command `remember`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem.cli.editor import edited, is_interactive, require_editor
from mdmem.cli.options import (
    as_list,
    json_option,
    opened,
    print_json,
    properties_of,
    standard_input,
    vault_option,
    writer,
    writing_options,
)
from mdmem.cli.templates import template_of
from mdmem.cli.unwritten import offering
from mdmem.errors import UsageError
from mdmem.note import properties
from mdmem.note.memory import decode
from mdmem.note.properties import PROPERTIES
from mdmem.operation import Caller
from mdmem.render.json.write import remembered_json
from mdmem.vault.vault import Vault
from mdmem.write import remember, succession
from mdmem.write.remember import Draft, Remembered
from mdmem.write.titles import title_of

_OURS = {"id", "updated", "session", "actor"}  # what mdmem writes itself, or who writes says


def property_options(command: Any) -> Any:
    """An option for each property of the table except those that mdmem writes itself."""
    for prop in reversed(PROPERTIES.values()):
        if prop.name in _OURS:
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
    """A command whose argument is a text: for one that begins with a dash the error says how to pass it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))  # it eats them
        except click.NoSuchOption as error:
            if error.option_name == "--rename":
                hint = "mdmem rename NAME NEW_NAME renames one; --name says what a new one is called"
                raise UsageError("remember writes a new memory, and renames none", hint) from None
            dashed = next((text for text in args if text.startswith("-") and len(text.split()) > 1), "")
            if not dashed:
                raise
            hint = "put -- before a text that begins with a dash, or pipe it in"
            raise UsageError(f"'{dashed.split(chr(10))[0]}' is not an option ({error.message})", hint) from None

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the command first, then those that set a property."""
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
    type=click.Choice(remember.TWIN_POLICIES),
    help="What to do about an existing near-duplicate. Default: ask on a terminal, else refuse-same: from 97 %.",
)
@click.option("--split", is_flag=True, help="Of a text that says several things, make a memory of each.")
@writing_options
@vault_option
@json_option
def remember_command(words: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
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
    if options["edit"]:
        require_editor('pipe the text in, or give it: mdmem remember "..."')
    text = " ".join(words) if words else None  # quotes around it are welcome, and not needed
    at_hand = text not in (None, "-") and not options["edit"]
    with opened(vault, look_ahead=at_hand) as found, _source(found, text, options) as source:
        given = succession.resolved(found, _given_properties(options))
        draft = remember.draft_from(source, given, options["name"], remember.name_rule(found))
        drafts = _split(draft, options["split"], as_json)
        policy = options["twins"] or _twin_policy()
        twins = [remember.weigh_twins(found, one, policy, _confirm) for one in drafts]
        who = writer(found, options["actor"], options["session"])
        with offering(drafts, who, as_json):
            done = _remembered(found, drafts, who, options["reason"])
    if as_json:
        values = [remembered_json(*one) for one in zip(done, twins, strict=True)]
        print_json({"memories": values} if options["split"] else values[0])
    else:
        for one in done:
            click.echo(f"remembered {one.path}  ({one.commit[:8]})")


def _split(draft: Draft, wanted: bool, as_json: bool) -> list[Draft]:
    """The memories to write of a draft: one for each thing that it says, if the person wants that."""
    if wanted and (draft.name or remember.OF_ONE & draft.properties.keys()):
        raise UsageError("--split makes a name and a title for each memory", "leave out --name, title and id")
    apart = remember.split(draft)
    if len(apart) == 1 or wanted:
        return apart
    if is_interactive() and not as_json:
        for one in apart:
            click.echo(f"  {title_of(one.text)}", err=True)
        wanted = click.confirm(f"This says {len(apart)} things. Make a memory of each?", err=True)
    return apart if wanted else [draft]


def _remembered(vault: Vault, drafts: list[Draft], who: Caller, reason: str) -> list[Remembered]:
    """Write the drafts, one commit; of a single one `remember` also tells that it could be split."""
    if len(drafts) > 1:
        return remember.remember_all(vault, drafts, who, reason)
    return [remember.remember(vault, drafts[0], who, reason)]


@contextmanager
def _source(vault: Vault, text: str | None, options: dict[str, Any]) -> Iterator[str]:
    """The text to remember, from where the person says. One typed in an editor stays until the block is done."""
    if options["edit"]:
        template = template_of(vault, options["type"] or "note", options["title"] or "")
        with edited(vault, "new", template + (text or "").encode("utf-8", "surrogateescape")) as written:
            yield decode(written, "the text")
    elif text in (None, "-"):
        yield standard_input()
    else:
        assert text is not None
        yield text


def _given_properties(options: dict[str, Any]) -> dict[str, Any]:
    """The properties that options say; a default does not override what a note or template has written."""
    found: dict[str, Any] = {}
    source = click.get_current_context().get_parameter_source
    for name in PROPERTIES:
        value = options[name] if name not in _OURS else None
        if value in (None, ()) or source(name) is click.core.ParameterSource.DEFAULT:
            continue
        if isinstance(value, tuple):
            items = (item for text in value for item in as_list(properties.read_value(name, text)))
            found[name] = list(dict.fromkeys(items))
        else:
            found[name] = properties.read_value(name, value) if isinstance(value, str) else value
            properties.require_fit(name, found[name])
    return found | properties_of(options["pairs"])


def _twin_policy() -> str:
    """Ask a person at a terminal; anyone else writes no memory twice."""
    return "ask" if is_interactive() else "refuse-same"


def _confirm() -> None:
    click.confirm("Write it anyway?", abort=True, err=True)
