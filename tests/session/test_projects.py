"""Facts of one project do not pass for facts of another: a week of agents in three projects over one vault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path

import pytest

from mdmem.acts import agentevents as events
from mdmem.acts import hookevents as clients
from mdmem.acts.hookevents import HookEvent
from mdmem.acts.serving import Client
from mdmem.capture.inbox.store import Inbox
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.recall import prompt
from mdmem.store.operation import Caller
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW, Git, Run

PROJECTS = {"otter": "ginger", "heron": "basil", "badger": "thyme"}
KINDS = (
    *("deploy target", "staging host", "log folder", "database", "release day", "issue tracker", "test command"),
    *("package manager", "build image", "port", "linter", "default branch", "chat channel", "on-call rota"),
    *("backup hour", "cache size", "retry limit", "queue name"),
)
PREFERENCES = ("Mara prefers short answers.", "Mara wants dates written as ISO 8601.")


class Week:
    """A vault, three repositories beside it, and agents that work in them through tools and hooks."""

    def __init__(self, root: Path, desk: Desk) -> None:
        self.root, self.desk = root, desk

    def ask(self, project: str, tool: str, **given: object) -> str:
        """What a tool answers to an agent that works in a project."""
        client = Client("claude-code", f"in-{project}", str(self.root.parent / project))
        return self.desk.call(tool, given, client).text

    def pack(self, project: str, session: str = "") -> str:
        """What a new session in a project starts with."""
        where = str(self.root.parent / project)
        who = Caller(NOW + timedelta(days=7), "codex", session or f"new-{project}")
        with Vault(str(self.root)) as vault:
            who = who._replace(project=vault.repo.project_at(where))
            return events.DOES[clients.START](vault, HookEvent("SessionStart", folder=where), who)


@pytest.fixture
def week(root: Path, git: Git) -> Iterator[Week]:
    with ExitStack() as at_the_end:
        keeper = VaultKeeper(str(root), patience=0)
        at_the_end.callback(keeper.close)
        made = Week(root, Desk(keeper, *toolbox.chosen()))
        for number, (project, word) in enumerate(PROJECTS.items()):
            (root.parent / project / "src").mkdir(parents=True)
            git(root.parent / project, "init", "--quiet")
            facts = [f"The {kind} of this repository is {word}{at}." for at, kind in enumerate(KINDS)]
            items = [{"text": fact, "type": "fact"} for fact in facts]
            items += [{"text": PREFERENCES[number], "type": "preference"}] if number < 2 else []
            for at in range(0, len(items), 20):
                made.ask(project, "remember", items=items[at : at + 20])
        made.ask("otter", "remember", items=[{"text": "All services log to Loki.", "project": "none"}])
        task = {"text": "Next: rotate the certificates of ginger-gate.", "title": "Rotate ginger certificates"}
        made.ask("otter", "remember", items=[{**task, "tags": ["do_not_forget"]}])
        yield made


def foreign_blocks(text: str, project: str) -> list[str]:
    """The lines and blocks of a text that say a word of another project without its label."""
    found = []
    for other, word in PROJECTS.items():
        blocks = text.split("\n- ")
        if other != project:
            found += [block for block in blocks if word in block and f"project {other}" not in block]
    return found


def test_no_pack_of_a_project_tells_a_fact_of_another_without_its_label(week: Week) -> None:
    assert len(list((week.root / "allmemories").iterdir())) >= 58
    for project, word in PROJECTS.items():
        for told in (week.pack(project), week.ask(project, "brief"), week.ask(project, "brief", context="deploy")):
            assert word in told
            assert foreign_blocks(told, project) == []
        found = week.ask(project, "recall", query="What is the deploy target of this repository?")
        assert foreign_blocks(found, project) == []
        assert f"is {word}0." in found.split("\n- ")[1]
    assert "project otter" in week.pack("heron", "another")  # what is not to be forgotten is told all the same


def test_what_a_person_prefers_is_everybodys_and_so_is_what_says_so(week: Week) -> None:
    with Vault(str(week.root)) as vault:
        written = {record.title: record.meta.get("project") for record in vault.index.records()}
    assert {project for title, project in written.items() if "Mara" in title} == {None}
    assert written["All services log to Loki"] == "none"
    for project in PROJECTS:
        block = week.ask(project, "recall", query="Where do services log to?").split("\n- ")[1]
        assert "Loki" in block
        assert "project" not in block


def test_a_question_that_names_a_project_is_answered_from_it(week: Week) -> None:
    week.ask(
        "badger", "remember", items=[{"text": "The parser of badger accepts tabs.", "title": "Parser of badger"}]
    )
    week.ask("otter", "remember", items=[{"text": "The parser accepts no spaces.", "title": "Parser of code"}])
    found = week.ask("otter", "recall", query="the parser of badger").split("\n- ")[1]
    assert "tabs" in found
    assert "project badger" in found


def test_the_project_of_a_folder_is_its_repository_in_all_its_worktrees(week: Week, git: Git) -> None:
    otter = week.root.parent / "otter"
    git(otter, "commit", "--quiet", "--allow-empty", "-m", "first")
    git(otter, "worktree", "add", "--quiet", str(week.root.parent / "feature"))
    with Vault(str(week.root)) as vault:
        assert vault.repo.project_at(str(otter / "src")) == "otter"
        assert vault.repo.project_at(str(week.root.parent / "feature")) == "otter"
        for folder in (week.root, week.root / "allmemories", week.root.parent, Path.home(), ""):
            assert vault.repo.project_at(str(folder)) == ""


def test_what_is_captured_waits_with_the_project_that_the_client_told(week: Week, tmp_path: Path) -> None:
    said = ["From now on we always deploy to staging first.", "I prefer tables in reports."]
    entries = [
        {"type": "user", "sessionId": "c1", "cwd": "/somewhere/else", "message": {"role": "user", "content": text}}
        for text in said
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    folder = str(week.root.parent / "heron" / "src")
    with Vault(str(week.root)) as vault:
        who = Caller(NOW, "claude-code", "c1", project=vault.repo.project_at(folder))
        event = HookEvent("PreCompact", "c1", str(log), folder, seconds=20.0)
        events.DOES[clients.COMPACT](vault, event, who)
        waiting = {item.properties.get("type"): item.project for item in Inbox(vault).items()}
    assert waiting["preference"] == ""
    assert {project for type, project in waiting.items() if type != "preference"} <= {"heron"}


def test_the_command_line_writes_in_the_repository_around_it_and_recalls_for_it(
    week: Week, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(week.root.parent / "badger" / "src")
    mdmem("remember", "The parser of the config accepts tabs.", "--vault", week.root)
    mdmem("remember", "Backups are kept for ninety days.", "--set", "project=none", "--vault", week.root)
    first = mdmem("recall", "deploy target of this repository", "--vault", week.root).out
    assert "thyme0" in first.split("\n2. ")[0]
    assert "project otter" in first
    monkeypatch.chdir(week.root)
    mdmem("remember", "The kettle is in the kitchen.")
    with Vault(str(week.root)) as vault:
        written = {record.title: record for record in vault.index.records()}
    assert written["The parser of the config accepts tabs"].meta["project"] == "badger"
    assert prompt.label(written["Backups are kept for ninety days"], "otter") == ""
    assert "project" not in written["The kettle is in the kitchen"].meta
