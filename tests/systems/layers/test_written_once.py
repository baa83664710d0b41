"""What was said stays said: an entry is written once, scores are only added to, and who changes them is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import doctor
from mdmem.acts.githooks import staged_problems
from mdmem.errors import ConflictError
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import ingest
from mdmem.systems.layers.dialog import DialogSource
from mdmem.systems.layers.entries import EntryPlace
from mdmem.systems.layers.ingest import IngestRequest

Run = Callable[..., Any]
Git = Callable[..., str]
SCORES = "# Scores\n\n- 04bfc468b131e204: 8\n"


@pytest.fixture
def place(vault: Vault, caller: Caller) -> EntryPlace:
    """An entry, committed."""
    source = DialogSource("chat.md", lambda: b"User: I live in Lisbon.\nAssistant: Nice.\n")
    return ingest.ingest(vault, [source], IngestRequest("travel"), caller).items[0].place


@pytest.fixture
def scores(place: EntryPlace, root: Path, git: Git) -> Path:
    """Scores beside it, committed."""
    path = root / "topics/travel/curation.md"
    path.write_text(SCORES)
    git(root, "add", "topics")
    git(root, "commit", "-qm", "scores")
    return path


def codes(vault: Vault) -> list[tuple[str, str]]:
    return [
        (found.code, found.path)
        for found in doctor.examine(vault)
        if found.code not in ("identity", "derived-stale")
    ]


def test_a_second_write_is_refused(vault: Vault, place: EntryPlace, caller: Caller) -> None:
    head = vault.repo.head()
    for part in ("raw.md", "meta.json", "summary.json"):
        with pytest.raises(ConflictError, match="written once"), vault.change(caller.does("revise")) as tx:
            tx.write(place.path(part), b"another text")
        with pytest.raises(ConflictError, match="lose a part"), vault.change(caller.does("delete")) as tx:
            tx.delete(place.path(part))
    assert vault.repo.head() == head


def test_scores_are_only_added_to(vault: Vault, scores: Path, caller: Caller) -> None:
    path = "topics/travel/curation.md"
    for wrong in (b"", SCORES.encode()[:-5], SCORES.replace("8", "9").encode(), None):
        with pytest.raises(ConflictError, match="only added to it"), vault.change(caller.does("revise")) as tx:
            tx.delete(path) if wrong is None else tx.write(path, wrong)
    with vault.change(caller.does("revise")) as tx:
        tx.write(path, SCORES.encode() + b"- 04bfc468b131e204: 9\n")
    assert scores.read_text().endswith(": 9\n")


def test_a_line_without_an_end_is_not_written_on(vault: Vault, scores: Path, caller: Caller, git: Git) -> None:
    path = "topics/travel/curation.md"
    with vault.change(caller.does("revise")) as tx:
        tx.write(path, SCORES.encode() + b"- aaaaaaaaaaaaaaaa: 1")
    with pytest.raises(ConflictError), vault.change(caller.does("revise")) as tx:
        tx.write(path, SCORES.encode() + b"- aaaaaaaaaaaaaaaa: 10\n")


@pytest.mark.parametrize("part", ["raw.md", "meta.json", "summary.json"])
def test_a_changed_part_is_named_by_hook_and_doctor(
    vault: Vault, place: EntryPlace, root: Path, git: Git, part: str
) -> None:
    (root / place.path(part)).write_bytes((root / place.path(part)).read_bytes() + b" ")
    assert ("append-only", place.path(part)) in codes(vault)
    git(root, "add", "topics")
    assert [(found.code, found.path) for found in staged_problems(vault)] == [("append-only", place.path(part))]


def test_a_removed_part_is_named_by_hook_and_doctor(vault: Vault, place: EntryPlace, root: Path, git: Git) -> None:
    git(root, "rm", "-q", place.path("meta.json"))
    assert [(found.code, found.path) for found in staged_problems(vault)] == [("append-only", place.folder)]
    assert codes(vault) == [("entry-damaged", place.path("meta.json"))]


def test_a_text_changed_long_ago_is_still_named(vault: Vault, place: EntryPlace, root: Path, git: Git) -> None:
    (root / place.path("raw.md")).write_text("User: I never said that.\n")
    git(root, "commit", "-qam", "by hand, with no hook")
    assert codes(vault) == [("entry-changed", place.path("raw.md"))]


def test_lost_scores_are_named_and_added_ones_are_not(vault: Vault, scores: Path, root: Path, git: Git) -> None:
    scores.write_text(SCORES + "- 04bfc468b131e204: 9\n")
    git(root, "add", "topics")
    assert list(staged_problems(vault)) == []
    assert codes(vault) == []
    scores.write_text("# Scores\n")
    git(root, "add", "topics")
    assert [found.code for found in staged_problems(vault)] == ["append-only"]
    assert codes(vault) == [("append-only", "topics/travel/curation.md")]


def test_a_wrong_score_is_named_with_its_line(vault: Vault, scores: Path) -> None:
    scores.write_text(SCORES + "- 04bfc468b131e204: eleven\n")
    assert [(found.path, found.line) for found in doctor.examine(vault) if found.path.endswith("curation.md")] == [
        ("topics/travel/curation.md", 4)
    ]


def test_a_whole_entry_may_go(vault: Vault, place: EntryPlace, root: Path, git: Git) -> None:
    git(root, "rm", "-rq", place.folder)
    assert list(staged_problems(vault)) == []
    assert codes(vault) == []


def test_a_strict_vault_refuses_the_commit(
    place: EntryPlace, root: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / place.path("raw.md")).write_text("User: I never said that.\n")
    git(root, "add", "topics")
    monkeypatch.chdir(root)
    git(root, "config", "mdmem.vault", ".")
    warned = mdmem("hook-impl", "pre-commit")
    assert f"{place.path('raw.md')}: error: is part of an entry, which is written once" in warned.err
    (root / "mdmem.toml").write_text('id = "test"\n[hooks]\nstrict = true\n')
    assert "commit refused" in mdmem("hook-impl", "pre-commit", code=10).err


def test_doctor_is_strict_on_request(place: EntryPlace, root: Path, mdmem: Run) -> None:
    mdmem("doctor", "--strict", "--vault", root)
    (root / place.path("raw.md")).write_text("User: I never said that.\n")
    mdmem("doctor", "--vault", root)
    mdmem("doctor", "--strict", "--vault", root, code=1)


def test_an_entry_is_deleted_and_comes_back(place: EntryPlace, root: Path, mdmem: Run, git: Git) -> None:
    before = {path.name: path.read_bytes() for path in (root / place.folder).iterdir()}
    mdmem("forget", place.folder, "-m", "not mine", "--vault", root)
    assert not (root / "topics/travel").exists()
    listed = mdmem("trash", "--vault", root).out
    assert listed.startswith(f"{place.name}  deleted ")
    assert listed.rstrip().endswith(": not mine")
    told = mdmem("restore", place.name, "--vault", root).out
    assert told.startswith(f"restored {place.folder}  (")
    assert {path.name: path.read_bytes() for path in (root / place.folder).iterdir()} == before
    assert mdmem("trash", "--vault", root).out == ""
    assert mdmem("restore", place.folder, "--vault", root, code=5).err
    assert mdmem("restore", "topics/x/20260101T000000Z-00000000", "--vault", root, code=3).err
    told = json.loads(mdmem("log", place.name, "--json", "--vault", root).out)
    assert [commit["actions"] for commit in told] == [["restore"], ["delete"], ["create"]]
    assert git(root, "status", "--porcelain") == ""


def test_what_vanished_without_a_commit_comes_back(place: EntryPlace, root: Path, mdmem: Run, git: Git) -> None:
    for path in (root / place.folder).iterdir():
        path.unlink()
    assert "not committed yet" in mdmem("trash", "--vault", root).out
    mdmem("restore", place.folder, "--vault", root)
    assert git(root, "status", "--porcelain") == ""


def test_undo_takes_an_ingest_back_and_the_deletion_of_one(place: EntryPlace, root: Path, mdmem: Run) -> None:
    assert place.name in mdmem("log", "--vault", root).out
    mdmem("forget", place.folder, "--vault", root)
    mdmem("undo", "--last", "1", "--vault", root)
    assert (root / place.path("raw.md")).exists()
    mdmem("undo", "--session", "conv-1", "--vault", root)
    assert list((root / "topics").iterdir()) == []


def test_a_memory_and_a_dialog_are_deleted_in_one_commit(
    place: EntryPlace, root: Path, mdmem: Run, git: Git, remember: Callable[..., str]
) -> None:
    remember("User likes green tea.", "user_likes_green_tea")
    before = git(root, "rev-list", "--count", "HEAD")
    mdmem("forget", "user_likes_green_tea", place.name, "--vault", root)
    assert git(root, "rev-list", "--count", "HEAD") == str(int(before) + 1)
    assert git(root, "log", "-1", "--format=%s") == f"delete: user_likes_green_tea, {place.name}"
