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
    return (
        base / ".mdmem" if base else Path(os.environ["XDG_DATA_HOME"]) / "mdmem"
    ) / f"clients/{client}/mdmem.py"


def hook(script: Path, event: str, cwd: Path, **more: str) -> Any:
    """The answer of a hook, as the settings of a client run it."""
    given = json.dumps({"hook_event_name": event, "session_id": "s1", "cwd": str(cwd), **more})
    line = f"{shlex.join(filling.started(str(script)))} hook {event} 2>/dev/null || echo '{{}}'"
    done = subprocess.run(
        ["/bin/sh", "-c", line], input=given, capture_output=True, text=True, check=True, cwd=cwd
    )
    return json.loads(done.stdout)


def serve(script: Path, cwd: Path, *calls: dict[str, Any]) -> list[Any]:
    """The results of a server for these calls, after that of its initialization."""
    asked = [{"method": "initialize", "params": HELLO}, {"method": "notifications/initialized"}, *calls]
    lines = [
        json.dumps({"jsonrpc": "2.0", **({"id": number} if number != 1 else {}), **call})
        for number, call in enumerate(asked)
    ]
    process = subprocess.Popen(
        [*filling.started(str(script)), "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=cwd,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write("".join(f"{line}\n" for line in lines))
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(len(asked) - 1)]
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
    begun, listed = serve(script, project, {"method": "tools/list"})
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
    pack = hook(launcher("qwen"), "SessionStart", inner)["hookSpecificOutput"]["additionalContext"]
    assert f"\nVault {theirs}, beside " in pack
    assert "Otters build the shed" in pack
    assert "Deploys run on Fridays" in pack
    call = {"name": "remember", "arguments": {"items": [{"text": "Otters eat fish in spring."}]}}
    begun, _ = serve(launcher("qwen"), inner, {"method": "tools/call", "params": call})
    assert f"The vault is {theirs}." in begun["instructions"]
    assert "Otters eat fish" in mdmem("list", "--vault", theirs).out
    assert "Otters eat fish" not in mdmem("list", "--vault", root).out
    elsewhere = hook(launcher("qwen"), "SessionStart", root.parent, session_id="s2")
    assert f"\nVault {root}" in elsewhere["hookSpecificOutput"]["additionalContext"]


def test_a_vault_in_the_project_itself_is_meant(project: Path, root: Path, theirs: Path, mdmem: Run) -> None:
    mdmem("connect", "gemini", "--vault", root)
    pack = hook(launcher("gemini"), "SessionStart", theirs)["hookSpecificOutput"]["additionalContext"]
    assert f"\nVault {theirs}, beside " in pack


def test_a_connection_that_came_with_a_clone_names_no_vault(
    project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    mdmem("connect", "gemini", "--vault", root)
    mdmem("connect", "gemini", "--project", "--vault", theirs)
    (project / ".git/info/exclude").write_text("")
    pack = hook(launcher("gemini"), "SessionStart", project)["hookSpecificOutput"]["additionalContext"]
    assert "Otters" not in pack


def test_of_two_servers_of_claude_code_one_has_the_tools(
    project: Path, root: Path, theirs: Path, mdmem: Run
) -> None:
    mdmem("connect", "claude-code", "--project", "--vault", theirs)
    assert len(serve(launcher("claude-code", project), project, {"method": "tools/list"})[1]["tools"]) > 1
    mdmem("connect", "claude-code", "--vault", root)
    assert serve(launcher("claude-code", project), project, {"method": "tools/list"})[1] == {"tools": []}
    mdmem("disconnect", "claude-code")
    assert len(serve(launcher("claude-code", project), project, {"method": "tools/list"})[1]["tools"]) > 1


@pytest.mark.parametrize(("client", "key"), [("claude-code", "systemMessage"), ("pi", "additionalContext")])
def test_a_vault_that_moved_is_told_to_the_person(
    client: str, key: str, project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("connect", client, "--vault", root)
    root.rename(root.with_name("moved"))
    said = hook(launcher(client), "SessionStart", project)[key]
    assert f"the vault {root} is gone; mdmem connect {client} --vault DIR" in said
    assert hook(launcher(client), "UserPromptSubmit", project, prompt="hello") == {}
    call = {"method": "tools/call", "params": {"name": "recall", "arguments": {"query": "hello"}}}
    begun, answered = serve(launcher(client), project, call)
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
    pack, message = said["hookSpecificOutput"]["additionalContext"], said.get("systemMessage", "")
    assert f"\nVault {theirs}" in pack
    assert f"mdmem connect {client} --vault DIR" in (message or pack)
    assert ("is gone" in pack) == (not message), "it is said once"
    call = {"method": "tools/call", "params": {"name": "recall", "arguments": {"query": "otters"}}}
    (answered,) = serve(launcher(client), project, call)[1:]
    assert "Otters build the shed" in answered["content"][0]["text"]
    assert f"tell the user: mdmem connect {client} --vault DIR" in answered["content"][0]["text"]


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
