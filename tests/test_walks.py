"""What a remember, a recall and a garden apply may cost, in numbers that do not depend on the clock.

The counting itself is that of tests/bench/walks.py, which runs each walk in a process of its own.
"""

from __future__ import annotations

import sys

import pytest

from tests.bench import walks


def test_a_remember_parses_one_note_and_starts_few_git_processes() -> None:
    cost = walks.measure("remember", sys.executable)
    assert cost["parses"] <= 21  # its own, and those that it may change, which are scored
    assert cost["splits"] <= 22  # of the text given, of the note made from it, and of those
    assert cost["git"] == [
        *("status", "config"),  # what changed, and who is who
        "config",  # the first write of a clone notes whom it trusts
        *("update-index", "write-tree", "commit-tree", "update-ref"),
        "config",  # who is who among the writers of the notes that it may change
    ]


def test_a_recall_parses_nothing_and_asks_git_for_changes_and_people() -> None:
    cost = walks.measure("recall", sys.executable)
    assert (cost["parses"], cost["splits"], cost["git"]) == (0, 0, ["status", "config"])


def test_a_garden_apply_of_one_proposal_parses_each_note_once() -> None:
    cost = walks.measure("garden apply", sys.executable)
    assert "update-ref" in cost["git"]  # something was applied
    assert cost["parses"] <= walks.NOTES + 2  # each note once, and what the proposal makes and removes


def test_a_sync_of_one_merged_note_parses_its_three_versions_and_asks_git_each_thing_once() -> None:
    cost = walks.measure("sync", sys.executable)
    assert cost["parses"] <= 3
    assert cost["git"] == [
        *("config", "fetch"),
        "cat-file",  # refs, commits and notes
        *("diff-tree", "fast-import"),  # what both sides changed, and in which commits; the merge commit
        *("status", "push"),  # what is edited
        *("cat-file", "update-index", "update-ref"),  # the new files, with git's filters; HEAD
    ]


@pytest.mark.parametrize(
    ("line", "subcommand"),
    [
        (["git", "-c", "color.ui=false", "status", "--short"], "status"),
        (["/usr/bin/git", "-C", "/tmp", "--no-pager", "log"], "log"),
        (["rg", "status"], "rg"),
    ],
)
def test_the_subcommand_of_a_command_line(line: list[str], subcommand: str) -> None:
    assert walks.subcommand(line) == subcommand
