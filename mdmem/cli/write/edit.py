"""The command `edit`."""

from __future__ import annotations

import os
from typing import Any

import click

from mdmem.acts.write import changed
from mdmem.cli.editor import edited, opened_in_obsidian, require_editor
from mdmem.cli.making import show
from mdmem.cli.options import complete_name, opened, writer
from mdmem.cli.shared import command
from mdmem.recall import lookup
from mdmem.write import edit as notes


@command("edit", writes=True)
@click.argument("name", shell_complete=complete_name)
@click.option("--open", "opens", is_flag=True, help="In Obsidian, if it has settings for the vault.")
def edit_command(name: str, opens: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change a memory in $EDITOR; saving commits it, leaving without saving changes nothing.

    If what you saved is not a valid note, nothing is written and your text is kept aside.

    \b
    Example:
      EDITOR=nano mdmem edit user_prefers_tables
      mdmem open user_prefers_tables
    """
    with opened(vault) as found:
        record = lookup.named(found, name)
        if opens and opened_in_obsidian(os.path.join(found.root, record.path), found.root):
            return
        require_editor(f"give the text: mdmem update {name} --body -")
        before = found.read(record.path)
        who = writer(found, options["actor"], options["session"])
        with edited(found, record.name, before) as written:  # bytes keep line endings, BOM and final newline
            done = notes.replace(found, record, before, written, who, options["reason"])
    show(changed(done, "edited"), as_json)
