"""git merges memories by mdmem: in a merge, a rebase, a cherry-pick, a stash, a revert; and without it as ever."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from mdmem.history.merging import setup
from mdmem.store.git.repo import Repo
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git

NAME = "allmemories/ä note of tags.md"
NOTE = """---
id: 0192f3c4-7d1e-7c3a-9d53-000000000001
title: A note
tags:
  - alpha
---

One sentence.

- first
"""


@pytest.fixture
def forked(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, commit: Commit) -> Path:
    """A vault whose branches `main` and `side` both added a tag and a bullet to a note; git knows the driver."""
    monkeypatch.setattr(sys, "argv", [str(Path(sys.executable).with_name("mdmem"))])
    setup.ensure_driver(Repo.around(str(root)))
    (root / NAME).write_text(NOTE)
    commit()
    git(root, "checkout", "-qb", "side")
    save(root, git, edited("zeta", "of the side"))
    git(root, "checkout", "-q", "main")
    save(root, git, edited("beta", "of main"))
    return root


def edited(tag: str, bullet: str, text: str = NOTE) -> str:
    return text.replace("  - alpha\n", f"  - alpha\n  - {tag}\n") + f"- {bullet}\n"


def save(root: Path, git: Git, text: str, message: str = "edit") -> None:
    (root / NAME).write_text(text)
    git(root, "commit", "-qam", message)


BOTH = NOTE.replace("  - alpha\n", "  - alpha\n  - beta\n  - zeta\n") + "- of main\n- of the side\n"


OTHER = "allmemories/another name.md"
WAYS = {
    "a merge": [("merge", "-q", "side", "-m", "merge")],
    "a rebase": [("checkout", "-q", "side"), ("rebase", "-q", "main")],
    "a cherry-pick": [("checkout", "-qb", "picked"), ("cherry-pick", "side")],
    "a merge of a renamed note": [("mv", NAME, OTHER), ("commit", "-qm", "rename"), ("merge", "-q", "side")],
}


@pytest.mark.parametrize("way", WAYS)
def test_git_takes_what_both_wrote(forked: Path, git: Git, way: str) -> None:
    for line in WAYS[way]:
        git(forked, *line)
    assert (forked / (OTHER if "renamed" in way else NAME)).read_text() == BOTH
    assert git(forked, "status", "--porcelain") == ""


def test_stashed_edits_come_back_into_a_note_that_changed(forked: Path, git: Git) -> None:
    git(forked, "checkout", "-q", "side^")
    (forked / NAME).write_text(edited("zeta", "of the side"))
    git(forked, "stash", "-q")
    git(forked, "checkout", "-q", "main")
    git(forked, "stash", "pop", "-q")
    assert (forked / NAME).read_text() == BOTH


def test_an_older_commit_is_taken_back_from_a_note_that_changed(forked: Path, git: Git) -> None:
    save(forked, git, edited("zeta", "of the side", (forked / NAME).read_text()))
    git(forked, "revert", "--no-edit", "HEAD^")
    assert (forked / NAME).read_text() == edited("zeta", "of the side")


def test_a_contradiction_is_a_conflict_and_stands_in_the_text(forked: Path, git: Git) -> None:
    save(forked, git, (forked / NAME).read_text().replace("A note", "Note of main"))
    git(forked, "checkout", "-q", "side")
    save(forked, git, (forked / NAME).read_text().replace("A note", "Side note"))
    git(forked, "merge", "-q", "main", "-m", "merge", code=1)
    text = (forked / NAME).read_text()
    assert text.startswith(
        "---\nid: 0192f3c4-7d1e-7c3a-9d53-000000000001\ntitle: Side note\ntags:\n  - alpha\n  - beta\n"
    )
    assert "---\n<<<<<<< ours (property)\ntitle: Side note\n=======\ntitle: Note of main\n>>>>>>> theirs" in text
    assert git(forked, "status", "--porcelain").startswith("UU")


def test_two_notes_of_one_name_are_a_conflict_that_holds_both(forked: Path, git: Git, commit: Commit) -> None:
    for branch, number in (("main", "2"), ("side", "3")):
        git(forked, "checkout", "-q", branch)
        (forked / "allmemories/twin.md").write_text(NOTE.replace("000001", f"00000{number}"))
        commit("twin", folder=forked)
    git(forked, "merge", "-q", "main", "-m", "merge", code=1)
    text = (forked / "allmemories/twin.md").read_text()
    assert "000002\n" in text.split("---\n", 2)[1]
    assert "<<<<<<< ours (memory)\n---\nid: 0192f3c4-7d1e-7c3a-9d53-000000000003" in text


def test_a_note_that_one_side_deleted_stays_in_conflict(forked: Path, git: Git) -> None:
    """git asks no driver about it; the file is there, as the other side left it."""
    git(forked, "rm", "-q", NAME)
    git(forked, "commit", "-qm", "gone")
    git(forked, "merge", "-q", "side", "-m", "merge", code=1)
    assert (forked / NAME).read_text() == edited("zeta", "of the side")


@pytest.mark.parametrize("driver", ["/nowhere/mdmem", "false", None])
def test_without_its_program_git_merges_the_texts(forked: Path, git: Git, driver: str | None) -> None:
    """And leaves both versions between markers, so that `git add` loses nothing."""
    if driver is None:
        setup.remove_driver(Repo.around(str(forked)))
    else:
        line = git(forked, "config", "merge.mdmem.driver")
        git(forked, "config", "merge.mdmem.driver", driver + line[line.index(" merge-driver") :])
    git(forked, "merge", "-q", "side", "-m", "merge", code=1)
    text = (forked / NAME).read_text()
    assert "<<<<<<<" in text
    assert "  - beta\n" in text
    assert "  - zeta\n" in text


def test_what_is_not_a_memory_is_merged_by_git(forked: Path, git: Git, commit: Commit) -> None:
    for branch, line in (("side", "of the side"), ("main", "of main")):
        git(forked, "checkout", "-q", branch)
        (forked / "AGENTS.md").write_text(f"- {line}\n")
        commit(folder=forked)
    git(forked, "merge", "-q", "side", "-m", "merge", code=1)
    assert "<<<<<<< ours\n- of main\n" in (forked / "AGENTS.md").read_text()


def test_scores_of_a_topic_are_lines_of_both(forked: Path, git: Git, commit: Commit) -> None:
    place = forked / "topics/tea/curation.md"
    place.parent.mkdir(parents=True)
    lines = [f"- 04bfc468b131e204: {score} (ana, 2026-03-0{score}T10:00:00Z)\n" for score in (1, 2, 3)]
    place.write_text("# Scores\n\n" + lines[0])
    commit("scores", folder=forked)
    git(forked, "checkout", "-qb", "other")
    place.write_text("# Scores\n\n" + lines[0] + lines[2])
    git(forked, "commit", "-qam", "third")
    git(forked, "checkout", "-q", "main")
    place.write_text("# Scores\n\n" + lines[0] + lines[1])
    git(forked, "commit", "-qam", "second")
    git(forked, "merge", "-q", "other", "-m", "merge")
    assert place.read_text() == "# Scores\n\n" + "".join(lines)


def test_a_vault_in_a_folder_of_a_repository_and_in_a_worktree(
    tmp_path: Path, root: Path, git: Git, commit: Commit
) -> None:
    top = tmp_path / "my code"
    shutil.copytree(root, top / "the vault", ignore=shutil.ignore_patterns(".git"))
    git(tmp_path, "init", "-q", str(top))
    setup.ensure_driver(Repo.around(str(top / "the vault")))
    attributes = (top / ".git/info/attributes").read_text()
    assert attributes.startswith('"/the vault/**/*.md" merge=mdmem\n')
    asked = git(top, "check-attr", "merge", "the vault/a.md", "the vault/allmemories/b.md", "README.md")
    assert [line.rsplit(" ", 1)[1] for line in asked.splitlines()] == ["mdmem", "mdmem", "unspecified"]
    commit("all", folder=top)
    git(top, "worktree", "add", "-q", str(tmp_path / "tree"))
    assert list(setup.problems(Repo.around(str(tmp_path / "tree" / "the vault")))) == []


def test_setting_it_up_and_taking_it_away(root: Path, git: Git) -> None:
    repo = Repo.around(str(root))
    before = (root / ".git/config").read_text()
    assert setup.ensure_driver(repo)
    assert not setup.ensure_driver(repo)
    assert git(root, "config", "--local", "--get-regexp", r"^merge\.").startswith("merge.mdmem.driver ")
    setup.remove_driver(repo)
    assert (root / ".git/config").read_text() == before
    assert (root / ".git/info/attributes").read_text() == ""


def test_the_doctor_tells_what_keeps_git_from_it(root: Path, git: Git) -> None:
    def told() -> list[tuple[str, str]]:
        with Vault.open(str(root)) as vault:
            return [(problem.severity, problem.message) for problem in setup.problems(vault.repo)]

    assert told() == []
    (root / ".gitattributes").write_text("*.md merge=mdmem\n")
    assert [severity for severity, _ in told()] == ["warning"]
    setup.ensure_driver(Repo.around(str(root)))
    assert told() == []
    git(root, "config", "merge.mdmem.driver", "/nowhere/mdmem merge-driver %O %A %B %L %P")
    assert "/nowhere/mdmem is not there" in told()[0][1]
    git(root, "config", "--unset", "merge.mdmem.driver")
    assert told()[0] == ("error", "merge.mdmem.name is set and merge.mdmem.driver is not: git refuses to merge")
