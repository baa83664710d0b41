"""The log formats of agents, each recognised by its content."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from mdmem.capture.agentlogs.aider import aider, is_aider
from mdmem.capture.agentlogs.claude import claude_code, is_claude_code
from mdmem.capture.agentlogs.codex import codex, is_codex
from mdmem.capture.agentlogs.copilot import copilot, is_copilot
from mdmem.capture.agentlogs.cursor import cursor, cursor_text, is_cursor, is_cursor_text
from mdmem.capture.agentlogs.gemini import gemini, is_gemini
from mdmem.capture.agentlogs.messages import generic, is_message
from mdmem.capture.agentlogs.opencode import is_opencode, opencode
from mdmem.capture.agentlogs.pi import is_pi, pi
from mdmem.capture.agentlogs.qwen import is_qwen, qwen
from mdmem.capture.turns import Conversation, JsonRecord


class JsonFormat(NamedTuple):
    """A format of JSON objects. `name` is the agent's, as in mdmem.identity, if it is the format of one."""

    name: str
    fits: Callable[[Any], bool]
    read: Callable[[Sequence[JsonRecord]], tuple[Conversation, ...]]


class TextFormat(NamedTuple):
    """A text format. `name` is the agent's, with "-text" added if the agent writes JSON, too."""

    name: str
    fits: Callable[[str], bool]
    read: Callable[[str], tuple[Conversation, ...]]


# The first format that fits an object wins, so narrow ones come first.
JSON_FORMATS = (
    JsonFormat("opencode", is_opencode, opencode),
    JsonFormat("copilot", is_copilot, copilot),
    JsonFormat("pi", is_pi, pi),
    JsonFormat("gemini-cli", is_gemini, gemini),
    JsonFormat("qwen-code", is_qwen, qwen),
    JsonFormat("claude-code", is_claude_code, claude_code),
    JsonFormat("codex", is_codex, codex),
    JsonFormat("cursor", is_cursor, cursor),
    JsonFormat("jsonl", is_message, generic),
)
TEXT_FORMATS = (
    TextFormat("aider", is_aider, aider),
    TextFormat("cursor-text", is_cursor_text, cursor_text),
)
