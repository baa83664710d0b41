"""Sessions sync where the clone's own git settings say so, and nothing of that gets in their way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mdmem.acts import remotes as command
from mdmem.session import end, start
from mdmem.store.operation import Caller
from tests.conftest import NOW, Commit, Git, Run
from tests.history.syncing.conftest import Clone

TEA = "likes_green_tea"
WHO = Caller(NOW, "agent", "s1")


def test_a_session_starts_with_what_others_wrote_and_sends_what_it_learned(
    here: Clone, there: Clone, hub: Path, git: Git
) -> None:
    there.remember("Tea is green.", TEA)
    there.sync()
    git(here.root, "config", "mdmem.sync", "origin")
    with start.showing(here.vault, start.PackRequest("tea"), WHO) as pack:
        assert "Tea is green." in pack.page.text
    assert here.told == ["synced with origin: 1 note came"]
    ending = end.plan(here.vault, end.Learnt("Coffee is black and rather hot."), WHO)
    done = end.end(here.vault, ending, WHO)
    assert git(hub, "rev-parse", "main") == git(here.root, "rev-parse", "HEAD")
    assert done.done.commit in git(hub, "log", "--format=%H")


@pytest.mark.parametrize("where", ["--global", "--local"])
def test_only_the_name_of_a_remote_in_the_clones_own_settings_counts(
    here: Clone, there: Clone, hub: Path, git: Git, where: str
) -> None:
    there.remember("Tea is green.", TEA)
    there.sync()
    git(here.root, "config", where, "mdmem.sync", "origin" if where == "--global" else str(hub))
    with start.showing(here.vault, start.PackRequest("tea"), WHO) as pack:
        assert "Tea is green." not in pack.page.text
    assert here.told == []


def test_a_remote_that_is_away_is_told_and_the_session_starts(here: Clone, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    git(here.root, "remote", "set-url", "origin", str(here.root / "nowhere"))
    git(here.root, "config", "mdmem.sync", "origin")
    with start.showing(here.vault, start.PackRequest("tea"), WHO) as pack:
        assert "Tea is green." in pack.page.text
    (line,) = here.told
    assert line.startswith("not synced: ")


def test_a_clone_is_made_ready(tmp_path: Path, here: Clone, hub: Path, git: Git, mdmem: Run) -> None:
    here.remember("Tea is green.", TEA)
    here.sync()
    mdmem("init", tmp_path / "new", "--from", hub)
    root = tmp_path / "new"
    assert git(root, "log", "-1", "--format=%H") == git(hub, "log", "-1", "--format=%H")
    assert (root / ".git/hooks/post-merge").exists()
    assert (root / ".mdmem/index.sqlite").exists()
    assert git(root, "status", "--porcelain") == ""
    assert "nothing new" in mdmem("sync", "--vault", root).out  # type: ignore[attr-defined]
    mdmem("init", root, "--from", hub, code=5)
    git(hub, "symbolic-ref", "HEAD", "refs/heads/elsewhere")
    mdmem("init", tmp_path / "third", "--from", hub)
    assert git(tmp_path / "third", "log", "-1", "--format=%H") == git(hub, "log", "-1", "--format=%H", "main")
    assert "nothing new" in mdmem("sync", "--vault", tmp_path / "third").out  # type: ignore[attr-defined]
    git(hub, "branch", "side", "main")
    assert "there are main, side" in mdmem("init", tmp_path / "fourth", "--from", hub, code=5).err  # type: ignore[attr-defined]
    for url in ("ext::sh -c touch% x", "-u./x"):
        mdmem("init", tmp_path / "odd", f"--from={url}", code=2)


def test_a_vault_in_a_folder_of_a_repository_is_found_and_synced(
    tmp_path: Path, here: Clone, hub: Path, git: Git, mdmem: Run, commit: Commit
) -> None:
    """The branch is synced, and so the whole repository."""
    git(tmp_path, "init", "--quiet", "-b", "main", "outer")
    (tmp_path / "outer/code.py").write_text("pass\n")
    commit("code", folder=tmp_path / "outer")
    mdmem("init", tmp_path / "outer/brain", "--no-examples")
    git(tmp_path, "clone", "--quiet", "--bare", "outer", "outer.git")
    for name in ("one", "two"):
        mdmem("init", tmp_path / name, "--from", tmp_path / "outer.git", "--no-hooks")
    one, two = tmp_path / "one/brain", tmp_path / "two/brain"
    mdmem("remember", "Tea is green here.", "--name", "tea_is_green", "--vault", one)
    (tmp_path / "one/code.py").write_text("print()\n")
    git(tmp_path / "one", "commit", "--quiet", "-am", "more code")
    mdmem("remember", "Coffee is black there.", "--name", "coffee_is_black", "--vault", two)
    mdmem("sync", "--vault", one)
    sent = json.loads(mdmem("sync", "--vault", two, "--json").out)  # type: ignore[attr-defined]
    assert [change["path"] for change in sent["came"]] == ["allmemories/tea_is_green.md"]
    assert (tmp_path / "two/code.py").read_text() == "print()\n"
    assert git(tmp_path / "two", "status", "--porcelain") == ""
    (tmp_path / "one/code.py").write_text("edited\n")
    (tmp_path / "two/code.py").write_text("otherwise\n")
    git(tmp_path / "two", "commit", "--quiet", "-am", "code")
    mdmem("sync", "--vault", two)
    assert "code.py is edited here" in mdmem("sync", "--vault", one, code=5).err  # type: ignore[attr-defined]
    assert (tmp_path / "one/code.py").read_text() == "edited\n"


def test_a_terminal_that_stays_open_syncs_until_it_is_interrupted(
    here: Clone, there: Clone, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []

    def sleep(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            raise KeyboardInterrupt
        there.remember(
            ["", "Tea is green.", "The moon is a rock."][len(pauses)], f"tea_number_{len(pauses)}_green"
        )
        there.sync()

    monkeypatch.setattr(command, "sleep", sleep)
    ran = mdmem("sync", "--every", "10m", "--json", "--vault", here.root)
    lines = [json.loads(line) for line in ran.out.splitlines()]  # type: ignore[attr-defined]
    assert [len(line["came"]) for line in lines] == [0, 1, 1]
    assert pauses == [600, 600, 600]
    for wrong in ("often", "0s", "2026-01-01"):
        ran = mdmem("sync", "--every", wrong, "--vault", here.root, code=2)
        assert "write --every 30s, 10m or 1h" in ran.err  # type: ignore[attr-defined]


def test_the_state_of_a_remote_is_shown_without_its_password(here: Clone, git: Git, mdmem: Run) -> None:
    here.remember("Tea is green.", TEA)
    git(here.root, "remote", "add", "far", "https://me:hunter22secret@example.org/x.git")
    shown = mdmem("remote", "--vault", here.root).out  # type: ignore[attr-defined]
    assert "1 commit ahead, 0 behind" in shown
    assert "far  https://***@example.org/x.git" in shown
    assert "hunter22secret" not in shown
