"""The command `remember`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.line import CommandLine
from mdmem.cli.options import line
from mdmem.cli.output import echo, is_interactive, print_json, standard_input
from mdmem.cli.shared import Command, command
from mdmem.cli.unwritten import offering
from mdmem.cli.values import as_list, properties_of
from mdmem.errors import UsageError
from mdmem.note import properties
from mdmem.note.memory import decode
from mdmem.note.properties import PROPERTIES, Property
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember, succession
from mdmem.write.remember import TWIN_POLICIES, Draft, Remembered

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange

OURS = {
    "id",
    "updated",
    "session",
    "actor",
    "due",
    "branch",
    "code",
}  # set from the caller or the text


_SHOWN = ("type", "title", "tags")  # properties whose options stand in the help


def _property_option(prop: Property) -> click.Option:
    """The option that sets a property, typed as the property is."""
    flags = (
        ["-t", "--tag", "--tags", "tags"]
        if prop.name == "tags"
        else [f"--{prop.name.replace('_', '-')}", prop.name]
    )
    settings: dict[str, Any] = {"help": prop.help[0].upper() + prop.help[1:] + "."}
    if prop.kind == "choice":
        settings["type"] = click.Choice(prop.choices)
    elif prop.kind == "number":
        settings["type"] = click.FloatRange(0, None if prop.high == float("inf") else prop.high)
    elif prop.kind == "flag":
        settings |= {"is_flag": True, "default": None}
    elif prop.kind in ("list", "links"):
        settings |= {"multiple": True, "metavar": "NAME" if prop.kind == "links" else "TEXT"}
    return click.Option(flags, **settings)


_PROPERTIES = {name: _property_option(prop) for name, prop in PROPERTIES.items() if name not in OURS}


class _RememberCommand(Command):
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

    def own_params(self, ctx: click.Context) -> list[click.Parameter]:
        return [*super().own_params(ctx), *(_PROPERTIES[name] for name in _PROPERTIES if name not in _SHOWN)]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        others = [_PROPERTIES[name].opts[-1] for name in _PROPERTIES if name not in _SHOWN]
        formatter.write_text(f"Any property is an option, too: {', '.join(others)}.")


@command("remember", writes=True, cls=_RememberCommand)
@click.argument("words", nargs=-1, metavar="[TEXT]")
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
    _run(line(options.pop("vault")), options)


remember_command.params[1:1] = [_PROPERTIES[name] for name in _SHOWN]


def _run(line: CommandLine, options: dict[str, Any]) -> None:
    """Write a new memory; `options` are the command's parameters by name."""
    if options["edit"]:
        from mdmem.cli.editor import require_editor

        require_editor('pipe the text in, or give it: mdmem remember "..."')
    words, as_json = options["words"], options["as_json"]
    text = " ".join(words) if words else None  # so quotes around the text are optional
    at_hand = text not in (None, "-") and not options["edit"]
    with line.opened(look_ahead=at_hand) as vault, _source(vault, text, options) as source:
        given = succession.resolved(vault, _given_properties(options))
        draft = remember.draft_from(source, given, options["name"], remember.name_rule(vault))
        drafts = _split(remember.placed(draft, line.project(vault)), options["split"], as_json)
        policy = options["twins"] or _twin_policy()
        twins = [remember.weigh_twins(vault, part, policy, _confirm) for part in drafts]
        who = line.writer(vault, options["actor"], options["session"])
        with offering(drafts, who, as_json):
            remembered = _remembered(vault, drafts, who, options["reason"])
        told = {twin.record.path for like in twins for twin in like}
        questions = questions_on(vault, [memory.path for memory in remembered], told, as_json)
    if as_json:
        from mdmem.acts.json.write import remembered_json

        pairs = zip(remembered, twins, strict=True)
        values = [remembered_json(memory, like, questions) for memory, like in pairs]
        print_json({"memories": values} if options["split"] else values[0])
    else:
        for memory in remembered:
            echo(f"remembered {memory.path}  ({memory.commit[:8]})")


def questions_on(
    vault: Vault, paths: Collection[str], apart: Collection[str], as_json: bool
) -> Sequence[MayChange]:
    """What to ask about new memories, see `asking.asked`; told with their commands, unless `as_json`."""
    from mdmem.garden import asking

    questions = asking.asked(vault, paths, apart)
    for one in () if as_json else questions:
        vault.tell(one.advice)
    return questions


def _split(draft: Draft, wanted: bool, as_json: bool) -> list[Draft]:
    """The memories to write: one for each thing the draft says, if `wanted` or agreed to, else the draft."""
    if wanted and (draft.name or remember.OF_ONE & draft.properties.keys()):
        raise UsageError("--split makes a name and a title for each memory", "leave out --name, title and id")
    parts = remember.split(draft)
    if len(parts) == 1 or wanted:
        return parts
    if is_interactive() and not as_json:
        for part in parts:
            echo(f"  {part.title}", err=True)
        import click

        wanted = click.confirm(f"This says {len(parts)} things. Make a memory of each?", err=True)
    return parts if wanted else [draft]


def _remembered(vault: Vault, drafts: list[Draft], who: Caller, reason: str) -> list[Remembered]:
    """Write the drafts in one commit. For a single draft, `remember` also reports if it could be split."""
    if len(drafts) > 1:
        return remember.remember_all(vault, drafts, who, reason)
    return [remember.remember(vault, drafts[0], who, reason)]


@contextmanager
def _source(vault: Vault, text: str | None, options: dict[str, Any]) -> Iterator[str]:
    """The text to remember: the argument, standard input, or what the person writes in an editor.

    Text from an editor is kept until the block has ended without an error.
    """
    if options["edit"]:
        from mdmem.cli.editor import edited
        from mdmem.cli.templates import template_of

        template = template_of(vault, options["type"] or "note", options["title"] or "")
        with edited(vault, "new", template + (text or "").encode("utf-8", "surrogateescape")) as written:
            yield decode(written, "the text")
    elif text in (None, "-"):
        yield standard_input()
    else:
        assert text is not None
        yield text


def _given_properties(options: dict[str, Any]) -> dict[str, Any]:
    """The properties given as options. None has a default, which would override the properties of a whole note."""
    values: dict[str, Any] = {}
    for name in PROPERTIES:
        value = options[name] if name not in OURS else None
        if value in (None, ()):
            continue
        if isinstance(value, tuple):
            items = (item for text in value for item in as_list(properties.read_value(name, text)))
            values[name] = list(dict.fromkeys(items))
        else:
            values[name] = properties.read_value(name, value) if isinstance(value, str) else value
            properties.require_fit(name, values[name])
    return values | properties_of(options["pairs"])


def _twin_policy() -> str:
    """Ask if a person is at the terminal; otherwise refuse to write the same memory twice."""
    return "ask" if is_interactive() else "refuse-same"


def _confirm() -> None:
    import click

    click.confirm("Write it anyway?", abort=True, err=True)
