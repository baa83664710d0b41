"""`mdmem garden review` in a real terminal: answers are typed, one letter each."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.garden.test_apply import NOTES, plant

Run = Callable[..., Any]
Git = Callable[..., str]


@pytest.fixture
def planted(root: Path, git: Git) -> Path:
    plant(root)
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


class Terminal:
    """A command in a terminal of its own."""

    def __init__(self, *args: object) -> None:
        self.ours, theirs = pty.openpty()
        line = [sys.executable, "-m", "mdmem", *(str(arg) for arg in args)]
        self.process = subprocess.Popen(line, stdin=theirs, stdout=theirs, stderr=theirs, env={**os.environ})
        os.close(theirs)
        self.code = -1

    def answer(self, *keys: str) -> str:
        """Type these answers, then Ctrl-D; what was shown, to the end."""
        os.write(self.ours, "".join(f"{key}\n" for key in keys).encode() + b"\x04")
        shown = b""
        while more := self._read():
            shown += more
        self.code = self.process.wait()
        os.close(self.ours)
        return re.sub(r"\x1b\[[?\d]*[a-zA-Z]", "", shown.decode().replace("\r\n", "\n"))

    def _read(self) -> bytes:
        try:
            return os.read(self.ours, 1 << 16)
        except OSError:  # the other side is closed
            return b""


@pytest.fixture
def review(planted: Path) -> Iterator[Callable[..., str]]:
    def run(*keys: str, options: tuple[str, ...] = (), code: int = 0) -> str:
        terminal = Terminal("garden", "review", *options, "--vault", planted)
        shown = terminal.answer(*keys)
        assert terminal.code == code, shown
        return shown

    return run  # type: ignore[return-value]


def decided(planted: Path) -> list[str]:
    found = json.loads((planted / ".mdmem/garden.json").read_text())["decisions"]
    return sorted(f"{one['verdict']} {one['title'].split()[0]}" for one in found.values())


def test_each_proposal_is_shown_with_its_diff_and_answered_with_a_letter(
    planted: Path, review: Run, mdmem: Run, git: Git
) -> None:
    shown = review("n", "y")
    assert re.search(r"1 of 2\n.*conflicts  trust", shown)
    assert re.search(r"2 of 2\n.*twins  merge", shown)
    assert "why   allmemories/user_wants_short_tables.md:8" in shown
    assert "\n-User prefers short tables over prose!\n" in shown
    assert "accepted 1, rejected 1" in shown
    assert "1 accepted proposal: mdmem garden apply --accepted-only" in shown
    assert decided(planted) == ["accepted merge", "rejected trust"]
    assert git(planted, "status", "--short") == ""
    out = mdmem("garden", "--vault", planted).out
    assert "conflicts" not in out
    assert "1 proposal rejected" in out
    assert mdmem("garden", "apply", "--vault", planted).out.count("applied  ") == 1
    assert decided(planted) == ["rejected trust"]
    assert "nothing was decided" in review()


def test_a_rejected_proposal_comes_back_when_its_note_changes(planted: Path, review: Run) -> None:
    review("n", "n")
    place = planted / "allmemories/user_lives_in_munich.md"
    place.write_text(place.read_text() + "\nReally.\n")
    shown = review("q")
    assert re.search(r"1 of 1\n.*conflicts  trust", shown)
    assert "nothing was decided\n1 proposal not reviewed" in shown


def test_later_and_quitting_store_nothing(planted: Path, review: Run) -> None:
    assert "later 1\n1 proposal not reviewed" in review("l", "q")
    assert "nothing was decided\n2 proposals not reviewed" in review()
    assert not (planted / ".mdmem/garden.json").exists()


def test_help_and_the_whole_diff_can_be_asked_for(review: Run) -> None:
    shown = review("?", "x", "d", "q")
    assert shown.count("n  reject: it is not proposed again") == 2
    assert shown.count("+Corrected 2026-01-02.") == 2


def test_what_the_person_saves_in_the_editor_is_what_is_applied(
    planted: Path, review: Run, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "sed -i 's/over prose/over any prose/'")
    review("l", "e")
    mdmem("garden", "apply", "--accepted-only", "--vault", planted)
    text = (planted / "allmemories/user_prefers_short_tables.md").read_text()
    assert "User prefers short tables over any prose." in text
    assert not (planted / "allmemories/user_wants_short_tables.md").exists()
    assert list((planted / ".mdmem/unsaved").iterdir()) == []


@pytest.mark.parametrize(
    ("editor", "said"),
    [
        ("sed -i 's/^id: .*/id: 00000000-0000-7000-8000-00000000000f/'", "the id of a memory never changes"),
        ("sed -i 's/^title: .*/title: a: b: c/'", "the frontmatter cannot be read"),
        ("truncate -s 0", "the text is empty"),
        ("true", "nothing was saved"),
        ("false", "Editing failed"),
    ],
)
def test_what_cannot_be_taken_is_said_and_asked_again(
    planted: Path, review: Run, monkeypatch: pytest.MonkeyPatch, editor: str, said: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    assert said in review("e", "q")
    assert not (planted / ".mdmem/garden.json").exists()


def test_what_was_accepted_can_be_applied_at_once(planted: Path, review: Run, git: Git) -> None:
    shown = review("y", "l", options=("--apply",))
    assert "applied  trust user_lives_in_munich" in shown
    assert git(planted, "log", "-2", "--format=%s").splitlines()[1] == "notes"


def test_a_proposal_that_waited_comes_up_when_the_other_one_is_rejected(planted: Path, review: Run) -> None:
    """Two notes are twins of one another and each links to what is gone."""
    for name in list(NOTES)[2:]:
        place = planted / f"allmemories/{name}.md"
        place.write_text(place.read_text() + "\n[[user_lives_in_munichs]]\n")
    shown = review("n", "n", "q")
    assert "hygiene" in shown.split("2 of ")[1]


def test_decisions_can_be_forgotten(planted: Path, review: Run, mdmem: Run) -> None:
    review("n", "n")
    found = json.loads((planted / ".mdmem/garden.json").read_text())["decisions"]
    assert "forgot 1 decision" in mdmem("garden", "review", "--forget", next(iter(found)), "--vault", planted).out
    assert "1 proposal rejected" in mdmem("garden", "--vault", planted).out
    assert "forgot 1 decision" in mdmem("garden", "review", "--reset", "--vault", planted).out
    assert json.loads(mdmem("garden", "--json", "--vault", planted).out)["rejected"] == 0


def test_without_a_terminal_it_says_what_to_do_instead(planted: Path, mdmem: Run) -> None:
    done = mdmem("garden", "review", "--vault", planted, code=2)
    assert "mdmem garden apply" in done.err
