"""A sync brings what is there, sends what is here, and leaves alone what is a person's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, StoppedError, UsageError
from tests.history.syncing.conftest import Clone

Git = Callable[..., str]
TEA, COFFEE = "likes_green_tea", "likes_black_coffee"


def head(git: Git, place: Path) -> str:
    return git(place, "rev-parse", "refs/heads/main")


def assert_same(git: Git, *places: Path) -> None:
    assert len({head(git, place) for place in places}) == 1


def test_what_is_written_here_is_there_after_two_syncs(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    sent = here.sync()
    assert (sent.after, sent.there) == (sent.here, there.vault.repo.head()[0])
    assert head(git, hub) == sent.after
    came = there.sync()
    assert came.after == sent.after
    assert there.note(TEA).read_bytes() == here.note(TEA).read_bytes()
    assert git(there.root, "status", "--porcelain") == ""
    assert there.vault.index.count() == 1
    assert there.sync().is_void
    assert_same(git, hub, here.root, there.root)


def test_edits_of_a_person_stay_as_they_are(here: Clone, there: Clone, git: Git) -> None:
    for name in (TEA, COFFEE):
        here.remember("It is hot.", name)
    here.sync()
    there.sync()
    here.update(TEA, confidence=0.9)
    here.sync()
    edited = there.note(COFFEE).read_bytes() + b"\nA draft.\n"
    there.note(COFFEE).write_bytes(edited)
    there.note("draft_of_mine").write_text("Only a draft.\n")
    (there.root / "staged.txt").write_text("x")
    git(there.root, "add", "staged.txt")
    report = there.sync()
    assert sorted(report.edited) == [f"allmemories/{name}.md" for name in ("draft_of_mine", COFFEE)]
    assert there.note(COFFEE).read_bytes() == edited
    assert b"0.9" in there.note(TEA).read_bytes()
    status = git(there.root, "status", "--porcelain").splitlines()
    assert sorted(line.split()[0] for line in status) == ["??", "A", "M"]


def test_an_edit_in_the_way_stops_the_sync_before_anything_is_changed(
    here: Clone, there: Clone, hub: Path, git: Git
) -> None:
    here.remember("Tea is green.", TEA)
    here.sync()
    there.sync()
    here.update(TEA, confidence=0.9)
    here.sync()
    there.note(TEA).write_bytes(there.note(TEA).read_bytes() + b"\nMine.\n")
    before = (head(git, hub), head(git, there.root), there.note(TEA).read_bytes())
    with pytest.raises(ConflictError, match=TEA) as stopped:
        there.sync()
    assert "--commit-edits" in stopped.value.hint
    assert (head(git, hub), head(git, there.root), there.note(TEA).read_bytes()) == before


def test_the_first_push_fills_an_empty_remote(
    tmp_path: Path, here: Clone, clone: Callable[..., Clone], git: Git
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "-b", "main", "empty.git")
    git(here.root, "remote", "add", "backup", str(tmp_path / "empty.git"))
    report = here.sync(remote="backup")
    assert report.there == ""
    assert head(git, tmp_path / "empty.git") == report.after


def test_a_remote_with_another_branch_is_left_alone(tmp_path: Path, here: Clone, git: Git) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(here.root), "other.git")
    git(tmp_path / "other.git", "branch", "-m", "main", "master")
    git(here.root, "remote", "add", "other", str(tmp_path / "other.git"))
    with pytest.raises(StoppedError, match="no branch main; it has master"):
        here.sync(remote="other")


def test_only_remotes_that_git_knows_by_name(here: Clone, hub: Path, git: Git) -> None:
    for name in (str(hub), "nowhere", "--upload-pack=touch x"):
        with pytest.raises(UsageError, match="is not a remote"):
            here.sync(remote=name)
    git(here.root, "checkout", "--quiet", "--detach")
    with pytest.raises(ConflictError, match="detached"):
        here.sync()


def test_a_dry_run_changes_nothing(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    before = head(git, hub)
    report = here.sync(dry_run=True)
    assert (report.after, head(git, hub)) == (head(git, here.root), before)
    here.sync()
    before = head(git, there.root)
    there.sync(dry_run=True)
    assert head(git, there.root) == before
    assert not there.note(TEA).exists()
