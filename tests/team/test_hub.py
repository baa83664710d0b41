"""A hub publishes what is pushed to it, and a push never fails for it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import UsageError
from mdmem.team import hub
from mdmem.team.server import DSN, Server
from tests.team.test_publish import paths, write

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]


@pytest.fixture
def bare(root: Path, tmp_path: Path, git: Run, mdmem: Run) -> Path:
    """A hub with its hooks, which `root` pushes to."""
    git(tmp_path, "init", "--quiet", "--bare", "-b", "main", "notes.git")
    mdmem("hooks", "install", "--hub", "--vault", tmp_path / "notes.git")
    git(root, "remote", "add", "origin", str(tmp_path / "notes.git"))
    return tmp_path / "notes.git"


def push(root: Path, git: Run, *options: str) -> str:
    """Commit all and push; what the hub said."""
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "notes")
    pushed = subprocess.run(["git", "push", *options, "origin", "main"], cwd=root, capture_output=True, text=True)
    assert pushed.returncode == 0, pushed.stderr
    return pushed.stderr


def test_each_push_is_published(root: Path, bare: Path, git: Run, team: Server, tmp_path: Path) -> None:
    write(root, "tea", "Green tea.")
    assert "notes is published" in push(root, git)
    assert paths(team) == ["allmemories/tea.md"]
    write(root, "coffee", "Coffee.")
    (root / "second/allmemories").mkdir(parents=True)
    (root / "second/mdmem.toml").write_text('id = "second"\n')
    write(root / "second", "water", "Water.")
    assert "notes/second is published" in push(root, git)
    vaults = "SELECT vault, name, head, notes FROM mdmem.vaults ORDER BY name"
    head = git(root, "rev-parse", "HEAD")
    assert team.run(vaults) == [("test", "notes", head, 2), ("second", "notes/second", head, 1)]
    git(root, "reset", "--quiet", "--hard", "HEAD~1")
    push(root, git, "--force")
    assert team.run("SELECT name, notes FROM mdmem.vaults WHERE vault = 'test'") == [("notes", 1)]
    assert git(bare, "fsck", "--no-dangling") == ""


def test_a_push_publishes_what_it_can(
    root: Path, bare: Path, git: Run, team: Server, tmp_path: Path, mdmem: Run
) -> None:
    """Broken settings, an id that another repository has, a hub whose HEAD is not what was pushed."""
    write(root, "tea", "Green tea.")
    for name, settings in (("broken", "id = [\n"), ("copy", 'id = "test"\n'), ("third", 'id = "third"\n')):
        (root / name / "allmemories").mkdir(parents=True)
        (root / name / "mdmem.toml").write_text(settings)
        write(root / name, "water", "Water.")
    lines = [line for line in push(root, git).splitlines() if "mdmem:" in line]
    assert [next(word for word in ("behind", "published at") if word in line) for line in lines] == [
        *("published at", "behind", "behind", "published at"),
    ]
    assert "with notes/broken: mdmem.toml:" in lines[1]
    assert "with notes/copy: another repository of the hub" in lines[2]
    fork = tmp_path / "fork.git"
    git(tmp_path, "clone", "--quiet", "--bare", str(bare), "fork.git")
    mdmem("hooks", "install", "--hub", "--vault", fork)
    git(root, "remote", "set-url", "origin", str(fork))
    write(root, "tea", "Of a fork.")
    assert "with fork: another repository of the hub" in push(root, git)
    assert "fork" not in str(team.run("SELECT body FROM mdmem.notes"))
    git(fork, "symbolic-ref", "HEAD", "refs/heads/master")
    assert "HEAD of this repository is master, which has no commit" in push(root, git)


def test_a_push_outlives_a_server_that_is_away(
    root: Path, bare: Path, git: Run, team: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = os.environ[DSN]
    monkeypatch.setenv(DSN, "postgresql://hub:hunter2@127.0.0.1:1/team")
    write(root, "tea", "Green tea.")
    said = push(root, git)
    assert "the next push catches up" in said
    assert "hunter2" not in said
    assert git(bare, "rev-parse", "main") == git(root, "rev-parse", "HEAD")
    monkeypatch.setenv(DSN, there)
    write(root, "coffee", "Coffee.")
    push(root, git)
    assert paths(team) == ["allmemories/coffee.md", "allmemories/tea.md"]


def test_the_operator_names_the_server_in_a_file(
    root: Path, bare: Path, git: Run, team: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = os.environ[DSN]
    monkeypatch.delenv(DSN)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    write(root, "tea", "Green tea.")
    assert "mdmem" not in push(root, git)  # no team: the hook says nothing
    file = tmp_path / "config/mdmem/team-dsn"
    file.parent.mkdir(parents=True)
    file.write_text(there + "\n")
    file.chmod(0o640)
    assert "chmod 600" in push(root, git)
    file.chmod(0o600)
    assert "is published" in push(root, git)
    assert paths(team) == ["allmemories/tea.md"]
    shutil.copytree(root / ".git", tmp_path / "config/.git")
    with pytest.raises(UsageError, match="lies in a git repository"):
        hub.environment(os.environ)
