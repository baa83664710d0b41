"""`mdmem mcp` with the client of the SDK: what an agent is offered, what it gets, what it leaves in the vault."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import Implementation, TextContent

Git = Callable[..., str]
NOTES = {
    "team_meets_on_tuesday": "title: The team meets on Tuesday\ntype: fact\ntags: [team]\n---\n\nAt nine.\n",
    "deploys_hang_on_full_disk": "title: Deploys hang on a full disk\ntype: pattern\n---\n\nClean /var first.\n",
}


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


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


def server(root: Path, *options: str, **environ: str) -> StdioServerParameters:
    words = ["-m", "mdmem", "mcp", "--vault", str(root), *options]
    kept = {key: os.environ[key] for key in ("PATH", "HOME", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM")}
    return StdioServerParameters(
        command=sys.executable, args=words, env={**kept, "MDMEM_NOW": "2026-03-01T12:00:00Z", **environ}
    )


@pytest.fixture
def agent(root: Path, portal: BlockingPortal, git: Git) -> Iterator[Agent]:
    for name, text in NOTES.items():
        (root / f"allmemories/{name}.md").write_text(f"---\n{text}")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    client = Client(
        server(root, CLAUDE_CODE_SESSION_ID="conv-7"), client_info=Implementation(name="claude-code", version="1")
    )
    with portal.wrap_async_context_manager(client):
        yield Agent(client, portal, root)


def test_a_day_of_an_agent(agent: Agent, git: Git) -> None:
    """What it writes is there, under its name and session; what a person edits by hand is found at once."""
    assert "The team meets on Tuesday" in agent.call("recall", query="when does the team meet").text
    done = agent.call(
        "remember", items=[{"text": "The team meets on Thursday.", "replaces": "team_meets_on_tuesday"}]
    )
    assert done == Said(done.text, False)
    assert "remembered allmemories/team_meets_thursday.md" in done.text
    assert "Memory-Actor: claude-code\nMemory-Session: conv-7" in git(agent.root, "log", "-1", "--format=%B")
    assert (
        "replaced by team_meets_thursday" in agent.call("recall", query="the team meets", filter="tag:team").text
    )
    (agent.root / "allmemories/printer_is_called_bob.md").write_text("The printer is called Bob.\n")
    assert "printer_is_called_bob" in agent.call("recall", query="name of the printer").text
