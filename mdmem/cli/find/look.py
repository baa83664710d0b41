"""The commands `list` and `show`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from mdmem.acts.json.notes import note_json, record_json, source_json, stub_json
from mdmem.acts.text.notes import count_lines, record_table, source_lines, stub_lines
from mdmem.cli.filtering import archived_option, filter_options, kind_option, team_option
from mdmem.cli.options import (
    asked,
    complete_name,
    echo_raw,
    line,
    now,
    print_json,
    print_lines,
    style,
    unread_json,
)
from mdmem.cli.output import tell
from mdmem.cli.shared import command
from mdmem.cli.values import filters_of
from mdmem.history import past
from mdmem.index import port
from mdmem.index.port import ENTRY, MEMORIES, MEMORY, qualified
from mdmem.local import usage
from mdmem.note.memory import Memory, render
from mdmem.recall import ask, lookup, selection
from mdmem.text import moments
from mdmem.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.index.port import Catalogue, IndexedNote
    from mdmem.vault.several import OpenVaults

SORTS = ("name", "path", "title", "created", "updated", "type", "status")


@command("list")
@click.option("--sort", type=click.Choice(SORTS), default="name", show_default=True, help="What to sort by.")
@click.option("-r", "--reverse", is_flag=True, help="Reverse the order.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most this many.")
@click.option(
    "--count", "counted", metavar="KEY", help="Print how often each value of a property occurs, such as tags."
)
@click.option("--paths-only", is_flag=True, help="Print only paths, one per line.")
@kind_option
@archived_option
@team_option
@filter_options
def list_command(
    sort: str, reverse: bool, limit: int | None, counted: str | None, paths_only: bool, **options: Any
) -> None:
    """List memories by their properties.

    Memories one level more sensitive than you may see are listed with id, type and level only: a person can
    show them. `mdmem guide privacy` says more.

    \b
    Filters (--where): key=value  key!=value  key>value  key<=value  key~part  key (is set)  !key (is not)
    Examples:
      mdmem list --type preference --sort created --reverse
      mdmem list --where "confidence<0.5" --where "!supersedes"
      mdmem list --count tags
      mdmem list --kind fact --type preference
      mdmem list --in team --tag ops --sort updated
    """
    with _looking(options) as (catalogue, unread):
        kinds = options["kinds"] or MEMORIES
        conditions = selection.understood(catalogue, filters_of(options), now(), kinds)
        records = selection.listing(catalogue, conditions, kinds, archived=options["archived"])
        counts = selection.counts(catalogue, records, counted) if counted else None
        stubs = selection.stubs(catalogue, conditions)
        records = _local(records)
    if counts is not None:
        _print_counts(counts, options["as_json"])
        return
    records.sort(key=lambda record: (getattr(record, sort), record.path), reverse=reverse)
    records = records[:limit]
    if options["as_json"]:
        moment = now()
        print_json([*(record_json(record, moment) for record in records), *map(stub_json, stubs), *unread])
    elif paths_only:
        for record in records:
            echo_raw(qualified(record.vault, record.path))
    else:
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
        print_lines(record_table(records, width, style()))
        print_lines(stub_lines(stubs, style()))


@contextmanager
def _looking(options: dict[str, Any]) -> Iterator[tuple[Catalogue, list[dict[str, Any]]]]:
    """The catalogue of the vault, vaults or team to list, and the JSON of the vaults that could not answer."""
    if options["within"]:
        from mdmem.recall.several import published

        with published.opened() as server, published.catalogue_of(server, line().reader()) as catalogue:
            yield catalogue, []
        return
    with asked(options["vault"]) as vaults:
        if isinstance(vaults, Vault):
            yield vaults.index, []
            return
        from mdmem.recall.several import joined

        yield joined.of(vaults), unread_json(vaults)


def _local(records: list[IndexedNote]) -> list[IndexedNote]:
    """Records with paths relative to their own vaults."""
    if not any(record.vault for record in records):
        return records
    return list(map(port.local, records))


def _print_counts(counts: dict[str, int], as_json: bool) -> None:
    if as_json:
        print_json(counts)
        return
    print_lines(count_lines(counts))


@command("show")
@click.argument("words", nargs=-1, required=True, metavar="NAME", shell_complete=complete_name)
@team_option
def show_command(words: tuple[str, ...], within: str | None, vault: str | None, as_json: bool) -> None:
    """Print a memory, now or as it was: NAME or NAME@REV.

    NAME is its name, path, id, or a part of a name that no other memory has. REV is a commit or a date. A dialog
    that was ingested is named by its path, id or TOPIC/ID, a fact by its id.

    \b
    Examples:
      mdmem show user_prefers_tables
      mdmem show user_prefers_tables@2026-03-01
      mdmem show user_prefers_tables@HEAD~3
      mdmem show travel/20260208T140500Z-0c7a6f3e
      mdmem show --in team handbook:deploy_days
    """
    if within:
        _show_in_team(" ".join(words), as_json)
        return
    with asked(vault) as vaults:
        found, called, text = _named(vaults, " ".join(words))
        name, rev = lookup.split_revision(found, text)
        source = None if lookup.find_exact(found, name) else ask.source(found, name, rev, now())
        if source:
            _print_source(_of_vault(source, called), as_json)
            return
        if rev:
            note, data, commit = past.version(found, name, moments.dated(rev, now()))
        else:
            record = lookup.find(found, name)
            if lookup.find_exact(found, name) is None:
                tell(f"there is no memory '{name}'; this is {record.name}")
            data, commit = found.shown(record.path), ""
            note = found.parse(data, record.path)
            usage.add_opened(found.root, [record.id])
    if as_json:
        print_json(note_json(note, commit, now(), called))
    else:
        echo_raw(data.decode("utf-8-sig", "replace"), nl=not data.endswith(b"\n"))


def _show_in_team(name: str, as_json: bool) -> None:
    from mdmem.recall.several import published

    with published.opened() as server:
        found = published.show(server, name, line().reader())
    answer, record = found.answer, found.answer.hit.record
    if record.kind != MEMORY:
        data = found.text.encode() if record.kind == ENTRY else b""
        _print_source(ask.ShownSource(answer, data), as_json)
        return
    if as_json:
        note = Memory(record.path, record.id, record.meta, found.text, "frontmatter", record.body_line)
        print_json(note_json(note, answer.commit, now(), record.vault, answer.link))
        return
    text = render(record.meta, found.text).decode()
    echo_raw(text, nl=not text.endswith("\n"))


def _named(vaults: Vault | OpenVaults, text: str) -> tuple[Vault, str, str]:
    """(vault, its name among several, text within it) for a text that may name the vault first."""
    if isinstance(vaults, Vault):
        return vaults, "", text
    from mdmem.recall.several import naming

    vault, called, own = naming.holder(vaults, text)
    return vault, called, own


def _of_vault(source: ask.ShownSource, called: str) -> ask.ShownSource:
    hit = source.answer.hit
    named = hit._replace(record=hit.record._replace(vault=called))
    return source._replace(answer=source.answer._replace(hit=named))


def _print_source(source: ask.ShownSource, as_json: bool) -> None:
    if as_json:
        print_json(source_json(source, now()))
    elif source.data:
        echo_raw(source.data.decode("utf-8-sig", "replace"), nl=not source.data.endswith(b"\n"))
    else:
        print_lines(source_lines(source, style()))
