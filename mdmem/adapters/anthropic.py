"""Anthropic's memory tool over a vault, for the tool runner of their SDK (package `anthropic`).

    tool = MemoryTool("my-vault", session="conv-14")
    client.beta.messages.tool_runner(model=..., max_tokens=..., messages=[...], tools=[tool])

What Claude writes are files in a folder of the vault, each as it was written; the `.md` ones are memories, and
recall finds them. What each command answers is in `mdmem.adapters.memoryfiles`.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from anthropic.lib.tools import ToolError
from anthropic.tools.memory import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool
from anthropic.types import beta

from mdmem.adapters.memoryfiles import COMMANDS, MemoryFiles, checked
from mdmem.errors import MdmemError
from mdmem.local import clock
from mdmem.local.sessions import Sessions
from mdmem.operation import Caller
from mdmem.vault.keeper import VaultKeeper
from mdmem.vault.vault import Vault


class VaultAccess:
    """A vault that is open between commands, and in whose name they are done.

    `session` is the id of the conversation; "" is the one that the `actor` has open in the vault, else a new one.
    """

    def __init__(self, vault: str | None, actor: str, session: str, folder: str, limit: str) -> None:
        self.keeper = VaultKeeper(vault, limit)
        self._actor = actor
        self._session = session
        self._folder = folder
        self._new_session = f"{clock.now():%Y%m%dT%H%M%S}-{actor}-{os.getpid()}"

    def run(self, name: str, command: object) -> str:
        """The answer of a command. Raises ToolError, whose text is for the model."""
        given = {key: getattr(command, key, None) for key in COMMANDS[name]}
        return self._told(lambda memory: str(getattr(memory, name)(**checked(name, given))))

    def clear(self) -> str:
        """Delete all that was written. Raises ToolError."""
        return self._told(MemoryFiles.clear)

    def _told(self, act: Callable[[MemoryFiles], str]) -> str:
        try:
            with self.keeper.visit() as vault:
                self.keeper.clear(vault, self._actor)
                return act(MemoryFiles(vault, self._folder, self._caller(vault)))
        except MdmemError as error:
            raise ToolError("\n".join(filter(None, [error.message, error.hint]))) from error
        except OSError as error:
            raise ToolError(f"That cannot be done: {error.strerror or error}") from error

    def _caller(self, vault: Vault) -> Caller:
        who = Caller(clock.now(), self._actor, self._session)
        who = Sessions(vault.root, vault.repo, vault.tell).joined(who)
        return who if who.session else who._replace(session=self._new_session)


class _OverVault:
    """What both tools are made from and can tell; the SDK's class, which comes after it, gets the rest."""

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
        self._access = VaultAccess(vault, actor, session, folder, max_sensitivity)

    @property
    def told(self) -> Sequence[str]:
        """What the vault had to say during the last command, for a person."""
        return tuple(self._access.keeper.told)


class MemoryTool(_OverVault, BetaAbstractMemoryTool):
    """The memory tool over the vault at `vault`, else where the environment and the current folder say.

    Files lie in `folder` of the vault, which has to be one of memories ("" is `claude` in the folder of all).
    Commits are of `actor` in `session`. Claude sees memories up to `max_sensitivity`, "" for what agents may see.
    `cache_control` goes to the SDK. Not for several threads.
    """

    def close(self) -> None:
        """Close the vault. The next command opens it again."""
        self._access.keeper.close()

    def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        return self._access.run("view", command)

    def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        return self._access.run("create", command)

    def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        return self._access.run("str_replace", command)

    def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        return self._access.run("insert", command)

    def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        return self._access.run("delete", command)

    def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        return self._access.run("rename", command)

    def clear_all_memory(self) -> str:
        return self._access.clear()


class AsyncMemoryTool(_OverVault, BetaAsyncAbstractMemoryTool):
    """The same for asyncio. Commands run in a thread of its own, one after the other."""

    def __init__(self, vault: str | None = None, **options: Any) -> None:
        super().__init__(vault, **options)
        self._thread = ThreadPoolExecutor(1, "mdmem")

    async def close(self) -> None:
        """Close the vault, for good."""
        await self._in_thread(self._access.keeper.close)
        self._thread.shutdown()

    async def _in_thread(self, function: Callable[..., Any], *arguments: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._thread, function, *arguments)

    async def view(self, command: beta.BetaMemoryTool20250818ViewCommand) -> str:
        return str(await self._in_thread(self._access.run, "view", command))

    async def create(self, command: beta.BetaMemoryTool20250818CreateCommand) -> str:
        return str(await self._in_thread(self._access.run, "create", command))

    async def str_replace(self, command: beta.BetaMemoryTool20250818StrReplaceCommand) -> str:
        return str(await self._in_thread(self._access.run, "str_replace", command))

    async def insert(self, command: beta.BetaMemoryTool20250818InsertCommand) -> str:
        return str(await self._in_thread(self._access.run, "insert", command))

    async def delete(self, command: beta.BetaMemoryTool20250818DeleteCommand) -> str:
        return str(await self._in_thread(self._access.run, "delete", command))

    async def rename(self, command: beta.BetaMemoryTool20250818RenameCommand) -> str:
        return str(await self._in_thread(self._access.run, "rename", command))

    async def clear_all_memory(self) -> str:
        return str(await self._in_thread(self._access.clear))
