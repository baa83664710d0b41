"""Several vaults by the command line: listed by name, searched together, written to one at a time."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.serving import Client
from mdmem.errors import NotFoundError
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.store.local import place, vaultlist
from mdmem.store.local.sessions import Sessions
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run

NOTE = "---\nid: 00000000-0000-7000-8000-{number:012}\ntitle: {title}\n{more}---\n\n{text}\n"


def planted(empty: Path, folder: Path, name: str, text: str, more: str = "") -> Path:
    """A vault with one note."""
    shutil.copytree(empty, folder)
    number = sum(name.encode())
    note = NOTE.format(number=number, title=name.replace("_", " "), text=text, more=more)
    (folder / f"allmemories/{name}.md").write_text(note)
    return folder


@pytest.fixture
def shop(empty_vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The vault of a project, in which the person is."""
    shop = planted(empty_vault, tmp_path / "shop", "deploys_on_fridays", "The boat shop deploys on Fridays.")
    monkeypatch.chdir(shop)
    return shop


@pytest.fixture
def home(empty_vault: Path, tmp_path: Path) -> Path:
    """The person's own vault."""
    return planted(empty_vault, tmp_path / "home", "ada_likes_boats", "Ada likes a blue boat.")


def names(found: list[dict[str, Any]]) -> list[str]:
    """The names of notes or vaults, "" for what could not be read."""
    return [each.get("name", "") for each in found]


@pytest.fixture
def both(shop: Path, home: Path) -> tuple[Path, Path]:
    """The vault of the project, and the person's own, which is listed as personal."""
    vaultlist.add("personal", str(home))
    return shop, home


