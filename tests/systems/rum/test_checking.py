"""Notes that are meant as works, chapters or wisdom and are not valid are named, never left out in silence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]
Write = Callable[..., Any]

GOOD = """## Intent

- goal: Stop the logouts
- task_type: bug_fix

## Outcome

- success: true
- summary: Done
"""
BAD = GOOD.replace("bug_fix", "chore").replace("- summary: Done\n", "")


def named(mdmem: Run, root: Path, code: int = 1) -> list[tuple[str, int, str]]:
    found = json.loads(mdmem("doctor", "--vault", root, "--json", code=code).out)
    ours = [one for one in found if one["code"] in ("work", "chapter", "wisdom")]
    assert all(one["severity"] == "error" and one["fix"] for one in ours)
    return [(one["path"], one["line"], one["message"]) for one in ours]


def test_malformed_ids_and_lines_are_refused_and_named(root: Path, write: Write, mdmem: Run) -> None:
    action = {"type": "file_edit", "file_path": "a.ts", "lines_affected": "foo"}
    layers = {"intent": {"goal": "Stop the logouts", "task_type": "bug_fix"}, "actions": [action]}
    given = {"id": "xx_1", **layers, "outcome": {"success": True, "summary": "Done"}}
    (root / "given.json").write_text(json.dumps(given))
    said = mdmem("work", "add", root / "given.json", "--vault", root, code=2).err
    assert 'id is "xx_1": write mem_ and a UUID' in said
    assert 'actions[0].details.lines_affected is "foo": write line numbers such as 45 or 45-67' in said
    acted = "\n## Actions\n\n- type: file_edit\n  - details:\n    - lines_affected: foo\n"
    write("allmemories/logouts_were_stopped.md", f"---\nid: xx_1\ntype: work\n---\n{GOOD}{acted}")
    problems = json.loads(mdmem("doctor", "--vault", root, "--json", code=1).out)
    assert {(2, "id"), (19, "actions[0].details.lines_affected")} <= {
        (one["line"], one["message"].split(" is ")[0]) for one in problems if one["code"] == "work"
    }


def test_a_work_that_states_facts_is_a_valid_work(root: Path, write: Write, mdmem: Run, tmp_path: Path) -> None:
    facts = "\n## Facts\n\n- Ana · lives in · Lisbon\n"
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\ntopic: people\n---\n{GOOD}{facts}")
    assert named(mdmem, root, 0) == []
    assert "logouts_were_stopped" in mdmem("list", "--as", "work", "--vault", root).out
    assert "logouts_were_stopped" in mdmem("recall", "--as", "work", "logouts", "--vault", root).out
    assert "1 work," in mdmem("export", "rum", tmp_path / "out.json", "--vault", root).err
    assert "Ana lives in Lisbon" in mdmem("facts", "--vault", root).out


def test_an_update_that_would_drop_the_sections_of_a_work_is_refused(root: Path, write: Write, mdmem: Run) -> None:
    """It replaced them, said "updated", and left a note that was in no list of works any more."""
    path = root / "allmemories/logouts_were_stopped.md"
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\n---\n{GOOD}")
    before = path.read_bytes()
    update = ("update", "logouts_were_stopped", "--vault", root)
    said = mdmem(*update, "--body", "Just text.", code=2).err
    assert "would lose sections that a work has" in said
    assert path.read_bytes() == before
    mdmem(*update, "--replace", "summary: Done", "summary: Tokens are refreshed")
    assert named(mdmem, root, 0) == []


def test_every_fault_of_a_work_is_named_with_its_line(root: Path, write: Write, mdmem: Run) -> None:
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\n---\n{GOOD}")
    write("allmemories/logouts_were_tried.md", f"---\ntype: work\n---\n{BAD}")
    write(
        "allmemories/chapter_without_summary.md", "---\ntype: chapter\nmade: machine\n---\n## Learnings\n\n- One\n"
    )
    wrong = named(mdmem, root)
    tried = [(line, message) for path, line, message in wrong if path.endswith("were_tried.md")]
    assert tried[0] == (7, 'intent.task_type is "chore"')
    assert [message for _, message in tried[1:]] == ["outcome.summary is missing"]
    chapter = [message for path, _, message in wrong if path.endswith("without_summary.md")]
    assert "summary is missing" in chapter
    assert 'origin is "machine"' in chapter
    assert not any(path.endswith("were_stopped.md") for path, *_ in wrong)


def test_a_property_that_is_wrong_is_named_with_its_line(root: Path, write: Write, mdmem: Run) -> None:
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\nimportance: 7\n---\n{GOOD}")
    write(
        "allmemories/logouts_were_tried.md", "---\ntype: work\n---\n## Intent\n\n- goal: x\n- task_type: other\n"
    )
    missing = [(0, "outcome.success is missing"), (0, "outcome.summary is missing")]
    assert [each[1:] for each in named(mdmem, root)] == [(3, "importance is 7"), *missing]
    shown = mdmem("show", "--as", "work", "logouts_were_tried", "--vault", root, code=3).err
    assert "logouts_were_tried.md: outcome.success is missing" in shown


def test_a_list_below_a_paragraph_is_not_ignored_in_silence(root: Path, write: Write, mdmem: Run) -> None:
    more = "\nMore of it:\n\n- learnings: Look twice\n\n### My own list\n\n- one\n"
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\ncreated: 2026-01-01\n---\n{GOOD}{more}")
    told = json.loads(mdmem("doctor", "--vault", root, "--json").out)
    ours = [(each["line"], each["message"], each["severity"]) for each in told if each["code"] == "work"]
    assert ours == [(17, "outcome has another list below a paragraph, which is not read", "warning")]
    assert len(json.loads(mdmem("list", "--as", "work", "--json", "--vault", root).out)) == 1, "the rest is read"


def test_answers_say_how_many_works_cannot_be_read(root: Path, write: Write, mdmem: Run) -> None:
    write("allmemories/logouts_were_stopped.md", f"---\ntype: work\ncreated: 2026-01-01\n---\n{GOOD}")
    write("allmemories/logouts_were_tried.md", f"---\ntype: work\ncreated: 2026-02-01\n---\n{BAD}")
    for command in (["list"], ["recall", "logouts"], ["list", "--limit", "1"]):
        ran = mdmem(*command, "--as", "work", "--json", "--vault", root)
        assert len(json.loads(ran.out)) == 1, "a note that cannot be read takes no place of one that can"
        assert "1 work note cannot be read: mdmem doctor" in ran.err
    assert mdmem("list", "--as", "work", "--success", "--task-type", "bug_fix", "--vault", root).err == ""


def test_in_an_adopted_vault_the_types_may_mean_something_else(root: Path, write: Write, mdmem: Run) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[garden]\nscope = "own"\n')
    write("allmemories/call_the_office.md", "---\ntype: work\n---\nBefore noon.\n")
    write("allmemories/the_dark_forest.md", "---\ntype: chapter\n---\nIt was night.\n")
    write("allmemories/logouts_were_tried.md", f"---\ntype: work\n---\n{BAD}")
    assert {path for path, *_ in named(mdmem, root)} == {"allmemories/logouts_were_tried.md"}
    assert "1 work note" in mdmem("list", "--as", "work", "--vault", root).err
