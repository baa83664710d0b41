"""Handles each call: finds its tool, checks its arguments, and answers in Markdown.

Resources and prompts are a courtesy to clients that show them to a person. The tools alone do everything.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

from mdmem.acts import arguments
from mdmem.acts.serving import TELL, Client, Host, Visit
from mdmem.errors import MdmemError, NotFoundError, UsageError, of_system
from mdmem.mcp import toolbox
from mdmem.mcp.toolbox import Tool
from mdmem.note import tsv
from mdmem.note.terminal import safe

if TYPE_CHECKING:
    from mdmem.store.vault.keeper import VaultKeeper

BRIEF = "mdmem://brief"
TEMPLATE = toolbox.NOTE + "{+path}"


def resource(visit: Visit, uri: str) -> str:
    """The content of a resource: the brief, or a note by its name or path. Raises NotFoundError."""
    if uri == BRIEF:
        return toolbox.brief(visit)
    if not uri.startswith(toolbox.NOTE):
        raise NotFoundError(f"there is no resource {uri[:80]}", f"there are {BRIEF} and {TEMPLATE}")
    return toolbox.read(visit, [path_in(uri, toolbox.NOTE)])


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


# What hints say about the command, in words of the tools; a hint about any other is for the user.
_TOOL_FOR = dict(tsv.rows(__file__, "commands.tsv", 2))
_COMMAND = re.compile(rf"\bmdmem ({'|'.join(_TOOL_FOR)})\b")
_FOR_THE_USER = re.compile(r"\bmdmem [a-z]|(?<!\S)--\w|\bpip install\b")


class Reply(NamedTuple):
    """The answer to a call. If it `failed`, nothing came of the call, and the text says what to do."""

    text: str
    failed: bool = False


class Desk:
    """The tools of a server, over the vault that it keeps open.

    `refused` gives the reason for each tool that exists, but that this server does not offer.
    """

    def __init__(self, keeper: VaultKeeper, tools: Sequence[Tool], refused: Mapping[str, str]) -> None:
        self.tools = {tool.name: tool for tool in tools}
        self.host = Host(keeper)
        self._refused = refused

    def named(self) -> str:
        """The sentence that names the vault, or what the person has to do because there is none."""
        try:
            return f"The vault is {self.host.where()}."
        except MdmemError as error:
            return failure(error).text.replace("\n", "; ") + "."

    def call(self, name: str, given: Mapping[str, Any], client: Client) -> Reply:
        """The answer of a tool. Raises MdmemError, OSError; see `failure`."""
        if name not in self.tools:
            hint = f"there are {', '.join(self.tools)}"
            raise UsageError(self._refused.get(name, f"there is no tool '{name[:80]}'"), hint)
        tool = self.tools[name]
        meant = arguments.checked(name, tool.schema, given)
        return self.visit(client, lambda visit: Reply(tool.run(visit, **meant)))

    def resource(self, uri: str, client: Client) -> Reply:
        """The content of a resource. Raises MdmemError, OSError."""
        return self.visit(client, lambda visit: Reply(resource(visit, uri)))

    def visit(self, client: Client, answer: Callable[[Visit], Reply]) -> Reply:
        """The reply of `answer`, with the messages of the vault appended."""
        with self.host.visit(client) as visit:
            reply = answer(visit)
        told = [f"Note: {for_agent(line)}" for line in self.host.told]
        return reply._replace(text=sendable("\n\n".join([reply.text, *told])))


def failure(error: BaseException) -> Reply:
    """An error as the answer to the agent: what went wrong, and what to do."""
    if isinstance(error, OSError):
        error = of_system(error)
    elif not isinstance(error, MdmemError):
        hint = "nothing was half written; MDMEM_DEBUG=1 in the server's environment shows where, please report it"
        error = MdmemError(f"unexpected error: {type(error).__name__}: {error}", hint)
    lines = [for_agent(error.message), for_agent(error.hint)]
    return Reply(sendable("\n".join(filter(None, lines))), failed=True)


def for_agent(text: str) -> str:
    """A message of mdmem's own for an agent: it names tools, and leaves the command line to the user."""
    if TELL in text:
        return text
    if "mdmem init" in text:  # an agent with a shell would run it, and go on with an empty vault
        return f"{TELL}only they can say where the vault is, or make one"
    said = _COMMAND.sub(lambda match: _TOOL_FOR[match[1]], text)
    return f"ask the user, it is theirs to do: {said}" if _FOR_THE_USER.search(said) else said


def sendable(text: str) -> str:
    """A text that JSON can carry, without control characters for terminals."""
    return safe(text).encode("utf-8", "replace").decode()
