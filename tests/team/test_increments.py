"""Whatever is committed, what the changes gave is row by row what a refill gives."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mdmem.team.server import Server
from tests.team.test_publish import write

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]

NAMES = ("tea", "coffee", "plan_of_the_reactor", "grüße", "sum")
TEXTS = (
    "Green tea.",
    "See [[plan_of_the_reactor]] and [[tea|that]]; tea, tea, tea.",
    "# Facts\n\n- User · likes · tea (preference, 0.9)\n",
    "plan_of_the_reactor by name, 机器学习.",
)
HEADERS = (
    "",
    "sensitivity: high\n",
    "sensitivity: low\nscope: kitchen\n",
    'derived_from: "[[plan_of_the_reactor]]"\n',
    "topic: drinks\npinned: true\ntags: [hot]\n",
)
NOTE = st.tuples(st.sampled_from(NAMES), st.none() | st.tuples(st.sampled_from(TEXTS), st.sampled_from(HEADERS)))
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("notes"), st.lists(NOTE, min_size=1, max_size=3)),
        st.tuples(st.just("move"), st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES))),
        st.tuples(st.just("merge"), NOTE),
        st.tuples(st.just("settings"), st.sampled_from(('exclude = ["allmemories/tea.md"]\n', ""))),
        st.tuples(st.just("rewrite"), NOTE),
    ),
    min_size=2,
    max_size=6,
)


class Writer:
    """Does steps in a vault, each in a commit of its own a minute after the last."""

    def __init__(self, root: Path, git: Run) -> None:
        self.root = root
        self.minute = 0
        self._git = git

    def git(self, *args: str) -> None:
        when = f"2026-01-01T{self.minute // 60:02d}:{self.minute % 60:02d}:00Z"
        self._git(self.root, *args, GIT_AUTHOR_DATE=when, GIT_COMMITTER_DATE=when)

    def commit(self, *options: str) -> None:
        self.minute += 1
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", "step", *options)

    def note(self, name: str, told: tuple[str, str] | None) -> None:
        place = self.root / "allmemories" / f"{name}.md"
        place.parent.mkdir(exist_ok=True)  # git removes an empty one
        if told:
            write(self.root, name, *told)
            place.write_text(place.read_text().replace("created: 2026-01-01T00:00:00Z\n", ""))
        else:
            place.unlink(missing_ok=True)

    def do(self, what: str, how: Any) -> None:
        folder = self.root / "allmemories"
        if what == "notes":
            for name, told in how:
                self.note(name, told)
        elif what == "move" and (folder / f"{how[0]}.md").exists():
            (folder / f"{how[0]}.md").rename(folder / f"{how[1]}.md")
        elif what == "settings":
            (self.root / "mdmem.toml").write_text('id = "test"\n' + how)
        if what == "merge":
            self.git("checkout", "--quiet", "-B", "side")
            self.note(*how)
            self.commit()
            self.git("checkout", "--quiet", "main")
            self.commit()
            self.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
        elif what == "rewrite":
            self.note(*how)
            self.commit("--amend")
        else:
            self.commit()


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=STEPS)
def test_changes_are_what_a_refill_gives(
    steps: list[Any], root: Path, git: Run, contents: Run, send: Run, team: Server
) -> None:
    subprocess.run(["git", "clean", "-qfdx"], cwd=root, check=True)
    writer = Writer(root, git)
    writer.do("settings", "")
    team.run("DELETE FROM mdmem.vaults")
    for what, how in [("notes", [(name, (TEXTS[0], "")) for name in NAMES]), *steps]:
        writer.do(what, how)
        send(root)
    by_changes = contents()
    send(root, refill=True)
    assert contents() == by_changes, steps
