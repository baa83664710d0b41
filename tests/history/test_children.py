"""What subagents did is found from the session they worked for, and undone with it if that is asked."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember
from tests.conftest import NOW, Git, Run

SESSIONS = {"conv-1": "", "sub-1": "conv-1", "sub-sub-1": "sub-1", "conv-2": ""}


@pytest.fixture
def written(vault: Vault) -> Path:
    """A vault to which a session, its subagent, a subagent of that, and another session wrote."""
    for number, (session, parent) in enumerate(SESSIONS.items()):
        draft = remember.Draft(f"Fact {number} is known.", {}, f"fact_number_{number}")
        remember.remember(vault, draft, Caller(NOW, "claude-code", session, parent_session=parent))
    return Path(vault.root)


def names(folder: Path) -> list[str]:
    return sorted(path.stem for path in (folder / "allmemories").glob("*.md"))


def test_the_log_of_a_session_has_that_of_its_subagents(written: Path, mdmem: Run) -> None:
    shown = json.loads(mdmem("log", "--session", "conv-1", "--json", "--vault", written).out)
    assert [entry["session"] for entry in shown] == ["sub-sub-1", "sub-1", "conv-1"]
    one = json.loads(mdmem("log", "fact_number_1", "--session", "conv-1", "--json", "--vault", written).out)
    assert [entry["session"] for entry in one] == ["sub-1"]
    assert len(json.loads(mdmem("log", "--session", "sub-sub-1", "--json", "--vault", written).out)) == 1


def test_an_undo_takes_subagents_along_only_if_asked(written: Path, mdmem: Run) -> None:
    mdmem("undo", "--session", "conv-1", "--yes", "--vault", written)
    assert names(written) == ["fact_number_1", "fact_number_2", "fact_number_3"]
    mdmem("undo", "--session", "conv-1", "--with-children", "--yes", "--vault", written)
    assert names(written) == ["fact_number_3"]


def test_an_undo_is_of_who_asks_for_it_and_names_what_it_undoes(written: Path, mdmem: Run, git: Git) -> None:
    wanted = ("--grep", "Memory-Session: conv-1", "--grep", "Memory-Session: sub")
    undone = git(written, "log", "--format=%H", *wanted)
    mdmem("undo", "--session", "conv-1", "--with-children", "--by", "someone", "--yes", "--vault", written)
    message = git(written, "log", "-1", "--format=%B")
    assert sorted(re.findall(r"Memory-Undoes: (\w+)", message)) == sorted(undone.split())
    assert "Memory-Parent-Session" not in message
    assert "Memory-Session: sub-1" not in message


def test_children_of_no_session_are_refused(written: Path, mdmem: Run) -> None:
    assert "give --session" in mdmem("undo", "--last", "1", "--with-children", "--vault", written, code=2).err
