"""The index is always what the files say, however they changed, and can be lost at any time."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from mdmem.errors import BusyError, MdmemError, StoppedError
from mdmem.note.memory import Memory
from mdmem.store.git import log
from mdmem.store.git.log import Step
from mdmem.store.git.repo import Repo, Status
from mdmem.store.index import database, disk, freshness, rows
from mdmem.store.index.freshness import Index
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake
from tests.conftest import Commit, Git, Remember, Write


def found(vault: Vault, word: str) -> list[str]:
    """The names found for a word, after freshening."""
    vault.index.freshen()
    return [record.name for record in vault.index.records_at(vault.index.search(f'"{word}"', 50))]


def fill(vault: Vault, caller: Caller, count: int, text: bytes = b"alpha") -> None:
    """So many notes, in one commit."""
    with vault.change(caller.does("import")) as tx:
        for number in range(count):
            tx.write(f"allmemories/note_number_{number}.md", text)


def test_a_note_saved_a_moment_ago_is_found_with_no_commit(vault: Vault, write: Write) -> None:
    assert found(vault, "lovelace") == []
    path = write("allmemories/ada_wrote_notes.md", "Lovelace wrote them.")
    assert found(vault, "lovelace") == ["ada_wrote_notes"]
    path.write_text("Babbage built it.")  # within the same second
    assert found(vault, "lovelace") == []
    assert found(vault, "babbage") == ["ada_wrote_notes"]
    path.unlink()
    assert found(vault, "babbage") == []


def test_a_commit_taken_in_by_another_process_meanwhile_is_not_taken_out_again(
    root: Path, git: Git, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What git said a moment ago is older than the index by now; going back would mean reading all of history."""
    remember("The first memory of this vault.")
    real, asked = Repo.status, []

    def write_meanwhile(self: Repo, *args: Sequence[str]) -> Status:
        found = real(self, *args)
        if not asked:
            asked.append(1)
            with Vault(str(root)) as other:
                intake.remember(
                    other,
                    intake.Draft("A memory of another process.", {}),
                    Caller(datetime(2026, 3, 1, tzinfo=UTC)),
                )
        return found

    walked: list[object] = []
    monkeypatch.setattr(Repo, "status", write_meanwhile)
    monkeypatch.setattr(log, "steps", lambda *args: walked.append(args))
    with Vault(str(root)) as late:
        (root / "allmemories/made_by_hand.md").write_text("By hand.\n")
        assert late.index.head == git(root, "rev-parse", "HEAD")
        assert late.index.count() == 3
    assert walked == []


