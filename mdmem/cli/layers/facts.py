"""The commands of facts: list them, and give them scores."""

from __future__ import annotations

import sys
from typing import Any

import click

from mdmem.acts.json.layers import facts_json, scored_json
from mdmem.acts.json.write import remembered_json
from mdmem.acts.text.layers import fact_lines, facts_lines, scored_lines
from mdmem.cli.options import (
    end_with,
    opened,
    print_json,
    print_lines,
    style,
    writer,
)
from mdmem.cli.shared import Group, group
from mdmem.errors import UsageError
from mdmem.note.facts import HIGHEST_SCORE, TYPES
from mdmem.systems.layers.pages import knownfacts
from mdmem.systems.layers.pages.knownfacts import FactFilter, KnownFact
from mdmem.systems.layers.pages.tiers import TIERS
from mdmem.vault.vault import Vault

_KEYS = "0-10 score, l later, q quit, ? help"
_HELP = """0-10  its worth: 0 is wrong and leaves every page, 5 is worth keeping, 10 is never to be forgotten
l     later: ask again in the next review
q     quit; the scores you gave are saved"""


class _FactsGroup(Group):
    """A group whose first argument is a topic, unless it is one of its commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and not args[0].startswith("-") and args[0] not in self.commands:
            args = ["--topic", *args]
        return super().parse_args(ctx, args)


@group("facts", cls=_FactsGroup, invoke_without_command=True, options_metavar="[TOPIC] [OPTIONS]")
@click.option("--topic", metavar="TOPIC", default="", help="Only the facts of this topic.")
@click.option("--type", "kind", type=click.Choice(TYPES), default=None, help="Only facts of this type.")
@click.option("--tier", type=click.Choice(TIERS), default=None, help="Only facts of this tier.")
@click.option("--unscored", is_flag=True, help="Only facts that nobody has scored yet.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most this many.")
def facts_command(
    topic: str,
    kind: str | None,
    tier: str | None,
    unscored: bool,
    limit: int,
    vault: str | None,
    as_json: bool,
) -> None:
    """List the facts of a topic, or of all: what is known, where from, and what it is worth.

    Facts are drawn from the dialogs that `mdmem ingest` keeps, and from the Facts section of notes with a topic.
    Those of the tier core come first, then secondary. `score` says what a fact is worth, `review` asks about one
    after another.

    \b
    Examples:
      mdmem facts
      mdmem facts travel_plans --type preference
      mdmem facts --tier core --json
      mdmem facts score 04bfc468b131e204 10
      mdmem facts keep 04bfc468b131e204
    """
    command = click.get_current_context().invoked_subcommand
    if command:
        if topic or kind or tier or unscored:
            raise UsageError("options must follow the command", f"mdmem facts {command} --help lists them")
        return
    with opened(vault) as found:
        wanted = FactFilter(topic, kind or "", tier or "", unscored)
        facts, problems = knownfacts.find(found, wanted)
        shown = knownfacts.cited(found, facts[:limit])
    if as_json:
        print_json(facts_json(shown, len(facts), problems))
    else:
        print_lines(facts_lines(shown, len(facts), style()))
    end_with(problems, as_json)


@facts_command.command("score", writes=True)
@click.argument("id")
@click.argument("score", type=int)
@click.option("--topic", metavar="TOPIC", default="", help="Only in this topic, if several have the fact.")
@click.option("--note", metavar="TEXT", default="", help="Why, in your words.")
def score_command(
    id: str, score: int, topic: str, note: str, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Say what the fact ID is worth: SCORE is 0 (wrong) to 10 (never to be forgotten).

    It is added as a line to topics/TOPIC/curation.md, where you can write it yourself as well; the last line about
    a fact holds. A score counts for more than any rule: below 5 the fact leaves every page, from 8 it is core.

    \b
    Examples:
      mdmem facts score 04bfc468b131e204 10
      mdmem facts score 04bf 0 --note "that was a joke"
    """
    with opened(vault) as found:
        facts = knownfacts.with_id(found, id, topic)
        who = writer(found, options["actor"], options["session"])
        done = knownfacts.score(found, [(facts, score)], who, note or options["reason"])
    if as_json:
        print_json(scored_json(done))
    else:
        print_lines(scored_lines(done))


@facts_command.command("review", json=False, writes=True)
@click.option("--topic", metavar="TOPIC", default="", help="Only the facts of this topic.")
@click.option("--type", "kind", type=click.Choice(TYPES), default=None, help="Only facts of this type.")
@click.option("--all", "scored_too", is_flag=True, help="Ask about facts that have a score, too.")
def review_command(topic: str, kind: str | None, scored_too: bool, vault: str | None, **options: Any) -> None:
    """Go through the facts, one at a time, with the sentence each was taken from: give a score, or leave it.

    The scores are written in one commit at the end, also if you quit or interrupt it.

    \b
    Examples:
      mdmem facts review
      mdmem facts review --topic travel_plans --type constraint
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(
            "a review needs a terminal", "mdmem facts --json lists facts, mdmem facts score ID gives a score"
        )
    with opened(vault) as found:
        wanted = FactFilter(topic, kind or "", unscored=not scored_too)
        given = _walk(found, knownfacts.find(found, wanted)[0])
        if not given:
            click.echo("no score was given")
            return
        who = writer(found, options["actor"], options["session"])
        print_lines(scored_lines(knownfacts.score(found, given, who, options["reason"])))


@facts_command.command("keep", writes=True)
@click.argument("id")
@click.option("--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the fact.")
def keep_command(id: str, name: str, vault: str | None, as_json: bool, **options: Any) -> None:
    """Make a memory of the fact ID, with its sentence and every place where it was told.

    The memory is yours to change; recall shows it in place of the fact, and names the places.

    \b
    Examples:
      mdmem facts keep 04bfc468b131e204
      mdmem facts keep 04bf --name ana_lives_in_lisbon
    """
    from mdmem.systems.layers import keeping

    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        done = keeping.keep(found, id, who, name, options["reason"])
    if as_json:
        print_json(remembered_json(done, []))
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")


def _walk(vault: Vault, facts: list[KnownFact]) -> list[tuple[list[KnownFact], int]]:
    """The scores that the person gives, until they quit."""
    given: list[tuple[list[KnownFact], int]] = []
    for number, fact in enumerate(facts, 1):
        click.secho(f"\n{number} of {len(facts)}  {fact.topic}", bold=True)
        print_lines(fact_lines(knownfacts.cited(vault, [fact])[0], style()))
        answer = _answer()
        if answer == "q":
            break
        if answer != "l":
            given.append(([fact], int(answer)))
    return given


def _answer() -> str:
    """A score, "l" for later or "q" to quit; asks until it gets one of them. Ctrl-C and Ctrl-D quit."""
    while True:
        try:
            answer = click.prompt(click.style(_KEYS, fg="cyan"), default="", show_default=False).strip().lower()
        except click.Abort:
            click.echo()
            return "q"
        if answer in ("l", "q") or (answer.isdecimal() and int(answer) <= HIGHEST_SCORE):
            return str(answer)
        click.echo(_HELP)
