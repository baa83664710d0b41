"""The command `recall`."""

from __future__ import annotations

from collections.abc import Container
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.filtering import archived_option, filter_options, kind_option, team_option
from mdmem.cli.line import CommandLine
from mdmem.cli.options import complete_name, line
from mdmem.cli.output import echo, echo_raw, now, print_json, style, unread_json
from mdmem.cli.shared import Command, command
from mdmem.cli.values import filters_of
from mdmem.index.port import ALL_KINDS
from mdmem.note.excerpt import DEPTHS
from mdmem.recall import validity
from mdmem.text import patterns
from mdmem.text.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.note.filters import Filter
    from mdmem.recall import ask
    from mdmem.vault.several import OpenVaults
    from mdmem.vault.vault import Vault


_LIMIT, _MOST = 10, 50  # answers, without and with a budget that ends them
# -"phrase", -number or -word; a single letter is an option, as in -n 5 and -t ops
_RULED_OUT = patterns.late(r'-(["“”„]|\d|[^\W\d_]\w)')


def rules_out(argument: str, options: Container[str]) -> bool:
    """Whether an argument excludes a word; -n1 does not if -n is one of the `options`."""
    return bool(_RULED_OUT.match(argument)) and not (argument[:2] in options and argument[2:].isdecimal())


class _QueryCommand(Command):
    """A command for which an argument -word is not an option but excludes a word."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for param in self.params for name in param.opts}
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if rules_out(args[at], known) and before[at] not in valued]
        options = [argument for at, argument in enumerate(args[:end]) if at not in ruled_out]
        return super().parse_args(ctx, [*options, "--", *(args[at] for at in ruled_out), *args[end + 1 :]])


@command("recall", cls=_QueryCommand)
@click.argument("words", nargs=-1)
@click.option("--also", multiple=True, metavar="TEXT", help="The same question in other words; may be repeated.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most this many. Default: 10, or what fits.")
@click.option("--depth", type=click.Choice(DEPTHS), help="How much of each to show. Default: the best line.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="Print passages, in a line each where possible, of this many tokens in all.",
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
    _run(line(options.pop("vault")), options)


def _run(line: CommandLine, options: dict[str, Any]) -> None:
    """Answer a question; `options` are the command's parameters by name."""
    options["project"] = ""
    if options["within"]:
        _run_in_team(line, options)
        return
    conditions = tuple(filters_of(options))
    with line.asked(look_ahead=True) as vaults:
        first = vaults.first if hasattr(vaults, "first") else vaults
        options["project"] = line.project(first)
        query = _query(options, conditions)._replace(project=options["project"])
        if options["why"]:
            standing = _standing(vaults, query, options["why"])
            _print_standing(options["why"], query.limit, standing, options["as_json"])
            return
        answers = _answers(line, vaults, query)
        _print(answers, options, unread_json(vaults))
        if not answers and not options["as_json"]:
            from mdmem.recall import meaning

            if lacking := meaning.standing(first).lacking:
                echo(lacking, err=True)


def _query(options: dict[str, Any], conditions: tuple[Filter, ...]) -> ask.Query:
    from mdmem.recall import ask

    return ask.Query(
        texts=(" ".join(options["words"]), *options["also"]),
        conditions=conditions,
        limit=options["limit"] or (_MOST if options["budget"] else _LIMIT),
        as_of=options["as_of"],
        depth=options["depth"] or ("full" if options["form"] == "markdown" and not options["budget"] else ""),
        budget=options["budget"] or 0,
        at=options["at"],
        given=validity.given(options["given"]),
        kinds=options["kinds"] or ALL_KINDS,
        archived=options["archived"],
        shown=lambda answer: _shown(_MOST, answer, options),
    )


def _run_in_team(line: CommandLine, options: dict[str, Any]) -> None:
    """Answer a question from the team's index."""
    from mdmem.recall.several import published

    query = _query(options, tuple(filters_of(options)))
    reader = line.reader()
    with published.opened() as server:
        if options["why"]:
            standing = published.why(server, query, options["why"], now(), reader)
            _print_standing(options["why"], query.limit, standing, options["as_json"])
            return
        _print(published.ask(server, query, now(), reader), options, [])


def _answers(line: CommandLine, vaults: Vault | OpenVaults, query: ask.Query) -> list[ask.Answer]:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.ask(vaults, query, now(), line.writer(vaults).session)
    from mdmem.recall.several import asking

    return asking.ask(vaults, query, now(), line.writer(vaults.first).session)


def _standing(vaults: Vault | OpenVaults, query: ask.Query, name: str) -> ask.Ranking | None:
    from mdmem.recall import ask
    from mdmem.vault.vault import Vault

    if isinstance(vaults, Vault):
        return ask.why(vaults, query, name, now())
    from mdmem.recall.several import asking

    return asking.why(vaults, query, name, now())


def _print(answers: list[ask.Answer], options: dict[str, Any], unread: list[dict[str, Any]]) -> None:
    from mdmem.recall import ask

    if options["as_json"]:
        from mdmem.acts.json import notes as notes_json

        moment = now()
        print_json([*(notes_json.answer_json(answer, moment, options["explain"]) for answer in answers), *unread])
    elif options["paths_only"]:
        for answer in answers:
            echo_raw(answer.hit.record.address)
    else:
        for number, answer in enumerate(answers, 1):
            echo(_shown(number, answer, options))
    if not options["as_json"] and (doubt := ask.doubt(answers)):
        echo(doubt, err=True)
    if not answers and not options["as_json"]:
        where = " --in team" if options["within"] else ""
        echo(f"nothing found; mdmem list{where} shows what there is", err=True)


def _shown(number: int, answer: ask.Answer, options: dict[str, Any]) -> str:
    """An answer as it is printed: for a prompt, or as a numbered item for a person."""
    if options["form"] == "markdown" or (options["budget"] and not options["explain"]):
        from mdmem.recall import prompt

        return prompt.shown(options["project"])(answer)
    from mdmem.acts.text import notes as notes_text

    return notes_text.answer_lines(number, answer, options["explain"], style(), options["project"])


def _print_standing(name: str, limit: int, standing: ask.Ranking | None, as_json: bool) -> None:
    from mdmem.acts.json import notes as notes_json
    from mdmem.acts.text import notes as notes_text

    if as_json:
        print_json(notes_json.ranking_json(standing) if standing else None)
    elif standing is None:
        why = "excluded by a filter, a phrase or a -word, archived, or the question has no words to rank by"
        echo(f"{safe_line(name)} has no rank: {why}")
    else:
        echo(notes_text.ranking_lines(standing, limit, style()))
