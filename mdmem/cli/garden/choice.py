"""What the garden commands share: the options that say what to plan, and the settings they result in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mdmem.garden import plan as garden
from mdmem.garden.gardeners.proposal import LIKELY, POSSIBLE, GardenSettings
from mdmem.store.vault.vault import Vault

Command = TypeVar("Command", bound=Callable[..., Any])


def plan_options(command: Command) -> Command:
    """The options that say what to plan."""
    for option in (
        click.option("--keep-both", type=click.Choice(["contest", "fork"]), help="Keep both sides of a conflict."),
        click.option("--authorise-delete", is_flag=True, help="Delete superseded notes instead of marking them."),
        click.option("--topic", default="", help="Only what touches notes of this topic."),
        click.option(
            "--min-confidence",
            type=click.FloatRange(0, 1),
            help="How certain a proposal must be, 0 to 1. Default: garden.min_confidence in mdmem.toml.",
        ),
        click.option(
            "--only",
            multiple=True,
            type=click.Choice(list(garden.GARDENERS)),
            help="Only this gardener; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def settings_of(vault: Vault, options: dict[str, Any]) -> GardenSettings:
    """The vault's settings, overridden by the options."""
    settings = garden.settings_of(vault.config)._replace(
        authorise_delete=options["authorise_delete"], keep_both=options["keep_both"] or ""
    )
    if options["min_confidence"] is not None:
        wanted = options["min_confidence"]
        settings = settings._replace(min_confidence=wanted, least=max(POSSIBLE, min(wanted, LIKELY)))
    return settings
