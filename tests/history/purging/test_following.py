"""Purged history does not come back: the hub refuses it, and old clones move over with their own commits kept."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, StoppedError, UsageError
from mdmem.history.purging import published
from mdmem.store.git.folder import purges_of
from mdmem.store.vault import hookfiles
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run
from tests.history.purging.conftest import ILLNESS, ILLNESS_ID, SECRET, TEA
from tests.history.purging.test_purge import SECRETS, held_by, purged


@pytest.fixture
def bare(leaky: Path, tmp_path: Path, git: Git) -> Path:
    """A hub that holds all of the vault, and an old clone of it beside."""
    git(tmp_path, "clone", "-q", "--mirror", "--no-local", leaky, "hookfiles.git")
    git(tmp_path / "hookfiles.git", "update-ref", "-d", "refs/mdmem/seen/claude")  # it is never pushed
    git(leaky, "remote", "add", "origin", tmp_path / "hookfiles.git")
    git(tmp_path, "clone", "-q", tmp_path / "hookfiles.git", "old")
    return tmp_path / "hookfiles.git"


def pushed(root: Path) -> published.PushedPurge:
    with Vault.open(str(root)) as vault:
        return published.push(vault.repo, "origin")


def collected(folder: Path, git: Git) -> None:
    git(folder, "reflog", "expire", "--expire=now", "--all")
    git(folder, "gc", "-q", "--prune=now")


def commit(root: Path, git: Git, name: str, text: str) -> None:
    (root / f"allmemories/{name}.md").write_text(text)
    git(root, "add", ".")
    git(root, "commit", "-qm", f"{name} by hand\n\nAfter {git(root, 'rev-parse', 'HEAD')}.")


def test_an_old_clone_is_refused_by_the_hub_and_follows_with_its_own_work(
    leaky: Path, bare: Path, git: Git, mdmem: Run, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    commit(old, git, "my_own_new_note", "Mine.\n")
    commit(old, git, "user_quotes_the_key", f"It was {SECRET}, I think.\n")
    commit(old, git, TEA, (old / f"allmemories/{TEA}.md").read_text() + "With lemon.\n")
    mdmem("hooks", "install", "--hub", "--vault", bare)
    mdmem("sync", "--vault", leaky)
    purged(leaky)
    done = pushed(leaky)
    assert set(done.refs) == {
        *("refs/heads/main", "refs/heads/side", "refs/tags/old", "refs/notes/commits", "refs/mdmem/purges"),
    }
    collected(bare, git)
    assert (done.left, held_by(bare, SECRETS)) == ((), [])
    git(old, "fetch", "-q", "origin")
    refused = git(old, "push", "origin", "HEAD:main", "--force", code=1)
    assert "holds history from before a purge; run: mdmem sync" in refused
    out = mdmem("sync", "--vault", old)
    assert "followed a purge" in out.err
    assert held_by(old, SECRETS) == []
    assert (old / "allmemories/my_own_new_note.md").read_text() == "Mine.\n"
    assert (old / "allmemories/user_quotes_the_key.md").read_text() == "It was (purged), I think.\n"
    assert (old / f"allmemories/{TEA}.md").read_text().endswith("With lemon.\n")
    assert git(old, "status", "--porcelain") == ""
    assert git(old, "fsck", "--strict") == ""
    assert git(bare, "rev-parse", "main") == git(old, "rev-parse", "HEAD")
    told = git(old, "log", "--format=%an|%s|%b", "--grep", "key by hand")
    before = git(old, "log", "-1", "--format=%H", "--grep=my_own")
    assert told == f"Ada Lovelace|user_quotes_the_key by hand|After {before}."
    mdmem("sync", "--vault", leaky)
    assert git(leaky, "rev-parse", "HEAD") == git(old, "rev-parse", "HEAD")


def test_a_purged_memory_does_not_come_back_from_an_old_clone(
    leaky: Path, bare: Path, git: Git, mdmem: Run, tmp_path: Path
) -> None:
    old = tmp_path / "old"
    commit(old, git, ILLNESS, f"---\nid: {ILLNESS_ID}\ntitle: Secret illness\n---\n\nThe gout is worse.\n")
    git(old, "mv", f"allmemories/{ILLNESS}.md", "allmemories/moved_to_another_name.md")
    git(old, "commit", "-qm", "moved")
    commit(old, git, "my_own_new_note", "Mine.\n")
    purged(leaky, ILLNESS)
    pushed(leaky)
    mdmem("sync", "--vault", old)
    assert held_by(old, "gout") == []
    assert not (old / "allmemories/moved_to_another_name.md").exists()
    assert (old / "allmemories/my_own_new_note.md").read_text() == "Mine.\n"


def test_a_hub_that_was_not_purged_does_not_bring_it_back(leaky: Path, bare: Path, mdmem: Run, git: Git) -> None:
    purged(leaky)
    ran = mdmem("sync", "--vault", leaky, code=5)
    assert "mdmem purge --push origin" in ran.err
    assert held_by(leaky, SECRETS) == []
    assert "replaced in origin: refs/heads/main" in mdmem("purge", "--push", "origin", "--vault", leaky).out
    mdmem("sync", "--vault", leaky)


def test_work_that_is_only_on_the_hub_is_not_pushed_over(
    leaky: Path, bare: Path, git: Git, tmp_path: Path
) -> None:
    purged(leaky)
    commit(tmp_path / "old", git, "my_own_new_note", "Mine.\n")
    git(tmp_path / "old", "push", "-q", "origin", "main")
    with pytest.raises(ConflictError, match="main has commits there that are not here"):
        pushed(leaky)


@pytest.mark.parametrize("is_emptied", [True, False])
def test_a_map_that_takes_much_away_is_not_followed_unasked(
    leaky: Path, bare: Path, git: Git, tmp_path: Path, is_emptied: bool
) -> None:
    """A map is believed only as far as it could be one of a purge."""
    for at in range(12):
        (leaky / f"allmemories/one_more_note_{at}.md").write_text(f"Note {at}.\n")
    git(leaky, "add", ".")
    git(leaky, "commit", "-qm", "many")
    git(leaky, "push", "-q", "origin", "main")
    old = tmp_path / "old"
    git(old, "pull", "-q")
    head, told = git(old, "rev-parse", "HEAD"), r"has \d+ commits, and 1 in the history to follow"
    new = git(old, "commit-tree", "-m", "no past", "HEAD^{tree}")
    if is_emptied:
        tree = git(old, "rev-parse", git(old, "rev-list", "--max-parents=0", "HEAD") + "^{tree}")
        new, told = head, "would change or take away 16 files of 17"
        for made in git(old, "rev-list", "--reverse", "HEAD").splitlines():
            new = git(old, "commit-tree", "-m", made, *(["-p", new] if new != head else []), tree)
    for name, text in (("commit-map", f"{head} {new}\n"), ("first-changed", f"{head}\n")):
        (tmp_path / name).write_text(text)
    blobs = [
        f"100644 blob {git(old, 'hash-object', '-w', tmp_path / name)}\t{name}"
        for name in ("commit-map", "first-changed")
    ]
    made = subprocess.run(
        ["git", "mktree"], cwd=old, input="\n".join(blobs) + "\n", capture_output=True, text=True
    ).stdout.strip()
    forged = git(old, "commit-tree", "-m", "purge", made)
    git(old, "update-ref", purges_of("origin"), forged)
    with Vault.open(str(old)) as vault:
        with pytest.raises(StoppedError, match=told):
            published.follow(vault, "origin")
        assert git(old, "rev-parse", "HEAD") == head
        assert published.follow(vault, "origin", allow_loss=True)
    assert git(old, "rev-parse", "HEAD") == new


def test_edits_stay_or_stop_it(leaky: Path, bare: Path, git: Git, mdmem: Run, tmp_path: Path) -> None:
    old = tmp_path / "old"
    purged(leaky)
    pushed(leaky)
    (old / "allmemories/escaped_forms.md").write_text("edited\n")
    ran = mdmem("sync", "--vault", old, code=5)
    assert "an edited file is in the way of a purge" in ran.err
    assert (old / "allmemories/escaped_forms.md").read_text() == "edited\n"
    git(old, "checkout", "allmemories/escaped_forms.md")
    (old / f"allmemories/{ILLNESS}.md").write_text("edited\n")
    mdmem("sync", "--vault", old)
    assert (old / f"allmemories/{ILLNESS}.md").read_text() == "edited\n"
    assert held_by(old, SECRETS) == []


def test_the_guard_runs_an_earlier_hook_first_and_leaves_when_asked(bare: Path, git: Git, mdmem: Run) -> None:
    before = bare / "hooks/pre-receive"
    before.parent.mkdir(exist_ok=True)
    before.write_text('#!/bin/sh\necho earlier; read was new ref; [ "$ref" != refs/heads/no ]\n')
    before.chmod(0o755)
    guard = hookfiles.install(str(bare))
    assert (guard.installed, guard.current, guard.chained) == (True, True, True)
    assert hookfiles.install(str(bare)) == guard
    old = bare.parent / "old"
    assert "earlier" in git(old, "push", "origin", "HEAD:refs/heads/no", code=1)
    git(old, "push", "-q", "origin", "HEAD:refs/heads/yes")
    assert not mdmem("hooks", "uninstall", "--hub", "--vault", bare).err
    assert "echo earlier" in before.read_text()
    with pytest.raises(UsageError, match="not a bare repository"):
        hookfiles.install(str(old))


def test_the_list_of_purges_only_grows(leaky: Path, bare: Path, git: Git) -> None:
    purged(leaky)
    hookfiles.install(str(bare))
    pushed(leaky)
    assert "only grows" in git(leaky, "push", "origin", ":refs/mdmem/purges", code=1)
    purged(leaky, ILLNESS)
    pushed(leaky)
