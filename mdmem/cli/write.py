"""Commands that write memories: remember, edit, update, adopt, rename, forget."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem import render
from mdmem.cli.editor import edited
from mdmem.cli.options import (
    caller,
    complete_name,
    json_option,
    opened,
    print_json,
    properties_of,
    standard_input,
    tell,
    vault_option,
    writing_options,
    yes_option,
)
from mdmem.errors import UsageError
from mdmem.note import properties
from mdmem.note.memory import decode
from mdmem.note.properties import PROPERTIES
from mdmem.recall import lookup
from mdmem.vault.vault import Vault
from mdmem.write import edit as notes
from mdmem.write import remember, rename

_OURS = {"id", "updated", "session", "actor"}  # what mdmem writes itself, or who writes says


def property_options(command: Any) -> Any:
    """An option for each property of the table, but those that are mdmem's own to write."""
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
            flags = ["-t", "--tag", "tags"] if prop.name == "tags" else flags
        command = click.option(*flags, **settings)(command)
    return command


class _TextCommand(click.Command):
    """A command whose argument is a text: one that begins with a dash is told how to pass."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, list(args))  # it eats them
        except click.NoSuchOption as error:
            dashed = next((text for text in args if text.startswith("-") and len(text.split()) > 1), "")
            if not dashed:
                raise
            hint = "put -- before a text that begins with a dash, or pipe it in"
            raise UsageError(f"'{dashed.split(chr(10))[0]}' is no option ({error.message})", hint) from None


@click.command("remember", cls=_TextCommand)
@click.argument("text", required=False)
@property_options
@click.option(
    "--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the title."
)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Any other property.")
@click.option("-e", "--edit", is_flag=True, help="Write it in $EDITOR, from the template of its type.")
@click.option(
    "--twins",
    type=click.Choice(["ask", "warn", "refuse", "ignore"]),
    help="What to do if a memory says nearly the same. Default: ask on a terminal, else warn.",
)
@writing_options
@vault_option
@json_option
def remember_command(text: str | None, vault: str | None, as_json: bool, **options: Any) -> None:
    """Write a new memory, as one file and one commit.

    TEXT is the memory; "-" or nothing reads it from standard input. It may be a whole note with its
    properties on top. Near twins that are there already are shown before anything is written.

    \b
    Examples:
      mdmem remember "User prefers tables over prose" --type preference -t formatting
      git log -1 --format=%B | mdmem remember --title "Why the cache went" -t cache
      mdmem remember --edit --type decision
    """
    at_hand = text not in (None, "-") and not options["edit"]
    with opened(vault, look_ahead=at_hand) as found, _source(found, text, options) as source:
        draft = remember.draft_from(source, _given_properties(options), options["name"])
        twins = [] if options["twins"] == "ignore" else remember.near_twins(found, draft)
        _weigh(twins, options["twins"])
        who = caller(options["actor"], options["session"])
        done = remember.remember(found, draft, who, options["reason"])
    if as_json:
        near = [
            {"name": twin.record.name, "path": twin.record.path, "score": round(twin.score, 3)} for twin in twins
        ]
        name = os.path.basename(done.path).removesuffix(".md")
        print_json({"name": name, **done._asdict(), "twins": near})
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")


@contextmanager
def _source(vault: Vault, text: str | None, options: dict[str, Any]) -> Iterator[str]:
    """The text to remember, from where the person says. One typed in an editor stays until the block is done."""
    if options["edit"]:
        template = _template(vault, options["type"] or "note", options["title"] or "")
        with edited(vault, "new", template + (text or "").encode("utf-8", "surrogateescape")) as written:
            yield decode(written, "the text")
    elif text in (None, "-"):
        yield standard_input()
    else:
        assert text is not None
        yield text


def _template(vault: Vault, type_: str, title: str) -> bytes:
    """The template of that type, filled in: the vault's own, or the one that ships with mdmem."""
    from mdmem.vault import starter

    own = os.path.join(vault.root, vault.config.templates, f"{type_}.md")
    template = own if os.path.isfile(own) else os.path.join(starter.share("templates"), f"{type_}.md")
    with open(template, "rb") as file:
        return starter.fill(decode(file.read(), template), title, caller().now).encode()


def _given_properties(options: dict[str, Any]) -> dict[str, Any]:
    """The properties that options say; a default does not override what a note or template has written."""
    found: dict[str, Any] = {}
    source = click.get_current_context().get_parameter_source
    for name in PROPERTIES:
        value = options[name] if name not in _OURS else None
        if value in (None, ()) or source(name) is click.core.ParameterSource.DEFAULT:
            continue
        if isinstance(value, tuple):
            items = (item for text in value for item in _items(properties.read_value(name, text)))
            found[name] = list(dict.fromkeys(items))
        else:
            found[name] = properties.read_value(name, value) if isinstance(value, str) else value
            properties.require_fit(name, found[name])
    return found | properties_of(options["pairs"])


def _weigh(twins: list[remember.Twin], choice: str | None) -> None:
    """Show near twins, and ask or stop if that is wanted."""
    if not twins:
        return
    for twin in twins[:3]:
        tell(
            f"{round(twin.score * 100)} % the same: {twin.record.name} (mdmem update {twin.record.name} instead?)"
        )
    choice = choice or ("ask" if sys.stdin.isatty() and sys.stdout.isatty() else "warn")
    if choice == "refuse":
        from mdmem.errors import StoppedError

        raise StoppedError("a memory says nearly the same; nothing was written", "--twins ignore writes it anyway")
    if choice == "ask":
        click.confirm("Write it anyway?", abort=True, err=True)


