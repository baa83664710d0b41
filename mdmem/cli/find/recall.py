"""The command `recall`."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.direct import recall
from mdmem.cli.direct.arguments import rules_out
from mdmem.cli.filtering import archived_option, filter_options, kind_option, team_option
from mdmem.cli.options import clearance_options, complete_name, json_option, line, vault_option
from mdmem.note.excerpt import DEPTHS


class _QueryCommand(click.Command):
    """A command for which an argument -word is not an option but excludes a word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts}
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if rules_out(args[at], known) and before[at] not in valued]
        options = [argument for at, argument in enumerate(args[:end]) if at not in ruled_out]
        return super().parse_args(ctx, [*options, "--", *(args[at] for at in ruled_out), *args[end + 1 :]])


@click.command("recall", cls=_QueryCommand)
@click.argument("words", nargs=-1)
@click.option("--also", multiple=True, metavar="TEXT", help="The same question in other words; may be repeated.")
@click.option("-n", "--limit", type=click.IntRange(1), default=10, show_default=True, help="At most this many.")
@click.option("--depth", type=click.Choice(DEPTHS), help="How much of each to show. Default: the best line.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="Limit the texts to this many tokens in all, headings not counted.",
)
@click.option(
    "--as-of",
    default="",
    metavar="DATE|REV",
    help="Answer with what the vault knew then, with its settings at that time.",
)
@click.option(
    "--at", default="", metavar="DATE", help="Leave out what is not valid then (valid_from, valid_until)."
)
@click.option(
    "--given",
    multiple=True,
    metavar="KEY=VALUE",
    help="Leave out what is not valid if this is so (valid_if); may be repeated.",
)
@click.option("--explain", is_flag=True, help="Show what each signal added to each score.")
@click.option("--why", metavar="NAME", shell_complete=complete_name, help="Explain where this memory ranks.")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", help="Use markdown for a prompt."
)
@click.option("--paths-only", is_flag=True, help="Print only paths, one per line.")
@kind_option
@archived_option
@team_option
@filter_options
@clearance_options
@vault_option
@json_option
def recall_command(**options: Any) -> None:
    """Find memories by words, best first. A note saved a second ago is found.

    Ingested dialogs ("entries") and the facts in them are found, too. What several of them say is shown once,
    with the other places that say it.

    Words may be a question. '"in quotes"' is a phrase, -word excludes, type:decision, tag:ops, created:>2026-01
    and any other property filter; after:2026-01 is short for created:>2026-01, before: for <. Dates in the
    question ("last March") count. Deprecated memories rank below what replaces them. Without words, the newest
    that match the filters are shown.

    \b
    --depth  summary (title), outcome (first paragraph), reasoning (the first of each section),
             full (all text), complete (the file as it is)

    \b
    Examples:
      mdmem recall how does the user like reports
      mdmem recall deploy type:decision created:\\>2026-01 --explain
      mdmem recall "who decided on postgres" --also "choice of database"
      mdmem recall deploy --format markdown --budget 1500
      mdmem recall deploy -staging --as-of 2026-03-01
      mdmem recall deploy --at 2026-06-01 --given env=prod
      mdmem recall where does ana live --kind fact --topic people
      mdmem recall --in team how do we rotate keys
    """
    recall.run(line(options.pop("vault")), options)
