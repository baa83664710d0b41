"""The state of a vault at a glance."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mdmem.acts.setup import survey, survey_lines
from mdmem.recall.models import sentence
from mdmem.recall.models.vectors import Vectors
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Remember, Run, Write


def test_the_last_write_is_told_after_many_commits_of_other_files(
    root: Path, vault: Vault, remember: Remember, git: Git
) -> None:
    assert survey(vault).last == ""
    remember("x", "some_note_here", actor="an-agent")
    for number in range(60):
        git(root, "commit", "-q", "--allow-empty", "-m", f"code {number}")
    assert survey(vault).last == "2026-03-01T12:00:00Z create by an-agent"


def test_everything_that_status_shows(root: Path, vault: Vault, remember: Remember, git: Git) -> None:
    """Counts by type and status, the largest first; of uncommitted files only the memories."""
    remember("Likes tea.", "user_likes_tea_most", type="preference")
    remember("Likes cake.", "user_likes_cake_most", type="preference")
    remember("Ran on hopper.", "deploys_ran_on_hopper", type="fact", status="deprecated")
    (root / "allmemories/user_likes_tea_most.md").write_text("---\na: [\n---\nbroken by hand")
    (root / "README.md").write_text("not a memory")
    found = survey(vault)
    assert (found.root, found.branch, found.head) == (str(root), "main", git(root, "rev-parse", "HEAD"))
    assert found.memories == 3
    assert list(found.by_type.values()) == sorted(found.by_type.values(), reverse=True)
    assert found.by_type["preference"] == 1
    assert found.by_status["deprecated"] == 1
    assert found.uncommitted == ["allmemories/user_likes_tea_most.md"]
    assert found.problems == 1
    assert "1 file has problems: mdmem doctor" in list(survey_lines(found))
    assert found.strays == 0


def test_commits_that_no_branch_holds_are_counted(root: Path, vault: Vault, remember: Remember, git: Git) -> None:
    remember("x", "some_note_here")
    remember("y", "other_note_here")
    git(root, "reset", "-q", "--hard", "HEAD~2")
    assert survey(vault).strays == 2
    git(root, "merge", "-q", "--ff-only", "ORIG_HEAD")
    assert survey(vault).strays == 0


def test_rebuild_counts_memories_not_files(root: Path, mdmem: Run) -> None:
    (root / "allmemories/good_note_here.md").write_text("x")
    (root / "allmemories/binary_note_here.md").write_bytes(b"\0")
    assert mdmem("rebuild", "--vault", root).out == "indexed 1 memory\n"
    assert json.loads(mdmem("rebuild", "--json", "--vault", root).out) == {"memories": 1}


@pytest.mark.usefixtures("any_model")
def test_the_sentence_model_is_named_with_how_many_have_a_vector(
    root: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    numpy = pytest.importorskip("numpy", reason="vectors are an extra")
    monkeypatch.setattr(sentence.SentenceModel, "is_installed", True)
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "multilingual"\n')
    write("allmemories/user_likes_tea_most.md", "Likes tea.\n")
    write("allmemories/user_likes_cake_most.md", "Likes cake.\n")
    with Vault(str(root)) as vault:
        digest = vault.index.digests()["allmemories/user_likes_tea_most.md"]
        Vectors(vault.root, sentence.MULTILINGUAL.name).add({digest: numpy.ones((1, 2), numpy.float32)})
        Vectors(vault.root, sentence.MINILM.name).add({b"of another": numpy.ones((1, 2), numpy.float32)})
        lines = list(survey_lines(survey(vault)))
    assert (
        "meaning    universal-sentence-encoder-multilingual-3: 1 of 2 texts with vectors; mdmem rebuild vectors"
        in lines
    )
