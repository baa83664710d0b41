"""An old memory tree taken into a vault, or worked on where it is."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.local import workers
from mdmem.store.local.workers import crew
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers import legacy as importing

Run = Callable[..., Any]

HEADER = "# {}\n\n**Created:** {}\n**Category:** past\n**Tags:** [a, b]\n\n---\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree as sessions of the legacy protocol leave it, and a little worse."""
    folder = tmp_path / "old/brain/memory/allmemories"
    files: dict[str, str | bytes] = {
        "user_prefers_tables.md": HEADER.format("Tables", "2026-02-08 14:05") + "\nSee [[memory1]].  \r\nYes\n\n",
        "memory1.md": HEADER.format("User likes green tea", "Feb 8, 2026") + "Tea, [t](user_prefers_tables.md)",
        "Sub/My Notes.md": "No header.\n\nUp: [[../memory1]]\n",
        "unsaid_day_of_note.md": HEADER.format("Day", "08/02/2026") + "x\n",
        "two_titles_in_header.md": "# A\n**Created:** 2026-01-01\n**Created:** 2026-01-02\n---\nx\n",
        "binary_note_is_bad.md": b"\0\1",
        "data.json": "{}",
        "AGENTS.md": "for agents",
        ".obsidian/x.md": "x",
    }
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data.encode() if isinstance(data, str) else data)
    return folder


