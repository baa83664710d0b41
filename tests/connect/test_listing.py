"""`mdmem connect --list`: what is found, and that what does not work is seen. The server is really started."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.conftest import Run

PROGRAM = Path(sys.executable).with_name("mdmem")


@pytest.fixture
def clients(tmp_path: Path, root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which programs of clients are looked for; Qwen Code and pi are connected."""
    folder, project = tmp_path / "programs", tmp_path / "project"
    folder.mkdir()
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("MDMEM_CLIENTS_DIR", str(folder))
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    for name in ("qwen", "pi"):
        program(folder / name, "echo 'the client, version v1.2.3-beta.'")
        mdmem("connect", name, "--vault", root)
    return folder


@pytest.fixture
def listed(mdmem: Run) -> Run:
    """What `connect --list` says, by the name of the client."""
    return lambda: {state["name"]: state for state in json.loads(mdmem("connect", "--list", "--json").out)}


def program(place: Path, text: str) -> Path:
    place.write_text(f"#!/bin/sh\n{text}\n")
    place.chmod(0o755)
    return place


def test_what_is_here_and_what_works(clients: Path, root: Path, mdmem: Run, listed: Run) -> None:
    """What only the client itself can tell is said not to be tried."""
    mdmem("connect", "gemini", "--project", "--vault", root)
    states = listed()
    assert len(states) == 13
    qwen = states["qwen"]
    assert (qwen["path"], qwen["version"], qwen["vault"]) == (str(clients / "qwen"), "1.2.3-beta", str(root))
    assert set(qwen["tools"]) >= {"recall", "read", "brief", "remember", "revise", "forget"}
    assert qwen["problems"] == states["pi"]["problems"] == []
    assert (states["codex"]["path"], states["codex"]["vault"]) == ("", "")
    assert states["gemini"]["untried"] == ["Gemini CLI reads these files only in a folder that you have trusted."]


def test_what_does_not_work_is_said_with_what_to_do(clients: Path, root: Path, mdmem: Run) -> None:
    (Path.home() / ".qwen/settings.json").write_text("{}")
    (Path.home() / ".pi/agent/extensions/mdmem.ts").unlink()
    root.rename(root.with_name("moved"))
    out = mdmem("connect", "--list").out
    assert "does not work" in out
    assert f"the vault {root} is gone: mdmem connect qwen --vault DIR" in out
    assert "settings.json is not as mdmem wrote it: mdmem connect qwen" in out
    assert "mdmem.ts is not as mdmem wrote it: mdmem connect pi" in out
    assert "codex          not here     not connected" in out


def test_a_server_that_does_not_answer_is_a_problem_and_one_that_a_clone_names_is_not_run(
    clients: Path, root: Path, mdmem: Run, listed: Run, tmp_path: Path
) -> None:
    broken = program(tmp_path / "mdmem", "echo 'no such module' >&2\nexit 1")
    launcher = next(Path.home().rglob("clients/pi/mdmem.py"))
    launcher.write_text(launcher.read_text().replace(str(PROGRAM), str(broken)))
    mdmem("connect", "qwen", "--project", "--vault", root)
    ran = tmp_path / "ran"
    theirs = program(tmp_path / "theirs", f"touch {ran}")
    path = tmp_path / "project/.mdmem/clients/qwen/connection.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "program": str(theirs)}))
    states = listed()
    problems = states["pi"]["problems"]
    assert any("the hook SessionStart says" in text and "does not start" in text for text in problems)
    untried = f"{theirs} was not tried, for it is not this mdmem: mdmem connect qwen --project"
    assert untried in states["qwen"]["problems"]
    assert not ran.exists()


def test_settings_that_their_client_wrote_anew_still_work(clients: Path, mdmem: Run, listed: Run) -> None:
    """Qwen Code rewrites its settings when it migrates them, and keeps what was there as `.orig`."""
    path = Path.home() / ".qwen/settings.json"
    kept = path.with_name("settings.json.orig")
    kept.write_bytes(path.read_bytes())
    path.write_text(json.dumps({"$version": 4, **json.loads(path.read_text())}))
    own = path.with_name("settings.json.of-mine")
    own.write_text('{"model": "mdmem"}')
    assert listed()["qwen"]["problems"] == []
    mdmem("disconnect", "qwen")
    assert not path.exists()
    assert not kept.exists()
    assert own.read_text() == '{"model": "mdmem"}', "of what does not have our lines nothing is changed"


def test_what_a_client_kept_of_settings_that_it_wrote_twice_is_cleared(
    clients: Path, root: Path, mdmem: Run
) -> None:
    """`qwen mcp add` writes the settings anew, and the next session keeps those as `.orig`."""
    path = Path.home() / ".qwen/settings.json"
    theirs = json.loads(path.read_text())
    theirs["mcpServers"]["other"] = {"command": "true"}
    for name in ("settings.json", "settings.json.orig"):
        path.with_name(name).write_text(json.dumps(theirs))
    mdmem("disconnect", "qwen")
    for name in ("settings.json", "settings.json.orig"):
        assert json.loads(path.with_name(name).read_text()) == {"mcpServers": {"other": {"command": "true"}}}
