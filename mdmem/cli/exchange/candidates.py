"""The commands `candidates import` and `candidates render`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.checks import pasting, queue
from mdmem.acts.json.capture import intake_json
from mdmem.acts.json.notes import candidate_json
from mdmem.acts.json.queue import judged_json
from mdmem.acts.text.queue import judged_lines
from mdmem.capture import candidates, intake
from mdmem.cli.making import filter_options, selected
from mdmem.cli.options import (
    complete_name,
    dry_run_option,
    end_with,
    now,
    opened,
    print_json,
    print_lines,
    read_text,
    tell,
    writer,
)
from mdmem.cli.shared import group
from mdmem.cli.unwritten import offering
from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.note import moments
from mdmem.note.filters import Filter
from mdmem.recall import lookup, selection

_CHAT = "chat"  # whose verdicts are that are pasted


@group("candidates")
def candidates_command() -> None:
    """Import the [MEMORY_CANDIDATES] that a model without tools emits, or print memories as such a block.

    \b
    Examples:
      mdmem candidates import chat.txt --dry-run
      mdmem candidates import - --session conv-42 --json
      mdmem candidates render user_prefers_tables
    """


@candidates_command.command("import", writes=True)
@click.argument("file")
@click.option(
    "--twins",
    type=click.Choice(["leave", "ignore"]),
    default="leave",
    show_default=True,
    help="What to do with a candidate that nearly duplicates a memory.",
)
@dry_run_option
def import_candidates(file: str, twins: str, dry_run: bool, vault: str | None, **options: Any) -> None:
    """Write the candidates in FILE ("-" is standard input) as memories, and take its verdicts on what waits.

    Candidates become one file each, in one commit. Verdicts answer what `mdmem garden --paste` printed; they are
    those of --actor, "chat" unless you say otherwise, and wait for you where they are about your notes.

    FILE may be a whole answer or chat, with other text around its blocks. Numbers, dashes, quotes and code
    fences may be as models write them. A bad item is reported with its line and the others are written; the
    exit code is then 1. A block ends with its code fence, with [/MEMORY_CANDIDATES], or where the file ends.

    \b
    Examples:
      mdmem candidates import answer.md
      wl-paste | mdmem candidates import - --dry-run
    """
    with opened(vault) as found:
        source = "standard input" if file == "-" else file
        who, text = writer(found, options["actor"], options["session"]), read_text(file)
        said = pasting.verdicts_in(text)
        judged = queue.judge(found, said, who._replace(actor=who.actor or _CHAT), dry_run=dry_run) if said else []
        plan = intake.plan(found, text, source, twins == "ignore", who.allow_secret)
        if said and not plan.drafts:
            plan = plan._replace(problems=())
        with offering([draft for _, draft in plan.drafts], who, options["as_json"]):
            done = [] if dry_run else intake.write(found, plan, who, options["reason"])
    if options["as_json"]:
        print_json({**intake_json(plan, done), "verdicts": [judged_json(one) for one in judged]})
    else:
        print_lines(judged_lines(judged, dry_run))
        for item, twin in plan.twins:
            tell(f"left out {item.name} (line {item.line}): {twin.likeness} as {twin.record.name}")
        for _, draft in plan.drafts if dry_run else ():
            click.echo(f"would remember {draft.name}")
        for memory in done:
            click.echo(f"remembered {memory.path}  ({memory.commit[:8]})")
    faults = [Problem("verdict", source, 0, str(one.fault), one.fault.hint) for one in judged if one.fault]
    end_with((*plan.problems, *faults), options["as_json"])


@candidates_command.command("render")
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option("--session", help="Only from this conversation.")
@click.option("--since", metavar="WHEN", help="Only those changed since then: 2026-03-01, 2h, 3d, 2w.")
@filter_options
def render_candidates(
    names: tuple[str, ...], session: str | None, since: str | None, as_json: bool, **options: Any
) -> None:
    """Print memories as a [MEMORY_CANDIDATES] block, to paste elsewhere: by name, or all that match the filters.

    \b
    Examples:
      mdmem candidates render user_prefers_tables next_task_deploy
      mdmem candidates render --session conv-42
      mdmem candidates render --since 1d --type decision
    """
    conditions = list(selected(options).conditions())
    conditions += [Filter("session", "=", session)] if session else []
    conditions += [Filter("updated", ">=", moments.render(moments.since(since, now())))] if since else []
    if bool(names) == bool(conditions):
        raise UsageError("no memories selected", "give names, or filters such as --session or --since")
    with opened(options["vault"]) as found:
        named = [lookup.named(found, name) for name in names]
        records = named or selection.listing(found.index, selection.understood(found.index, conditions, now()))
        if not records:
            raise NotFoundError("no memory matches these filters", "mdmem list shows what there is")
        items = intake.of_records(found, records)
    if as_json:
        print_json([candidate_json(item) for item in items])
    else:
        click.echo(candidates.render(items), nl=False)
