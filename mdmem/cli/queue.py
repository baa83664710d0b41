"""The command `judge`, which answers what waits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from mdmem.acts.checks import pasting, queue
from mdmem.acts.checks.queue import KINDS, Wanted
from mdmem.acts.json.queue import judged_json
from mdmem.acts.text.queue import judged_lines
from mdmem.cli.editor import require_editor
from mdmem.cli.options import (
    dry_run_option,
    opened,
    print_json,
    print_lines,
    read_text,
    writer,
)
from mdmem.cli.shared import command
from mdmem.errors import UsageError
from mdmem.garden.judging import Judged, Said
from mdmem.garden.plan import GARDENERS
from mdmem.garden.verdicts import AGAIN
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

kind_option = click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice([*KINDS, *GARDENERS]),
    metavar="KIND",
    help=f"Only these: {', '.join(KINDS)}, or proposals of a gardener. May be repeated.",
)
topic_option = click.option("--topic", default="", help="Only what is about this topic.")
least_option = click.option(
    "--min-confidence",
    "least",
    type=click.FloatRange(0, 1),
    help="How sure proposals are. Default: garden.min_confidence.",
)
EDIT = "edit"  # a verdict that is given in an editor
_EVERY = 100_000  # more than can wait


@command("judge", writes=True)
@click.argument("words", nargs=-1, metavar="[ID]... [VERDICT]")
@click.option("--text", default="", help="What is to stand there instead: with reword, or for a merged note.")
@click.option("--from", "source", metavar="FILE", help='Verdicts as JSON, in any text; "-" is stdin.')
@click.option("--agreed-by", metavar="ACTOR", default="", help="Take all that this agent or model agrees to.")
@click.option("--all", "everything", is_flag=True, help="All that waits, of --kind.")
@click.option("--user", "for_user", is_flag=True, help="An agent types what its user decided; it is theirs.")
@kind_option
@topic_option
@least_option
@dry_run_option
def judge_command(
    words: tuple[str, ...], kinds: tuple[str, ...], dry_run: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Answer what waits, one or many at once; without words, go through it on the terminal, by key.

    Captured memories are answered with keep, reject or reword; proposals about two notes with same, "first
    replaces second", "second replaces first", "both hold" or "cannot tell", any other with yes or no; facts with 0
    to 10, or keep; conflicts of a merge with ours, theirs or reword. yes and no also do for what is captured or
    proposed, edit opens an editor, again takes a verdict back. The first characters of an id are enough; the id of
    a session means all that was captured in it.

    An agent's word on what you wrote or said waits for you. `--agreed-by` takes it, `--dry-run` shows it first.
    --from reads objects such as {"id": "3f0a", "verdict": "same", "why": "...", "text": "...", "drops": ["..."]}.

    \b
    Examples:
      mdmem judge
      mdmem judge 3f0a 77c1 keep
      mdmem judge 5f1c9f0e2a4b "both hold" -m "Two different rooms."
      mdmem judge --agreed-by claude-code --dry-run
    """
    with opened(vault) as found:
        who = writer(found, options["actor"], options["session"])
        wanted = Wanted(kinds, options["topic"], _EVERY, options["least"])
        if not (words or options["source"] or options["agreed_by"] or options["everything"]):
            from mdmem.cli.reviewing import review

            review(found, who, wanted)
            return
        said = _said(found, who, wanted, words, options)
        done = queue.judge(found, said, who, kinds[0] if len(kinds) == 1 else "", options["for_user"], dry_run)
        _report(done, as_json, dry_run)


def _said(
    vault: Vault, who: Caller, wanted: Wanted, words: Sequence[str], options: dict[str, Any]
) -> Sequence[Said]:
    """The verdicts that a command line gives. Raises UsageError."""
    if options["agreed_by"]:
        return queue.agreed(queue.waiting(vault, who, wanted).items, options["agreed_by"])
    if options["source"]:
        return pasting.verdicts_in(read_text(options["source"]))
    ids, verdict = _chosen(vault, who, wanted, words, options["everything"])
    if verdict == EDIT:
        return [_edited(vault, who, wanted, id) for id in ids]
    return [Said(id, verdict, options["reason"], options["text"]) for id in ids]


def _edited(vault: Vault, who: Caller, wanted: Wanted, id: str) -> Said:
    """What a person makes of one in their editor."""
    from mdmem.cli.reviewing import in_editor

    require_editor("give another verdict")
    return in_editor(vault, queue.waiting(vault, who, wanted._replace(ids=(id,))).items[0])


def _chosen(
    vault: Vault, who: Caller, wanted: Wanted, words: Sequence[str], everything: bool
) -> tuple[Sequence[str], str]:
    """(ids, verdict) that the words of a command mean. Raises UsageError."""
    *ids, verdict = words or ("",)
    if not verdict or bool(ids) == everything:
        raise UsageError(
            "say which, and a verdict", "mdmem waiting lists what waits: mdmem judge ID VERDICT, or --all"
        )
    if not everything:
        return ids, verdict
    if verdict == AGAIN:
        return [one["id"] for one in queue.denied(vault, wanted)], verdict
    if not wanted.kinds:
        raise UsageError("--all needs a --kind", f"one of: {', '.join(KINDS)}")
    return [one.id for one in queue.waiting(vault, who, wanted).items], verdict


def _report(done: Sequence[Judged], as_json: bool, dry_run: bool = False) -> None:
    """Print what became of verdicts; a single one that was not taken is the error of the command."""
    if len(done) == 1 and done[0].fault:
        raise done[0].fault
    if as_json:
        print_json([judged_json(one) for one in done])
    else:
        print_lines(judged_lines(done, dry_run))
        if not done:
            click.echo("nothing to take")
    if any(one.fault for one in done):
        raise click.exceptions.Exit(1)
