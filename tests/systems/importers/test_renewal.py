"""Importing again what has changed since: the memory follows its source, and no edit of it is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import entities
from mdmem.systems.intake import Intake

Graph = Callable[..., Intake]


@pytest.fixture
def graph(vault: Vault, caller: Caller, tmp_path: Path) -> Graph:
    """Import a graph in which Ada has these observations, and again, which adds nothing: the plan."""

    def run(*said: str, **relations: str) -> Intake:
        rows: list[dict[str, Any]] = [
            {"type": "entity", "name": "Ada", "entityType": "person", "observations": said},
            {"type": "entity", "name": "Shop", "entityType": "place", "observations": ["Sells tea"]},
        ]
        for kind, target in relations.items():
            rows.append({"type": "relation", "from": "Ada", "to": target, "relationType": kind})
        given = tmp_path / "memory.jsonl"
        given.write_text("".join(json.dumps(row) + "\n" for row in rows))
        vault.look_again()
        plan = entities.SERVER_MEMORY.plan(vault, str(given), silent)
        entities.SERVER_MEMORY.write(vault, plan, caller)
        again = entities.SERVER_MEMORY.plan(vault, str(given), silent)
        assert (again.items, len(again.known)) == ((), 2)
        return plan

    return run


def place_of(plan: Intake, source: str = "Ada") -> str:
    (path,) = [item.path for item in plan.items if item.facts["source"] == source]
    return path


def test_a_memory_follows_its_source_and_undo_takes_it_back(graph: Graph, root: Path, mdmem: Any) -> None:
    ada = place_of(graph("Leads the team"))
    before = (root / ada).read_text()
    grown = graph("Leads the team", "Likes tea", works_at="Shop")
    assert [(item.facts["updated"], item.path) for item in grown.items] == [(True, ada)]
    assert "- Leads the team\n- Likes tea\n" in (root / ada).read_text()
    assert "works_at" in (root / ada).read_text()
    mdmem("undo", "--commit", "HEAD", "--vault", root)
    assert (root / ada).read_text() == before


def test_an_import_that_was_undone_brings_the_same_again(graph: Graph, root: Path, mdmem: Any) -> None:
    ada = place_of(graph("Leads the team"))
    (root / ada).write_text((root / ada).read_text().replace("Leads the team", "Led the team"))
    graph("Leads ten teams")
    grown = (root / ada).read_text()
    mdmem("undo", "--commit", "HEAD", "--vault", root)
    assert "ten" not in (root / ada).read_text()
    assert graph("Leads ten teams").items
    assert (root / ada).read_text() == grown
    mdmem("undo", "--commit", "HEAD", "--vault", root)
    mdmem("undo", "--commit", "HEAD", "--vault", root)
    assert graph("Leads ten teams").items == (), "the import was undone, and then its undo"


def test_edits_stay_when_the_source_grows(graph: Graph, root: Path, vault: Vault) -> None:
    ada = place_of(graph("Leads the team", "Lives in Turin", "Has a cat"))
    edited = (
        (root / ada).read_text().replace("Leads the team", "Leads two teams").replace("---\n", "---\nx: 1\n", 1)
    )
    (root / ada).write_text(edited)
    assert graph("Leads the team", "Lives in Turin", "Has a cat").items == (), "only the memory changed"
    grown = graph("Leads the team", "Lives in Turin", "Has a cat", "Likes tea")
    assert (root / ada).read_text() == edited.replace("- Has a cat\n", "- Has a cat\n- Likes tea\n")
    assert grown.problems == ()
    graph("Leads the team", "Lives in Turin", "Has a cat", "Likes tea", "Swims")
    assert (root / ada).read_text() == edited.replace("- Has a cat\n", "- Has a cat\n- Likes tea\n- Swims\n")


def test_what_both_changed_stands_in_the_memory_and_is_told(graph: Graph, root: Path, mdmem: Any) -> None:
    ada = place_of(graph("Leads the team"))
    (root / ada).write_text((root / ada).read_text().replace("Leads the team", "Led the team"))
    (problem,) = graph("Leads ten teams").problems
    assert (problem.path, problem.severity) == ("Ada", "warning")
    assert "both versions are in it" in problem.message
    text = (root / ada).read_text()
    assert "Led the team" in text
    assert "Leads ten teams" in text
    assert Path(ada).stem in mdmem("waiting", "--kind", "merge", "--vault", root, "--json").out


def test_what_may_not_be_seen_is_not_brought_up(graph: Graph, root: Path, vault: Vault) -> None:
    """Nor is a secret that came to the source."""
    ada = place_of(graph("Leads the team"))
    assert graph("Leads the team", "password: hunter2-Xk9vQ7pLw2").items == ()
    (root / ada).write_text((root / ada).read_text().replace("---\n", "---\nsensitivity: high\n", 1))
    hidden = (root / ada).read_text()
    vault.look_again()
    vault.clear_for("claude-code", "low")
    assert graph("Leads the team", "Likes tea").items == ()
    assert (root / ada).read_text() == hidden
