"""What the index knows of a history is what it would know of it anew, whatever git did to the history."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mdmem.__main__ import main
from mdmem.history import past
from mdmem.store.git.repo import Repo
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run

Turn = Callable[[Path, Git, Run], Iterator[Path]]

QUESTIONS = (
    "status --json",
    "log --json --limit 99",
    "log tea_is_served_late --json",
    "undo --session early --dry-run --json",
    "undo --session late --dry-run --json",
    "trash --json",
    "list --json --sort updated",
    "recall tea --as-of 2026-01-04 --json",
    "recall tea --as-of 2026-01-12 --json",
)
DAYS = [f"2026-01-{day:02}T12:00:00Z" for day in range(1, 29)]


def switched(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    """There, and back again."""
    for branch in ("side", "main", "side"):
        git(root, "checkout", "-q", branch)
        yield root


def detached(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root, "checkout", "-q", "--detach", "HEAD~2")
    yield root
    git(root, "checkout", "-q", "main")
    yield root


def reset(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root, "reset", "-q", "--hard", "HEAD~3")
    yield root
    mdmem("remember", "Supper is cold.", "--name", "supper_is_cold", "--session", "late", "--vault", root)
    git(root, "reset", "-q", "--hard", "ORIG_HEAD")
    yield root


def amended(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root, "commit", "-q", "--amend", "-m", "undo: all\n\nMemory-Action: undo\nMemory-Session: early\n")
    yield root


def merged(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root, "merge", "-q", "--no-edit", "-X", "ours", "side")
    yield root


def purged(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    mdmem("purge", "cake_is_dry", "--yes", "--commits", "9", "--vault", root)
    yield root


def deepened(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root.parent, "clone", "-q", "--depth", "2", root.as_uri(), "clone")
    yield root.parent / "clone"
    git(root.parent / "clone", "fetch", "-q", "--deepen", "3")
    yield root.parent / "clone"
    git(root.parent / "clone", "fetch", "-q", "--unshallow")
    yield root.parent / "clone"


def in_worktree(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    git(root, "worktree", "add", "-q", "../tree", "side")
    yield root.parent / "tree"
    mdmem("forget", "cake_is_dry", "--yes", "--session", "late", "--vault", root.parent / "tree")
    yield root.parent / "tree"
    yield root


def of_another_branch(root: Path, git: Git, mdmem: Run) -> Iterator[Path]:
    """The file of the index was kept from another time, byte by byte."""
    index = root / ".mdmem/index.sqlite"
    kept = index.read_bytes()
    git(root, "checkout", "-q", "side")
    yield root
    index.write_bytes(kept)
    yield root
    git(root, "checkout", "-q", "main")
    yield root


@pytest.fixture
def lived(root: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault with two branches. On each, notes were made, revised, renamed and deleted in two sessions."""
    days = iter(DAYS)

    def did(*line: str) -> None:
        day = next(days)
        for name in ("MDMEM_NOW", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(name, day)
        mdmem(*line, "--vault", root)

    did("remember", "Tea is at four.", "--name", "tea_is_early", "--session", "early")
    did("remember", "The cake is dry.", "--name", "cake_is_dry", "--session", "early")
    git(root, "branch", "side")
    did("remember", "The milk is sour.", "--name", "milk_is_sour", "--session", "late")
    did("rename", "tea_is_early", "tea_is_served_late", "--session", "late")
    git(root, "checkout", "-q", "side")
    did("update", "tea_is_early", "--append", "Or tea at five.", "--session", "late")
    did("remember", "The bread is old.", "--name", "bread_is_old", "--session", "early")
    did("forget", "bread_is_old", "--session", "early")
    git(root, "checkout", "-q", "main")
    did("update", "tea_is_served_late", "--append", "Or tea at six.", "--session", "early")
    did("forget", "milk_is_sour", "--session", "early")
    did("remember", "The jam is sweet.", "--name", "jam_is_sweet", "--session", "late")
    return root


@pytest.mark.parametrize(
    "turn", [switched, detached, reset, amended, merged, purged, deepened, in_worktree, of_another_branch]
)
def test_an_index_that_lived_through_it_tells_what_a_fresh_one_does(
    lived: Path, git: Git, mdmem: Run, capfd: pytest.CaptureFixture[str], turn: Turn
) -> None:
    """Commits that HEAD left and came back to are known again, though nobody asked for the log meanwhile."""

    def answers(root: Path) -> list[tuple[object, ...]]:
        return [(main([*line.split(), "--vault", str(root)]), *capfd.readouterr()) for line in QUESTIONS]

    place = lived
    mdmem("log", "--vault", lived)
    for place in turn(lived, git, mdmem):
        mdmem("list", "--vault", place)
    found = answers(place)
    shutil.rmtree(place / ".mdmem")
    assert found == answers(place)


def test_what_was_deleted_is_told_by_the_index_without_comparing_trees_again(
    lived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fresh index is told each deletion once: of a vault of ten years, thousands."""
    asked: list[str] = []
    real = Repo.stream

    def stream(self: Repo, *arguments: str, **options: Any) -> Iterator[bytes]:
        asked.extend(arguments)
        return real(self, *arguments, **options)

    with Vault.open(str(lived)) as vault:
        assert vault.index.count() == 3
        assert len(vault.whole_index.told(most=2)) == 2
        monkeypatch.setattr(Repo, "stream", stream)
        assert [item.name for item in past.trash(vault)] == ["milk_is_sour"]
    assert "log" in asked
    assert "--raw" not in asked


def test_a_side_that_a_merge_gave_up_is_told_of_in_a_part_of_a_repository(
    tmp_path: Path, git: Git, mdmem: Run
) -> None:
    """git itself passes over such commits when it is asked about a folder, but not if the merge came later."""
    top, root = tmp_path / "top", tmp_path / "top/notes"
    git(tmp_path, "init", "-q", "top")
    mdmem("init", "--memories", "allmemories", root)
    git(top, "checkout", "-q", "-b", "side")
    mdmem("remember", "Tea is at four.", "--vault", root)
    told = mdmem("log", "--json", "--vault", root).out
    git(top, "checkout", "-q", "main")
    git(top, "merge", "-q", "--no-ff", "-s", "ours", "--no-edit", "side")
    assert mdmem("log", "--json", "--vault", root).out == told
    shutil.rmtree(root / ".mdmem")
    assert mdmem("log", "--json", "--vault", root).out == told
