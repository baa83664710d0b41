"""A title that nobody gave says what the text says now; of one that somebody gave the doctor tells."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.store.vault import origin
from mdmem.store.vault.vault import Vault

Run = Callable[..., object]
FISH = "mara_vegetarian_since_month"


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
    root: Path, mdmem: Run, git: Run, change: tuple[str, ...]
) -> None:
    mdmem("remember", "Mara is vegetarian since this month.", "--vault", root)
    path = root / f"allmemories/{FISH}.md"
    assert "title" not in path.read_text()
    mdmem("update", FISH, *change, "--vault", root)
    assert title(root) == "Mara eats fish again"
    path.write_text(path.read_text().replace("fish", "meat"))  # by hand, not committed
    assert title(root) == "Mara eats meat again"


@pytest.mark.parametrize("given", ["What Mara eats", "Mara is vegetarian"])
def test_a_given_title_stays(root: Path, mdmem: Run, given: str) -> None:
    """Even one that repeats what the text says."""
    mdmem("remember", "Mara is vegetarian.", "--title", given, "--vault", root)
    (path,) = (root / "allmemories").glob("*.md")
    mdmem("update", path.stem, "--body", "Mara likes fish.", "--vault", root)
    mdmem("doctor", "--fix", "--vault", root)
    assert f"title: {given}\n" in path.read_text()
    assert title(root) == given


def test_the_doctor_names_a_title_and_a_name_whose_words_the_text_has_lost(
    root: Path, mdmem: Run, git: Run
) -> None:
    mdmem("remember", "Mara is vegetarian since this month.", "--title", "Vegetarian since March", "--vault", root)
    (path,) = (root / "allmemories").glob("*.md")
    path = path.rename(root / f"allmemories/{FISH}.md")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "named")
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
