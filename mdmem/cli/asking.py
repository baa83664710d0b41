"""Ask a person on a terminal about items, one after another, each answered with a letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

import click

from mdmem.cli.output import is_interactive
from mdmem.errors import UsageError
from mdmem.text.plural import counted

Item = TypeVar("Item")
# Handles an item, given what was typed after the letter; returns whether the item is now answered.
Answer = Callable[[Item, str], bool]


class Questions(NamedTuple, Generic[Item]):
    """What to ask: the items that wait, how to show one, what each letter does, and the text that `?` prints.

    "q" quits, and is not among the `answers`.
    """

    waiting: Callable[[], Sequence[Item]]
    show: Callable[[Item], None]
    answers: Mapping[str, Answer[Item]]
    keys: str
    help: str


def require_terminal(otherwise: str) -> None:
    """Raise UsageError if nobody can be asked; `otherwise` says what to do instead."""
    if not is_interactive():
        raise UsageError("a review needs a terminal", otherwise)


def go_through(questions: Questions[Item]) -> None:
    """Ask about one item after another, until none is left or the person quits."""
    seen = 0
    while waiting := questions.waiting():
        seen += 1
        click.secho(f"\n{seen} of {seen + len(waiting) - 1}", bold=True)
        questions.show(waiting[0])
        if not _is_answered(questions, waiting[0]):
            return


def conclude(decided: Sequence[str], left: int) -> None:
    """Print what was decided, and how many items were not reviewed."""
    click.echo(f"\n{', '.join(decided)}" if decided else "nothing was decided")
    if left:
        click.echo(f"{counted(left, 'proposal')} not reviewed")


def _is_answered(questions: Questions[Item], item: Item) -> bool:
    """Ask until an item is answered; return False if the person quits."""
    while True:
        letter, rest = _typed(questions.keys)
        if letter == "q":
            return False
        if letter not in questions.answers:
            click.echo(questions.help)
        elif questions.answers[letter](item, rest):
            return True


def _typed(keys: str) -> tuple[str, str]:
    """(first letter, rest) of what the person typed; Ctrl-C and Ctrl-D count as "q"."""
    try:
        answer: str = click.prompt(click.style(keys, fg="cyan"), default="", show_default=False)
    except click.Abort:
        click.echo()
        return "q", ""
    answer = answer.strip()
    return answer[:1].lower(), answer[1:].strip()
