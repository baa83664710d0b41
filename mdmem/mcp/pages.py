"""Resources and prompts: a courtesy to clients that show them to a person. The tools alone do everything."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from urllib.parse import unquote

from mdmem.acts.serving import Visit
from mdmem.errors import NotFoundError, UsageError
from mdmem.mcp import tools
from mdmem.mcp.tools import NOTE

BRIEF = "mdmem://brief"
TEMPLATE = NOTE + "{+path}"


def resource(visit: Visit, uri: str) -> str:
    """The content of a resource: the brief, or a note by its name or path. Raises NotFoundError."""
    if uri == BRIEF:
        return tools.brief(visit)
    if not uri.startswith(NOTE):
        raise NotFoundError(f"there is no resource {uri[:80]}", f"there are {BRIEF} and {TEMPLATE}")
    return tools.read(visit, [path_in(uri, NOTE)])


def path_in(uri: str, before: str) -> str:
    """The path in a URI, after what stands `before` it."""
    return unquote(uri.removeprefix(before))


with open(os.path.join(os.path.dirname(__file__), "data", "prompts.json"), encoding="utf-8") as _file:
    # prompt that a person can pick -> what it is about, its text, and the name of its argument, "" for none
    PROMPTS: Mapping[str, Mapping[str, str]] = json.load(_file)


def prompt(name: str, given: Mapping[str, str]) -> str:
    """The text of a prompt. Raises UsageError if it does not exist."""
    if name not in PROMPTS:
        raise UsageError(f"there is no prompt '{name[:80]}'", f"there are {', '.join(PROMPTS)}")
    page = PROMPTS[name]
    topic = given.get(page["argument"], "").strip()
    return page["text"].replace("{about}", f" about {topic}" if topic else "")
