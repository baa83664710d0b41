"""The tools of `--tools rum`: the calls of RUM, whose arguments and answers are JSON documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from mdmem.history.lineage import DIRECTIONS
from mdmem.mcp.schemas import Schema, count, document, flag, number, one_of, takes, text, texts
from mdmem.mcp.visit import Visit
from mdmem.note.excerpt import DEPTHS
from mdmem.systems.compat.rum.memory import CONFIRMATION, RumMemory
from mdmem.systems.rum.schema import LINK_TYPES

_DEPTH = one_of(DEPTHS)
_PERIOD: dict[str, Schema] = {"since": number("Milliseconds since 1970"), "before": number(), "tags": texts()}
_READING = ("recall", "list", "check_file", "trace", "list_chapters", "recall_wisdom")

# call -> its description, and its arguments
CALLS: dict[str, tuple[str, Schema]] = {
    "identity": (
        "Register or resume an agent, or tell the active one.",
        takes(
            "action",
            action=one_of(("register", "resume", "info")),
            agent_id=text(),
            type=one_of(("main", "subagent")),
            parent_id=text(),
            project_id=text(),
            specialization=text(),
            capabilities=texts(),
            metadata=document(),
        ),
    ),
    "store": ("Write a work of the active agent.", takes("params", params=document(), target_agent_id=text())),
    "update_memory": (
        "Change a work: objects are merged, lists replaced.",
        takes("memory_id changes", memory_id=text(), changes=document()),
    ),
    "recall": (
        "Works by id, file, words, agent, kind of task, outcome, tags or time.",
        takes(
            "",
            memory_id=text(),
            file=text(),
            query=text(),
            intent=text(),
            task_type=text(),
            agent_id=text(),
            success_only=flag(),
            failures_only=flag(),
            **_PERIOD,
            depth=_DEPTH,
            limit=count(5),
        ),
    ),
    "list": (
        "The active agent's own works.",
        takes(
            "",
            session_id=text(),
            since=number(),
            limit=count(20),
            sort=one_of(("recent", "importance", "access_count")),
        ),
    ),
    "check_file": ("What is known of a file that is about to be touched.", takes("file_path", file_path=text())),
    "link": (
        "Link two works.",
        takes("source_id target_id link_type", source_id=text(), target_id=text(), link_type=one_of(LINK_TYPES)),
    ),
    "trace": (
        "What a work came of, and what it led to.",
        takes(
            "memory_id",
            memory_id=text(),
            direction=one_of(DIRECTIONS),
            max_depth=count(3),
            depth=_DEPTH,
        ),
    ),
    "create_chapter": (
        "Make a chapter of works, or of what works have in common.",
        takes("", memory_ids=texts(), title=text(), auto_detect=flag(), min_memories=count(3)),
    ),
    "list_chapters": (
        "The chapters.",
        takes("", sort=one_of(("recent", "start")), **_PERIOD, limit=count(20)),
    ),
    "synthesize": ("Make wisdom of chapters.", takes("", chapter_ids=texts(), min_chapters=count(2), **_PERIOD)),
    "recall_wisdom": ("The wisdom.", takes("", wisdom_id=text(), **_PERIOD, limit=count(20))),
    "delete_memory": ("Delete a work; it can be restored.", takes("memory_id", memory_id=text())),
    "delete_chapter": ("Delete a chapter, not its works.", takes("chapter_id", chapter_id=text())),
    "delete_wisdom": ("Delete wisdom, not its chapters.", takes("wisdom_id", wisdom_id=text())),
    "reset_all": (
        "Delete all works, chapters, wisdom and agents in one commit, which can be undone.",
        takes("confirmation", confirmation=text(f'"{CONFIRMATION}"')),
    ),
}


def reads(name: str) -> bool:
    """Whether a call writes nothing."""
    return name in _READING


def destroys(name: str) -> bool:
    """Whether a call changes or deletes existing data."""
    return name.startswith(("update", "delete", "reset"))


def runners() -> dict[str, Callable[..., str]]:
    """The functions of all calls. They share one active agent, whichever of them sets it."""
    memory: list[RumMemory] = []

    def run(name: str, visit: Visit, **given: Any) -> str:
        if not memory:
            memory.append(RumMemory(visit.vault))
        memory[0].turn_to(visit.vault, visit.who)
        answer = getattr(memory[0], name)(**given)
        return json.dumps(answer, ensure_ascii=False)

    return {name: partial(run, name) for name in CALLS}
