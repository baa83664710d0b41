"""The commands of sessions: start one with a pack of memories, keep its LiveHud current, save what it learned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.making import filter_options, selected
from mdmem.cli.options import (
    caller,
    end_with,
    line,
    now,
    opened,
    print_json,
    print_lines,
    read_text,
    tell,
)
from mdmem.cli.shared import group
from mdmem.errors import MdmemError, UsageError
from mdmem.note.gauges import Gauges
from mdmem.note.terminal import safe_line
from mdmem.session import livehud

if TYPE_CHECKING:
    from mdmem.garden.asking import MayChange


@group("session")
def session_command() -> None:
    """Start a session with the memories it needs, keep its LiveHud, save what it learned at the end.

    \b
    Examples:
      mdmem session start --context "fix the deploy" --actor claude-code
      mdmem session note --present "reading the deploy log" --future "write the fix" --actor claude-code
      mdmem session end --summary "Deploys hang when the disk is full." --actor claude-code --json
    """


@session_command.command("start", writes=True)
@click.option("--context", default="", metavar="TEXT", help="What the session is about.")
@click.option("--files", type=int, default=35, show_default=True, help="At most so many memories, 5 or more.")
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=4000,
    show_default=True,
    metavar="TOKENS",
    help="Limit for everything that is printed.",
)
@click.option("--names-only", is_flag=True, help="Print no texts, for a model that reads the files itself.")
@filter_options
def start_session(context: str, files: int, budget: int, vault: str | None, as_json: bool, **options: Any) -> None:
    """Print the memories a session needs, in one page: the LiveHud, where it is, then the memories.

    What is to be kept in mind comes first (pinned, tagged do_not_forget, an importance of 0.9 or more, and the
    preferences that are everybody's or of this project), then open tasks (category future), what recall finds for
    the context, and what changed since this actor's last session. Without a context it tells what the project is.
    A memory takes a line if its text does; of a long one there is a passage, and more as the budget allows.

    Without --session it gets the id of your agent's conversation, or a new one, shown in the third line. With an
    existing id that session goes on, and is told only what is new.

    \b
    Examples:
      mdmem session start --context "fix the deploy" --budget 2000 --actor claude-code
      mdmem session start --names-only --files 35
      mdmem session start --context "release notes" --category past --json
    """
    from mdmem.acts.json.session import pack_json
    from mdmem.session import start as session

    wanted = session.PackRequest(context, selected(options).conditions(), files, budget, options["names_only"])
    try:
        with opened(vault, look_ahead=True) as found, line(vault).beside(found) as vaults:
            who = caller(options["actor"], options["session"])._replace(project=line(vault).project(found))
            with session.showing(found, wanted, who, vaults) as pack:
                if as_json:
                    unread = getattr(vaults, "unread", ())
                    print_json({**pack_json(pack, now()), **({"unread": unread} if unread else {})})
                else:
                    click.echo(pack.page.text)
    except UsageError:
        raise
    except MdmemError:
        if not as_json:
            click.echo(livehud.line(Gauges(present=context, memory=livehud.NO_ACCESS)))
        raise


@session_command.command("note", writes=True)
@click.option("--past", metavar="TEXT", help="The key insight from memory, in 3 to 9 words.")
@click.option("--present", metavar="TEXT", help="The current task.")
@click.option("--future", metavar="TEXT", help="The next one; becomes a memory when the session ends.")
def note_session(
    past: str | None, present: str | None, future: str | None, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Set gauges of a session's LiveHud, and print it; without options, only print it.

    Without --session this is the newest open session of this actor. "" clears a gauge.

    \b
    Examples:
      mdmem session note --present "reading the deploy log"
      mdmem session note --future "write the fix" --session conv-42
      mdmem session note --json
    """
    from mdmem.acts.json.session import session_json
    from mdmem.session import start as session

    said = {
        key: text for key, text in (("past", past), ("present", present), ("future", future)) if text is not None
    }
    with opened(vault) as found:
        noted = session.note(found, said, caller(options["actor"], options["session"]))
    if as_json:
        print_json(session_json(noted))
    else:
        click.echo(livehud.line(noted.livehud))


@session_command.command("end", writes=True)
@click.option("--summary", default="", metavar="TEXT|-", help='What was learned; "-" is standard input.')
@click.option("--transcript", metavar="FILE", help="The transcript of the session, as capture reads it.")
@click.option("--dry-run", is_flag=True, help="Only show what would be done.")
def end_session(
    summary: str, transcript: str | None, dry_run: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Write what a session learned as memories, one concept to a file, in one commit, and end it.

    Each bullet and each paragraph of the summary becomes a memory, and each item of a [MEMORY_CANDIDATES] block
    in it; so does what capture finds in the transcript, except what the session was shown; so does the Future
    gauge, if it was set. What a memory already says is skipped and reported. Where files were changed, a work note
    of what was done is offered, with its command.

    Without --session this is the newest open session of this actor. If there is no such session, one is opened for
    what you give; if you give nothing, that is an error. If nothing of what you give could be written, the session
    stays open.

    \b
    Examples:
      mdmem session end --summary "Deploys hang when the disk is full."
      mdmem session end --summary - --session conv-42 --dry-run < summary.md
      mdmem session end --transcript ~/.claude/projects/shop/0c1d.jsonl --json
    """
    from mdmem.acts.json.session import ending_json
    from mdmem.acts.text.capture import ending_lines
    from mdmem.capture.proposals import drafts_of
    from mdmem.cli.unwritten import offering
    from mdmem.cli.write.remember import questions_on
    from mdmem.session import end

    if summary == transcript == "-":
        raise UsageError(
            "standard input can only be one of the two", "give the summary or the transcript as a file"
        )
    who = caller(options["actor"], options["session"])
    text = read_text(summary) if summary == "-" else summary
    learnt = end.Learnt(text, path=transcript or "")
    if transcript == "-":
        learnt = end.Learnt(text, read_text(transcript), "standard input")
    with opened(vault) as found:
        who = who._replace(project=line(vault).project(found))
        ending = end.plan(found, learnt, who, reopens=not options["session"])
        questions: Sequence[MayChange] = ()
        if not dry_run:
            with offering(drafts_of(ending.decisions), who, as_json, ending.session.livehud):
                ending = end.end(found, ending, who, options["reason"])
            questions = questions_on(found, ending.done.paths, (), as_json)
    if as_json:
        print_json(ending_json(ending, questions))
    else:
        print_lines(ending_lines(ending))
        if not ending.decisions and not ending.problems:
            tell(f"nothing to save from session {safe_line(ending.session.id)}")
        if ending.stays_open and not dry_run:
            tell(f"nothing was written; session {safe_line(ending.session.id)} stays open")
    end_with(ending.problems, as_json)
