"""The short way to who wrote each line comes to the same as git's long one, or is not taken."""

from __future__ import annotations

from pathlib import Path

from mdmem.history import past
from mdmem.store.git import log
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git, Write

OLD, NEW = "allmemories/old_name_here.md", "allmemories/new_name_here.md"
LINES = [f"Line {number} stands here." for number in range(12)]


def written(write: Write, path: str, lines: list[str]) -> None:
    write(path, "\n".join(lines) + "\n")


def test_the_short_way_ends_where_the_long_one_does(
    vault: Vault, root: Path, write: Write, git: Git, commit: Commit
) -> None:
    oids = set()
    lines = list(LINES)
    for turn in range(4):
        lines[turn * 3] = f"Changed in turn {turn}."
        written(write, OLD, lines)
        oids.add(commit())
        write("allmemories/beside_it_here.md", f"Turn {turn}.\n")
        commit()
    git(root, "mv", OLD, NEW)
    lines.insert(1, "Changed with the name.")
    written(write, NEW, lines)
    oids.add(commit())
    write("allmemories/beside_it_here.md", "At last.\n")
    commit()
    lines.append("Not committed.")
    written(write, NEW, lines)
    vault.look_again()

    ways = past.grafts(vault, NEW)
    assert ways
    assert log.blame(vault.repo, NEW, ways) == log.blame(vault.repo, NEW)
    assert {line.commit for line in past.blame(vault, NEW)[1]} == {*oids, ""}


def test_where_branches_both_changed_a_file_the_long_way_is_taken(
    vault: Vault, root: Path, write: Write, git: Git, commit: Commit
) -> None:
    written(write, NEW, LINES)
    commit()
    git(root, "checkout", "-q", "-b", "side")
    written(write, NEW, ["Aside.", *LINES[1:]])
    aside = commit()
    git(root, "checkout", "-q", "-")
    written(write, NEW, [*LINES[:-1], "Ahead."])
    ahead = commit()
    git(root, "merge", "-q", "--no-edit", "side")
    vault.look_again()
    assert past.grafts(vault, NEW) is None
    lines = {line.text: line.commit for line in past.blame(vault, NEW)[1]}
    assert (lines["Aside."], lines["Ahead."]) == (aside, ahead)


def test_a_file_that_came_back_has_the_lines_of_its_latest_life(
    vault: Vault, root: Path, write: Write, git: Git, commit: Commit
) -> None:
    for _ in range(2):
        written(write, NEW, LINES)
        made = commit()
        git(root, "rm", "-q", NEW)
        commit()
    written(write, NEW, LINES)
    made = commit()
    vault.look_again()
    assert {line.commit for line in log.blame(vault.repo, NEW, past.grafts(vault, NEW))} == {made}
