"""A folder of Markdown taken into a vault, and led out of it again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.note import memory
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import markdown

Run = Callable[..., Any]
UUID = "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Notes as people keep them in Obsidian."""
    top = tmp_path / "notes"
    files: dict[str, str | bytes] = {
        "Team day.md": f"---\nid: {UUID}\ntype: meeting\ndate: 2026-01-02\ntags: [work, '#team']\n"
        'mood: good\nlead: "[[Ada Lovelace]]"\norigin: user\n---\n\n'
        "With [[Ada Lovelace|Ada]], see [plan](Sub/The%20plan.md) and ![[board.png]].\n",
        "Ada Lovelace.md": "---\naliases: [Countess]\n---\n\nLeads the team.\n",
        "Sub/The plan.md": "Back to [[Team day]] and [the lead](../Ada%20Lovelace.md), or [[Countess]].\n",
        "board.png": b"\x89PNG",
        "broken header here.md": "---\ntitle: [\n---\n\nText.\n",
        "holds_a_secret_token.md": "The token is ghp_" + "a1B2c3D4e5" * 3 + "f6G7H8.\n",
    }
    for path, data in files.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_bytes(data.encode() if isinstance(data, str) else data)
    return top


def test_a_folder_comes_in_with_one_commit(folder: Path, root: Path, mdmem: Run, git: Run) -> None:
    before = git(root, "rev-parse", "HEAD")
    plan = json.loads(mdmem("import", "markdown", folder, "--vault", root, "--dry-run", "--json", code=1).out)
    assert git(root, "rev-parse", "HEAD") == before
    done = json.loads(mdmem("import", "markdown", folder, "--vault", root, "--json", code=1).out)
    assert {**plan, "commit": done["commit"]} == done
    assert git(root, "rev-parse", "HEAD~1") == before
    assert "Memory-Action: import" in git(root, "log", "-1", "--format=%B")
    places = {item["source"]: item["path"] for item in done["notes"]}
    assert places.keys() == {"Team day.md", "Ada Lovelace.md", "Sub/The plan.md"}
    assert {Path(one["path"]).name: one["severity"] for one in done["problems"]} == {
        "board.png": "warning",
        "broken header here.md": "error",
        "holds_a_secret_token.md": "error",
    }
    team = memory.parse((root / places["Team day.md"]).read_bytes(), places["Team day.md"])
    ada, plan_note = Path(places["Ada Lovelace.md"]).stem, Path(places["Sub/The plan.md"])
    assert (team.id, team.created, team.tags) == (UUID, "2026-01-02T00:00:00Z", ("work", "team"))
    assert (team.text("imported_type"), team.text("mood"), team.text("lead")) == ("meeting", "good", f"[[{ada}]]")
    assert (team.text("origin"), team.text("imported_origin")) == ("import", "user")
    way = plan_note.relative_to("allmemories").as_posix()
    assert team.body.strip() == f"With [[{ada}|Ada]], see [plan]({way}) and ![[board.png]]."
    back = (root / plan_note).read_text()
    assert f"[[{Path(places['Team day.md']).stem}]] and [the lead](../{ada}.md), or [[{ada}]]" in back


def test_importing_again_adds_nothing_and_undo_takes_it_back(
    folder: Path, root: Path, mdmem: Run, git: Run
) -> None:
    tree = git(root, "rev-parse", "HEAD^{tree}")
    mdmem("import", "markdown", folder, "--vault", root, code=1)
    commit = git(root, "rev-parse", "HEAD")
    ran = mdmem("import", "markdown", folder, "--vault", root, code=1)
    assert "imported 0 notes, 3 there already" in ran.out
    assert git(root, "rev-parse", "HEAD") == commit
    mdmem("undo", "--commit", commit, "--yes", "--vault", root)
    assert git(root, "rev-parse", "HEAD^{tree}") == tree


def test_what_a_memory_says_already_is_not_written_again(
    remember: Callable[..., str], vault: Vault, tmp_path: Path
) -> None:
    there = remember("The harbor of the island opens at six in the morning.")
    near = "The harbor of the island opens at six in the morning, and the ferry leaves at seven."
    (tmp_path / "same.md").write_text("The harbor of the island opens at six in the morning.\n")
    (tmp_path / "near.md").write_text(near + "\n")
    planned = markdown.MARKDOWN.plan(vault, str(tmp_path / "same.md"), silent)
    assert (planned.items, planned.known) == ((), {"same.md": there})
    planned = markdown.MARKDOWN.plan(vault, str(tmp_path / "near.md"), silent)
    assert [item.facts["source"] for item in planned.items] == ["near.md"]


