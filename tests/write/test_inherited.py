"""What replaces memories, or is made of them, says in its frontmatter that it is as sensitive as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from tests.conftest import Run

LOW, SECRET, SUM = "harbor_backup_runs_early", "harbor_keys_lie_hidden", "harbor_backup_keys_sum"


@pytest.fixture
def here(root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    mdmem("remember", "Harbor's nightly backup runs early.", "--name", LOW, "--type", "semantic")
    secret = ("--sensitivity", "high", "--set", "scope=ops")
    mdmem("remember", "Harbor's keys lie in the left drawer.", "--name", SECRET, "--type", "semantic", *secret)
    return root


def trust(root: Path, name: str) -> tuple[object, object]:
    with Vault(str(root)) as vault:
        meta = lookup.named(vault, name).meta
        return meta.get("sensitivity"), meta.get("scope")


@pytest.mark.parametrize(
    "command",
    [
        ("record", "merge", LOW, SECRET, "--name", SUM, "--text", "All of Harbor."),
        ("record", "supersede", SECRET, "--name", SUM, "--text", "All of Harbor."),
        ("record", "fork", SECRET, "--name", SUM, "--text", "All of Harbor."),
        ("remember", "All of Harbor.", "--name", SUM, "--supersedes", SECRET),
        ("remember", "All of Harbor.", "--name", SUM, "--supersedes", SECRET, "--sensitivity", "low"),
    ],
)
def test_the_highest_level_and_the_scope_are_written(here: Path, mdmem: Run, command: tuple[str, ...]) -> None:
    mdmem(*command)
    assert trust(here, SUM) == ("high", "ops")
    assert "sensitivity: high" in (here / f"allmemories/{SUM}.md").read_text()


def test_what_says_nothing_gives_nothing(here: Path, mdmem: Run) -> None:
    mdmem("remember", "All of Harbor.", "--name", SUM, "--supersedes", LOW)
    assert trust(here, SUM) == (None, None)


def test_what_the_sources_were_made_of_counts(here: Path, mdmem: Run) -> None:
    (here / "allmemories/harbor_made_of_keys.md").write_text(
        f'---\nderived_from: ["[[{SECRET}]]"]\n---\n\nDrawers are left.\n'
    )
    mdmem("remember", "All of Harbor.", "--name", SUM, "--supersedes", "harbor_made_of_keys")
    assert trust(here, SUM) == ("high", "ops")


def test_a_fact_that_is_kept_is_as_sensitive_as_the_note_that_tells_it(here: Path, mdmem: Run) -> None:
    (here / "allmemories/harbor_facts_hidden.md").write_text(
        "---\nsensitivity: high\ntopic: harbor\n---\n\n# Facts\n\n- Harbor · needs · two pilots (trait, 0.9)\n"
    )
    with Vault(str(here)) as vault:
        (fact,) = vault.index.records(("fact",))
    mdmem("facts", "keep", fact.id)
    assert trust(here, "harbor_needs_two_pilots") == ("high", None)
