"""A memory is found by its aliases: the further names that Obsidian keeps in its properties."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.history.merging import files
from mdmem.recall import ask
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Ran

Git = Callable[..., str]
Run = Callable[..., Ran]
Write = Callable[[str, str | bytes], Path]
SERVER = "allmemories/the_main_database_server.md"


def found(root: Path, question: str, limit: str = "") -> list[str]:
    """The names of the memories that answer a question, as a reader of up to that level sees them."""
    with Vault.open(str(root), max_sensitivity=limit) as vault:
        return [answer.hit.record.name for answer in ask.ask(vault, ask.Query((question,)), NOW)]


def note(properties: str, text: str = "It runs on turing.") -> str:
    return f"---\n{properties}\n---\n\n{text}\n"


@pytest.mark.parametrize(
    ("properties", "question"),
    [
        ("aliases: [Postgres, PG]", "pg"),
        ("aliases:\n  - Postgres\n  - PG", "where does postgres run"),
        ("aliases: Postgres, PG", "PG"),
        ("aliases: Postgres", "postgres"),
        ("alias: Postgres", "postgres"),
        ("aliases: 4711", "4711"),
        ("aliases: [1.5, 4711, true]", "4711"),
        ("aliases: [Größenverzeichnis]", "größenverzeichnis"),
        ("aliases: [Übersicht]", "ubersicht"),
        ("aliases: [机器学习]", "机器"),
        ("aliases: [Postgres]", "postgers"),
        ("aliases: [The old elephant]", '"old elephant"'),
    ],
)
def test_an_alias_finds_its_memory(root: Path, write: Write, properties: str, question: str) -> None:
    write(SERVER, note(properties))
    write("allmemories/another_note_of_ours.md", "It is about boats.\n")
    assert found(root, question) == ["the_main_database_server"]


@pytest.mark.parametrize(
    "properties",
    ["aliases: {PG: PG}", "aliases: [[PG]]", "aliases:", "aliases: []", "aliases: &a [*a]"],
)
def test_what_is_no_alias_harms_nothing(root: Path, write: Write, properties: str) -> None:
    """The memory is still found by its text."""
    write(SERVER, note(properties))
    assert found(root, "pg") == []
    assert found(root, "turing") == ["the_main_database_server"]


def test_an_alias_in_properties_that_cannot_be_read_is_found_as_text(root: Path, write: Write) -> None:
    """A header with an error is searched like the text below it, so that nothing is lost meanwhile."""
    write(SERVER, note("aliases: [PG, : {"))
    assert found(root, "pg") == found(root, "turing") == ["the_main_database_server"]


def test_an_alias_counts_as_much_as_the_title_and_no_more_for_being_repeated(root: Path, write: Write) -> None:
    write("allmemories/first_of_two_notes.md", note("title: Elephant house"))
    write("allmemories/second_of_two_notes.md", note("aliases: [Elephant, Elephant house, The elephant]"))
    with Vault.open(str(root)) as vault:
        first, second = ask.ask(vault, ask.Query(("elephant",)), NOW)
    assert first.hit.signals["words"] == second.hit.signals["words"]


def test_a_memory_is_ruled_out_by_an_alias(root: Path, write: Write) -> None:
    write(SERVER, note("aliases: [PG]"))
    assert found(root, "turing -pg") == []


def test_an_alias_that_was_changed_or_taken_away_finds_nothing(root: Path, write: Write) -> None:
    write(SERVER, note("aliases: [PG, Größe]"))
    assert found(root, "pg") == ["the_main_database_server"]
    write(SERVER, note("aliases: [Mongo]"))
    assert (found(root, "pg"), found(root, "größe")) == ([], [])
    assert found(root, "mongo") == ["the_main_database_server"]
    (root / SERVER).unlink()
    assert found(root, "mongo") == []


def test_the_words_of_deleted_aliases_leave_the_index(root: Path, write: Write) -> None:
    """FTS5 is told by the caller what to delete: another text than was added would stay for ever."""
    write(SERVER, note("aliases: [PG, 机器学习]"))
    assert found(root, "pg")
    write(SERVER, note("title: Server"))
    with Vault.open(str(root)) as vault:
        assert vault.index.frequencies(["pg", "机器", "ture", "turing"]) == {"ture": 1}


def test_a_renamed_memory_keeps_its_aliases(root: Path, write: Write, git: Git, mdmem: Run) -> None:
    write(SERVER, note("aliases: [PG]"))
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "a server")
    mdmem("rename", "the_main_database_server", "the_new_database_server", "--vault", root)
    assert found(root, "pg") == ["the_new_database_server"]


def test_a_merge_keeps_the_aliases_of_both_sides(root: Path, write: Write) -> None:
    base, ours, theirs = (
        note(f"aliases: [{listed}]").encode() for listed in ("PG", "PG, Postgres", "PG, Elephant")
    )
    write(SERVER, files.merge_note(base, ours, theirs).data or b"")
    for alias in ("pg", "postgres", "elephant"):
        assert found(root, alias) == ["the_main_database_server"], alias


def test_an_alias_of_the_past_is_that_of_the_past(root: Path, write: Write, git: Git, mdmem: Run) -> None:
    write(SERVER, note("aliases: [PG]"))
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "-m", "a server")
    write(SERVER, note("aliases: [Mongo]"))
    asked = ("recall", "pg", "--vault", root, "--paths-only")
    assert mdmem(*asked).out == ""
    assert mdmem(*asked, "--as-of", "HEAD").out.strip() == SERVER


def test_a_list_is_filtered_by_aliases(root: Path, write: Write, mdmem: Run) -> None:
    write(SERVER, note("aliases: [Postgres, PG]"))
    write("allmemories/another_note_of_ours.md", "It is about boats.\n")
    for condition in ("aliases=PG", "aliases~Post", "aliases"):
        listed = mdmem("list", "--vault", root, "--where", condition, "--paths-only").out
        assert listed.split() == [SERVER], condition


def test_an_alias_of_a_hidden_memory_finds_nothing(root: Path, write: Write) -> None:
    write(SERVER, note("aliases: [PG]\nsensitivity: high"))
    assert found(root, "pg", limit="low") == []
    assert found(root, "pg", limit="hyper") == ["the_main_database_server"]


def test_an_alias_that_names_a_hidden_memory_is_not_told(root: Path, write: Write) -> None:
    write(SERVER, note("sensitivity: high"))
    write("allmemories/another_note_of_ours.md", note("aliases: [the_main_database_server]", "It is about boats."))
    assert found(root, "database", limit="low") == []


def test_a_command_takes_an_alias_for_the_name(root: Path, write: Write, mdmem: Run) -> None:
    write(SERVER, note("aliases: [PG]"))
    assert "It runs on turing." in mdmem("show", "PG", "--vault", root).out
