"""The commands `sync` and `remote`."""

from __future__ import annotations

import json
from time import sleep
from typing import Any

import click

from mdmem.acts.json.sync import sync_json
from mdmem.acts.text.sync import sync_lines
from mdmem.cli.options import (
    now,
    opened,
    print_json,
    print_lines,
    style,
    tell,
    writer,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.errors import MdmemError, UsageError
from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing.sync import SyncReport, SyncRequest
from mdmem.note import moments
from mdmem.note.terminal import safe_json


@command("sync")
@click.argument("remote", required=False, default="")
@click.option("--every", metavar="AGE", help="Sync again and again, such as every 10m, until Ctrl-C.")
@click.option("--commit-edits", is_flag=True, help="Commit edited notes first, in your name.")
@click.option("--dry-run", is_flag=True, help="Fetch, and show what would be done.")
@click.option(
    "--timeout",
    "seconds",
    type=click.FloatRange(1),
    default=120,
    show_default=True,
    help="Seconds for each step that talks to the remote.",
)
@click.option("--actor", envvar="MDMEM_ACTOR", default="", help="Who syncs. Default: the agent, else git's user.")
@yes_option
def sync_command(remote: str, every: str | None, vault: str | None, as_json: bool, **options: Any) -> None:
    """Bring in what others wrote, and send what was written here.

    Fetches the branch, merges notes property by property and paragraph by paragraph, pushes, and only then changes
    the files. Notes that you have edited and not committed are left as they are, and not sent; where an edit is in
    the way, nothing is changed. If both sides changed the same sentence, the note keeps both until you settle it.

    REMOTE is a remote of git: the one that the branch follows, else origin. A sync that would delete more than a
    tenth of the notes, and ten at least, stops; so does one with a remote whose history was rewritten.
    What looks like a password or key in a note that is sent for the first time is named. A strict vault
    ([hooks] strict = true) does not send it without --allow-secret.

    \b
    Examples:
      mdmem sync
      mdmem sync backup --dry-run
      mdmem sync --every 10m
    """
    wanted = SyncRequest(
        remote=remote,
        dry_run=options["dry_run"],
        commit_edits=options["commit_edits"],
        allow_loss=options["yes"],
        seconds=options["seconds"],
    )
    if every:
        _sync_again_and_again(_seconds(every), vault, wanted, options["actor"], as_json)
        return
    report = _sync(vault, wanted, options["actor"])
    if as_json:
        print_json(sync_json(report))
    else:
        print_lines(sync_lines(report, style()))
    if report.conflicts:
        raise click.exceptions.Exit(1)


def _sync(vault: str | None, wanted: SyncRequest, actor: str) -> SyncReport:
    with opened(vault) as found:
        return syncing.visible(found, syncing.sync(found, wanted, writer(found, actor)))


def _sync_again_and_again(
    seconds: float, vault: str | None, wanted: SyncRequest, actor: str, as_json: bool
) -> None:
    """Sync until Ctrl-C. If one sync fails, say why and let the next one try again."""
    try:
        while True:
            try:
                report = _sync(vault, wanted, actor)
            except UsageError:
                raise
            except MdmemError as error:
                tell(f"{error.message} ({error.hint})" if error.hint else error.message)
            else:
                _print_one(report, as_json)
            sleep(seconds)
    except KeyboardInterrupt:
        tell("stopped syncing; nothing was left half done")


def _print_one(report: SyncReport, as_json: bool) -> None:
    if as_json:
        click.echo(safe_json(json.dumps(sync_json(report), ensure_ascii=False)))
    elif not report.is_void:
        print_lines(sync_lines(report, style()))


def _seconds(age: str) -> float:
    """`10m` in seconds. Raises UsageError for less than one second, or if it is not an age."""
    wrong = UsageError(f"'{age}' is not an interval between syncs", "write --every 30s, 10m or 1h")
    moment = now()
    try:
        seconds = (moment - moments.since(age, moment)).total_seconds()
    except UsageError:
        raise wrong from None
    if seconds < 1 or not age[:1].isdigit() or "-" in age:
        raise wrong
    return seconds
