"""Works, chapters and wisdom go to RUM's database and back without loss; what is not RUM's is refused whole."""

from __future__ import annotations

import copy
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import exchange
from mdmem.systems.rum.database import SCHEMA, RumDocument
from tests.systems.rum.works import LEAST, WHOLE

Run = Callable[..., Any]

FIRST, SECOND, THIRD = (f"mem_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b1{digit}" for digit in "123")
CHAPTER, WISDOM = "chapter_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2c11", "wisdom_0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2d11"
DOCUMENT: dict[str, Any] = {
    "agents": [
        {"id": "claude-code", "type": "main", "project_id": "shop", "created_at": 1705430000},
        {
            **{"id": "helper", "type": "subagent", "parent_id": "claude-code", "project_id": "shop"},
            **{"created_at": 1705430001, "metadata": {"model": "small"}},
        },
    ],
    "memories": [
        {**WHOLE, "access_count": 3, "last_accessed": 1705440000},
        {
            **LEAST,
            **{"id": SECOND, "agent_id": "helper", "project_id": "shop", "session_id": "conv-43"},
            **{"created_at": 1705432900.25, "links": {"caused_by": [FIRST], "supersedes": FIRST}},
            **{"tags": [], "importance": 0, "perception": {}, "reasoning": {}, "actions": []},
        },
    ],
    "chapters": [
        {
            **{"id": CHAPTER, "project_id": "shop", "created_at": 1705440000, "updated_at": 1705450000},
            **{
                "title": "Tokens",
                "summary": "Two works:\n- not a bullet",
                "learnings": ["A refresh token expires"],
            },
            **{"start_ts": 1705432800, "end_ts": 1705432900.25, "tags": ["auth"], "topics": ["auth"]},
            **{"origin": "manual", "memories": [SECOND, FIRST]},
        }
    ],
    "wisdom": [
        {
            **{"id": WISDOM, "project_id": "shop", "created_at": 1705460000, "updated_at": 1705460000},
            **{"summary": "What is known", "insights": ["One"], "patterns": ["Two"], "best_practices": ["Three"]},
            **{"tags": ["auth"], "start_ts": 1705432800, "end_ts": 1705432900.25, "chapters": [CHAPTER]},
        }
    ],
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "rum.json"
    path.write_text(json.dumps(DOCUMENT))
    return path


def exported(root: Path) -> dict[str, Any]:
    with Vault.open(str(root)) as vault:
        done = exchange.exported(vault, silent)
    assert done.problems == ()
    return {name: list(rows) for name, rows in done.document._asdict().items()}


def in_full(document: dict[str, Any]) -> dict[str, Any]:
    """With what a vault says even where it is empty."""
    works = [{"access_count": 0, "last_accessed": None, **work} for work in document["memories"]]
    return {**document, "memories": works}


def in_whole_seconds(document: dict[str, Any]) -> dict[str, Any]:
    """With times as columns of whole numbers hold them."""
    return {kind: [rounded(row) for row in rows] for kind, rows in document.items()}


def rounded(row: dict[str, Any]) -> dict[str, Any]:
    times = ("created_at", "updated_at", "start_ts", "end_ts", "last_accessed")
    return {name: int(value) if name in times and value is not None else value for name, value in row.items()}


def test_a_document_survives_the_vault_and_the_database(
    root: Path, source: Path, tmp_path: Path, mdmem: Run, empty_vault: Path
) -> None:
    import shutil

    mdmem("import", "rum", source, "--vault", root)
    assert exported(root) == in_full(DOCUMENT)

    database = tmp_path / "out.sqlite"
    mdmem("export", "rum", database, "--vault", root)
    other = tmp_path / "other"
    shutil.copytree(empty_vault, other)
    mdmem("import", "rum", database, "--vault", other)
    assert exported(other) == in_whole_seconds(in_full(DOCUMENT))
    again = mdmem("import", "rum", database, "--vault", other, "--json")
    assert json.loads(again.out)["commit"] == ""


def test_the_database_holds_its_own_constraints(root: Path, source: Path, tmp_path: Path, mdmem: Run) -> None:
    mdmem("import", "rum", source, "--vault", root)
    mdmem("export", "rum", tmp_path / "out.sqlite", "--vault", root)
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as db:
        db.execute("PRAGMA foreign_keys=ON")
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        files = dict(db.execute("SELECT file_path, operation FROM memory_files WHERE memory_id=?", [FIRST]))
        assert files == {"src/auth.ts": "edit", "src/api.ts": "relevant"}
        indexes = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'idx%'")}
        assert indexes == {
            *("idx_memories_agent", "idx_memories_project", "idx_memories_created", "idx_memories_intent_type"),
            *("idx_memories_success", "idx_memory_files_path", "idx_memory_links_target"),
        }
        for wrong in (
            "INSERT INTO agents VALUES('x', 'boss', NULL, 'shop', 1, NULL)",
            "INSERT INTO agents VALUES('x', 'subagent', 'nobody', 'shop', 1, NULL)",
            "UPDATE memories SET agent_id='nobody'",
            "UPDATE memories SET intent_goal=NULL",
            f"INSERT INTO memory_links VALUES('{FIRST}', 'nothing', 'caused_by', 1)",
            f"INSERT INTO memory_links VALUES('{SECOND}', '{FIRST}', 'caused_by', 1)",
            f"UPDATE memories SET id='{FIRST}' WHERE id='{SECOND}'",
            "DELETE FROM agents WHERE id='helper'",
            f"INSERT INTO memory_files SELECT * FROM memory_files WHERE memory_id='{FIRST}'",
            "INSERT INTO memory_files VALUES('mem_nothing', 'a.ts', 'edit')",
            "UPDATE chapters SET origin='dream'",
            "INSERT INTO chapter_memories SELECT id, 'mem_nothing', 1 FROM chapters",
            "INSERT INTO wisdom_chapters SELECT id, 'chapter_nothing' FROM wisdom",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                db.execute(wrong)


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(DOCUMENT)
    at: Any = document
    *above, last = [int(part) if part.isdigit() else part for part in path.split("/")]
    for part in above:
        at = at[part]
    if value is None:
        del at[last]
    else:
        at[last] = value
    return document


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("memories/0/intent/goal", None, "intent.goal"),
        ("memories/0/outcome/success", "yes", "outcome.success"),
        ("memories/0/actions/0/type", "file_burn", "actions[0].type"),
        ("memories/0/importance", 2, "importance"),
        ("memories/1/id", WHOLE["id"], "used twice"),
        ("agents/0/parent_id", "helper", "leads back"),
        ("agents/1/parent_id", "nobody", "parent_id"),
        ("chapters/0/memories", [THIRD], "memories names"),
        ("wisdom/0/chapters", ["chapter_x"], "chapters names"),
        ("wisdom", {}, "wisdom is not a list"),
    ],
)
def test_what_is_not_valid_is_named_and_nothing_is_imported(
    root: Path, tmp_path: Path, mdmem: Run, path: str, value: Any, named: str
) -> None:
    (tmp_path / "bad.json").write_text(json.dumps(changed(path, value)))
    ran = mdmem("import", "rum", tmp_path / "bad.json", "--vault", root, code=2)
    assert named in ran.err
    assert list((root / "allmemories").iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("PRAGMA foreign_keys=OFF; UPDATE memories SET agent_id='nobody'", "memories"),
        ("UPDATE memories SET intent='{\"goal\": '", "intent is not JSON"),
        ("UPDATE memories SET intent=x'00ff'", "intent of a row is binary"),
        ("UPDATE memories SET created_at='soon'", "created_at"),
        ("UPDATE memories SET tags='{}'", "tags"),
        ("UPDATE memory_links SET link_type='likes' WHERE link_type='caused_by'", "likes"),
        ("UPDATE agents SET parent_id='helper' WHERE id='claude-code'", "leads back"),
        ("DROP TABLE memory_files", "no table memory_files"),
        ("ALTER TABLE memories DROP COLUMN outcome", "no such column: outcome"),
        (
            "ALTER TABLE memory_files RENAME TO m; CREATE VIEW memory_files AS WITH RECURSIVE c(memory_id,"
            " file_path, operation) AS (SELECT 'a','b','c' UNION ALL SELECT * FROM c) SELECT * FROM c",
            "no table memory_files",
        ),
    ],
)
def test_a_hostile_database_is_refused(
    root: Path, source: Path, tmp_path: Path, mdmem: Run, sql: str, named: str
) -> None:
    from mdmem.systems.rum import database

    place = tmp_path / "bad.sqlite"
    database.write(str(place), database.checked(RumDocument(**DOCUMENT)), {})
    with closing(sqlite3.connect(place)) as db, db:
        db.executescript(sql)
    ran = mdmem("import", "rum", place, "--vault", root, code=2)
    assert named in ran.err
    assert list((root / "allmemories").iterdir()) == []


