"""Making vaults: from nothing, beside notes that are there, in repositories, from wild Obsidian vaults."""

from __future__ import annotations

import hashlib
import json
import os
import textwrap
import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml

from mdmem.note import memory, properties
from mdmem.store.vault import starter
from tests.conftest import Commit, Git, Run
from tests.shaped import parsed, rendered

PROJECT = Path(__file__).parents[3]


def digest(folder: Path) -> dict[str, str]:
    """Every file and link of a folder, git's and mdmem's own left out."""
    found = {}
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", ".mdmem")]
        for name in names:
            path = Path(place, name)
            data = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            found[path.relative_to(folder).as_posix()] = hashlib.sha256(data).hexdigest()
    return found


@pytest.fixture
def code(tmp_path: Path, git: Git) -> Path:
    """A repository of code, empty."""
    git(tmp_path, "init", "-q", "code")
    return tmp_path / "code"


def test_an_empty_folder_gets_the_starter_vault(tmp_path: Path, mdmem: Run, git: Git) -> None:
    folder = tmp_path / "my vault ü"
    said = mdmem("init", folder, "--examples")
    assert "made a vault" in said.out
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "rev-list", "--count", "HEAD") == "1"
    assert mdmem("doctor", "--vault", folder).out == "no problems\n"
    names = [item["name"] for item in json.loads(mdmem("list", "--json", "--vault", folder).out)]
    assert 5 <= len(names) <= 12
    assert len(list((folder / "templates").glob("*.md"))) == len(properties.TYPES)
    states = json.loads(mdmem("hooks", "--json", "--vault", folder).out)
    assert all(state["installed"] for state in states)
    before = digest(folder)
    again = mdmem("init", folder)
    assert "already a vault" in again.out
    assert digest(folder) == before
    assert git(folder, "rev-list", "--count", "HEAD") == "1"


def test_a_new_vault_is_empty_and_two_vaults_have_two_ids(tmp_path: Path, mdmem: Run) -> None:
    mdmem("init", tmp_path / "one")
    mdmem("init", tmp_path / "two", "--no-examples")
    assert json.loads(mdmem("list", "--json", "--vault", tmp_path / "one").out) == []
    assert (tmp_path / "one/allmemories").is_dir()
    ids = {tomllib.loads((tmp_path / name / "mdmem.toml").read_text())["id"] for name in ("one", "two")}
    assert len(ids) == 2


def test_the_examples_are_told_to_no_session(tmp_path: Path, mdmem: Run) -> None:
    mdmem("init", tmp_path / "vault", "--examples")
    mdmem("remember", "Every write of the sensor goes to an audit log.", "--vault", tmp_path / "vault")
    start = ["session", "start", "--names-only", "--vault", tmp_path / "vault"]
    for context in ("who keeps the audit log of writes", ""):
        told = mdmem(*start, "--context", context).out
        assert [line for line in told.splitlines() if line.startswith("- ")] == [
            line for line in told.splitlines() if "every_write_sensor" in line
        ], told
        assert "write your first" not in told


def test_a_folder_in_a_repository_uses_that_repository(code: Path, mdmem: Run, git: Git, commit: Commit) -> None:
    (code / "main.py").write_text("x")
    commit("code", folder=code)
    (code / "staged.py").write_text("x")
    git(code, "add", "staged.py")
    mdmem("init", code / "memory")
    assert not (code / "memory/.git").exists()
    assert git(code, "status", "--porcelain") == "A  staged.py"
    assert not any((code / ".git/hooks").glob("p*-commit"))
    mdmem("remember", "In a subfolder.", "--vault", code / "memory", "--name", "in_a_subfolder")
    assert git(code, "show", "--name-only", "--format=", "HEAD") == "memory/allmemories/in_a_subfolder.md"


def test_a_folder_that_the_repository_around_ignores_gets_its_own(code: Path, mdmem: Run, git: Git) -> None:
    (code / ".gitignore").write_text("private/\n")
    mdmem("init", code / "private")
    assert (code / "private/.git").is_dir()


def test_a_code_repository_keeps_its_files(code: Path, mdmem: Run, git: Git, commit: Commit) -> None:
    (code / "README.md").write_text("# Code")
    (code / "AGENTS.md").write_text("mine")
    for number in range(3):
        (code / f"m{number}.py").write_text("x")
    commit("code", folder=code)
    before = digest(code)
    mdmem("init", code)
    assert before.items() <= digest(code).items()
    assert json.loads(mdmem("list", "--json", "--vault", code).out) == []
    assert git(code, "show", "--name-only", "--format=", "HEAD").split() == ["CLAUDE.md", "mdmem.toml"]


