"""Filters on properties, the same for every command that selects memories."""

from __future__ import annotations

from typing import Any

import click

from mdmem.index.port import ALL_KINDS
from mdmem.note import filters
from mdmem.note.filters import Filter


def filter_options(command: Any) -> Any:
    """The options `--type`, `--tag`, `--status`, `--category`, `--topic` and `--where`."""
    for option in (
        click.option(
            "--where", multiple=True, metavar="FILTER", help="key=value, key>value, key~part, key, !key ..."
        ),
        click.option("--topic", multiple=True, help="Only this topic; repeat it to allow others."),
        click.option("--category", multiple=True, help="Only this category: past, present or future."),
        click.option(
            "--status", multiple=True, help="Only this status: active, deprecated, contested or retracted."
        ),
        click.option("-t", "--tag", "--tags", "tags", multiple=True, help="Only with this tag; may be repeated."),
        click.option("--type", "type_", multiple=True, help="Only this type; repeat it to allow others."),
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


def filters_of(options: dict[str, Any]) -> list[Filter]:
    """The filters that those options say. Raises UsageError."""
    given = {"type": options["type_"], **{key: options[key] for key in ("status", "category", "topic")}}
    found = [Filter(key, "=", values[0], alternatives=values[1:]) for key, values in given.items() if values]
    tags = [tag.strip() for given in options["tags"] for tag in given.split(",") if tag.strip()]
    found += [Filter("tags", "=", tag) for tag in tags]
    return found + [filters.parse(text) for text in options["where"]]
