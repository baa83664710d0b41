"""Commands for what was deleted: trash, restore."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.options import json_option, opened, print_json, style, vault_option, writer, writing_options
from mdmem.history import past
from mdmem.recall import lookup
from mdmem.render.json import past as past_json
from mdmem.render.json.write import restored_json
from mdmem.render.text import past as past_text


@click.command("trash")
@vault_option
@json_option
def trash_command(vault: str | None, as_json: bool) -> None:
    """List the memories that were deleted; `mdmem restore` brings them back.

    \b
    Example:
      mdmem trash --json
    """
    with opened(vault) as found:
        items = past.trash(found)
    if as_json:
        print_json([past_json.deleted_json(item) for item in items])
        return
    for item in items:
        click.echo(past_text.deleted_line(item, style()))
    if not items:
        click.echo("the trash is empty", err=True)


@click.command("restore")
@click.argument("name")
@writing_options
@vault_option
@json_option
def restore_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Bring back a deleted memory with its id, or an old version of an existing memory (NAME@REV).

    \b
    Examples:
      mdmem restore project_uses_python
      mdmem restore user_prefers_tables@HEAD~2
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        stem, rev = lookup.split_revision(found, name)
        if rev:
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