def test_a_torn_database_is_refused(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "torn.sqlite").write_bytes(b"SQLite format 3\0" + bytes(5000))
    assert "cannot be read" in mdmem("import", "rum", tmp_path / "torn.sqlite", "--vault", root, code=2).err


def test_a_database_as_the_implementation_writes_it_is_imported(root: Path, tmp_path: Path, mdmem: Run) -> None:
    """Layers that are NULL, files that only its index names, milliseconds, and what a vault has no place for."""

    place = tmp_path / "their.sqlite"
    loose = SCHEMA.replace("perception JSON NOT NULL", "perception JSON")
    with closing(sqlite3.connect(place)) as db, db:
        db.executescript(loose.replace("metadata JSON", "metadata JSON, capabilities TEXT"))
        db.execute('CREATE TABLE "their sessions" (id TEXT)')
        db.execute("CREATE VIRTUAL TABLE words USING fts5(word)")
        db.execute("INSERT INTO words VALUES('cart')")
        db.execute("INSERT INTO \"their sessions\" VALUES('s1')")
        db.execute("INSERT INTO agents VALUES('main', 'main', NULL, 'shop', 1705432800123, NULL, '[\"edit\"]')")
        action = {"type": "search", "query": "cart", "file_path": "src/a.ts"}
        layers = [LEAST["intent"], None, {}, [action], LEAST["outcome"]]
        for number, id in enumerate((FIRST, SECOND, THIRD)):
            db.execute(
                "INSERT INTO memories(id, agent_id, project_id, session_id, created_at, intent_goal, intent_type,"
                " outcome_success, intent, perception, reasoning, actions, outcome)"
                " VALUES(?,'main','shop','s1',?,'g','bug_fix',1,?,?,?,?,?)",
                [id, 1705432800123 + number, *(layer if layer is None else json.dumps(layer) for layer in layers)],
            )
            db.execute("INSERT INTO memory_files VALUES(?,'src/a.ts','search'), (?,'src/b.ts','read')", [id, id])
        db.execute(
            "INSERT INTO memory_links VALUES(?,?,'supersedes',1), (?,?,'supersedes',2)",
            [THIRD, FIRST, THIRD, SECOND],
        )
    ran = mdmem("import", "rum", place, "--vault", root)
    assert ran.out.startswith("imported 3 RUM memories")
    assert "left out: agents.capabilities, their sessions.id\n" in ran.err
    assert f"left out: supersedes {FIRST} of {THIRD}" in ran.err
    told = json.loads(mdmem("import", "rum", place, "--vault", root, "--dry-run", "--json").out)
    assert [one["severity"] for one in told["problems"]] == ["warning", "warning"]
    works = exported(root)["memories"]
    assert [work["created_at"] for work in works] == [1705432800.123, 1705432800.124, 1705432800.125]
    assert works[0]["perception"] == {"relevant_files": [{"path": "src/b.ts"}]}
    found = json.loads(mdmem("recall", "--as", "work", "--file", "a.ts", "--json", "--vault", root).out)
    assert str(found).count("'operation': 'relevant'") == 3


