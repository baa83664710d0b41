"""The server on standard input and output, built on the official SDK; it ends with its input.

It serves both revisions of the protocol that the SDK knows: the handshake of 2024-11-05 to 2025-11-25, and that
of 2026-07-28, in which each request names its sender. https://modelcontextprotocol.io/specification
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from mdmem import __version__
from mdmem.acts import serving
from mdmem.acts.serving import Client
from mdmem.errors import UsageError, is_text
from mdmem.mcp.desk import BRIEF, PROMPTS, TEMPLATE, Desk, Reply, failure, path_in, prompt, sendable
from mdmem.mcp.toolbox import INSTRUCTIONS, Tool

Context = ServerRequestContext[Any, Any]
_MARKDOWN = "text/markdown"
_PATIENCE = 2.0  # seconds, for a client to tell its folders
_ALWAYS = {"anthropic/alwaysLoad": True}  # Claude Code searches for other tools before it loads them


def serve(desk: Desk) -> None:
    """Answer requests until standard input ends. A write in progress is completed."""
    logging.getLogger("mcp").setLevel(logging.ERROR)
    asyncio.run(_serve(desk))


async def _serve(desk: Desk) -> None:
    queue = _RequestQueue(desk)
    for number in (signal.SIGINT, signal.SIGTERM):
        with suppress(NotImplementedError):  # on Windows the process just ends
            asyncio.get_running_loop().add_signal_handler(number, _end, queue, number)
    try:
        async with stdio_server() as (source, sink), anyio.create_task_group() as tasks:
            onward, readable = anyio.create_memory_object_stream[SessionMessage | Exception](0)
            tasks.start_soon(_pass_on, source, onward, sink)
            server = queue.server()
            await server.run(readable, sink, server.create_initialization_options())
    finally:
        queue.close()


async def _pass_on(source: Any, onward: Any, sink: Any) -> None:
    """Pass messages on to the SDK, which would never answer a request that holds half of a surrogate pair."""
    async with onward:
        async for message in source:
            if isinstance(message, ValidationError) and (answer := _refusal(message)):
                await sink.send(SessionMessage(answer))
            else:
                await onward.send(message)


def _refusal(error: ValidationError) -> types.JSONRPCError | None:
    """The answer to a request that is JSON, but not text; None for anything else."""
    with suppress(ValueError, TypeError, RecursionError):
        asked = json.loads(error.errors()[0]["input"])
        if "id" in asked and is_text(str(asked["id"])) and not is_text(json.dumps(asked, ensure_ascii=False)):
            said = types.ErrorData(code=types.INVALID_PARAMS, message="a text holds half of a surrogate pair")
            return types.JSONRPCError(jsonrpc="2.0", id=asked["id"], error=said)
    return None


def _end(queue: _RequestQueue, number: int) -> None:
    """Exit at once, though a thread of the SDK waits for input; only a write in progress is completed."""
    queue.close()
    os._exit(128 + number)


class _RequestQueue:
    """Passes requests to the desk, one at a time, in a thread of their own.

    A request that is cancelled before its turn is not started; the answer of one in progress is dropped.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._turns = ThreadPoolExecutor(1, "mdmem")
        self._folder: str | None = None  # that the client works in, once it was asked

    def server(self) -> Server:
        """The SDK's server, with a handler for each kind of request."""
        return Server(
            "mdmem",
            version=__version__,
            title="mdmem",
            instructions=f"{INSTRUCTIONS} {self._desk.named()}",
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
        )

    def close(self) -> None:
        """Complete the request in progress, drop those that wait, close the vault."""
        self._turns.shutdown(wait=True, cancel_futures=True)
        self._desk.host.close()

    async def in_turn(self, answer: Callable[[], Reply]) -> Reply:
        """The reply of the desk; an error becomes a reply, too."""
        turn = asyncio.wrap_future(self._turns.submit(answer))
        try:
            await asyncio.wait([turn])
        finally:
            turn.cancel()  # without effect on one that is in progress or done
        error = turn.exception()
        if error is None:
            return turn.result()
        if os.environ.get("MDMEM_DEBUG"):
            traceback.print_exception(error)
        return failure(error)

    async def _client(self, context: Context) -> Client:
        """The sender of a request. Once, it is asked for its folders, if it has said that it tells them."""
        known = context.session.client_params
        if self._folder is None:
            self._folder = ""
            if known and known.capabilities.roots and context.session.can_send_request:
                with anyio.move_on_after(_PATIENCE), suppress(MCPError):
                    roots = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
                    self._folder = next((path_in(str(root.uri), "file://") for root in roots.roots), "")
        session = serving.session_in(dict(context.meta or {}))
        return Client(known.client_info.name if known else "", session, self._folder)

    async def list_tools(self, _context: Context, _params: Any) -> types.ListToolsResult:
        """All tools, on one page."""
        return types.ListToolsResult(tools=[_as_sdk_tool(tool) for tool in self._desk.tools.values()])

    async def call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        """The reply of one tool, as text alone: some clients show structured content instead of it."""
        client = await self._client(context)
        reply = await self.in_turn(lambda: self._desk.call(params.name, params.arguments or {}, client))
        return types.CallToolResult(content=[types.TextContent(text=reply.text)], is_error=reply.failed)

    async def list_resources(self, _context: Context, _params: Any) -> types.ListResourcesResult:
        """The one resource that is always there."""
        brief = types.Resource(uri=BRIEF, name="brief", mime_type=_MARKDOWN)
        return types.ListResourcesResult(resources=[brief])

    async def list_templates(self, _context: Context, _params: Any) -> types.ListResourceTemplatesResult:
        """The template of the resources for notes."""
        note = types.ResourceTemplate(uri_template=TEMPLATE, name="note", mime_type=_MARKDOWN)
        return types.ListResourceTemplatesResult(resource_templates=[note])

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """The content of a resource. Raises MCPError, the protocol's only way to say that it does not exist."""
        client = await self._client(context)
        reply = await self.in_turn(lambda: self._desk.resource(params.uri, client))
        if reply.failed:
            raise MCPError(types.INVALID_PARAMS, reply.text)
        content = types.TextResourceContents(uri=params.uri, mime_type=_MARKDOWN, text=reply.text)
        return types.ReadResourceResult(contents=[content])

    async def list_prompts(self, _context: Context, _params: Any) -> types.ListPromptsResult:
        """All prompts."""
        return types.ListPromptsResult(prompts=[_prompt(name) for name in PROMPTS])

    async def get_prompt(self, context: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        """The text of a prompt. Raises MCPError."""
        del context
        try:
            text = prompt(params.name, params.arguments or {})
        except UsageError as error:
            raise MCPError(types.INVALID_PARAMS, failure(error).text) from None
        message = types.PromptMessage(role="user", content=types.TextContent(text=sendable(text)))
        return types.GetPromptResult(messages=[message])


def _prompt(name: str) -> types.Prompt:
    page = PROMPTS[name]
    arguments = [types.PromptArgument(name=page["argument"])] if page["argument"] else None
    return types.Prompt(name=name, description=page["about"], arguments=arguments)


def _as_sdk_tool(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(
        read_only_hint=True if tool.reads else None,
        destructive_hint=None if tool.reads else tool.destroys,
        idempotent_hint=tool.repeatable if not tool.reads else None,
        open_world_hint=False,
    )
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=dict(tool.schema),
        annotations=hints,
        _meta=_ALWAYS if tool.always else None,
    )
