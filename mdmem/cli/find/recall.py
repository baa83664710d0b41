"""The command `recall`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.filtering import archived_option, filter_options, filters_of, kind_option
from mdmem.cli.options import (
    asked,
    clearance_options,
    complete_name,
    echo_raw,
    json_option,
    now,
    print_json,
    style,
    unread_json,
    vault_option,
    writer,
)
from mdmem.index.port import ALL_KINDS
from mdmem.note.excerpt import DEPTHS
from mdmem.recall import validity
from mdmem.text.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.recall import ask
    from mdmem.vault.several import OpenVaults
    from mdmem.vault.vault import Vault

# a phrase, a number, or two letters or more: -n 5 and -t ops are options
_RULED_OUT = re.compile(r'-(["“”„]|\d|[^\W\d_]\w)')


class _QueryCommand(click.Command):
    """A command in whose arguments -word excludes a word, and is not an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if _RULED_OUT.match(args[at]) and before[at] not in valued]
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
@filter_options
@clearance_options
@vault_option
@json_option
def recall_command(words: tuple[str, ...], also: tuple[str, ...], limit: int, **options: Any) -> None:
    """Find memories by words, best first. A note saved a second ago is found.

    Ingested dialogs ("entries") and the facts in them are found, too. What several say is shown once, with the
    places where else it is said.

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
    """
    form = options["form"]
    if form == "markdown" and not options["depth"]:
        options["depth"] = "full"
    conditions = tuple(filters_of(options))
    with asked(options["vault"], look_ahead=True) as vaults:
        from mdmem.recall import ask

        query = ask.Query(
            texts=(" ".join(words), *also),
            conditions=conditions,
            limit=limit,
            as_of=options["as_of"],
            depth=options["depth"] or "",
            budget=options["budget"] or 0,
            at=options["at"],
            given=validity.given(options["given"]),
            kinds=options["kinds"] or ALL_KINDS,
            archived=options["archived"],
        )
        if options["why"]:
            standing = _standing(vaults, query, options["why"])
            _print_standing(options["why"], limit, standing, options["as_json"])
            return
        _print(_answers(vaults, query), form, options, unread_json(vaults))


def _answers(vaults: Vault | OpenVaults, query: ask.Query) -> list[ask.Answer]:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.ask(vaults, query, now(), writer(vaults).session)
    from mdmem.recall.several import asking

    return asking.ask(vaults, query, now(), writer(vaults.first).session)


def _standing(vaults: Vault | OpenVaults, query: ask.Query, name: str) -> ask.Ranking | None:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.why(vaults, query, name, now())
    from mdmem.recall.several import asking

    return asking.why(vaults, query, name, now())


def _print(found: list[ask.Answer], form: str, options: dict[str, Any], unread: list[dict[str, Any]]) -> None:
    from mdmem.recall import prompt
    from mdmem.render.json import notes as notes_json
    from mdmem.render.text import notes as notes_text

    if options["as_json"]:
        moment = now()
        print_json([*(notes_json.answer_json(answer, moment, options["explain"]) for answer in found), *unread])
    elif options["paths_only"]:
        for answer in found:
            echo_raw(answer.hit.record.address)
    elif form == "markdown":
        for answer in found:
            click.echo(prompt.markdown(answer) + "\n")
    else:
        for number, answer in enumerate(found, 1):
            click.echo(notes_text.answer_lines(number, answer, options["explain"], style()))
    if not found and not options["as_json"]:
        click.echo("nothing found; mdmem list shows what there is", err=True)


def _print_standing(name: str, limit: int, found: ask.Ranking | None, as_json: bool) -> None:
    from mdmem.render.json import notes as notes_json
    from mdmem.render.text import notes as notes_text

    if as_json:
        print_json(notes_json.ranking_json(found) if found else None)
    elif found is None:
        why = "excluded by a filter, a phrase or a -word, archived, or the question has no words to rank by"
        click.echo(f"{safe_line(name)} has no rank: {why}")
    else:
        click.echo(notes_text.ranking_lines(found, limit, style()))
