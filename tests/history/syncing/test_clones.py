"""Clones of every kind: worktrees, submodules, shallow and partial ones; histories that crossed; signed merges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import ConflictError, StoppedError
from mdmem.history.syncing import sync as syncing
from mdmem.history.syncing.sync import SyncRequest
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git
from tests.history.syncing.conftest import Clone

TEA, COFFEE = "likes_green_tea", "likes_black_coffee"


def test_a_partial_clone_syncs(
    tmp_path: Path, here: Clone, hub: Path, clone: Callable[..., Clone], git: Git
) -> None:
    """What it lacks is fetched as it is needed."""
    git(hub, "config", "uploadpack.allowFilter", "true")
    here.remember("Tea is green.", TEA)
    here.sync()
    partial = clone("partial", "--filter=blob:none", source=f"file://{hub}")
    here.update(TEA, confidence=0.9)
    partial.update(TEA, importance=0.7)
    here.sync()
    assert partial.sync().conflicts == ()
    text = partial.note(TEA).read_text()
    assert "0.9" in text
    assert "0.7" in text


def test_a_shallow_clone_syncs_or_says_what_it_lacks(here: Clone, hub: Path, clone: Callable[..., Clone]) -> None:
    here.remember("Tea is green.", TEA)
    here.sync()
    shallow = clone("shallow", "--depth=1", source=f"file://{hub}")
    shallow.remember("Coffee is black.", COFFEE)
    here.update(TEA, confidence=0.9)
    here.sync()
    shallow.sync()
    assert "0.9" in shallow.note(TEA).read_text()
    here.sync()
    assert here.note(COFFEE).exists()


def test_a_second_working_tree_syncs_its_own_branch(here: Clone, hub: Path, git: Git, tmp_path: Path) -> None:
    git(here.root, "worktree", "add", "--quiet", "-b", "garden", str(tmp_path / "tree"))
    with Vault(str(tmp_path / "tree")) as vault:
        clone = Clone(vault, tmp_path / "tree", [])
        clone.remember("Tea is green.", TEA)
        with pytest.raises(StoppedError, match="no branch garden; it has main"):
            clone.sync()
        git(tmp_path / "tree", "branch", "--quiet", "--set-upstream-to=origin/main")
        report = clone.sync()
    assert (report.target.local, report.target.branch) == ("garden", "main")
    assert not here.note(TEA).exists()
    here.sync()
    assert here.note(TEA).exists()


def test_a_vault_that_is_a_submodule_syncs_by_itself(tmp_path: Path, here: Clone, hub: Path, git: Git) -> None:
    git(tmp_path, "init", "--quiet", "outer")
    git(tmp_path / "outer", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(hub), "brain")
    git(tmp_path / "outer", "commit", "--quiet", "-m", "a vault")
    here.remember("Tea is green.", TEA)
    here.sync()
    with Vault(str(tmp_path / "outer/brain")) as vault:
        report = syncing.sync(vault, SyncRequest(), Caller(NOW))
    assert [change.name for change in report.came] == [TEA]
    assert git(tmp_path / "outer", "status", "--porcelain") == " M brain"


def test_an_unfinished_merge_is_left_alone(here: Clone, git: Git) -> None:
    (here.root / ".git/MERGE_HEAD").write_text(git(here.root, "rev-parse", "HEAD") + "\n")
    with pytest.raises(ConflictError, match="a merge is under way"):
        here.sync()


def test_histories_that_crossed_are_merged(here: Clone, there: Clone, hub: Path, tmp_path: Path, git: Git) -> None:
    """By two hubs: each side merged the other's older commit, so that they have two latest commits in common."""
    here.remember("Tea is green.\n\nIt is hot.", TEA)
    here.sync()
    there.sync()
    here.update(TEA, confidence=0.6)
    there.update(TEA, importance=0.6)
    ours, theirs = (git(clone.root, "rev-parse", "HEAD") for clone in (here, there))
    for clone, other, commit in ((here, there, theirs), (there, here, ours)):
        git(clone.root, "fetch", "--quiet", str(other.root), commit)
        git(clone.root, "merge", "--quiet", "--no-edit", "-X", "ours", commit)
    here.update(TEA, confidence=0.8)
    there.update(TEA, importance=0.8)
    here.sync()
    report = there.sync()
    assert report.conflicts == ()
    text = there.note(TEA).read_text()
    assert "confidence: 0.8" in text
    assert "importance: 0.8" in text


