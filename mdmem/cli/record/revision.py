"""Commands that revise records: revise, supersede, fork, merge, retract, contest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mdmem.acts.json.lifecycle import descent_json
from mdmem.acts.json.write import written_json
from mdmem.cli.options import (
    complete_name,
    opened,
    print_json,
    standard_input,
    writer,
)
from mdmem.cli.shared import command
from mdmem.cli.values import as_list, properties_of
from mdmem.errors import UsageError
from mdmem.index.port import IndexedNote
from mdmem.note.memory import stem
from mdmem.note.properties import RECORD_TYPES_OF
from mdmem.operation import Caller
from mdmem.recall import lookup
from mdmem.systems.membrane import adding, revision
from mdmem.systems.membrane.revision import Descent
from mdmem.vault.vault import Vault
from mdmem.write import remember, succession
from mdmem.write.edit import Edit, Written
from mdmem.write.remember import Draft

_Command = TypeVar("_Command", bound=Callable[..., Any])


def _new_record_options(command: _Command) -> _Command:
    """The options for the content of a new record: `--text`, its title, name and properties."""
    for option in (
        click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="A property; may be repeated."),
        click.option("--name", "new_name", default="", help="File name of the new record."),
        click.option("--title", default="", help="Title of the new record."),
        click.option("--text", default="-", help="What it says, as text or JSON. Default: from stdin."),
    ):
        command = option(command)
    return command


@command("revise", writes=True)
@click.argument("name", shell_complete=complete_name)
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set a property; may be repeated.")
@click.option("--unset", multiple=True, metavar="KEY", help="Remove a property.")
@click.option("--add", multiple=True, metavar="KEY=VALUE", help="Add to a list, such as tags=x.")
@click.option("--text", help='Replace the text; "-" reads it from standard input.')
@click.option("--append", default="", help="Add a paragraph at the end.")
def revise_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Change a record in place. Its history keeps what it said; an episodic record cannot be revised.

    \b
    Example:
      mdmem record revise deploys_run_on_fridays --set confidence=0.7 --append "Not in December."
    """
    added: dict[str, list[Any]] = {}
    for pair in options["add"]:
        for key, value in properties_of((pair,), checked=False).items():
            added.setdefault(key, []).extend(as_list(value))
    change = Edit(
        changes=properties_of(options["pairs"], checked=False) | dict.fromkeys(options["unset"]),
        add=added,
        body=standard_input() if options["text"] == "-" else options["text"],
        append=options["append"],
    )
    if change == Edit(changes={}, add={}):
        raise UsageError("nothing to revise", "say what: --set key=value, --unset key, --text or --append")
    with opened(vault) as found:
        record = lookup.named(found, name)
        change = change._replace(
            changes=succession.resolved(found, change.changes), add=succession.resolved(found, change.add)
        )
        who = writer(found, options["actor"], options["session"])
        done = revision.revise(found, record, change, who, options["reason"])
    _report_written("revised", done, as_json)


@command("supersede", writes=True)
@click.argument("name", shell_complete=complete_name)
@_new_record_options
def supersede_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Replace a record by a new one, in one commit. The old one is retracted and names its successor.

    The new record takes over type, tags, scope and the like, and names the old one as a source.

    \b
    Example:
      mdmem record supersede deploys_run_on_fridays --text "Deploys run on Mondays."
    """
    with opened(vault) as found:
        old, who = lookup.named(found, name), writer(found, options["actor"], options["session"])
        draft = _draft(found, old, who, options)
        done = revision.supersede(found, old, draft, who, options["reason"])
    _report("superseded", done, as_json)


@command("fork", writes=True)
@click.argument("name", shell_complete=complete_name)
@_new_record_options
def fork_command(name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Derive a new record from one that stays as it is, such as a variant for other conditions.

    \b
    Example:
      mdmem record fork deploys_run_on_fridays --text "Hotfixes run on any day." --set valid_if=kind=hotfix
    """
    with opened(vault) as found:
        source, who = lookup.named(found, name), writer(found, options["actor"], options["session"])
        draft = _draft(found, source, who, options)
        done = revision.fork(found, source, draft, who, options["reason"])
    _report("forked", done, as_json)


@command("merge", writes=True)
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
@_new_record_options
def merge_command(names: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Make one record out of several, in one commit. The old ones are retracted; the new one is derived from each.

    \b
    Example:
      mdmem record merge deploys_run_on_fridays deploys_run_at_noon --text "Deploys run on Fridays at noon."
    """
    with opened(vault) as found:
        sources = list({record.path: record for record in (lookup.named(found, name) for name in names)}.values())
        who = writer(found, options["actor"], options["session"])
        draft = _draft(found, sources[0], who, options)
        done = revision.merge(found, sources, draft, who, options["reason"])
    _report("merged", done, as_json)


@command("retract", writes=True)
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
def retract_command(names: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Take back what records say. They stay in the vault, retracted and without salience.

    \b
    Example:
      mdmem record retract deploys_run_on_fridays -m "was never decided"
    """
    with opened(vault) as found:
        records = list({record.path: record for record in (lookup.named(found, name) for name in names)}.values())
        who = writer(found, options["actor"], options["session"])
        done = revision.retract(found, records, who, options["reason"])
    _report_written("retracted", done, as_json)


@command("contest", writes=True)
@click.argument("name", shell_complete=complete_name)
@click.option(
    "--by", "other", required=True, metavar="NAME", shell_complete=complete_name, help="The record against it."
)
def contest_command(name: str, other: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Say that another record speaks against one. Both stand; the first is contested by the second.

    \b
    Example:
      mdmem record contest deploys_run_on_fridays --by deploys_never_run_on_fridays
    """
    with opened(vault) as found:
        record, against = lookup.named(found, name), lookup.named(found, other)
        who = writer(found, options["actor"], options["session"])
        done = revision.contest(found, record, against, who, options["reason"])
    _report_written("contested", done, as_json)


def _draft(vault: Vault, origin: IndexedNote, who: Caller, options: dict[str, Any]) -> Draft:
    """The new record as given: a text, a whole note, or JSON of a record or of its payload."""
    given = properties_of(options["pairs"])
    if options["title"]:
        given["title"] = options["title"]
    text = standard_input() if options["text"] == "-" else options["text"]
    given = succession.resolved(vault, given)
    if not text.lstrip().startswith("{"):
        return remember.draft_from(text, given, options["new_name"])
    type = RECORD_TYPES_OF.get(origin.type, "semantic")
    draft = adding.from_json(vault, text, type, who, options["title"], options["new_name"])
    return draft._replace(properties={**draft.properties, **given})


def _report(verb: str, done: Descent, as_json: bool) -> None:
    if as_json:
        print_json(descent_json(done))
    else:
        origins = ", ".join(stem(path) for path in done.origins)
        click.echo(f"{verb} {origins}: {done.path}  ({done.commit[:8]})")


def _report_written(verb: str, done: Written, as_json: bool) -> None:
    names = ", ".join(stem(path) for path in done.paths)
    if as_json:
        print_json(written_json(done))
    elif done.commit:
        click.echo(f"{verb} {names}  ({done.commit[:8]})")
    else:
        click.echo(f"nothing to change: {names}")
