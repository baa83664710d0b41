"""The command `garden review`: the plan, one proposal at a time, answered by letter."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.text.garden import proposal_lines
from mdmem.acts.text.past import diff_text
from mdmem.cli.asking import Questions, conclude, go_through, require_terminal
from mdmem.cli.editor import edited
from mdmem.cli.garden.apply import apply_now, report_run
from mdmem.cli.garden.choice import plan_options, settings_of
from mdmem.cli.garden.judging import judging_options, verdicts, widened
from mdmem.cli.options import (
    caller,
    now,
    opened,
    print_lines,
    progress,
    style,
    tell,
    yes_option,
)
from mdmem.cli.shared import command
from mdmem.errors import MdmemError
from mdmem.garden import decisions, lessons, plan
from mdmem.garden import review as reviewing
from mdmem.garden.apply import Request
from mdmem.garden.gardeners.proposal import Proposal, diff
from mdmem.garden.review import Review
from mdmem.note.memory import stem
from mdmem.operation import Caller
from mdmem.text.plural import counted
from mdmem.text.terminal import safe_line
from mdmem.vault.vault import Vault

_MOST = 40  # lines of a diff that are shown at first
_KEYS = "y accept, n reject, e edit, l later, d whole diff, q quit, ? help"
_REASONS = "\n".join(f"   n{letter}  {reason}" for letter, reason in lessons.REASONS.items())
_HELP = f"""y  accept: mdmem garden apply carries it out
n  reject: it is not proposed again unless its notes change; you can add why, which teaches the gardener:
{_REASONS}
   n any words of yours
e  edit: open the resulting notes in your editor; what you save is accepted
l  later: ask again in the next review
d  show the whole diff
q  quit; your decisions are saved"""


@command("review", json=False, writes=True, short_help="Decide about each proposal of the plan.")
@plan_options
@judging_options
@click.option("--apply", "at_once", is_flag=True, help="Apply what was accepted, at the end.")
@click.option(
    "--forget", "forgotten", multiple=True, metavar="ID", help="Forget the decision about this proposal."
)
@click.option("--reset", is_flag=True, help="Forget all decisions.")
@yes_option
def review_command(vault: str | None, **options: Any) -> None:
    """Go through the plan, one proposal at a time: accept, reject, edit or leave it for later.

    Each decision is saved at once: `mdmem garden apply` carries out what was accepted; what was rejected is not
    proposed again unless its notes change. Say why (`nd`: they are different things; `?` lists more), and what you
    reject twice for one reason is offered as a rule for `garden.never` in mdmem.toml. Nothing else is changed.
    --llm is that of `mdmem garden`.

    \b
    Examples:
      mdmem garden review
      mdmem garden review --min-confidence 0.5 --only twins --apply
      mdmem garden review --forget 5f1c9f0e2a4b
    """
    with opened(vault) as found:
        if options["reset"] or options["forgotten"]:
            _forget(found, options["forgotten"] or tuple(decisions.load(found)))
            return
        require_terminal("mdmem garden --json lists the proposals, mdmem garden apply ID applies some")
        review = _begin(found, options)
        if said := verdicts(found, (*review.open, *review.possible), options):
            settings = widened(settings_of(found, options), options)._replace(judgements=said)
            review.hear(plan.look(found, settings, now(), plan.Wish(options["only"], options["topic"])))
        go_through(_questions(review))
        _conclude(review)
        _teach(review, caller(options["actor"], options["session"]))
        if options["at_once"] and review.accepted:
            wish = plan.Wish(options["only"], options["topic"])
            request = Request(settings_of(found, options), wish, decisions.load(found), accepted_only=True)
            report_run(apply_now(found, request._replace(reason=options["reason"]), options, False), False)


def _forget(vault: Vault, ids: tuple[str, ...]) -> None:
    gone = decisions.forget(vault, ids)
    click.echo(f"forgot {counted(len(gone), 'decision')}")


def _begin(vault: Vault, options: dict[str, Any]) -> Review:
    settings = widened(settings_of(vault, options), options)
    wish = plan.Wish(options["only"], options["topic"])
    with progress("looking at notes") as report:
        reaching = plan.reaching(settings, wish, decisions.load(vault))
        found = plan.look(vault, reaching, now(), wish, report)
    return Review(vault, found, settings.min_confidence, wish, now())


def _questions(review: Review) -> Questions[Proposal]:
    def show(one: Proposal) -> None:
        _show(one)

    def accept(one: Proposal, _: str) -> bool:
        review.accept(one)
        return True

    def reject(one: Proposal, why: str) -> bool:
        review.reject(one, lessons.reason_in(why))
        return True

    def edit(one: Proposal, _: str) -> bool:
        return _edit(review, one)

    def put_off(one: Proposal, _: str) -> bool:
        review.put_off(one)
        return True

    def show_all(one: Proposal, _: str) -> bool:
        click.echo(diff_text(diff(one.edits), style()))
        return False

    answers = {"y": accept, "n": reject, "e": edit, "l": put_off, "d": show_all}
    return Questions(lambda: review.open, show, answers, _KEYS, _HELP)


def _show(one: Proposal) -> None:
    print_lines(proposal_lines(one))
    lines = diff(one.edits).splitlines()
    click.echo(diff_text("\n".join(lines[:_MOST]), style()))
    if len(lines) > _MOST:
        click.echo(f"... and {len(lines) - _MOST} more lines: d")


def _edit(review: Review, one: Proposal) -> bool:
    """Open each file of a proposal in an editor, as it would become; return whether the result was accepted."""
    words: dict[str, bytes] = {}
    for edit in one.edits:
        if edit.after is None:
            continue
        try:
            with edited(review.vault, stem(edit.path), edit.after) as written:
                reviewing.check_words(review.vault, edit, written)
                words[edit.path] = written
        except click.Abort:
            continue  # not saved: keep it as proposed
        except (MdmemError, click.ClickException) as error:  # the text is not acceptable, or the editor failed
            click.secho(f"{edit.path}: {error.message}", fg="red")
            return False
    if not words:
        click.echo("nothing was saved; y accepts it unchanged")
        return False
    review.accept(one, words)
    return True


def _conclude(review: Review) -> None:
    said = [f"{name} {review.said[name]}" for name in ("accepted", "rejected", "later") if review.said[name]]
    conclude(said, len(review.open))
    if review.accepted:
        waiting = counted(review.accepted, "accepted proposal")
        tell(f"{waiting}: mdmem garden apply --accepted-only carries out what was accepted")


def _teach(review: Review, who: Caller) -> None:
    """Offer rules learned from the rejections; write those that the person accepts into mdmem.toml."""
    for choices in review.lessons():
        for lesson in choices:
            reason = safe_line(f"rejected {lesson.times} times, as {lesson.reason}")
            click.echo(f"\n{reason}")
            if _agrees(f"{safe_line(lesson.sentence).capitalize()}, as a rule in mdmem.toml?"):
                commit = lessons.learn(review.vault, lesson, who)
                tell(f"saved in mdmem.toml ({commit[:8]}): garden.never has {lesson.rule!r}; delete it to undo")
                break


def _agrees(question: str) -> bool:
    try:
        return click.confirm(question)
    except click.Abort:
        click.echo()
        return False
