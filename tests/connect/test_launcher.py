"""What the settings of a client start: it finds the vault that is meant, and stops nobody when mdmem is gone."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mdmem.connect import filling
from mdmem.connect.plan import CLIENTS
from tests.conftest import Run

PROGRAM = Path(sys.executable).with_name("mdmem")
EVENTS = ("SessionStart", "UserPromptSubmit", "PreToolUse", "PreCompact", "SessionEnd")
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: Run) -> Path:
    """A repository to work in, and a home with nothing in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home/data"))
    place = tmp_path / "project"
    (tmp_path / "home").mkdir()
    place.mkdir()
    git(place, "init", "--quiet")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def theirs(tmp_path: Path, root: Path, mdmem: Run) -> Path:
    """The vault of the project; `root` is that of the person. Each has a memory that no session is to forget."""
    vault = tmp_path / "theirs"
    mdmem("init", vault, "--no-examples")
    mdmem("remember", "Otters build the shed.", "--set", "pinned=true", "--vault", vault)
    mdmem("remember", "Deploys run on Fridays only.", "--set", "pinned=true", "--vault", root)
    return vault


def launcher(client: str, base: Path | None = None) -> Path:
    folder = base / ".mdmem" if base else Path(os.environ["XDG_DATA_HOME"]) / "mdmem"
    return folder / f"clients/{client}/mdmem.py"


def hook(script: Path, event: str, cwd: Path, **more: str) -> Any:
    """The answer of a hook, as the settings of a client run it."""
    given = json.dumps({"hook_event_name": event, "session_id": "s1", "cwd": str(cwd), **more})
    line = f"{shlex.join(filling.started(str(script)))} hook {event} 2>/dev/null || echo '{{}}'"
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=given, capture_output=True, text=True, check=True, cwd=cwd
    )
    return json.loads(done.stdout)


def pack(script: Path, cwd: Path, **more: str) -> str:
    """What a model is given at the start of a session."""
    told: str = hook(script, "SessionStart", cwd, **more)["hookSpecificOutput"]["additionalContext"]
    return told


def tool(name: str, **arguments: Any) -> dict[str, Any]:
    """The call of a tool, for `serve`."""
    return {"method": "tools/call", "params": {"name": name, "arguments": arguments}}


LISTED = {"method": "tools/list"}


def serve(script: Path, cwd: Path, *calls: dict[str, Any]) -> list[Any]:
    """The results of a server for these calls, after that of its initialization."""
    asked = [{"id": 0, "method": "initialize", "params": HELLO}, {"method": "notifications/initialized"}]
    asked += [{"id": number, **call} for number, call in enumerate(calls, 1)]
    pipe, line = subprocess.PIPE, [*filling.started(str(script)), "mcp"]
    process = subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, cwd=cwd)
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in asked))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for message in asked if "id" in message]
    process.communicate(timeout=60)
    return [answer["result"] for answer in answers]


