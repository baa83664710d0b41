"""Anthropic's memory tool over a vault, for the tool runner of their SDK (package `anthropic`).

    tool = MemoryTool("my-vault", session="conv-14")
    client.beta.messages.tool_runner(model=..., max_tokens=..., messages=[...], tools=[tool])

Claude's files lie in a folder of the vault, each exactly as it was written; the `.md` ones are memories, which
recall finds. `mdmem.systems.adapters.memoryfiles` says what each command answers.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types import beta

from mdmem.errors import MdmemError
from mdmem.systems.adapters.access import VaultAccess
from mdmem.systems.adapters.memoryfiles import COMMANDS, MemoryFiles, checked


class _ToolCommands:
    """The commands of the tool over a vault."""

    def __init__(self, access: VaultAccess, folder: str) -> None:
        self._access = access
        self._folder = folder

    def run(self, name: str, command: object) -> str:
        """The answer to a command. Raises ToolError, with a text for the model."""
        given = {key: getattr(command, key, None) for key in COMMANDS[name]}
        return self._answer(lambda memory: str(getattr(memory, name)(**checked(name, given))))

    def clear(self) -> str:
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
        self._commands = _ToolCommands(self._access, folder)

    @property
    def told(self) -> Sequence[str]:
        """The vault's messages during the last command, for a person."""
        return tuple(self._access.keeper.told)


class MemoryTool(_OverVault, BetaAbstractMemoryTool):
    """The memory tool over the vault at `vault`, or else at the one that the environment or current folder names.

    Files lie in `folder` of the vault, which has to be one of memories ("" is `claude` in the folder of all
    memories). Commits are by `actor` in `session`. Claude sees memories up to `max_sensitivity`, "" for what
    agents may see. `cache_control` goes to the SDK. Not thread-safe.
    """

    def close(self) -> None:
        """Close the vault. The next command opens it again."""
        self._access.keeper.close()

    def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        return self._commands.run("view", command)

    def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        return self._commands.run("create", command)

    def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._commands.run("str_replace", command)

    def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        return self._commands.run("insert", command)

    def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        return self._commands.run("delete", command)

    def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        return self._commands.run("rename", command)

    def clear_all_memory(self) -> str:
        return self._commands.clear()


class AsyncMemoryTool(_OverVault, BetaAsyncAbstractMemoryTool):
    """The memory tool for asyncio. Its commands run in a thread of its own, one after the other."""

    def __init__(self, vault: str | None = None, **options: Any) -> None:
        super().__init__(vault, **options)
        self._thread = ThreadPoolExecutor(1, "mdmem")

    async def close(self) -> None:
        """Close the vault for good. It may be closed more than once."""
        with suppress(RuntimeError):  # the thread was shut down before
            await self._in_thread(self._access.keeper.close)
        self._thread.shutdown()

    async def _in_thread(self, function: Callable[..., Any], *arguments: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        return str(await self._in_thread(self._commands.run, "view", command))

    async def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        return str(await self._in_thread(self._commands.run, "create", command))

    async def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        return str(await self._in_thread(self._commands.run, "str_replace", command))

    async def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        return str(await self._in_thread(self._commands.run, "insert", command))

    async def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        return str(await self._in_thread(self._commands.run, "delete", command))

    async def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        return str(await self._in_thread(self._commands.run, "rename", command))

    async def clear_all_memory(self) -> str:
        return str(await self._in_thread(self._commands.clear))
