"""Commands that change memories: update, edit, done, adopt, rename, forget."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json import write as write_json
from mdmem.acts.text.notes import problem_lines
from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    complete_name,
    dry_run_option,
    opened,
    print_json,
    standard_input,
    style,
    tell,
    writer,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.cli.values import as_list, properties_of
from mdmem.errors import UsageError
from mdmem.note import layout
from mdmem.recall import lookup
from mdmem.text.plural import counted
from mdmem.vault.vault import Vault
from mdmem.write import edit as notes
from mdmem.write import rename, succession


@command("update", writes=True)
@click.argument("name", shell_complete=complete_name)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set a property; may be repeated.")
@click.option("--unset", multiple=True, metavar="KEY", help="Remove a property.")
@click.option("--add", multiple=True, metavar="KEY=VALUE", help="Add to a list, such as tags=x.")
@click.option("--remove", multiple=True, metavar="KEY=VALUE", help="Remove from a list.")
@click.option("-t", "--tag", "--tags", "tags", multiple=True, metavar="TEXT", help="Add a tag; may be repeated.")
@click.option("--body", help='Replace the text; "-" reads it from standard input.')
@click.option("--append", default="", help='Add a paragraph at the end; "-" reads it from standard input.')
@click.option(
    "--replace", "swaps", nargs=2, multiple=True, metavar="OLD NEW", help="Replace a piece that the text has once."
)
@click.option(
    "--expect", default="", metavar="REV", help="Only if the memory is what it was at this commit or date."
)
def update_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change properties or text of a memory; every other byte of the file stays.

    \b
    Examples:
      mdmem update user_prefers_tables --set confidence=0.9 --add tags=style
      mdmem update user_prefers_tables --append "User changed mind 2026-02-08."
      mdmem update user_prefers_tables --replace "long prose" "prose" --expect HEAD~1
    """
    if options["body"] == options["append"] == "-":
        raise UsageError("standard input can only be read once", "give the text of --body or --append itself")
    edit = notes.Edit(
        changes=properties_of(options["pairs"], checked=False) | dict.fromkeys(options["unset"]),
        add=_items_of((*options["add"], *(f"tags={tag}" for tag in options["tags"]))),
        remove=_items_of(options["remove"]),
        body=standard_input() if options["body"] == "-" else options["body"],
        append=standard_input() if options["append"] == "-" else options["append"],
        swaps=options["swaps"],
    )
    if edit == notes.Edit(changes={}):
        raise UsageError(
            "nothing to change", "say what: --set key=value, --unset key, --body, --append or --replace"
        )
    with opened(vault) as found:
        record = lookup.named(found, name)
        edit = edit._replace(
            changes=succession.resolved(found, edit.changes), add=succession.resolved(found, edit.add)
        )
        who = writer(found, options["actor"], options["session"])
        check = notes.unchanged_since(found, record, options["expect"]) if options["expect"] else None
        done = notes.update(found, record, edit, who, options["reason"], check)
        _report_written(done, "updated", as_json)


def _items_of(pairs: tuple[str, ...]) -> dict[str, list[Any]]:
    """`key=value` arguments as key -> all values given for it."""
    found: dict[str, list[Any]] = {}
    for pair in pairs:
        meant = f"tags={pair.removeprefix('tag=')}" if pair.startswith("tag=") else pair  # the property is tags
        for key, value in properties_of((meant,), checked=False).items():
            found.setdefault(key, []).extend(as_list(value))
    return found


def _report_written(done: notes.Written, verb: str, as_json: bool) -> None:
    if as_json:
        print_json(write_json.written_json(done))
    elif not done.commit:
        click.echo(f"nothing to change: {', '.join(done.paths)}")
    else:
        click.echo(f"{verb} {', '.join(done.paths)}  ({done.commit[:8]})")


