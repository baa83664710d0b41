"""The command `inbox review`: one proposal after another, answered by letter."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.text.capture import item_lines, kept_lines
from mdmem.cli.asking import Questions, conclude, go_through, require_terminal
from mdmem.cli.editor import edited
from mdmem.cli.options import caller, opened, print_lines, style
from mdmem.cli.shared import command
from mdmem.errors import MdmemError
from mdmem.history import past
from mdmem.inbox import deciding
from mdmem.inbox.deciding import InboxReview
from mdmem.inbox.store import InboxItem
from mdmem.note import naming
from mdmem.vault.vault import Vault

_KEYS = "y keep, e edit, n reject, l later, q quit, ? help"
_HELP = """y  keep: it becomes a memory, by the agent and in the session that it is from
e  edit: open it in your editor; what you save is kept
n  reject: the same words are not proposed again
l  later: ask again in the next review
q  quit; what you decided is done"""


@command("review", json=False, short_help="Decide about each proposal, by key.")
def review_command(vault: str | None, **_: Any) -> None:
    """Go through the inbox on a terminal, one proposal at a time: keep, edit, reject, or leave it for later.

    Each answer is carried out at once, so you can quit at any time.

    \b
    Examples:
      mdmem inbox review
      mdmem inbox review --vault ~/notes
    """
    with opened(vault) as found:
        require_terminal("mdmem inbox lists the proposals, mdmem inbox keep ID keeps some")
        review = InboxReview(found, caller())
        go_through(_questions(review))
    conclude([f"{count} {what}" for what, count in review.said.items()], len(review.open))


def _questions(review: InboxReview) -> Questions[InboxItem]:
    def show(item: InboxItem) -> None:
        undone = past.undone_sessions(review.vault, [item.session])
        print_lines(item_lines(item, deciding.would_replace(review.vault, item), bool(undone), style()))

    def keep(item: InboxItem, _: str) -> bool:
        print_lines(kept_lines(review.keep(item)))
        return True

    def edit(item: InboxItem, _: str) -> bool:
        chosen = _edited(review.vault, item)
        return chosen is not None and keep(chosen, "")

    def reject(item: InboxItem, _: str) -> bool:
        review.reject(item)
        return True

    def put_off(item: InboxItem, _: str) -> bool:
        review.put_off(item)
        return True

    answers = {"y": keep, "e": edit, "n": reject, "l": put_off}
    return Questions(lambda: review.open, show, answers, _KEYS, _HELP)


def _edited(vault: Vault, item: InboxItem) -> InboxItem | None:
    """A proposal with the text the person saved in their editor, None if they did not save."""
    name = naming.make(item.title, item.text, lambda _: False)
    try:
        with edited(vault, name, deciding.as_note(item)) as written:
            return deciding.reworded(vault, item, written)
    except click.Abort:
        click.echo("nothing was saved; y keeps it unchanged")
    except (MdmemError, click.ClickException) as error:
        click.secho(error.message, fg="red")
    return None
