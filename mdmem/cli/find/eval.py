"""The command `eval`: tests of recall."""

from __future__ import annotations

from typing import Any

import click

from mdmem.cli.options import now, opened, print_json, progress, style
from mdmem.cli.shared import command


@command("eval")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="surrogateescape"))
@click.option("--min-hit5", type=click.FloatRange(0, 1), help="Exit with 1 if hit@5 is below this.")
@click.pass_context
def eval_command(ctx: click.Context, file: Any, min_hit5: float | None, vault: str | None, as_json: bool) -> None:
    """Test recall: do questions find the memories that answer them?

    FILE holds one JSON object per line; "absent" and "k" (default 5) may be left out:

    \b
      {"question": "how are reports wanted", "gold": ["user_prefers_tables.md"], "absent": ["old_note.md"], "k": 5}

    A question fails if no gold memory is among the first k, or an absent one is. The exit code is 1 if
    --min-hit5 is not reached. The scores of each run are kept on this machine, in .mdmem/tests.jsonl.

    \b
    Example:
      mdmem eval questions.jsonl --min-hit5 0.9
    """
    from mdmem.acts.json import notes as notes_json
    from mdmem.acts.text import notes as notes_text
    from mdmem.recall import evaluate, meaning
    from mdmem.recall.gather import RecallContext
    from mdmem.upkeep import recalltests

    cases = evaluate.read(file, file.name)
    with opened(vault) as found, progress("asking") as report:
        around = RecallContext(now(), likeness=meaning.likeness(found, found.index))
        results = list(evaluate.evaluate(found.index, cases, around, report))
        scores = evaluate.means(results)
        recalltests.keep(found, len(results), sum(result.passed for result in results), scores, now())
    if as_json:
        print_json(notes_json.evaluation_json(results, scores))
    else:
        click.echo(notes_text.evaluation_lines(results, scores, style()))
    if min_hit5 is not None and scores.get("hit@5", 0.0) < min_hit5:
        click.echo(f"hit@5 is {scores.get('hit@5', 0.0):.3f}, below {min_hit5}", err=True)
        ctx.exit(1)
