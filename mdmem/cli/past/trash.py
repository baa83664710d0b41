"""The commands `trash` and `restore`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json import past as past_json
from mdmem.acts.json.write import restored_json
from mdmem.acts.text import past as past_text
from mdmem.cli.completing import complete_deleted
from mdmem.cli.options import opened, print_json, style, writer
from mdmem.cli.shared import command
from mdmem.history import past, rawpast
from mdmem.note import layout
from mdmem.recall import lookup


@command("trash")
def trash_command(vault: str | None, as_json: bool) -> None:
    """List the memories and ingested dialogs that were deleted; `mdmem restore` brings them back.

    \b
    Example:
      mdmem trash --json
    """
    with opened(vault) as found:
        items = [*past.trash(found), *rawpast.trash(found)]
    if as_json:
        print_json([past_json.deleted_json(item) for item in items])
        return
    for item in items:
        click.echo(past_text.deleted_line(item, style()))
    if not items:
        click.echo("the trash is empty", err=True)


@command("restore", writes=True)
@click.argument("name", shell_complete=complete_deleted)
def restore_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Bring back a deleted memory with its id, a deleted dialog, or an old version of a memory (NAME@REV).

    \b
    Examples:
      mdmem restore project_uses_python
      mdmem restore user_prefers_tables@HEAD~2
      mdmem restore topics/travel/20260208T140500Z-0c7a6f3e
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        stem, rev = lookup.split_revision(found, name)
        if layout.entry_name(name):
            path, commit = rawpast.restore(found, name, who, options["reason"])
        elif rev:
            record = lookup.named(found, stem)
            path, commit = past.restore_version(found, record, rev, who, options["reason"])
        else:
            path, commit = past.restore(found, name, who, options["reason"])
    if as_json:
        print_json(restored_json(path, commit))
    elif commit:
        click.echo(f"restored {path}  ({commit[:8]})")
    else:
        click.echo(f"{path} is already in that state" if rev else f"restored {path}")
