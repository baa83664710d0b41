"""Commands about the past: log, diff, blame, trash, restore, undo."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import click

from mdmem import render
from mdmem.cli.options import (
    caller,
    complete_name,
    json_option,
    now,
    opened,
    print_json,
    vault_option,
    writing_options,
    yes_option,
)
from mdmem.errors import UsageError
from mdmem.history import past, undo
from mdmem.recall import lookup
from mdmem.text import moments
from mdmem.text.terminal import safe


@click.command("log")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("-n", "--limit", type=click.IntRange(1), default=30, show_default=True, help="At most this many.")
@click.option("--session", default="", help="Only this session.")
@click.option("--actor", default="", help="Only this agent or person.")
@click.option("--since", help="Only since a date or age: 2026-03-01, 2h, 3d.")
@click.option("--run", default="", metavar="ID", help="Only this run of the gardeners.")
@vault_option
@json_option
def log_command(name: str | None, limit: int, session: str, actor: str, since: str | None, **options: Any) -> None:
    """Show what was done to memories, newest first: in the vault, or to NAME under all its names.

    Commits of other tools are shown too; what they did is read off their changes.

    \b
    Examples:
      mdmem log --session conv-42
      mdmem log user_prefers_tables
    """
    start = moments.since(since, now()) if since else None
    with opened(options["vault"]) as vault:
        if name:
            path, id = past.identify(vault, name)
            found = [
                commit
                for commit in past.history(vault, path, id)
                if past.by(commit, actor, session, options["run"]) and (start is None or commit.when >= start)
            ]
        else:
            found = list(islice(past.events(vault, start, actor, session, options["run"]), limit))
        shown = found[:limit]
    if options["as_json"]:
        print_json([render.commit_json(commit) for commit in shown])
        return
    for commit in shown:
        click.echo(render.commit_lines(commit))
    if len(found) > limit:
        click.echo(f"... and {len(found) - limit} more: --limit {len(found)}")


@click.command("diff")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--from", "old", metavar="REV", help="Since this commit or date. Default: the last commit.")
@click.option("--to", "new", metavar="REV", help="Until this commit or date. Default: the files as they are.")
@vault_option
@json_option
def diff_command(name: str | None, old: str | None, new: str | None, vault: str | None, as_json: bool) -> None:
    """Show what changed: by default what is not committed yet, in the vault or in NAME.

    NAME@REV is short for NAME --from REV.

    \b
    Examples:
      mdmem diff
      mdmem diff user_prefers_tables@HEAD~3
      mdmem diff --from 2026-03-01 --to 2026-04-01
    """
    with opened(vault) as found:
        path = id = ""
        if name:
            name, rev = lookup.split_revision(found, name)
            path, id = past.identify(found, name)
            old = old or rev or None
        text = past.difference(found, path, id, old, new)
    if as_json:
        print_json({"path": path, "from": old or "HEAD", "to": new or "", "diff": text})
    elif text:
        click.echo(render.diff_text(text))
    else:
        click.echo("no difference", err=True)


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
        print_json([render.deleted_json(item) for item in items])
        return
    for item in items:
        click.echo(render.deleted_line(item))
    if not items:
        click.echo("the trash is empty", err=True)


@click.command("restore")
@click.argument("name")
@writing_options
@vault_option
@json_option
def restore_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Bring back a deleted memory with its id, or an old version of a living one (NAME@REV).

    \b
    Examples:
      mdmem restore project_uses_python
      mdmem restore user_prefers_tables@HEAD~2
    """
    with opened(vault) as found:
        who = caller(options["actor"], options["session"])
        stem, rev = lookup.split_revision(found, name)
        if rev:
            record = lookup.named(found, stem)
            path, commit = past.restore_version(found, record, rev, who, options["reason"])
        else:
            path, commit = past.restore(found, name, who, options["reason"])
    if as_json:
        print_json({"path": path, "commit": commit})
    elif commit:
        click.echo(f"restored {path}  ({commit[:8]})")
    else:
        click.echo(f"{path} is like that already" if rev else f"restored {path}")


