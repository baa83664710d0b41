"""The command `capture`: find memories in the transcript of a chat."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from mdmem.acts.json.capture import captured_json
from mdmem.acts.text.capture import decision_lines
from mdmem.capture import proposals, reading, triggers, weighing
from mdmem.capture.proposals import Captured, CaptureDecision, CapturedTranscript
from mdmem.cli.options import (
    end_with,
    opened,
    print_json,
    progress,
    read_text,
    style,
    tell,
    writer,
)
from mdmem.cli.shared import command
from mdmem.cli.unwritten import offering
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line


@command("capture", writes=True)
@click.argument("file")
@click.option("--write", is_flag=True, help="Write the plan, in one commit.")
@click.option("--dry-run", is_flag=True, help="Only print the plan (the default).")
@click.option(
    "--only", type=click.Choice(triggers.TRIGGERS), multiple=True, help="Only this trigger; may be repeated."
)
@click.option(
    "--min-confidence",
    type=click.FloatRange(triggers.MIN_CONFIDENCE, 1),
    default=triggers.MIN_CONFIDENCE,
    show_default=True,
    help="Leave out proposals that are less certain.",
)
@click.option("--rules-only", is_flag=True, help="Keep the rule-based wording, even if $MDMEM_LLM names a model.")
def capture_command(
    file: str, write: bool, dry_run: bool, vault: str | None, as_json: bool, **options: Any
) -> None:
    """Find what is worth remembering in a chat: FILE is its transcript, "-" standard input.

    Reads sessions of Claude Code, Codex, Copilot, Gemini, Qwen, OpenCode, pi, aider and Cursor, lines of role
    and content, ChatGPT's conversations.json, the export of Claude.ai, and texts with "User:" and "Assistant:" or
    such headings. Session, agent and project are those of the transcript. A memory is proposed
    where the user corrects something, reaches a milestone, states a preference or asks to save something, and
    where a technical lesson is learned. Each proposal shows the line, the trigger and how sure it is (0-1).

    Left out is what a memory already says, what recall itself put into the chat, and anything that contains a
    password or key. A correction of a memory replaces it; the old one is kept as deprecated.

    With $MDMEM_LLM, a model of the llm package (pip install 'mdmem[llm]') rewords the title and text of what
    the rules chose; if it fails, the rule-based wording stays.

    \b
    Examples:
      mdmem capture ~/.claude/projects/shop/0c1d.jsonl
      mdmem capture chat.md --write --session conv-42
      pbpaste | mdmem capture - --only preference --json
    """
    if write and dry_run:
        raise click.UsageError("--write and --dry-run exclude each other")
    with opened(vault) as found:
        with progress("reading the chats") as report:
            transcript = _read(file, options["min_confidence"], report, safe_line(options["session"]))
        chosen = [one for one in transcript.proposals if not options["only"] or one.trigger in options["only"]]
        who = writer(found, options["actor"] or transcript.actor, options["session"])
        with progress("comparing with the vault") as report:
            decisions = weighing.weigh(found, chosen, transcript.recalled, report, who.allow_secret)
        if not options["rules_only"]:
            decisions = proposals.worded(decisions, os.environ, tell)
        with offering(proposals.drafts_of(decisions), who, as_json):
            done = proposals.write(found, decisions, who, options["reason"]) if write else Captured((), "")
    if as_json:
        print_json(captured_json(transcript, decisions, done))
    else:
        _print(decisions, done, write)
    end_with(transcript.problems, as_json)


def _read(
    file: str, min_confidence: float, report: Callable[[int, int], None], session: str
) -> CapturedTranscript:
    if file == "-":
        return proposals.read(read_text(file), "standard input", min_confidence, report, session)
    return reading.read(file, min_confidence, report, session)


def _print(decisions: tuple[CaptureDecision, ...], done: Captured, write: bool) -> None:
    for decision, path in zip(decisions, proposals.paths_of(decisions, done), strict=True):
        click.echo(decision_lines(decision, path, style()))
    wanted = sum(decision.verdict in proposals.WRITTEN for decision in decisions)
    memories = counted(wanted, "memory")
    if done.commit:
        click.echo(f"remembered {memories}  ({done.commit[:8]})")
    elif not wanted:
        click.echo("nothing to remember")
    elif not write:
        tell(f"would remember {memories}; add --write to write them")