def state(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_tree_comes_in_with_one_commit(tree: Path, root: Path, mdmem: Run, git: Run) -> None:
    before, commits = state(tree), git(root, "rev-list", "--count", "HEAD")
    ran = mdmem(
        *("import", "legacy", tree.parents[2], "--vault", root, "--session", "s1", "--actor", "mover", "--json"),
        code=1,  # two notes cannot be read
    )
    done = json.loads(ran.out)
    assert state(tree) == before
    assert git(root, "rev-list", "--count", "HEAD") == str(int(commits) + 1)
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Action: import" in message
    assert "Memory-Actor: mover\nMemory-Session: s1" in message
    places = {item["source"]: item["path"] for item in done["memories"]}
    assert places == {
        "user_prefers_tables.md": "allmemories/user_prefers_tables.md",
        "memory1.md": "allmemories/user_likes_green_tea.md",
        "Sub/My Notes.md": "allmemories/Sub/notes_no_header.md",
        "unsaid_day_of_note.md": "allmemories/unsaid_day_of_note.md",
    }
    told = {Path(problem["path"]).name: problem["severity"] for problem in done["problems"]}
    assert told == {
        "two_titles_in_header.md": "error",
        "binary_note_is_bad.md": "error",
        "unsaid_day_of_note.md": "warning",
        "data.json": "warning",
        "AGENTS.md": "warning",
    }
    assert all(Path(problem["path"]).exists() for problem in done["problems"])
    tables = (root / places["user_prefers_tables.md"]).read_bytes().decode()
    assert "\ncreated: 2026-02-08T14:05:00Z\ncategory: past\ntags:\n  - a\n  - b\n" in tables
    assert tables.endswith("---\n\nSee [[user_likes_green_tea]].  \r\nYes\n\n")
    assert (root / places["Sub/My Notes.md"]).read_text().endswith("Up: [[../user_likes_green_tea]]\n")
    assert "created: 08/02/2026" in (root / places["unsaid_day_of_note.md"]).read_text()
    assert git(root, "status", "--porcelain", "--", "allmemories") == ""


def test_a_second_run_changes_nothing_even_after_edits(tree: Path, root: Path, mdmem: Run, git: Run) -> None:
    mdmem("import", "legacy", tree, "--vault", root, code=1)
    mdmem("rename", "user_likes_green_tea", "user_likes_black_tea", "--vault", root)
    mdmem("update", "user_likes_black_tea", "--body", "Black tea.", "--vault", root)
    head = git(root, "rev-parse", "HEAD")
    done = json.loads(mdmem("import", "legacy", tree, "--vault", root, "--json", code=1).out)
    assert (done["memories"], len(done["known"]), done["commit"]) == ([], 4, "")
    assert "another text" not in json.dumps(done["problems"])
    assert git(root, "rev-parse", "HEAD") == head


def test_a_note_copied_by_hand_is_known_and_a_new_one_may_link_to_it(tree: Path, root: Path, mdmem: Run) -> None:
    (root / "allmemories/user_likes_green_tea.md").write_bytes((tree / "memory1.md").read_bytes())
    done = json.loads(mdmem("import", "legacy", tree, "--vault", root, "--json", code=1).out)
    assert done["known"] == {"memory1.md": "allmemories/user_likes_green_tea.md"}
    assert "[[user_likes_green_tea]]" in (root / "allmemories/user_prefers_tables.md").read_text()


def test_a_taken_name_with_another_text_loses_neither(tree: Path, root: Path, mdmem: Run) -> None:
    taken = root / "allmemories/user_prefers_tables.md"
    taken.write_text("Quite another text.\n")
    out = mdmem("import", "legacy", tree, "--vault", root, code=1).out
    assert taken.read_text() == "Quite another text.\n"
    assert "user_prefers_tables.md -> " in out


def test_a_dry_run_writes_nothing(tree: Path, root: Path, mdmem: Run, git: Run) -> None:
    head = git(root, "rev-parse", "HEAD")
    out = mdmem("import", "legacy", tree, "--vault", root, "--dry-run", code=1).out
    assert "memory1.md -> user_likes_green_tea\n" in out
    assert "would import 4 memories\n" in out
    assert git(root, "rev-parse", "HEAD") == head
    assert list((root / "allmemories").iterdir()) == []


def test_nothing_is_read_through_links(tree: Path, root: Path, tmp_path: Path, mdmem: Run) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret_note_of_mine.md").write_text("secret")
    (tree / "linked_note_is_here.md").symlink_to(outside / "secret_note_of_mine.md")
    (tree / "linked").symlink_to(outside)
    (tree / "loop").symlink_to(tree)
    os.mkfifo(tree / "pipe_that_never_ends.md")
    done = json.loads(mdmem("import", "legacy", tree, "--vault", root, "--json", code=1).out)
    told = {Path(problem["path"]).name for problem in done["problems"]}
    assert {"linked_note_is_here.md", "linked", "loop", "pipe_that_never_ends.md"} <= told
    assert len(done["memories"]) == 4
    assert not [path for path in (root / "allmemories").rglob("*.md") if "secret" in path.read_text()]


def test_a_linked_tree_within_the_path_is_not_taken_for_the_tree(root: Path, tmp_path: Path, mdmem: Run) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret_note_of_mine.md").write_text("secret")
    (tmp_path / "old").mkdir()
    (tmp_path / "old/allmemories").symlink_to(tmp_path / "outside")
    assert "imported 0 memories" in mdmem("import", "legacy", tmp_path / "old", "--vault", root).out


def test_the_vaults_own_memories_are_no_tree_to_import(root: Path, mdmem: Run) -> None:
    assert "mdmem adopt" in mdmem("import", "legacy", root, "--vault", root, code=2).err


def test_two_notes_of_one_id_do_not_overwrite_each_other(tree: Path, root: Path, mdmem: Run) -> None:
    for name in ("first_of_two_notes", "second_of_two_notes"):
        (tree / f"{name}.md").write_text(f"---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\n{name}\n")
    done = json.loads(mdmem("import", "legacy", tree, "--vault", root, "--json", code=1).out)
    (problem,) = (one for one in done["problems"] if one["path"].endswith("second_of_two_notes.md"))
    assert "has the id of first_of_two_notes.md" in problem["message"]
    assert len(done["memories"]) == 5


def test_a_note_changed_since_under_the_same_id_is_told_and_not_overwritten(
    tree: Path, root: Path, mdmem: Run
) -> None:
    note = tree / "first_of_two_notes.md"
    note.write_text("---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\nSee [[memory1]].\n")
    mdmem("import", "legacy", tree, "--vault", root, code=1)
    assert "another text" not in mdmem("import", "legacy", tree, "--vault", root, code=1).err
    note.write_text(note.read_text() + "More.\n")
    said = mdmem("import", "legacy", tree, "--vault", root, code=1).err
    assert "first_of_two_notes.md, with another text" in said
    assert "More" not in (root / "allmemories/first_of_two_notes.md").read_text()


def test_a_note_that_nobody_can_read_keeps_its_place(tree: Path, root: Path, mdmem: Run) -> None:
    (root / "allmemories/user_prefers_tables.md").write_bytes(b"\0")
    mdmem("import", "legacy", tree, "--vault", root, code=1)
    assert (root / "allmemories/user_prefers_tables.md").read_bytes() == b"\0"
    assert len(list((root / "allmemories").rglob("*.md"))) == 5


def test_each_note_read_is_progress(tree: Path, vault: Vault) -> None:
    told: list[tuple[int, int]] = []
    importing.plan(vault, str(tree), lambda done, total: told.append((done, total)))
    assert told == [(number, 6) for number in range(1, 7)]


def test_by_month_where_the_vault_is_by_month(tree: Path, root: Path, mdmem: Run) -> None:
    mdmem("layout", "month", "--vault", root)
    mdmem("import", "legacy", tree, "--vault", root, code=1)
    assert (root / "allmemories/2026/02/user_likes_green_tea.md").exists()
    assert "[t](user_prefers_tables.md)" in (root / "allmemories/2026/02/user_likes_green_tea.md").read_text()


def test_a_vault_works_in_such_a_tree_without_converting_it(tree: Path, mdmem: Run, git: Run) -> None:
    root = tree.parents[2]
    (root / "mdmem.toml").write_text('memories = "brain/memory/allmemories"\n')
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "as it was")
    before = state(tree)
    listed = json.loads(mdmem("list", "--json", "--vault", root).out)
    assert "user_prefers_tables" in {item["name"] for item in listed}
    (hit,) = json.loads(mdmem("recall", "green tea", "--limit", 1, "--json", "--vault", root).out)
    assert hit["name"] == "memory1"
    assert state(tree) == before
    mdmem("update", "user_prefers_tables", "--add", "tags=c", "--vault", root)
    text = (tree / "user_prefers_tables.md").read_bytes()
    assert text == before["user_prefers_tables.md"].replace(b"[a, b]", b"[a, b, c]")
    made = json.loads(mdmem("remember", "A new one.", "--name", "a_new_note", "--json", "--vault", root).out)
    assert made["path"] == "brain/memory/allmemories/a_new_note.md"
    mdmem("rename", "memory1", "user_likes_green_tea", "--vault", root)
    assert b"[[user_likes_green_tea]]" in (tree / "user_prefers_tables.md").read_bytes()
    mdmem("undo", "--last", 1, "--vault", root)
    unchanged = {path: data for path, data in before.items() if path != "user_prefers_tables.md"}
    assert unchanged.items() <= state(tree).items()


