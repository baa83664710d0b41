"""The table of tools: the description of each for agents, and the function that answers.

An agent reads all of it in every session, so that every word has to earn its place. Some clients do not show the
instructions: the description of `recall` has to do without them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mdmem.mcp import gardening, reading, writing
from mdmem.mcp.schemas import Schema, count, document, flag, one_of, some, takes, text, texts
from mdmem.note.facts import TYPES
from mdmem.upkeep import queue

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


_AS_OF = text("Date or commit")

_ITEM = takes(
    "text",
    text=text("One fact with its reason, clear without this conversation"),
    title=text(),
    type=one_of(("fact", "preference", "decision", "pattern", "note")),
    tags=texts(),
    project=text('"none" for all; default: this one, for a preference none'),
    replaces=text("Name of the note it supersedes"),
)

READING = (
    Tool(
        "recall",
        "Search the long-term memory of past sessions: decisions, preferences, facts, lessons. Use it before you"
        " answer or act on what may have come up before. Ask in two or three wordings (query, also), as the note"
        " might say it. Gives the best notes, each with path:line@commit and a passage.",
        takes(
            "query",
            query=text('Question or words; "a phrase", -not'),
            also=texts(),
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
        "Whole notes by name or title; with history what was done to them, also to forgotten ones.",
        takes("names", names=texts(most=10), as_of=_AS_OF, history=flag()),
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
        "Correct a note; done: end a task. When the world has changed, remember with replaces instead.",
        takes(
            "name",
            name=text(),
            old=text("Text it has once"),
            new=text("In its place; alone: a paragraph to add"),
            set=document("Properties; null removes one"),
            expect=text("Version from read; refused if changed"),
            done=flag(),
        ),
        writing.revise,
        destroys=True,
    ),
    Tool(
        "forget",
        "Delete notes that are wrong or unwanted; restore brings them back.",
        takes("names reason", names=texts(), reason=text()),
        writing.forget,
        destroys=True,
    ),
    Tool("restore", "Bring back notes that were forgotten.", takes("names", names=texts()), writing.restore),
)


_VERDICT = takes(
    "id verdict",
    id=text(),
    verdict=text("As offered"),
    why=text("In a sentence"),
    text=text("With same: one text for both, with every statement; with reword: what is kept"),
    drops=texts("Statements it leaves out"),
)
GARDEN = (
    Tool(
        "garden",
        "What waits in the memory for somebody who can read: notes that may say the same, replace each other or be"
        " over, and what was captured. Read it, then judge. Use it when asked to tidy the memory, or when status"
        " tells that many wait.",
        takes("", topic=text(), only=texts("Gardeners, captured"), limit=count(queue.LIMIT)),
        gardening.garden,
        reads=True,
    ),
    Tool(
        "judge",
        "Your verdicts on what garden listed, many at once. Those on people's notes and words wait for them.",
        takes("items", items={"type": "array", "maxItems": 50, "items": _VERDICT}),
        gardening.judge,
        destroys=True,
    ),
)

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

    tool = Tool(
        "recall_team",
        "The same in what the team has published of all its vaults, also those that are not here.",
        takes("query", query=text(), also=texts(), filter=text(), budget=count(reading.RECALL_TOKENS)),
        reading.recall_team,
        reads=True,
    )
    return (tool,) if os.environ.get(DSN) else ()


_FACT = "subject, relation, object, confidence (0-1), sentence (word for word), time_span, type:"


def _more() -> Sequence[Tool]:
    from mdmem.mcp import more

    return (
        Tool(
            "undo",
            "Take back your last writes, all that a session wrote, or commits. One commit, which can be undone.",
            takes(
                "",
                last=some("Of your last writes"),
                session=text(),
                commits=texts(),
                dry_run=flag("Only show what would be undone"),
            ),
            more.undo,
            destroys=True,
            repeatable=False,
        ),
        Tool(
            "capture",
            "Find what is worth remembering in the transcript of a chat.",
            takes(
                "transcript", transcript=text('Lines of "User: ..." and "Assistant: ..."'), write=flag("Save it")
            ),
            more.capture,
        ),
        Tool(
            "facts",
            "Keep a whole dialog with the facts that you read in it.",
            takes(
                "dialog topic items",
                dialog=text('Lines of "User: ..." and "Assistant: ..."'),
                topic=text('A name, or "auto"'),
                items={"type": "array", "items": document(f"{_FACT} {', '.join(TYPES)}")},
            ),
            more.facts,
        ),
        Tool(
            "search",
            "Search the memory; JSON with ids for fetch.",
            takes("query", query=text()),
            more.search,
            True,
        ),
        Tool("fetch", "One note by the id that search gave, as JSON.", takes("id", id=text()), more.fetch, True),
    )


def _works() -> Sequence[Tool]:
    from mdmem.mcp import works

    run = works.runners()
    return [
        Tool(name, about, schema, run[name], works.reads(name), works.destroys(name), repeatable=False)
        for name, (about, schema) in works.CALLS.items()
    ]
