"""Which works answer, in which order, and how deep they are told."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.local import usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import adding, recall, work
from mdmem.systems.rum.recall import TouchedFile, WorkQuery
from tests.conftest import NOW

WHO = Caller(NOW, "claude-code", "conv-1")


def a_work(goal: str, day: int, success: bool = True, *actions: tuple[str, str], **more: Any) -> dict[str, Any]:
    return {
        "intent": {"goal": goal, "task_type": more.pop("task_type", "bug_fix")},
        "outcome": {"success": success, "summary": f"{goal}: {'done' if success else 'did not work'}"},
        "actions": [{"type": type, "file_path": path} for type, path in actions],
        "created_at": int(datetime(2026, 2, day, tzinfo=UTC).timestamp()),
        **more,
    }


WORKS = {
    "logouts_stop_by_refresh": a_work(
        "Stop logouts by a refresh",
        1,
        True,
        ("file_edit", "src/auth.ts"),
        agent_id="claude-code",
        project_id="shop",
    ),
    "logouts_stop_by_waiting": a_work(
        "Stop logouts by waiting",
        2,
        False,
        ("file_edit", "/srv/me/shop/src/auth.ts"),
        project_id="shop",
        tags=["auth"],
    ),
    "report_has_new_chart": a_work(
        "Give the report a chart",
        3,
        True,
        ("file_create", "report/chart.py"),
        task_type="feature_add",
        agent_id="gpt",
    ),
    "auth_code_was_read": a_work(
        "Understand who is let in",
        4,
        True,
        ("file_read", "src/auth.ts"),
        task_type="investigation",
        importance=0.9,
    ),
}


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    """A vault of four works, within the repository of a project, where src/auth.ts was once src/login.ts."""
    with pytest.MonkeyPatch.context() as patch:
        top = tmp_path_factory.mktemp("project")
        patch.setenv("HOME", str(top))
        for key, value in {"AUTHOR": "Ada", "COMMITTER": "Ada"}.items():
            patch.setenv(f"GIT_{key}_NAME", value)
            patch.setenv(f"GIT_{key}_EMAIL", "ada@example.org")
        (top / "src").mkdir()
        (top / "src/login.ts").write_text("let in\n" * 20)
        (top / "notes/allmemories").mkdir(parents=True)
        (top / "notes/mdmem.toml").write_text('id = "test"\n')
        for command in (
            ["init", "-q", "-b", "main"],
            ["config", "user.name", "Ada"],
            ["config", "user.email", "ada@example.org"],
            ["add", "."],
            ["commit", "-qm", "start"],
            ["mv", "src/login.ts", "src/session.ts"],
            ["commit", "-qm", "move"],
            ["mv", "src/session.ts", "src/access.ts"],
            ["commit", "-qm", "move again"],
        ):
            subprocess.run(["git", *command], cwd=top, check=True)
        with Vault.open(str(top / "notes")) as vault:
            for name, given in WORKS.items():
                adding.add(vault, work.checked(given), Caller(NOW), name=name)
            old = a_work("Let people in", 5, True, ("file_edit", "src/login.ts"))
            adding.add(vault, work.checked(old), Caller(NOW), name="people_were_let_in")
            yield vault


def names(works: Vault, **wanted: Any) -> list[str]:
    return [each.note.name for each in recall.ranking(works, WorkQuery(**wanted), NOW)]


AUTH = ["auth_code_was_read", "logouts_stop_by_waiting", "logouts_stop_by_refresh"]


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"files": ("src/auth.ts",)}, AUTH),  # by importance, then the latest first
        ({"files": ("auth.ts",)}, AUTH),
        ({"files": ("/srv/me/shop/src/auth.ts",)}, AUTH),
        ({"files": ("src/*.ts",)}, [AUTH[0], "people_were_let_in", *AUTH[1:]]),
        ({"files": ("src/",)}, [AUTH[0], "people_were_let_in", *AUTH[1:]]),
        ({"files": ("h.ts",)}, []),
        ({"files": ("auth.ts",), "success": False}, ["logouts_stop_by_waiting"]),
        ({"success": True, "task_types": ("feature_add", "investigation")}, [AUTH[0], "report_has_new_chart"]),
        ({"agents": ("gpt",)}, ["report_has_new_chart"]),
        ({"projects": ("shop",)}, ["logouts_stop_by_waiting", "logouts_stop_by_refresh"]),
        ({"tags": ("auth",)}, ["logouts_stop_by_waiting"]),
        (
            {"since": datetime(2026, 2, 2, tzinfo=UTC), "before": datetime(2026, 2, 4, tzinfo=UTC)},
            ["report_has_new_chart", "logouts_stop_by_waiting"],
        ),
        ({}, ["people_were_let_in", AUTH[0], "report_has_new_chart", *AUTH[1:]]),  # the latest first
        ({"words": "xylophone"}, []),
    ],
)
def test_works_are_found_by_what_is_asked(works: Vault, wanted: dict[str, Any], expected: list[str]) -> None:
    assert names(works, **wanted) == expected


def test_a_file_is_found_under_the_names_it_had(works: Vault) -> None:
    assert names(works, files=("src/access.ts",)) == ["people_were_let_in"]
    assert names(works, files=(f"{Path(works.root).parent}/src/access.ts",)) == ["people_were_let_in"]
    assert names(works, files=("access.ts",)) == ["people_were_let_in"], "the end of a path is enough"
    assert names(works, files=("cess.ts",)) == []
    assert names(works, files=("/etc/passwd",)) == []
    assert names(works, files=("src",)) == [], "git follows the files of a folder, which is asked for as src/"


def test_a_path_is_taken_from_where_one_stands(works: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(works.root)
    assert names(works, files=("../src/auth.ts",)) == AUTH
    assert names(works, files=("../src/access.ts",)) == ["people_were_let_in"]
    assert names(works, files=("../src/",)) == names(works, files=("src/",))
    assert names(works, files=("../src/*.ts",)) == names(works, files=("src/*.ts",))
    assert names(works, files=("../../src/nothing.ts",)) == []


def test_before_a_file_is_touched_the_names_it_had_lately_count(works: Vault) -> None:
    (told,) = recall.before(works, ["src/access.ts"], "", NOW, is_always=True).files
    assert [each.name for each in told.works] == ["people_were_let_in"]


def test_words_find_what_is_relevant_first(works: Vault) -> None:
    assert names(works, words="chart in the report")[0] == "report_has_new_chart"
    assert set(names(works, words="logouts", success=False)) == {"logouts_stop_by_waiting"}


def test_what_was_done_to_the_file_is_told(works: Vault) -> None:
    first, *_ = recall.ranking(works, WorkQuery(files=("src/auth.ts",)), NOW)
    assert first.files == (TouchedFile("src/auth.ts", "read"),)


def test_the_best_are_told_deeper_as_the_budget_allows(works: Vault) -> None:
    wanted = WorkQuery(files=("src/auth.ts",))
    cheap, _ = recall.recall(works, wanted, WHO)
    assert [each.depth for each in cheap] == ["summary"] * 3
    more = sum(each.told.tokens for each in cheap) + 40
    deeper, _ = recall.recall(works, wanted, WHO, budget=more)
    assert [each.view.note.name for each in deeper] == AUTH
    assert deeper[0].depth != "summary"
    assert sum(each.told.tokens for each in deeper) <= more
    tight, _ = recall.recall(works, wanted, WHO, budget=cheap[0].told.tokens + 1)
    assert [each.view.note.name for each in tight] == AUTH[:1]


def test_what_is_told_counts_once_a_retrieval(works: Vault) -> None:
    (note,) = [each.note for each in recall.ranking(works, WorkQuery(tags=("auth",)), NOW)]
    before = usage.of(works.root, note.id)
    recall.recall(works, WorkQuery(words="waiting", tags=("auth",)), WHO)
    recall.listed(works, WorkQuery(tags=("auth",)), NOW)
    after = usage.of(works.root, note.id)
    assert after is not None
    assert after.times == (before.times if before else 0) + 1


def test_a_work_is_found_as_it_is_now(vault: Vault) -> None:
    added = adding.add(vault, work.checked(WORKS["report_has_new_chart"]), WHO, name="report_has_new_chart")
    path = Path(vault.root) / added.path
    path.write_text(path.read_text().replace("chart.py", "graph.py").replace("success: true", "success: false"))
    vault.index.freshen()
    assert names(vault, files=("graph.py",), success=False) == ["report_has_new_chart"]
    path.unlink()
    vault.index.freshen()
    assert names(vault, files=("graph.py",)) == []
