"""Files that agents read by themselves: within the limit of each client, between marks, and back again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mdmem.acts.exchange import AGENT_FILES
from mdmem.session import agentfiles
from tests.conftest import Commit, Git, Run

PROGRAM = Path(sys.executable).with_name("mdmem")
RULES = "# My rules\n\nBe nice.\n"
PREFERENCE = "User prefers tables over long paragraphs in every report."


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, git: Git) -> Path:
    """A repository to work in, and a home with nothing in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home/data"))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    place = tmp_path / "shop"
    (tmp_path / "home").mkdir()
    place.mkdir()
    git(place, "init", "--quiet")
    monkeypatch.chdir(place)
    return place


@pytest.fixture
def many(root: Path, commit: Commit) -> Path:
    """The vault with 400 preferences and decisions, each of which says something else."""
    for number in range(400):
        kind = ("preference", "decision")[number % 2]
        words = " ".join(f"word{number * 7 + at}" for at in range(12))
        note = f"---\ntype: {kind}\ncreated: 2026-01-01T00:00:00Z\n---\n\nRule {number} says {words}.\n"
        (root / "allmemories" / f"rule_number_{number}.md").write_text(note)
    commit()
    return root


def test_the_table_and_the_command_name_the_same_files() -> None:
    assert tuple(agentfiles.names()) == AGENT_FILES


def test_each_file_is_filled_to_the_limit_of_its_client(project: Path, many: Path, mdmem: Run) -> None:
    """In the unit of the client, whatever the vault holds; the memory of Claude Code in lines and in bytes."""
    for name in AGENT_FILES:
        path = project / f"{name}.md"
        said = mdmem("export", name, path, "--vault", many).err
        text = path.read_text()
        lines, size = text.count("\n"), len(text.encode())
        limits = {
            "claude-memory": lines <= 200 and size <= 25_000 and (lines > 180 or size > 24_000),
            "cursor-rules": lines <= 500,
            "copilot": len(text) <= 4_000,
        }
        assert limits.get(name, size <= 32_768), name
        assert "left out)" in said, name
        assert text.count("type: ") == 0, name
        first = next(line for line in text.splitlines() if line.startswith("- "))
        assert first.startswith("- allmemories/rule_number_"), name
        assert "(preference, 2026-01-01)" in first, name
        assert "data to judge, not instructions" in text, name


def test_each_file_lies_where_its_client_looks(project: Path, root: Path, mdmem: Run) -> None:
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    home, slug = Path(os.environ["HOME"]), str(project).replace("/", "-").replace("_", "-")
    for name, path in {
        "claude-memory": home / f".claude/projects/{slug}/memory/MEMORY.md",
        "codex": home / ".codex/AGENTS.md",
        "agents-md": project / "AGENTS.md",
        "cursor-rules": project / ".cursor/rules/memories.mdc",
        "gemini": project / "GEMINI.md",
        "copilot": project / ".github/copilot-instructions.md",
    }.items():
        assert str(path) in mdmem("export", name, "--vault", root).err
        assert PREFERENCE in path.read_text()
    assert (project / ".cursor/rules/memories.mdc").read_text().startswith("---\ndescription: ")


@pytest.mark.parametrize("own", [RULES.encode(), RULES.replace("\n", "\r\n").encode(), b"\xef\xbb\xbf# Mine", b""])
def test_the_lines_of_a_person_keep_every_byte(own: bytes, project: Path, root: Path, mdmem: Run) -> None:
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    path = project / "AGENTS.md"
    path.write_bytes(own)
    mdmem("export", "agents-md", "--vault", root)
    once = path.read_bytes()
    assert once.startswith(own)
    assert (b"\r\n" in own) == (b"\n" not in once.replace(b"\r\n", b""))
    below = b"\nAnd below.\r\n" if b"\r\n" in own else b"\nAnd below.\n"
    path.write_bytes(once + below)
    mdmem("remember", "User prefers quiet mornings without any meetings.", "--type", "preference", "--vault", root)
    mdmem("export", "agents-md", "--vault", root)
    twice = path.read_bytes()
    assert twice.startswith(own)
    assert twice.endswith(below)
    assert b"quiet mornings" in twice
    before = os.stat(path).st_ino
    mdmem("export", "agents-md", "--vault", root)
    assert os.stat(path).st_ino == before, "what says the same is not written again"


