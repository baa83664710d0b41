"""What the pages count and list is asked of the index, and is the same as what the memories and commits say."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdmem.acts.pages import chronicle, graph, search, today
from mdmem.acts.pages.request import PageRequest
from mdmem.history import past
from mdmem.note.memory import as_text, project_of
from mdmem.note.trust.sensitivity import Clearance
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Write

NOTES = {
    "note_of_a_fact": "type: fact\ntags: [tea, shop]\nproject: https://example.org/shop.git\ntopic: tea",
    "note_of_a_choice": "type: decision\ntags: [shop]\nproject: shop\nactor: codex",
    "note_without_a_type": "actor: codex\ntopic: tea",
    "note_for_few_eyes": "type: fact\ntags: [tea]\nproject: vault-of-few\nactor: spy\nsensitivity: high",
}


@pytest.fixture
def counted(root: Path, write: Write, git: Git) -> Path:
    """A vault with a memory that few may see, and commits of several kinds."""
    for day, (name, head) in enumerate(NOTES.items(), 1):
        write(f"allmemories/{name}.md", f"---\n{head}\ncreated: 2026-02-0{day}T00:00:00Z\n---\n\nText.\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes", "--date", "2025-12-31T23:30:00-0200")
    (root / "other.txt").write_text("No memory.\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "another file")
    git(root, "mv", "allmemories/note_of_a_fact.md", "allmemories/note_that_moved.md")
    git(
        root,
        "commit",
        "--quiet",
        "-m",
        "moved",
        "-m",
        "Memory-Action: rename\nMemory-Gardener: hygiene\nMemory-Run: r1",
    )
    git(root, "checkout", "--quiet", "-b", "side", "HEAD~2")
    write("allmemories/note_on_a_side.md", "Text.\n")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "a side")
    git(root, "checkout", "--quiet", "-")
    git(root, "merge", "--quiet", "--no-edit", "side")
    gone = git(root, "rev-parse", "HEAD~1")
    write("allmemories/note_for_few_eyes.md", "---\nsensitivity: high\n---\n\nOnly here.\n")
    git(root, "commit", "--quiet", "-am", "hidden")
    git(root, "commit", "--quiet", "--allow-empty", "-m", "x", "-m", f"Memory-Action: undo\nMemory-Undoes: {gone}")
    return root


@pytest.fixture(params=["", "low"], ids=["all", "some"])
def vault(counted: Path, request: pytest.FixtureRequest) -> Iterator[Vault]:
    """The vault for a person, and for somebody who may not see all of it."""
    with Vault.open(str(counted)) as vault:
        vault.clearance = Clearance(request.param) if request.param else vault.clearance
        yield vault


def test_health_counts_the_commits_that_may_be_seen(vault: Vault) -> None:
    """The index says in which months they were made: nothing of a long history is read for that."""
    value, commits = today.read_health(vault, PageRequest(NOW)), list(past.events(vault))
    assert value["writes"] == sorted(Counter(f"{one.when:%Y-%m}" for one in commits).items())
    runs = Counter(f"{one.when:%Y-%m}" for one in commits if one.operation.get("Run"))
    assert value["gardening"] == sorted(runs.items())
    assert value["gardeners"] == {"hygiene": {"done": 1, "undone": 1}}


@pytest.mark.parametrize("on", [{}, {"type": "fact"}, {"tag": "shop"}, {"project": "shop"}, {"actor": "codex"}])
def test_the_list_and_its_facets_are_those_of_the_memories(vault: Vault, on: dict[str, str]) -> None:
    value = search.read_all(vault, PageRequest(NOW, given=on))
    told = {
        one.path: {
            "type": [one.type],
            "tag": one.tags,
            "project": [project_of(one.meta)],
            "actor": [as_text(one.meta.get("actor"))],
        }
        for one in vault.index.records()
    }
    passing = {path: said for path, said in told.items() if all(on[key] in said[key] for key in on)}
    assert sorted(one["path"] for one in value["memories"]) == sorted(passing)
    assert value["total"] == len(passing)
    for key, facets in value["facets"].items():
        assert facets == Counter(word for said in passing.values() for word in said[key] if word), key
    assert vault.clearance.is_full or "spy" not in str(value)


@pytest.mark.parametrize("by", ["topic", "tag", "project"])
def test_the_groups_hold_every_memory(vault: Vault, by: str) -> None:
    value = graph.read(vault, PageRequest(NOW, given={"by": by}))
    ungrouped = {one.path for one in vault.index.records()}
    for group in filter(None, (one["name"] for one in value["groups"])):
        shown = graph.read_group(vault, PageRequest(NOW, given={"by": by, "of": group}))
        ungrouped -= {one["path"] for one in shown["memories"]}
    assert [one["memories"] for one in value["groups"] if not one["name"]] == [len(ungrouped)]
    assert vault.clearance.is_full or "few" not in str(value)


def test_what_a_page_kept_outlasts_the_commits_that_it_learns_of(vault: Vault) -> None:
    """Taking in new commits changes the index: what a page had worked out before that was worked out twice."""
    worked_out = [
        chronicle.kept(vault, "test", lambda: past.undone_sessions(vault, ["s"]) or object()) for _ in "ab"
    ]
    assert worked_out[0] is worked_out[1]


def test_compiled_templates_are_kept_as_compiled_modules_are(tmp_path: Path) -> None:
    """Jinja takes longer to compile the templates of a page than to fill them."""
    line = "from mdmem.page import frame, server; server.PageServer(None, False, None)"
    line += "; frame.environment().get_template('base.html')"
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}

    def kept() -> dict[Path, int]:
        subprocess.run([sys.executable, "-c", line], check=True, env=environment)
        return {path: path.stat().st_mtime_ns for path in tmp_path.rglob("templates/**/*") if path.is_file()}

    assert kept()
    assert kept() == kept()
