"""The table of tools, and which of them a server offers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from mdmem.acts.arguments import schema_of
from mdmem.acts.serving import Visit
from mdmem.acts.signature import grouped
from mdmem.mcp import tools

INSTRUCTIONS = (
    "Long-term memory. Recall before you answer or act on what may have come up before; remember what will matter"
    " in a later session: decisions with their reasons, preferences, lessons."
)
_TEAM = "MDMEM_TEAM_DSN"


class Tool(NamedTuple):
    """One tool. `run` takes a Visit and the arguments of `schema`, and returns Markdown.

    An `always` tool is offered to the model from the start, even by clients that load tools only after a search.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
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


_STANDARD = (
    made(tools.recall, reads=True, always=True),
    made(tools.read, reads=True),
    made(tools.brief, reads=True),
    made(tools.remember, always=True),
    made(tools.revise, destroys=True),
    made(tools.forget, destroys=True),
    made(tools.restore),
    made(tools.garden, reads=True),
    made(tools.judge, destroys=True),
)

STANDARD, ALL, RUM = SETS = ("standard", "all", "rum")  # of tools


class ToolChoice(NamedTuple):
    """The tools that a server offers, and why others are refused."""

    tools: Sequence[Tool]
    refused: Mapping[str, str]


def chosen(of: str = STANDARD, read_only: bool = False) -> ToolChoice:
    """The tools of a set to offer: the standard ones, these and more, or the calls of RUM."""
    known = _works() if of == RUM else [*_STANDARD, *(_more() if of == ALL else ())]
    if of != RUM and os.environ.get(_TEAM):
        known.insert(3, made(tools.recall_team, reads=True))
    offered = [tool for tool in known if tool.reads or not read_only]
    why = "this server only reads: it was started with --read-only"
    return ToolChoice(offered, {tool.name: why for tool in known if tool not in offered})


def _more() -> Sequence[Tool]:
    return (
        made(tools.undo, destroys=True, repeatable=False),
        made(tools.capture),
        made(tools.facts),
        made(tools.search, reads=True),
        made(tools.fetch, reads=True),
    )


def _works() -> list[Tool]:
    """The calls of RUM, whose arguments and answers are JSON documents (data/rum.json)."""
    import json

    from mdmem.acts.rumcalls import Calls

    with open(os.path.join(os.path.dirname(__file__), "data", "rum.json"), encoding="utf-8") as file:
        known = json.load(file)
    run = Calls().run
    return [
        Tool(
            name,
            one["about"],
            one["schema"],
            partial(run, name),
            repeatable=False,
            **dict.fromkeys(one["marks"].split(), True),
        )
        for name, one in known.items()
    ]
