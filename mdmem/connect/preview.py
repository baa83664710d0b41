"""Shows what connecting would write, to look at or to paste elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from mdmem.connect import filling, programs
from mdmem.connect.connecting import texts
from mdmem.connect.filling import Names
from mdmem.connect.plan import SKILL
from mdmem.connect.target import Target


class Preview(NamedTuple):
    """What would be written: texts of mdmem's files and of lines in the user's files, by path; commands to run."""

    client: str
    vault: str
    files: Mapping[str, str]
    settings: Mapping[str, str]
    commands: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


def preview(target: Target, vault: str) -> Preview:
    """What would connect a client to the vault (absolute path). Raises NotFoundError without a program mdmem."""
    plan, names = target.plan, target.names(programs.of_mdmem(target.environment), vault)
    wanted = texts(plan, names)
    members = {path: json.dumps(value, indent=2) + "\n" for path, value in wanted.members.items()}
    commands = tuple(
        f"{target.client.program} {' '.join(words)}"
        for words in (plan.registration.add if plan.registration else ())
    )
    return Preview(names.client, vault, wanted.files, {**members, **wanted.blocks}, commands, plan.advice)


def generic(vault: str, environment: Mapping[str, str]) -> Preview:
    """The texts to paste into a client that mdmem does not know."""
    names = Names(programs.of_mdmem(environment), vault, "generic", "")
    parts = {
        "an MCP server, in the settings of the client": "generic/mcp.json",
        "hooks, if the client has those of Claude Code": "plugin/hooks.json",
        "a skill, or instructions such as AGENTS.md": SKILL,
    }
    return Preview("generic", vault, {}, {title: filling.text_of(name, names) for title, name in parts.items()})
