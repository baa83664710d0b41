"""Proposals from the transcript of a session, read where its client keeps it, and from those of its subagents.

    found = reading.read("~/.claude/projects/shop/0c1d.jsonl")
    decisions = weighing.weigh(vault, found.proposals, found.recalled)
    proposals.write(vault, decisions, caller)

Each proposal has its session, the session that it worked for, its agent and its project.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import escape, glob

from mdmem.capture import proposals, transcripts, triggers
from mdmem.capture.agentlogs import database
from mdmem.capture.agentlogs.sessionlog import TASK
from mdmem.capture.proposals import CapturedTranscript
from mdmem.capture.turns import Conversation, Transcript, last_part
from mdmem.errors import NoteError, NotFoundError, Problem, UsageError
from mdmem.note.memory import decode_any
from mdmem.store.progress import Progress, silent

_GEMINI_ROOT = ".project_root"  # a file that Gemini keeps two folders above a session: it has the project's path
_UNNAMED = ("cursor", "cursor-text")  # formats in which the session's id is the name of the file


def read(
    path: str,
    min_confidence: float = triggers.MIN_CONFIDENCE,
    progress: Progress = silent,
    session: str = "",
    outcome: bool = False,
) -> CapturedTranscript:
    """The proposals from the transcript at a path, and from those of its subagents, which lie beside it.

    If `session` is one of those in the transcript, the others are left out; any other `session` is an id that the
    proposals get instead of their own. `progress` gets (done, total) conversations. Raises NotFoundError for a
    file that cannot be read, NoteError if it is not text, UsageError if it is not a transcript.
    """
    found = list(sources(path, session))
    ids = {chat.id for _, parsed in found for chat in parsed.conversations}
    renamed = "" if session in ids else session
    parts = [proposals.read(parsed, name, min_confidence, progress, renamed, outcome) for name, parsed in found]
    return CapturedTranscript(
        format=parts[0].format,
        proposals=tuple(proposal for part in parts for proposal in part.proposals),
        recalled=tuple(text for part in parts for text in part.recalled),
        problems=tuple(problem for part in parts for problem in part.problems),
    )


def read_piece(text: str, path: str) -> CapturedTranscript:
    """The proposals from a piece of the transcript at a path, without those of subagents. Raises UsageError."""
    name, parsed = _source(path, transcripts.parse(text, os.path.basename(path)), "")
    return proposals.read(parsed, name, outcome=True)


def is_database(path: str) -> bool:
    """Whether a transcript is a database of many sessions. Raises OSError."""
    with open(path, "rb") as file:
        return file.read(len(database.MAGIC)) == database.MAGIC


def sources(path: str, session: str = "") -> Iterator[tuple[str, Transcript]]:
    """(file name, transcript) of a transcript and those of its subagents. Raises what `read` raises."""
    parsed = _parsed(path, session)
    yield _source(path, parsed, session)
    for file in _subagents(path, parsed):
        try:
            yield _source(file, _parsed(file, session), session)
        except (UsageError, NoteError) as error:
            problem = Problem("transcript", file, 0, error.message, "it was left out")
            yield os.path.basename(file), Transcript("", (), (problem,))


def _source(path: str, parsed: Transcript, session: str) -> tuple[str, Transcript]:
    """(file name, transcript); if one of the conversations is `session`, only that and its subagents'."""
    chats = tuple(_placed(chat, parsed.format, path) for chat in parsed.conversations)
    if any(chat.id == session for chat in chats):
        chats = tuple(chat for chat in chats if session in (chat.id, chat.run.parent))
    return os.path.basename(path), parsed._replace(conversations=chats)


def _subagents(path: str, parsed: Transcript) -> list[str]:
    """The transcripts of the subagents of a session of Claude Code or Gemini."""
    if parsed.format == "claude-code":
        return sorted(glob(os.path.join(escape(os.path.splitext(path)[0]), "subagents", "agent-*.jsonl")))
    if parsed.format == "gemini-cli":
        folders = [os.path.join(os.path.dirname(path), chat.id) for chat in parsed.conversations if chat.id]
        return sorted(file for folder in folders for file in glob(os.path.join(escape(folder), "*.jsonl")))
    return []


def _parsed(path: str, session: str) -> Transcript:
    name = os.path.basename(path)
    try:
        if is_database(path):
            return transcripts.of_records(*database.sessions(path, session), name)
        with open(path, "rb") as file:
            return transcripts.parse(decode_any(file.read(), path), name)
    except OSError as error:
        raise NotFoundError(f"{path} cannot be read: {error.strerror}") from None


def _placed(chat: Conversation, format: str, path: str) -> Conversation:
    """A conversation with what only its file's place tells: the session, the folder, the parent of a subagent."""
    folder = chat.run.folder
    if not folder and format == "gemini-cli":
        folder = _first_line(os.path.join(os.path.dirname(os.path.dirname(path)), _GEMINI_ROOT))
    if not folder and format == "aider":
        folder = os.path.dirname(os.path.abspath(path))
    parent = chat.run.parent
    if format == "gemini-cli" and not parent and any(turn.name == TASK for turn in chat.turns):
        parent = os.path.basename(os.path.dirname(path))
    id = chat.id or (os.path.splitext(os.path.basename(path))[0] if format in _UNNAMED else "")
    return chat._replace(
        id=id, project=chat.project or last_part(folder), run=chat.run._replace(folder=folder, parent=parent)
    )


def _first_line(path: str) -> str:
    """The first line of a small file; "" if there is no such file."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline(4096).strip()
    except OSError:
        return ""
