"""What git is told to ignore without a file of the person: once, by exactly those names; what was there stays."""

from __future__ import annotations

from pathlib import Path

from mdmem.store.git import exclude
from mdmem.store.git.repo import Repo
from tests.conftest import Git


def test_git_ignores_the_paths_and_nothing_like_them(root: Path, git: Git) -> None:
    repo = Repo.around(str(root))
    exclude.ignore(repo, ["PAGE.md", f"{exclude.literal('odd[1] *')}/*/page.md"])
    for path in ("PAGE.md", "odd[1] */a/page.md", "odd1 x/a/page.md", "sub/PAGE.md", "odd[1] */page.md"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    status = git(root, "status", "--porcelain", "--untracked-files=all", "-z").split("\0")
    assert sorted(filter(None, status)) == ["?? odd1 x/a/page.md", "?? odd[1] */page.md", "?? sub/PAGE.md"]


def test_what_the_file_has_stays_and_nothing_is_said_twice(root: Path) -> None:
    place = root / ".git/info/exclude"
    place.write_bytes(b"mine\xff")
    repo = Repo.around(str(root))
    exclude.ignore(repo, ["PAGE.md"])
    once = place.read_bytes()
    exclude.ignore(repo, ["PAGE.md"])
    assert place.read_bytes() == once
    assert once.startswith(b"mine\xff\n# ")
    assert once.endswith(b"\n/PAGE.md\n")


def test_a_vault_within_a_repository_names_its_own_files(root: Path, git: Git) -> None:
    inner = root / "inner"
    inner.mkdir()
    exclude.ignore(Repo.around(str(inner)), ["PAGE.md"])
    (inner / "PAGE.md").write_text("x")
    (root / "PAGE.md").write_text("x")
    assert git(root, "status", "--porcelain") == "?? PAGE.md"