def test_merges_are_signed_where_git_signs(here: Clone, there: Clone, git: Git, tmp_path: Path) -> None:
    """With a program in place of gpg that prints what git looks for."""
    gpg = tmp_path / "gpg"
    gpg.write_text(
        "#!/bin/sh\ncat > /dev/null\necho '-----BEGIN PGP SIGNATURE-----'\necho x\n"
        "echo '-----END PGP SIGNATURE-----'\necho '\n[GNUPG:] SIG_CREATED ' >&2\n"
    )
    gpg.chmod(0o755)
    git(there.root, "config", "gpg.program", str(gpg))
    git(there.root, "config", "commit.gpgSign", "true")
    here.remember("Tea is green.", TEA)
    there.remember("Coffee is black.", COFFEE)
    here.sync()
    there.sync()
    assert "BEGIN PGP SIGNATURE" in git(there.root, "cat-file", "commit", "HEAD")


def test_what_came_by_sync_is_no_file_of_mdmems_own(here: Clone, there: Clone, git: Git) -> None:
    """Local files that arrive from elsewhere would be believed."""
    (here.root / ".mdmem").mkdir(exist_ok=True)
    (here.root / ".mdmem/sync.json").write_text("{}")
    git(here.root, "add", "--force", ".mdmem/sync.json")
    git(here.root, "commit", "--quiet", "-m", "planted")
    git(here.root, "push", "--quiet")
    before = git(there.root, "rev-parse", "HEAD")
    with pytest.raises(StoppedError, match=r"has \.mdmem/sync\.json in git"):
        there.sync()
    assert git(there.root, "rev-parse", "HEAD") == before
    assert not (there.root / ".mdmem/sync.json").exists()
    there.remember("Tea is green.", "likes_green_tea")  # makes mdmem's own folder
    (there.root / ".mdmem/sync.json").write_text("{}")
    with pytest.raises(StoppedError, match=r"has \.mdmem/sync\.json in git"):
        there.sync()


def test_a_vault_is_not_made_anew_where_git_could_check_nothing_out(
    here: Clone, hub: Path, tmp_path: Path, git: Git, mdmem: Callable[..., Any]
) -> None:
    """A bare repository may say "master" while the vault is on main; a second vault there never syncs."""
    here.remember("Tea is green.", TEA)
    here.sync()
    git(hub, "symbolic-ref", "HEAD", "refs/heads/nowhere")
    git(tmp_path, "clone", "--quiet", str(hub), "empty")
    clone = tmp_path / "empty"
    assert not (clone / "allmemories").exists()
    mdmem("init", clone)
    assert (clone / f"allmemories/{TEA}.md").exists()
    assert git(clone, "rev-parse", "HEAD") == git(here.root, "rev-parse", "HEAD")


def test_a_shallow_clone_says_where_its_past_begins(
    here: Clone, hub: Path, tmp_path: Path, git: Git, mdmem: Callable[..., Any]
) -> None:
    """Its first commit looks as if it had made everything, and its author as if they had written it."""
    here.remember("Tea is green.", TEA)
    here.remember("Coffee is black.", COFFEE)
    here.sync()
    git(tmp_path, "clone", "--quiet", "--depth", "1", f"file://{hub}", "cut")
    edge = git(here.root, "rev-parse", "HEAD")[:8]
    for asked in (["log"], ["log", TEA], ["blame", TEA]):
        assert f"cut off at {edge}" in mdmem(*asked, "--vault", tmp_path / "cut").err
        assert "cut off" not in mdmem(*asked, "--vault", here.root).err
