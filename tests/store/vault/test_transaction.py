"""A change by itself: what it stages, reads back, and hands on to the index."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.note.memory import render
from mdmem.store.operation import Caller
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault

PATH, OTHER = "allmemories/user_prefers_tables.md", "allmemories/user_prefers_lists.md"
NOTE = render({"id": "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11", "title": "Tables"}, "Body.")


@pytest.fixture
def tx(vault: Vault, caller: Caller) -> Iterator[Transaction]:
    """A change on top of HEAD that is not applied yet."""
    with vault.locked():
        yield Transaction(vault, caller.does("create"), vault.repo.head()[0])


def test_what_is_staged_is_read_back_and_not_on_disk(tx: Transaction, root: Path) -> None:
    tx.write(PATH, NOTE)
    assert tx.read(PATH) == NOTE
    assert not (root / PATH).exists()
    tx.delete(PATH)
    assert not tx.exists(PATH)
    with pytest.raises(NotFoundError):
        tx.require(PATH)


def test_a_move_needs_a_free_place(tx: Transaction) -> None:
    tx.write(PATH, NOTE)
    tx.write(OTHER, NOTE)
    with pytest.raises(ConflictError):
        tx.move(PATH, OTHER)
    tx.delete(OTHER)
    tx.move(PATH, OTHER)
    assert (tx.read(PATH), tx.read(OTHER)) == (None, NOTE)


def test_a_change_that_changes_nothing_makes_no_commit(tx: Transaction, vault: Vault) -> None:
    before = vault.repo.head()
    tx.write(PATH, NOTE)
    tx.delete(PATH)
    tx.apply(allow_loss=False)
    assert (tx.commit, vault.repo.head()) == ("", before)


@pytest.mark.parametrize("name", ["x" * 256, "ü" * 128])
def test_a_name_too_long_for_the_disk_is_refused_before_the_change_begins(
    vault: Vault, caller: Caller, name: str
) -> None:
    """In a folder that was not there yet it failed in the middle, and so did every change after it."""
    with pytest.raises(UsageError, match="too long"), vault.change(caller.does("create")) as tx:
        tx.write(f"allmemories/new/{name}", NOTE)
    with vault.change(caller.does("create")) as tx:
        tx.write(PATH, NOTE)
        with pytest.raises(UsageError, match="too long"):
            tx.move(PATH, f"allmemories/new/{name}")
    assert tx.commit
    assert tx.read(PATH) == NOTE


def test_a_parsed_note_is_forgotten_when_its_file_is_staged_anew(vault: Vault, caller: Caller) -> None:
    assert vault.index.count() == 0
    newer = NOTE.replace(b"Tables", b"Lists")
    with vault.change(caller.does("create")) as tx:
        tx.write(PATH, NOTE, vault.parse(NOTE, PATH))
        tx.write(PATH, newer)
    (record,) = vault.index.records()
    assert record.title == "Lists"