@pytest.mark.parametrize("above", ["", "brain", "brain/memory"])
def test_an_old_memory_tree_opens_in_place(tmp_path: Path, mdmem: Run, above: str) -> None:
    """From whichever folder of it: no second home is made for new memories."""
    folder = tmp_path / "brain" / "memory"
    (folder / "allmemories").mkdir(parents=True)
    note = folder / "allmemories/user_prefers_tables.md"
    note.write_text(
        "# Tables\n\n**Created:** 2026-02-08 14:05\n**Category:** past\n**Tags:** [a]\n\n---\n\nYes.\n"
    )
    before = digest(folder)
    root = tmp_path / above
    home = note.parent.relative_to(root).as_posix()
    assert f"1 memory in {home}\n" in mdmem("init", root).out
    (item,) = json.loads(mdmem("recall", "tables", "--json", "--vault", root).out)
    assert (item["title"], item["created"], item["tags"]) == ("Tables", "2026-02-08T14:05:00Z", ["a"])
    assert before.items() <= digest(folder).items()
    made = json.loads(mdmem("remember", "x", "--name", "some_note_here", "--json", "--vault", root).out)
    assert made["path"] == f"{home}/some_note_here.md"


@pytest.mark.parametrize(
    ("memories", "notes"), [("notes", "notes"), ("./a/b/", "a/b"), (".", "")], ids=["notes", "deep", "root"]
)
def test_an_empty_folder_gets_the_starter_vault_under_any_name(
    tmp_path: Path, mdmem: Run, git: Git, memories: str, notes: str
) -> None:
    folder = tmp_path / "vault"
    assert "made a vault" in mdmem("init", folder, "--examples", "--memories", memories).out
    assert (folder / notes / "git_commit_is_the_audit_log.md").exists()
    assert not (folder / "allmemories").exists()
    assert mdmem("doctor", "--vault", folder).out == "no problems\n"
    assert len(json.loads(mdmem("list", "--json", "--vault", folder).out)) == 8
    assert tomllib.loads((folder / "mdmem.toml").read_text())["memories"] == (notes or ".")
    assert json.loads((folder / ".obsidian/app.json").read_text())["newFileFolderPath"] == (notes or "/")
    for path in ("AGENTS.md", "memories.base", "mdmem.toml", ".obsidian/app.json"):
        assert "allmemories" not in (folder / path).read_text().replace("allmemories/2026/02/", ""), path
    assert f"create `{notes + '/' if notes else ''}NAME.md`" in (folder / "AGENTS.md").read_text()
    yaml.safe_load((folder / "memories.base").read_text())
    made = json.loads(mdmem("remember", "x", "--name", "some_note_here", "--json", "--vault", folder).out)
    assert made["path"] == (f"{notes}/" if notes else "") + "some_note_here.md"


def test_the_agents_page_of_an_adopted_vault_names_its_folders(tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "vault/.obsidian").mkdir(parents=True)
    (tmp_path / "vault/Home.md").write_text("x")
    mdmem("init", tmp_path / "vault")
    text = (tmp_path / "vault/AGENTS.md").read_text()
    assert "file names in this folder and those below it" in text
    assert "create `allmemories/NAME.md`" in text


