"""A clone without the contents of the past works: what it lacks is fetched together, or said to be away."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Commit, Git, Run

NOTES = 6
ASKED = {
    "recall": ("recall", "boat"),
    "recall of another day": ("recall", "boat", "--as-of", "2026-01-02"),
    "log of a note": ("log", "note_number_0_here"),
    "trash": ("trash",),
    "undo of a session": ("undo", "--session", "late", "--dry-run"),
    "undo of an actor": ("undo", "--actor", "Ada Lovelace", "--dry-run"),
    "undo of the last": ("undo", "--last", "14", "--dry-run"),
    "undo since a day": ("undo", "--since", "2026-01-02", "--dry-run"),
    "blame": ("blame", "note_number_0_here"),
    "news of an agent": ("session", "start", "--actor", "codex"),
}


@pytest.fixture
def whole(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, commit: Commit) -> Path:
    """A vault whose notes were all revised and renamed in one commit each; one was deleted."""
    for day in range(1, 4):
        for name in ("MDMEM_NOW", "GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
            monkeypatch.setenv(name, f"2026-01-0{day}T12:00:00Z")
        for number in range(NOTES):
            old, new = (root / f"allmemories/note_number_{number}_{end}.md" for end in ("there", "here"))
            lines = [f"Line {line} of boat {number} is here." for line in range(9)]
            if day == 3:
                old.unlink()
            text = [f"---\nid: boat-{number}\n---\n", *lines[: 4 * day], f"The boat has a mast of {day} m."]
            (old if day < 3 else new).write_text("\n".join(text) + "\n")
            commit(f"day {day}\n\nMemory-Action: revise\nMemory-Session: late\n")
    git(root, "rm", "-q", f"allmemories/note_number_{NOTES - 1}_here.md")
    git(root, "commit", "-qm", "gone")
    git(root, "config", "uploadpack.allowFilter", "true")
    return root


@pytest.fixture
def partial(whole: Path, tmp_path: Path, git: Git) -> Path:
    git(tmp_path, "clone", "-q", "--filter=blob:none", whole.as_uri(), "partial")
    return tmp_path / "partial"


def fetched(root: Path) -> int:
    """How often a clone has fetched: each time gives it a pack."""
    return len(list((root / ".git/objects/pack").glob("*.pack")))


def test_what_a_partial_clone_lacks_is_fetched_together(whole: Path, tmp_path: Path, git: Git, mdmem: Run) -> None:
    """git itself fetches each content when it is read: some thousand times in a large vault."""
    for name, line in ASKED.items():
        git(tmp_path, "clone", "-q", "--filter=blob:none", whole.as_uri(), name)
        clone = tmp_path / name
        mdmem("list", "--vault", clone)
        before = fetched(clone)
        assert mdmem(*line, "--vault", clone).out, name
        assert fetched(clone) - before <= 2, name


def test_without_its_remote_a_partial_clone_answers_from_what_it_has(partial: Path, git: Git, mdmem: Run) -> None:
    mdmem("list", "--vault", partial)
    git(partial, "remote", "set-url", "origin", str(partial.parent / "away.git"))
    assert "note_number_0_here" in mdmem("recall", "boat mast", "--vault", partial).out
    assert (
        "the vault: this partial clone lacks 5 older versions of files" in mdmem("doctor", "--vault", partial).out
    )
    git(partial, "update-ref", "refs/mdmem/seen/codex", "HEAD~13")
    assert "may be told as removed" in mdmem("session", "start", "--actor", "codex", "--vault", partial).out
    mdmem("doctor", "--fix", "--vault", partial)
    for line in (
        ("recall", "boat", "--as-of", "2026-01-01"),
        ("blame", "note_number_0_here"),
        ("log", "note_number_0_here"),
        ("undo", "--actor", "Ada Lovelace"),
    ):
        said = mdmem(*line, "--vault", partial, code=1)
        assert "this partial clone lacks" in said.err
        assert "and origin cannot be asked" in said.err


def test_what_was_written_in_a_partial_clone_is_not_asked_of_the_remote(
    partial: Path, git: Git, mdmem: Run, commit: Commit
) -> None:
    mdmem("list", "--vault", partial)
    git(partial, "remote", "set-url", "origin", str(partial.parent / "away.git"))
    for text in ("The new boat is red.", "The new boat is green."):
        (partial / "allmemories/the_new_boat_here.md").write_text(text)
        commit("mine", folder=partial)
    assert "green" in mdmem("diff", "the_new_boat_here@HEAD~1", "--vault", partial).out
    assert "mine" in mdmem("log", "the_new_boat_here", "--vault", partial).out
    mdmem("undo", "--last", "1", "--vault", partial)
    assert (partial / "allmemories/the_new_boat_here.md").read_text() == "The new boat is red."