@pytest.fixture
def hooked(tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What Claude Code is told at an event by the hook of the nearest vault."""

    def run(event: str, shop: Path, **given: str) -> str:
        (tmp_path / "event.json").write_text(json.dumps({"session_id": event, "cwd": str(shop), **given}))
        with (tmp_path / "event.json").open() as stdin, monkeypatch.context() as patched:
            patched.setattr(sys, "stdin", stdin)
            answer = json.loads(mdmem("hook", event, "--client", "claude-code", "--vault", shop).out)
        told: str = answer["hookSpecificOutput"]["additionalContext"]
        return told

    return run


def test_the_hooks_of_an_agent_tell_of_both(both: tuple[Path, Path], hooked: Callable[..., str]) -> None:
    """Also if they were connected to the one vault, which is where they write; else of what is left out."""
    shop, home = both
    (home / "allmemories/gertrud_repairs_the_harmonium.md").write_text(
        "---\ntitle: Gertrud repairs the harmonium\norigin: user\n---\n\nGertrud repairs the harmonium in May.\n"
    )
    told = hooked("UserPromptSubmit", shop, prompt="When does Gertrud repair the harmonium?")
    assert "personal:allmemories/gertrud_repairs_the_harmonium.md" in told
    shutil.rmtree(home)
    told = hooked("SessionStart", shop, source="startup")
    assert told.startswith("left out: personal: ")
    assert "deploys_on_fridays" in told


def test_list_and_show_tell_the_vault(both: tuple[Path, Path], mdmem: Run, ask: Run) -> None:
    shop, home = both
    rows = mdmem("list").out.splitlines()
    assert [row.split("  ")[0].strip() for row in rows] == ["personal:ada_likes_boats", "shop:deploys_on_fridays"]
    assert mdmem("list", "--paths-only").out.startswith("personal:allmemories/ada_likes_boats.md\n")
    listed = ask("list")
    assert [(each["vault"], each["path"]) for each in listed] == [
        ("personal", "allmemories/ada_likes_boats.md"),
        ("shop", "allmemories/deploys_on_fridays.md"),
    ]
    note = (home / "allmemories/ada_likes_boats.md").read_text()
    for name in ("ada_likes_boats", "personal:ada_likes_boats", "ada_likes_boat", listed[0]["id"]):
        assert mdmem("show", name).out == note
    alone = ask("show", "ada_likes_boats", "--vault", home)
    assert ask("show", "ada_likes_boats") == {"vault": "personal", **alone}
    assert "nearest: ada_likes_boats" in mdmem("show", "ada_liked_ships", code=3).err
    (shop / "allmemories/ada_likes_boats.md").write_text(note)
    assert "shop:ada_likes_boats or personal:ada_likes_boats" in mdmem("show", "ada_likes_boats", code=2).err
    shutil.rmtree(home)
    assert "personal cannot be read" in mdmem("show", "personal:ada_likes_boats", code=1).err


def test_a_session_begins_with_what_matters_in_any_vault(both: tuple[Path, Path], mdmem: Run, ask: Run) -> None:
    """Memories come from all; the session, its news and its tasks' place are of the nearest."""
    shop, home = both
    mdmem("remember", "Ada is allergic to nuts.", "--pinned", "--name", "ada_has_allergy", "--vault", home)
    mdmem("remember", "The boat shop sells rope.", "--pinned", "--name", "shop_sells_rope")
    pack = mdmem("session", "start", "--context", "a blue boat", "--session", "s1").out
    assert "personal:allmemories/ada_has_allergy.md" in pack
    assert "shop:allmemories/shop_sells_rope.md" in pack
    assert "Memory: 4 of 4 files" in pack
    told = ask("session", "start", "--context", "boat", "--session", "s2")
    assert {item["vault"] for item in told["memories"]} == {"shop", "personal"}
    shutil.rmtree(home / "allmemories")
    (home / "mdmem.toml").unlink()
    told = ask("session", "start", "--session", "s3")
    assert [each["vault"] for each in told["unread"]] == ["personal"]
    with Vault(str(shop)) as vault, Vault(str(home)) as other:
        assert Sessions(vault).is_known("s1")
        assert not Sessions(other).is_known("s1")


def test_the_tools_of_an_agent_read_all_and_write_to_one(both: tuple[Path, Path]) -> None:
    shop, home = both
    with closing(VaultKeeper(str(shop))) as keeper:
        desk = Desk(keeper, *toolbox.chosen(toolbox.ALL))

        def ask(tool: str, **given: object) -> str:
            return desk.call(tool, given, Client("claude-code", "conv-1")).text

        for _ in range(2):  # the second call finds what the first has opened
            told = ask("recall", query="boat")
            assert "personal:allmemories/ada_likes_boats.md:6" in told
            assert "shop:allmemories/deploys_on_fridays.md:6" in told
        assert "personal:allmemories/ada_likes_boats.md, version" in ask("read", names=["ada_likes_boats"])
        assert "a blue boat" in ask("read", names=["personal:ada_likes_boats"])
        assert "personal:allmemories/ada_likes_boats.md" in ask("brief", context="boat")
        ids = [each["id"] for each in json.loads(ask("search", query="boat"))["results"]]
        assert "personal:allmemories/ada_likes_boats.md" in ids
        assert "a blue boat" in ask("fetch", id="personal:allmemories/ada_likes_boats.md")
        ask("remember", items=[{"text": "Boats are sold in May.", "title": "Boats are sold in May"}])
        assert len(list((shop / "allmemories").iterdir())) == 2
        (home / "mdmem.toml").write_text("layout = 'spiral'\n")
        told = ask("recall", query="boat")
        assert "shop:allmemories/deploys_on_fridays.md" in told
        assert "Note: left out: personal: mdmem.toml:1" in told
        shutil.rmtree(home)
        assert f"left out: personal: {home} is not a vault (mdmem vaults" in ask("recall", query="boat")


def test_what_is_listed_is_searched_and_each_hit_says_which(shop: Path, home: Path, mdmem: Run, ask: Run) -> None:
    alone = ask("recall", "boat")
    mdmem("vaults", "add", "personal", home)
    hits = ask("recall", "boat")
    found = [(hit["vault"], hit["name"]) for hit in hits]
    assert sorted(found) == [("personal", "ada_likes_boats"), ("shop", "deploys_on_fridays")]
    assert "personal:allmemories/ada_likes_boats.md:6 (not committed)" in mdmem("recall", "boat").out
    assert ask("recall", "boat", "--vault", shop) == alone  # as ever, with a vault named
    assert names(ask("recall", "boat", "--vault", "personal")) == ["ada_likes_boats"]
    standing = ask("recall", "boat", "--why", "personal:ada_likes_boats")
    assert standing["rank"] == names(hits).index("ada_likes_boats") + 1
    mdmem("vaults", "remove", "personal")
    assert (home / "allmemories/ada_likes_boats.md").exists()
    assert ask("recall", "boat") == alone


def test_a_write_goes_to_the_nearest_or_to_the_one_named(both: tuple[Path, Path], mdmem: Run) -> None:
    shop, home = both
    mdmem("remember", "The shop closes at noon.", "--name", "shop_closes_at_noon")
    mdmem("remember", "Ada has a cat.", "--name", "ada_has_a_cat", "--vault", "personal")
    assert (shop / "allmemories/shop_closes_at_noon.md").exists()
    assert (home / "allmemories/ada_has_a_cat.md").exists()


def test_one_that_is_gone_or_broken_does_not_silence_the_others(
    both: tuple[Path, Path], mdmem: Run, ask: Run
) -> None:
    shop, home = both
    settings = (home / "mdmem.toml").read_text()
    (home / "mdmem.toml").write_text("layout = 'spiral'\n")
    *hits, unread = ask("recall", "boat")
    assert names(hits) == ["deploys_on_fridays"]
    assert (unread["vault"], "mdmem.toml:1" in unread["problem"]) == ("personal", True)
    assert "left out: personal: mdmem.toml:1" in mdmem("recall", "boat").err
    assert ask("vaults", code=1)[1]["problem"]
    (home / "mdmem.toml").write_text(settings)
    shutil.rmtree(home / ".git")
    for command in ("recall boat", "list"):
        assert names(ask(*command.split())) == ["deploys_on_fridays", ""]
    shutil.rmtree(home)
    assert "left out: personal" in mdmem("recall", "boat").err
    early = mdmem("recall", "boat", "--as-of", "2001-01-01", code=2).err.splitlines()
    assert "no commit as early" in early[-2], "if none can answer, the error is that of the nearest"
    (shop / "mdmem.toml").write_text("layout = 'spiral'\n")
    assert "mdmem.toml:1" in mdmem("recall", "boat", code=2).err


def test_the_list_can_be_in_the_environment(
    both: tuple[Path, Path], ask: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds instead of the settings; the nearest is the one around, else the first."""
    shop, home = both
    monkeypatch.setenv("MDMEM_VAULT", str(shop))
    assert names(ask("recall", "boat")) == ["deploys_on_fridays"]
    monkeypatch.setenv("MDMEM_VAULT", f"personal{os.pathsep}{shop}{os.pathsep}../nowhere")
    listed = ask("vaults", code=1)
    assert [(each["name"], each["nearest"], each["problem"]) for each in listed] == [
        ("shop", True, ""),
        ("personal", False, ""),
        ("nowhere", False, "is not there"),
    ]
    monkeypatch.chdir(shop.parent)
    assert ask("vaults", code=1)[0]["name"] == "personal"
    monkeypatch.setenv("MDMEM_VAULT", f"{os.pathsep}personal")
    assert ask("vaults") == [
        {"name": "personal", "root": str(home), "nearest": True, "listed": True, "problem": ""}
    ]


def test_each_vault_keeps_to_its_own_clearance(
    empty_vault: Path, both: tuple[Path, Path], mdmem: Run, ask: Run, monkeypatch: pytest.MonkeyPatch, git: Git
) -> None:
    home = both[1]
    secret = planted(empty_vault, home.parent / "secret", "boat_of_the_bank", "A boat.", "sensitivity: high\n")
    mdmem("vaults", "add", "secret", secret)
    assert "boat_of_the_bank" in names(ask("recall", "boat"))
    monkeypatch.setenv("AI_AGENT", "claude-code")
    assert sorted(names(ask("recall", "boat"))) == ["ada_likes_boats", "deploys_on_fridays"]
    git(secret, "config", "mdmem.max-sensitivity", "high")
    git(home, "config", "mdmem.max-sensitivity", "public")
    assert sorted(names(ask("recall", "boat"))) == ["boat_of_the_bank", "deploys_on_fridays"]


def test_a_vault_is_asked_once_however_often_it_is_listed(
    both: tuple[Path, Path], mdmem: Run, ask: Run, tmp_path: Path
) -> None:
    """Of two names of one vault the first is told."""
    shop, home = both
    before = ask("recall", "boat")
    (tmp_path / "link").symlink_to(shop)
    (tmp_path / "other link").symlink_to(home)
    mdmem("vaults", "add", "here", "../link")
    mdmem("vaults", "add", "again", shop, code=5)
    mdmem("vaults", "add", "here", home, code=5)
    with open(place.settings_file(), "a") as file:
        file.write(f'again = "{tmp_path}/link/../shop"\nanother = "{tmp_path}/other link"\n')
    assert names(ask("vaults")) == ["here", "personal"]
    assert names(ask("recall", "boat")) == names(before)
    assert "personal:allmemories/ada_likes_boats.md" in mdmem("recall", "boat").out


def test_a_broken_list_is_told_of_with_its_line(both: tuple[Path, Path], mdmem: Run, ask: Run) -> None:
    shop, _ = both
    file = Path(place.settings_file())
    before = file.read_text()
    for broken in ('personal = "/elsewhere"\n', "other = 1\n", '"UP" = "x"\n', "x\n"):
        file.write_text(before + broken)
        assert names(ask("recall", "boat")) == ["deploys_on_fridays", ""]
        assert f"left out: the list of vaults: {file}" in mdmem("recall", "boat").err
        mdmem("vaults", code=2)
    file.write_text("x\n")
    (shop / "mdmem.toml").write_text("layout = 'spiral'\n")
    assert f"left out: {shop}: mdmem.toml" in mdmem("recall", "boat", code=2).err


def test_settings_that_came_with_a_clone_name_no_vault(shop: Path, home: Path, mdmem: Run, ask: Run) -> None:
    alone = ask("recall", "boat")
    (shop / "mdmem.toml").write_text(f'[vaults]\npersonal = "{home}"\n')
    assert ask("recall", "boat") == alone
    mdmem("recall", "boat", "--vault", "personal", code=3)


def test_an_edit_of_the_list_keeps_every_other_line(home: Path, shop: Path, mdmem: Run) -> None:
    file = Path(place.settings_file())
    file.parent.mkdir(parents=True)
    before = f"# mine\n[vaults] # of mine\nshop = '{shop}' # the shop\n\n[other]\nkey = 1"
    file.write_text(before)
    mdmem("vaults", "add", "personal", home)
    assert file.read_text() == before.replace("the shop\n", f'the shop\npersonal = "{home}"\n')
    mdmem("vaults", "remove", "personal")
    assert file.read_text() == before
    mdmem("vaults", "remove", "personal", code=3)
    file.write_text(f'vaults = {{shop = "{shop}"}}\n')
    assert "by hand" in mdmem("vaults", "add", "personal", home, code=2).err


def test_a_name_is_plain_and_a_folder_is_a_vault(tmp_path: Path, home: Path, mdmem: Run) -> None:
    """Without a name a vault is called like its folder."""
    for name in ("x", "../x", "Über", "a b", "c:"):
        mdmem("vaults", "add", name, home, code=2)
    mdmem("vaults", "add", "personal", tmp_path, code=3)
    mdmem("vaults", "add", "one", "two", "three", code=2)
    assert not os.path.exists(place.settings_file())
    assert mdmem("vaults", "add", home).out == f"{home.name} is {home}\n"
    odd = home.rename(tmp_path / "Über uns")
    assert f"mdmem vaults add NAME {odd}" in mdmem("vaults", "add", odd, code=2).err
    (tmp_path / "other").mkdir()
    other = odd.rename(tmp_path / "other" / home.name)
    assert "choose another name" in mdmem("vaults", "add", other, code=5).err


def test_the_settings_are_where_the_platform_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is worked out without loading platformdirs, which every recall would pay for."""
    import platformdirs

    for config in (os.environ["XDG_CONFIG_HOME"], "", None):
        if config is None:
            monkeypatch.delenv("XDG_CONFIG_HOME")
        else:
            monkeypatch.setenv("XDG_CONFIG_HOME", config)
        folder = platformdirs.user_config_dir("mdmem", appauthor=False)
        assert place.settings_file() == os.path.join(folder, place.SETTINGS)


def test_a_note_of_a_vault_within_another_is_found_once(
    shop: Path, home: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The outer one takes in the whole folder, and with it the inner one's notes."""
    (home / "mdmem.toml").write_text('memories = "."\n')
    inner = home / "inner"
    (inner / "allmemories").mkdir(parents=True)
    (inner / "mdmem.toml").write_text("")
    (inner / "allmemories/a_third_boat.md").write_text("A third boat.\n")
    assert "inner/allmemories/a_third_boat.md" in mdmem("recall", "boat", "--paths-only", "--vault", home).out
    monkeypatch.setenv("MDMEM_VAULT", f"{home}{os.pathsep}{inner}")
    wanted = ["home:allmemories/ada_likes_boats.md", "inner:allmemories/a_third_boat.md"]
    assert sorted(mdmem("recall", "boat", "--paths-only").out.split()) == wanted
    assert sorted(mdmem("list", "--paths-only").out.split()) == wanted


def test_doctor_names_a_listed_vault_that_is_gone(
    both: tuple[Path, Path], mdmem: Run, ask: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And where it is named."""
    shop, home = both
    assert not {each["code"] for each in ask("doctor")} & {"vault-unread", "vault-list"}
    shutil.rmtree(home)
    told = mdmem("doctor").out
    assert f"the vault personal, {home}, is not there" in told
    assert "vaults remove personal" in told
    with monkeypatch.context() as patched:
        patched.setenv("MDMEM_VAULT", f"{shop}{os.pathsep}{home}")
        assert "out of MDMEM_VAULT" in mdmem("doctor").out
    Path(place.settings_file()).write_text("[vaults\n")
    assert f"{place.settings_file()}:1: " in mdmem("doctor").out


def test_an_address_of_another_vault_is_never_taken_for_a_memory_of_this_one(
    both: tuple[Path, Path], mdmem: Run
) -> None:
    shop, home = both
    note = shop / "allmemories/ada_likes_boats.md"
    note.write_text(NOTE.format(number=7, title="Ada likes boats", text="Ada likes a red boat.", more=""))
    for command in ("log", "blame", "diff", "forget", "restore", "update --set tags=x"):
        for address in ("personal:ada_likes_boats", "personal:allmemories/ada_likes_boats.md"):
            assert str(home) in mdmem(*command.split(), address, code=3).err
        path = "../home/allmemories/ada_likes_boats.md"
        assert "is not in this vault" in mdmem(*command.split(), path, code=3).err
    for command in ("log", "show"):
        ran = mdmem(command, "work:ada_likes_boats", code=3)
        assert "no vault is called work" in ran.err, "which was taken off the list"
    with closing(VaultKeeper(str(shop))) as keeper:
        desk = Desk(keeper, *toolbox.chosen(toolbox.ALL))
        name, client = "personal:ada_likes_boats", Client("claude-code", "conv-1")
        with pytest.raises(NotFoundError, match=str(home)):
            desk.call("forget", {"names": [name], "reason": "old"}, client)
        with pytest.raises(NotFoundError, match=str(home)):
            desk.call("revise", {"name": name, "new": "And a cat."}, client)
    assert note.exists()
    assert "blue" in mdmem("show", "personal:allmemories/ada_likes_boats.md").out
    assert "blue" in mdmem("show", "allmemories/ada_likes_boats.md", "--vault", "personal").out
    mdmem("update", "shop:allmemories/ada_likes_boats.md", "--set", "tags=boats")
    mdmem("forget", "shop:ada_likes_boats")
    mdmem("restore", "shop:ada_likes_boats")
    assert "boats" in note.read_text()


def test_a_listed_name_is_not_that_of_a_folder_that_was_cloned(
    empty_vault: Path, both: tuple[Path, Path], mdmem: Run, ask: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop, home = both
    clone = planted(empty_vault, shop / "personal", "boat_of_the_clone", "A boat.")
    mdmem("remember", "Ada has a cat.", "--vault", "personal")
    assert (home / "allmemories/ada_has_a_cat.md").exists()
    assert names(ask("list", "--vault", "./personal")) == ["boat_of_the_clone"]
    monkeypatch.setenv("MDMEM_VAULT", f"personal{os.pathsep}{os.pathsep}personal")
    assert names(ask("list", "--vault", clone)) == ["boat_of_the_clone"]
    assert "boat_of_the_clone" not in names(ask("list"))