@pytest.mark.parametrize("memories", ["..", "templates", ".hidden", "/etc", "a/.git"])
def test_a_folder_that_cannot_hold_memories_is_refused_before_anything_is_made(
    tmp_path: Path, mdmem: Run, memories: str
) -> None:
    mdmem("init", tmp_path / "new", "--memories", memories, code=2)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_of_memories_behind_a_link_is_refused(tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/allmemories").symlink_to(tmp_path / "real")
    assert "symbolic link" in mdmem("init", tmp_path / "vault", code=2).err
    assert not (tmp_path / "vault/.git").exists()


@pytest.mark.parametrize("filled", [False, True], ids=["empty folder", "a folder of notes"])
def test_an_init_that_fails_leaves_nothing_behind(tmp_path: Path, mdmem: Run, git: Git, filled: bool) -> None:
    """git cannot store Markdown here: its filter for it is missing."""
    (tmp_path / "attributes").write_text("*.md filter=broken\n")
    git(tmp_path, "config", "--global", "core.attributesFile", str(tmp_path / "attributes"))
    git(tmp_path, "config", "--global", "filter.broken.clean", "false")
    git(tmp_path, "config", "--global", "filter.broken.required", "true")
    folder = tmp_path / "vault"
    if filled:
        (folder / "notes").mkdir(parents=True)
        (folder / "notes/one.md").write_text("x")
    before = sorted(tmp_path.rglob("*"))
    mdmem("init", folder, code=1)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_broken_obsidian_setting_stops_init_before_anything_is_made(tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / ".obsidian").mkdir()
    (tmp_path / ".obsidian/templates.json").write_text("{")
    mdmem("init", tmp_path, code=1)
    assert [path.name for path in tmp_path.iterdir()] == [".obsidian"]


def test_pages_for_agents_get_a_section_only_when_asked(
    tmp_path: Path, mdmem: Run, git: Git, commit: Commit
) -> None:
    git(tmp_path, "init", "-q")
    (tmp_path / "main.py").write_text("x")
    (tmp_path / "AGENTS.md").write_bytes(b"# Mine\r\n\r\nBe brief.\r\n")
    (tmp_path / "CLAUDE.md").write_text("Be kind.\n")
    commit(folder=tmp_path)
    before = digest(tmp_path)
    said = mdmem("init", tmp_path).out
    assert "left as it is: AGENTS.md, CLAUDE.md (mdmem init --agents" in said
    assert before.items() <= digest(tmp_path).items()
    assert tomllib.loads((tmp_path / "mdmem.toml").read_text()).keys() == {"id"}  # no vault of notes
    assert "left" not in mdmem("init", tmp_path, "--agents").out
    page = (tmp_path / "AGENTS.md").read_bytes()
    assert page.startswith(b"# Mine\r\n\r\nBe brief.\r\n\r\n<!-- mdmem:begin -->\r\n")
    assert page.endswith(b"<!-- mdmem:end -->\r\n")
    assert (tmp_path / "CLAUDE.md").read_text() == "Be kind.\n\n@AGENTS.md\n"
    (tmp_path / "AGENTS.md").write_bytes(page.replace(b"Memory vault", b"old title") + b"More of mine.\n")
    mdmem("init", tmp_path, "--agents")
    assert (tmp_path / "AGENTS.md").read_bytes() == page + b"More of mine.\n"
    assert git(tmp_path, "status", "--porcelain") == ""


def test_init_in_a_repository_with_hooks_runs_none_and_installs_none(tmp_path: Path, mdmem: Run, git: Git) -> None:
    git(tmp_path, "init", "-q")
    for name in ("pre-commit", "commit-msg", "post-commit"):
        place = tmp_path / ".git/hooks" / name
        place.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
        place.chmod(0o755)
    before = sorted((tmp_path / ".git/hooks").iterdir())
    mdmem("init", tmp_path)
    assert sorted((tmp_path / ".git/hooks").iterdir()) == before
    assert not (tmp_path / "ran").exists()
    assert git(tmp_path, "status", "--porcelain") == ""


def wild_vault(folder: Path) -> None:
    """An Obsidian vault as people really have them, and a little worse."""
    files: dict[str, str | bytes] = {
        "Home 🏠.md": "# Home\n\n"
        "see [[Projects/Ada's “engine” (v2)]] and ![[plan.canvas]] ![[pic one.png|300]] #home\n",
        "Projects/Ada's “engine” (v2).md": '---\ntags: [math, "#1"]\naliases:\n- Engine\n---\n'
        "Bernoulli numbers\r\nmixed\n",
        "Projects/deep/er/and/deeper/Note with spaces  twice.md": "very deep bernoulli",
        "Projects/Home 🏠.md": "the same name again",
        "日本語/ノート.md": "---\ntitle: 日本語のノート\n---\n\n機械学習について\n",
        "Empty.md": "",
        "Only frontmatter.md": "---\na: 1\n---",
        "Windows.md": b"\xef\xbb\xbf---\r\ntitle: Windows note\r\ncreated: 2026-01-02\r\n---\r\n\r\nline\r\n",
        "Broken colon.md": "---\ntitle: Meeting: the sequel\n---\n\nbroken bernoulli\n",
        "Broken tab.md": "---\n\ttitle: x\n---\ntab\n",
        "Twice.md": "---\na: 1\na: 2\n---\ntwice\n",
        "Second.md": "---\na: 1\n---\n---\nb: 2\n---\nsecond\n",
        "Unclosed.md": "---\ntitle: never closed\n\ntext goes on\n",
        "Templater.md": "---\ndate: <% tp.date.now() %>\ntitle: {{title}}\n---\n{{content}}\n",
        "Templates/Daily {{date}}.md": "---\ndate: {{date}}\n---\n# {{title}}\n",
        "Latin1.md": b"caf\xe9",
        "UTF16.md": "text".encode("utf-16"),
        "Binary.md": b"\x00\x01\x02",
        "Conflict.md": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n",
        "Callout.md": "> [!warning]- Title\n> text [[Missing note]]\n\n- [ ] task ^block-id\n\n$$x^2$$\n\n%%c%%\n",
        "Kanban.md": "---\n\nkanban-plugin: board\n\n---\n\n## Todo\n\n- [ ] x\n",
        "Excalidraw.excalidraw.md": "---\nexcalidraw-plugin: parsed\n---\n" + "x" * 100_000,
        "Dataview.md": "key:: value\n\n```dataview\nTABLE [[not a link]]\n```\n",
        "a" * 120 + ".md": "long name",
        "-starts with dash.md": "dash",
        "#hash & percent%20.md": "hash",
        "plan.canvas": '{"nodes":[],"edges":[]}',
        "views.base": "views: []",
        "attachments/pic one.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)),
        ".obsidian/app.json": "{}",
        ".obsidian/workspace.json": '{"main": {}}',
        ".obsidian/templates.json": '{"folder": "Templates/"}',
        ".trash/Deleted.md": "deleted bernoulli",
        "AGENTS.md": "# my own agents file\n",
        "conflict-files-obsidian-git.md": "- [[x]]",
    }
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data.encode() if isinstance(data, str) else data)
    (folder / "linked.md").symlink_to(folder / "Empty.md")
    (folder / "outside").symlink_to("/etc")


