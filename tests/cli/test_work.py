"""Works as an agent, an editor and a person use them: added, drafted from a transcript, shown, told of in time."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.capture import sessions
from tests.capture.sessions import claude_line, jsonl
from tests.conftest import Editor, Git, Ran, Run, Stdin
from tests.systems.rum.works import LEAST, WHOLE


@pytest.fixture
def add(mdmem: Run, stdin: Stdin) -> Run:
    """Add a work, given as JSON or as a text."""

    def run(work: Any, *options: str, code: int = 0) -> Ran:
        stdin(work if isinstance(work, str) else json.dumps(work))
        return mdmem("work", "add", *options, code=code)

    return run


@pytest.fixture
def added(add: Run) -> Callable[..., dict[str, Any]]:
    """Add a work; what the command says of it as JSON."""
    return lambda work, *options: json.loads(add(work, "--json", *options).out)


@pytest.fixture
def shown(ask: Run) -> Callable[[str], dict[str, Any]]:
    """All of a work, by its name."""
    return lambda name: ask("show", "--as", "work", name, "--depth", "complete")["memory"]


def test_a_work_is_written_as_a_note_and_told_again(added: Run, shown: Run, mdmem: Run, root: Path) -> None:
    done = added(WHOLE, "--name", "stop_random_logouts")
    assert (done["id"], done["files"]) == (WHOLE["id"], 2)
    work = shown(done["id"])
    assert {name: work[name] for name in WHOLE} == WHOLE
    assert "## Intent\n\n- goal: Stop the random logouts\n" in (root / done["path"]).read_text()
    told = mdmem("show", "--as", "work", "stop_random_logouts", "--depth", "summary").out
    assert told == "Stop the random logouts\nTokens are refreshed; nobody is logged out\n"


@pytest.mark.parametrize("given", ["", "conv-2"])
def test_who_works_in_which_session_is_taken_from_the_caller(
    added: Run, shown: Run, root: Path, monkeypatch: pytest.MonkeyPatch, git: Git, given: str
) -> None:
    """A parent session may be given, and wins."""
    monkeypatch.setenv("MDMEM_PARENT_SESSION", "conv-1")
    monkeypatch.setenv("MDMEM_PARENT_ACTOR", "claude-code")
    options = ["--parent-session", given] if given else []
    done = added(LEAST, "--actor", "reviewer", "--session", "sub-7", *options)
    work = shown(done["id"])
    assert (work["agent_id"], work["session_id"]) == ("reviewer", "sub-7")
    parent = given or "conv-1"
    assert f"Memory-Session: sub-7\nMemory-Parent-Session: {parent}" in git(root, "log", "-1", "--format=%B")
    note = (root / done["path"]).read_text()
    assert f"\nparent_session: {parent}\n" in note
    assert "\nparent_actor: claude-code\n" in note


@pytest.mark.parametrize(("given", "kept"), [(1705432800, 1705432800), (1705432800250, 1705432800.25), (0, 0)])
def test_when_a_work_was_done_is_kept_as_given(added: Run, shown: Run, given: float, kept: float) -> None:
    assert shown(added({**LEAST, "created_at": given})["id"])["created_at"] == kept


def test_a_short_goal_gets_its_name_from_the_summary_and_the_task_type(
    added: Run, mdmem: Run, root: Path, tmp_path: Path
) -> None:
    def short(goal: str, summary: str) -> dict[str, Any]:
        intent = {"goal": goal, "task_type": "refactor"}
        return {"intent": intent, "outcome": {"success": True, "summary": summary}}

    assert Path(added(short("ok", "Cart holds"))["path"]).stem == "ok_cart_holds"
    works = [short("User id", "Renamed in the API"), short("Ok", "ok")]
    (tmp_path / "works.json").write_text(json.dumps(works))
    mdmem("import", "rum", tmp_path / "works.json")
    names = {path.stem for path in root.rglob("*.md")}
    assert {"user_id_renamed", "ok_refactor_memory"} <= names


def test_showing_counts_once(add: Run, shown: Run) -> None:
    add(LEAST, "--name", "stop_random_logouts")
    assert [shown("stop_random_logouts")["access_count"] for _ in range(3)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("given", "code", "message"),
    [
        ({**LEAST, "mood": "good"}, 2, "mood is not a field"),
        ({"intent": LEAST["intent"]}, 2, "outcome is missing"),
        ("{", 2, "line 1: not JSON"),
        ({**LEAST, "links": {"caused_by": ["mem_nothing"]}}, 3, "there is no memory 'mem_nothing'"),
        ("## Absicht\n\n- goal: x\n", 1, "has a section 'Absicht' that no work has"),
        (
            "## Intent\n\n- goal: x\n\nMore of it:\n\n- task_type: other\n",
            *(1, "the text given:7: intent has another list below a paragraph"),
        ),
    ],
)
def test_what_is_not_a_work_is_refused_and_nothing_is_written(
    add: Run, root: Path, given: Any, code: int, message: str
) -> None:
    assert message in add(given, code=code).err
    assert not list((root / "allmemories").glob("*.md"))


def test_what_is_wrong_in_a_note_is_told_with_its_line(add: Run) -> None:
    head = "---\ntype: work\nimportance: 7\n---\n## Intent\n\n- goal: x\n- task_type: chore\n\n"
    actions = "## Actions\n\n- type:\n- type: search\n  - details:\n    - query: a\n- type: think\n\n"
    err = add(head + actions + "## Outcome\n\n- success: true\n", code=2).err
    assert "line 3: importance is 7" in err
    assert 'line 8: intent.task_type is "chore"' in err
    assert 'line 16: actions[1].type is "think"' in err, (
        "a line as it is in the note, where a blank action is above"
    )
    assert "line 18: outcome.summary is missing" in err


def test_a_work_is_written_from_the_template(add: Run, shown: Run, ask: Run, editor: Editor) -> None:
    add(LEAST, "--name", "first_work_done")
    editor(
        "sed -i -e 's/^- goal:/- goal: Stop the logouts/' -e 's/^- summary:/- summary: Done/'"
        " -e 's/^    - file_path:/    - file_path: a.ts/'"
        ' -e \'s/^importance/caused_by: "[[first_work_done]]"\\nimportance/\' "$1"'
    )
    work = shown(ask("work", "add", "--edit")["id"])
    assert work["intent"] == {"goal": "Stop the logouts", "task_type": "other"}
    assert work["actions"][0]["details"] == {"file_path": "a.ts"}
    first = shown("first_work_done")
    assert work["links"] == {"caused_by": [first["id"]]}
    assert first["links"] == {"led_to": [work["id"]]}  # derived: it stands in the later work alone


def test_what_cannot_be_added_or_shown_as_a_work_says_why(
    transcript: Path, tmp_path: Path, remember: Callable[..., str], mdmem: Run
) -> None:
    remember("The port is 80.", "the_port_is_80")
    assert "the_port_is_80 is not of type work" in mdmem("show", "--as", "work", "the_port_is_80", code=2).err
    assert "leave out x.json" in mdmem("work", "add", "x.json", "--from", transcript, code=2).err
    assert "go with --from" in mdmem("work", "add", "--success", code=2).err
    (tmp_path / "s.jsonl").write_text(jsonl(claude_line("user", "Fix the list", 1)))
    refused = mdmem("work", "add", "--from", tmp_path / "s.jsonl", code=2)
    assert "outcome.summary is missing" in refused.err


# -- drafts of a session


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "s-claude.jsonl"
    path.write_text(sessions.CLAUDE)
    return path


def test_a_dry_run_shows_the_note_and_writes_nothing(
    transcript: Path, root: Path, mdmem: Run, ask: Run, git: Git
) -> None:
    head = git(root, "rev-parse", "HEAD")
    shown = mdmem("work", "add", "--from", transcript, "--dry-run").out
    assert "\ndrafted: true\n" in shown
    assert (
        "\n> [!note] Drafted from the transcript of a session: read it before you rely on it.\n\n## Intent\n"
        in shown
    )
    assert "    - file_path: src/list.py\n" in shown
    told = ask("work", "add", "--from", transcript, "--dry-run")
    assert told["properties"]["drafted"] is True
    assert told["memory"]["outcome"]["success"] is True
    assert git(root, "rev-parse", "HEAD") == head


def test_a_draft_is_written_in_the_name_of_its_session_once(
    transcript: Path, root: Path, mdmem: Run, ask: Run, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MDMEM_ACTOR", "somebody")
    done = ask("work", "add", "--from", transcript)
    assert done["doubts"] == []
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Actor: claude-code\nMemory-Session: s-claude" in message
    note = (root / done["path"]).read_text()
    assert {"actor: claude-code", "session: s-claude", "project: shop", "drafted: true"} <= set(note.splitlines())
    assert "created: 2026-02-08T14:05:13Z" in note
    found = mdmem("recall", "--as", "work", "--file", "src/list.py").out
    assert "edit src/list.py" in found  # the notice above the sections hides nothing
    mdmem("doctor")
    again = mdmem("work", "add", "--from", transcript, code=5)
    assert "was drafted from that session already" in again.err


def test_a_work_of_a_subagent_names_the_session_it_was_done_for(
    tmp_path: Path, root: Path, ask: Run, git: Git
) -> None:
    logged = [{**line, "isSidechain": True, "agentId": "a1"} for line in sessions.CLAUDE_LINES]
    (tmp_path / "agent-a1.jsonl").write_text(jsonl(*logged))
    done = ask("work", "add", "--from", tmp_path / "agent-a1.jsonl")
    assert "Memory-Session: agent-a1\nMemory-Parent-Session: s-claude" in git(root, "log", "-1", "--format=%B")
    lines = (root / done["path"]).read_text().splitlines()
    assert {"session: agent-a1", "parent_session: s-claude", "parent_actor: claude-code"} <= set(lines)


def test_success_that_is_not_known_is_told_and_can_be_given(tmp_path: Path, root: Path, mdmem: Run) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(jsonl(*(line for line in sessions.CLAUDE_LINES if "pytest" not in json.dumps(line))))
    told = mdmem("work", "add", "--from", path, "--dry-run")
    assert "success is not known: no check ran after the last change" in told.err
    assert "- success: false\n- summary: Not known whether it succeeded. " in told.out
    told = mdmem("work", "add", "--from", path, "--dry-run", "--success")
    assert told.err == ""
    assert "- success: true\n- summary: The list sorts" in told.out


def test_a_person_may_edit_a_draft_and_vouch_for_it(
    transcript: Path, root: Path, ask: Run, editor: Editor
) -> None:
    editor("sed -i -e '/^drafted:/d' -e 's/numbers now/numbers at last/' \"$1\"")
    note = (root / ask("work", "add", "--from", transcript, "--edit")["path"]).read_text()
    assert "numbers at last" in note
    assert "drafted" not in note.lower()


# -- what is told before an action
FAILED: dict[str, Any] = {
    "intent": {"goal": "Keep tokens longer", "task_type": "bug_fix"},
    "actions": [{"type": "file_edit", "file_path": "src/auth.ts"}],
    "outcome": {"success": False, "summary": "It was refused\n[RUM] b.ts has 9 memories"},
}


@pytest.fixture
def before(add: Run, mdmem: Run) -> Callable[..., str]:
    add(FAILED, "--name", "keep_tokens_longer")
    return lambda *options: mdmem("work", "before", *options).out


def test_text_json_and_nothing(before: Callable[..., str]) -> None:
    lines = before("src/auth.ts").splitlines()
    assert lines[0] == "[RUM] src/auth.ts has 1 memory (1 failed)"
    assert len(lines) == 2, "what a note says of itself is one line"
    assert before("src/auth.ts") == ""
    assert json.loads(before("src/auth.ts", "--always", "--json"))["files"][0]["failed"] == 1
    assert json.loads(before("src/other.ts", "--json")) == {}


def test_no_vault_is_no_failure_of_the_action(mdmem: Run, tmp_path: Path) -> None:
    ran = mdmem("work", "before", "a.ts", "--json", "--vault", tmp_path / "nowhere")
    assert json.loads(ran.out) == {}
    assert "nowhere" in ran.err
