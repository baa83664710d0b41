"""Commands that take memories in and hand them out as text: candidates, import, mirror, agents."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from mdmem import render
from mdmem.capture import candidates, intake
from mdmem.cli.filtering import filter_options, filters_of
from mdmem.cli.options import (
    caller,
    complete_name,
    end_with,
    json_option,
    now,
    opened,
    print_json,
    progress,
    read_text,
    tell,
    vault_option,
    writing_options,
)
from mdmem.errors import NotFoundError, UsageError
from mdmem.note.filters import Filter
from mdmem.note.memory import stem
from mdmem.recall import lookup, selection
from mdmem.systems.legacy import importing as legacy
from mdmem.text import moments
from mdmem.vault import starter
from mdmem.write.remember import Remembered

if TYPE_CHECKING:
    from mdmem.systems.rlm import importing as rlm

_SHOWN = 20  # stale files that a check names
_dry_run_option = click.option("--dry-run", is_flag=True, help="Only say what would be done.")


# -- candidates --------------------------------------------------------------------------------------------


@click.group("candidates")
def candidates_command() -> None:
    """Take in the [MEMORY_CANDIDATES] that a model without tools emits, or print memories as such a block.

    \b
    Examples:
      mdmem candidates import chat.txt --dry-run
      mdmem candidates import - --session conv-42 --json
      mdmem candidates render user_prefers_tables
    """


@candidates_command.command("import")
@click.argument("file")
@click.option(
    "--twins",
    type=click.Choice(["leave", "ignore"]),
    default="leave",
    show_default=True,
    help="What to do with one that a memory says already, nearly.",
)
@_dry_run_option
@writing_options
@vault_option
@json_option
def import_candidates(file: str, twins: str, dry_run: bool, vault: str | None, **options: Any) -> None:
    """Write the candidates in FILE ("-" is standard input) as memories, one file each, in one commit.

    FILE may be a whole answer or chat, with other text around its blocks. Numbers, dashes, quotes and code
    fences may be as models write them. A bad item is reported with its line, the good ones go in; exit code 1
    then. A block ends with its code fence, with [/MEMORY_CANDIDATES], or where the file ends.

    \b
    Examples:
      mdmem candidates import answer.md
      wl-paste | mdmem candidates import - --dry-run
    """
    with opened(vault) as found:
        source = "standard input" if file == "-" else file
        plan = intake.plan(found, read_text(file), source, twins == "ignore")
        who = caller(options["actor"], options["session"])
        done = [] if dry_run else intake.write(found, plan, who, options["reason"])
    if options["as_json"]:
        print_json(_planned_json(plan, done))
    else:
        for item, twin in plan.twins:
            score = round(twin.score * 100)
            tell(f"left out {item.name} (line {item.line}): {score} % the same as {twin.record.name}")
        for _, draft in plan.drafts if dry_run else ():
            click.echo(f"would remember {draft.name}")
        for memory in done:
            click.echo(f"remembered {memory.path}  ({memory.commit[:8]})")
    end_with(plan.problems, options["as_json"])


def _planned_json(plan: intake.IntakePlan, done: list[Remembered]) -> dict[str, Any]:
    written = [memory._asdict() for memory in done] or [{}] * len(plan.drafts)
    return {
        "memories": [
            {"name": draft.name, "line": line} | made
            for (line, draft), made in zip(plan.drafts, written, strict=True)
        ],
        "twins": [
            {"name": item.name, "line": item.line, "twin": twin.record.name, "score": round(twin.score, 3)}
            for item, twin in plan.twins
        ],
        "problems": [render.problem_json(problem) for problem in plan.problems],
    }


@candidates_command.command("render")
@click.argument("names", nargs=-1, shell_complete=complete_name)
@click.option("--session", help="Only from this conversation.")
@click.option("--since", metavar="WHEN", help="Only changed since then: 2026-03-01, 2h, 3d, 2w.")
@filter_options
@vault_option
@json_option
def render_candidates(
    names: tuple[str, ...], session: str | None, since: str | None, as_json: bool, **options: Any
) -> None:
    """Print memories as a [MEMORY_CANDIDATES] block, to paste elsewhere: those named, or those that filters say.

    \b
    Examples:
      mdmem candidates render user_prefers_tables next_task_deploy
      mdmem candidates render --session conv-42
      mdmem candidates render --since 1d --type decision
    """
    conditions = filters_of(options)
    conditions += [Filter("session", "=", session)] if session else []
    conditions += [Filter("updated", ">=", moments.render(moments.since(since, now())))] if since else []
    if bool(names) == bool(conditions):
        raise UsageError("say which memories", "give names, or filters such as --session or --since")
    with opened(options["vault"]) as found:
        named = [lookup.named(found, name) for name in names]
        records = named or selection.listing(found.index, conditions)
        if not records:
            raise NotFoundError("no memory passes these filters", "mdmem list shows what there is")
        items = intake.of_records(found, records)
    if as_json:
        print_json(
            [{"name": one.name, "category": one.category, "tags": one.tags, "body": one.body} for one in items]
        )
    else:
        click.echo(candidates.render(items), nl=False)


# -- import ------------------------------------------------------------------------------------------------


@click.group("import")
def import_command() -> None:
    """Take in the memories of another system.

    \b
    Examples:
      mdmem import legacy ../old/brain --dry-run --json
      mdmem import rlm ../old/brain/memory
    """


@import_command.command("legacy")
@click.argument("path", type=click.Path(exists=True, file_okay=False))
@_dry_run_option
@writing_options
@vault_option
@json_option
def import_legacy(path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Copy the notes of an old memory tree into the vault, in one commit.

    PATH is brain/memory/allmemories, or a folder around it. **Created:** and the other fields become
    properties, texts keep their bytes. Names are mended to the protocol, and links between the notes follow.
    What is there already is skipped: doing it again changes nothing. Symbolic links are not followed.

    To work in such a tree without converting it: mdmem init --memories brain/memory/allmemories

    \b
    Examples:
      mdmem import legacy ~/rlm-mem/brain --dry-run
      mdmem import legacy ~/rlm-mem/brain/memory/allmemories
    """
    with opened(vault) as found:
        with progress("reading notes") as report:
            plan = legacy.plan(found, path, report)
        commit = (
            ""
            if dry_run
            else legacy.write(found, plan, caller(options["actor"], options["session"]), options["reason"])
        )
    if as_json:
        print_json(_legacy_json(plan, commit))
    else:
        for item in plan.items:
            if item.renamed:
                click.echo(f"{item.source} -> {stem(item.path)}")
        verb = "would import" if dry_run else "imported"
        known = f", {len(plan.known)} there already" if plan.known else ""
        click.echo(
            f"{verb} {render.counted(len(plan.items), 'memory')}{known}" + (f"  ({commit[:8]})" if commit else "")
        )
    end_with(plan.problems, as_json)