@pytest.mark.parametrize("git_first", [False, True], ids=["no repository", "a repository"])
def test_a_wild_obsidian_vault_is_adopted_and_no_byte_changes(
    tmp_path: Path, mdmem: Run, git: Git, git_first: bool, commit: Commit
) -> None:
    folder = tmp_path / "My Vault 🧠"
    folder.mkdir()
    wild_vault(folder)
    if git_first:
        git(folder, "init", "-q")
        commit(folder=folder)
        (folder / "New today.md").write_text("not in git bernoulli")
    before = digest(folder)
    said = mdmem("init", folder)
    assert "adopted" in said.out
    assert ("not in git yet: 1 memory " in said.out) is git_first  # the link is no memory
    after = digest(folder)
    assert before.items() <= after.items()
    assert set(after) - set(before) == {"mdmem.toml", "CLAUDE.md"}
    assert tomllib.loads((folder / "mdmem.toml").read_text())["templates"] == "Templates"
    listed = {item["path"] for item in json.loads(mdmem("list", "--json", "--vault", folder).out)}
    expected = {
        path
        for path in before
        if path.endswith(".md")
        and not path.startswith((".", "Templates/"))
        and path not in ("AGENTS.md", "conflict-files-obsidian-git.md", "linked.md")
    }
    assert listed == expected - {"Latin1.md", "UTF16.md", "Binary.md"}
    found = {item["path"] for item in json.loads(mdmem("recall", "bernoulli", "--json", "--vault", folder).out)}
    assert found >= {"Projects/Ada's “engine” (v2).md", "Broken colon.md"}
    assert ("New today.md" in found) is git_first
    assert ".trash/Deleted.md" not in found
    problems = json.loads(mdmem("doctor", "--json", "--vault", folder, code=1).out)
    by_path: dict[str, set[str]] = {}
    for problem in problems:
        assert problem["fix"]
        by_path.setdefault(problem["path"], set()).add(problem["code"])
    assert {path for path, codes in by_path.items() if "frontmatter-broken" in codes} == {
        *("Broken colon.md", "Broken tab.md", "Twice.md", "Templater.md")
    }
    for path, code in {
        "Second.md": "frontmatter-second",
        "Unclosed.md": "frontmatter-open",
        "Latin1.md": "note-encoding",
        "UTF16.md": "note-encoding",
        "Binary.md": "note-binary",
        "Conflict.md": "merge-markers",
        "linked.md": "path-link",
    }.items():
        assert code in by_path[path], path
    assert mdmem("show", "Projects/Home 🏠.md", "--vault", folder).out == "the same name again\n"
    assert mdmem("show", "Home 🏠", "--vault", folder).out.startswith("# Home")  # a path wins over names
    mdmem("remember", "A new one.", "--name", "new_memory_here", "--vault", folder)
    assert (folder / "allmemories/new_memory_here.md").exists()
    assert before.items() <= digest(folder).items()
    mdmem("undo", "--last", "1", "--vault", folder)
    assert digest(folder) == after
    if git_first:
        assert git(folder, "status", "--porcelain", "-z") == "?? New today.md\0"


