"""Filters on properties, the same for every command that selects memories."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.completing import complete_type
from mdmem.index.port import ALL_KINDS

where_option = click.option(
    "--where", multiple=True, metavar="FILTER", help="key=value, key>value, key~part, key, !key ..."
)


def filter_options(command: Any) -> Any:
    """The options `--type`, `--tag`, `--status`, `--category`, `--topic` and `--where`."""
    for option in (
        where_option,
        click.option("--topic", multiple=True, help="Only this topic; repeat it to allow others."),
        click.option("--category", multiple=True, help="Only this category: past, present or future."),
        click.option(
            "--status", multiple=True, help="Only this status: active, deprecated, contested or retracted."
        ),
        click.option("-t", "--tag", "--tags", "tags", multiple=True, help="Only with this tag; may be repeated."),
        click.option(
            "--type",
            "type_",
            multiple=True,
            shell_complete=complete_type,
            help="Only this type; repeat it to allow others.",
        ),
    ):
        command = option(command)
    return command


archived_option = click.option(
    "--archived",
    is_flag=True,
    help="Also what is archived (mdmem work archive); --where archived finds only that.",
)
kind_option = click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(ALL_KINDS),
    help="Only memories, or entries (ingested dialogs), or facts; repeat it to allow others.",
)
team_option = click.option(
    "--in",
    "within",
    type=click.Choice(["team"]),
    help="Search what a team has published, in PostgreSQL, instead of the vaults here; see the guide `team`.",
)