def test_a_commit_that_a_reader_takes_in_meanwhile_is_taken_in_once(
    root: Path, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("The first memory of this vault.")
    real, begun = database.Database.transaction, []

    def read_meanwhile(self: database.Database, *args: str) -> AbstractContextManager[None]:
        if not begun:
            begun.append(1)
            with Vault(str(root)) as reader:
                assert reader.index.count() == 2
        return real(self, *args)

    def follow_late(self: Index, step: Step, notes: Mapping[str, Memory]) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(database.Database, "transaction", read_meanwhile)
            follow(self, step, notes)

    follow = Index.freshen_commit
    monkeypatch.setattr(Index, "freshen_commit", follow_late)
    path = remember("The second memory of this vault.")
    assert begun
    with Vault(str(root)) as vault:
        assert len(vault.index.versions(path)) == 1


def test_same_size_and_time_is_still_seen(vault: Vault, write: Write, root: Path, commit: Commit) -> None:
    path = write("allmemories/ada_wrote_notes.md", "lovelace")
    commit("x")
    assert found(vault, "lovelace") == ["ada_wrote_notes"]
    stat = path.stat()
    path.write_text("babbages")
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert found(vault, "babbages") == ["ada_wrote_notes"]
    other = root / "replacement"
    other.write_text("hopperss")
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    os.replace(other, path)
    assert found(vault, "hopperss") == ["ada_wrote_notes"]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute has passed: what was saved just now is not racy any more."""
    real = time.time_ns
    monkeypatch.setattr(freshness.time, "time_ns", lambda: real() + 60_000_000_000)


@pytest.mark.usefixtures("later")
def test_a_dirty_note_is_not_read_again_and_again(vault: Vault, write: Write) -> None:
    path = write("allmemories/ada_wrote_notes.md", "lovelace")
    assert vault.index.freshen() == 0  # the property freshened just now
    path.write_text("again")
    assert vault.index.freshen() == 1
    assert vault.index.freshen() == 0


def test_whatever_git_does_is_followed(vault: Vault, write: Write, git: Git, root: Path, commit: Commit) -> None:
    write("allmemories/one_first_note.md", "alpha")
    write("allmemories/two_second_note.md", "beta")
    commit("two")
    assert found(vault, "alpha") == ["one_first_note"]
    git(root, "checkout", "--quiet", "-b", "side", "HEAD~1")
    assert found(vault, "alpha") == []
    write("allmemories/three_third_note.md", "gamma")
    commit("three")
    git(root, "merge", "--quiet", "-m", "merge", "main")
    assert found(vault, "alpha OR gamma".split(maxsplit=1)[0]) == ["one_first_note"]
    assert found(vault, "gamma") == ["three_third_note"]
    git(root, "mv", "allmemories/one_first_note.md", "allmemories/moved_first_note.md")
    assert found(vault, "alpha") == ["moved_first_note"]
    git(root, "stash", "--quiet")
    assert found(vault, "alpha") == ["one_first_note"]
    git(root, "stash", "pop", "--quiet", "--index")
    git(root, "commit", "--quiet", "--amend", "--no-edit")
    assert found(vault, "alpha") == ["moved_first_note"]
    git(root, "reset", "--quiet", "--hard", "main")
    assert found(vault, "gamma") == []
    assert found(vault, "alpha") == ["one_first_note"]
    git(root, "rm", "--quiet", "allmemories/one_first_note.md")
    git(root, "commit", "--quiet", "-m", "gone")
    assert found(vault, "alpha") == []


def test_a_commit_that_was_garbage_collected(
    vault: Vault, write: Write, git: Git, root: Path, commit: Commit
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    commit()
    assert found(vault, "alpha") == ["one_first_note"]
    git(root, "reset", "--quiet", "--hard", "HEAD~1")
    git(root, "reflog", "expire", "--expire=now", "--all")
    git(root, "gc", "--quiet", "--prune=now")
    write("allmemories/two_second_note.md", "beta")
    assert found(vault, "alpha") == []
    assert found(vault, "beta") == ["two_second_note"]


def test_what_git_ignores_is_no_memory(vault: Vault, write: Write) -> None:
    write(".gitignore", "private*\n")
    write("allmemories/private_secret_note.md", "hush")
    assert found(vault, "hush") == []


def test_a_vanished_folder_is_an_error_never_a_deletion(vault: Vault, root: Path, caller: Caller) -> None:
    fill(vault, caller, 30)
    assert len(found(vault, "alpha")) == 30
    os.rename(root / "allmemories", root / "elsewhere")
    for fresh in (vault, None):
        with Vault(str(root)) as other, pytest.raises(StoppedError, match="30 of 30") as caught:
            (fresh or other).open_index().freshen()
        assert "git restore" in caught.value.hint
    (root / "allmemories").mkdir()
    with pytest.raises(StoppedError, match="30 of 30"):
        vault.index.freshen()
    os.rmdir(root / "allmemories")
    os.rename(root / "elsewhere", root / "allmemories")
    assert len(found(vault, "alpha")) == 30


def test_many_notes_deleted_by_hand_stop_until_it_is_said(
    vault: Vault, root: Path, caller: Caller, git: Git
) -> None:
    fill(vault, caller, 40)
    assert len(found(vault, "alpha")) == 40
    for number in range(10):
        (root / f"allmemories/note_number_{number}.md").unlink()
    assert len(found(vault, "alpha")) == 30
    for number in range(10, 25):
        (root / f"allmemories/note_number_{number}.md").unlink()
    with pytest.raises(StoppedError, match="15 of 30"):
        vault.index.freshen()
    vault.rebuild(silent, allow_loss=True)
    assert len(found(vault, "alpha")) == 15
    git(root, "commit", "--quiet", "-am", "cleaned up")
    assert len(found(vault, "alpha")) == 15


def test_an_unreadable_folder_is_an_error(
    vault: Vault, root: Path, caller: Caller, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    with vault.change(caller.does("import")) as tx:
        tx.write("allmemories/sub/note_number_one.md", b"alpha")
        tx.write("allmemories/note_number_two.md", b"alpha")
    assert len(found(vault, "alpha")) == 2
    vault.close()
    inner = root / "allmemories" / "sub"

    def look() -> str:
        with Vault(str(root)) as own:
            try:
                return str(own.index.names())
            except MdmemError as error:
                return str(error)

    inner.chmod(0o000)
    assert "cannot be read" in without_rights(look)
    inner.chmod(0o755)
    assert without_rights(look) == "['note_number_one', 'note_number_two']"


def test_moving_many_notes_by_hand_is_no_deletion(vault: Vault, root: Path, caller: Caller, git: Git) -> None:
    """Uncommitted moves, by content and by id: nothing is lost, and `created` comes along."""
    with vault.change(caller.does("import")) as tx:
        for number in range(20):
            tx.write(f"allmemories/note_number_{number}.md", b"alpha %d" % number)
            tx.write(f"allmemories/with_an_id_{number}.md", b"---\nid: id-%d\n---\nalpha" % number)
    created = {record.name: record.created for record in vault.index.records()}
    (root / "allmemories" / "deeper").mkdir()
    for path in list((root / "allmemories").glob("*.md")):
        path.rename(path.parent / "deeper" / path.name)
    for number in range(20):
        with (root / f"allmemories/deeper/with_an_id_{number}.md").open("a") as file:
            file.write(" and much more than there was before, so that no comparison would find it alike")
    assert len(found(vault, "alpha")) == 40
    assert {record.name: record.created for record in vault.index.records()} == created
    rebuilt = from_nothing(vault.index)
    assert list(rebuilt.records()) == list(vault.index.records())
    rebuilt.close()
    for path in list((root / "allmemories" / "deeper").glob("note*.md"))[:12]:
        path.unlink()
    with pytest.raises(StoppedError, match="12 of 40"):
        vault.index.freshen()


def test_the_breaker_is_a_problem_for_doctor_and_status(vault: Vault, root: Path, caller: Caller) -> None:
    """The two commands that a person turns to must not stop at what they are asked about."""
    from mdmem.acts import setup as survey
    from mdmem.acts.checks import doctor

    fill(vault, caller, 30)
    assert vault.index.count() == 30
    os.rename(root / "allmemories", root / "elsewhere")
    with Vault(str(root)) as other:
        problems = doctor.examine(other)
        assert [problem.message for problem in problems if problem.code == "memories-gone"] == [
            "30 of 30 memories are gone from allmemories but not from git"
        ]
    with Vault(str(root)) as other:
        state = survey.survey(other)
        assert (state.memories, state.problems) == (30, 1)
    with Vault(str(root)) as other:  # anything else stops, again and again
        for _ in range(2):
            with pytest.raises(StoppedError):
                other.index.count()


def test_an_unreadable_note_is_a_problem_and_keeps_its_row(
    vault: Vault, root: Path, caller: Caller, without_rights: Callable[[Callable[[], str]], str]
) -> None:
    with vault.change(caller.does("import")) as tx:
        tx.write("allmemories/note_number_one.md", b"alpha")
        tx.write("allmemories/note_number_two.md", b"alpha")
    assert len(found(vault, "alpha")) == 2
    vault.close()
    place = root / "allmemories" / "note_number_one.md"
    place.write_text("beta")
    place.chmod(0o000)

    def look() -> str:
        with Vault(str(root)) as own:
            return f"{found(own, 'alpha')} {found(own, 'beta')} {[p.code for p in own.index.problems()]}"

    assert without_rights(look) == "['note_number_one', 'note_number_two'] [] ['note-unreadable']"
    place.chmod(0o644)
    assert without_rights(look) == "['note_number_two'] ['note_number_one'] []"


def test_what_another_process_wrote_is_known_within_a_change(root: Path, caller: Caller) -> None:
    """Two processes have looked; the second to write must see what the first one wrote meanwhile."""
    with Vault(str(root)) as first, Vault(str(root)) as second:
        assert second.index.count() == 0
        with first.change(caller.does("create")) as tx:
            tx.write("allmemories/sub/one_first_note.md", b"alpha")
        with second.change(caller.does("create")):
            assert [record.path for record in second.index.named("one_first_note")]


@pytest.mark.parametrize("what", ["ignored", "orphan", "untracked and ignored at once"])
def test_no_row_outlives_its_file(
    vault: Vault, root: Path, write: Write, git: Git, what: str, commit: Commit
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    if what == "orphan":
        commit("x")
    assert found(vault, "alpha") == ["one_first_note"]
    if what == "orphan":
        git(root, "checkout", "--quiet", "--orphan", "new")
        git(root, "rm", "--quiet", "-rf", ".")
    elif what == "ignored":
        write(".git/info/exclude", "one*\n")
    else:
        commit("x")
        assert found(vault, "alpha") == ["one_first_note"]
        write(".git/info/exclude", "one*\n")
        git(root, "rm", "--quiet", "--cached", "allmemories/one_first_note.md")
        git(root, "commit", "--quiet", "-m", "not any more")
    assert found(vault, "alpha") == []
    if what == "orphan":
        git(root, "checkout", "--quiet", "main")
        assert found(vault, "alpha") == ["one_first_note"]


@pytest.mark.parametrize("shift", [-3600, 0, 3600], ids=["clock set back", "clock stands", "clock set forward"])
def test_a_file_replaced_by_one_of_equal_size_and_time(
    vault: Vault, write: Write, root: Path, monkeypatch: pytest.MonkeyPatch, shift: int
) -> None:
    """An unpacked archive brings old times along; the note was replaced within the same tick of the clock."""
    path = write("allmemories/ada_wrote_notes.md", "lovelace")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    monkeypatch.setattr(disk, "stamp", _coarse(disk.stamp))
    assert found(vault, "lovelace") == ["ada_wrote_notes"]
    real = time.time_ns
    monkeypatch.setattr(freshness.time, "time_ns", lambda: real() + shift * 1_000_000_000)
    path.write_text("babbages")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert found(vault, "babbages") == ["ada_wrote_notes"]


def _coarse(stamp: Callable[[str], str]) -> Callable[[str], str]:
    """Stamps of a file system that keeps neither fine times nor stable numbers of files."""

    def coarse(place: str) -> str:
        return " ".join(stamp(place).split(" ")[:-2])

    return coarse


def test_a_note_saved_while_it_is_read_is_read_again(
    vault: Vault, write: Write, root: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor saves after git was asked, and takes it back after the note was read: git sees nothing of it."""
    path = write("allmemories/ada_wrote_notes.md", "lovelace")
    commit_at(git, root, "2026-01-05T10:00:00Z")
    real_status, real_insert = vault.repo.status, rows.insert

    def then_saved() -> object:
        status = real_status()
        path.write_text("interim")
        return status

    def then_taken_back(*args: object) -> None:
        real_insert(*args)  # type: ignore[arg-type]
        path.write_text("lovelace")

    with monkeypatch.context() as patch:
        patch.setattr(vault.repo, "status", then_saved)
        patch.setattr(rows, "insert", then_taken_back)
        assert vault.index.count() == 1
    assert found(vault, "interim") == []
    assert found(vault, "lovelace") == ["ada_wrote_notes"]


# -- the file of the index


def test_an_emptied_git_index_is_no_deletion(vault: Vault, root: Path, caller: Caller, git: Git) -> None:
    fill(vault, caller, 30)
    git(root, "read-tree", "--empty")
    assert len(found(vault, "alpha")) == 30


@pytest.mark.parametrize(
    "damage",
    [
        None,
        b"",
        b"not a database at all, just some text that is long enough",
        b"SQLite format 3\0" + b"\xff" * 5000,
    ],
    ids=["gone", "empty", "text", "header only"],
)
def test_a_damaged_file_is_replaced_with_one_line_said(
    root: Path, said: list[str], write: Write, damage: bytes | None
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    place = root / ".mdmem" / "index.sqlite"
    with Vault(str(root)) as vault:
        before = list(vault.index.records())
    place.unlink() if damage is None else place.write_bytes(damage)
    with Vault(str(root), said.append) as vault:
        assert found(vault, "alpha") == ["one_first_note"]
        assert list(vault.index.records()) == before
    assert len(said) == (1 if damage else 0)


@pytest.mark.parametrize("version", [0, 999])
@pytest.mark.parametrize(
    "change",
    ["DROP TABLE notes", "CREATE VIRTUAL TABLE words USING fts5(w); ALTER TABLE notes RENAME TO memories"],
    ids=["a table too few", "unknown tables"],
)
def test_another_schema_is_dropped_and_filled(
    root: Path, write: Write, said: list[str], version: int, change: str
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    with Vault(str(root)) as vault:
        assert found(vault, "alpha")
    db = sqlite3.connect(root / ".mdmem" / "index.sqlite")
    db.executescript(f"{change}; PRAGMA user_version={version}")
    db.close()
    with Vault(str(root), said.append) as vault:
        assert found(vault, "alpha") == ["one_first_note"]
    assert said == ["the index was made by another version of mdmem; rebuilding it"]


def spoil(root: Path) -> None:
    """Damage every page that holds text, leaving those that are read at opening."""
    file = root / ".mdmem" / "index.sqlite"
    data = bytearray(file.read_bytes())
    for at in range(4096, len(data), 4096):
        if (
            b"alpha" in data[at : at + 4096]
            or b"beta" in data[at : at + 4096]
            or b"note_number" in data[at : at + 4096]
        ):
            data[at : at + 4096] = b"\xaa" * 4096
    file.write_bytes(data)


@pytest.mark.parametrize(
    "query", ["names", "records", "named", "problems", "all_links", "search", "texts", "body"]
)
def test_damage_is_healed_whatever_finds_it(root: Path, said: list[str], caller: Caller, query: str) -> None:
    with Vault(str(root)) as vault:
        fill(vault, caller, 100, b"alpha [[note_number_1]]" + b"beta gamma " * 50)
        assert vault.index.count() == 100
        path = vault.index.named("note_number_7")[0].path
    queries: dict[str, Callable[[Index], object]] = {
        "names": lambda index: len(index.names()) == 100,
        "records": lambda index: len(list(index.records())) == 100,
        "named": lambda index: index.named("note_number_7")[0].path == "allmemories/note_number_7.md",
        "problems": lambda index: index.problems() == [],
        "all_links": lambda index: len(list(index.all_links())) == 100,
        "search": lambda index: len(index.search('"gamma"', 500)) == 100,
        "texts": lambda index: len(index.texts([path])) == 1,
        "body": lambda index: index.body(path).startswith("alpha"),
    }
    with Vault(str(root), said.append) as vault:
        index = vault.index
        spoil(root)
        index._db._connection.execute("PRAGMA cache_size=0")
        index._db.execute("PRAGMA shrink_memory")
        assert queries[query](index)
        assert index.count() == 100
    assert len(said) <= 1
    assert all("damaged" in line for line in said)


def test_recall_asks_all_questions_again(root: Path, said: list[str], caller: Caller) -> None:
    """After the index was made anew the first question has to be asked again, too: it may find other memories."""
    from mdmem.recall import order
    from mdmem.recall.gather import RecallContext

    with Vault(str(root)) as vault:
        assert vault.index.count() == 0
        for number in reversed(range(5)):
            with vault.change(caller.does("create")) as tx:
                tx.write(f"allmemories/note_number_{number}.md", b"alpha word%d" % number)
    with Vault(str(root), said.append) as vault:
        index, calls = vault.index, []
        real_search, real_texts = index.search, index.texts

        def counted(expression: str, limit: int, **kinds: Any) -> list[str]:
            calls.append("search")
            return real_search(expression, limit, **kinds)

        def damaged_once(paths: list[str]) -> object:
            calls.append("texts")
            if calls.count("texts") == 1:
                raise sqlite3.DatabaseError("database disk image is malformed")
            return real_texts(paths)

        index.search = counted  # type: ignore[method-assign,assignment]
        index.texts = damaged_once  # type: ignore[method-assign,assignment]
        hits = order.recall(index, ["word0"], RecallContext(caller.now))
        assert hits[0].record.name == "note_number_0"
    assert calls[:4] == ["search", "texts", "search", "texts"]
    assert len(said) == 1


def test_an_index_that_another_process_keeps_locked(root: Path, write: Write, said: list[str]) -> None:
    """Reading answers all the same, with one line; a hook goes on at once; the file stays as it is."""
    write("allmemories/one_first_note.md", "alpha")
    with Vault(str(root)) as vault:
        assert found(vault, "alpha")
    write("allmemories/two_second_note.md", "beta")
    other = sqlite3.connect(root / ".mdmem" / "index.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Vault(str(root)) as vault:
        index = vault.open_index(freshness.HOOK_PATIENCE)
        with pytest.raises(BusyError, match="next opening will catch up"):
            index.catch_up(500)
        waits_ms = index._db._connection.execute("PRAGMA busy_timeout").fetchone()[0]
        assert waits_ms == freshness.HOOK_PATIENCE * 1000 < 100, "a hook must not keep git waiting"
    with Vault(str(root), said.append) as vault:
        vault.open_index(0.05)
        assert found(vault, "beta") == ["two_second_note"]
        assert found(vault, "alpha") == ["one_first_note"]
    assert len(said) == 1
    assert "locked" in said[0]
    other.execute("ROLLBACK")
    other.close()
    with Vault(str(root), said.append) as vault:
        assert found(vault, "beta") == ["two_second_note"]
    assert len(said) == 1


def test_a_rebuild_does_not_take_the_file_from_others(root: Path, write: Write) -> None:
    """Another process that has the index open goes on with the same file, and sees what was filled in."""
    write("allmemories/one_first_note.md", "alpha")
    place = root / ".mdmem" / "index.sqlite"
    with Vault(str(root)) as other, Vault(str(root)) as vault:
        assert found(other, "alpha")
        inode = place.stat().st_ino
        write("allmemories/two_second_note.md", "beta")
        assert vault.rebuild(silent) == 2
        assert place.stat().st_ino == inode
        assert other.index.count() == 2


def test_an_index_that_came_with_a_copy_is_not_believed(
    root: Path, write: Write, tmp_path: Path, git: Git
) -> None:
    """A clone could bring a poisoned index along: rows that no file has."""
    write("allmemories/one_first_note.md", "alpha")
    with Vault(str(root)) as vault:
        assert found(vault, "alpha")
    db = sqlite3.connect(root / ".mdmem" / "index.sqlite")
    db.execute("UPDATE notes SET title='poison'")
    db.commit()
    db.close()
    git(tmp_path, "clone", "--quiet", str(root), "copy")
    (tmp_path / "copy" / ".mdmem").mkdir()
    (tmp_path / "copy" / "allmemories").mkdir()
    data = (root / ".mdmem" / "index.sqlite").read_bytes()
    (tmp_path / "copy" / ".mdmem" / "index.sqlite").write_bytes(data)
    with Vault(str(tmp_path / "copy")) as vault:
        assert list(vault.index.records()) == []


def test_a_state_folder_that_cannot_be_written(root: Path, said: list[str], write: Write) -> None:
    write("allmemories/one_first_note.md", "alpha")
    (root / ".mdmem").write_text("a file where the folder should be")
    with Vault(str(root), said.append) as vault:
        assert found(vault, "alpha") == ["one_first_note"]
    assert any("in memory" in line for line in said)


def test_a_change_of_settings_fills_it_anew(root: Path, write: Write) -> None:
    write("notes/one_first_note.md", "alpha")
    with Vault(str(root)) as vault:
        assert found(vault, "alpha") == []
    write("mdmem.toml", 'memories = "notes"\n')
    with Vault(str(root)) as vault:
        assert found(vault, "alpha") == ["one_first_note"]


def test_bad_files_are_problems_and_the_others_are_found(vault: Vault, write: Write) -> None:
    write("allmemories/good_note_here.md", "alpha")
    write("allmemories/binary_note_here.md", b"alpha \0")
    write("allmemories/latin_note_here.md", b"alpha caf\xe9")
    write("allmemories/broken_note_here.md", "---\ntitle: [\n---\nalpha")
    write("allmemories/large_note_here.md", b"alpha " * 9_000_000)
    assert sorted(found(vault, "alpha")) == ["broken_note_here", "good_note_here"]
    assert {problem.code for problem in vault.index.problems()} == {
        "note-binary", "note-encoding", "frontmatter-broken", "note-too-large"
    }  # fmt: skip
    write("allmemories/binary_note_here.md", "alpha")
    assert len(found(vault, "alpha")) == 3
    assert len(vault.index.problems()) == 3


def test_created_and_updated_come_from_history_where_the_note_does_not_say(
    vault: Vault, write: Write, git: Git, root: Path
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    git(root, "add", "-A")
    for date in ("2026-01-05T10:00:00Z", "2026-02-06T11:00:00Z"):
        git(root, "commit", "--quiet", "-m", "x", "--allow-empty", GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)
        if date.startswith("2026-01"):
            vault.index.freshen()
            write("allmemories/one_first_note.md", "beta")
            git(root, "add", "-A")
    vault.index.freshen()
    (record,) = vault.index.records()
    assert (record.created, record.updated) == ("2026-01-05T10:00:00Z", "2026-02-06T11:00:00Z")
    vault.rebuild(silent)
    assert list(vault.index.records()) == [record]


def commit_at(git: Git, root: Path, date: str, *options: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "x", *options, GIT_COMMITTER_DATE=date, GIT_AUTHOR_DATE=date)


def test_created_survives_a_committed_move(vault: Vault, write: Write, git: Git, root: Path) -> None:
    """The same content, or the same id, at another path: also if the index sees the two commits at once."""
    write("allmemories/one_first_note.md", "alpha")
    write("allmemories/two_second_note.md", "---\nid: two\n---\nbeta")
    commit_at(git, root, "2026-01-05T10:00:00Z")
    vault.index.freshen()
    (root / "allmemories" / "sub").mkdir()
    for name in ("one_first_note", "two_second_note"):
        (root / f"allmemories/{name}.md").rename(root / f"allmemories/sub/{name}.md")
    write("allmemories/sub/two_second_note.md", "---\nid: two\n---\n" + "quite another text, much longer " * 9)
    commit_at(git, root, "2026-02-06T11:00:00Z")
    vault.index.freshen()
    rebuilt = from_nothing(vault.index)
    for index in (vault.index, rebuilt):
        times = {(record.created, record.updated) for record in index.records()}
        assert times == {("2026-01-05T10:00:00Z", "2026-02-06T11:00:00Z")}
        assert len(list(index.records())) == 2
    rebuilt.close()


def test_times_follow_rewritten_history(vault: Vault, write: Write, git: Git, root: Path) -> None:
    """No file changed, yet the commits that tell their times are others."""
    write("allmemories/one_first_note.md", "alpha")
    commit_at(git, root, "2026-01-05T10:00:00Z")
    vault.index.freshen()
    commit_at(git, root, "2026-02-06T11:00:00Z", "--amend")
    vault.index.freshen()
    (record,) = vault.index.records()
    assert (record.created, record.updated) == ("2026-02-06T11:00:00Z", "2026-02-06T11:00:00Z")


def test_two_processes_freshen_at_once(root: Path, caller: Caller) -> None:
    import threading

    with Vault(str(root)) as vault:
        fill(vault, caller, 200)
    counts: list[int] = []

    def look() -> None:
        with Vault(str(root)) as own:
            counts.append(own.index.count())

    threads = [threading.Thread(target=look) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [200] * 6


def from_nothing(index: Index) -> Index:
    """An index of the same vault, filled in memory."""
    fresh = Index.__new__(Index)
    fresh.__dict__.update(index.__dict__, _path=":memory:", _inode=0)
    fresh._db = database.Database(database.connect(":memory:", print), fresh._repair)
    fresh.freshen(allow_loss=True)
    return fresh


class IndexMachine(RuleBasedStateMachine):
    """Random edits, commits, checkouts and deletions: a freshened index equals one filled from nothing."""

    names = ("one_first_note", "two_second_note", "three_third_note")
    texts = (
        *("alpha", "beta [[one_first_note]]", "---\na: [\n---\n", ""),
        *("---\nid: one\n---\nalpha", "---\nid: one\n---\nbeta", "---\nid: two\ncreated: 2020-01-01\n---\n"),
    )

    @initialize()
    def make(self) -> None:
        import tempfile

        self.seconds = 1_700_000_000
        self.folder = Path(tempfile.mkdtemp(prefix="mdmem-test-"))
        (self.folder / "allmemories").mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        (self.folder / "keep.txt").write_text("x")
        (self.folder / "mdmem.toml").write_text('id = "test"\n')
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "start")
        self.vault = Vault(str(self.folder))

    def git(self, *args: str) -> None:
        import subprocess

        self.seconds += 10
        dates = dict.fromkeys(("GIT_COMMITTER_DATE", "GIT_AUTHOR_DATE"), f"@{self.seconds} +0000")
        subprocess.run(
            ["git", *args], cwd=self.folder, check=True, capture_output=True, env={**os.environ, **dates}
        )

    def place(self, name: str) -> Path:
        (self.folder / "allmemories").mkdir(exist_ok=True)  # git removes a folder with its last file
        return self.folder / "allmemories" / f"{name}.md"

    @rule(name=st.sampled_from(names), text=st.sampled_from(texts))
    def save(self, name: str, text: str) -> None:
        self.place(name).write_text(text)
        self.seconds += 10
        os.utime(self.place(name), (self.seconds, self.seconds))

    @rule(name=st.sampled_from(names))
    def delete(self, name: str) -> None:
        self.place(name).unlink(missing_ok=True)

    @rule(name=st.sampled_from(names), edit=st.booleans())
    def move(self, name: str, edit: bool) -> None:
        if self.place(name).exists():
            self.place(name).rename(self.place(f"moved_{name}"))
            if edit:
                self.place(f"moved_{name}").write_text(self.place(f"moved_{name}").read_text() + "gamma")

    @rule(pattern=st.sampled_from(["", "one*", "*.md"]))
    def ignore(self, pattern: str) -> None:
        (self.folder / ".git" / "info" / "exclude").write_text(pattern + "\n")

    @rule()
    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")

    @rule(name=st.sampled_from(names))
    def remember(self, name: str) -> None:
        """Our own way to write, by which the index learns of the commit at once."""
        self.seconds += 10
        path = f"allmemories/{name}.md"
        with self.vault.change(Caller(datetime.fromtimestamp(self.seconds, UTC)).does("revise"), True) as tx:
            if tx.exists(path) and not tx.exists(f"allmemories/moved_{name}.md"):
                tx.move(path, f"allmemories/moved_{name}.md")
            else:
                tx.write(path, b"alpha by us")

    @rule()
    def back(self) -> None:
        self.commit()
        self.git("reset", "--quiet", "--hard", "HEAD~1")

    @rule()
    def amend(self) -> None:
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "--amend", "-m", "amended")

    @rule()
    def merge(self) -> None:
        """A side branch that changes a note and takes it back: the files are as before, history is not."""
        self.ignore("")
        self.commit()
        self.git("checkout", "--quiet", "-b", "side")
        self.save("one_first_note", "on the side")
        self.commit()
        self.git("revert", "--no-edit", "HEAD")
        self.git("checkout", "--quiet", "main")
        self.git("commit", "--quiet", "--allow-empty", "-m", "x")
        self.git("merge", "--quiet", "--no-edit", "side")
        self.git("branch", "--quiet", "-D", "side")

    @rule()
    def look(self) -> None:
        self.vault.open_index().freshen(allow_loss=True)

    @invariant()
    def equals_a_fresh_one(self) -> None:
        if not hasattr(self, "vault"):
            return
        index = self.vault.open_index()
        index.freshen(allow_loss=True)
        fresh = from_nothing(index)
        assert list(index.records()) == list(fresh.records())
        assert list(index.all_links()) == list(fresh.all_links())
        assert index.problems() == fresh.problems()
        for word in ('"alpha"', '"beta"', '"first"'):
            ours, theirs = index.records_at(index.search(word, 9)), fresh.records_at(fresh.search(word, 9))
            assert sorted(record.path for record in ours) == sorted(record.path for record in theirs)
        fresh.close()

    def teardown(self) -> None:
        if hasattr(self, "vault"):
            import shutil

            self.vault.close()
            shutil.rmtree(self.folder)


TestIndexMachine = IndexMachine.TestCase
TestIndexMachine.settings = settings(max_examples=7, stateful_step_count=12, deadline=None)


def test_errors_of_git_are_not_taken_for_an_empty_vault(vault: Vault, write: Write, root: Path) -> None:
    write("allmemories/one_first_note.md", "alpha")
    assert found(vault, "alpha")
    (root / ".git" / "HEAD").write_text("garbage")
    with pytest.raises(MdmemError):
        vault.index.freshen()


def test_a_memory_that_another_process_dropped_meanwhile_has_no_text(vault: Vault, remember: Remember) -> None:
    """Many agents at once: what was found may be gone when its text is read."""
    path = remember("Tea is served at four.")
    record = vault.index.record(path)
    assert record
    with Vault(vault.root) as other:
        other.index.drop(path)
    assert vault.index.body(record.path) == ""


def test_what_a_gone_note_says_of_who_may_see_it_is_read_once(
    vault: Vault, root: Path, git: Git, write: Write, commit: Commit
) -> None:
    """An agent is shown no name of a hidden memory, also of one that is gone; that is asked at each start."""
    write("allmemories/one_hidden_note.md", "---\nsensitivity: high\n---\nalpha\n")
    commit()
    git(root, "rm", "-q", "allmemories/one_hidden_note.md")
    git(root, "commit", "-qm", "gone")
    asked: list[dict[str, str]] = []

    def read(versions: Mapping[str, str]) -> list[tuple[str, str]]:
        asked.append(dict(versions))
        return [("high", "")] * len(versions)

    index = vault.open_index()
    index.freshen(allow_loss=True)
    told = [index.markings_gone(read) for _ in range(2)]
    assert told == [{"allmemories/one_hidden_note.md": ("high", "")}] * 2
    assert [[*versions] for versions in asked] == [["allmemories/one_hidden_note.md"], []]
