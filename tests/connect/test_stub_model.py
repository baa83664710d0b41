"""The model that stands in for real ones: it says the next turn, whatever else is asked in between."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest

from tests.stub_model import StubModel, Turn

TURNS = [Turn(tool="recall", arguments={"query": "tea"}), Turn("Green tea.")]
TOOL = {"name": "mcp__mdmem__recall"}
PATHS = {
    "/v1/messages": ({"tools": [TOOL]}, {"messages": [{"content": [{"type": "tool_result"}]}]}),
    "/v1/responses": (
        {"tools": [{"type": "namespace", "name": "mcp__mdmem", "tools": [{"name": "recall"}]}]},
        {"input": [{"type": "function_call_output"}]},
    ),
    "/v1/chat/completions": ({"tools": [{"function": TOOL}]}, {"messages": [{"role": "tool"}]}),
    "/v1beta/models/m:streamGenerateContent": (
        {"tools": [{"functionDeclarations": [TOOL]}]},
        {"contents": [{"parts": [{"functionResponse": {}}]}]},
    ),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("stream", [False, True])
def test_the_next_turn_is_played_in_each_dialect(path: str, stream: bool) -> None:
    offered, result = PATHS[path]
    with StubModel(TURNS) as model:

        def ask(body: dict[str, object]) -> str:
            request = Request(model.url + path, json.dumps({**body, "stream": stream}).encode())
            with urlopen(request) as answer:
                return str(answer.read().decode())

        first, aside, second = ask(offered), ask({}), ask({**offered, **result})
    assert "recall" in first
    assert "tea" in first
    assert "Green tea." not in first + aside
    assert "Green tea." in second
    assert len(model.requests) == 3