def test_a_file_that_was_edited_between_the_marks_is_refused_and_stays(
    project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    path = project / "AGENTS.md"
    path.write_text(RULES)
    mdmem("export", "agents-md", "--follow", "--vault", root)
    for edited in (
        path.read_text().replace("tables over", "lists over"),
        path.read_text().replace("<!-- mdmem:memories end -->", ""),
        path.read_text() + path.read_text(),
    ):
        path.write_text(edited)
        said = mdmem("export", "agents-md", "--vault", root, code=5).err
        assert f"{path}, line 5: somebody edited between the marks" in said
        told = mdmem("remember", f"User number {len(edited)} prefers green tea at noon.", "--vault", root).err
        assert "saved; the files for agents did not follow" in told
        assert path.read_text() == edited


@pytest.mark.parametrize(
    ("data", "code", "said"),
    [(b"\xff\xfe", 2, "is not UTF-8"), (b"mine\n" * 200, 5, "200 lines"), (b"m" * 24_999, 5, "25,000 bytes")],
)
def test_a_file_that_has_no_room_or_is_no_text_is_left_alone(
    data: bytes, code: int, said: str, project: Path, root: Path, mdmem: Run
) -> None:
    path = project / "MEMORY.md"
    path.write_bytes(data)
    assert said in mdmem("export", "claude-memory", path, "--vault", root, code=code).err
    assert path.read_bytes() == data


def test_a_file_of_the_vault_is_none_of_these(project: Path, root: Path, mdmem: Run) -> None:
    assert "is in the vault" in mdmem("export", "agents-md", root / "AGENTS.md", "--vault", root, code=2).err


def test_the_memories_of_another_vault_are_not_replaced(
    project: Path, root: Path, tmp_path: Path, mdmem: Run
) -> None:
    mdmem("export", "agents-md", "--vault", root)
    before = (project / "AGENTS.md").read_bytes()
    mdmem("init", tmp_path / "other")
    said = mdmem("export", "agents-md", "--vault", tmp_path / "other", code=5).err
    assert "AGENTS.md, line 1: these are the memories of another vault" in said
    assert (project / "AGENTS.md").read_bytes() == before


def test_what_is_sensitive_or_of_another_project_stays_where_it_is(project: Path, root: Path, mdmem: Run) -> None:
    for text, *more in (
        ("User prefers the doctor in Elm Street over all others.", "--set", "sensitivity=high"),
        ("User prefers tabs over spaces in the office scripts.", "--set", "project=office"),
        ("User prefers spaces over tabs in the shop.", "--set", "project=shop"),
    ):
        mdmem("remember", text, "--type", "preference", *more, "--vault", root)
    mdmem("export", "agents-md", "--vault", root)
    text = (project / "AGENTS.md").read_text()
    assert "in the shop" in text
    assert "Elm Street" not in text
    assert "office" not in text


def test_what_came_from_elsewhere_is_quoted(project: Path, root: Path, mdmem: Run) -> None:
    web = ("--set", "origin=web", "--set", "pinned=true")
    mdmem("remember", "The shop closes at noon on Sundays.", *web, "--vault", root)
    mdmem("export", "agents-md", "--vault", root)
    assert "origin web): `The shop closes at noon on Sundays.`" in (project / "AGENTS.md").read_text()


def test_a_followed_file_keeps_current_until_its_marks_are_gone(project: Path, root: Path, mdmem: Run) -> None:
    path = project / "GEMINI.md"
    mdmem("export", "gemini", "--follow", "--vault", root)
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    assert PREFERENCE in path.read_text()
    mdmem("forget", "user_prefers_tables_over_long_paragraphs", "--vault", root)
    assert PREFERENCE not in path.read_text()
    path.write_text(RULES)
    assert "is left alone from now on" in mdmem("remember", PREFERENCE, "--vault", root).err
    assert mdmem("remember", "Otters eat fish in spring.", "--vault", root).err == ""
    assert path.read_text() == RULES
    assert not (root / ".mdmem/exports.json").exists()


def test_two_exports_at_once_lose_nothing(project: Path, many: Path) -> None:
    path = project / "AGENTS.md"
    path.write_text(RULES)
    line = [PROGRAM, "--vault", many, "export", "agents-md"]
    both = [subprocess.Popen(line, cwd=project, stderr=subprocess.DEVNULL) for _ in range(3)]
    assert [one.wait(timeout=90) for one in both] == [0, 0, 0]
    text = path.read_text()
    assert text.startswith(RULES)
    assert text.count("<!-- mdmem:memories ") == 2


def claude_writes(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    fact = "---\nname: deploy-day\ndescription: The shop deploys on Tuesdays\nmetadata:\n  type: project\n---\n\n"
    (folder / "deploy-day.md").write_text(f"{fact}Deploys of the shop run on Tuesdays, after the backup.\n")
    with open(folder / "MEMORY.md", "a") as index:
        index.write("- [The shop deploys on Tuesdays](deploy-day.md)\n")


def test_what_claude_code_remembers_comes_in_once_when_a_session_ends(
    project: Path, root: Path, mdmem: Run
) -> None:
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    mdmem("export", "claude-memory", "--follow", "--vault", root)
    (index,) = Path(os.environ["HOME"]).rglob("MEMORY.md")
    claude_writes(index.parent)
    event = json.dumps({"session_id": "s1", "cwd": str(project), "reason": "exit"})
    line = [PROGRAM, "hook", "SessionEnd", "--client", "claude-code", "--vault", root]
    for _ in range(2):
        done = subprocess.run(line, input=event, capture_output=True, text=True, timeout=60)
        assert (done.stdout, done.stderr) == ("{}\n", "")
    found = json.loads(mdmem("list", "--where", "origin=import", "--json", "--vault", root).out)
    assert [one["title"] for one in found] == ["The shop deploys on Tuesdays"]
    assert len(json.loads(mdmem("list", "--json", "--vault", root).out)) == 2, (
        "what was written there is not read back"
    )
    assert "- [The shop deploys on Tuesdays](deploy-day.md)" in index.read_text()


def test_what_gemini_remembers_is_imported_once(project: Path, root: Path, mdmem: Run) -> None:
    path = project / "GEMINI.md"
    path.write_text(
        "# Rules\n\n- Never push.\n\n## Gemini Added Memories\n- The user lives in Turin.\n- Ada is a cat.\n"
    )
    mdmem("remember", PREFERENCE, "--type", "preference", "--vault", root)
    mdmem("export", "gemini", "--vault", root)
    assert "imported 2 notes" in mdmem("import", "agent-file", path, "--vault", root).out
    assert "imported 0 notes, 2 there already" in mdmem("import", "agent-file", path, "--vault", root).out
    titles = [one["title"] for one in json.loads(mdmem("list", "--json", "--vault", root).out)]
    assert not any("push" in title for title in titles)
    assert sum("Turin" in title for title in titles) == 1


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        (("agents-md", "AGENTS.md", "--type", "decision"), "a filter"),
        (("agents-md", "AGENTS.md", "--lines"), "--lines"),
        (("rum", "works.json", "--tag", "boat"), "a filter"),
        (("markdown", "notes", "--follow"), "--follow"),
    ],
)
def test_what_an_export_does_not_take_is_not_passed_over(
    given: tuple[str, ...], wrong: str, root: Path, tmp_path: Path, mdmem: Run
) -> None:
    """A filter that is not heeded would let out what was to stay."""
    form, target, *options = given
    done = mdmem("export", form, tmp_path / target, *options, "--vault", root, code=2)
    assert f"export {form} does not take {wrong}" in done.err
    assert not (tmp_path / target).exists()
