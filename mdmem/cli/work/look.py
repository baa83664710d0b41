"""The commands `show`, `recall` and `list` of works."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mdmem.acts.json.work import found_work_json, work_json
from mdmem.acts.text.work import found_work_lines, work_lines, work_table
from mdmem.cli.options import (
    complete_name,
    now,
    opened,
    print_json,
    print_lines,
    style,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.local import usage
from mdmem.note.excerpt import DEPTHS
from mdmem.systems.rum import depth as depths
from mdmem.systems.rum import recall, schema
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.view import VaultWorks, require_valid
from mdmem.text import moments
from mdmem.text.plural import counted

Command = TypeVar("Command", bound=Callable[..., Any])


def query_options(command: Command) -> Command:
    """The options that select works; `_query` reads them."""
    for option in (
        click.option("--archived", is_flag=True, help="Also what was folded into chapters."),
        click.option("--tag", "tags", multiple=True, help="Only with this tag; may be repeated."),
        click.option("--success/--failure", default=None, help="Only what succeeded, or what failed."),
        click.option(
            "--task-type",
            "task_types",
            multiple=True,
            type=click.Choice(schema.TASK_TYPES),
            metavar="TYPE",
            help="Only this kind of work, such as bug_fix; may be repeated.",
        ),
        click.option("--before", default="", metavar="DATE", help="Only from before a date or age: 2026-03-01."),
        click.option("--since", default="", metavar="DATE", help="Only since a date or age: 2026-03-01, 3d."),
        click.option("--session", default="", help="Only of this session, those of its subagents included."),
        click.option("--project", "projects", multiple=True, help="Only of this project; may be repeated."),
        click.option("--agent", "agents", multiple=True, help="Only of this agent; may be repeated."),
        click.option(
            "--file",
            "files",
            multiple=True,
            metavar="PATH",
            help="Only about this file, or those of a folder/ or a pattern like 'src/*.ts'; may be repeated.",
        ),
    ):
        command = option(command)
    return command


def _query(words: tuple[str, ...], limit: int, options: dict[str, Any]) -> WorkQuery:
    since, before = (
        moments.since(options[name], now()) if options[name] else None for name in ("since", "before")
    )
    return WorkQuery(
        words=" ".join(words),
        files=options["files"],
        agents=options["agents"],
        projects=options["projects"],
        session=options["session"],
        since=since,
        before=before,
        task_types=options["task_types"],
        success=options["success"],
        tags=options["tags"],
        archived=options["archived"],
        limit=limit,
    )


@command("show")
@click.argument("name", shell_complete=complete_name)
@click.option(
    "--depth", type=click.Choice(DEPTHS), default="complete", show_default=True, help="How much of it to print."
)
def show_command(name: str, depth: str, vault: str | None, as_json: bool) -> None:
    """Print a work, by its name or id (mem_...), in as few words as you want.

    \b
    --depth  summary (the goal and the outcome in a line each, at most 20 tokens), outcome (and what was
             learned, at most 50), reasoning (and why it was done so, at most 150), full (and what was seen and
             done, at most 300), complete (everything). What does not fit is cut, and the end says so;
             --json gives all of a depth uncut.

    \b
    Examples:
      mdmem work show stop_random_logouts --depth summary
      mdmem work show mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11 --json
    """
    with opened(vault) as found:
        works = VaultWorks(found)
        view = require_valid(works.view(works.find(name)))
        usage.add(found.root, [view.note.id], writer(found).now)
    if as_json:
        print_json(work_json(view, depth))
    else:
        print_lines(work_lines(depths.telling(view.work, depth)))


@command("recall")
@click.argument("words", nargs=-1)
@query_options
@click.option("-n", "--limit", type=click.IntRange(1), default=5, show_default=True, help="At most this many.")
@click.option(
    "--depth",
    type=click.Choice(DEPTHS),
    help="How much of each to print. Default: the summary, and more of the best if --budget allows.",
)
@click.option("--budget", type=click.IntRange(20), help="At most this many tokens for all.")
def recall_command(words: tuple[str, ...], limit: int, vault: str | None, as_json: bool, **options: Any) -> None:
    """Recall what was tried before: by words, by file, by who did what when.

    The most relevant come first, of equally relevant ones the most important, then the latest. A file is found by
    its whole path or the end of it; where the vault lies in the repository of the file, also under the names that
    it had before.

    \b
    Examples:
      mdmem work recall random logouts --budget 400
      mdmem work recall --file src/auth.ts --failure
      mdmem work recall --file 'src/auth/' --agent claude-code --since 30d --json
    """
    wanted = _query(words, limit, options)
    with opened(vault) as found:
        read = recall.recall(found, wanted, writer(found), options["depth"] or "", options["budget"] or 0)
    _tell_broken(read.broken)
    if as_json:
        print_json([found_work_json(each) for each in read.works])
        return
    for each in read.works:
        print_lines(found_work_lines(each, style()))
    if not read.works:
        click.echo("no work found; mdmem work list shows what there is", err=True)


@command("list")
@query_options
@click.option("-n", "--limit", type=click.IntRange(1), default=20, show_default=True, help="At most this many.")
def list_command(limit: int, vault: str | None, as_json: bool, **options: Any) -> None:
    """List works, the latest first; those about a file by importance. Does not count as reading them.

    \b
    Examples:
      mdmem work list --project shop --failure
      mdmem work list --session conv-42
    """
    with opened(vault) as found:
        read = recall.listed(found, _query((), limit, options), now())
    _tell_broken(read.broken)
    if as_json:
        print_json([work_json(view, "summary") for view in read.views])
    else:
        print_lines(work_table(read.views, style()))


def _tell_broken(broken: int) -> None:
    """Report how many notes were left out because they are not valid works."""
    if broken:
        tell(f"{counted(broken, 'work note')} cannot be read: mdmem doctor names what to fix")
