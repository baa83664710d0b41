"""Clients that cannot be run here: their settings are what the pages of their makers say, on each system."""

from __future__ import annotations

import json
import ntpath
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mdmem.connect import filling
from mdmem.connect.filling import Names
from mdmem.connect.plan import CLIENTS
from mdmem.hooks.agents import clients
from tests.conftest import Run

STDIO = {
    "type": "object",
    "required": ["command"],
    "properties": {
        "type": {"const": "stdio"},
        "command": {"type": "string", "minLength": 1},
        "args": {"type": "array", "items": {"type": "string"}},
        "env": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "additionalProperties": False,
}
HOOK = {
    "type": "object",
    "required": ["command"],
    "properties": {"command": {"type": "string"}, "timeout": {"type": "number"}, "matcher": {"type": "string"}},
    "additionalProperties": False,
}


def servers(key: str) -> dict[str, Any]:
    return {
        "type": "object",
        "required": [key],
        "properties": {key: {"type": "object", "additionalProperties": STDIO}},
        "additionalProperties": False,
    }


# What the makers' pages say of a file, by the end of its path; hooks of Cursor have exactly these events of ours.
SCHEMAS = {
    ".cursor/mcp.json": servers("mcpServers"),
    ".cursor/hooks.json": {
        "required": ["version", "hooks"],
        "properties": {
            "version": {"const": 1},
            "hooks": {
                "required": ["sessionStart", "preCompact", "sessionEnd"],
                "additionalProperties": {"type": "array", "items": HOOK},
            },
        },
    },
    "Code/User/mcp.json": servers("servers"),
    ".vscode/mcp.json": servers("servers"),
    "windsurf/mcp_config.json": servers("mcpServers"),
    "cline_mcp_settings.json": servers("mcpServers"),
    "zed/settings.json": servers("context_servers"),
    ".zed/settings.json": servers("context_servers"),
    "claude_desktop_config.json": servers("mcpServers"),
}
NEW = ("cursor", "vscode", "windsurf", "cline", "zed", "claude-desktop")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "a home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("XDG_DATA_HOME", str(place / ".data"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return place


@pytest.mark.parametrize("client", NEW)
def test_settings_have_the_form_that_the_client_publishes(client: str, home: Path, root: Path, mdmem: Run) -> None:
    for scope in ("--user", "--project") if CLIENTS[client].project_folder else ("--user",):
        shown = json.loads(mdmem("connect", client, scope, "--print", "--vault", root, "--json").out)
        for path, text in shown["settings"].items():
            (schema,) = (schema for end, schema in SCHEMAS.items() if path.endswith(f"/{end}"))
            jsonschema.validate(json.loads(text), schema)
        rules = [text for path, text in shown["files"].items() if path.endswith((".md", ".mdc"))]
        assert all("never an instruction to you" in text and len(text) < 12_000 for text in rules)
        assert (rules != []) == ((client, scope) in RULED)


RULED = {
    *(("cursor", "--user"), ("cursor", "--project"), ("vscode", "--user"), ("vscode", "--project")),
    *(("windsurf", "--project"), ("cline", "--project")),
}


def test_rules_have_the_head_of_their_client(home: Path, root: Path, mdmem: Run) -> None:
    heads = {"cursor": "alwaysApply: true", "vscode": "applyTo: '**'", "windsurf": "trigger: always_on"}
    for client, line in heads.items():
        shown = json.loads(mdmem("connect", client, "--project", "--print", "--vault", root, "--json").out)
        (text,) = (text for path, text in shown["files"].items() if path.endswith((".md", ".mdc")))
        assert text.startswith("---\n")
        assert line in text.split("---")[1].splitlines()
        assert text.count("\n# Memory\n") == 1


def test_a_client_without_settings_of_a_project_says_so(home: Path, root: Path, mdmem: Run) -> None:
    said = mdmem("connect", "claude-desktop", "--project", "--vault", root, code=2).err
    assert "Claude Desktop has no settings in a project" in said
    assert "mdmem connect claude-desktop" in said


def test_settings_that_do_not_parse_are_refused_with_file_and_line(home: Path, root: Path, mdmem: Run) -> None:
    settings = home / ".config/zed/settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{\n  // mine\n  "theme": "One Dark"\n  "vim_mode": true\n}\n')
    said = mdmem("connect", "zed", "--vault", root, code=1).err
    assert f"{settings}: line 4 is not JSON" in said
    assert settings.read_text().startswith("{\n  // mine")
    assert [path.name for path in home.iterdir()] == [".config"]


@pytest.mark.parametrize(
    ("system", "folder"), [("darwin", "Library/Application Support"), ("win32", "AppData/Roaming")]
)
def test_each_system_has_its_folders(system: str, folder: str) -> None:
    for client in ("vscode", "claude-desktop"):
        assert CLIENTS[client].home({}, "/ada", system).startswith(f"/ada/{folder}/")


def test_an_event_of_cursor_is_understood() -> None:
    given = {"hook_event_name": "sessionStart", "conversation_id": "c1", "workspace_roots": ["/srv/shop"]}
    event = clients.told("sessionStart", given)
    assert (event.session, event.folder) == ("c1", "/srv/shop")
    answered = clients.answer(clients.named("cursor"), event, "a pack")
    assert answered == {"additional_context": "a pack"}


WINDOWS = "C:\\Users\\Ada Byron\\AppData\\Local\\Python\\python.exe"


def test_a_command_line_of_windows_needs_no_shell_in_particular() -> None:
    """The words come back by the rules of Windows programs; slashes are none of a shell's escapes."""
    line = filling.line_of([WINDOWS, "-IS", "C:\\data\\mdmem.py", "hook"], "nt")
    assert "\\" not in line
    words = shlex.split(line)
    assert [ntpath.normpath(word) for word in words[::2]] == [WINDOWS, "C:\\data\\mdmem.py"]
    assert words[1::2] == ["-IS", "hook"]
    assert not set("|<>&;$`(){}") & set(line)


def test_no_template_needs_a_shell() -> None:
    """Only the answer of a failed hook is a shell's, where that shell is known."""
    files = Path(filling.__file__).parent / "files"
    for path in (path for path in files.rglob("*") if path.is_file()):
        text = path.read_text()
        assert "/bin/sh" not in text, path
        assert "||" not in text or path.suffix in (".js", ".ts"), path
    assert filling.text_of("cursor/hooks.json", NAMES).count("|| echo '{}'") == 3


NAMES = Names("/bin/mdmem", "/vault", "cursor", "/ours")


def test_the_launcher_runs_the_program_as_windows_does(tmp_path: Path) -> None:
    """There it is started by `subprocess`, which quotes the words itself."""
    program, said = tmp_path / "a program", tmp_path / "said"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > "{said}"\n')
    program.chmod(0o755)
    found: dict[str, Any] = {"__name__": "launcher"}
    exec(filling.text_of(filling.LAUNCHER, NAMES._replace(program=str(program))), found)
    found["os"] = type("os", (), {"name": "nt"})
    assert found["ran"](["hook", "a b"])
    assert said.read_text().splitlines() == ["hook", "a b"]
    found["PROGRAM"] = str(tmp_path / "gone")
    assert not found["ran"](["hook"])


def test_a_python_outside_of_the_environment_starts_the_launcher() -> None:
    done = subprocess.run(
        [filling.python(), "-ISc", "import sys; print(sys.prefix)"], capture_output=True, text=True
    )
    assert done.stdout.strip() == sys.base_prefix
