"""Recall from a team's index: what SQLite gives of one vault, and of several what a role may read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.recall import ask
from mdmem.recall.ask import Query
from mdmem.store.vault.vault import Vault
from mdmem.team import published, roles
from mdmem.team.server import DSN, Server
from tests.conftest import NOW
from tests.recall.test_several import QUESTIONS, texts

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]
MORE = (
    *(
        "boat",
        "sails near the old lamp",
        "crew of the island -storm",
        '"old rope" lamp',
        '"old rope" "boat paint"',
    ),
    *(
        "status:active crew",
        "created:>2025-06 storm",
        "notes of march 2025",
        "what was on 3 March",
        "engnie repairs",
    ),
    *("decision about the boat", "decision sea", "fact", "-boat", "", "harbour 2025-04-05", "island tides -crew"),
    *("机器", "学习", "cafe 25", "what did I paint with Ada", "oil", "topic:boats rope"),
    *("lotsin", '"lotsin"', "ships -lotsin"),
)


def fill(root: Path, git: Run, notes: dict[str, str]) -> None:
    for name, text in notes.items():
        (root / "allmemories" / f"{name}.md").write_text(text)
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "notes")


def said(answers: list[ask.Answer]) -> list[tuple[Any, ...]]:
    return [
        (answer.hit.record.path, pytest.approx(answer.hit.score), answer.hit.line, answer.hit.snippet, answer.text)
        for answer in answers
    ]


def test_one_vault_answers_as_it_does_here(root: Path, git: Run, send: Run, team: Server, mdmem: Run) -> None:
    """The same notes, in the same order, with the same scores."""
    chat = "User: I painted the boat with Ada on Monday.\nAssistant: It needs oil.\nUser: I love old rope.\n"
    (root.parent / "chat.txt").write_text(chat)
    more = {
        "machine_learning": "机器学习 at 25°C, in the Café.\n",
        "noted": "Numbers: 机器.\n",
        "she_guides_ships": "---\naliases: [Lotsin, 学]\n---\n\nShe guides ships.\n",
    }
    fill(root, git, texts() | more)
    mdmem("ingest", "--vault", root, "--topic", "boats", root.parent / "chat.txt")
    send(root)
    with Vault(str(root)) as vault:
        for question in (*QUESTIONS, *MORE):
            query = Query((question,), limit=20, depth="summary")
            here = ask.ask(vault, query, NOW, counted=False)
            assert said(published.ask(team, query, NOW)) == said(here), question


@pytest.fixture
def two(root: Path, tmp_path: Path, git: Run, send: Run) -> dict[str, Path]:
    """Two published vaults, of which one has the even notes and one the odd ones; `ann` may read the first."""
    import shutil

    other = tmp_path / "odd"
    shutil.copytree(root, other)
    settings = (other / "mdmem.toml").read_text()
    with Vault(str(root)) as vault:
        (other / "mdmem.toml").write_text(settings.replace(vault.config.id, "odd-one"))
    notes = texts()
    fill(root, git, {name: notes[name] for name in [*notes][::2]})
    fill(other, git, {name: notes[name] for name in [*notes][1::2]})
    git(root, "remote", "add", "origin", "https://ann:hunter2@github.com/sea/even.git")
    for each in (root, other):
        send(each)
    return {"even": root, "odd": other}


def test_several_vaults_are_one_ranking_of_what_a_role_may_read(
    two: dict[str, Path], team: Server, cluster: Any, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = published.ask(team, Query(("boat paint",), limit=30), NOW)
    vaults = {answer.hit.record.vault for answer in answers}
    assert vaults == {two["even"].name, "odd"}
    assert {bool(answer.link) for answer in answers if answer.hit.record.vault == "odd"} == {False}
    first = next(answer for answer in answers if answer.link)
    page = "https://github.com/sea/even/blob/{}/{}#L{}"
    assert first.link == page.format(first.commit, first.hit.record.path, first.hit.line)
    assert "hunter2" not in str(answers)
    roles.run(team, roles.granting(team, "ann", ["odd"], [], publish=False))
    monkeypatch.setenv(DSN, cluster.dsn(database, "ann"))
    with Server.open() as server, Vault(str(two["odd"])) as vault:
        for question in ("boat paint", "decision about the boat", "engnie", '"old rope"'):
            query = Query((question,), limit=30)
            assert said(published.ask(server, query, NOW)) == said(ask.ask(vault, query, NOW, counted=False))


def test_the_server_is_asked_few_times(
    two: dict[str, Path], team: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many vaults and memories there are."""
    asked: list[Any] = []
    run = Server.run
    monkeypatch.setattr(Server, "run", lambda self, *args: (asked.append(args), run(self, *args))[1])
    counts = []
    for question in ("storm crew", "decision about the boat", "who repairs the engine"):
        asked.clear()
        published.ask(team, Query((question,), limit=10, depth="full"), NOW)
        counts.append(len(asked))
    assert max(counts) <= 16, counts
