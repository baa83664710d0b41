"""What the index knows of a work without parsing it is what parsing it says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings

from mdmem.note import memory
from mdmem.systems.rum import schema, work
from tests.systems.rum.works import WHOLE, WORKS

BODY = work.note_of(schema.checked(WHOLE), lambda id: id)[1]


def traits_by_parsing(body: str) -> tuple[Any, Any, dict[str, str]]:
    layers = work.layers_of(work.read(body))
    return layers["intent"].get("task_type"), layers["outcome"].get("success"), schema.files_of(layers)


def traits_of(body: str) -> tuple[Any, Any, dict[str, str]]:
    found = list(work.of_note(memory.parse(f"---\ntype: work\n---\n\n{body}".encode(), "a.md")))
    by_name = {trait.name: trait.key for trait in found}
    ended = {"true": True, "false": False}.get(by_name.get(work.SUCCESS, ""))
    return by_name.get(work.TASK_TYPE), ended, {one.value: one.detail for one in found if one.name == work.FILE}


@settings(max_examples=60)
@given(WORKS)
def test_reading_lines_and_parsing_agree_on_any_work(value: dict[str, Any]) -> None:
    body = work.note_of(value, lambda id: id)[1]
    assert traits_of(body) == traits_by_parsing(body)


HAND_WRITTEN = {
    "as mdmem writes it": BODY,
    "stars": BODY.replace("- ", "* "),
    "two kinds of bullets in one section": BODY.replace("- type: command_run", "* type: command_run"),
    "text above": f"As discussed.\n\n{BODY}",
    "a heading of a person's own": BODY.replace("## Outcome", "### Aside\n\n- type: file_delete\n\n## Outcome"),
    "code": BODY.replace("- goal: Stop the random logouts", "- goal:\n  ```\n  - task_type: other\n  ```"),
    "a plain list of files": BODY.replace("- path: src/api.ts\n    - relevance: Has the endpoint", "- src/api.ts"),
    "JSON": BODY.replace(
        "- type: command_run", '- {"type": "file_read", "details": {"file_path": "b.ts"}}\n- type: x'
    ),
    "the form of the template": BODY.replace("- type: file_edit", "- - type: file_edit"),
    "a flat action": BODY.replace("- type: command_run", "- type: file_read\n  - file_path: c.ts"),
    "a paragraph that goes on": BODY.replace("- goal: Stop", "- goal: Stop\n  - task_type: other\nall"),
    "no task type and no success": BODY.replace("- task_type: bug_fix\n", "").replace("- success: true\n", ""),
    "a section twice": BODY + "\n## Actions\n\n- type: file_delete\n  - details:\n    - file_path: z.ts\n",
    "tabs": BODY.replace("    - file_path", "\t- file_path"),
    "four blanks": BODY.replace("  - details:\n    - file_path", "    - details:\n        - file_path"),
}


@pytest.mark.parametrize("body", HAND_WRITTEN.values(), ids=HAND_WRITTEN)
def test_reading_lines_and_parsing_agree_on_what_people_write(body: str) -> None:
    assert traits_of(body) == traits_by_parsing(body)


def test_files_are_looked_up_by_the_last_part_of_their_path() -> None:
    assert work.file_key("src/Auth.ts") == work.file_key("C:\\src\\auth.ts") == "auth.ts"
