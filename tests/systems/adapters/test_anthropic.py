"""Anthropic's memory tool over a vault, beside the one of their SDK over a folder: each command, each answer."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

memory = pytest.importorskip("anthropic.tools.memory", reason="anthropic is not installed: make adapters")
from anthropic.lib.tools import ToolError  # noqa: E402

from mdmem.systems.adapters.anthropic import AsyncMemoryTool, MemoryTool  # noqa: E402
from mdmem.systems.adapters.memoryfiles import COMMANDS  # noqa: E402

pytestmark = [pytest.mark.adapters, pytest.mark.filterwarnings("ignore")]

_FOLDERS = ("", "/desk", "/desk/deep", "/desk/deep/er", "/a.md", "/Zoë")
_NAMES = ("a.md", "b.md", "c.txt", "work", "deep", ".hidden", "naïve plan.md", "x" * 300 + ".md", "")
_PLACES = [f"/memories{folder}/{name}" for folder, name in itertools.product(_FOLDERS, _NAMES)]
_ODD = ["/memories", "/memories/", "/etc/a.md", "a.md", "", "/memories/../a.md", "/memories/desk/../b.md"]
_LIKELY = [f"/memories{folder}/{name}" for folder in ("", "/desk", "/desk/deep") for name in ("a.md", "c.txt", "")]
PATHS = st.one_of(*[st.sampled_from(_LIKELY)] * 4, st.sampled_from(_PLACES), st.sampled_from(_ODD))
_LINES = st.lists(st.sampled_from(["one", "two", "two two", "", "\r", "drei – 三", "\t"]), max_size=5)
TEXTS = st.one_of(_LINES.map("\n".join), st.text(st.characters(codec="utf-8"), max_size=20))
_PIECES = st.one_of(st.sampled_from(["one", "two", "\n", "", "e", "none"]), TEXTS)
_RANGES = st.none() | st.lists(st.integers(-2, 6), min_size=1, max_size=3)

VALUES = {
    **dict.fromkeys(("path", "old_path", "new_path"), PATHS),
    **dict.fromkeys(("file_text", "insert_text"), TEXTS),
    **dict.fromkeys(("old_str", "new_str"), _PIECES),
    "insert_line": st.integers(-1, 6),
    "view_range": _RANGES,
}


def _command(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"command": st.just(name), **{key: VALUES[key] for key in COMMANDS[name]}})


ANY_COMMAND = st.one_of(*map(_command, [*COMMANDS, "create", "create"]))


def answer(tool: Any, command: dict[str, Any]) -> str:
    """What a model is told."""
    try:
        result = tool.call(dict(command))
        return asyncio.run(result) if asyncio.iscoroutine(result) else result
    except ToolError as error:
        return f"error: {error}"
    except (OSError, ValueError, AttributeError, TypeError) as error:
        return f"error: {type(error).__name__}"


def expected(oracle: Any, command: dict[str, Any]) -> str:
    """What their tool tells; folders that a refused command leaves behind are removed."""
    before = set(_folders(oracle.memory_root))
    said = answer(oracle, command)
    if said.startswith("error: "):
        for folder in sorted(set(_folders(oracle.memory_root)) - before, reverse=True):
            os.rmdir(folder)
    is_listing = command["command"] == "view" and command["path"].endswith("/")
    return said.replace(command["path"] + "/", command["path"]) if is_listing else said


def _folders(top: Path) -> Iterator[str]:
    return (folder for folder, _, _ in os.walk(top))


def assert_same(said: str, oracle_said: str, command: object) -> None:
    """An error of the system (their tool lets it through) has to be some error of ours, in words."""
    if "too long" in said:
        assert oracle_said.startswith("error: "), command
    elif re.fullmatch(r"error: \w+Error", oracle_said):
        assert said.startswith("error: "), command
        assert not re.fullmatch(r"error: \w+Error", said), command
    else:
        assert said == oracle_said, command


def contents(top: Path) -> dict[str, bytes]:
    return {str(path.relative_to(top)): path.read_bytes() for path in top.rglob("*") if path.is_file()}


_runs = itertools.count()


def run_both(kind: type, root: Path, tmp_path: Path, commands: list[dict[str, Any]]) -> None:
    number = next(_runs)
    oracle = memory.BetaLocalFilesystemMemoryTool(str(tmp_path / f"oracle-{number}"))
    tool = kind(str(root), folder=f"allmemories/run-{number}", session="conv-1")
    (root / f"allmemories/run-{number}").mkdir()
    for command in commands:
        assert_same(answer(tool, command), expected(oracle, command), command)
    assert contents(root / f"allmemories/run-{number}") == contents(oracle.memory_root)
    for _ in range(2):
        closed = tool.close()
        if closed is not None:
            asyncio.run(closed)


@pytest.mark.parametrize(("kind", "sequences"), [(MemoryTool, 8), (AsyncMemoryTool, 3)])
def test_every_answer_is_that_of_the_sdks_tool(kind: type, sequences: int, root: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):  # so that the model's files are not all the memories there are
        (root / f"allmemories/{name}.md").write_text(f"Fact {name}.\n")

    @settings(max_examples=sequences, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.lists(ANY_COMMAND, min_size=10, max_size=25))
    def differ(commands: list[dict[str, Any]]) -> None:
        run_both(kind, root, tmp_path, commands)

    differ()


def test_links_within_the_folder_are_followed_as_the_sdk_does(root: Path, tmp_path: Path) -> None:
    oracle = memory.BetaLocalFilesystemMemoryTool(str(tmp_path / "oracle"))
    tool = MemoryTool(str(root))
    tops = (root / "allmemories/claude", oracle.memory_root)
    for top in tops:
        (top / "real").mkdir(parents=True)
        (top / "real/a.md").write_text("one\n")
        (top / "link").symlink_to(top / "real")
        (top / "file.md").symlink_to(top / "real/a.md")
        (top / "out").symlink_to(tmp_path)
        (top / "gone.md").symlink_to(top / "real/none.md")
    for command in (
        {"command": "view", "path": "/memories"},
        {"command": "view", "path": "/memories/link/a.md"},
        {"command": "insert", "path": "/memories/file.md", "insert_line": 1, "insert_text": "two"},
        {"command": "view", "path": "/memories/out"},
        {"command": "create", "path": "/memories/out/b.md", "file_text": "x"},
        {"command": "create", "path": "/memories/link/b.md", "file_text": "x"},
        {"command": "view", "path": "/memories/gone.md"},
        {"command": "delete", "path": "/memories/file.md"},
        {"command": "view", "path": "/memories/real"},
    ):
        assert_same(answer(tool, command), expected(oracle, command), command)


def test_a_secret_is_an_error_that_the_model_can_read(root: Path) -> None:
    tool = MemoryTool(str(root))
    command = {"command": "create", "path": "/memories/a.md", "file_text": "password: hunter2-Xk9vQ7pLw2"}
    with pytest.raises(ToolError, match=r"seems to hold a secret .*; nothing was written\ntake it out"):
        tool.call(command)


def test_the_tool_runner_of_the_sdk_runs_it(root: Path, mdmem: Any) -> None:
    """Offline: the answers of the model are written down here."""
    import anthropic
    import httpx2 as http

    uses = [
        {"command": "create", "path": "/memories/lease.md", "file_text": "The lease ends in May.\n"},
        {"command": "view", "path": "/memories/none.md"},
    ]
    sent: list[Any] = []

    def model(request: Any) -> Any:
        sent.append(json.loads(request.content))
        turn = len(sent) - 1
        block: dict[str, Any] = {"type": "text", "text": "Done."}
        if turn < len(uses):
            block = {"type": "tool_use", "id": f"use_{turn}", "name": "memory", "input": uses[turn]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        reason = "tool_use" if turn < len(uses) else "end_turn"
        message = {"id": "m", "type": "message", "role": "assistant", "model": "claude", "content": [block]}
        return http.Response(200, json={**message, "stop_reason": reason, "stop_sequence": None, "usage": usage})

    client = anthropic.Anthropic(api_key="none", http_client=http.Client(transport=http.MockTransport(model)))
    tool = MemoryTool(str(root), session="conv-7")
    runner = client.beta.messages.tool_runner(
        model="claude", max_tokens=100, messages=[{"role": "user", "content": "Remember my lease."}], tools=[tool]
    )
    runner.until_done()
    told = {block["tool_use_id"]: block for request in sent for block in _tool_results(request)}
    assert told["use_0"]["content"] == "File created successfully at: /memories/lease.md"
    assert "is_error" not in told["use_0"]
    assert told["use_1"]["content"].startswith("The path /memories/none.md does not exist.")
    assert told["use_1"]["is_error"] is True
    (entry,) = json.loads(mdmem("log", "--session", "conv-7", "--json", "--vault", root).out)
    assert entry["actor"] == "claude"


def _tool_results(request: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for message in request["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        yield from (block for block in blocks if block["type"] == "tool_result")