def test_a_source_that_differs_from_a_memory_of_another_origin_is_told(
    folder: Path, remember: Callable[..., str], root: Path, mdmem: Run
) -> None:
    remember("The team day is in May.", id=UUID)
    ran = mdmem("import", "markdown", folder / "Team day.md", "--vault", root)
    assert "imported 0 notes, 1 there already" in ran.out
    assert "with another text; that one stays" in ran.err


def test_sections_become_notes_and_links_to_headings_lead_to_them(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in/journal.md").write_text(
        "---\ntags: [sea]\n---\n\n# Journal\n\n## Harbor hours\n\nOpens at six. See [[journal#Ferry times]].\n\n"
        "### Sundays\n\nAt eight.\n\n## Ferry times\n\nLeaves at seven.\n\n## Ferry times\n\nIn winter at nine.\n"
    )
    (tmp_path / "in/other_page_of_mine.md").write_text("[[journal]] and [x](journal.md#Ferry%20times)\n")
    ran = mdmem("import", "markdown", tmp_path / "in", "--split", "headings", "--vault", root, "--json")
    notes = {item["source"]: (root / item["path"]).read_text() for item in json.loads(ran.out)["notes"]}
    stems = {item["source"]: Path(item["path"]).stem for item in json.loads(ran.out)["notes"]}
    assert notes.keys() == {
        "journal.md",
        "journal.md#Ferry times",
        "journal.md#Ferry times (2)",
        "other_page_of_mine.md",
    }
    assert not any("title:" in text for text in notes.values()), "doctor told of titles that the text has itself"
    assert mdmem("doctor", "--vault", root).out == "no problems\n"
    assert "### Sundays\n\nAt eight.\n" in notes["journal.md"]
    assert f"[[{stems['journal.md#Ferry times']}#Ferry times]]" in notes["journal.md"]
    assert all("  - sea\n" in text for source, text in notes.items() if source.startswith("journal"))
    assert f"[[{stems['journal.md']}]] and" in notes["other_page_of_mine.md"]


def test_an_import_does_not_name_a_memory_that_may_not_be_seen(
    root: Path, tmp_path: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "in").mkdir()
    secret = f"---\nid: {UUID}\nsensitivity: hyper\n---\n\nZebrafish illness.\n"
    (tmp_path / "in/Private.md").write_text(secret)
    mdmem("import", "markdown", tmp_path / "in", "--vault", root)
    (tmp_path / "in/Private.md").write_text(f"---\nid: {UUID}\n---\n\nOther words.\n")
    (tmp_path / "in/Public.md").write_text("See [[Private]] for more.\n")
    monkeypatch.setenv("MDMEM_ACTOR", "some-agent")
    ran = mdmem("import", "markdown", tmp_path / "in", "--vault", root, "--json")
    assert "ebrafish" not in ran.out + ran.err
    (public,) = (item["path"] for item in json.loads(ran.out)["notes"])
    assert (root / public).read_text().endswith("See [[Private]] for more.\n")


def test_the_folder_of_the_vault_is_refused(root: Path, mdmem: Run) -> None:
    ran = mdmem("import", "markdown", root / "allmemories", "--vault", root, code=2)
    assert "is where this vault keeps its memories" in ran.err


def test_a_vault_goes_out_and_comes_back_the_same(
    root: Path, tmp_path: Path, empty_vault: Path, mdmem: Run, folder: Path
) -> None:
    mdmem("import", "markdown", folder, "--vault", root, code=1)
    mdmem("remember", "Ada keeps the keys of [[lovelace_leads_team]].", "--vault", root)
    mdmem("remember", "Zebrafish illness.", "--set", "sensitivity=high", "--vault", root)
    out = tmp_path / "out"
    ran = mdmem("export", "markdown", out, "--vault", root)
    assert "left out 1 memory above 'low'" in ran.err
    exported = {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*.md")}
    assert len(exported) == 4
    assert not any(b"Zebrafish" in data for data in exported.values())
    again = Path(shutil.copytree(empty_vault, tmp_path / "second"))
    mdmem("import", "markdown", out, "--vault", again)
    for path, data in exported.items():
        before, after = memory.parse(data, path), memory.parse((again / "allmemories" / path).read_bytes(), path)
        assert (after.id, after.title, after.created, after.tags) == (
            before.id,
            before.title,
            before.created,
            before.tags,
        )
        assert after.body.strip() == before.body.strip()
    assert "is not empty" in mdmem("export", "markdown", out, "--vault", root, code=5).err
