"""Reads a dialog from bytes: its text, its format, its turns and when it took place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from mdmem.capture import transcripts, utterances
from mdmem.capture.turns import Turn
from mdmem.errors import Problem, UsageError
from mdmem.note import memory

MARKDOWN, TEXT = "markdown", "text"
JSON_FORMATS = frozenset(transcripts.JSON_FORMATS)
MOST_BYTES = 64 * 1024 * 1024
_MARKDOWN_ENDS = (".md", ".markdown", ".mdown")
_JSON_ENDS = (".json", ".jsonl", ".ndjson")


class Dialog(NamedTuple):
    """A dialog as it was read.

    `text` is the whole file, decoded from UTF-8. `format` is a transcript format of capture, "markdown" or "text".
    `turns` are in order, and empty for a text without speakers. `title` and `session` (an id) are those of the
    conversation if the file holds exactly one, else "". `problems` are about lines that cannot be read.
    """

    text: str
    format: str
    turns: tuple[Turn, ...]
    title: str
    session: str
    problems: tuple[Problem, ...]

    @property
    def said(self) -> Sequence[Turn]:
        """The turns of people and assistants. A text without speakers is one turn of its writer."""
        if not self.turns:
            return [Turn("user", self.text.replace("\r\n", "\n"), 1)]
        return [turn for turn in self.turns if turn.speaker in ("user", "assistant")]

    @property
    def time(self) -> str:
        """The time of the latest turn (RFC 3339 UTC), "" if no turn has one."""
        return max((turn.when for turn in self.turns), default="")


def read(data: bytes, source: str) -> Dialog:
    """Read a dialog from bytes; `source` is its name in messages.

    Raises NoteError for bytes that are not UTF-8 text, UsageError for a dialog that is empty, too large, or JSON
    without a chat.
    """
    if len(data) > MOST_BYTES:
        raise UsageError(f"{source} is over {MOST_BYTES // 1024**2} MB", "split it into one conversation per file")
    text = memory.decode_any(data, source)
    if not text.strip():
        raise UsageError(f"{source} is empty", "give a file that has text in it")
    try:
        transcript = transcripts.parse(text, source)
    except UsageError:
        if source.lower().endswith(_JSON_ENDS):
            raise
        unread = tuple(utterances.problems([Turn("user", text, 1)], source))
        return Dialog(text, MARKDOWN if source.lower().endswith(_MARKDOWN_ENDS) else TEXT, (), "", "", unread)
    chats = transcript.conversations
    turns = tuple(turn for chat in chats for turn in chat.turns)
    title, session = (chats[0].title, chats[0].id) if len(chats) == 1 else ("", "")
    found = (*transcript.problems, *utterances.problems(turns, source))
    problems = tuple(problem._replace(severity="warning") for problem in found)  # raw.md keeps them
    return Dialog(text, transcript.format, turns, title, session, problems)
