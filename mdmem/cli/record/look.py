"""Commands that add and show records: add, show, list, check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem.acts.json.notes import problem_json
from mdmem.acts.json.records import summary_json
from mdmem.acts.json.write import remembered_json
from mdmem.acts.text.records import record_lines, summary_lines
from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    complete_name,
    end_with,
    now,
    opened,
    print_json,
    print_lines,
    standard_input,
    style,
    writer,
)
from mdmem.cli.output import is_interactive
from mdmem.cli.shared import command
from mdmem.cli.templates import template_of
from mdmem.cli.unwritten import offering
from mdmem.note.memory import decode
from mdmem.operation import Caller
from mdmem.recall import lookup
from mdmem.systems.membrane.schema import TYPES
from mdmem.systems.membrane.view import VaultRecords
from mdmem.vault.vault import Vault
from mdmem.write import remember
from mdmem.write.remember import Draft

_type = click.Choice(TYPES)


@command("add", writes=True)
@click.argument("type_", metavar="TYPE", type=_type)
@click.option("-e", "--edit", is_flag=True, help="Write it in $EDITOR, from the template of its type.")
@click.option("--title", default="", help="One line, as a person would say it. Default: from the payload.")
@click.option(
    "--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the title."
)
def add_command(type_: str, edit: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Write a new record of TYPE: episodic, working, semantic, competence or plan_graph.

    Standard input is JSON: a whole MemoryRecord, or its payload alone; missing fields get the defaults of a new
    record. At a terminal, or with --edit, the template of the type opens in your editor. A record that is not
    valid is not written: the error names the field and what is allowed.

    \b
    Examples:
      echo '{"subject": "user", "predicate": "prefers", "object": "tea", "validity": {"mode": "global"}}' |
        mdmem record add semantic
      mdmem record add competence --edit
    """
    from mdmem.systems.membrane import adding

    if edit:
        require_editor("pipe JSON in")
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        with (
            _draft(found, type_, edit or is_interactive(), who, options) as draft,
            offering([draft], who, as_json),
        ):
            done = adding.add(found, draft, type_, who, options["reason"])
    if as_json:
        print_json(remembered_json(done, []))
    else:
        click.echo(f"added {done.path}  ({done.commit[:8]})")


@contextmanager
def _draft(vault: Vault, type_: str, edit: bool, who: Caller, options: dict[str, Any]) -> Iterator[Draft]:
    """The record to write. Text typed in an editor is kept until the block ends."""
    from mdmem.systems.membrane import adding

    if not edit:
        yield adding.from_json(vault, standard_input(), type_, who, options["title"], options["name"])
        return
    with edited(vault, "new", template_of(vault, type_, options["title"])) as written:
        given = {"title": options["title"] or None}
        yield remember.draft_from(decode(written, "the text"), given, options["name"])


@command("show")
@click.argument("name", shell_complete=complete_name)
def show_command(name: str, vault: str | None, as_json: bool) -> None:
    """Print a memory as a MemoryRecord, with its audit log.

    Any memory can be one: fields that it lacks get the defaults of a record. What keeps it from being valid is
    reported as a warning.

    \b
    Examples:
      mdmem record show user_prefers_tables
      mdmem record show user_prefers_tables --json
    """
    from mdmem.note import decay

    with opened(vault) as found:
        note = lookup.find(found, name)
        view = VaultRecords(found).one(note)
    if as_json:
        print_json(view.value)
    else:
        salience = decay.standing(note.meta, note.created, now())
        print_lines(record_lines(view.value, salience, style()))
    end_with(tuple(problem._replace(severity="warning") for problem in view.problems), as_json=False)


@command("list")
@click.option("--type", "types", type=_type, multiple=True, help="Only this type; repeat it to allow others.")
@click.option("--scope", "scopes", multiple=True, help="Only this scope; repeat it to allow others.")
@click.option("--min-salience", type=click.FloatRange(0), default=0.0, help="Only those as present as this, now.")
def list_command(
    types: tuple[str, ...], scopes: tuple[str, ...], min_salience: float, vault: str | None, as_json: bool
) -> None:
    """List records by type, scope and effective salience, the most present first.

    Every memory has a type as a record: a preference, a fact or a plain note is semantic.

    \b
    Examples:
      mdmem record list --type semantic --min-salience 0.5
      mdmem record list --scope project --json
    """
    with opened(vault) as found:
        summaries = list(VaultRecords(found).summaries(now()))
    chosen = [
        one
        for one in summaries
        if one.type in (types or TYPES) and (not scopes or one.scope in scopes) and one.salience >= min_salience
    ]
    chosen.sort(key=lambda one: (-one.salience, one.note.path))
    if as_json:
        print_json([summary_json(one) for one in chosen])
    else:
        print_lines(summary_lines(chosen, style()))


@command("check")
@click.argument("names", nargs=-1, shell_complete=complete_name)
def check_command(names: tuple[str, ...], vault: str | None, as_json: bool) -> None:
    """List what keeps memories from being valid records: file, line, field and what is allowed. Default: all.

    The exit code is 1 if anything does.

    \b
    Examples:
      mdmem record check
      mdmem record check user_prefers_tables
    """
    with opened(vault) as found:
        records = VaultRecords(found)
        chosen = {lookup.named(found, name).path for name in names}
        views = records.all(lambda note: not names or note.path in chosen)
        problems = tuple(problem for view in views for problem in view.problems)
    if as_json:
        print_json([problem_json(problem) for problem in problems])
    end_with(problems, as_json)
