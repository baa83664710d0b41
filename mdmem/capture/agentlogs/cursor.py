"""Texts of Cursor: older transcripts of its agent, and chats exported from it.

They contain no session id and no times; the name of a transcript's file is the id of its session.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from mdmem.capture.agentlogs.sessionlog import SessionLog
from mdmem.capture.turns import Conversation, Turn

_EXPORTED = re.compile(r"_Exported on .+ from Cursor.*_\s*")
_SPEAKERS = {"**User**": "user", "**Cursor**": "assistant", "user:": "user", "assistant:": "assistant"}
_THINKS = "[Thinking]"
_INNER = re.compile(r"\[Tool (?:call|result)\].*")


def is_cursor_text(text: str) -> bool:
    """Whether a text is a chat that Cursor exported, or an older transcript of its agent."""
    head = text.lstrip().split("\n", 4)[:4]
    if any(_EXPORTED.fullmatch(line) for line in head):
        return True
    return head[0].strip() == "user:" and "<user_query>" in text


def cursor_text(text: str) -> tuple[Conversation, ...]:
    """The one conversation of a text. Tool calls, their results and thoughts within an answer are left out."""
    log = SessionLog()
    lines = text.split("\n")
    is_export = any(_EXPORTED.fullmatch(line) for line in lines[:6])
    log.title = lines[0].removeprefix("# ").strip() if is_export and lines[0].startswith("# ") else ""
    marks = ("**User**", "**Cursor**") if is_export else ("user:", "assistant:")
    starts = [at for at, line in enumerate(lines) if line.strip() in marks]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        speaker = _SPEAKERS[lines[start].strip()]
        said = _said(lines[start + 1 : end], is_export)
        log.say(Turn(speaker, said, start + 2, name=speaker))
    return (log.conversation(),)


def _said(lines: Sequence[str], is_export: bool) -> str:
    if is_export:
        return "\n".join(lines).strip().removesuffix("---").strip()
    kept: list[str] = []
    is_inner = False
    for line in lines:
        is_inner = bool(_INNER.match(line)) or (is_inner and bool(line.strip()))
        if not is_inner and not line.startswith(_THINKS):
            kept.append(line)
    return "\n".join(kept).strip()
