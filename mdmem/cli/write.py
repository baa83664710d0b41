"""Commands that write memories: remember, edit, update, adopt, rename, forget."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from mdmem import render
from mdmem.cli.options import (
    caller,
    complete_name,
    json_option,
    opened,
    print_json,
    properties_of,
    tell,
    vault_option,
    writing_options,
    yes_option,
)
from mdmem.core import properties
from mdmem.core.properties import PROPERTIES
from mdmem.errors import MdmemError, UsageError
from mdmem.services import intake, lookup, moves, notes
from mdmem.store.vault import Vault

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


@click.command("remember")
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
    with opened(vault) as found:
        who = caller(options["actor"], options["session"])
        draft = intake.draft_from(_text(found, text, options), _given_properties(options), options["name"])
        twins = [] if options["twins"] == "ignore" else intake.near_twins(found, draft)
        _weigh(twins, options["twins"])
        done = intake.remember(found, draft, who, options["reason"])
    if as_json:
        near = [
            {"name": twin.record.name, "path": twin.record.path, "score": round(twin.score, 3)} for twin in twins
        ]
        name = os.path.basename(done.path).removesuffix(".md")
        print_json({"name": name, **done._asdict(), "twins": near})
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")


def _text(vault: Vault, text: str | None, options: dict[str, Any]) -> str:
    if options["edit"]:
        return _from_editor(vault, text or "", options["type"] or "note", options["title"] or "")
    if text in (None, "-"):
        if sys.stdin.isatty():
            tell("type the memory, then Ctrl-D")
        data = sys.stdin.buffer.read()
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError("standard input is not UTF-8", "convert it: iconv -f latin1 -t utf-8") from None
    assert text is not None
    return text


def _from_editor(vault: Vault, text: str, type_: str, title: str) -> str:
    """What the person writes in the template of that type."""
    from mdmem.services import starter

    own = os.path.join(vault.root, vault.config.templates, f"{type_}.md")
    template = own if os.path.isfile(own) else os.path.join(starter.share("templates"), f"{type_}.md")
    with open(template, encoding="utf-8") as file:
        filled = starter.fill(file.read(), title, caller().now)
    written = click.edit(filled + text, extension=".md")
    if written is None:
        raise click.Abort
    return written


def _given_properties(options: dict[str, Any]) -> dict[str, Any]:
    """The properties that options say; a default does not override what a note or template has written."""
    found: dict[str, Any] = {}
    source = click.get_current_context().get_parameter_source
    for name in PROPERTIES:
        value = options[name] if name not in _OURS else None
        if value in (None, ()) or source(name) is click.core.ParameterSource.DEFAULT:
            continue
        if isinstance(value, tuple):
            found[name] = [item for text in value for item in _items(properties.read_value(name, text))]
        else:
            found[name] = properties.read_value(name, value) if isinstance(value, str) else value
    return found | properties_of(options["pairs"])


def _weigh(twins: list[intake.Twin], choice: str | None) -> None:
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
@click.option("--append", default="", help="Add a paragraph at the end.")
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
    changes = properties_of(options["pairs"]) | dict.fromkeys(options["unset"])
    edit = notes.Edit(
        changes=changes,
        add={key: _items(value) for key, value in properties_of(options["add"]).items()},
        remove={key: _items(value) for key, value in properties_of(options["remove"]).items()},
        body=sys.stdin.read() if options["body"] == "-" else options["body"],
        append=options["append"],
    )
    if edit == notes.Edit(changes={}):
        raise UsageError("nothing to change", "say what: --set key=value, --unset key, --body or --append")
    with opened(vault) as found:
        record = lookup.find(found, name)
        who = caller(options["actor"], options["session"])
        _report_written(notes.update(found, record, edit, who, options["reason"]), "updated", as_json)


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

    If what you saved has properties that cannot be read, nothing is written and your text is kept aside.

    \b
    Example:
      EDITOR=nano mdmem edit user_prefers_tables
    """
    with opened(vault) as found:
        record = lookup.find(found, name)
        before = found.read(record.path)
        written = click.edit(before, extension=".md")  # as bytes: line ends, BOM and last newline stay
        if written is None:
            raise click.Abort
        who = caller(options["actor"], options["session"])
        try:
            done = notes.replace(found, record, before, bytes(written), who, options["reason"])
        except MdmemError as error:
            error.hint += f"; your text is in {_keep_aside(found, record.name, bytes(written))}"
            raise
        _report_written(done, "edited", as_json)


def _keep_aside(vault: Vault, name: str, data: bytes) -> str:
    path = os.path.join(vault.state, f"{name}.unsaved.md")
    with open(path, "wb") as file:
        file.write(data)
    return path


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
        records = list(found.index.records()) if everything else [lookup.find(found, name) for name in names]
        done = notes.adopt(found, records, caller(options["actor"], options["session"]), options["reason"])
    if as_json:
        problems = [render.problem_json(problem) for problem in done.problems]
        print_json({"paths": list(done.paths), "commit": done.commit, "problems": problems})
        return
    for problem in done.problems:
        click.echo(render.problem_lines(problem), err=True)
    click.echo(
        f"adopted {render.counted(len(done.paths), 'note')}" + (f"  ({done.commit[:8]})" if done.commit else "")
    )


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
        record = lookup.find(found, name)
        done = moves.rename(
            found, record, new_name, caller(options["actor"], options["session"]), options["reason"]
        )
    new_path = done.moves[record.path]
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
        records = list({record.path: record for record in (lookup.find(found, name) for name in names)}.values())
        who = caller(options["actor"], options["session"])
        _report_written(notes.forget(found, records, who, options["reason"], yes), "forgot", as_json)