@command("edit", writes=True)
@click.argument("name", shell_complete=complete_name)
def edit_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change a memory in $EDITOR; saving commits it, leaving without saving changes nothing.

    If what you saved is not a valid note, nothing is written and your text is kept aside.

    \b
    Example:
      EDITOR=nano mdmem edit user_prefers_tables
    """
    with opened(vault) as found:
        record = lookup.named(found, name)
        require_editor(f"give the text: mdmem update {name} --body -")
        before = found.read(record.path)
        who = writer(found, options["actor"], options["session"])
        with edited(found, record.name, before) as written:  # bytes keep line endings, BOM and final newline
            done = notes.replace(found, record, before, written, who, options["reason"])
        _report_written(done, "edited", as_json)


@command("done", writes=True)
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
@dry_run_option
def done_command(names: tuple[str, ...], dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Mark tasks as done, in one commit: they become past, and no session is told of them any more.

    \b
    Examples:
      mdmem done next_write_migration
      mdmem done dentist_tomorrow_9 call_ada_about_key -m "both this morning"
    """
    with opened(vault) as found:
        records = list({(record := lookup.named(found, name)).path: record for name in names}.values())
        who = writer(found, options["actor"], options["session"])
        done = notes.done(found, records, who, options["reason"], dry_run)
    if dry_run and not as_json:
        click.echo(f"would be done: {', '.join(done.paths)}")
    else:
        _report_written(done, "done", as_json)


@command("adopt", writes=True)
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option("--all", "everything", is_flag=True, help="All notes that lack something.")
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
        done = notes.adopt(found, records, writer(found, options["actor"], options["session"]), options["reason"])
    if as_json:
        print_json(write_json.adopted_json(done))
    else:
        for problem in done.problems:
            click.echo(problem_lines(problem, style(err=True)), err=True)
        commit = f"  ({done.commit[:8]})" if done.commit else ""
        click.echo(f"adopted {counted(len(done.paths), 'note')}{commit}")
    if names and done.problems:
        raise click.exceptions.Exit(1)


@command("rename", writes=True)
@click.argument("name", shell_complete=complete_name)
@click.argument("new_name", required=False, metavar="NEW_NAME")
def rename_command(name: str, new_name: str | None, vault: str | None, as_json: bool, **options: Any) -> None:
    """Rename a memory; links in other notes follow, in the same commit.

    \b
    Example:
      mdmem rename project_uses_python project_uses_rust
    """
    if new_name is None:
        raise UsageError("rename needs the new name, too", f"mdmem rename {name} NEW_NAME")
    with opened(vault) as found:
        record = lookup.named(found, name)
        done = rename.rename(
            found, record, new_name, writer(found, options["actor"], options["session"]), options["reason"]
        )
    new_path = done.moves[record.path]
    for problem in done.left:
        tell(str(problem))
    if as_json:
        print_json(write_json.renamed_json(record.path, done))
    else:
        links = f", {counted(len(done.relinked), 'note')} relinked" if done.relinked else ""
        click.echo(f"renamed {record.path} to {new_path}{links}  ({done.commit[:8]})")


@command("forget", writes=True)
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
@yes_option
def forget_command(names: tuple[str, ...], yes: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Delete memories, in one commit; `mdmem restore` brings them back. A NAME may be that of an ingested dialog.

    \b
    Examples:
      mdmem forget project_uses_python -m "rewritten in Rust"
      mdmem forget topics/travel/20260208T140500Z-0c7a6f3e
      mdmem restore project_uses_python
    """
    with opened(vault) as found:
        dialogs = _entries(found, names)
        memories = [lookup.named(found, name) for name in names if not _is_dialog(name)]
        records = list({record.path: record for record in memories}.values())
        who = writer(found, options["actor"], options["session"])
        done = notes.forget(found, records, who, options["reason"], yes, dialogs)
        _report_written(done, "forgot", as_json)


def _is_dialog(name: str) -> bool:
    return bool(layout.entry_name(name)) or layout.is_entry_id(name)


def _entries(vault: Vault, names: tuple[str, ...]) -> list[str]:
    """The folders of the ingested dialogs among the names."""
    wanted = [name for name in names if _is_dialog(name)]
    if not wanted:
        return []
    from mdmem.systems.layers import entries

    return list(dict.fromkeys(entries.find(vault, name).folder for name in wanted))
