"""The group `import`: a command for each registered importer."""

from __future__ import annotations

from typing import Any

import click

from mdmem import registry
from mdmem.cli.options import (
    FullHelpGroup,
    caller,
    dry_run_option,
    end_with,
    json_option,
    opened,
    print_json,
    progress,
    vault_option,
    writer,
    writing_options,
)
from mdmem.text.plural import plural

_PATHS = {
    "folder": click.Path(exists=True, file_okay=False),
    "path": click.Path(exists=True),
    "file": click.Path(exists=True, dir_okay=False, allow_dash=True),
}


class _ImporterCommands(FullHelpGroup):
    """The registered importers as commands, each loaded when it is named or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click passes it
        return sorted(registry.names("importers"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        return _command(cmd_name) if cmd_name in registry.names("importers") else None


@click.group("import", cls=_ImporterCommands)
def import_command() -> None:
    """Import the memories of another system.

    \b
    Examples:
      mdmem import markdown ~/Documents/notes --dry-run
      mdmem import server-memory memory.jsonl
      mdmem import legacy ../old/brain --dry-run --json
      mdmem import rlm ../old/brain/memory
      mdmem import membrane records.json
    """


def _command(name: str) -> click.Command:
    """The command `import NAME`."""
    importer = registry.importer(name)

    @click.command(name, help=importer.HELP)
    @click.argument("path", type=_PATHS[importer.TAKES])
    @dry_run_option
    @writing_options
    @vault_option
    @json_option
    def run(path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any) -> None:
        _import(importer, path, dry_run, vault, as_json, **options)

    for option in _own_options(importer):
        click.option(f"--{option.name}", type=click.Choice(option.choices), help=option.help)(run)
    return run


def _own_options(importer: registry.Importer) -> tuple[registry.ImporterOption, ...]:
    own: tuple[registry.ImporterOption, ...] = getattr(importer, "OPTIONS", ())
    return own


def _import(
    importer: registry.Importer, path: str, dry_run: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    from mdmem.render.json.capture import import_json
    from mdmem.render.text.capture import import_lines

    own = {option.name: options[option.name] or "" for option in _own_options(importer)}
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
