"""The log formats of agents, each recognised by its content."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from mdmem.capture.agentlogs import reader
from mdmem.capture.agentlogs.aider import aider, is_aider
from mdmem.capture.agentlogs.cursor import cursor_text, is_cursor_text
from mdmem.capture.agentlogs.messages import generic, is_message
from mdmem.capture.turns import Conversation


class LogFormat(NamedTuple):
    """A format of JSON objects, or of texts.

    `name` is the agent's, as in `store.identity`, if it is the format of one, with "-text" added for its second
    one.
    `fits` and `read` get an object and the records that hold them, or the text for both.
    """

    name: str
    fits: Callable[[Any], bool]
    read: Callable[[Any], tuple[Conversation, ...]]


# The first format that fits an object wins, so narrow ones come first.
JSON_FORMATS = (
    *(LogFormat(name, partial(reader.fits, name), partial(reader.read, name)) for name in reader.clients()),
    LogFormat("jsonl", is_message, generic),
)
TEXT_FORMATS = (
    LogFormat("aider", is_aider, aider),
    LogFormat("cursor-text", is_cursor_text, cursor_text),
)
