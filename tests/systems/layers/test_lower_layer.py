"""The lower layer is written by ingesting and scoring alone: no other command changes a byte of it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mdmem.__main__ import main
from mdmem.cli.group import COMMANDS
from mdmem.store import layout
from mdmem.store.config import VaultConfig

Run = Callable[..., object]

# What to say to a command so that it does its work; those that are not named here are run without arguments.
ARGUMENTS = {
    "remember": ["User likes green tea.", "--name", "user_likes_green_tea"],
    "recall": ["Lisbon"],
    "session": ["start"],
    "show": ["user_moved_to_lisbon"],
    "update": ["user_moved_to_lisbon", "--append", "In May."],
    "adopt": ["--all"],
    "rename": ["user_moved_to_lisbon", "user_moved_to_porto"],
    "forget": ["user_moved_to_porto"],
    "restore": ["user_moved_to_porto"],
    "undo": ["--last", "1"],
    "capture": ["chat.md", "--write"],
    "ingest": ["chat.md", "--topic", "travel"],
    "candidates": ["import", "chat.md"],
    "import": ["legacy", "."],
    "mirror": ["--full"],
    "agents": ["install"],
    "garden": ["apply", "--all", "--yes"],
    "rebuild": ["all"],
    "doctor": ["--fix"],
    "layout": ["month", "--yes"],
    "hooks": ["install"],
    "eval": ["chat.md"],
    "guide": ["layers"],
    "completion": ["bash"],
    "trust": ["ada@example.org"],
    "facts": ["review"],
    "topics": ["travel"],
    "page": ["--out", "../pages"],  # without it, the page is served until it is stopped
}


def lower_layer(root: Path) -> dict[str, str]:
    """path -> hash of every raw file, asked of the disk."""
    paths = (path.relative_to(root).as_posix() for path in (root / "topics").rglob("*") if path.is_file())
    raw = (path for path in paths if layout.kind_of(path, VaultConfig()) == layout.Kind.RAW)
    return {path: hashlib.sha256((root / path).read_bytes()).hexdigest() for path in raw}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory, empty_vault: Path) -> Path:
    """A vault with two entries, scores and a memory, for all commands one after the other."""
    root = Path(shutil.copytree(empty_vault, tmp_path_factory.mktemp("full") / "vault"))
    (root / "chat.md").write_text("User: I moved to Lisbon. I prefer trains.\nAssistant: Noted.\n")
    (root / "other.md").write_text("User: My deadline is Friday.\nAssistant: Noted.\n")
    return root


def test_no_command_changes_the_lower_layer(
    full: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(full)
    monkeypatch.setenv("EDITOR", "true")
    for arguments in (
        ["ingest", "chat.md", "--topic", "travel"],
        ["ingest", "other.md", "--topic", "work"],
        ["remember", "User moved to Lisbon.", "--name", "user_moved_to_lisbon"],
    ):
        assert main(arguments) == 0
    (full / "topics/travel/curation.md").write_text("# Scores\n\n- 04bfc468b131e204: 8\n")
    before = lower_layer(full)
    assert len(before) == 7
    for command in COMMANDS:
        main([command, *ARGUMENTS.get(command, [])])
        capfd.readouterr()
        assert lower_layer(full) == before, f"mdmem {command} changed the lower layer"


def test_several_writers_make_one_entry(root: Path, command: Callable[..., object], tmp_path: Path) -> None:
    """Processes of their own, at the same time: one of them writes, the others find it."""
    chat = tmp_path / "chat.md"
    chat.write_text("User: I moved to Lisbon.\nAssistant: Noted.\n")
    with ThreadPoolExecutor(3) as pool:
        line = ("ingest", chat, "--topic", "travel", "--vault", root)
        ran = list(pool.map(lambda _: command(*line), range(3)))
    assert [done.returncode for done in ran] == [0, 0, 0]  # type: ignore[attr-defined]
    assert len(lower_layer(root)) == 3
