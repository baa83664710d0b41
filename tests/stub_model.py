"""A model for tests: answers LLM clients on the loopback address with turns that were written beforehand.

It speaks the Messages API, Responses, Chat Completions and Gemini's generateContent, streamed or not. Every turn
but the last calls a tool, so the turn to play is the number of results that the conversation holds already; a
request that offers no tools (for a title, say) gets a word and changes nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import MappingProxyType
from typing import Any, NamedTuple, Self

Json = dict[str, Any]
_RESULTS = ("tool_result", "function_call_output", "custom_tool_call_output")


class Turn(NamedTuple):
    """What the model says: a text, or a call of the tool whose name ends like `tool`.

    Its arguments may be made from the request that it answers.
    """

    text: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] | Callable[[Json], Mapping[str, Any]] = MappingProxyType({})


class Call(NamedTuple):
    """A turn as one request gets it, its tool by the name and the namespace that the client gave it."""

    id: str
    text: str
    tool: str
    namespace: str
    arguments: str

    @property
    def input(self) -> Any:
        return json.loads(self.arguments)


def results_in(value: Any) -> int:
    """How many results of tools a conversation holds, in any of the four forms."""
    if isinstance(value, list):
        return sum(results_in(item) for item in value)
    if not isinstance(value, dict):
        return 0
    if value.get("type") in _RESULTS or value.get("role") == "tool" or "functionResponse" in value:
        return 1
    return sum(
        results_in(value[key]) for key in ("messages", "input", "contents", "content", "parts") if key in value
    )


def tools_in(body: Json) -> Iterator[tuple[str, str]]:
    """Name and namespace of each tool that a request offers."""
    for tool in body.get("tools") or ():
        if tool.get("type") == "namespace":
            yield from ((inner["name"], tool["name"]) for inner in tool["tools"])
        elif "functionDeclarations" in tool:
            yield from ((inner["name"], "") for inner in tool["functionDeclarations"])
        else:
            yield (tool.get("function") or tool).get("name", ""), ""


def named(body: Json, wanted: str) -> tuple[str, str]:
    """The tool that ends like `wanted`: one that is offered, else one that the text of the request tells of.

    A tool of a server comes before one of the client's own that has the same name.
    """
    fitting = [tool for tool in tools_in(body) if re.search(rf"(?:^|[_.-]){re.escape(wanted)}$", tool[0])]
    if fitting:
        return min(fitting, key=lambda tool: tool == (wanted, ""))
    told = re.search(rf"mcp__\w+__{re.escape(wanted)}\b", json.dumps(body))
    return (told[0] if told else wanted), ""


class StubModel:
    """The server, for a `with` block. `requests` are the bodies that it was sent, `url` is where it listens."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.requests: list[Json] = []
        self.turns = turns
        handler = type("Handler", (_Handler,), {"model": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def sent(self) -> str:
        """All that the model was sent, as one text."""
        return "\n".join(json.dumps(body, ensure_ascii=False) for body in self.requests)

    def call(self, body: Json) -> Call:
        """What to answer to a request."""
        self.requests.append(body)
        number = results_in(body)
        turn = self.turns[min(number, len(self.turns) - 1)] if body.get("tools") else Turn("ok")
        tool, namespace = named(body, turn.tool) if turn.tool else ("", "")
        given = turn.arguments(body) if callable(turn.arguments) else turn.arguments
        return Call(f"call_{number}", turn.text, tool, namespace, json.dumps(dict(given)))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: StubModel

    def log_message(self, *_: object) -> None:
        """Nothing on standard error."""

    def do_GET(self) -> None:
        self._json({"object": "list", "data": [], "models": []})

    do_HEAD = do_GET  # noqa: N815 - as http.server wants it

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        path = self.path.split("?")[0]
        for ending, dialect in _DIALECTS.items():
            if path.endswith(ending):
                call = self.model.call(body)
                whole, events = dialect(call, str(body.get("model", "stub")))
                streamed = body.get("stream") or "stream" in ending
                self._events(events) if streamed else self._json(whole)
                return
        self._json({"input_tokens": 1, "totalTokens": 1} if "ount" in path else {})

    def _json(self, value: Json) -> None:
        self._send("application/json", json.dumps(value).encode())

    def _events(self, events: Sequence[Json]) -> None:
        lines = [
            (f"event: {event['type']}\n" if "type" in event else "") + f"data: {json.dumps(event)}\n\n"
            for event in events
        ]
        end = "data: [DONE]\n\n" if events and events[0].get("object") == "chat.completion.chunk" else ""
        self._send("text/event-stream", ("".join(lines) + end).encode())

    def _send(self, kind: str, data: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


# -- the four dialects: a call as the whole answer, and as the events of a stream


def _messages(call: Call, model: str) -> tuple[Json, list[Json]]:
    text = {"type": "text", "text": call.text}
    use = {"type": "tool_use", "id": f"toolu_{call.id}", "name": call.tool, "input": call.input}
    block, stop = (use, "tool_use") if call.tool else (text, "end_turn")
    usage = {"input_tokens": 1, "output_tokens": 1}
    whole = {
        **{"id": f"msg_{call.id}", "type": "message", "role": "assistant", "model": model, "content": [block]},
        **{"stop_reason": stop, "stop_sequence": None, "usage": usage},
    }
    start = {**use, "input": {}} if call.tool else {**text, "text": ""}
    delta = (
        {"type": "input_json_delta", "partial_json": call.arguments}
        if call.tool
        else {"type": "text_delta", "text": call.text}
    )
    return whole, [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        {"type": "content_block_start", "index": 0, "content_block": start},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    ]


def _responses(call: Call, model: str) -> tuple[Json, list[Json]]:
    item: Json = {"id": f"item_{call.id}", "status": "completed"}
    if call.tool:
        item |= {"type": "function_call", "call_id": call.id, "name": call.tool, "arguments": call.arguments}
        item |= {"namespace": call.namespace} if call.namespace else {}
    else:
        content = [{"type": "output_text", "text": call.text, "annotations": []}]
        item |= {"type": "message", "role": "assistant", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {"id": f"resp_{call.id}", "object": "response", "model": model, "status": "completed", "usage": usage}
    return {**whole, "output": [item]}, [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}},
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {**whole, "output": [item]}},
    ]


def _chat(call: Call, model: str) -> tuple[Json, list[Json]]:
    function = {"name": call.tool, "arguments": call.arguments}
    use = {"index": 0, "id": call.id, "type": "function", "function": function}
    message: Json = {"role": "assistant", "content": call.text or None}
    if call.tool:
        message["tool_calls"] = [use]
    stop = "tool_calls" if call.tool else "stop"
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    whole = {"id": f"chat_{call.id}", "created": 0, "model": model, "usage": usage}
    chunk = {**whole, "object": "chat.completion.chunk"}
    return {
        **whole,
        "object": "chat.completion",
        "choices": [{"index": 0, "message": message, "finish_reason": stop}],
    }, [
        {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
        {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": stop}]},
    ]


def _gemini(call: Call, model: str) -> tuple[Json, list[Json]]:
    use = {"functionCall": {"id": call.id, "name": call.tool, "args": call.input}}
    part = use if call.tool else {"text": call.text}
    content = {"role": "model", "parts": [part]}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidates = [{"index": 0, "finishReason": "STOP", "content": content}]
    whole = {"candidates": candidates, "usageMetadata": usage, "modelVersion": model}
    return whole, [whole]


_DIALECTS = {
    "/messages": _messages,
    "/responses": _responses,
    "/chat/completions": _chat,
    ":streamGenerateContent": _gemini,
    ":generateContent": _gemini,
}
