"""Commands that answer questions: recall; and that see to it: eval, embed."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.filtering import filter_options, filters_of
from mdmem.cli.options import (
    complete_name,
    echo_raw,
    json_option,
    now,
    opened,
    print_json,
    progress,
    vault_option,
)
from mdmem.note.depth import DEPTHS
from mdmem.text.terminal import safe_line

if TYPE_CHECKING:
    from mdmem.recall import ask

# a phrase, a number, or two letters or more: -n 5 and -t ops are options
_RULED_OUT = re.compile(r'-(["“”„]|\d|[^\W\d_]\w)')


class _QueryCommand(click.Command):
    """A command in whose arguments -word rules a word out, and is no option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        valued = {name for param in self.params if not getattr(param, "is_flag", True) for name in param.opts}
        end = args.index("--") if "--" in args else len(args)
        before = ["", *args]
        ruled_out = [at for at in range(end) if _RULED_OUT.match(args[at]) and before[at] not in valued]
        options = [argument for at, argument in enumerate(args[:end]) if at not in ruled_out]
        return super().parse_args(ctx, [*options, "--", *(args[at] for at in ruled_out), *args[end + 1 :]])


@click.command("recall", cls=_QueryCommand)
@click.argument("words", nargs=-1)
@click.option("--also", multiple=True, metavar="TEXT", help="The same question in other words; again for more.")
@click.option("-n", "--limit", type=click.IntRange(1), default=10, show_default=True, help="At most this many.")
@click.option("--depth", type=click.Choice(DEPTHS), help="Show this much of each, not only the best line.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    metavar="TOKENS",
    help="Show texts of this many tokens in all, headings not counted.",
)
@click.option(
    "--as-of",
    default="",
    metavar="DATE|REV",
    help="Answer with what the vault knew then, by its settings of then.",
)
@click.option("--explain", is_flag=True, help="Show what each signal gave to each score.")
@click.option("--why", metavar="NAME", shell_complete=complete_name, help="Explain where this memory ranks.")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text", help="For a prompt: markdown."
)
@click.option("--paths-only", is_flag=True, help="Print paths, one a line.")
@filter_options
@vault_option
@json_option
def recall_command(words: tuple[str, ...], also: tuple[str, ...], limit: int, **options: Any) -> None:
    """Find memories by words, best first. A note saved a second ago is found.

    Words may be a question. '"in quotes"' is a phrase, -word rules out, type:decision, tag:ops, created:>2026-01
    and any other property filter. Dates in the question ("last March") count. Deprecated memories sink under
    what replaces them. With no words, the newest that pass the filters are shown.

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
    """
    form = options["form"]
    if form == "markdown" and not options["depth"]:
        options["depth"] = "full"
    conditions = tuple(filters_of(options))
    with opened(options["vault"], look_ahead=True) as vault:
        from mdmem.recall import ask

        query = ask.Query(
            texts=(" ".join(words), *also),
            conditions=conditions,
            limit=limit,
            as_of=options["as_of"],
            depth=options["depth"] or "",
            budget=options["budget"] or 0,
        )
        if options["why"]:
            standing = ask.why(vault, query, options["why"], now())
            _print_standing(options["why"], limit, standing, options["as_json"])
            return
        found = ask.ask(vault, query, now())
        _print(found, form, options)
        if not query.as_of:
            ask.count_use(vault, found, now(), os.environ.get("MDMEM_SESSION", ""))


def _print(found: list[ask.Answer], form: str, options: dict[str, Any]) -> None:
    from mdmem.cli import answers
    from mdmem.recall import prompt

    if options["as_json"]:
        print_json([answers.answer_json(answer, options["explain"]) for answer in found])
    elif options["paths_only"]:
        for answer in found:
            echo_raw(answer.hit.record.path)
    elif form == "markdown":
        for answer in found:
            click.echo(prompt.markdown(answer) + "\n")
    else:
        for number, answer in enumerate(found, 1):
            click.echo(answers.answer_lines(number, answer, options["explain"]))
    if not found and not options["as_json"]:
        click.echo("nothing found; mdmem list shows what there is", err=True)


def _print_standing(name: str, limit: int, found: ask.Ranking | None, as_json: bool) -> None:
    from mdmem.cli import answers

    if as_json:
        print_json(answers.standing_json(found) if found else None)
    elif found is None:
        why = "ruled out by a filter, a phrase or a -word of the question, or there are no words to rank by"
        click.echo(f"{safe_line(name)} has no rank: {why}")
    else:
        click.echo(answers.standing_lines(found, limit))


@click.command("eval")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="surrogateescape"))
@click.option("--min-hit5", type=click.FloatRange(0, 1), help="Exit with 1 if hit@5 is below this.")
@vault_option
@json_option
@click.pass_context
def eval_command(ctx: click.Context, file: Any, min_hit5: float | None, vault: str | None, as_json: bool) -> None:
    """Test recall: do questions find the memories that answer them?

    FILE holds one JSON object a line; "absent" and "k" (default 5) may be left out:

    \b
      {"question": "how are reports wanted", "gold": ["user_prefers_tables.md"], "absent": ["old_note.md"], "k": 5}

    A question fails if no gold memory is among the first k, or an absent one is. Exit code 1 if --min-hit5 is
    missed.

    \b
    Example:
      mdmem eval questions.jsonl --min-hit5 0.9
    """
    from mdmem.cli import answers
    from mdmem.recall import evaluate, meaning
    from mdmem.recall.pool import RecallContext

    cases = evaluate.read(file, file.name)
    with opened(vault) as found, progress("asking") as report:
        around = RecallContext(now(), likeness=meaning.likeness(found, found.index))
        results = list(evaluate.evaluate(found.index, cases, around, report))
    scores = evaluate.means(results)
    if as_json:
        print_json(answers.evaluation_json(results, scores))
    else:
        click.echo(answers.evaluation_lines(results, scores))
    if min_hit5 is not None and scores.get("hit@5", 0.0) < min_hit5:
        click.echo(f"hit@5 is {scores.get('hit@5', 0.0):.3f}, below {min_hit5}", err=True)
        ctx.exit(1)


@click.command("embed")
@vault_option
@json_option
def embed_command(vault: str | None, as_json: bool) -> None:
    """Make the vectors that recall by meaning needs.

    It needs a model, switched on in mdmem.toml with [semantic] and model = "minilm" or "endpoint". Only new and
    changed memories go through it; recall sees to a few of them by itself.

    \b
    Example:
      mdmem embed
    """
    from mdmem.errors import UsageError
    from mdmem.recall import meaning

    with opened(vault) as found, progress("embedding") as report:
        if not found.config.semantic_model:
            raise UsageError("no model is switched on", 'put into mdmem.toml: [semantic], then model = "minilm"')
        vectors = meaning.Meaning(meaning.model(found.config.semantic_model), found.root, found.index)
        made, dropped = vectors.embed(report), vectors.tidy()
    if as_json:
        print_json({"made": made, "dropped": dropped})
    else:
        click.echo(f"made {made} vectors" + (f", dropped {dropped} of texts that are no more" if dropped else ""))
