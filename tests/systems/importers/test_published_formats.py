"""Importers of programs that cannot run here: the files are written by hand from the published formats.

claude-memory: https://code.claude.com/docs/en/memory. mem0: the answer of `get_all`, https://docs.mem0.ai.
chatgpt: `conversations.json` with messages to the tool `bio`. claude: `memories.json` and `projects.json`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import UsageError
from mdmem.note import memory
from mdmem.note.memory import Memory
from mdmem.store import registry
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.intake import Intake

UUID = "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"


@pytest.fixture
def imported(vault: Vault, caller: Caller) -> Callable[..., tuple[Intake, dict[str, Memory]]]:
    """Import a source, and again, which adds nothing: the plan, and the notes by their sources."""

    def run(name: str, given: Path) -> tuple[Intake, dict[str, Memory]]:
        importer: Any = registry.importer(name)
        plan = importer.plan(vault, str(given), silent)
        assert importer.write(vault, plan, caller)
        again = importer.plan(vault, str(given), silent)
        assert (again.items, len(again.known)) == ((), len(plan.items))
        return plan, {item.facts["source"]: memory.parse(vault.read(item.path), item.path) for item in plan.items}

    return run


Imported = Callable[..., tuple[Intake, dict[str, Memory]]]


def test_the_memory_of_claude_code(imported: Imported, vault: Vault, tmp_path: Path) -> None:
    folder = tmp_path / "-home-me-shop/memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text(
        "# Memory\n\n- [Tabs](feedback-tabs.md) - how to indent\n- [Ada](user_ada_leads_the_team.md)\n"
    )
    (folder / "feedback-tabs.md").write_text(
        "---\nname: feedback-tabs\ndescription: Indent with tabs in the shop\nmetadata: \n  node_type: memory\n"
        f"  type: feedback\n  originSessionId: {UUID}\n  modified: 2026-01-02T10:00:00.000Z\n---\n\n"
        "Use tabs. See [[user_ada_leads_the_team]].\n"
    )
    (folder / "user_ada_leads_the_team.md").write_text(
        "---\ntype: user\n---\n\nAda leads. [x](feedback-tabs.md)\n"
    )
    plan, notes = imported("claude-memory", tmp_path / "-home-me-shop")
    assert [(Path(one.path).name, one.severity) for one in plan.problems] == [("MEMORY.md", "warning")]
    tabs, ada = notes["feedback-tabs.md"], notes["user_ada_leads_the_team.md"]
    assert (tabs.title, tabs.type, tabs.text("imported_type")) == (
        "Indent with tabs in the shop",
        "preference",
        "feedback",
    )
    assert (tabs.text("session"), tabs.updated, tabs.text("name")) == (
        UUID,
        "2026-01-02T10:00:00Z",
        "feedback-tabs",
    )
    assert (ada.type, ada.text("scope"), ada.name) == ("fact", "user", "user_ada_leads_the_team")
    assert ada.body.strip() == f"Ada leads. [x]({tabs.name}.md)"
    (folder / "user_ada_leads_the_team.md").write_text("---\ntype: user\n---\n\nAda leads two teams.\n")
    changed: Any = registry.importer("claude-memory")
    (item,) = changed.plan(vault, str(folder), silent).items
    assert (item.facts["updated"], item.path) == (True, ada.path)


def test_what_an_index_of_claude_code_says_beside_its_list_is_kept(imported: Imported, tmp_path: Path) -> None:
    (tmp_path / "m").mkdir()
    (tmp_path / "m/MEMORY.md").write_text("# Memory\n\nThe shop runs on port 8020.\n")
    plan, notes = imported("claude-memory", tmp_path / "m")
    assert plan.problems == ()
    assert "port 8020" in notes["MEMORY.md"].body


def test_memories_of_mem0(imported: Imported, tmp_path: Path) -> None:
    first = {
        "id": UUID,
        "memory": "Ada likes green tea",
        "hash": "abc",
        "metadata": {"room": 4, "id": "x"},
        "categories": ["food and drink"],
        "created_at": "2026-01-02T10:00:00.123456-08:00",
        "updated_at": None,
        "user_id": "ada",
        "score": 0.3,
    }
    (tmp_path / "m.json").write_text(
        json.dumps({"results": [first, {"id": "none"}], "relations": [{"source": "ada", "target": "tea"}]})
    )
    plan, notes = imported("mem0", tmp_path / "m.json")
    assert sorted(one.severity for one in plan.problems) == ["error", "warning"]
    note = notes[UUID]
    assert (note.id, note.created, note.tags) == (UUID, "2026-01-02T18:00:00Z", ("food-and-drink",))
    assert (note.meta["user_id"], note.meta["room"], note.meta["metadata_id"]) == ("ada", 4, "x")
    assert note.meta.keys().isdisjoint(("hash", "score", "memory"))


def test_saved_memories_of_chatgpt(imported: Imported, tmp_path: Path) -> None:
    def message(recipient: str, text: str) -> dict[str, object]:
        content = {"content_type": "text", "parts": [text]}
        return {"message": {"recipient": recipient, "content": content, "create_time": 1767348000.5}}

    chat = {
        "conversation_id": "c1",
        "mapping": {
            "a": message("all", "Hello"),
            "b": message("bio", "User prefers short answers."),
            "c": message("bio", "User prefers short answers."),
            "d": message("bio", "Forget that the user has a dog."),
            "e": {"message": None},
        },
    }
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("conversations-000.json", json.dumps([chat]))
        archive.writestr("conversations-001.json", "[{")
        archive.writestr("user.json", "{}")
    plan, notes = imported("chatgpt", tmp_path / "export.zip")
    (note,) = notes.values()
    assert note.body.strip() == "User prefers short answers."
    assert (note.created, note.text("session")) == ("2026-01-02T10:00:00Z", "c1")
    assert sorted(one.severity for one in plan.problems) == ["error", "warning"]


def test_memories_copied_from_the_settings_of_chatgpt(imported: Imported, tmp_path: Path) -> None:
    (tmp_path / "saved.txt").write_text("- Has a cat called Mina.\n\nLives in Lisbon, Portugal.\n")
    _, notes = imported("chatgpt", tmp_path / "saved.txt")
    assert {note.body.strip() for note in notes.values()} == {
        "Has a cat called Mina.",
        "Lives in Lisbon, Portugal.",
    }


def test_json_of_another_program_is_no_list_of_memories(vault: Vault, tmp_path: Path) -> None:
    """Its lines became notes that say `{"type": ...`."""
    (tmp_path / "graph.jsonl").write_text(
        '{"type": "entity", "name": "Anna"}\n{"type": "entity", "name": "Ben"}\n'
    )
    plan = registry.importer("chatgpt").plan(vault, str(tmp_path / "graph.jsonl"), silent)
    assert not plan.items
    assert "without a text" in plan.problems[0].message


def test_a_secret_is_left_out_and_told_nowhere(vault: Vault, tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7H8"
    (tmp_path / "saved.txt").write_text(f"The token is {token}.\nHas a cat called Mina.\n")
    plan = registry.importer("chatgpt").plan(vault, str(tmp_path / "saved.txt"), silent)
    assert [item.note.body.strip() for item in plan.items] == ["Has a cat called Mina."]
    assert [problem.code for problem in plan.problems] == ["secret"]
    assert token not in str(plan)


def test_a_folder_without_an_export_is_told(vault: Vault, tmp_path: Path) -> None:
    for name in ("chatgpt", "claude", "mem0"):
        plan = registry.importer(name).plan(vault, str(tmp_path), silent)
        assert ["holds no" in problem.message for problem in plan.problems] == [True]


def test_what_claude_ai_remembers(imported: Imported, tmp_path: Path) -> None:
    record = {
        "account_uuid": "a1",
        "conversations_memory": "**Work context**\n\nAda leads the web team.",
        "project_memories": {"p1": "The shop runs on port 8020.", "p2": " "},
    }
    (tmp_path / "memories.json").write_text(json.dumps([record, {}]))
    (tmp_path / "projects.json").write_text(json.dumps([{"uuid": "p1", "name": "Web shop"}]))
    (tmp_path / "conversations.json").write_text("not read")
    plan, notes = imported("claude", tmp_path)
    assert [one.severity for one in plan.problems] == ["error"]
    assert notes.keys() == {"conversations_memory", "project_memories/p1"}
    of_project = notes["project_memories/p1"]
    assert (of_project.title, of_project.text("project")) == ("What Claude remembers of Web shop", "Web shop")


def test_of_two_accounts_that_call_their_memories_alike_each_counts_for_itself(
    imported: Imported, vault: Vault, tmp_path: Path
) -> None:
    said = {"a": "Ada likes tea.", "b": "Bea drives a lorry.", "c": "The key is AKIAIOSFODNN7EXAMPLZ."}
    records = [{"account_uuid": account, "conversations_memory": text} for account, text in said.items()]
    (tmp_path / "memories.json").write_text(json.dumps(records))
    plan, notes = imported("claude", tmp_path)
    assert [one.code for one in plan.problems] == ["secret"]
    assert [note.body.strip() for note in notes.values()] == ["Ada likes tea.", "Bea drives a lorry."]


def test_a_zip_that_is_broken_is_refused(vault: Vault, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as archive:
        archive.writestr("memories.json", "[]" * 500)
    data = bytearray((tmp_path / "x.zip").read_bytes())
    data[60] ^= 0xFF
    (tmp_path / "x.zip").write_bytes(data)
    with pytest.raises(UsageError, match="cannot be unpacked"):
        registry.importer("claude").plan(vault, str(tmp_path / "x.zip"), silent)
