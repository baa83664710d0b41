"""The command `work add`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import click

from mdmem.cli.editor import edited, require_editor
from mdmem.cli.options import (
    opened,
    print_json,
    read_text,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.cli.templates import template_of
from mdmem.cli.unwritten import offering
from mdmem.errors import UsageError
from mdmem.note.memory import decode
from mdmem.note.terminal import safe
from mdmem.note.yamltext import Value
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, schema, work
from mdmem.systems.rum.drafting import drafts
from mdmem.systems.rum.drafting.session import DraftedWork
from mdmem.systems.rum.schema import Record
from mdmem.write.remember import draft_from


class _Given(NamedTuple):
    """A work to add, with additional properties that only a draft has."""

    work: Record
    extra: dict[str, Value]


@command("add", writes=True)
@click.argument("file", default="-")
@click.option("-e", "--edit", is_flag=True, help="Write it in $EDITOR, from the template or the draft.")
@click.option("--from", "transcript", metavar="TRANSCRIPT", help="Draft it from the transcript of a session.")
@click.option("--success/--failure", default=None, help="With --from: whether it succeeded.")
@click.option("--dry-run", is_flag=True, help="Only print the note.")
@click.option("--name", default="", help="File name: 3 to 10 words joined by underscores. Default: from the goal.")
def add_command(
    file: str,
    edit: bool,
    transcript: str | None,
    success: bool | None,
    dry_run: bool,
    vault: str | None,
    as_json: bool,
    **options: str,
) -> None:
    """Remember a piece of work, as one file and one commit.

    FILE is a JSON object with intent, perception, reasoning, actions and outcome, or a note in the form of the
    template; "-" or nothing reads it from standard input. Required are intent.goal, intent.task_type,
    outcome.success and outcome.summary. The fields of an action stand in details and result, or beside its type.

    With --from it is drafted from what an agent did: the goal from the request, actions from its tool calls, the
    outcome from how the session ended. It gets `drafted: true`; look at it with --dry-run or --edit. If there are
    several sessions, --session picks one. It succeeded if a test, build or type check passed after the last
    change, or if the user said so; an unknown outcome is not written as a success, and reported.

    \b
    Examples:
      mdmem work add work.json
      mdmem work add --edit
      mdmem work add --from ~/.claude/projects/shop/0c1d.jsonl --dry-run
      echo '{"intent": {"goal": "Stop the logouts", "task_type": "bug_fix"},
             "outcome": {"success": true, "summary": "Tokens are refreshed"}}' | mdmem work add
    """
    _require_one_source(file, transcript, success)
    if edit:
        require_editor("give it as a file: mdmem work add work.json")
    with opened(vault) as found:
        draft = drafts.from_transcript(transcript, options["session"], success) if transcript else None
        if draft and not options["name"]:
            drafts.require_new(found, draft)
        with _source(found, file, edit, draft) as given:
            if dry_run:
                _print(adding.note_text(found, given.work, given.extra), given, draft, as_json)
                return
            who = _caller(found, draft, options)
            text = adding.note_text(found, given.work, given.extra)
            with offering([draft_from(text, {}, options["name"])], who, as_json):
                done = adding.add(found, given.work, who, options["reason"], options["name"], given.extra)
    doubts = draft.doubts if draft else ()
    if as_json:
        print_json({**done._asdict(), "doubts": doubts})
    else:
        click.echo(f"remembered {done.path}  ({done.commit[:8]})")
        _tell(doubts)


def _require_one_source(file: str, transcript: str | None, success: bool | None) -> None:
    if transcript and file != "-":
        raise UsageError("a work comes from FILE or from a transcript", f"leave out {file}, or --from")
    if success is not None and not transcript:
        raise UsageError("--success and --failure go with --from", "write it into the work: outcome.success")


@contextmanager
def _source(vault: Vault, file: str, edit: bool, draft: DraftedWork | None) -> Iterator[_Given]:
    """The work to add. Text typed in an editor is kept until the block ends."""
    if edit:
        before = adding.note_text(vault, draft.record, draft.properties).encode() if draft else b""
        with edited(vault, "new", before or template_of(vault, work.TYPE, "")) as written:
            text = decode(written, "the text")
            yield _Given(adding.parsed(text), adding.draft_properties(text) if draft else {})
    elif draft:
        yield _Given(schema.checked(draft.record), draft.properties)
    else:
        yield _Given(adding.parsed(read_text(file)), {})


def _caller(vault: Vault, draft: DraftedWork | None, options: dict[str, str]) -> Caller:
    """Who writes: what a transcript says about its session takes precedence over options and environment."""
    if draft is None:
        return writer(vault, options["actor"], options["session"])
    actor = draft.record.get("agent_id") or options["actor"]
    who = writer(vault, actor, draft.record.get("session_id") or options["session"])
    return who._replace(parent_session=draft.parent, parent_actor=actor) if draft.parent else who


def _print(text: str, given: _Given, draft: DraftedWork | None, as_json: bool) -> None:
    doubts = draft.doubts if draft else ()
    if as_json:
        print_json({"memory": given.work, "properties": given.extra, "doubts": doubts})
    else:
        click.echo(safe(text), nl=False)
        _tell(doubts)


def _tell(doubts: tuple[str, ...]) -> None:
    for doubt in doubts:
        tell(doubt)
