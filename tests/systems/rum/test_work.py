"""Works are notes and notes are works: nothing is lost either way, and what a person writes is understood."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from mdmem.note import memory
from mdmem.note.memory import Memory
from mdmem.systems.rum import work
from mdmem.systems.rum.work import Around
from tests.systems.rum.works import LEAST, WHOLE, WORKS

PATH = "allmemories/stop_random_logouts.md"
AROUND = Around("2026-01-01T00:00:00Z", lambda target: f"mem_{target}")


def link_of(id: str) -> str:
    return f"[[{id.removeprefix('mem_')}]]"


def as_note(value: dict[str, Any]) -> bytes:
    properties, body = work.note_of(value, link_of)
    return memory.render(properties, body)


def note_of_body(body: str) -> Memory:
    head = "---\ntype: work\ncreated: 2026-01-01T00:00:00Z\n---\n\n"
    return memory.parse((head + body).encode(), PATH)


@settings(max_examples=20)
@given(WORKS)
def test_a_work_comes_back_from_its_note(value: dict[str, Any]) -> None:
    note = memory.parse(as_note(value), PATH)
    assert work.record_of(note, AROUND) == value
    assert work.reading_of(note, AROUND)[1] == ()


@settings(max_examples=20)
@given(WORKS, WORKS)
def test_a_note_that_says_another_work_reads_back_as_that(one: dict[str, Any], other: dict[str, Any]) -> None:
    data, wanted = as_note(one), {**other, "id": one["id"]}
    note = memory.parse(data, PATH)
    assert work.applied(data, work.record_of(note, AROUND), note, AROUND, link_of) == data
    edited = work.applied(data, wanted, note, AROUND, link_of)
    assert work.record_of(memory.parse(edited, PATH), AROUND) == wanted


def test_only_the_lines_of_what_changes_are_touched() -> None:
    data = as_note(WHOLE).replace(b"- goal", b"* goal").replace(b"## Outcome\n", b"## Outcome  \n")
    note = memory.parse(data, PATH)
    value = work.record_of(note, AROUND)
    value["outcome"]["summary"] = "Done"
    edited = work.applied(data, value, note, AROUND, link_of)
    before, after = data.decode().splitlines(), edited.decode().splitlines()
    assert [line for line in after if line not in before] == ["- summary: Done"]


INTENT = "## Intent\n\n- goal: Stop the random logouts\n- task_type: bug_fix\n"
OUTCOME = "## Outcome\n\n- success: true\n- summary: Tokens are refreshed\n"
VARIATIONS = {
    "as it is written": f"{INTENT}\n{OUTCOME}",
    "other bullets": f"{INTENT}\n{OUTCOME}".replace("- ", "* "),
    "plus signs": f"{INTENT}\n{OUTCOME}".replace("- ", "+ "),
    "other bullets in one list": f"{INTENT}\n{OUTCOME}".replace("- summary", "* summary"),
    "the sections in another order": f"{OUTCOME}\n{INTENT}",
    "empty sections": f"{INTENT}\n## Perception\n\n## Reasoning\n\n## Actions\n\n{OUTCOME}",
    "names with blanks and capitals": f"{INTENT}\n{OUTCOME}".replace("task_type", "Task type"),
    "headings in capitals": f"{INTENT}\n{OUTCOME}".replace("Intent", "INTENT"),
    "words above and headings of a person's own": f"As discussed.\n\n{INTENT}\n### Aside\n\nText.\n\n{OUTCOME}",
    "yes for true": f"{INTENT}\n{OUTCOME}".replace("success: true", "success: yes"),
    "Windows line ends": f"{INTENT}\n{OUTCOME}".replace("\n", "\r\n"),
}


@pytest.mark.parametrize("body", VARIATIONS.values(), ids=VARIATIONS)
def test_what_a_person_writes_is_understood(body: str) -> None:
    note = note_of_body(body)
    value = work.record_of(note, AROUND)
    layers = {name: value[name] for name in work.LAYERS}
    assert {**layers, "links": value["links"]} == work.checked(LEAST)
    assert work.reading_of(note, AROUND)[1] == ()


def test_an_action_may_be_written_in_any_form_of_nesting() -> None:
    nested = "## Actions\n\n- - type: file_edit\n  - details:\n    - file_path: a.ts\n"
    level = "## Actions\n\n1. type: file_edit\n   - details:\n     - file_path: a.ts\n"
    for body in (nested, level):
        assert work.layers_of(work.read(body))["actions"] == [
            {"type": "file_edit", "details": {"file_path": "a.ts"}}
        ]


def test_files_may_be_written_as_a_plain_list() -> None:
    perception = (
        "## Perception\n\n- relevant_files:\n  - src/auth.ts\n  - src/api.ts\n    - relevance: The endpoint\n"
    )
    layers = work.layers_of(work.read(perception))
    assert layers["perception"]["relevant_files"] == [
        {"path": "src/auth.ts"},
        {"path": "src/api.ts", "relevance": "The endpoint"},
    ]


@pytest.mark.parametrize(
    ("heading", "hint"),
    [
        ("Absicht", "the sections are Intent, Perception, Reasoning, Actions, Outcome"),
        ("Intents", "write ## Intent"),
    ],
)
def test_a_heading_that_is_none_is_told_with_what_to_write(heading: str, hint: str) -> None:
    found = work.reading_of(note_of_body(f"{INTENT}\n{OUTCOME}".replace("Intent", heading)), AROUND)[1]
    by_message = {problem.message: problem for problem in found}
    assert hint in by_message[f"has a section '{heading}' that no work has"].fix
    assert by_message[f"has a section '{heading}' that no work has"].line == 6
    assert "intent.goal is missing" in by_message


def test_what_is_wrong_is_told_with_its_line() -> None:
    (problem,) = work.reading_of(note_of_body(f"{INTENT}\n{OUTCOME}".replace("bug_fix", "chore")), AROUND)[1]
    assert (problem.line, problem.message) == (9, 'intent.task_type is "chore"')
    assert problem.fix.startswith("write one of bug_fix, feature_add")


def test_what_a_template_leaves_empty_is_not_there() -> None:
    template = (Path(__file__).parents[3] / "templates/work.md").read_text()
    template = template.replace("- goal:", "- goal: Stop the logouts", 1)
    template = template.replace("- summary:", "- summary: Tokens are refreshed").replace("file_edit", "other")
    filled = work.without_blanks(work.read(memory.parse(template.encode(), PATH).body).values)
    assert filled["intent"] == {"goal": "Stop the logouts", "task_type": "other"}
    assert filled["outcome"] == {"success": True, "summary": "Tokens are refreshed"}
    assert "perception" not in filled
    assert "reasoning" not in filled


@pytest.mark.parametrize("id", ["mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "mem_abc", "x1"])
def test_an_id_of_rum_comes_back_from_that_of_the_note(id: str) -> None:
    assert work.rum_id(work.note_id(id)) == id


def test_the_index_knows_the_type_the_success_and_the_files_of_a_work() -> None:
    traits = {(one.name, one.key, one.detail) for one in work.of_note(memory.parse(as_note(WHOLE), PATH))}
    files = {(work.FILE, "auth.ts", "edit"), (work.FILE, "api.ts", "relevant")}
    assert traits == {(work.TASK_TYPE, "bug_fix", ""), (work.SUCCESS, "true", ""), *files}
    assert list(work.of_note(note_of_body("## Outcome\n\n- success: perhaps\n"))) == []
    assert work.file_key("src/Auth.ts") == work.file_key("C:\\src\\auth.ts") == "auth.ts"
