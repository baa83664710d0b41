"""Resources and prompts: a courtesy to clients that show them to a person. The tools alone do everything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
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


class PromptPage(NamedTuple):
    """A prompt that a person can pick. `argument` is the name of its argument, "" for none."""

    about: str
    text: str
    argument: str = ""


PROMPTS: Mapping[str, PromptPage] = {
    "wrap_up": PromptPage(
        "Save what this session learned.",
        "Go through what was said and done in this session. Recall what the memory already says about it."
        " Then save in one call of remember what will matter in a later session: decisions with their"
        " reasons, preferences, corrections, lessons, and what is left to do. Where a note says what no"
        " longer holds, name it as replaced. Leave out what the files or their history say themselves, and"
        " all secrets. At the end tell me in one line each what you saved.",
    ),
    "tidy": PromptPage(
        "Tidy the memory: judge what waits.",
        "Call garden{about} and read what it lists: both notes, their dates and who wrote them. Judge each with"
        " judge, many at once and each with a reason in a sentence: same only if one note can say all that both"
        " do, a replacement only if both cannot be true now, else both hold; cannot tell if the notes do not say."
        " Ask garden again until nothing waits, and tell me in a few lines what changed and what waits for me.",
        "topic",
    ),
    "review": PromptPage(
        "Look through what is remembered, and propose what to correct.",
        "Recall what is remembered{about}, with several questions, and read the notes that matter. List what is"
        " outdated, doubtful, said twice, or contradicts another note, each with its source, and propose for each"
        " what to do: revise it, replace it, or forget it. Change nothing before I have agreed.",
        "topic",
    ),
}


def prompt(name: str, given: Mapping[str, str]) -> str:
    """The text of a prompt. Raises UsageError if it does not exist."""
    if name not in PROMPTS:
        raise UsageError(f"there is no prompt '{name[:80]}'", f"there are {', '.join(PROMPTS)}")
    page = PROMPTS[name]
    topic = given.get(page.argument, "").strip()
    return page.text.replace("{about}", f" about {topic}" if topic else "")