@click.command("undo")
@click.option("--last", type=click.IntRange(1), help="The last N writes.")
@click.option("--session", default="", help="All that this session wrote.")
@click.option("--actor", default="", help="All that this agent or person wrote.")
@click.option("--since", help="All since a date or age: 2026-03-01, 2h, 3d.")
@click.option("--run", default="", metavar="ID", help="All that this run of the gardeners did.")
@click.option("--commit", "commits", multiple=True, metavar="REV", help="This commit; again for more.")
@click.option("--dry-run", is_flag=True, help="Show what would be undone; change nothing.")
@click.option("--skip-conflicts", is_flag=True, help="Undo what can be undone, and leave the rest.")
@click.option("--by", "by", envvar="MDMEM_ACTOR", default="", help="Who undoes it. Default: git's user.")
@click.option("-m", "--reason", default="", help="Why; goes into the commit.")
@yes_option
@vault_option
@json_option
def undo_command(vault: str | None, as_json: bool, dry_run: bool, yes: bool, **options: Any) -> None:
    """Take back what a session, an agent or the last hour wrote, in one commit.

    Given conditions must all hold. What someone edited since in the same place is shown as a conflict and
    nothing is changed. Undone commits and undos are passed over, so that undoing again goes further back;
    --commit with an undo's id does it again. Imports, the making of the vault and what was there before it
    are left alone unless named by --commit, or an import by its --session.

    \b
    Examples:
      mdmem undo --session conv-42
      mdmem undo --last 1
      mdmem undo --actor claude-code --since 2h --dry-run
    """
    start = moments.since(options["since"], now()) if options["since"] else None
    wanted = undo.UndoRequest(
        *(options["last"] or 0, options["session"], options["actor"], start, options["commits"], options["run"])
    )
    if wanted == undo.UndoRequest():
        raise UsageError(
            "what shall be undone?",
            "say --last N, --session ID, --actor NAME, --since 2h, --run ID or --commit REV",
        )
    with opened(vault) as found:
        try:
            if dry_run:
                plan, commit = undo.plan(found, wanted, options["skip_conflicts"]), ""
            else:
                who = caller(options["by"], os.environ.get("MDMEM_SESSION", ""))
                plan, commit = undo.undo(found, wanted, who, options["reason"], options["skip_conflicts"], yes)
        except undo.UndoConflictError as error:
            _show_plan(error.plan, "", as_json)
            raise
    _show_plan(plan, commit, as_json)
    if not as_json:
        _report_undo(plan, commit, dry_run)


def _show_plan(plan: undo.UndoPlan, commit: str, as_json: bool) -> None:
    """The plan as JSON, or its conflicts for a person."""
    if as_json:
        print_json(
            {
                "commit": commit,
                "undone": [one.oid for one in plan.undone],
                "paths": list(plan.writes),
                "conflicts": [render.conflict_json(conflict) for conflict in plan.conflicts],
            }
        )
        return
    for conflict in plan.conflicts:
        click.echo(render.conflict_lines(conflict), err=True)


def _report_undo(plan: undo.UndoPlan, commit: str, dry_run: bool) -> None:
    files, commits = render.counted(len(plan.writes), "file"), render.counted(len(plan.undone), "commit")
    if dry_run:
        for one in plan.commits:
            click.echo(render.commit_lines(one))
        click.echo(f"would take back {commits}, changing {files}; nothing was changed")
    elif commit:
        click.echo(f"took back {commits}, {files} changed  ({commit[:8]})")
    else:
        click.echo("all of that is undone already")
    left = {conflict.path for conflict in plan.conflicts}
    if left:
        partly = render.counted(len(plan.commits) - len(plan.undone), "commit")
        click.echo(
            f"skipped {render.counted(len(left), 'file')} with conflicts, so {partly} not undone as a whole"
        )


@click.command("blame")
@click.argument("name", shell_complete=complete_name)
@vault_option
@json_option
def blame_command(name: str, vault: str | None, as_json: bool) -> None:
    """Show who wrote each line of a memory, when, and in which commit and session.

    \b
    Example:
      mdmem blame user_prefers_tables
    """
    with opened(vault) as found:
        path, lines = past.blame(found, name)
    if as_json:
        print_json({"path": path, "lines": [render.wrote_json(line) for line in lines]})
        return
    width = max((len(render.wrote_by(line)) for line in lines), default=0)
    for line in lines:
        click.echo(f"{render.wrote_by(line):{width}}  {safe(line.text)}".rstrip())