def test_adopting_for_real_keeps_every_body(tmp_path: Path, mdmem: Run) -> None:
    folder = tmp_path / "vault"
    folder.mkdir()
    wild_vault(folder)
    mdmem("init", folder)
    before = {path: (folder / path).read_bytes() for path in digest(folder) if path != "linked.md"}
    done = json.loads(mdmem("adopt", "--all", "--json", "--vault", folder).out)
    changed = {path for path, data in before.items() if (folder / path).read_bytes() != data}
    assert changed == set(done["paths"])
    for path in changed:
        note = memory.parse(before[path], path)
        tail = note.body.rstrip("\n").replace("\n", "\r\n") if b"\r\n" in before[path] else note.body.rstrip("\n")
        text = (folder / path).read_bytes().decode("utf-8-sig")
        assert tail in text or tail in text.replace("\r\n", "\n"), path
        assert memory.parse((folder / path).read_bytes(), path).has_id
    assert {problem["path"] for problem in done["problems"]} >= {"Broken colon.md", "Twice.md"}


# -- what ships


@pytest.mark.parametrize("path", sorted((PROJECT / "templates").glob("*.md")), ids=lambda path: path.stem)
def test_templates_are_valid_notes_once_filled(path: Path) -> None:
    text = starter.fill(path.read_text(), "A telling title", datetime(2026, 3, 1, tzinfo=UTC))
    note = memory.parse(text.encode(), "allmemories/a_telling_title.md")
    assert note.problems == ()
    assert list(properties.check(note)) == []
    assert note.type == path.stem
    assert note.title == "A telling title"
    assert note.created == "2026-03-01T00:00:00Z"
    data = parsed(note.body)
    assert parsed(rendered(data)) == data


def test_the_starter_vault_opens_in_obsidian_as_it_is() -> None:
    folder = PROJECT / "vault"
    for path in (folder / ".obsidian").glob("*.json"):
        json.loads(path.read_text())
    assert json.loads((folder / ".obsidian/templates.json").read_text())["folder"] == "templates"
    assert (folder / "templates" / "fact.md").exists()
    base = yaml.safe_load((folder / "memories.base").read_text())
    assert [view["type"] for view in base["views"]] == ["table"] * 8


def test_the_agents_page_is_short_and_says_it_all() -> None:
    text = (PROJECT / "vault" / "AGENTS.md").read_text()
    assert len(text) / 4 < 1000
    for word in (
        *("allmemories/", "GLOBAL_MEMORY.md", "mdmem recall", "[MEMORY_CANDIDATES]", "supersedes"),
        *("DEPRECATED", "category"),
    ):
        assert word in text
    for word in (
        "before any other output",
        "5 to 35",
        "LiveHud",
        "📂 Memory: No tool access",
        "end of the session",
    ):
        assert word in text
    for word in ("save this to memory", "one concept", "_master", "User changed mind", "System Notes"):
        assert word in text
    assert (PROJECT / "vault" / "CLAUDE.md").read_text().endswith("@AGENTS.md\n")


@pytest.mark.parametrize("title", ["a: b", '"quoted" # [x]', "it's {{date}}", "plain", ""])
@pytest.mark.parametrize("written", ['title: "{{title}}"', "title: {{title}}", "title: '{{title}}' # mine"])
def test_a_title_of_any_kind_fills_a_template(title: str, written: str) -> None:
    template = f"---\n{written}\naliases: [{{{{title}}}}]\ncreated: {{{{date}}}}\n---\n\n# {{{{title}}}}\n"
    note = memory.parse(starter.fill(template, title, datetime(2026, 3, 1, tzinfo=UTC)).encode(), "x.md")
    assert note.problems == ()
    assert note.text("title") == title
    assert note.meta["created"] == "2026-03-01"
    assert note.body == f"\n# {title}\n"
    if title:
        assert note.meta["aliases"] == [title]


def test_the_note_that_the_agents_page_shows_is_a_good_one() -> None:
    text = (PROJECT / "vault" / "AGENTS.md").read_text()
    shown = text[text.index("    ---\n    created") : text.index("`category`:")]
    note = memory.parse(textwrap.dedent(shown).encode(), "allmemories/user_prefers_structured_output.md")
    assert (note.form, note.problems, list(properties.check(note))) == ("frontmatter", (), [])
    assert note.body.strip() == "User prefers structured output: bullets and tables over long paragraphs."
