"""What a reader of a team's index is told when it cannot be asked, and what is kept from it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.serving import Client
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.note.trust.sensitivity import Clearance
from mdmem.recall.ask import Query
from mdmem.store.git import remotes
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.team import published
from mdmem.team.published import TeamReader
from mdmem.team.server import DSN, Server, TeamError
from tests.conftest import NOW
from tests.team.test_failures import Dying
from tests.team.test_publish import write

Run = Callable[..., Any]
postgres = pytest.mark.postgres


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://ann:hunter2@github.com/sea/even.git", "https://github.com/sea/even/blob/c0/a%20b.md#L7"),
        ("git@github.com:sea/even.git", "https://github.com/sea/even/blob/c0/a%20b.md#L7"),
        ("ssh://git@gitlab.sea.org:2222/a/b/even.git", "https://gitlab.sea.org/a/b/even/-/blob/c0/a%20b.md#L7"),
        ("https://gitea.sea.org:3000/sea/even/", "https://gitea.sea.org:3000/sea/even/src/commit/c0/a%20b.md#L7"),
        ("https://codeberg.org/sea/even?token=hunter2", "https://codeberg.org/sea/even/src/commit/c0/a%20b.md#L7"),
        ("ssh://gitlab.sea.org/a/even.git", "https://gitlab.sea.org/a/even/-/blob/c0/a%20b.md#L7"),
        ("github.com:sea/even", "https://github.com/sea/even/blob/c0/a%20b.md#L7"),
        ("https://git.sea.org/even.git", ""),
        ("github:sea/even", ""),
        ("https://evil.org/github.com/sea/even.git", ""),
        ("/srv/github/even.git", ""),
        ("", ""),
    ],
)
def test_the_page_of_a_line(url: str, page: str) -> None:
    assert remotes.page_of(url, "c0", "a b.md", 7) == page


@pytest.fixture
def committed(root: Path, git: Run) -> Path:
    write(root, "tea", "Green tea, see [[coffee_with_much_sugar]].")
    write(root, "coffee_with_much_sugar", "Coffee and tea.", "sensitivity: medium\nscope: kitchen\n")
    write(root, "plan", "Tea for the party.", "scope: office\n")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "notes")
    return root


@postgres
def test_a_reader_may_ask_for_less_than_the_role_may_read(committed: Path, send: Run, team: Server) -> None:
    send(committed)

    def found(**clearance: Any) -> dict[str, str]:
        reader = TeamReader(Clearance(**clearance))
        answers = published.ask(team, Query(("tea",), depth="full"), NOW, reader)
        return {answer.hit.record.name: answer.text for answer in answers}

    assert found().keys() == {"tea", "coffee_with_much_sugar", "plan"}
    low = found(limit="low")
    assert low.keys() == {"tea", "plan"}
    assert "[[redacted]]" in low["tea"]
    assert found(scopes=("office",)).keys() == {"tea", "plan"}
    assert found(limit="public") == {}


@postgres
def test_a_server_that_goes_away_in_the_middle(
    committed: Path, send: Run, team: Server, monkeypatch: Any, mdmem: Run
) -> None:
    """At every statement: one line, and what is left to do."""
    send(committed)
    with Dying.open() as counting:
        published.ask(counting, Query(("tea",)), NOW)
    assert counting.count > 5
    monkeypatch.setattr(Dying, "admin", team, raising=False)
    monkeypatch.setattr("mdmem.team.published.Server", Dying)
    for number in range(1, counting.count + 1):
        monkeypatch.setattr(Dying, "last", number)
        told = mdmem("recall", "--in", "team", "tea", code=1)
        assert not told.out
        assert len(told.err.splitlines()) == 2, told.err
        assert "without --in team the vaults here are asked" in told.err


@postgres
def test_servers_that_cannot_be_asked(
    committed: Path,
    send: Run,
    team: Server,
    cluster: Any,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    mdmem: Run,
) -> None:
    send(committed)

    def refused(dsn: str) -> str:
        monkeypatch.setenv(DSN, dsn)
        told = mdmem("recall", "--in", "team", "tea", code=1).err
        assert "without --in team the vaults here are asked" in told
        assert "hunter2" not in told
        return str(told)

    here = cluster.dsn(database)
    assert "no team's server is named" in refused("")
    assert "cannot be used" in refused(f"postgresql://postgres:hunter2@127.0.0.1:{cluster.port}/{database}")
    assert "not a connection string" in refused("postgresql//hunter2")
    assert "cannot be used" in refused(f"host=127.0.0.1 port=1 user=ann password=hunter2 dbname={database}")
    assert "no index yet" in refused(cluster.dsn("postgres"))
    team.run("CREATE ROLE nobody_yet LOGIN")
    assert "does not allow that to nobody_yet" in refused(cluster.dsn(database, "nobody_yet"))
    team.run("DROP ROLE nobody_yet")
    team.run("UPDATE mdmem.about SET version = 'older'")
    assert "another version" in refused(here)


@postgres
@pytest.mark.usefixtures("team")
def test_what_only_a_vault_can_answer_is_refused(mdmem: Run) -> None:
    assert (
        "--as-of works in a clone" in mdmem("recall", "--in", "team", "tea", "--as-of", "2026-01-01", code=2).err
    )
    assert "exclude each other" in mdmem("recall", "--in", "team", "tea", "--vault", "x", code=2).err
    assert "no files as they are" in mdmem("recall", "--in", "team", "tea", "--depth", "complete", code=2).err


@postgres
def test_list_and_show(committed: Path, send: Run, team: Server, mdmem: Run, git: Run) -> None:
    write(committed, "hidden", "Nobody.", "sensitivity: high\n")
    git(committed, "add", "-A")
    git(committed, "commit", "--quiet", "-m", "more")
    git(committed, "remote", "add", "origin", "https://github.com/sea/even.git")
    head = send(committed).head
    vault = committed.name
    names = mdmem("list", "--in", "team", "--paths-only").out.split()
    assert names == [f"{vault}:allmemories/{name}.md" for name in ("coffee_with_much_sugar", "plan", "tea")]
    assert mdmem("list", "--in", "team", "--where", "scope=office", "--paths-only").out.split() == names[1:2]
    low = mdmem("list", "--in", "team", "--max-sensitivity", "low", "--json").out
    assert [each.get("name") for each in json.loads(low)] == ["plan", "tea", None]
    shown = mdmem("show", "--in", "team", f"{vault}:plan").out
    assert shown == (committed / "allmemories/plan.md").read_text()
    found = json.loads(mdmem("show", "--in", "team", "id-tea", "--json").out)
    assert (found["vault"], found["name"], found["commit"]) == (vault, "tea", head)
    assert found["link"] == f"https://github.com/sea/even/blob/{head}/allmemories/tea.md#L{found_line(committed)}"
    assert found["link"] in mdmem("recall", "--in", "team", "green tea").out
    assert "has a memory 'hidden'" in mdmem("show", "--in", "team", "hidden", code=3).err
    assert (
        "has a memory 'coffee"
        in mdmem("show", "--in", "team", "coffee_with_much_sugar", "--max-sensitivity", "low", code=3).err
    )


def found_line(root: Path) -> int:
    lines = (root / "allmemories/tea.md").read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if line.startswith("Green"))


@postgres
def test_agents_have_a_tool_for_it(committed: Path, send: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    send(committed)
    with closing(VaultKeeper(str(committed))) as keeper:
        desk = Desk(keeper, *toolbox.chosen())
        told = desk.call("recall_team", {"query": "tea party", "filter": "scope:office"}, Client("test", "1"))
        assert f"{committed.name}:allmemories/plan.md:8@" in told.text
        monkeypatch.setenv(DSN, "host=/nowhere")
        with pytest.raises(TeamError, match="cannot be used"):
            desk.call("recall_team", {"query": "tea"}, Client("test", "1"))
        monkeypatch.delenv(DSN)
        assert "recall_team" not in {tool.name for tool in toolbox.chosen().tools}


@postgres
def test_links_of_a_vault_in_a_folder_of_its_repository(tmp_path: Path, git: Run, send: Run, team: Server) -> None:
    git(tmp_path, "init", "--quiet", "top")
    root = tmp_path / "top/notes"
    (root / "allmemories").mkdir(parents=True)
    (root / "mdmem.toml").write_text('id = "inner"\n')
    write(root, "tea", "Green tea.")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "notes")
    git(root, "remote", "add", "origin", "git@gitlab.com:sea/top.git")
    head = send(root).head
    (answer,) = published.ask(team, Query(("tea",)), NOW)
    assert answer.link == f"https://gitlab.com/sea/top/-/blob/{head}/notes/allmemories/tea.md#L7"


@postgres
def test_two_vaults_of_one_name_are_told_apart(committed: Path, send: Run, team: Server) -> None:
    send(committed)
    (committed / "mdmem.toml").write_text('id = "0123456789"\n')
    send(committed)
    found = {answer.hit.record.vault for answer in published.ask(team, Query(("tea",)), NOW)}
    assert len(found) == 2
    assert f"{committed.name}-23456789" in found
