"""The command `conflicts`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.text import past as past_text
from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    complete_name,
    opened,
    print_json,
    print_lines,
    style,
    writer,
)
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.history.merging import unsettled
from mdmem.history.merging.unsettled import Settlement
from mdmem.operation import Caller
from mdmem.recall import lookup
from mdmem.vault.vault import Vault
from mdmem.write import edit as notes


@command("conflicts", writes=True)
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--ours", "side", flag_value="ours", help="Settle NAME: keep what stands first.")
@click.option("--theirs", "side", flag_value="theirs", help="Settle NAME: keep what stands second.")
@click.option("--edit", "by_hand", is_flag=True, help="Settle NAME in your editor.")
def conflicts_command(
    name: str | None, side: str | None, by_hand: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """List what merges could not decide, and settle it.

    Where two machines gave a memory two titles, or changed one sentence in two ways, the memory holds both
    versions between markers; its properties stay readable. Settling is one commit. Of two memories of one name
    both are kept: the one you choose keeps the name. Where git has stopped in a merge, the file is staged, and
    git concludes.

    \b
    Examples:
      mdmem conflicts
      mdmem conflicts user_prefers_tables --theirs
    """
    if not name and (side or by_hand):
        raise UsageError("say which memory to settle", "mdmem conflicts lists them: mdmem conflicts NAME --ours")
    if side and by_hand:
        raise UsageError("--edit and a side exclude each other", "give one of --ours, --theirs and --edit")
    with opened(vault) as found:
        if name and (side or by_hand):
            who = writer(found, options["actor"], options["session"])
            if side:
                done = unsettled.settle(found, name, side, who, options["reason"])
            else:
                done = _edited(found, name, who, options["reason"])
            _report(done, as_json)
            return
        waiting = unsettled.of(found, name) if name else unsettled.find(found)
    if as_json:
        print_json(waiting)
    else:
        print_lines(past_text.unsettled_lines(waiting, whole=bool(name), style=style()))


def _edited(vault: Vault, name: str, who: Caller, reason: str) -> Settlement:
    """Let the person settle a memory's conflict in their editor."""
    first = unsettled.of(vault, name)[0]
    if first.in_merge:
        raise UsageError(
            f"git has stopped at {first.path}", f"edit it, then: git add {first.path}; or give --ours or --theirs"
        )
    require_editor("give --ours or --theirs")
    record = lookup.named(vault, first.path)
    before = vault.read(first.path)
    with edited(vault, record.name, before) as written:
        done = notes.replace(vault, record, before, written, who, reason)
    return Settlement(done.paths, done.commit)


def _report(done: Settlement, as_json: bool) -> None:
    if as_json:
        print_json(done)
    else:
        print_lines(past_text.settled_lines(done))