def test_a_note_with_a_secret_is_reported_and_left_out(tree: Path, root: Path, mdmem: Run) -> None:
    (tree / "staging_has_login.md").write_text("# Staging\n\nThe staging password is kitten99.\n")
    ran = mdmem("import", "legacy", tree, "--vault", root, code=1)
    assert "staging_has_login.md:3" in ran.err
    assert "kitten99" not in ran.err + ran.out
    assert not list(root.rglob("*staging*"))
    mdmem("import", "legacy", tree, "--vault", root, "--allow-secret", code=1)
    assert list(root.rglob("*staging*"))


def calls_of_import(folder: Path, notes: int, vault: Vault) -> Counter[str]:
    """How often each function is called, by its file and name, while so many new notes are imported."""
    folder.mkdir()
    for number in range(notes):
        header = f"---\ntitle: Boat {number} of {folder.name}\ncategory: past\n---\n\n"
        text = "It is green."
        (folder / f"boat_{number}_of_{folder.name}_harbour.md").write_text(header + text)
    calls: Counter[str] = Counter()

    def count(frame: Any, event: str, argument: object) -> None:
        if event == "call":
            calls[f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_code.co_name}"] += 1

    sys.setprofile(count)
    try:
        importing.write(vault, importing.plan(vault, str(folder), lambda *_: None), Caller(datetime.now(UTC)))
    finally:
        sys.setprofile(None)
    return calls


def test_more_notes_take_no_more_processes_and_each_is_searched_and_read_a_few_times(
    tmp_path: Path, vault: Vault
) -> None:
    _, few, many = (calls_of_import(tmp_path / f"tree{count}", count, vault) for count in (1, 4, 14))
    per_note = Counter({name: (many[name] - few[name]) / 10 for name in many})
    assert 0 < many["command.py:start"] <= few["command.py:start"] + 1
    assert per_note["secrets.py:_hits"] == 1
    assert per_note["yaml12.py:_read"] == 2  # the source, and what was made of it
    assert per_note["rows.py:drop"] == 0
    assert (
        per_note["database.py:execute"] <= 7
    )  # is it there, by id and name; is its name; row, its number, words, time


def test_an_import_is_the_same_whether_other_processes_read_and_search_the_notes(
    tree: Path, vault: Vault, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also for notes that cannot be read, and for those that are left out."""
    (tree / "holds_a_secret.md").write_text("The wifi password is Birchwood77.\n")
    alone = importing.plan(vault, str(tree), silent)
    assert len(alone.items) > 2
    assert {problem.code for problem in alone.problems} >= {"secret", "note-binary", "header-twice"}
    monkeypatch.setattr(workers, "AT_LEAST", 2)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1}, raising=False)
    monkeypatch.setattr(crew, "made_here", None)  # no worker dies
    assert importing.plan(vault, str(tree), silent) == alone
    importing.write(vault, alone, Caller(datetime.now(UTC)))
    assert [vault.index.body(item.path) for item in alone.items] == [item.note.body for item in alone.items]
    assert vault.index.body("allmemories/user_prefers_tables.md")
