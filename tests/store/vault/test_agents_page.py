"""AGENTS.md, followed to the letter by an agent that knows nothing else."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Run

PAGE = Path(__file__).parents[3] / "vault" / "AGENTS.md"
COMMANDS = re.findall(r"`mdmem ([^`]+)`", PAGE.read_text(encoding="utf-8"))
RECOGNISED = {"CLAUDECODE": "1", "CLAUDE_CODE_ENTRYPOINT": "cli"}


def command(start: str) -> str:
    """The one command of the page that begins so."""
    (found,) = [line for line in COMMANDS if line.startswith(start)]
    return found


def without_who(line: str) -> str:
    """As the page says that an agent which is recognised may type it."""
    return line.replace(" --actor ME", "").replace(" --session ID", "")


@pytest.fixture(params=["named", "recognised"])
def follow(
    request: pytest.FixtureRequest, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., str]:
    """Run a command of the page in a new vault, its placeholders filled in; what it prints."""
    mdmem("init", tmp_path / "vault", "--no-examples")
    monkeypatch.chdir(tmp_path / "vault")
    recognised = request.param == "recognised"

    def run(line: str, **placeholders: str) -> str:
        line = without_who(line) if recognised and not line.startswith("undo") else line
        for placeholder, value in {"ME": "claude-code", **placeholders}.items():
            line = re.sub(rf"\b{placeholder}\b", value, line)
        with monkeypatch.context() as environment:
            for variable, value in RECOGNISED.items() if recognised else ():
                environment.setenv(variable, value)
            return str(mdmem(*shlex.split(line)).out)

    return run


def test_what_an_agent_writes_by_the_page_can_be_undone_by_its_session(follow: Run, mdmem: Run) -> None:
    mdmem("remember", "The server is called birch.", "--name", "server_is_called_birch")
    mdmem("remember", "Old reports are kept for a year.", "--name", "old_reports_kept_year")
    mdmem("remember", "The cat of the office is grey.", "--name", "cat_of_office_grey")
    before = json.loads(mdmem("list", "--json").out)
    id = re.findall(r"(?m)^Session: (\S+)$", follow(command("session start")))[0]
    follow(command("recall"))
    follow(command('remember "User'), ID=id)
    follow(command("update"), NAME="server_is_called_birch")
    follow(command('remember "the new fact"'), OLD_NAME="old_reports_kept_year")
    follow(command("forget"), NAME="cat_of_office_grey")
    mdmem("remember", "A person writes this meanwhile.", "--name", "person_writes_this_meanwhile")
    follow(command("session end"))
    written = json.loads(mdmem("log", "--session", id, "--json").out)
    assert [entry["actor"] for entry in written] == ["claude-code"] * 5
    follow(command("undo"), ID=id)
    after = {memory["name"]: memory for memory in json.loads(mdmem("list", "--json").out)}
    assert after.pop("person_writes_this_meanwhile")
    assert after == {memory["name"]: memory for memory in before}
