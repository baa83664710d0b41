"""Connecting and disconnecting clients: what is written comes back out, and nothing is half written."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import sys
import tomllib
from collections.abc import Callable
from contextlib import redirect_stderr
from pathlib import Path
from typing import Any

import pytest

from mdmem.__main__ import main
from mdmem.connect import filling
from mdmem.connect.connecting import Writing
from mdmem.connect.filling import Names
from mdmem.connect.plan import CLIENTS
from mdmem.hooks.agents.clients import told
from mdmem.mcp.toolbox import chosen
from tests.conftest import Run

PROGRAM = Path(sys.executable).with_name("mdmem")
IN_PLACE = [name for name in CLIENTS if name != "codex"]  # Codex registers a plugin by its own command
OF_PROJECTS = [name for name, client in CLIENTS.items() if client.project_folder]
WHERE = [(name, "--user") for name in CLIENTS] + [(name, "--project") for name in OF_PROJECTS]
NAMES = Names("/bin/mdmem", "/vault", "claude-code", "/ours")
ODD = 'a "b" \\ é $X'  # part of a path


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home of a user, with a name that wants quoting, and nothing in it."""
    place = tmp_path / f"home {ODD}"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    monkeypatch.setenv("XDG_DATA_HOME", str(place / ".data"))
    for client in CLIENTS.values():
        monkeypatch.delenv(client.folder_set_by or "UNSET", raising=False)
    return place


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, which is no repository."""
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


@pytest.mark.parametrize(("client", "scope"), [each for each in WHERE if each[0] in IN_PLACE])
def test_what_connects_goes_without_a_trace(
    client: str, scope: str, home: Path, project: Path, root: Path, mdmem: Run
) -> None:
    place, other = (project, home) if scope == "--project" else (home, project)
    before, untouched = everything_in(place), files_in(other)
    done = json.loads(mdmem("connect", client, scope, "--vault", root, "--json").out)
    assert all(Path(path).is_file() for path in (*done["files"], *done["settings"]))
    assert files_in(other) == untouched, f"{scope} stays where it belongs"
    after = files_in(place)
    assert "nothing to change" in mdmem("connect", client, scope, "--vault", root).out
    assert files_in(place) == after
    assert f"disconnected {client}" in mdmem("disconnect", client, scope).out
    assert everything_in(place) == before


@pytest.mark.parametrize(("client", "scope"), WHERE)
def test_every_file_is_valid_whatever_the_paths_are(
    client: str, scope: str, home: Path, project: Path, root: Path, mdmem: Run
) -> None:
    vault = root.rename(root.with_name(f"vault {ODD}"))
    shown = json.loads(mdmem("connect", client, scope, "--print", "--vault", vault, "--json").out)
    texts = {**shown["files"], **shown["settings"]}
    (launcher,) = (path for path in texts if path.endswith("/mdmem.py"))
    for path, text in texts.items():
        assert not re.search(r"@\w+@", text.replace("mdmem@mdmem", "")), f"{path} has a mark that is not filled"
        if path.endswith(".json"):
            check_commands(json.loads(text), launcher)
        elif path.endswith(".toml"):
            value = tomllib.loads(text)
            assert value.get("prompt") or value["mcp_servers"]["mdmem"]["args"] == ["-IS", launcher, "mcp"]
        elif path.endswith((".js", ".ts")):
            assert f"const LAUNCHER = {json.dumps(launcher, ensure_ascii=False)}\n" in text
        elif path.endswith(".py"):
            assert settings_of(text) == (str(PROGRAM), client, str(vault))
    assert files_in(home) == {}
    assert files_in(project) == {}


@pytest.mark.parametrize("template", ["codex/config.toml", "commands/review.toml", "mcp.json", "pi/mdmem.ts"])
def test_a_path_that_looks_like_a_mark_or_holds_a_control_character_stays(template: str) -> None:
    ours = "/srv/@client@/\x7f"
    text = filling.text_of(template, NAMES._replace(ours=ours))
    if template.endswith(".toml"):
        value = tomllib.loads(text)
        assert ours in (value.get("prompt") or value["mcp_servers"]["mdmem"]["args"][1])
    elif template.endswith(".json"):
        assert json.loads(text)["mcpServers"]["mdmem"]["args"][1] == f"{ours}/mdmem.py"
    else:
        assert 'const LAUNCHER = "/srv/@client@/\\u007f/mdmem.py"\n' in text


def test_a_path_in_another_encoding_is_refused(home: Path, root: Path, mdmem: Run) -> None:
    vault = root.rename(root.with_name("caf\udce9"))
    assert "is not UTF-8" in mdmem("connect", "qwen", "--vault", vault, code=2).err
    assert files_in(home) == {}


def test_without_the_server_or_the_client_nothing_is_connected(
    home: Path, root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "mcp", None)
        assert "pip install 'mdmem[mcp]'" in mdmem("connect", "codex", "--vault", root, code=3).err
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    ran = mdmem("connect", "codex", "--vault", root, code=3)
    assert "codex is not on PATH" in ran.err
    assert "--print" in ran.err
    assert files_in(home) == {}


def test_codex_starts_without_the_server_and_is_given_no_time_that_it_complains_about(
    root: Path, mdmem: Run
) -> None:
    texts = json.loads(mdmem("connect", "codex", "--print", "--vault", root, "--json").out)["files"]
    by_name = {Path(path).name: json.loads(text) for path, text in texts.items() if path.endswith(".json")}
    assert by_name[".mcp.json"]["mcpServers"]["mdmem"].get("required") is None
    assert by_name["hooks.json"]["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] == 3


def settings_of(launcher: str) -> tuple[str, ...]:
    """The program, the client and the vault that a launcher names."""
    found: dict[str, Any] = {"__name__": "launcher"}
    exec(compile(launcher, "launcher", "exec"), found)
    return found["PROGRAM"], found["CLIENT"], found["VAULT"]


def check_commands(value: Any, launcher: str) -> None:
    """Each command of a hook names the launcher, as a shell reads it, and cannot fail; each server as it is."""
    if isinstance(value, list):
        for item in value:
            check_commands(item, launcher)
    elif isinstance(value, dict):
        command = value.get("command")
        if command and "args" in value:
            assert [command, *value["args"]] == [*filling.started(launcher), "mcp"]
        elif command:
            words, rest = shlex.split(str(command)), ["2>/dev/null", "||", "echo", "{}"]
            assert (words[:4], words[5:]) == ([*filling.started(launcher), "hook"], rest)
        for inner in value.values():
            check_commands(inner, launcher)


SETTINGS = '// mine\n{\n    "theme": "dark", // why not\n    "hooks": {"Stop": [{"hooks": []}]},\n}'
QWEN = ".qwen/settings.json"


@pytest.fixture
def settings(home: Path) -> Path:
    """Settings of a user, with comments."""
    path = home / QWEN
    path.parent.mkdir()
    path.write_text(SETTINGS)
    path.chmod(0o640)
    return path


def test_settings_of_a_person_keep_every_byte(settings: Path, root: Path, mdmem: Run) -> None:
    mdmem("connect", "qwen", "--vault", root)
    text = settings.read_text()
    assert text.startswith('// mine\n{\n    "theme": "dark", // why not\n    "hooks": {"Stop": [{"hooks": []}')
    assert text.count("mdmem.py' hook") == 6
    assert settings.stat().st_mode & 0o777 == 0o640
    mdmem("disconnect", "qwen")
    assert settings.read_text() == SETTINGS


def test_what_a_person_added_since_stays(settings: Path, root: Path, mdmem: Run) -> None:
    mdmem("connect", "qwen", "--vault", root)
    settings.write_text(settings.read_text().replace('"theme": "dark"', '"theme": "light"'))
    mdmem("disconnect", "qwen")
    assert settings.read_text() == SETTINGS.replace("dark", "light")


def test_another_vault_replaces_the_lines_of_the_first(settings: Path, home: Path, root: Path, mdmem: Run) -> None:
    mdmem("connect", "qwen", "--vault", root)
    moved = root.rename(root.with_name("moved"))
    mdmem("connect", "qwen", "--vault", moved)
    text = settings.read_text()
    launcher = next(home.rglob("mdmem.py"))
    assert settings_of(launcher.read_text())[-1] == str(moved)
    assert text.count("mdmem.py' hook") == 6
    mdmem("disconnect", "qwen")
    assert settings.read_text() == SETTINGS


def test_settings_behind_a_link_are_changed_where_they_are(settings: Path, root: Path, mdmem: Run) -> None:
    real = settings.rename(settings.with_name("elsewhere.json"))
    settings.symlink_to(real)
    mdmem("connect", "qwen", "--vault", root)
    assert settings.is_symlink()
    assert "mdmem.py' hook" in real.read_text()
    mdmem("disconnect", "qwen")
    assert (settings.is_symlink(), real.read_text()) == (True, SETTINGS)


@pytest.mark.parametrize(
    ("text", "about"),
    [('{"a": 1', "line 1 is not JSON"), ('{"hooks": []}', "hooks is not an object"), (b"\xff", "UTF-8")],
)
def test_settings_that_cannot_be_changed_are_left_and_nothing_is_written(
    text: str | bytes, about: str, settings: Path, home: Path, root: Path, mdmem: Run
) -> None:
    settings.write_bytes(text.encode() if isinstance(text, str) else text)
    before = files_in(home)
    code = 5 if "object" in about else 2 if "UTF-8" in about else 1
    ran = mdmem("connect", "qwen", "--vault", root, code=code)
    assert str(settings) in ran.err
    assert about in ran.err
    assert files_in(home) == before


def test_a_file_of_somebody_else_is_not_overwritten(home: Path, project: Path, root: Path, mdmem: Run) -> None:
    skill = home / ".qwen/skills/memory/SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine\n")
    assert str(skill) in mdmem("connect", "qwen", "--vault", root, code=5).err
    assert files_in(home) == {".qwen/skills/memory/SKILL.md": b"mine\n"}
    (home / "theirs.json").write_text("{}")
    (project / ".mcp.json").symlink_to(home / "theirs.json")
    assert "leads out of the project" in mdmem("connect", "claude-code", "--project", "--vault", root, code=5).err
    assert (home / "theirs.json").read_text() == "{}"


def test_a_file_of_ours_that_a_person_changed_stays(home: Path, root: Path, mdmem: Run) -> None:
    mdmem("connect", "claude-code", "--vault", root)
    skill = home / ".claude/skills/mdmem/skills/memory/SKILL.md"
    skill.write_text("mine\n")
    assert "move it away" in mdmem("connect", "claude-code", "--vault", root, code=5).err
    assert f"left, because it was changed: {skill}" in mdmem("disconnect", "claude-code").out
    assert [path for path in files_in(home) if ".claude" in path] == [str(skill.relative_to(home))]


def test_a_home_that_cannot_be_written_is_named(
    home: Path, root: Path, mdmem: Run, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    (home / "gitconfig").write_text("")
    mdmem("connect", "claude-code", "--vault", root)  # loads what it needs, while it may
    mdmem("disconnect", "claude-code")
    home.chmod(0o555)

    def attempt() -> str:
        with redirect_stderr(io.StringIO()) as said:
            assert main(["connect", "claude-code", "--vault", str(root)]) == 1
        return said.getvalue()

    assert f"{home}/.claude: Permission denied" in without_rights(attempt)
    assert everything_in(home) == {"gitconfig"}


def test_what_fails_halfway_is_taken_back(settings: Path, home: Path, root: Path, mdmem: Run) -> None:
    """The folder of the record cannot be made: by then everything else is written."""
    (home / ".data").write_text("in the way\n")
    before = files_in(home)
    mdmem("connect", "qwen", "--vault", root, code=1)
    assert files_in(home) == before
    assert not (home / ".qwen/skills").exists()


def test_a_file_that_was_deleted_comes_back_if_what_follows_fails(home: Path) -> None:
    def fail_halfway(path: Path) -> None:
        with Writing() as writing:
            writing.delete(str(path))
            raise OSError("no room left")

    (home / "launcher.py").write_bytes(b"ours\n")
    with pytest.raises(OSError, match="no room left"):
        fail_halfway(home / "launcher.py")
    assert (home / "launcher.py").read_bytes() == b"ours\n"


def test_a_record_that_came_with_a_clone_reaches_nothing_outside_of_the_project(
    home: Path, project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("connect", "claude-code", "--project", "--vault", root)
    precious = home / "precious"
    precious.write_text("mine\n")
    path = project / ".mdmem/clients/claude-code/connection.json"
    record = json.loads(path.read_text())
    from hashlib import sha256

    record["files"][os.path.relpath(precious, project)] = sha256(b"mine\n").hexdigest()
    path.write_text(json.dumps(record))
    assert "leads out of the project" in mdmem("disconnect", "claude-code", "--project", code=5).err
    assert precious.read_text() == "mine\n"


def test_git_does_not_see_what_is_for_this_machine(project: Path, root: Path, mdmem: Run, git: Run) -> None:
    git(project, "init", "--quiet")
    mdmem("connect", "copilot", "--project", "--vault", root)
    seen = git(project, "status", "--porcelain", "--untracked-files=all")
    assert ".mdmem" not in seen


def test_what_is_not_connected_cannot_be_disconnected(mdmem: Run) -> None:
    assert "pi is not connected" in mdmem("disconnect", "pi", code=3).err
    assert "exclude each other" in mdmem("disconnect", "pi", "--user", "--project", code=2).err


def test_generic_prints_what_to_paste(home: Path, root: Path, mdmem: Run) -> None:
    out = mdmem("connect", "generic", "--vault", root).out
    assert f'"command": "{PROGRAM}"' in out
    assert "hook --client generic" in out
    assert "# Memory" in out
    assert files_in(home) == {}


def test_the_skill_names_every_tool_and_each_command_with_program_and_vault() -> None:
    skill = filling.text_of("skill/SKILL.md", NAMES)
    assert len(skill) <= 2900
    page = " ".join((Path(__file__).parents[2] / "vault/AGENTS.md").read_text().split())
    for sentence in ("Recall first: do not save what the code", "Never save passwords, keys or guesses"):
        assert sentence in page
        assert sentence in " ".join(skill.split())
    for name in (*(tool.name for tool in chosen().tools), "as_of", "filter", "inbox", "replaces"):
        assert f"`{name}`" in skill or name == "inbox"
    assert not re.search(r"`mdmem ", skill)
    for command in re.findall(r"`(\S+ (?:recall|undo) [^`]*)`", skill):
        assert command.startswith(shlex.quote(NAMES.program))
        assert command.endswith(f"--vault {shlex.quote(NAMES.vault)}")


@pytest.mark.parametrize("name", ["recall", "review", "undo"])
def test_a_slash_command_is_the_same_in_both_forms(name: str) -> None:
    value = tomllib.loads(filling.text_of(f"commands/{name}.toml", NAMES))
    page = filling.text_of(f"commands/{name}.md", NAMES)
    assert page.endswith(value["prompt"].replace("{{args}}", "$ARGUMENTS"))
    assert f"description: {value['description']}\n" in page


def test_a_shell_completes_names_of_clients(project: Path) -> None:
    from tests.cli.upkeep.test_completion import completed

    assert completed("mdmem connect co", project) == ["codex", "copilot"]


def test_a_prompt_is_what_the_person_typed() -> None:
    """Gemini CLI puts what a hook said at the start before the first prompt, which then touched just that."""
    given = {"prompt": "<hook_context>Deploys\nrun on Fridays.</hook_context>\n\nWhen do we meet?"}
    assert told("BeforeAgent", given).prompt == "When do we meet?"
