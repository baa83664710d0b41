"""The table of tools: what an agent is told of each, and the function that answers.

An agent reads all of it in every session, so that every word has to earn its place. Some clients show no
instructions: the description of `recall` stands alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.mcp import reading, writing

Schema = Mapping[str, Any]

INSTRUCTIONS = (
    "Long-term memory. Recall before you answer or act on what may have come up before; remember what will matter"
    " in a later session: decisions with their reasons, preferences, lessons."
)


class Tool(NamedTuple):
    """One tool. `run` takes a Visit and the arguments of `schema`, and gives Markdown.

    An `always` one is offered to the model from the start by clients that load others when they are searched for.
    """

    name: str
    description: str
    schema: Schema
    run: Callable[..., str]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = True
    always: bool = False


def takes(required: str, **properties: Schema) -> Schema:
    """The schema of arguments, of which the `required` ones are named in one text."""
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    return schema | ({"required": required.split()} if required else {})


def text(about: str = "") -> Schema:
    """The schema of a text."""
    return {"type": "string", "description": about} if about else {"type": "string"}


def texts(about: str = "", most: int = 0) -> Schema:
    """The schema of a list of texts."""
    schema: dict[str, Any] = {"type": "array", "items": {"type": "string"}}
    return schema | ({"maxItems": most} if most else {}) | ({"description": about} if about else {})


def count(default: int, about: str = "") -> Schema:
    """The schema of a number of at least 1."""
    schema: dict[str, Any] = {"type": "integer", "minimum": 1, "default": default}
    return schema | ({"description": about} if about else {})


_AS_OF = text("Date or commit, to see what was then")

_ITEM = takes(
    "text",
    text=text("One fact with its reason, clear without this conversation"),
    title=text(),
    type={"enum": ["fact", "preference", "decision", "pattern", "note"]},
    tags=texts(),
    replaces=text("Name of the note it supersedes"),
)

READING = (
    Tool(
        "recall",
        "Search the long-term memory of past sessions: decisions, preferences, facts, lessons. Use it before you"
        " answer or act on anything that may have come up before. Gives the best notes, each with its source"
        " path:line@commit and a passage; read gives whole notes.",
        takes(
            "query",
            query=text('Question or words; "a phrase", -not'),
            filter=text("Such as type:decision tag:team after:2026-01"),
            as_of=_AS_OF,
            budget=count(reading.RECALL_TOKENS, "Tokens"),
        ),
        reading.recall,
        reads=True,
        always=True,
    ),
    Tool(
        "read",
        "Whole notes by name, or what was done to them.",
        takes("names", names=texts(most=10), as_of=_AS_OF, history={"type": "boolean"}),
        reading.read,
        reads=True,
    ),
    Tool(
        "brief",
        "What to know as a session starts: what always matters, open tasks, news, what fits the context.",
        takes("", context=text("What the session is about"), budget=count(reading.BRIEF_TOKENS)),
        reading.brief,
        reads=True,
    ),
)
WRITING = (
    Tool(
        "remember",
        "Save what will matter in later sessions: decisions and why, preferences, corrections, lessons. Recall"
        " first; what is already said is skipped. Never secrets.",
        takes("items", items={"type": "array", "maxItems": 20, "items": _ITEM}),
        writing.remember,
        always=True,
    ),
    Tool(
        "revise",
        "Correct a note. When the world has changed, remember with replaces instead.",
        takes(
            "name",
            name=text(),
            old=text("Text that stands in it once"),
            new=text("Text in its place; alone: a paragraph to add"),
            set={"type": "object", "description": "Properties; null removes one"},
            expect=text("Version that read gave: refused if changed since"),
        ),
        writing.revise,
        destroys=True,
    ),
    Tool(
        "forget",
        "Delete notes that are wrong or unwanted. They can be restored.",
        takes("names reason", names=texts(), reason=text()),
        writing.forget,
        destroys=True,
    ),
)


class ToolChoice(NamedTuple):
    """The tools that a server offers, and why others are refused."""

    tools: Sequence[Tool]
    refused: Mapping[str, str]


def selected(read_only: bool = False) -> ToolChoice:
    """The tools to offer."""
    tools = (*READING, *WRITING)
    offered = [tool for tool in tools if tool.reads or not read_only]
    why = "this server only reads: it was started with --read-only"
    return ToolChoice(offered, {tool.name: why for tool in tools if tool not in offered})
