"""Anthropic's memory tool over a vault, for the tool runner of their SDK (package `anthropic`).

    tool = MemoryTool("my-vault", session="conv-14")
    client.beta.messages.tool_runner(model=..., max_tokens=..., messages=[...], tools=[tool])

Claude's files lie in a folder of the vault, each exactly as it was written; the `.md` ones are memories, which
recall finds. `mdmem.systems.adapters.memoryfiles` says what each command answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool

from mdmem.errors import MdmemError
from mdmem.systems.adapters.access import VaultAccess
from mdmem.systems.adapters.memoryfiles import COMMANDS, MemoryFiles, checked


class _OverVault:
    """What both tools share. The SDK's class, which comes after it, gets the arguments that are left."""

    def __init__(
        self,
        vault: str | None = None,
        *,
        actor: str = "claude",
        session: str = "",
        folder: str = "",
        max_sensitivity: str = "",
        **of_sdk: Any,
    ) -> None:
        super().__init__(**of_sdk)
        self._access = VaultAccess(vault, actor, session, max_sensitivity)
        self._folder = folder

    @property
    def told(self) -> Sequence[str]:
        """The vault's messages during the last command, for a person."""
        return tuple(self._access.keeper.told)

    def _run(self, name: str, command: object) -> str:
        """The answer to a command. Raises ToolError, with a text for the model."""
        given = {key: getattr(command, key, None) for key in COMMANDS[name]}
        return self._answer(lambda memory: str(getattr(memory, name)(**checked(name, given))))

    def _clear(self) -> str:
        """Delete everything that was written. Raises ToolError."""
        return self._answer(MemoryFiles.clear)

    def _answer(self, act: Callable[[MemoryFiles], str]) -> str:
        try:
            with self._access.visit() as (vault, who):
                return act(MemoryFiles(vault, self._folder, who))
        except MdmemError as error:
            raise ToolError("\n".join(filter(None, [error.message, error.hint]))) from error
        except OSError as error:
            raise ToolError(f"That cannot be done: {error.strerror or error}") from error


def _now(name: str) -> Callable[[MemoryTool, object], str]:
    """The method that runs a command."""
    return lambda tool, command: tool._run(name, command)


def _later(name: str) -> Callable[[AsyncMemoryTool, object], Awaitable[str]]:
    """The method that runs a command in the thread of the tool."""
    return lambda tool, command: tool._in_thread(tool._run, name, command)


class MemoryTool(_OverVault, BetaAbstractMemoryTool):
    """The memory tool over the vault at `vault`, or else at the one that the environment or current folder names.

    Files lie in `folder` of the vault, which has to be one of memories ("" is `claude` in the folder of all
    memories). Commits are by `actor` in `session`. Claude sees memories up to `max_sensitivity`, "" for what
    agents may see. `cache_control` goes to the SDK. Not thread-safe.
    """

    def close(self) -> None:
        """Close the vault. The next command opens it again."""
        self._access.keeper.close()

    def clear_all_memory(self) -> str:
        return self._clear()

    view, create, str_replace, insert, delete, rename = map(_now, COMMANDS)


class AsyncMemoryTool(_OverVault, BetaAsyncAbstractMemoryTool):
    """The memory tool for asyncio. Its commands run in a thread of its own, one after the other."""

    async def close(self) -> None:
        """Close the vault for good. It may be closed more than once."""
        await asyncio.to_thread(self._access.end)

    async def _in_thread(self, function: Callable[..., Any], *arguments: object) -> Any:
        return await asyncio.wrap_future(self._access.in_thread(function, *arguments))

    async def clear_all_memory(self) -> str:
        return str(await self._in_thread(self._clear))

    view, create, str_replace, insert, delete, rename = map(_later, COMMANDS)
