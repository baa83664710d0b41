"""`mdmem work add` and `mdmem show --as work`, as an agent and a person use them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Ran
from tests.systems.rum.works import LEAST, WHOLE

Run = Callable[..., Ran]


@pytest.fixture
def add(root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """Add a work, given as JSON or as a text."""

    def run(work: Any, *options: str, code: int = 0) -> Ran:
        text = work if isinstance(work, str) else json.dumps(work)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return mdmem("work", "add", *options, code=code)

    return run


def shown(ask: Run, root: Path, name: str, depth: str = "complete") -> dict[str, Any]:
    found: dict[str, Any] = ask("show", "--as", "work", name, "--depth", depth)
    return found


def test_a_work_is_written_as_a_note_and_told_again(add: Callable[..., Ran], mdmem: Run, root: Path) -> None:
    added = json.loads(add(WHOLE, "--json").out)
    assert added["id"] == WHOLE["id"]
    assert added["files"] == 2
    work = shown(mdmem, root, added["id"])["memory"]
    assert {name: work[name] for name in WHOLE} == WHOLE
    assert "## Intent\n\n- goal: Stop the random logouts\n" in (root / added["path"]).read_text()


def test_who_works_in_which_session_is_taken_from_the_caller(
    add: Callable[..., Ran], mdmem: Run, root: Path, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]
) -> None:
    monkeypatch.setenv("MDMEM_PARENT_SESSION", "conv-1")
    monkeypatch.setenv("MDMEM_PARENT_ACTOR", "claude-code")
    added = json.loads(add(LEAST, "--actor", "reviewer", "--session", "sub-7", "--json").out)
    work = shown(mdmem, root, added["id"])["memory"]
    assert (work["agent_id"], work["session_id"]) == ("reviewer", "sub-7")
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Session: sub-7\nMemory-Parent-Session: conv-1" in message
    note = (root / added["path"]).read_text()
    assert "\nparent_session: conv-1\n" in note
    assert "\nparent_actor: claude-code\n" in note


def test_a_parent_session_may_be_given_and_wins(
    add: Callable[..., Ran], root: Path, monkeypatch: pytest.MonkeyPatch, git: Callable[..., str]
) -> None:
    monkeypatch.setenv("MDMEM_PARENT_SESSION", "conv-1")
    added = json.loads(add(LEAST, "--session", "sub-7", "--parent-session", "conv-2", "--json").out)
    assert "Memory-Parent-Session: conv-2" in git(root, "log", "-1", "--format=%B")
    assert "\nparent_session: conv-2\n" in (root / added["path"]).read_text()


@pytest.mark.parametrize(("given", "kept"), [(1705432800, 1705432800), (1705432800250, 1705432800.25), (0, 0)])
def test_when_a_work_was_done_is_kept_as_given(
    add: Callable[..., Ran], mdmem: Run, root: Path, given: float, kept: float
) -> None:
    added = json.loads(add({**LEAST, "created_at": given}, "--json").out)
    assert shown(mdmem, root, added["id"])["memory"]["created_at"] == kept


def test_a_short_goal_gets_its_name_from_the_summary_and_the_task_type(
    add: Callable[..., Ran], mdmem: Run, root: Path, tmp_path: Path
) -> None:
    def short(goal: str, summary: str) -> dict[str, Any]:
        return {
            "intent": {"goal": goal, "task_type": "refactor"},
            "outcome": {"success": True, "summary": summary},
        }

    cart, user = short("ok", "Cart holds"), short("User id", "Renamed in the API")
    assert Path(json.loads(add(cart, "--json").out)["path"]).stem == "ok_cart_holds"
    (tmp_path / "works.json").write_text(json.dumps([user, short("Ok", "ok")]))
    mdmem("import", "rum", tmp_path / "works.json")
    names = {path.stem for path in root.rglob("*.md")}
    assert {"user_id_renamed", "ok_refactor_memory"} <= names


def test_showing_counts_once(add: Callable[..., Ran], mdmem: Run, root: Path) -> None:
    add(LEAST, "--name", "stop_random_logouts")
    counts = [shown(mdmem, root, "stop_random_logouts")["memory"]["access_count"] for _ in range(3)]
    assert counts == [0, 1, 2]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({**LEAST, "mood": "good"}, "mood is not a field"),
        ({"intent": LEAST["intent"]}, "outcome is missing"),
        ("{", "line 1: not JSON"),
        ({**LEAST, "links": {"caused_by": ["mem_nothing"]}}, "there is no memory 'mem_nothing'"),
        ("## Absicht\n\n- goal: x\n", "has a section 'Absicht' that no work has"),
    ],
)
def test_what_is_not_a_work_is_refused_and_nothing_is_written(
    add: Callable[..., Ran], root: Path, given: Any, message: str
) -> None:
    code = 3 if "no memory" in message else 1 if "section" in message else 2
    assert message in add(given, code=code).err
    assert not list((root / "allmemories").glob("*.md"))


def test_what_is_wrong_in_a_note_is_told_with_its_line(add: Callable[..., Ran]) -> None:
    head = "---\ntype: work\nimportance: 7\n---\n## Intent\n\n- goal: x\n- task_type: chore\n\n"
    actions = "## Actions\n\n- type:\n- type: search\n  - details:\n    - query: a\n- type: think\n\n"
    err = add(head + actions + "## Outcome\n\n- success: true\n", code=2).err
    assert "line 3: importance is 7" in err
    assert 'line 8: intent.task_type is "chore"' in err
    assert 'line 16: actions[1].type is "think"' in err, (
        "a line as it is in the note, where a blank action is above"
    )
    assert "line 18: outcome.summary is missing" in err


def test_a_list_that_would_be_lost_is_refused(add: Callable[..., Ran]) -> None:
    body = "## Intent\n\n- goal: x\n\nMore of it:\n\n- task_type: other\n"
    refused = add(body, code=1).err
    assert "the text given:7: intent has another list below a paragraph" in refused


def test_a_work_is_written_from_the_template(
    add: Callable[..., Ran], mdmem: Run, ask: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(LEAST, "--name", "first_work_done")
    place = tmp_path / "editor"
    place.write_text(
        "#!/bin/sh\nsed -i -e 's/^- goal:/- goal: Stop the logouts/' -e 's/^- summary:/- summary: Done/'"
        " -e 's/^    - file_path:/    - file_path: a.ts/'"
        ' -e \'s/^importance/caused_by: "[[first_work_done]]"\\nimportance/\' "$1"\n'
    )
    place.chmod(0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(place))
    added = ask("work", "add", "--edit")
    work = shown(mdmem, root, added["id"])["memory"]
    assert work["intent"] == {"goal": "Stop the logouts", "task_type": "other"}
    assert work["actions"][0]["details"] == {"file_path": "a.ts"}
    first = shown(mdmem, root, "first_work_done")["memory"]
    assert work["links"] == {"caused_by": [first["id"]]}
    assert first["links"] == {"led_to": [work["id"]]}  # derived: it stands in the later work alone


def test_the_text_of_a_depth_is_told(add: Callable[..., Ran], mdmem: Run, root: Path) -> None:
    add(WHOLE, "--name", "stop_random_logouts")
    told = mdmem("show", "--as", "work", "stop_random_logouts", "--depth", "summary").out
    assert told == "Stop the random logouts\nTokens are refreshed; nobody is logged out\n"


def test_a_memory_that_is_not_a_work_is_not_shown_as_one(
    remember: Callable[..., str], mdmem: Run, root: Path
) -> None:
    remember("The port is 80.", "the_port_is_80")
    assert "the_port_is_80 is not of type work" in mdmem("show", "--as", "work", "the_port_is_80", code=2).err
