"""What is told before a file is touched: which works, how often, and how long ago they were."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import BusyError
from mdmem.store import layout
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, recall, work
from tests.conftest import NOW


def a_work(goal: str, hours: int, success: bool, file: str) -> dict[str, Any]:
    return {
        "intent": {"goal": goal, "task_type": "bug_fix"},
        "outcome": {"success": success, "summary": "Works" if success else "Did not work"},
        "actions": [{"type": "file_edit", "file_path": file}],
        "created_at": int((NOW - timedelta(hours=hours)).timestamp()),
    }


WORKS = {
    "logouts_stop_by_refresh": a_work("Stop the logouts by a refresh", 2, True, "src/auth.ts"),
    "logouts_stop_by_waiting": a_work("Stop the logouts by waiting", 30, False, "/srv/me/shop/src/auth.ts"),
    "tokens_are_signed_anew": a_work("Sign tokens anew", 100, True, "src/auth.ts"),
    "tokens_are_kept_longer": a_work("Keep tokens longer", 200, True, "src/auth.ts"),
    "chart_was_drawn_long_ago": a_work("Draw a chart", 31 * 24, False, "src/chart.ts"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    root = tmp_path_factory.mktemp("works")
    (root / "allmemories").mkdir()
    (root / "mdmem.toml").write_text('id = "test"\n')
    with pytest.MonkeyPatch.context() as patch:
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "Ada")
            patch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
        with Vault.open(str(root)) as vault:
            for name, given in WORKS.items():
                adding.add(vault, work.checked(given), Caller(NOW), name=name)
            yield vault


@pytest.fixture
def works(made: Vault) -> Vault:
    """The vault, as if nothing was told yet."""
    (Path(made.root) / layout.STATE / "reminded.json").unlink(missing_ok=True)
    return made


def told(works: Vault, *files: str, later: float = 0, command: str = "") -> list[str]:
    found = recall.before(works, files, command, NOW + timedelta(seconds=later))
    return [about.file for about in found.files]


def test_a_file_is_told_with_its_failed_work_first(works: Vault) -> None:
    (about,) = recall.before(works, ["src/auth.ts"], "", NOW).files
    assert (about.memories, about.failed) == (4, 1)
    assert [(work.name, work.age, work.success) for work in about.works] == [
        ("logouts_stop_by_waiting", "yesterday", False),
        ("logouts_stop_by_refresh", "2h ago", True),
        ("tokens_are_signed_anew", "4d ago", True),
    ]


def test_old_works_and_files_that_nobody_worked_on_are_not_told(works: Vault) -> None:
    assert told(works, "src/chart.ts", "src/other.ts", "*", "") == []


def test_a_file_is_told_again_after_five_minutes(works: Vault) -> None:
    assert told(works, "src/auth.ts") == ["src/auth.ts"]
    assert told(works, "src/auth.ts", later=299) == []
    assert told(works, "src/auth.ts", later=300) == ["src/auth.ts"]


def test_five_files_are_told_of_in_a_minute(works: Vault) -> None:
    names = [f"/{letter}/src/auth.ts" for letter in "abcdefg"]
    assert told(works, *names) == names[:5]
    assert told(works, *names, later=60) == names[5:]


@pytest.mark.parametrize("damaged", ["{", "[1]", '{"src/auth.ts": "soon"}', '{"src/auth.ts": 9e99}'])
def test_a_damaged_list_of_what_was_told_counts_as_empty(works: Vault, damaged: str) -> None:
    (Path(works.root) / layout.STATE / "reminded.json").write_text(damaged)
    assert told(works, "src/auth.ts") == ["src/auth.ts"]


def test_what_cannot_be_kept_is_told_all_the_same(works: Vault) -> None:
    place = Path(works.root) / layout.STATE / "reminded.json"
    place.mkdir()
    for _ in range(2):
        assert told(works, "src/auth.ts") == ["src/auth.ts"]
    place.rmdir()


def test_a_failed_work_that_was_after_the_same_is_told_each_time(works: Vault) -> None:
    command = "stop the logouts by waiting, in src/auth.ts"
    for _ in range(2):
        (conflict,) = recall.before(works, [], command, NOW).conflicts
        assert conflict.file == "src/auth.ts"
        assert conflict.work.name == "logouts_stop_by_waiting"
    assert not recall.before(works, [], "sign tokens anew in src/auth.ts", NOW).conflicts


@pytest.mark.parametrize(
    ("goal", "action", "expected"),
    [
        ("Cache the report", "cache the report, please", True),
        ("Cache the report of sales", "the report", True),
        ("Cache report sales today", "cache other words here", False),  # one of four
        ("Cache report sales", "cache other words", True),  # one of three
        ("Fix it all", "fix the log", False),  # no word is long enough
        ("", "anything", False),
        ("Anything", " ", False),
    ],
)
def test_goals_that_are_like_an_action(goal: str, action: str, expected: bool) -> None:
    assert recall.is_alike(goal, action) is expected


@pytest.mark.parametrize(
    ("hours", "expected"),
    [
        *((0, "just now"), (1, "just now"), (1.5, "1h ago"), (23.9, "23h ago"), (24, "yesterday")),
        *((47, "yesterday"), (48, "2d ago"), (167, "6d ago"), (168, "1w ago"), (700, "4w ago")),
    ],
)
def test_ages(hours: float, expected: str) -> None:
    assert recall.age(NOW - timedelta(hours=hours), NOW) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf ./src/auth.ts 'a b/c.txt' --to=x.y", ["./src/auth.ts", "a b/c.txt"]),
        ("curl https://example.org/a.ts | sh", []),
        ("echo 'src/a.ts", ["'src/a.ts"]),
        ("", []),
    ],
)
def test_files_that_a_command_names(command: str, expected: list[str]) -> None:
    assert list(recall.files_of_command(command)) == expected


def test_no_other_process_is_waited_for(made: Vault, tmp_path: Path) -> None:
    root = tmp_path / "copy"
    shutil.copytree(made.root, root)
    (root / "allmemories/one_more_new_note.md").write_text("New\n")
    with closing(sqlite3.connect(root / layout.STATE / "index.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with Vault(str(root)) as vault, pytest.raises(BusyError):
            recall.before(vault, ["src/auth.ts"], "", NOW)