@click.command("update")
@click.argument("name", shell_complete=complete_name)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set a property; again for more.")
@click.option("--unset", multiple=True, metavar="KEY", help="Remove a property.")
@click.option("--add", multiple=True, metavar="KEY=VALUE", help="Add to a list, such as tags=x.")
@click.option("--remove", multiple=True, metavar="KEY=VALUE", help="Take out of a list.")
@click.option("--body", help='Replace the text; "-" reads it from standard input.')
@click.option("--append", default="", help='Add a paragraph at the end; "-" reads it from standard input.')
@writing_options
@vault_option
@json_option
def update_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change properties or text of a memory; every other byte of the file stays.

    \b
    Examples:
      mdmem update user_prefers_tables --set confidence=0.9 --add tags=style
      mdmem update user_prefers_tables --append "User changed mind 2026-02-08."
    """
    if options["body"] == options["append"] == "-":
        raise UsageError("standard input can be read once", "give --body or --append another text")
    edit = notes.Edit(
        changes=properties_of(options["pairs"]) | dict.fromkeys(options["unset"]),
        add=_items_of(options["add"]),
        remove=_items_of(options["remove"]),
        body=standard_input() if options["body"] == "-" else options["body"],
        append=standard_input() if options["append"] == "-" else options["append"],
    )
    if edit == notes.Edit(changes={}):
        raise UsageError("nothing to change", "say what: --set key=value, --unset key, --body or --append")
    with opened(vault) as found:
        record = lookup.named(found, name)
        who = caller(options["actor"], options["session"])
        _report_written(notes.update(found, record, edit, who, options["reason"]), "updated", as_json)


def _items_of(pairs: tuple[str, ...]) -> dict[str, list[Any]]:
    """`key=value` arguments as the items they name, each key as often as it was given."""
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        for key, value in properties_of((pair,)).items():
            found.setdefault(key, []).extend(_items(value))
    return found


def _items(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _report_written(done: notes.Written, verb: str, as_json: bool) -> None:
    if as_json:
        print_json({"paths": list(done.paths), "commit": done.commit})
    elif not done.commit:
        click.echo(f"nothing to change: {', '.join(done.paths)}")
    else:
        click.echo(f"{verb} {', '.join(done.paths)}  ({done.commit[:8]})")


@click.command("edit")
@click.argument("name", shell_complete=complete_name)
@writing_options
@vault_option
@json_option
def edit_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change a memory in $EDITOR; saving commits it, leaving without saving changes nothing.

    If what you saved cannot be taken, nothing is written and your text is kept aside.

    \b
    Example:
      EDITOR=nano mdmem edit user_prefers_tables
    """
    with opened(vault) as found:
        record = lookup.named(found, name)
        before = found.read(record.path)
        who = caller(options["actor"], options["session"])
        with edited(found, record.name, before) as written:  # bytes: line ends, BOM and last newline stay
            done = notes.replace(found, record, before, written, who, options["reason"])
        _report_written(done, "edited", as_json)


@click.command("adopt")
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option("--all", "everything", is_flag=True, help="Every note that lacks something.")
@writing_options
@vault_option
@json_option
def adopt_command(
    names: tuple[str, ...], everything: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Give hand-made notes the properties they lack (id, title, created), in one commit.

    A legacy header (# Title, **Created:** ...) becomes frontmatter. Texts keep their bytes.

    \b
    Examples:
      mdmem adopt --all
      mdmem adopt "Meeting with Ada" ideas/later.md
    """
    if bool(names) == everything:
        raise UsageError("say which notes", "give names, or --all")
    with opened(vault) as found:
        records = None if everything else [lookup.named(found, name) for name in names]
        done = notes.adopt(found, records, caller(options["actor"], options["session"]), options["reason"])
    if as_json:
        problems = [render.problem_json(problem) for problem in done.problems]
        print_json({"paths": list(done.paths), "commit": done.commit, "problems": problems})
    else:
        for problem in done.problems:
            click.echo(render.problem_lines(problem), err=True)
        commit = f"  ({done.commit[:8]})" if done.commit else ""
        click.echo(f"adopted {render.counted(len(done.paths), 'note')}{commit}")
    if names and done.problems:
        raise click.exceptions.Exit(1)


@click.command("rename")
@click.argument("name", shell_complete=complete_name)
@click.argument("new_name")
@writing_options
@vault_option
@json_option
def rename_command(name: str, new_name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Rename a memory; links in other notes follow, in the same commit.

    \b
    Example:
      mdmem rename project_uses_python project_uses_rust
    """
    with opened(vault) as found:
        record = lookup.named(found, name)
        done = rename.rename(
            found, record, new_name, caller(options["actor"], options["session"]), options["reason"]
        )
    new_path = done.moves[record.path]
    for problem in done.left:
        tell(str(problem))
    if as_json:
        print_json(
            {"old_path": record.path, "path": new_path, "relinked": list(done.relinked), "commit": done.commit}
        )
    else:
        links = f", {render.counted(len(done.relinked), 'note')} relinked" if done.relinked else ""
        click.echo(f"renamed {record.path} to {new_path}{links}  ({done.commit[:8]})")


@click.command("forget")
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
@yes_option
@writing_options
@vault_option
@json_option
def forget_command(names: tuple[str, ...], yes: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Delete memories, in one commit; `mdmem restore` brings them back.

    \b
    Examples:
      mdmem forget project_uses_python -m "rewritten in Rust"
      mdmem restore project_uses_python
    """
    with opened(vault) as found:
        records = list({record.path: record for record in (lookup.named(found, name) for name in names)}.values())
        who = caller(options["actor"], options["session"])
        _report_written(notes.forget(found, records, who, options["reason"], yes), "forgot", as_json)
