"""What a merge left open is listed, shown to doctor and sessions, and settled in one commit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.history.merging.conflict import MergeConflict, find, render
from mdmem.history.merging.notes import merge
from mdmem.note import header
from mdmem.note.memory import conflict_line
from tests.conftest import Commit, Git, Run

NOTE = """---
id: 0192f3c4-7d1e-7c3a-9d53-000000000001
title: A title
---

One sentence.

- first
"""


def conflicting() -> str:
    """A note with two titles and two sentences."""
    ours = NOTE.replace("A title", "Title: ours").replace("One sentence.", "Our sentence.")
    theirs = NOTE.replace("A title", "Their title").replace("One sentence.", "Their sentence.")
    return merge(NOTE, ours.replace("Title: ours", '"Title: ours"'), theirs).text


@pytest.fixture
def kept(root: Path, commit: Commit) -> Path:
    """A vault in which such a note was committed."""
    place = root / "allmemories/one_note_in_conflict.md"
    place.write_text(conflicting())
    commit()
    return place


def test_it_is_listed_with_both_versions(kept: Path, mdmem: Run) -> None:
    found = json.loads(mdmem("waiting", "--vault", kept.parents[1], "--json").out)
    assert [(one["about"], one["key"], one["ours"], one["theirs"], one["line"]) for one in found] == [
        ("property", "title", 'title: "Title: ours"\n', "title: Their title\n", 5),
        ("text", "", "Our sentence.\n", "Their sentence.\n", 11),
    ]
    told = mdmem("waiting", "one_note_in_conflict", "--vault", kept.parents[1]).out
    assert "one_note_in_conflict  title  1.00" in told
    assert "theirs  Their sentence." in told


def test_doctor_and_the_start_of_a_session_say_so(kept: Path, mdmem: Run) -> None:
    assert "mdmem judge shows" in mdmem("doctor", "--vault", kept.parents[1], code=1).out
    pack = mdmem("session", "start", "--vault", kept.parents[1]).out
    assert "In conflict after a merge: 1 memory: ask the user to run mdmem judge" in pack


@pytest.mark.parametrize(
    ("side", "title", "line"),
    [("ours", "Title: ours", "Our sentence."), ("theirs", "Their title", "Their sentence.")],
)
def test_one_side_is_chosen_in_one_commit(
    kept: Path, git: Git, mdmem: Run, side: str, title: str, line: str
) -> None:
    before = git(kept.parent, "rev-list", "--count", "HEAD")
    mdmem("judge", "one_note_in_conflict", side, "--vault", kept.parents[1])
    text = kept.read_text()
    assert header.split(text, "").meta["title"] == title
    assert text.endswith(f"---\n\n{line}\n\n- first\n")
    assert git(kept.parent, "status", "--porcelain") == ""
    assert int(git(kept.parent, "rev-list", "--count", "HEAD")) == int(before) + 1
    assert mdmem("waiting", "--vault", kept.parents[1]).out == "nothing waits\n"
    mdmem("judge", "one_note_in_conflict", side, "--vault", kept.parents[1], code=3)


def test_it_is_settled_in_an_editor(
    kept: Path, mdmem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "editor.sh"
    (tmp_path / "new.md").write_text(NOTE.replace("One", "Agreed"))
    script.write_text(f'#!/bin/sh\ncat "{tmp_path}/new.md" > "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("MDMEM_EDITOR", str(script))
    mdmem("judge", "one_note_in_conflict", "edit", "--vault", kept.parents[1])
    assert kept.read_text() == NOTE.replace("One", "Agreed")


@pytest.mark.parametrize("side", ["ours", "theirs"])
def test_of_two_memories_of_one_name_both_are_kept(kept: Path, git: Git, mdmem: Run, side: str) -> None:
    versions = {"ours": NOTE, "theirs": NOTE.replace("000001", "000002")}
    kept.write_text(merge(None, versions["ours"], versions["theirs"]).text)
    git(kept.parent, "commit", "-qam", "sync")
    mdmem("judge", "one_note_in_conflict", side, "--vault", kept.parents[1])
    assert kept.read_text() == versions.pop(side)
    assert kept.with_name("one_note_in_conflict_2.md").read_text() == versions.popitem()[1]


def test_a_merge_that_git_has_stopped_in(kept: Path, git: Git, mdmem: Run, commit: Commit) -> None:
    """Files are staged, deleted ones too, and git concludes it."""
    root = kept.parents[1]
    other = kept.with_name("another_note_of_mine.md")
    for place in (kept, other):
        place.write_text(NOTE if place == kept else NOTE.replace("000001", "000002"))
    commit()
    git(root, "checkout", "-qb", "side")
    kept.write_text(NOTE.replace("One", "Their"))
    other.unlink()
    git(root, "commit", "-qam", "theirs")
    git(root, "checkout", "-q", "main")
    kept.write_text(NOTE.replace("One", "Our"))
    other.write_text(other.read_text() + "- more\n")
    git(root, "commit", "-qam", "ours")
    git(root, "merge", "-q", "side", code=1)
    found = json.loads(mdmem("waiting", "--kind", "merge", "--vault", root, "--json").out)
    assert [(one["path"], one["about"], one["in_merge"]) for one in found] == [
        ("allmemories/another_note_of_mine.md", "deleted", True),
        ("allmemories/one_note_in_conflict.md", "text", True),
    ]
    mdmem("judge", "one_note_in_conflict", "ours", "--vault", root)
    mdmem("judge", "another_note_of_mine", "theirs", "--vault", root)
    git(root, "commit", "-qm", "merge")
    assert kept.read_text() == NOTE.replace("One", "Our")
    assert not other.exists()
    assert git(root, "status", "--porcelain") == ""


def test_code_that_shows_markers_is_no_conflict(kept: Path, git: Git, mdmem: Run) -> None:
    kept.write_text(NOTE + "\n```\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n```\n")
    git(kept.parent, "commit", "-qam", "an example")
    assert mdmem("waiting", "--vault", kept.parents[1]).out == "nothing waits\n"


def test_lines_that_look_like_markers_have_longer_ones_around_them() -> None:
    found = MergeConflict("", "Our head\n=======\n", "Their head\n=======\n")
    text = render(found)
    assert text.startswith("<<<<<<<< ours\nOur head\n=======\n========\nTheir head\n")
    assert [block.conflict for block in find(f"above\n\n{text}\nbelow\n")] == [found]
    assert conflict_line(f"above\n\n{text}") == 3


def test_a_property_that_cannot_be_read_is_no_side_to_choose(kept: Path, mdmem: Run) -> None:
    text = NOTE.replace("One sentence.", render(MergeConflict("property", "title: [a\n", "title: b\n")))
    kept.write_text(text)
    told = mdmem("judge", "one_note_in_conflict", "ours", "--vault", kept.parents[1], code=1).err
    assert "one_note_in_conflict.md:6: cannot be settled" in told
    assert kept.read_text() == text


def test_many_conflicts_are_settled_together(kept: Path, mdmem: Run) -> None:
    sides = [("", f"ours {number}\n", f"theirs {number}\n") for number in range(40)]
    kept.write_text(NOTE + "\n" + "".join(f"{render(MergeConflict(*side))}kept\n" for side in sides))
    mdmem("judge", "one_note_in_conflict", "theirs", "--vault", kept.parents[1])
    assert kept.read_text() == NOTE + "\n" + "".join(f"{theirs}kept\n" for _, _, theirs in sides)


@pytest.mark.parametrize("lines", ["<<<<<<< a\n", "<<<<<<< a\n=======\n"])
def test_conflicts_are_found_in_one_reading(lines: str) -> None:
    """Twice the lines take twice the calls: the rest of the text is not read again for each marker."""
    small, large = (_calls(lambda text=lines * count: list(find(text))) for count in (100, 200))
    assert large < 2.2 * small


def _calls(work: Callable[[], object]) -> int:
    """How many functions some work calls, Python's own ones included."""
    count = 0

    def seen(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count
