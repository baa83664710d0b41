"""The commands of the inbox: list, keep, reject or review what was captured from sessions."""

from __future__ import annotations

from typing import Any

import click

from mdmem.acts.json.capture import inbox_json, kept_json
from mdmem.acts.json.write import may_change_json
from mdmem.acts.text.capture import inbox_lines, kept_lines
from mdmem.cli.inbox.review import review_command
from mdmem.cli.options import (
    caller,
    now,
    opened,
    print_json,
    print_lines,
    style,
)
from mdmem.cli.shared import command, group
from mdmem.cli.write.remember import questions_on
from mdmem.errors import UsageError
from mdmem.history import past
from mdmem.inbox import deciding
from mdmem.inbox.store import Inbox
from mdmem.text.plural import counted


@group("inbox", invoke_without_command=True)
def inbox_command(vault: str | None, as_json: bool) -> None:
    """List what was captured from sessions of agents and waits to be kept or rejected.

    The hooks of an agent put it there at the end of a session and before a compaction. Nothing of it is a memory
    until you keep it. Each proposal shows its id, how sure it is (0 to 1), why it was proposed, and which session
    of which agent it is from.

    \b
    Examples:
      mdmem inbox
      mdmem inbox review
      mdmem inbox keep 3f0a
    """
    if click.get_current_context().invoked_subcommand:
        return
    with opened(vault) as found:
        items = Inbox(found).items()
        replaced = {item.id: deciding.would_replace(found, item) for item in items}
        undone = past.undone_sessions(found, (item.session for item in items))
    if as_json:
        print_json(inbox_json(items, replaced, undone))
    else:
        print_lines(inbox_lines(items, replaced, undone, style()))


@command("keep", writes=True)
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="All that waits.")
def keep_command(ids: tuple[str, ...], everything: bool, vault: str | None, as_json: bool, **options: Any) -> None:
    """Write proposals as memories, by the agent and in the session that they are from.

    Those of one session are one commit. What a memory says by now is not written again. The first characters of
    an id are enough, and the id of a session means all that came from it.

    \b
    Examples:
      mdmem inbox keep 3f0a 77c1
      mdmem inbox keep --all --json
    """
    _require_choice(ids, everything)
    with opened(vault) as found:
        inbox = Inbox(found)
        items = inbox.items() if everything else inbox.chosen(ids)
        done = deciding.keep(found, items, caller(options["actor"]), options["reason"])
        questions = questions_on(found, [each.path for each in done if each.path], (), as_json)
    if as_json:
        print_json([{**kept_json(each), **may_change_json(questions, each.path)} for each in done])
    else:
        print_lines(line for each in done for line in kept_lines(each))
    if not all(each.is_settled for each in done):
        raise click.exceptions.Exit(1)


@command("reject")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@click.option("--all", "everything", is_flag=True, help="All that waits.")
@click.option("--take-back", is_flag=True, help="Have rejected ones wait again; the last 20 can.")
def reject_command(
    ids: tuple[str, ...], everything: bool, take_back: bool, vault: str | None, as_json: bool
) -> None:
    """Take proposals out of the inbox; the same words are not proposed again.

    The id of a session means all that came from it.

    \b
    Examples:
      mdmem inbox reject 3f0a
      mdmem inbox reject --all
      mdmem inbox reject --take-back 3f0a
    """
    _require_choice(ids, everything)
    with opened(vault) as found:
        inbox = Inbox(found)
        if take_back:
            items = inbox.take_back(ids or [item.id for item in inbox.rejected()])
        else:
            items = inbox.items() if everything else inbox.chosen(ids)
            deciding.reject(found, items, now())
        undone = past.undone_sessions(found, (item.session for item in items))
    if as_json:
        print_json(inbox_json(items, {}, undone))
    else:
        done = "waiting again:" if take_back else "rejected"
        click.echo(f"{done} {counted(len(items), 'proposal')}")


def _require_choice(ids: tuple[str, ...], everything: bool) -> None:
    if bool(ids) == everything:
        raise UsageError("say which proposals: ids, or --all", "mdmem inbox lists them")


for made in (review_command, keep_command, reject_command):
    inbox_command.add_command(made)
