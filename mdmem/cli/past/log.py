"""The commands `log`, `diff` and `blame`."""

from __future__ import annotations

from itertools import islice
from typing import Any

import click

from mdmem.acts.json import past as past_json
from mdmem.acts.text import past as past_text
from mdmem.cli.completing import complete_session
from mdmem.cli.options import complete_name, now, opened, print_json, print_lines, style
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.git.log import Commit
from mdmem.history import past, rawpast
from mdmem.note import layout
from mdmem.text import moments
from mdmem.vault.vault import Vault


@command("log")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("-n", "--limit", type=click.IntRange(1), default=30, show_default=True, help="At most this many.")
@click.option(
    "--session", default="", shell_complete=complete_session, help="Only this session and those of its subagents."
)
@click.option("--actor", default="", help="Only this agent or person.")
@click.option("--since", help="Only since a date or age: 2026-03-01, 2h, yesterday.")
@click.option("--run", default="", metavar="ID", help="Only this run of the gardeners.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "membrane"]),
    default="text",
    help="Use membrane for the audit log of NAME as JSON, oldest first.",
)
def log_command(name: str | None, limit: int, session: str, actor: str, since: str | None, **options: Any) -> None:
    """Show what was done to memories, newest first: in the vault, or to NAME under all its names.

    Commits of other tools are shown too; what they did is inferred from their changes. A sync that merged says
    what it renamed and what is in conflict.

    \b
    Examples:
      mdmem log --session conv-42
      mdmem log user_prefers_tables
      mdmem log user_prefers_tables --format membrane
    """
    if options["form"] == "membrane":
        _print_audit_log(name, options["vault"])
        return
    start = moments.since(since, now()) if since else None
    with opened(options["vault"]) as vault:
        if name:
            sessions = past.family(vault, session)
            found = [
                commit
                for commit in _history(vault, name)
                if past.by_any(commit, actor, sessions, options["run"]) and (start is None or commit.when >= start)
            ]
        else:
            found = list(islice(past.events(vault, start, actor, session, options["run"]), limit))
        shown = found[:limit]
    if options["as_json"]:
        print_json([past_json.commit_json(commit) for commit in shown])
        return
    for commit in shown:
        click.echo(past_text.commit_lines(commit, style()))
    if len(found) > limit:
        click.echo(f"... and {len(found) - limit} more: --limit {len(found)}")


def _history(vault: Vault, name: str) -> list[Commit]:
    """The commits of a memory or of an ingested dialog."""
    if layout.entry_name(name):
        return rawpast.history(vault, name)
    return past.history(vault, *past.identify(vault, name))


def _print_audit_log(name: str | None, vault: str | None) -> None:
    """Print the whole audit log of a memory, as an exported record has it. Raises UsageError without a name."""
    from mdmem.systems.membrane import audit

    if not name:
        raise UsageError("an audit log belongs to one memory", "name it: mdmem log NAME --format membrane")
    with opened(vault) as found:
        entries = audit.of_memory(found, *past.identify(found, name)).log
    print_json(past_json.audit_log_json(entries))


@command("diff")
@click.argument("name", required=False, shell_complete=complete_name)
@click.option("--from", "old", metavar="REV", help="Since this commit or date. Default: the last commit.")
@click.option("--to", "new", metavar="REV", help="Until this commit or date. Default: the files as they are.")
def diff_command(name: str | None, old: str | None, new: str | None, vault: str | None, as_json: bool) -> None:
    """Show what changed: by default what is not committed yet, in the vault or in NAME.

    NAME@REV is short for NAME --from REV, and a revision or a range of them may stand in place of a name.

    \b
    Examples:
      mdmem diff
      mdmem diff HEAD~1
      mdmem diff user_prefers_tables@HEAD~3
      mdmem diff --from 2026-03-01 --to 2026-04-01
    """
    with opened(vault) as found:
        meant = past.compared(found, name, now()) if name else past.Comparison("", "", None, None)
        old, new = (moments.dated(end, now()) if end else None for end in (old or meant.old, new or meant.new))
        text = past.difference(found, meant.path, meant.id, old, new)
    if as_json:
        print_json(past_json.difference_json(meant.path, old or "HEAD", new or "", text))
    elif text:
        click.echo(past_text.diff_text(text, style()))
    else:
        click.echo("no difference", err=True)


@command("blame")
@click.argument("name", shell_complete=complete_name)
def blame_command(name: str, vault: str | None, as_json: bool) -> None:
    """Show who wrote each line of a memory, when, and in which commit and session.

    \b
    Example:
      mdmem blame user_prefers_tables
    """
    with opened(vault) as found:
        path, lines = past.blame(found, name)
    if as_json:
        print_json(past_json.blame_json(path, lines))
    else:
        print_lines(past_text.blame_lines(lines))
