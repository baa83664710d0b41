"""Commands that change the salience of records: reinforce, penalize, pin, prune."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.lifecycle import adjusted_json
from mdmem.acts.text.lifecycle import adjusted_lines
from mdmem.cli.options import (
    complete_name,
    dry_run_option,
    opened,
    print_json,
    print_lines,
    writer,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.index.port import IndexedNote
from mdmem.recall import lookup
from mdmem.systems.membrane import lifecycle
from mdmem.systems.membrane.lifecycle import Adjusted
from mdmem.vault.vault import Vault

_names = click.argument("names", nargs=-1, required=True, shell_complete=complete_name)


@command("reinforce", writes=True)
@_names
@click.option(
    "--gain", type=click.FloatRange(0), help="How much to add. Default: the record's own gain, else 0.1."
)
def reinforce_command(names: tuple[str, ...], gain: float | None, vault: str | None, **options: Any) -> None:
    """Make records more present: salience rises, up to 1, and decay starts over.

    \b
    Example:
      mdmem record reinforce user_prefers_tables -m "said it again"
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = lifecycle.reinforce(found, _records(found, names), who, options["reason"], gain)
    _report(done, "reinforced", options["as_json"])


@command("penalize", writes=True)
@_names
@click.option(
    "--by", "amount", type=float, required=True, metavar="NUMBER", help="How much to take away, such as 0.2."
)
def penalize_command(names: tuple[str, ...], amount: float, vault: str | None, **options: Any) -> None:
    """Make records less present: salience falls, down to their floor (min_salience).

    \b
    Example:
      mdmem record penalize deploys_go_out_on_fridays --by 0.3 -m "was wrong once"
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = lifecycle.penalize(found, _records(found, names), amount, who, options["reason"])
    _report(done, "penalized", options["as_json"])


@command("pin", writes=True)
@_names
@click.option("--off", is_flag=True, help="Let them decay again, from the salience they have now.")
def pin_command(names: tuple[str, ...], off: bool, vault: str | None, **options: Any) -> None:
    """Keep records from decaying. They keep the salience they have now, and are never pruned.

    \b
    Examples:
      mdmem record pin user_prefers_tables
      mdmem record pin --off user_prefers_tables
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = lifecycle.pin(found, _records(found, names), who, options["reason"], on=not off)
    _report(done, "unpinned" if off else "pinned", options["as_json"])


@command("prune", writes=True)
@click.option(
    "--strict", is_flag=True, help="Also prune what a floor keeps: salience at min_salience, or below 0.001."
)
@dry_run_option
@yes_option
def prune_command(strict: bool, dry_run: bool, yes: bool, vault: str | None, **options: Any) -> None:
    """Delete records that have faded and say deletion_policy: auto_prune, in one commit.

    Faded is at the floor (min_salience) and below 0.001, or past max_age_seconds. What is pinned, or says
    manual_only or never, stays; `mdmem restore` brings one back.

    \b
    Examples:
      mdmem record prune --dry-run
      mdmem record prune --strict
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = lifecycle.prune(found, who, options["reason"], strict=strict, dry_run=dry_run, allow_loss=yes)
    _report(done, "would prune" if dry_run else "pruned", options["as_json"])


def _records(vault: Vault, names: tuple[str, ...]) -> list[IndexedNote]:
    records = (lookup.named(vault, name) for name in names)
    return list({record.path: record for record in records}.values())


def _report(done: Adjusted, verb: str, as_json: bool) -> None:
    if as_json:
        print_json(adjusted_json(done))
    elif not done.changes:
        click.echo("no record has faded")
    else:
        print_lines(adjusted_lines(done, verb))
