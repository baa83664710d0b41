"""A month of works: found by their files, traced, told in chapters, folded, and exported without loss."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

from mdmem.history import lineage
from mdmem.history.lineage import Walk
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import exchange, keeping, recall, schema
from mdmem.systems.rum.database import checked, read
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.shelf import Shelf
from tests.conftest import NOW, git_settings
from tests.systems.rum import month

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("month")]  # one process makes the month
WHO = Caller(NOW, "agent-0", "conv-1")
DOCUMENT = month.document()
WORKS = {work["id"]: work for work in DOCUMENT["memories"]}
OLD, NEW = "src/auth/cache1.ts", "src/auth/store.ts"  # names of one file, before and after


def imported(folder: Path, given: Path) -> Vault:
    (folder / "allmemories").mkdir(parents=True)
    (folder / "mdmem.toml").write_text('id = "month"\n')
    vault = Vault.open(str(folder))
    exchange.write(vault, exchange.plan(vault, str(given), silent), WHO)
    return vault


@pytest.fixture(scope="module")
def works(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    """The month in a vault within the repository of a project, in which a file was renamed."""
    top = tmp_path_factory.mktemp("project")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in git_settings(tmp_path_factory.mktemp("home")).items():
            patch.setenv(name, value)
        (top / "src/auth").mkdir(parents=True)
        (top / OLD).write_text("let in\n" * 20)
        for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "one"], ["mv", OLD, NEW]):
            subprocess.run(["git", *command], cwd=top, check=True)
        subprocess.run(["git", "commit", "-qm", "renamed"], cwd=top, check=True)
        (top / "month.json").write_text(json.dumps(DOCUMENT))
        with imported(top / "notes", top / "month.json") as vault:
            yield vault


def found(works: Vault, **wanted: Any) -> set[str]:
    shown = Shelf(works)
    return {shown.id_of(each.note.name) for each in recall.ranking(works, WorkQuery(**wanted), NOW)}


def expected(fits: Callable[[dict[str, Any]], bool]) -> set[str]:
    return {id for id, work in WORKS.items() if fits(work)}


def touches(pattern: str) -> Callable[[dict[str, Any]], bool]:
    return lambda work: any(fnmatch(path, pattern) for path in schema.files_of(work))


def test_works_are_found_by_their_files_under_any_name(works: Vault) -> None:
    assert found(works, files=(OLD,)) == expected(touches(OLD)) != set()
    assert found(works, files=(NEW,)) == expected(touches(OLD))
    assert found(works, files=("src/mail/*.ts",)) == expected(touches("src/mail/*"))
    assert found(works, files=("src/mail/",), success=False, agents=("agent-2",)) == expected(
        lambda work: (
            touches("src/mail/*")(work) and not work["outcome"]["success"] and work["agent_id"] == "agent-2"
        )
    )


def test_traces_reach_what_the_links_reach_and_end_in_circles(works: Vault) -> None:
    for number, depth in ((100, 3), (103, 8), (month.SIZE - 1, month.SIZE)):
        start = Shelf(works).work(month.id_of(number))
        walked = lineage.trace(works.index, start, Walk("causes", ("caused_by",), depth))
        reached = {f"mem_{each.record.id}" for each in walked.reached}
        near, wanted = {month.id_of(number)}, set[str]()
        for _ in range(depth):
            near = {cause for id in near for cause in WORKS[id]["links"].get("caused_by", ())} - wanted
            wanted |= near
        assert reached == wanted - {month.id_of(number)}


def test_the_month_is_told_folded_and_survives_the_database(works: Vault, tmp_path: Path) -> None:
    chapters = keeping.detect(works, WHO)
    assert len(chapters.pages) == len({(work["project_id"], *work["tags"]) for work in WORKS.values()})
    assert [page.type for page in keeping.synthesize(works, (), WHO).pages] == ["wisdom"] * 3
    before = datetime(2026, 2, 15, tzinfo=UTC)
    old = expected(lambda work: work["created_at"] < before.timestamp() and work["importance"] < keeping.LITTLE)
    done = keeping.archive(works, before, WHO)
    assert (len(done.archived), done.pages) == (len(old), ())
    assert found(works) == WORKS.keys() - old

    first = exchange.exported(works, silent)
    assert first.problems == ()
    assert [work["id"] for work in first.document.memories] == list(WORKS)
    database = tmp_path / "month.sqlite"
    exchange.write_database(works, str(database), first.document)
    with closing(sqlite3.connect(database)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
        assert db.execute("SELECT count(*) FROM memories").fetchone() == (month.SIZE,)
        refuses(db)
    assert read(str(database)) == checked(first.document)


def refuses(db: sqlite3.Connection) -> None:
    """SQLite itself enforces the keys, the references and the checks of the schema."""
    db.execute("PRAGMA foreign_keys=ON")
    first, second = month.id_of(0), month.id_of(1)
    for wrong in (
        "UPDATE agents SET type='boss' WHERE id='agent-0'",
        "UPDATE agents SET parent_id='nobody' WHERE id='agent-2'",
        "DELETE FROM agents WHERE id='agent-3'",
        f"UPDATE memories SET id='{first}' WHERE id='{second}'",
        f"UPDATE memories SET outcome_success=NULL WHERE id='{first}'",
        f"INSERT INTO memory_files SELECT * FROM memory_files WHERE memory_id='{first}'",
        "INSERT INTO memory_files VALUES('mem_nothing', 'a.ts', 'edit')",
        f"INSERT INTO memory_links VALUES('{second}', '{first}', 'caused_by', 1)",
        "INSERT INTO chapter_memories SELECT id, 'mem_nothing', 1 FROM chapters",
        "UPDATE chapters SET origin='dream'",
        "INSERT INTO wisdom_chapters SELECT id, 'chapter_nothing' FROM wisdom",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            db.execute(wrong)
