"""`mdmem mcp` as a process, with the client of the SDK and with bare lines: what is on the wire, how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import Implementation, TextContent

from mdmem.store.local import lock
from tests.conftest import Git

Wired = Callable[..., "Wire"]
NOTES = {
    "team_meets_on_tuesday": "title: The team meets on Tuesday\ntype: fact\ntags: [team]\n---\n\nAt nine.\n",
    "deploys_hang_on_full_disk": "title: Deploys hang on a full disk\ntype: pattern\n---\n\nClean /var first.\n",
}
MOST = 5500  # characters of the list of tools, which every session of an agent reads


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    failed: bool


class Agent:
    """An agent that has started `mdmem mcp` in a process of its own."""

    def __init__(self, client: Client, portal: BlockingPortal, root: Path) -> None:
        self.client, self.portal, self.root = client, portal, root

    def call(self, tool: str, **arguments: Any) -> Said:
        result = self.portal.call(lambda: self.client.call_tool(tool, arguments))
        assert result.structured_content is None
        (content,) = result.content
        assert isinstance(content, TextContent)
        return Said(content.text, result.is_error)


def environment(**more: str) -> dict[str, str]:
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")}
    return {**kept, "MDMEM_NOW": "2026-03-01T12:00:00Z", "CLAUDE_CODE_SESSION_ID": "conv-7", **more}


def words(root: Path, *options: str) -> list[str]:
    return ["-m", "mdmem", "mcp", "--vault", str(root), *options]


@pytest.fixture
def folder(root: Path, git: Git) -> Path:
    for name, text in NOTES.items():
        (root / f"allmemories/{name}.md").write_text(f"---\n{text}")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


@pytest.fixture
def agent(folder: Path) -> Iterator[Agent]:
    server = StdioServerParameters(command=sys.executable, args=words(folder), env=environment())
    client = Client(server, client_info=Implementation(name="claude-code", version="1"))
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Agent(client, portal, folder)


def test_a_day_of_an_agent(agent: Agent, git: Git) -> None:
    """One session, for it takes long to start: what is offered, what is answered, what is left in the vault."""
    client, portal, root = agent.client, agent.portal, agent.root
    assert client.protocol_version == "2026-07-28"
    assert "Recall before you answer" in (client.instructions or "")

    assert "The team meets on Tuesday" in agent.call("recall", query="when does the team meet").text
    item = {"text": "The team meets on Thursday.", "replaces": "team_meets_on_tuesday"}
    done = agent.call("remember", items=[item])
    assert "remembered allmemories/team_meets_thursday.md" in done.text
    assert "Memory-Actor: claude-code\nMemory-Session: conv-7" in git(root, "log", "-1", "--format=%B")
    assert (
        "replaced by team_meets_thursday" in agent.call("recall", query="the team meets", filter="tag:team").text
    )

    (root / "allmemories/printer_is_called_bob.md").write_text("The printer is called Bob.\n")
    assert "printer_is_called_bob" in agent.call("recall", query="name of the printer").text
    (root / "allmemories/not_all_of_it_is_text.md").write_bytes(b"The scanner is \xff\xfe\x1b[2J called Eve.\n")
    assert not agent.call("recall", query="scanner").failed

    for tool, given in (
        ("recal", {}),
        ("recall", {}),
        ("recall", {"query": "x" * 10_000_000}),
        ("recall", {"query": "\x00 \u202e"}),
        ("read", {"names": ["../../etc/passwd"]}),
        ("revise", {"name": "printer_is_called_bob", "old": "Alice", "new": "Bob"}),
    ):
        refused = agent.call(tool, **given)
        assert refused.failed or tool == "recall"
        assert "Traceback" not in refused.text
        assert len(refused.text) < 1000

    assert [str(one.uri) for one in portal.call(client.list_resources).resources] == ["mdmem://brief"]
    (brief,) = portal.call(client.read_resource, "mdmem://brief").contents
    assert "Session: conv-7" in brief.text  # type: ignore[union-attr]
    for path in ("printer_is_called_bob", "allmemories%2Fprinter_is_called_bob.md"):
        (note,) = portal.call(client.read_resource, f"mdmem://note/{path}").contents
        assert "The printer is called Bob." in note.text  # type: ignore[union-attr]
    for uri in (
        "mdmem://note/../../etc/passwd",
        "mdmem://note/%2e%2e%2fmdmem.toml",
        "mdmem://other",
        "file:///etc/hosts",
    ):
        with pytest.raises(MCPError, match="there is no"):
            portal.call(client.read_resource, uri)
    (said,) = portal.call(client.get_prompt, "review", {"topic": "tea"}).messages
    assert "what is remembered about tea" in said.content.text  # type: ignore[union-attr]
    with pytest.raises(MCPError, match="there are wrap_up, tidy, review"):
        portal.call(client.get_prompt, "other")

    async def at_once() -> list[str]:
        answers: list[str] = []

        async def one(number: int) -> None:
            text = f"Fact number {number} is about ships and {number} sailors."
            result = await client.call_tool("remember", {"items": [{"text": text}]})
            answers.append(result.content[0].text)  # type: ignore[union-attr]

        async with anyio.create_task_group() as group:
            for number in range(5):
                group.start_soon(one, number)
        return answers

    before = int(git(root, "rev-list", "--count", "HEAD"))
    assert all("remembered" in answer for answer in portal.call(at_once))
    assert int(git(root, "rev-list", "--count", "HEAD")) == before + 5
    with lock.held(str(root / ".git/mdmem-00000000.writing"), patience=0):
        pass  # between calls nobody has it

    old = "---\ncreated: 2025-01-01\n---\nUser lives in Berlin.\n"
    (root / "allmemories/user_lives_berlin.md").write_text(old)
    asked = agent.call("remember", items=[{"text": "User moved to Munich last month."}]).text
    assert "may change user_lives_berlin (2025-01-01): User lives in Berlin." in asked
    call = {"name": "user_moved_munich_last_month", "set": {"supersedes": "user_lives_berlin"}}
    assert f"revise name={call['name']} set={json.dumps(call['set'])}" in asked
    assert not agent.call("revise", **call).failed
    assert "status: deprecated" in (root / "allmemories/user_lives_berlin.md").read_text()


# -- bare lines

HELLO = {
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "codex-mcp-client", "version": "0"},
    },
}


class Wire:
    """A server, asked line by line; the handshake is done."""

    def __init__(self, root: Path) -> None:
        pipe = subprocess.PIPE
        command, env = [sys.executable, *words(root)], environment()
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=env, text=True)
        self.hello = self.ask(HELLO)
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any] | str) -> None:
        assert self.process.stdin
        line = message if isinstance(message, str) else json.dumps({"jsonrpc": "2.0", **message})
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout
        self.send(message)
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        assert answer["id"] == message["id"]
        return answer

    def call(self, id: int, tool: str, **given: Any) -> dict[str, Any]:
        meta = {"sessionId": "of-codex"}
        return {"id": id, "method": "tools/call", "params": {"name": tool, "arguments": given, "_meta": meta}}

    def end(self) -> tuple[str, str, int]:
        """What is left on standard output and error, and the exit code, once the input has ended."""
        out, errors = self.process.communicate(timeout=30)
        return out, errors, self.process.returncode


@pytest.fixture
def wired() -> Iterator[Callable[..., Wire]]:
    with ExitStack() as at_the_end:

        def begun(root: Path) -> Wire:
            wire = Wire(root)
            at_the_end.enter_context(wire.process)
            at_the_end.callback(wire.process.kill)
            return wire

        yield begun


def test_the_handshake_of_older_clients_a_short_list_of_tools_and_the_end_of_input(
    folder: Path, git: Git, wired: Wired
) -> None:
    wire = wired(folder)
    assert wire.hello["result"]["protocolVersion"] == "2025-06-18"
    tools = wire.ask({"id": 1, "method": "tools/list"})["result"]["tools"]
    assert [tool["name"] for tool in tools] == [
        "recall",
        "read",
        "brief",
        "remember",
        "revise",
        "forget",
        "restore",
        "garden",
        "judge",
    ]
    assert len(json.dumps(tools)) <= MOST
    assert not any("outputSchema" in tool for tool in tools)
    assert all(tool["annotations"]["openWorldHint"] is False for tool in tools)
    assert [tool["name"] for tool in tools if tool["annotations"].get("readOnlyHint")] == [
        "recall",
        "read",
        "brief",
        "garden",
    ]
    always = [tool["name"] for tool in tools if tool.get("_meta") == {"anthropic/alwaysLoad": True}]
    assert always == ["recall", "remember"]
    assert wire.ask({"id": 2, "method": "nonsense"})["error"]["code"] == -32601
    for line in ("no JSON", '{"a": 1}', "[" * 100_000, '{"jsonrpc": "2.0", "id": "\\ud800"}'):
        wire.send(line)
    assert wire.ask({"id": 3, "method": "ping"})["result"] == {}
    for id, tool in enumerate(tools, 100):
        half = json.dumps({"jsonrpc": "2.0", **wire.call(id, tool["name"], query="\ud800", names=["a\udfff"])})
        wire.send(half)
        answer = json.loads(wire.process.stdout.readline())  # type: ignore[union-attr]
        assert (answer["id"], answer["error"]["code"]) == (id, -32602), tool["name"]

    cancelled_before_its_turn(wire, folder)
    wire.ask(wire.call(10, "remember", items=[{"text": "The harbor has a crane."}]))
    assert "Memory-Actor: codex\nMemory-Session: of-codex" in git(folder, "log", "-1", "--format=%B")
    assert wire.end() == ("", "", 0)


def test_the_project_is_that_of_the_folder_that_the_client_tells(
    folder: Path, git: Git, wired: Wired, tmp_path: Path
) -> None:
    (tmp_path / "my shop/src").mkdir(parents=True)
    git(tmp_path / "my shop", "init", "--quiet")
    HELLO["params"]["capabilities"]["roots"] = {}  # type: ignore[index]
    try:
        wire = wired(folder)
    finally:
        del HELLO["params"]["capabilities"]["roots"]  # type: ignore[attr-defined]
    for id, text in enumerate(("The harbor has a crane.", "Ferries sail at noon."), 1):
        wire.send(wire.call(id, "remember", items=[{"text": text}]))
        said = json.loads(wire.process.stdout.readline())  # type: ignore[union-attr]
        if id == 1:  # it asks once
            assert said["method"] == "roots/list"
            roots = [{"uri": (tmp_path / "my shop/src").as_uri()}]
            wire.send({"id": said["id"], "result": {"roots": roots}})
            said = json.loads(wire.process.stdout.readline())  # type: ignore[union-attr]
        assert "remembered" in said["result"]["content"][0]["text"]
        assert "project: my shop" in git(folder, "show", "HEAD")
    assert wire.end() == ("", "", 0)


def cancelled_before_its_turn(wire: Wire, folder: Path) -> None:
    """While another process writes, one call waits for it, and the next for that one: the next is never begun.

    On a busy machine the first may not have been begun either when it is cancelled.
    """
    assert wire.ask(wire.call(4, "recall", query="team"))["result"]["isError"] is False
    with lock.held(str(folder / ".git/mdmem-00000000.writing"), patience=0):
        wire.send(wire.call(5, "remember", items=[{"text": "The harbor opens at six."}]))
        wire.send(wire.call(6, "remember", items=[{"text": "The harbor closes at nine."}]))
        assert wire.ask({"id": 7, "method": "ping"})["result"] == {}
        for id in (5, 6):
            wire.send({"method": "notifications/cancelled", "params": {"requestId": id}})
        assert wire.ask({"id": 8, "method": "ping"})["result"] == {}
    answer = wire.ask(wire.call(9, "recall", query="harbor"))["result"]["content"][0]["text"]
    assert ("opens at six" in answer) + ("closes at nine" in answer) <= 1


def test_one_that_is_interrupted_ends_and_leaves_no_lock(folder: Path, wired: Wired) -> None:
    wire = wired(folder)
    wire.ask(wire.call(1, "recall", query="team"))
    wire.process.send_signal(signal.SIGINT)
    assert wire.end() == ("", "", 130)
    with lock.held(str(folder / ".git/mdmem-00000000.writing"), patience=0):
        pass


def test_without_the_package_it_says_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch, mdmem: Any
) -> None:
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    monkeypatch.delitem(sys.modules, "mdmem.mcp.server", raising=False)
    refused = mdmem("mcp", "--vault", folder, code=1)
    assert "pip install 'mdmem[mcp]'" in refused.err
