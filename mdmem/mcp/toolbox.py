"""The table of tools: the description of each for agents, and the function that answers.

An agent reads all of it in every session, so that every word has to earn its place. Some clients do not show the
instructions: the description of `recall` has to do without them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.acts.arguments import schema_of
from mdmem.acts.signature import grouped
from mdmem.mcp import gardening, reading, writing
from mdmem.mcp.schemas import Schema
from mdmem.mcp.visit import Visit

INSTRUCTIONS = (
    "Long-term memory. Recall before you answer or act on what may have come up before; remember what will matter"
    " in a later session: decisions with their reasons, preferences, lessons."
)


class Tool(NamedTuple):
    """One tool. `run` takes a Visit and the arguments of `schema`, and returns Markdown.

    An `always` tool is offered to the model from the start, even by clients that load tools only after a search.
    """

    name: str
    description: str
    schema: Schema
    run: Callable[..., str]
    reads: bool = False
    destroys: bool = False
    repeatable: bool = True
    always: bool = False


def made(run: Callable[..., str], **marks: bool) -> Tool:
    """The tool that a function is: its name, its docstring and the schema of its signature."""

    def answer(visit: Visit, **given: Any) -> str:
        return run(visit, **grouped(run, given))

    return Tool(run.__name__, " ".join((run.__doc__ or "").split()), schema_of(run), answer, **marks)


READING = (
    made(reading.recall, reads=True, always=True),
    made(reading.read, reads=True),
    made(reading.brief, reads=True),
)
WRITING = (
    made(writing.remember, always=True),
    made(writing.revise, destroys=True),
    made(writing.forget, destroys=True),
    made(writing.restore),
)


GARDEN = (made(gardening.garden, reads=True), made(gardening.judge, destroys=True))

STANDARD, ALL, RUM = SETS = ("standard", "all", "rum")  # of tools


class ToolChoice(NamedTuple):
    """The tools that a server offers, and why others are refused."""

    tools: Sequence[Tool]
    refused: Mapping[str, str]


def chosen(of: str = STANDARD, read_only: bool = False) -> ToolChoice:
    """The tools of a set to offer: the standard ones, these and more, or the calls of RUM."""
    tools = _works() if of == RUM else (*READING, *_team(), *WRITING, *GARDEN, *(_more() if of == ALL else ()))
    offered = [tool for tool in tools if tool.reads or not read_only]
    why = "this server only reads: it was started with --read-only"
    return ToolChoice(offered, {tool.name: why for tool in tools if tool not in offered})


def _team() -> Sequence[Tool]:
    """The tool that queries a team's index, if the environment names one."""
    from mdmem.team.server import DSN

    return (made(reading.recall_team, reads=True),) if os.environ.get(DSN) else ()


def _more() -> Sequence[Tool]:
    from mdmem.mcp import more

    return (
        made(more.undo, destroys=True, repeatable=False),
        made(more.capture),
        made(more.facts),
        made(more.search, reads=True),
        made(more.fetch, reads=True),
    )


def _works() -> Sequence[Tool]:
    from mdmem.mcp import works

    run = works.runners()
    return [
        Tool(name, about, schema, run[name], works.reads(name), works.destroys(name), repeatable=False)
        for name, (about, schema) in works.CALLS.items()
    ]
