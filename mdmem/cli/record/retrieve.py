"""The commands `retrieve` and `select`: records by layer, and the best among alternatives."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.retrieval import choice_json, retrieval_json
from mdmem.acts.text.retrieval import choice_lines, retrieval_lines
from mdmem.cli.options import (
    complete_name,
    now,
    opened,
    print_json,
    print_lines,
    writer,
)
from mdmem.cli.shared import command
from mdmem.recall import lookup, validity
from mdmem.systems.membrane import retrieval
from mdmem.systems.membrane.retrieval import LAYERS, RecordRequest
from mdmem.text import moments


@command("retrieve")
@click.argument("words", nargs=-1)
@click.option("--type", "types", multiple=True, type=click.Choice(LAYERS), help="Only this type; may be repeated.")
@click.option("--scope", "scopes", multiple=True, help="Only this scope, or none; may be repeated.")
@click.option("--min-salience", type=click.FloatRange(0), default=0.0, help="Only from this salience on.")
@click.option("-n", "--limit", type=click.IntRange(1), default=10, show_default=True, help="At most this many.")
@click.option("--at", default="", metavar="DATE", help="What is valid then. Default: now.")
@click.option("--given", multiple=True, metavar="KEY=VALUE", help="What is valid if this is so; may be repeated.")
def retrieve_command(words: tuple[str, ...], vault: str | None, as_json: bool, **options: Any) -> None:
    """Retrieve records for a task: by type (working, semantic, competence, plan_graph, episodic), then salience.

    With words, only records that recall finds. Competences and plans among them are alternatives: the best is
    named, with the confidence of that choice.

    \b
    Examples:
      mdmem record retrieve deploy --scope project-alpha
      mdmem record retrieve --type competence --min-salience 0.3 --json
    """
    request = RecordRequest(
        words=" ".join(words),
        types=options["types"],
        scopes=options["scopes"],
        min_salience=options["min_salience"],
        limit=options["limit"],
        at=moments.since(options["at"], now()) if options["at"] else None,
        given=validity.given(options["given"]),
    )
    with opened(vault) as found:
        retrieved = retrieval.retrieve(found, request, writer(found))
    if as_json:
        print_json(retrieval_json(retrieved))
        return
    print_lines(retrieval_lines(retrieved))
    if not retrieved.records:
        click.echo("nothing found; mdmem list shows what there is", err=True)


@command("select")
@click.argument("names", nargs=-1, required=True, shell_complete=complete_name)
def select_command(names: tuple[str, ...], vault: str | None, as_json: bool) -> None:
    """Choose among records that could each be used, by confidence, success and recency.

    The confidence of the choice is how far the best is ahead; below 0.7, find out more first.

    \b
    Example:
      mdmem record select deploy_with_script deploy_by_hand
    """
    with opened(vault) as found:
        records = {record.path: record for record in (lookup.find(found, name) for name in names)}
        choice = retrieval.select(found, records.values(), now())
    if as_json:
        print_json(choice_json(choice))
    else:
        print_lines(choice_lines(choice))