@pytest.mark.parametrize("client", [name for name in CLIENTS if name != "codex"])
def test_without_the_program_hooks_succeed_and_the_server_says_why(
    client: str, project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("connect", client, "--vault", root)
    script = launcher(client)
    script.write_text(script.read_text().replace(str(PROGRAM), "/nowhere/mdmem"))
    said = {event: json.dumps(hook(script, event, project)) for event in EVENTS}
    assert "is gone or does not start" in said["SessionStart"]
    assert "systemMessage" in said["SessionStart"] or "tell the user" in said["SessionStart"]
    assert {said[event] for event in EVENTS[2:]} == {"{}"}
    begun, listed = serve(script, project, LISTED)
    assert f"once it is installed: mdmem connect {client}" in begun["instructions"]
    assert listed == {"tools": []}
    script.unlink()
    assert hook(script, "SessionStart", project) == {}


def test_in_a_project_with_a_connection_its_vault_is_meant_and_one_hook_serves_both(
    project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    mdmem("connect", "qwen", "--vault", root)
    said = mdmem("connect", "qwen", "--project", "--vault", theirs).out
    assert f"in {project} the vault is {theirs}, and {root} is searched beside it; elsewhere it is {root}" in said
    assert hook(launcher("qwen", project), "SessionStart", project) == {}
    inner = project / "src"
    inner.mkdir()
    told = pack(launcher("qwen"), inner)
    assert f"\nVault {theirs}, beside " in told
    assert "Otters build the shed" in told
    assert "Deploys run on Fridays" in told
    begun, _ = serve(launcher("qwen"), inner, tool("remember", items=[{"text": "Otters eat fish in spring."}]))
    assert f"The vault is {theirs}." in begun["instructions"]
    assert "Otters eat fish" in mdmem("list", "--vault", theirs).out
    assert "Otters eat fish" not in mdmem("list", "--vault", root).out
    assert f"\nVault {root}" in pack(launcher("qwen"), root.parent, session_id="s2")


def test_a_vault_in_the_project_itself_is_meant_and_none_that_came_with_a_clone(
    project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    mdmem("connect", "gemini", "--vault", root)
    assert f"\nVault {theirs}, beside " in pack(launcher("gemini"), theirs)
    mdmem("connect", "gemini", "--project", "--vault", theirs)
    (project / ".git/info/exclude").write_text("")
    assert "Otters" not in pack(launcher("gemini"), project, session_id="s2")


def test_of_two_servers_of_claude_code_one_has_the_tools(
    project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    def tools() -> int:
        return len(serve(launcher("claude-code", project), project, LISTED)[1]["tools"])

    mdmem("connect", "claude-code", "--project", "--vault", theirs)
    assert tools() > 1
    mdmem("connect", "claude-code", "--vault", root)
    assert tools() == 0
    mdmem("disconnect", "claude-code")
    assert tools() > 1


@pytest.mark.parametrize(("client", "key"), [("claude-code", "systemMessage"), ("pi", "additionalContext")])
def test_a_vault_that_moved_is_told_to_the_person(
    client: str, key: str, project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("connect", client, "--vault", root)
    root.rename(root.with_name("moved"))
    said = hook(launcher(client), "SessionStart", project)[key]
    assert f"the vault {root} is gone; mdmem connect {client} --vault DIR" in said
    assert hook(launcher(client), "UserPromptSubmit", project, prompt="hello") == {}
    begun, answered = serve(launcher(client), project, tool("recall", query="hello"))
    for text in (begun["instructions"], answered["content"][0]["text"]):
        assert "tell the user: mdmem connect" in text
        assert "ask the user" not in text, "it is said once whose it is"
        assert "init" not in text.replace("instructions", "")


@pytest.mark.parametrize("client", ["claude-code", "qwen"])
def test_in_a_project_the_person_hears_that_their_own_vault_moved(
    client: str, project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    mdmem("connect", client, "--vault", root)
    mdmem("connect", client, "--project", "--vault", theirs)
    root.rename(root.with_name("moved"))
    said = hook(launcher(client), "SessionStart", project)
    told, message = said["hookSpecificOutput"]["additionalContext"], said.get("systemMessage", "")
    assert f"\nVault {theirs}" in told
    assert f"mdmem connect {client} --vault DIR" in (message or told)
    assert ("is gone" in told) == (not message), "it is said once"
    text = serve(launcher(client), project, tool("recall", query="otters"))[1]["content"][0]["text"]
    assert "Otters build the shed" in text
    assert f"tell the user: mdmem connect {client} --vault DIR" in text


def test_what_a_project_is_given_stays_out_of_git_and_goes_again(
    project: Path, root: Path, mdmem: Run, git: Run
) -> None:
    exclude = project / ".git/info/exclude"
    exclude.write_text("*.log\n")
    for client in ("claude-code", "codex", "copilot", "gemini", "opencode", "qwen", "pi"):
        assert str(exclude) in mdmem("connect", client, "--project", "--vault", root).out
        assert git(project, "status", "--porcelain", "--untracked-files=all") == ""
        mdmem("disconnect", client, "--project")
        assert exclude.read_text() == "*.log\n"
        assert [path.name for path in project.iterdir()] == [".git"]


def test_no_hook_is_installed_that_does_nothing(project: Path, root: Path, mdmem: Run) -> None:
    for client in ("claude-code", "codex", "copilot", "gemini"):
        shown = json.loads(mdmem("connect", client, "--print", "--vault", root, "--json").out)
        text = "".join(shown["files"].values())
        assert "hook SessionEnd" in text
        assert "hook Stop" not in text
        assert "hook AfterAgent" not in text
