"""The command `record add`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from mdmem.acts.json.write import remembered_json
from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    opened,
    print_json,
    standard_input,
    writer,
)
from mdmem.cli.output import is_interactive
from mdmem.cli.shared import command
from mdmem.cli.templates import template_of
from mdmem.cli.unwritten import offering
from mdmem.note.memory import decode
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane.schema import TYPES
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
