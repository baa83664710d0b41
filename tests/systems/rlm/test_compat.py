"""The names of the public package, and what importing them costs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mdmem.chunks import ChunkIndex, ChunkStore
from mdmem.compat.rlm.memory_schema import load_jsonl_records, validate_record
from mdmem.compat.rlm.migration_tool import migrate_chunks

import mdmem.systems.compat.chunks
from tests.conftest import NOW

MODULES = {
    "memory_store": "ChunkStore ChunkIndex Chunk ChunkMetadata ChunkLinks ChunkType init_storage",
    "chunking_engine": "TIKTOKEN_AVAILABLE ChunkingEngine ChunkResult chunk_and_store",
    "auto_linker": "AutoLinker create_chunk_with_links calculate_link_strength",
    "memory_schema": "load_jsonl_records validate_record",
    "migration_tool": "migrate_chunks",
    "remember_operation": "RememberOperation",
    "recall_operation": "RecallOperation RecallResult",
}


@pytest.mark.parametrize("module", MODULES)
def test_modules_have_the_names_of_the_public_package(module: str) -> None:
    found, whole = import_module(f"mdmem.compat.rlm.{module}"), import_module("mdmem.compat.rlm")
    for name in MODULES[module].split():
        assert getattr(found, name) is getattr(mdmem.systems.compat.chunks, name) is getattr(whole, name)


def test_every_public_name_is_one_of_them() -> None:
    assert sorted(" ".join(MODULES.values()).split()) == sorted(mdmem.systems.compat.chunks.__all__)
    assert set(mdmem.systems.compat.chunks._PUBLIC) == set(mdmem.systems.compat.chunks.__all__)
    with pytest.raises(AttributeError):
        mdmem.systems.compat.chunks.NoSuchName  # noqa: B018


def loaded_by(code: str) -> set[str]:
    line = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)"]
    return set(subprocess.run(line, capture_output=True, text=True, check=True).stdout.split())


def test_importing_is_cheap() -> None:
    """Neither the store nor anything it needs is loaded before it is used, and no git library with the store."""
    loaded = loaded_by("import mdmem.chunks, mdmem.compat.rlm")
    asked = {"mdmem", "mdmem.chunks", "mdmem.compat", "mdmem.compat.rlm"}
    own = {"mdmem.systems", "mdmem.systems.compat.chunks", "mdmem.systems.compat"}
    assert {name for name in loaded if name.startswith("mdmem")} == asked | own
    assert not loaded_by("from mdmem.systems.compat.chunks import ChunkStore") & {
        "git",
        "click",
        "markdown_it",
        "rapidfuzz",
        "numpy",
    }


# -- an index of a program's own -----------------------------------------------------------------------------


def test_an_index_keeps_entries_and_lists_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "index" / "mine.json"
    index = ChunkIndex(path, lambda: NOW)
    index.add("chunk-1", {"type": "fact"})
    index.add_to_list("python", "chunk-1")
    index.add_to_list("python", "chunk-1")
    index.add_to_list("python", "chunk-2")
    assert json.loads(path.read_text()) == {
        "entries": {"chunk-1": {"type": "fact"}},
        "lists": {"python": ["chunk-1", "chunk-2"]},
        "updated": "2026-03-01T12:00:00.000000Z",
    }
    again = ChunkIndex(path)
    assert (again.get("chunk-1"), again.get("nothing"), again.get("nothing", 5)) == ({"type": "fact"}, None, 5)
    assert (again.get_list("python"), again.get_list("none")) == (["chunk-1", "chunk-2"], [])
    assert again.get_all_keys() == ["chunk-1", "python"]
    assert (again.remove("chunk-1"), again.remove("chunk-1")) == (True, False)
    assert (again.remove_from_list("python", "chunk-1"), again.remove_from_list("python", "no")) == (True, False)
    assert again.remove_from_list("python", "chunk-2")
    assert (ChunkIndex(path).entries, ChunkIndex(path).lists) == ({}, {})
    assert [file.name for file in path.parent.iterdir()] == ["mine.json"]


@pytest.mark.parametrize(
    "damaged", ["", "[]", '{"entries": 5}', '{"entries": {}, "lists": {"a": 5}, "updated": 1}']
)
def test_a_damaged_index_is_empty_and_said(tmp_path: Path, damaged: str, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "mine.json"
    path.write_text(damaged)
    assert ChunkIndex(path).get_all_keys() == []
    assert "mine.json cannot be read" in caplog.text


# -- records of the layered memory ---------------------------------------------------------------------------

RECORD = {
    "id": "mem-1",
    "created_at": "2026-02-11T00:00:00Z",
    "scope": "project_global",
    "entry_type": "fact",
    "content": "hello",
    "project_id": "rlm-mem",
}


def test_a_sound_record_gets_defaults() -> None:
    record, warning = validate_record({**RECORD, "more": 1, "tags": None}, 1, "x.jsonl")
    assert warning is None
    assert record == {**RECORD, "more": 1, "tags": [], "confidence": 0.7, "source": "unknown", "expires_at": None}


@pytest.mark.parametrize(
    ("record", "code", "more"),
    [
        ([], "invalid_record_type", {"actual_type": "list"}),
        ({**RECORD, "id": ""}, "missing_required_fields", {"missing_fields": ["id"]}),
        ({**RECORD, "scope": "moon"}, "invalid_scope", {"scope": "moon"}),
        ({**RECORD, "scope": ["moon"]}, "invalid_scope", {}),
        ({**RECORD, "scope": "user_agent"}, "invalid_agent_scope", {"scope": "user_agent"}),
    ],
)
def test_what_is_wrong_with_a_record(record: Any, code: str, more: dict[str, Any]) -> None:
    found, warning = validate_record(record, 3, Path("x.jsonl"))
    assert found is None
    assert warning
    assert {"code": code, "path": "x.jsonl", "line": 3, **more}.items() <= warning.items()


def test_records_of_a_file(tmp_path: Path) -> None:
    place = tmp_path / "memory.jsonl"
    one, two = (json.dumps(RECORD | {"id": id}).encode() for id in ("1", "2"))
    place.write_bytes(b"\n".join([one, b"", b"{broken", b"\xff", b"null", two, b""]))
    records, warnings = load_jsonl_records(place)
    assert [record["id"] for record in records] == ["1", "2"]
    assert [(one["line"], one["code"]) for one in warnings] == [
        *((3, "invalid_json"), (4, "invalid_json"), (5, "invalid_record_type"))
    ]
    assert load_jsonl_records(tmp_path / "none.jsonl") == ([], [])


# -- migration -----------------------------------------------------------------------------------------------


def test_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], git: Callable[..., str]
) -> None:
    metadata = {"created": "2026-02-10T10:00:00Z", "conversation_id": "conv-1"}
    chunk = {
        "id": "chunk-2026-02-10-abc123",
        "content": "Tables.",
        "tokens": 2,
        "type": "fact",
        "metadata": metadata,
    }
    source = tmp_path / "old/chunks/2026-02"
    source.mkdir(parents=True)
    (source / "chunk-1.json").write_text(json.dumps(chunk | {"metadata": metadata}))
    (source / "chunk-2.json").write_text("null")
    monkeypatch.chdir(tmp_path)
    migrate_chunks(tmp_path / "old", "project_global", "project_global", dry_run=True)
    with ChunkStore("brain/memory") as store:
        assert store.list_chunks() == []
    for _ in range(2):
        migrate_chunks(tmp_path / "old", "project_global", "project_global", backup=True)
    with ChunkStore("brain/memory", clock=lambda: NOW) as store:
        assert store.list_chunks() == [chunk["id"]]
        (note,) = Path(store.vault.root, "allmemories").iterdir()
    assert "scope: project_global" in note.read_text()
    told = capsys.readouterr().out
    assert "would import 1" in told
    assert "imported 0, there already 1" in told
    assert "chunk-2.json" in told
    migrate_chunks(tmp_path / "nowhere", "x", "x")
