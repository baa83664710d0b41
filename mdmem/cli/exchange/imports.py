"""The command `import`: the memories of another system, by the importer that is registered for its format."""

from __future__ import annotations

from typing import Any

import click
from click.shell_completion import CompletionItem

from mdmem.cli.options import caller, dry_run_option, end_with, opened, print_json, progress, writer
from mdmem.cli.shared import Command, command
from mdmem.errors import UsageError
from mdmem.note.plural import plural
from mdmem.store import registry

_NAMED = "mdmem.import.format"  # key of the format in Context.meta
_PATHS = {
    "folder": click.Path(exists=True, file_okay=False),
    "path": click.Path(exists=True),
    "file": click.Path(exists=True, dir_okay=False, allow_dash=True),
}


class _Format(click.ParamType[str]):
    """The name of a registered importer."""

    name = "format"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in registry.names("importers"):
            self.fail(f"{value!r} is not one of {', '.join(_formats())}.", param, ctx)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        del ctx, param
        return [CompletionItem(name) for name in _formats() if name.startswith(incomplete)]


def _formats() -> list[str]:
    return sorted(registry.names("importers"))


class _ImportCommand(Command):
    """A command whose help is that of the format, if one is named, else lists the formats."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.meta[_NAMED] = next((word for word in args if word in _formats()), "")
        return super().parse_args(ctx, args)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        if ctx.meta.get(_NAMED):
            of_format = click.Command(None, help=registry.importer(ctx.meta[_NAMED]).HELP)
            of_format.format_help_text(ctx, formatter)
        else:
            super().format_help_text(ctx, formatter)
            with formatter.section("Formats"):
                formatter.write_dl(
                    [(name, registry.importer(name).HELP.partition("\n\n")[0]) for name in _formats()]
                )


def _path(ctx: click.Context, param: click.Parameter, value: str) -> Any:
    """The path, checked as the format takes it."""
    return _PATHS[registry.importer(ctx.params["format"]).TAKES].convert(value, param, ctx)


@command("import", writes=True, cls=_ImportCommand)
@click.argument("format", type=_Format(), metavar="FORMAT")
@click.argument("path", callback=_path)
@dry_run_option
@click.option("--split", type=click.Choice(["headings"]), help="Of markdown: make a note of each section.")
def import_command(
    format: str, path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Import the memories of another system. `mdmem import FORMAT --help` says what PATH is, and what is kept.

    \b
    Examples:
      mdmem import markdown ~/Documents/notes --dry-run
      mdmem import server-memory memory.jsonl
      mdmem import legacy ../old/brain --dry-run --json
      mdmem import rlm ../old/brain/memory
      mdmem import membrane records.json
    """
    from mdmem.acts.json.capture import import_json
    from mdmem.acts.text.capture import import_lines

    importer = registry.importer(format)
    own = _own_options(importer, options)
    with opened(vault) as found:
        with progress(f"reading {plural(importer.NOUN)}") as report:
            plan = importer.plan(found, path, report, caller().allow_secret, **own)
        who = writer(found, options["actor"], options["session"])
        commit = "" if dry_run else importer.write(found, plan, who, options["reason"])
    if as_json:
        print_json(import_json(plan, importer.NOUN, commit))
    else:
        for line in import_lines(plan, importer.NOUN, commit, dry_run):
            click.echo(line)
    end_with(plan.problems, as_json)


def _own_options(importer: registry.Importer, given: dict[str, Any]) -> dict[str, str]:
    """The options that only some formats have. Raises UsageError for one that this format lacks."""
    known = [option.name for option in getattr(importer, "OPTIONS", ())]
    if given["split"] and "split" not in known:
        raise UsageError("--split is for Markdown files", "leave it out")
    return {name: given[name] or "" for name in known}
