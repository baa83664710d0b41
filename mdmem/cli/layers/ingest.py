"""The command `ingest`: keep whole dialogs, by topic."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from mdmem.acts.json.layers import ingested_json
from mdmem.acts.text.layers import ingested_lines
from mdmem.cli.options import (
    end_with,
    now,
    opened,
    print_json,
    print_lines,
    progress,
    style,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.cli.unwritten import offering
from mdmem.errors import NotFoundError, Problem, UsageError
from mdmem.note import moments
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import dialogfiles, extract, ingest
from mdmem.systems.layers.dialogfiles import DialogSource
from mdmem.systems.layers.ingest import IngestReport, IngestRequest
from mdmem.write.remember import Draft


@command("ingest", writes=True)
@click.argument("file")
@click.option("--topic", required=True, metavar="TOPIC", help='What it is about, or "auto" to have one chosen.')
@click.option(
    "--time", "when", metavar="TIME", help="When it was held, if it does not say so itself. Default: now."
)
@click.option(
    "--redact", is_flag=True, help="Replace passwords and keys by [redacted] instead of stopping at them."
)
@click.option("--rules-only", is_flag=True, help="Draw facts by rule, even if the settings want a model.")
@click.option("--facts", metavar="FILE", default="", help="Facts that somebody read in the dialog, as JSON.")
def ingest_command(
    file: str,
    topic: str,
    when: str | None,
    redact: bool,
    rules_only: bool,
    vault: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Keep whole dialogs, byte for byte: FILE is one, a folder of them, or "-" for standard input.

    Reads Markdown, text and every transcript that `mdmem capture` reads. Each dialog becomes an entry,
    topics/TOPIC/ID/, with raw.md, meta.json and summary.json; they are written once and never changed. All
    that is ingested at once is one commit. What the vault holds already is not added again.

    Facts are drawn from each by rule; with `facts = "model"` under [ingest] in mdmem.toml, by the model that
    $MDMEM_LLM names. Those who read a dialog give better ones with --facts: see `mdmem guide layers`.

    --topic auto picks the topic that shares most words with the dialog, or a new one, and says how sure it is
    (0-1). A dialog with a password or key is left out, and its line named.

    \b
    Examples:
      mdmem ingest chat.md --topic "travel plans"
      mdmem ingest ~/exports/chats --topic auto --json
      pbpaste | mdmem ingest - --topic health --time 2026-02-08T14:05Z
    """
    time = moments.render(moments.since(when, now())) if when else ""
    with opened(vault) as found:
        sources, problems = _sources(found, file)
        who = writer(found, options["actor"], options["session"])
        drawn: list[Draft] = []
        with offering(drawn, who, as_json), progress("reading dialogs") as report:
            wanted = IngestRequest(topic, time, redact)
            if facts := options["facts"]:
                done = _with_facts(found, sources, wanted, who, facts, options["reason"])
            else:
                draw = partial(ingest.noted, _draw(found, rules_only), drawn)
                done = ingest.ingest(found, sources, wanted, who, options["reason"], report, draw)
    done = done._replace(problems=(*problems, *done.problems))
    if as_json:
        print_json(ingested_json(done))
    else:
        print_lines(ingested_lines(done, style()))
    end_with(done.problems, as_json)


def _with_facts(
    vault: Vault, sources: Sequence[DialogSource], wanted: IngestRequest, who: Caller, facts: str, reason: str
) -> IngestReport:
    """Ingest one dialog with the facts in the file `facts`."""
    from mdmem.systems.layers import given

    if len(sources) != 1:
        raise UsageError("the facts are those of one dialog", "give the file of that dialog")
    items = given.items_in(dialogfiles.file_source(facts).read(), facts)
    return given.take(vault, sources[0], wanted, who, items, facts, reason)


def _draw(vault: Vault, rules_only: bool) -> ingest.Draw:
    """The function that draws facts from dialogs: by rules, or by the configured model."""
    if rules_only or vault.config.ingest.facts == "rules":
        return extract.summary_of
    from mdmem.systems.layers import modelled

    return modelled.configured(tell)


def _sources(vault: Vault, file: str) -> tuple[list[DialogSource], list[Problem]]:
    if file == "-":
        if sys.stdin.isatty():
            tell("type or paste the dialog, then Ctrl-D")
        return [DialogSource("-", sys.stdin.buffer.read)], []
    if os.path.isdir(file):
        return dialogfiles.sources_in(vault, file)
    if not os.path.exists(file):
        raise NotFoundError(f"there is no file {file}", 'give a file, a folder of them, or "-"')
    return [dialogfiles.file_source(file)], []
