"""When a memory was made and last changed, by the commits that touched it, across renames."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.store.git import log
from mdmem.store.index import database, versions
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Write

FIRST, SECOND, THIRD = 1_700_000_000, 1_700_100_000, 1_700_200_000


@pytest.fixture
def db() -> database.Database:
    opened = database.Database(database.connect(":memory:", print))
    yield opened  # type: ignore[misc]
    opened.close()


@pytest.fixture
def commit(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], str]:
    def make(seconds: int) -> str:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"@{seconds} +0000")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "by hand")
        return git(root, "rev-parse", "HEAD")

    return make


def learn(db: database.Database, vault: Vault) -> None:
    steps = log.steps(vault.repo, vault.repo.head()[0])
    versions.add(db, vault.repo, steps, lambda path: path.startswith("allmemories/"))


def test_times_are_those_of_the_first_and_last_commit(
    vault: Vault, write: Write, commit: Callable[[int], str], db: database.Database
) -> None:
    write("allmemories/one_first_note.md", "alpha")
    commit(FIRST)
    write("allmemories/one_first_note.md", "beta")
    commit(SECOND)
    learn(db, vault)
    assert versions.times(db, "allmemories/one_first_note.md") == (FIRST, SECOND)
    assert versions.times(db, "allmemories/one_first_note.md", until=FIRST) == (FIRST, FIRST)
    assert versions.times(db, "allmemories/no_such_note.md") == (None, None)


@pytest.mark.parametrize("edited", [False, True], ids=["same bytes", "same id"])
def test_a_renamed_note_keeps_its_beginning(
    vault: Vault, root: Path, write: Write, commit: Callable[[int], str], db: database.Database, edited: bool
) -> None:
    old, new = "allmemories/one_first_note.md", "allmemories/one_renamed_note.md"
    write(old, "---\nid: the-one\n---\nalpha\n")
    first = commit(FIRST)
    (root / old).rename(root / new)
    if edited:
        write(new, "---\nid: the-one\n---\nsomething else altogether\n")
    second = commit(SECOND)
    learn(db, vault)
    assert versions.times(db, new) == (FIRST, SECOND)
    assert [version.commit for version in versions.of(db, new)] == [second, first]
    assert versions.heirs(db, [old]) == {old, new}


def test_a_note_that_took_an_old_name_has_a_beginning_of_its_own(
    vault: Vault, root: Path, write: Write, commit: Callable[[int], str], db: database.Database
) -> None:
    old, new = "allmemories/one_first_note.md", "allmemories/one_renamed_note.md"
    write(old, "alpha\n")
    commit(FIRST)
    (root / old).rename(root / new)
    commit(SECOND)
    write(old, "nothing to do with it\n")
    third = commit(THIRD)
    learn(db, vault)
    assert versions.of(db, old)[0].commit == third
    assert versions.times(db, new)[0] == FIRST


def test_what_moved_and_is_not_committed_is_known_by_bytes_or_id(
    vault: Vault, root: Path, write: Write, commit: Callable[[int], str]
) -> None:
    """Line ends that git changes on the way in make no other note."""
    write("allmemories/one_first_note.md", "alpha\nbeta\n")
    write("allmemories/two_second_note.md", "---\nid: the-two\n---\ngamma\n")
    head = commit(FIRST)
    gone = ["allmemories/one_first_note.md", "allmemories/two_second_note.md"]
    new = {
        "allmemories/three_new_note.md": b"alpha\r\nbeta\r\n",
        "allmemories/four_new_note.md": b"---\nid: the-two\n---\nedited\n",
        "allmemories/five_new_note.md": b"unheard of\n",
    }
    assert versions.moves(vault.repo, head, gone, new) == {
        "allmemories/three_new_note.md": gone[0],
        "allmemories/four_new_note.md": gone[1],
    }
    assert versions.moves(vault.repo, head, [], new) == {}
    assert os.path.exists(root / gone[0])


def test_commits_count_by_month_unless_all_that_they_changed_is_hidden(
    vault: Vault, write: Write, commit: Callable[[int], str], db: database.Database
) -> None:
    hidden, seen = "allmemories/one_hidden_note.md", "allmemories/one_seen_note.md"
    for number, (changed, at) in enumerate((([hidden], FIRST), ([hidden, seen], SECOND), ([seen], THIRD))):
        for path in changed:
            write(path, f"version {number}")
        commit(at)
    learn(db, vault)
    for paths, counted in (([], 3), ([hidden], 2), ([seen], 2), ([hidden, seen], 0)):
        assert sum(number for _, number in db.among(versions.WRITTEN, paths)) == counted