def test_of_single_links_the_newest_stays(root: Path, tmp_path: Path, mdmem: Run) -> None:
    from mdmem.systems.rum import database

    place = tmp_path / "two.sqlite"
    third = {**LEAST, "id": THIRD, "agent_id": "helper", "created_at": 1705432950}
    document = {**DOCUMENT, "memories": [*DOCUMENT["memories"], third]}
    database.write(str(place), database.checked(RumDocument(**document)), {})
    with closing(sqlite3.connect(place)) as db, db:
        db.execute("INSERT INTO memory_links VALUES(?,?,'supersedes',1)", [SECOND, THIRD])
    assert database.read(str(place)).memories[1]["links"]["supersedes"] == FIRST


def test_a_link_to_no_work_is_left_out_and_told(root: Path, source: Path, tmp_path: Path, mdmem: Run) -> None:
    mdmem("import", "rum", source, "--vault", root)
    (note,) = [path for path in (root / "allmemories").iterdir() if WHOLE["id"][4:] in path.read_text()[:400]]
    mdmem("forget", note.stem, "--vault", root, "--yes")
    ran = mdmem("export", "rum", tmp_path / "out.sqlite", "--vault", root)
    assert "the link was left out" in ran.err
    with closing(sqlite3.connect(tmp_path / "out.sqlite")) as db:
        assert db.execute("SELECT count(*) FROM memory_links").fetchone() == (0,)


def test_links_keep_their_order_where_one_is_left_out(root: Path, tmp_path: Path, mdmem: Run) -> None:
    links = {"caused_by": [FIRST, SECOND], "led_to": [SECOND]}
    third = {**LEAST, "id": THIRD, "agent_id": "helper", "created_at": 1705432950, "links": links}
    given = tmp_path / "three.json"
    given.write_text(json.dumps({**DOCUMENT, "memories": [*DOCUMENT["memories"], third]}))
    assert "imported" in mdmem("import", "rum", given, "--vault", root).out
    (note,) = [path for path in (root / "allmemories").iterdir() if FIRST[4:] in path.read_text()[:400]]
    mdmem("forget", note.stem, "--vault", root, "--yes")
    mdmem("export", "rum", tmp_path / "out.json", "--vault", root)
    works = {work["id"]: work for work in json.loads((tmp_path / "out.json").read_text())["memories"]}
    assert list(works[THIRD]["links"].items()) == [("caused_by", [SECOND]), ("led_to", [SECOND])]


def test_a_memory_with_a_secret_is_left_out_and_named(root: Path, tmp_path: Path, mdmem: Run) -> None:
    document = changed("memories/1/reasoning", {"why_chosen": "My password is hunter2swordfish"})
    document |= {"chapters": [], "wisdom": []}
    (tmp_path / "leak.json").write_text(json.dumps(document))
    told = mdmem("import", "rum", tmp_path / "leak.json", "--vault", root, code=1).err
    assert f"work {SECOND}:26: seems to hold a secret" in told
    assert [work["id"] for work in exported(root)["memories"]] == [FIRST]
    mdmem("import", "rum", tmp_path / "leak.json", "--allow-secret", "--vault", root)
    assert exported(root) == in_full(document)
