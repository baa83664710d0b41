"""A title never says what the text no longer says: the ways in which a text changes, and titles stored before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.store.vault import origin
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git, Run

FISH = "mara_vegetarian_since_month"
OLD = """---
id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11
title: {title}   # mine
created: 2026-02-08T14:05:00Z
---

{text}
"""
BY_MDMEM = "create: a\n\nMemory-Action: create\n"


@pytest.fixture
def stored(root: Path, commit: Commit) -> Callable[..., Path]:
    """A note with a stored title, committed as an earlier version of mdmem did, or by hand."""

    def store(title: str, text: str, message: str = BY_MDMEM) -> Path:
        path = root / f"allmemories/{FISH}.md"
        path.write_text(OLD.format(title=title, text=text))
        commit(message)
        return path

    return store


def title(root: Path) -> str:
    with Vault(str(root)) as vault:
        (record,) = vault.index.records()
        return record.title


@pytest.mark.parametrize(
    "change",
    [
        ("--replace", "is vegetarian since this month", "eats fish again"),
        ("--body", "Mara eats fish again."),
    ],
)
def test_a_derived_title_is_not_stored_and_follows_the_text(
    root: Path, mdmem: Run, git: Git, change: tuple[str, ...]
) -> None:
    mdmem("remember", "Mara is vegetarian since this month.", "--vault", root)
    path = root / f"allmemories/{FISH}.md"
    assert "title" not in path.read_text()
    mdmem("update", FISH, *change, "--vault", root)
    assert title(root) == "Mara eats fish again"
    path.write_text(path.read_text().replace("fish", "meat"))  # by hand, not committed
    assert title(root) == "Mara eats meat again"


def test_a_stored_copy_goes_with_the_write_that_makes_it_false(root: Path, stored: Run, mdmem: Run) -> None:
    path = stored("Mara is vegetarian", "Mara is vegetarian.\n\nMore.")
    before = path.read_text()
    mdmem("update", FISH, "--append", "And more.", "--vault", root)
    assert "title: Mara is vegetarian" in path.read_text(), "the sentence is the same"
    mdmem("update", FISH, "--replace", "is vegetarian", "eats fish", "--vault", root)
    line = "title: Mara is vegetarian   # mine\n"
    expected = before.replace(line, "").replace("Mara is vegetarian.", "Mara eats fish.")
    assert path.read_text() == f"{expected}\nAnd more.\n"
    assert title(root) == "Mara eats fish"


def test_a_stored_copy_that_a_hand_made_false_is_known_by_history(
    root: Path, stored: Run, mdmem: Run, git: Git
) -> None:
    path = stored("Mara is vegetarian", "Mara is vegetarian.")
    path.write_text(path.read_text().replace("Mara is vegetarian.", "Mara eats fish."))
    git(root, "commit", "--quiet", "--all", "--message", "fish")
    assert "title-stored" in mdmem("doctor", "--json", "--vault", root).out
    mdmem("doctor", "--fix", "--vault", root)
    assert path.read_text() == OLD.replace("title: {title}   # mine\n", "").format(text="Mara eats fish.")
    assert title(root) == "Mara eats fish"
    assert "title" not in mdmem("doctor", "--json", "--vault", root).out


@pytest.mark.parametrize(
    ("given", "text", "message"),
    [
        ("What Mara eats", "Mara is vegetarian.", BY_MDMEM),
        ("Mara is vegetarian", "Mara is vegetarian.", "by hand, so that a person gave it"),
    ],
)
def test_a_given_title_stays(root: Path, stored: Run, mdmem: Run, given: str, text: str, message: str) -> None:
    path = stored(given, text, message)
    mdmem("update", FISH, "--body", "Mara likes fish.", "--vault", root)
    mdmem("doctor", "--fix", "--vault", root)
    assert f"title: {given}   # mine" in path.read_text()
    assert title(root) == given


def test_the_doctor_leaves_a_file_with_unsaved_edits_alone(root: Path, stored: Run, mdmem: Run, git: Git) -> None:
    path = stored("Mara is vegetarian", "Mara is vegetarian.")
    path.write_text(path.read_text() + "\nNot committed.\n")
    mdmem("doctor", "--fix", "--vault", root)
    assert "title: Mara is vegetarian" in path.read_text()
    assert git(root, "status", "--porcelain").endswith(f"M allmemories/{FISH}.md")


def test_a_copy_is_known_under_an_earlier_name_of_its_file(root: Path, stored: Run, mdmem: Run, git: Git) -> None:
    path = stored("Mara is vegetarian", "Mara is vegetarian.")
    path.write_text(path.read_text().replace("Mara is vegetarian.", "Mara eats fish."))
    git(root, "commit", "--quiet", "--all", "--message", "fish")
    mdmem("rename", FISH, "mara_eats_fish_again", "--vault", root)
    mdmem("doctor", "--fix", "--vault", root)
    assert title(root) == "Mara eats fish"


def test_the_doctor_names_a_title_and_a_name_whose_words_the_text_has_lost(
    root: Path, mdmem: Run, commit: Commit
) -> None:
    mdmem("remember", "Mara is vegetarian since this month.", "--title", "Vegetarian since March", "--vault", root)
    (path,) = (root / "allmemories").glob("*.md")
    path = path.rename(root / f"allmemories/{FISH}.md")
    commit()
    assert "no problems" in mdmem("doctor", "--vault", root).out
    mdmem("update", FISH, "--body", "Mara eats fish again.", "--vault", root)
    out = mdmem("doctor", "--vault", root).out
    assert f"mdmem update {FISH} --unset title" in out
    assert f"mdmem rename {FISH} vegetarian_since_march" not in out, "the kept title is what is false"
    assert f"mdmem rename {FISH} mara_eats_fish_again" in out
    assert path.exists(), "it never renames by itself"


@pytest.mark.parametrize(
    ("called", "then", "now", "gone"),
    [
        ("User prefers tabs", "The user prefers tabs.", "The user preferred tabs.", []),
        ("Diet of Mara", "She is vegetarian.", "She eats fish.", []),
        ("Mara is vegetarian", "Mara is vegetarian.", "Mara eats fish.", []),
        (
            "Mara vegetarian month",
            "Mara is vegetarian since this month.",
            "Mara eats fish.",
            ["month", "vegetarian"],
        ),
        ("Dentist at 9:30", "Dentist at 9:30.", "Dentist at 11:00.", ["30", "9"]),
    ],
)
def test_only_words_that_were_there_are_missed_and_only_if_most_are_gone(
    called: str, then: str, now: str, gone: list[str]
) -> None:
    assert origin.lost(called, then, now) == gone