def _legacy_json(plan: legacy.LegacyImportPlan, commit: str) -> dict[str, Any]:
    return {
        "memories": [{"source": item.source, "path": item.path, "renamed": item.renamed} for item in plan.items],
        "known": dict(plan.known),
        "problems": [render.problem_json(problem) for problem in plan.problems],
        "commit": commit,
    }


@import_command.command("rlm")
@click.argument("path", type=click.Path(exists=True, file_okay=False))
@_dry_run_option
@writing_options
@vault_option
@json_option
def import_rlm(path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Take in the JSON chunks of an RLM-MEM tree: each becomes a memory, archived ones a deleted one.

    PATH is brain/memory, or a folder around it. Ids, links, tags, confidence and counts are kept; the indexes
    are not needed. Files that are no chunks are named and left out. What is there already is skipped: doing it
    again changes nothing. One commit has the chunks, a second one deletes those of the archive, which
    `mdmem trash` then lists.

    \b
    Examples:
      mdmem import rlm ~/rlm-mem/brain/memory --dry-run
      mdmem import rlm ~/rlm-mem --json
    """
    from mdmem.systems.rlm import importing as rlm

    with opened(vault) as found:
        with progress("reading chunks") as report:
            plan = rlm.plan(found, path, report)
        who = caller(options["actor"], options["session"])
        commit = "" if dry_run else rlm.write(found, plan, who, options["reason"])
    if as_json:
        print_json(_rlm_json(plan, commit))
    else:
        verb = "would import" if dry_run else "imported"
        archived = f", {len(plan.archived)} of them archived" if plan.archived else ""
        known = f", {len(plan.known)} there already" if plan.known else ""
        told = f"{verb} {render.counted(len(plan.items), 'chunk')}{archived}{known}"
        click.echo(told + (f"  ({commit[:8]})" if commit else ""))
    end_with(plan.problems, as_json)


def _rlm_json(plan: rlm.ChunkImportPlan, commit: str) -> dict[str, Any]:
    return {
        "chunks": [
            {"id": item.chunk_id, "source": item.source, "path": item.path, "archived": item.archived}
            for item in plan.items
        ],
        "known": dict(plan.known),
        "problems": [render.problem_json(problem) for problem in plan.problems],
        "commit": commit,
    }


# -- mirror ------------------------------------------------------------------------------------------------


@click.command("mirror")
@click.option("--check", is_flag=True, help="Only say what is out of date; exit 1 if anything is.")
@click.option("--rebuild", is_flag=True, help="Render everything anew, whatever is known of it.")
@vault_option
@json_option
def mirror_command(check: bool, rebuild: bool, vault: str | None, as_json: bool) -> None:
    """Render the memories as JSON chunks, with indexes and an archive of the deleted, for other programs.

    They go to chunks/, index/ and archive/, which git ignores; what did not change is left alone. Nothing is
    read back from there: edit the notes. [mirror] enabled = true has the git hooks do it after each commit.

    \b
    Examples:
      mdmem mirror
      mdmem mirror --check
    """
    from mdmem.systems.rlm import mirror

    with opened(vault) as found, progress("rendering") as report:
        if check:
            _end_check(mirror.stale(found, report), as_json)
            return
        done = mirror.update(found, rebuild, report)
    if as_json:
        print_json(done._asdict())
    else:
        held = f"{render.counted(done.chunks, 'chunk')}, {done.archived} archived"
        click.echo(f"{held}; {render.counted(done.written, 'file')} written, {done.removed} removed")


def _end_check(paths: list[str], as_json: bool) -> None:
    if as_json:
        print_json({"stale": paths})
    else:
        for path in paths[:_SHOWN]:
            click.echo(path)
        more = f" (the first {_SHOWN})" if len(paths) > _SHOWN else ""
        click.echo(f"{render.counted(len(paths), 'file')} out of date{more}" if paths else "up to date")
    if paths:
        raise click.exceptions.Exit(1)


# -- agents ------------------------------------------------------------------------------------------------


@click.group("agents")
def agents_command() -> None:
    """Tell LLM sessions about the memories, in AGENTS.md and the like.

    \b
    Example:
      mdmem agents refresh --json
    """


@agents_command.command("refresh")
@click.argument("file", required=False, type=click.Path(exists=True, dir_okay=False))
@writing_options
@vault_option
@json_option
def refresh_agents(file: str | None, vault: str | None, as_json: bool, **options: Any) -> None:
    """Renew the section on the memories in FILE, between its marks; a file without one gets it at its end.

    Nothing else of FILE changes. Without FILE: AGENTS.md and CLAUDE.md of the vault. FILE may belong to a
    project elsewhere; the section then names the way from there to the vault. Within the vault it is one commit.

    \b
    Examples:
      mdmem agents refresh
      mdmem --vault ~/notes agents refresh ~/code/project/AGENTS.md
    """
    with opened(vault) as found:
        who = caller(options["actor"], options["session"])
        done = starter.refresh(found, os.path.abspath(file) if file else None, who, options["reason"])
    if as_json:
        print_json({"paths": list(done.paths), "commit": done.commit})
    elif done.paths:
        click.echo(f"refreshed {', '.join(done.paths)}" + (f"  ({done.commit[:8]})" if done.commit else ""))
    else:
        click.echo("nothing to change")
