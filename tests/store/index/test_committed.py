"""A commit that was recorded before it was made is what git says of it, or its record does not count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.store.git import log
from mdmem.store.local import staging
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git

KEPT, GONE, NEW, ODD = (
    f"allmemories/{name}.md" for name in ("kept_note_here", "gone_note_here", "new_note", "ü\\u")
)


@pytest.fixture
def staged(vault: Vault, root: Path, git: Git, commit: Commit) -> Vault:
    """A vault in which changes of all kinds are staged, and recorded."""
    for path in (KEPT, GONE, "mdmem.toml"):
        (root / path).write_text("# old\n")
    commit("before")
    assert vault.index.count() == 2
    (root / GONE).unlink()
    for path in (KEPT, NEW, ODD, "other.txt"):
        (root / path).write_text("new\n")
    (root / "mdmem.toml").chmod(0o755)
    git(root, "add", "-A")
    git(root, "write-tree")  # as `git commit` does before its hooks run
    assert len(staging.files(str(root), vault.repo, "", 500)) == 6
    return vault


def recorded(vault: Vault) -> log.Step | None:
    """What the record says of the commit that HEAD is now."""
    index = vault.open_index()
    return index.recorded_step(index.head, vault.repo.head_commit())


def test_the_record_says_what_git_says(staged: Vault, root: Path, git: Git) -> None:
    git(root, "commit", "-qm", "all")
    assert recorded(staged) == log.step(staged.repo, staged.repo.head_commit())
    assert staged.open_index().take_in_head(500)
    assert {row.path for row in staged.index.records()} >= {KEPT, NEW, ODD}


def commit_more(root: Path, git: Git) -> None:
    """As another hook does that stages what it makes."""
    (root / "made.txt").write_text("made\n")
    git(root, "add", "made.txt")
    git(root, "commit", "-qm", "more")


def commit_elsewhere(root: Path, git: Git) -> None:
    git(root, "commit", "-q", "--allow-empty", "-m", "first", "--only")
    git(root, "commit", "-qm", "then")


def amend(root: Path, git: Git) -> None:
    git(root, "commit", "-q", "--amend", "-m", "amended")


def merge(root: Path, git: Git) -> None:
    tree, head = git(root, "write-tree"), git(root, "rev-parse", "HEAD")
    git(
        root, "reset", "-q", "--soft", git(root, "commit-tree", "-p", head, "-p", f"{head}^", "-m", "merged", tree)
    )


def break_record(root: Path, git: Git) -> None:
    place = root / ".mdmem/staged.json"
    place.write_text(place.read_text()[:-9])
    git(root, "commit", "-qm", "all")


def begin_anew(root: Path, git: Git) -> None:
    """A first commit whose header has four lines, too: the last of them is no committer."""
    git(root, "checkout", "-q", "--orphan", "anew")
    git(root, "-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-qm", "all")


@pytest.mark.parametrize("make", [commit_more, commit_elsewhere, amend, merge, break_record, begin_anew])
def test_the_record_of_another_commit_does_not_count(
    staged: Vault, root: Path, git: Git, make: Callable[[Path, Git], None]
) -> None:
    make(root, git)
    assert recorded(staged) is None


def test_what_a_clone_planted_is_not_written_through(staged: Vault, root: Path) -> None:
    """A link in place of the record would lead out of the vault."""
    (root / ".mdmem/staged.json").unlink()
    (root / ".mdmem/staged.json").symlink_to(root / "elsewhere")
    assert staging.files(str(root), staged.repo, "", 500)
    assert not (root / "elsewhere").exists()
