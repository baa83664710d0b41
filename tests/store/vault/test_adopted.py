"""A vault that was there before mdmem belongs to its owner: nothing of it is changed, moved or judged unasked."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from mdmem.store.vault.origin import created_by_mdmem
from mdmem.store.vault.vault import Vault
from tests.conftest import Git, Run
from tests.wild_vaults import ALBUMS, manual_vault, personal_vault

TABLES = "The user prefers short tables over long prose in reports."


def files_of(root: Path) -> dict[str, bytes]:
    paths = (path for path in root.rglob("*") if path.is_file() and not {".git", ".mdmem"} & set(path.parts))
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


@pytest.fixture(params=[personal_vault, manual_vault], ids=["personal", "manual"])
def adopted(request: pytest.FixtureRequest, tmp_path: Path, mdmem: Run) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    request.param(folder)
    mdmem("init", folder)
    return folder


@pytest.fixture
def personal(tmp_path: Path, mdmem: Run) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    personal_vault(folder)
    mdmem("init", folder)
    return folder


def test_garden_and_doctor_leave_the_notes_of_an_adopted_vault_alone(adopted: Path, mdmem: Run) -> None:
    before = files_of(adopted)
    plan = json.loads(mdmem("garden", "--min-confidence", "0", "--json", "--vault", adopted).out)
    assert (plan["proposals"], plan["problems"]) == ([], [])
    assert mdmem("garden", "apply", "--min-confidence", "0", "--vault", adopted).out == "nothing to do\n"
    assert mdmem("doctor", "--vault", adopted).out == "no problems\n"
    assert files_of(adopted) == before


def test_gardeners_with_the_scope_of_all_notes_merge_no_page_that_only_looks_alike(
    adopted: Path, mdmem: Run
) -> None:
    place = adopted / "mdmem.toml"
    place.write_text(place.read_text().replace('scope = "own"', 'scope = "all"'))
    plan = json.loads(mdmem("garden", "--only", "twins", "--json", "--vault", adopted).out)
    merged = {file["path"] for one in plan["proposals"] for file in one["files"]}
    assert not [path for path in merged if path.startswith(("Daily/", "Categories/", "References/", "Release"))]
    assert not [path for path in merged if "goals" in path]


def test_gardeners_tend_what_mdmem_created_beside_the_owner_s_notes(personal: Path, mdmem: Run) -> None:
    before = files_of(personal)
    first = ("remember", TABLES, "--name", "user_prefers_short_tables", "--vault", personal)
    second = ("remember", TABLES, "--name", "user_wants_short_tables", "--twins", "ignore", "--vault", personal)
    mdmem(*first)
    mdmem(*second)
    (personal / "Tables by hand.md").write_text(TABLES)
    out = mdmem("garden", "apply", "--only", "twins", "--vault", personal).out
    assert "applied  merge user_wants_short_tables into user_prefers_short_tables" in out
    assert "lost  the name user_wants_short_tables and the date 2026-03-01" in out
    assert not (personal / "Clippings/user_wants_short_tables.md").exists()
    assert before.items() <= files_of(personal).items()


def test_what_an_owner_s_note_links_to_is_not_merged_away(personal: Path, mdmem: Run) -> None:
    for name in ("user_prefers_short_tables", "user_wants_short_tables"):
        mdmem("remember", TABLES, "--name", name, "--twins", "ignore", "--vault", personal)
    (personal / "Reports.md").write_text("See [[user_wants_short_tables]].")
    assert mdmem("garden", "apply", "--only", "twins", "--vault", personal).out == "nothing to do\n"


def test_a_note_of_the_owner_stays_theirs_whatever_mdmem_does_to_it(personal: Path, mdmem: Run, git: Git) -> None:
    def created() -> frozenset[str]:
        with Vault(str(personal)) as vault:
            return created_by_mdmem(vault, [record.path for record in vault.index.records()])

    mdmem("update", "Atomic notes", "--append", "More of it.", "--vault", personal)
    mdmem("forget", "Stalker", "--vault", personal)
    mdmem("undo", "--last", "1", "--vault", personal)
    (personal / "By hand.md").write_text("A note that is not in git yet, made by hand.")
    mdmem("adopt", "By hand", "--vault", personal)
    assert created() == set()
    mdmem("remember", TABLES, "--name", "user_prefers_short_tables", "--vault", personal)
    mdmem("rename", "user_prefers_short_tables", "user_likes_short_tables", "--vault", personal)
    git(personal, "mv", "Clippings/user_likes_short_tables.md", "user_likes_tables.md")
    git(personal, "commit", "-qm", "moved by hand")
    assert created() == {"user_likes_tables.md"}


def test_doctor_still_names_what_mdmem_needs(personal: Path, mdmem: Run) -> None:
    head = "---\nid: 0199c1d4-5555-7000-8000-000000000001\n---\n"
    (personal / "Copied.md").write_text(f"{head}One.\n")
    (personal / "Copied again.md").write_text(f"{head}Two.\n")
    (personal / "Broken header.md").write_text("---\ntitle: Meeting: the sequel\n---\ntext\n")
    mdmem("remember", "See [[Broken heater]].", "--name", "link_to_no_note", "--vault", personal)
    problems = json.loads(mdmem("doctor", "--json", "--vault", personal, code=1).out)
    assert {(one["code"], one["path"]) for one in problems} == {
        ("id-twice", "Copied.md"),
        ("frontmatter-broken", "Broken header.md"),
        ("link-dangling", "Clippings/link_to_no_note.md"),
        ("uncommitted", ""),
    }


# -- init


def test_init_says_how_it_committed_and_what_it_left_out(tmp_path: Path, mdmem: Run, git: Git) -> None:
    personal_vault(tmp_path)
    out = mdmem("init", tmp_path).out
    assert f"committed as {git(tmp_path, 'rev-parse', '--short=8', 'HEAD')}" in out
    assert git(tmp_path, "log", "-1", "--format=%s") == "adopt: memory vault"
    assert "not memories: Templates (3)\n" in out
    assert "gardeners leave these notes alone" in out
    assert tomllib.loads((tmp_path / "mdmem.toml").read_text())["garden"] == {"scope": "own"}


def test_new_memories_go_where_obsidian_puts_new_notes(personal: Path, mdmem: Run) -> None:
    assert "create `Clippings/NAME.md`" in (personal / "AGENTS.md").read_text()
    mdmem("remember", "A new one.", "--name", "new_memory_here", "--vault", personal)
    assert (personal / "Clippings/new_memory_here.md").exists()
    assert not (personal / "allmemories").exists()


@pytest.mark.parametrize(
    ("app", "place"),
    [
        ('{"newFileLocation": "root"}', "NAME.md"),
        ('{"newFileLocation": "folder", "newFileFolderPath": "Inbox/New"}', "Inbox/New/NAME.md"),
        ('{"newFileLocation": "folder", "newFileFolderPath": "/"}', "NAME.md"),
        ('{"newFileLocation": "folder", "newFileFolderPath": "templates/x"}', "allmemories/NAME.md"),
        ('{"newFileLocation": "folder", "newFileFolderPath": "../outside"}', "allmemories/NAME.md"),
        ('{"newFileLocation": "folder"}', "allmemories/NAME.md"),
        ('{"newFileLocation": "current"}', "allmemories/NAME.md"),
    ],
)
def test_agents_learn_the_place_of_new_notes(tmp_path: Path, mdmem: Run, app: str, place: str) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/app.json").write_text(app)
    (tmp_path / "Home.md").write_text("x")
    mdmem("init", tmp_path)
    assert f"create `{place}`" in (tmp_path / "AGENTS.md").read_text()


def test_claude_learns_of_the_memories_where_the_owner_s_agents_page_does_not_tell(
    tmp_path: Path, mdmem: Run
) -> None:
    manual_vault(tmp_path)
    out = mdmem("init", tmp_path).out
    assert "mdmem recall" in (tmp_path / "CLAUDE.md").read_text()
    assert "left as it is: AGENTS.md (" in out
    assert "mdmem" not in (tmp_path / "AGENTS.md").read_text()


def test_a_vault_within_a_vault_is_refused(personal: Path, mdmem: Run) -> None:
    before = files_of(personal)
    failed = mdmem("init", personal / "References", code=2)
    assert f"lies in the vault {personal}" in failed.err
    mdmem("init", personal / "not/there/yet", code=2)
    assert files_of(personal) == before
    assert not (personal / "not").exists()


# -- the ways of Obsidian


def names(out: str) -> set[str]:
    return {item["name"] for item in json.loads(out)}


def test_inline_and_nested_tags_are_found(personal: Path, mdmem: Run) -> None:
    def listed(tag: str) -> set[str]:
        return names(mdmem("list", "--tag", tag, "--json", "--vault", personal).out)

    assert listed("evergreen") == listed("writing") == listed("writing/method") == {"Evergreen notes"}
    assert listed("method") == set()
    assert listed("Daily") == {"2023-09-12", "2023-09-30", "2023-10-01", "2023-10-02", "2023-11-20"}
    assert names(mdmem("recall", "tag:writing", "--json", "--vault", personal).out) == {"Evergreen notes"}
    place = personal / "Evergreen notes.md"
    place.write_text(place.read_text().replace("#evergreen", "#perennial"))
    assert (listed("evergreen"), listed("perennial")) == (set(), {"Evergreen notes"})


def test_links_as_values_of_properties_are_found_by_name(personal: Path, mdmem: Run) -> None:
    albums = set(ALBUMS)
    (personal / "By path.md").write_text('---\ncategories: ["[[Categories/Albums|All albums]]"]\n---\n')
    for query in ("categories:Albums", "categories:albums", 'categories:"[[Albums]]"'):
        found = names(mdmem("recall", query, "-n", "20", "--json", "--vault", personal).out)
        assert found == albums | {"By path"}, query
    found = names(mdmem("list", "--where", "categories=All albums", "--json", "--vault", personal).out)
    assert found == {"By path"}
    assert names(mdmem("list", "--where", "categories=Album", "--json", "--vault", personal).out) == set()


def test_rename_takes_the_names_that_obsidian_takes(personal: Path, mdmem: Run) -> None:
    (personal / "Films.md").write_text("I saw [[Solaris (2002)]].")
    mdmem("rename", "Solaris (2002)", "Solaris (Soderbergh, 2002)", "--vault", personal)
    assert (personal / "References/Solaris (Soderbergh, 2002).md").exists()
    assert (personal / "Films.md").read_text() == "I saw [[Solaris (Soderbergh, 2002)]]."
    for name in ("A #tag", "Either/or", "What?", "Link [[x]]", ""):
        assert mdmem("rename", "Films", name, "--vault", personal, code=2).err


def test_the_owner_s_notes_have_a_vocabulary_of_their_own(personal: Path, mdmem: Run) -> None:
    mdmem("update", "Stalker", "--set", "status=to see again", "--vault", personal)
    assert "status: to see again" in (personal / "References/Stalker.md").read_text()
    mdmem("remember", TABLES, "--name", "user_prefers_short_tables", "--vault", personal)
    failed = mdmem("update", "user_prefers_short_tables", "--set", "status=seen", "--vault", personal, code=2)
    assert "'seen' is none of its values" in failed.err


def test_the_table_of_the_starter_shows_titles_and_its_dates_have_a_picker(tmp_path: Path, mdmem: Run) -> None:
    mdmem("init", tmp_path / "new")
    types = json.loads((tmp_path / "new/.obsidian/types.json").read_text())["types"]
    assert (types["created"], types["updated"]) == ("datetime", "datetime")
    base = yaml.safe_load((tmp_path / "new/memories.base").read_text())
    assert base["formulas"]["memory"] == "if(title, file.asLink(title), file.asLink())"
    assert [view["order"][0] for view in base["views"]] == ["formula.memory"] * 8


def test_init_names_older_addresses_of_the_same_person(tmp_path: Path, mdmem: Run, git: Git) -> None:
    """What they committed by these would count as an import, and be shown as data."""
    folder = tmp_path / "notes"
    folder.mkdir()
    git(folder, "init", "--quiet")
    (folder / "Tea.md").write_text("Tea is green.\n")
    git(folder, "add", ".")
    name = git(folder, "config", "user.name")
    git(folder, "commit", "-qm", "one", GIT_COMMITTER_EMAIL="old@example.org", GIT_COMMITTER_NAME=name)
    stranger = {"GIT_COMMITTER_EMAIL": "eve@example.org", "GIT_COMMITTER_NAME": "Eve"}
    git(folder, "commit", "-qm", "two", "--allow-empty", **stranger)
    told = str(mdmem("init", folder))
    assert "if old@example.org is an older address of yours: mdmem trust old@example.org" in told
    assert "eve@example.org" not in told
    mdmem("trust", "old@example.org", "--vault", folder)
    assert "old@example.org" not in str(mdmem("init", folder))


def written(said: object) -> str:
    return str(said).partition("remembered ")[2].partition("  (")[0]


def test_a_new_note_is_named_as_the_owner_names_notes(personal: Path, mdmem: Run) -> None:
    out = mdmem("remember", "Kind of Blue is my favourite album.", "--vault", personal).out
    assert written(out) == "Clippings/Kind of Blue is my favourite album.md"
    assert "aliases" not in (personal / written(out)).read_text()


@pytest.mark.parametrize("setting", ["names", "tree"])
def test_the_protocol_names_notes_where_a_setting_or_an_old_tree_says_so(
    setting: str, tmp_path: Path, mdmem: Run
) -> None:
    if setting == "names":
        personal_vault(tmp_path)
    else:
        (tmp_path / "brain/memory/allmemories").mkdir(parents=True)
        (tmp_path / "brain/memory/allmemories/Two words.md").write_text("Two words.")
    mdmem("init", tmp_path)
    if setting == "names":
        place = tmp_path / "mdmem.toml"
        place.write_text('names = "protocol"\n' + place.read_text())
    out = mdmem("remember", "Kind of Blue is my favourite album.", "--vault", tmp_path).out
    assert written(out).endswith("/kind_blue_favourite_album.md")


def test_a_given_title_is_an_alias_that_changes_with_it(tmp_path: Path, mdmem: Run) -> None:
    """Obsidian's switcher shows names of files and aliases, not titles."""
    mdmem("init", tmp_path / "new")
    said = mdmem("remember", "It is by Miles Davis.", "--title", "Kind of Blue!", "--vault", tmp_path / "new").out
    note = tmp_path / "new" / written(said)
    assert "aliases:\n  - Kind of Blue!\n" in note.read_text()
    mdmem("update", note.stem, "--set", "title=So what", "--vault", tmp_path / "new")
    assert "aliases:\n  - So what\n" in note.read_text()
    mdmem("update", note.stem, "--unset", "title", "--vault", tmp_path / "new")
    assert "aliases" not in note.read_text()
