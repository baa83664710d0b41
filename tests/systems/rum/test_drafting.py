"""Works drafted from transcripts: what a careful person would have written, and nothing that nobody knows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mdmem.capture import transcripts
from mdmem.capture.turns import CREATE, DELETE, EDIT, Deed, Turn
from mdmem.errors import UsageError
from mdmem.systems.rum import adding, drafting, work
from mdmem.systems.rum.drafting import DraftedWork, drafted
from tests.capture import sessions
from tests.capture.sessions import SESSIONS, claude_line, jsonl


def draft(text: str, actor: str = "claude-code", success: bool | None = None) -> DraftedWork:
    return drafted(transcripts.parse(text, "log").conversations, actor, lambda words: words, success)


def told(text: str) -> dict[str, Any]:
    """A draft without times."""
    record = dict(draft(text).record)
    del record["created_at"]
    record["actions"] = [
        {name: item for name, item in one.items() if name != "timestamp"} for one in record["actions"]
    ]
    for one in record["actions"]:
        one["result"].pop("duration_ms", None)
    return record


def action(type: str, success: bool = True, error: str = "", **details: str) -> dict[str, object]:
    return {
        "type": type,
        "details": details,
        "result": {"success": success, **({"error": error} if error else {})},
    }


@pytest.mark.parametrize(
    ("name", "approach"),
    [
        ("claude-code", "The key of the sort must be a number. Text compares by letters."),
        ("codex", "Sort by number."),
    ],
)
def test_a_draft_is_what_a_careful_person_would_write(name: str, approach: str) -> None:
    text, session = SESSIONS[name]
    assert told(text) == {
        "agent_id": "claude-code",
        "project_id": "shop",
        "session_id": session,
        "intent": {
            "goal": "The list sorts numbers as text. Fix it",
            "task_type": "bug_fix",
            "context": sessions.REQUEST,
        },
        "reasoning": {"approach_chosen": approach},
        "actions": [
            action("file_edit", file_path="src/list.py"),
            action("file_create", file_path="tests/test_list.py"),
            action("command_run", success=False, error="1 failed", command=sessions.TEST),
            action("command_run", command=sessions.TEST),
        ],
        "outcome": {
            "success": True,
            "summary": sessions.ANSWER,
            "verified_by": {"type": "test", "command": sessions.TEST, "result": "passed"},
        },
    }


@pytest.mark.parametrize("name", SESSIONS)
def test_every_client_gives_a_valid_work_with_the_same_files(name: str) -> None:
    made = draft(SESSIONS[name][0])
    assert work.checked(made.record)["outcome"]["success"] is True
    files = work.files_of(work.checked(made.record))
    paths = {path.removeprefix(f"{sessions.FOLDER}/"): operation for path, operation in files.items()}
    assert paths == {"src/list.py": "edit", "tests/test_list.py": "create"}
    assert made.doubts == ()


def test_success_that_is_not_known_is_none_and_is_said() -> None:
    """Also where the agent says that all is well."""
    lines = [line for line in sessions.CLAUDE_LINES if "t11" not in str(line) and "t9" not in str(line)]
    made = draft(jsonl(*lines))
    assert made.record["outcome"]["success"] is False
    assert made.record["outcome"]["summary"] == f"Not known whether it succeeded. {sessions.ANSWER}"
    assert made.record["outcome"]["failure_reason"].startswith("not known: no check ran")
    assert "--success" in made.doubts[0]
    said_so = draft(jsonl(*lines), success=True)
    assert said_so.record["outcome"] == {"success": True, "summary": sessions.ANSWER}
    assert said_so.doubts == ()


@pytest.mark.parametrize(
    ("words", "success"),
    [
        ("Thanks, that works.", True),
        ("It still fails.", False),
        ("Thanks, but the first page is broken.", None),
        ("Does that look wrong to you?", None),
        ("Now the other page.", None),
    ],
)
def test_a_person_has_the_last_word(words: str, success: bool | None) -> None:
    turns = [Turn("user", "Fix it", 1), Turn("assistant", "Done", 2), Turn("user", words, 3)]
    assert drafting.judged(turns, [Deed("Edit", {"file_path": "a"}, turn=1)]).success is success


@pytest.mark.parametrize(
    ("command", "failed", "success"),
    [
        ("pytest -q", False, True),
        ("pytest -q", True, False),
        ("cd app && npm test", False, True),
        ("pytest -q | tail -1", False, None),  # the exit code is that of tail
        ("pytest -q; true", False, None),
        ("pytest -q | tail -1", True, False),
        ("ruff check .", False, None),  # to be tidy is not to work
        ("ruff check .", True, False),
        ("cargo build", False, True),
        ("mypy app", False, True),
        ("cat latest.txt", False, None),
        ("pytest -q", None, None),
    ],
)
def test_a_check_after_the_last_change_tells(command: str, failed: bool | None, success: bool | None) -> None:
    deeds = [Deed("Edit", {"file_path": "a"}, failed=False), Deed("Bash", {"command": command}, failed=failed)]
    assert drafting.judged([], deeds).success is success
    assert drafting.judged([], deeds[::-1]).success is None


@pytest.mark.parametrize(
    ("asked", "goal"),
    [
        ("Hi! Please add a dark mode to the settings page. We use React.", "Add a dark mode to the settings page"),
        (
            "I opened the page. The list is empty. Can you look into that?",
            "The list is empty. Look into that?",
        ),
        ("Why is the build slow?", "Why is the build slow?"),
        ("dark mode", "Dark mode"),
    ],
)
def test_the_goal_is_what_is_asked_for(asked: str, goal: str) -> None:
    assert drafting.goal_of(asked) == goal


@pytest.mark.parametrize(
    ("asked", "type"),
    [
        ("Fix the login bug", "bug_fix"),
        ("Upgrade react to v19", "dependency_update"),
        ("Add tests for the parser", "test_write"),
        ("Update the README", "documentation"),
        ("Rename the module", "refactor"),
        ("Make the list faster", "optimization"),
        ("Close the SQL injection in search", "security_fix"),
        ("Add a search box", "feature_add"),
        ("Go", "other"),
    ],
)
def test_the_type_of_task_is_what_a_request_speaks_of(asked: str, type: str) -> None:
    assert drafting.task_type(asked, is_changing=True) == type
    assert drafting.task_type(asked, is_changing=False) == "investigation"


@pytest.mark.parametrize(
    ("deed", "touched"),
    [
        (Deed("Bash", {"command": "sed -n '1,40p' src/a.py"}), [("file_read", "src/a.py")]),
        (Deed("exec_command", {"cmd": "rg -n order src"}), [("search", "rg -n order src")]),
        (Deed("shell", {"command": ["bash", "-lc", "cat a.py > b.py"]}), [("command_run", "cat a.py > b.py")]),
        (Deed("Write", {"file_path": "a"}, result="The file a has been updated"), [("file_edit", "a")]),
        (Deed("x", {}, changed=(("a", EDIT), ("b", CREATE), ("c", DELETE))),
         [("file_edit", "a"), ("file_create", "b"), ("file_delete", "c")]),
        (Deed("apply_patch", {"input": "*** Begin Patch\n*** Delete File: a b\n"}), [("file_delete", "a b")]),
        (Deed("WebFetch", {"url": "https://example.org", "prompt": "x"}), [("external_query", "https://example.org")]),
        (Deed("TodoWrite", {"todos": []}), []),
        (Deed("mcp__mdmem__recall", {"query": "x"}), []),
        (Deed("Read", {"file_path": 7}), []),
    ],
)  # fmt: skip
def test_tools_of_any_client_are_the_same_few_actions(deed: Deed, touched: list[tuple[str, str]]) -> None:
    assert [(type, *details.values()) for type, details in drafting.touches(deed)] == touched


@pytest.mark.parametrize(
    ("path", "folder", "shown"),
    [
        ("/w/shop/src/a.py", "/w/shop", "src/a.py"),
        ("/w/shop2/a.py", "/w/shop", "/w/shop2/a.py"),
        ("./a.py", "/w/shop", "a.py"),
        ("/w/shop", "/w/shop/", "."),
        ("C:\\w\\shop\\src\\a.py", "C:\\w\\shop", "src/a.py"),
    ],
)
def test_paths_are_those_of_the_project(path: str, folder: str, shown: str) -> None:
    assert drafting.relative(path, folder) == shown


def test_many_actions_leave_out_those_that_changed_nothing() -> None:
    deeds = [Deed("Read", {"file_path": f"r{n}"}, failed=False) for n in range(drafting.MOST)]
    deeds += [Deed("Edit", {"file_path": f"e{n}"}, failed=False) for n in range(10)]
    found, left_out = drafting.actions_of(deeds, "")
    assert (len(found), left_out) == (drafting.MOST, 10)
    assert [action["details"]["file_path"] for action in found][-10:] == [f"e{n}" for n in range(10)]
    assert found[0]["details"]["file_path"] == "r10"


def test_what_a_subagent_did_is_a_part_of_the_work() -> None:
    deed = claude_line(
        "assistant", [{"type": "tool_use", "id": "x", "name": "Edit", "input": {"file_path": "sub.py"}}], 14
    )
    text = sessions.CLAUDE + jsonl(
        {**claude_line("user", "Change sub.py", 13, uuid="b"), "isSidechain": True, "agentId": "a1"},
        {**deed, "isSidechain": True, "agentId": "a1"},
    )
    made = draft(text)
    assert "sub.py" in work.files_of(work.checked(made.record))
    assert made.record["outcome"]["failure_reason"].startswith("not known")  # no test ran after that change


def test_a_secret_in_a_command_is_left_out(tmp_path: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    lines = [
        *sessions.CLAUDE_LINES[:-1],
        sessions.claude_call(14, "Bash", command=f"curl -H 'Authorization: Bearer {secret}' x"),
    ]
    (tmp_path / "s.jsonl").write_text(jsonl(*lines))
    made = adding.from_transcript(str(tmp_path / "s.jsonl"))
    assert secret not in repr(made)
    assert made.doubts == ("what looks like a secret was left out",)


def test_a_session_that_a_transcript_does_not_have_is_told(tmp_path: Path) -> None:
    place = tmp_path / "s.jsonl"
    place.write_text(sessions.CLAUDE + sessions.CLAUDE.replace("s-claude", "s-other"))
    assert adding.from_transcript(str(place), "s-claude").doubts == ()
    assert adding.from_transcript(str(place)).doubts == ()
    (doubt,) = adding.from_transcript(str(place), "s-none").doubts
    assert doubt.endswith("s.jsonl has no session s-none; the draft is of s-other")


def test_what_is_missing_is_named() -> None:
    nobody_asked = jsonl(claude_line("assistant", [{"type": "text", "text": "Hello."}], 1))
    with pytest.raises(UsageError, match=r"intent\.goal.*intent\.task_type") as refused:
        work.checked(draft(nobody_asked).record)
    assert "outcome" not in refused.value.message
    nobody_answered = jsonl(claude_line("user", "Fix the list", 1))
    with pytest.raises(UsageError, match=r"outcome\.summary"):
        work.checked(draft(nobody_answered).record)
