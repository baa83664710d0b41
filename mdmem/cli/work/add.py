"""The command `work add`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    json_option,
    opened,
    print_json,
    read_text,
    vault_option,
    writer,
    writing_options,
)
from mdmem.cli.templates import template_of
from mdmem.note.memory import decode
from mdmem.render.json.work import work_added_json
from mdmem.systems.rum import adding, work
from mdmem.vault.vault import Vault


@click.command("add")
@click.argument("file", default="-")
@click.option("-e", "--edit", is_flag=True, help="Write it in $EDITOR, from the template.")
@click.option("--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the goal.")
@writing_options
@vault_option
@json_option
def add_command(file: str, edit: bool, vault: str | None, as_json: bool, **options: str) -> None:
    """Remember a piece of work, as one file and one commit.

    FILE is a JSON object with intent, perception, reasoning, actions and outcome, or a note in the form of the
    template; "-" or nothing reads it from standard input. Required are intent.goal, intent.task_type,
    outcome.success and outcome.summary. The fields of an action stand in details and result, or beside its type.

    \b
    Examples:
      mdmem work add work.json
      mdmem work add --edit
      echo '{"intent": {"goal": "Stop the logouts", "task_type": "bug_fix"},
             "outcome": {"success": true, "summary": "Tokens are refreshed"}}' | mdmem work add
    """
    if edit:
        require_editor("give it as a file: mdmem work add work.json")
    with opened(vault) as found, _source(found, file, edit) as text:
        given = adding.parsed(text)
        who = writer(found, options["actor"], options["session"])
        done = adding.add(found, given, who, options["reason"], options["name"])
    if as_json:
        print_json(work_added_json(done))
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")


@contextmanager
def _source(vault: Vault, file: str, edit: bool) -> Iterator[str]:
    """The work as a text. One typed in an editor stays until the block is done."""
    if not edit:
        yield read_text(file)
        return
    with edited(vault, "new", template_of(vault, work.TYPE, "")) as written:
        yield decode(written, "the text")
