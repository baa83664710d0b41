"""The doctor: one look sees everything, and no state of a vault makes it fall over."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from mdmem.acts.checks import doctor
from mdmem.errors import MdmemError, Problem
from mdmem.recall.models import sentence
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.systems.compat.chunks import ChunkStore
from tests.conftest import NOW, Git, Run, Write


def seen(root: Path, code: str = "", deep: bool = False) -> list[Problem]:
    with Vault(str(root)) as vault:
        return [problem for problem in doctor.examine(vault, deep) if code in ("", problem.code)]


@pytest.fixture
def filled(root: Path, write: Write, git: Git, mdmem: Run) -> Path:
    """A vault of thirty committed and indexed notes."""
    for number in range(30):
        write(f"allmemories/note_number_{number}.md", f"text {number}")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "notes")
    mdmem("status", "--vault", root)
    return root


@pytest.mark.parametrize("is_added", [False, True])
def test_notes_in_a_repository_within_the_vault_are_told(
    root: Path, write: Write, git: Git, is_added: bool
) -> None:
    """They are no memories and in no history, of which nobody was told."""
    inner = root / "allmemories/team/inner"
    write("allmemories/team/inner/deploys_run_on_mondays.md", "Deploys run on Mondays.")
    write("allmemories/team/inner/later/tea_is_green.md", "Tea is green.")
    git(root, "init", "--quiet", str(inner))
    git(inner, "add", ".")
    git(inner, "commit", "-qm", "its own")
    if is_added:
        git(root, "-c", "advice.addEmbeddedRepo=false", "add", "allmemories")
        git(root, "commit", "-qm", "a link to it")
    (problem,) = seen(root, "folder-nested")
    assert (problem.path, problem.severity) == ("allmemories/team/inner", "warning")
    assert "2 notes there are in no history" in problem.message
    shutil.rmtree(inner / ".git")
    git(root, "rm", "--quiet", "--cached", "--ignore-unmatch", "allmemories/team/inner")
    git(root, "add", "allmemories/team/inner")
    git(root, "commit", "-qm", "as it was told")
    assert seen(root) == []
    assert len(git(root, "ls-files", "allmemories/team/inner").split()) == 2


def test_missing_rows_ghosts_and_stale_rows_are_seen_at_once(filled: Path) -> None:
    db = sqlite3.connect(filled / ".mdmem/index.sqlite")
    db.execute("DELETE FROM notes WHERE path='allmemories/note_number_1.md'")
    db.execute("UPDATE notes SET path='allmemories/ghost_of_note.md' WHERE path='allmemories/note_number_2.md'")
    db.execute("UPDATE notes SET title='drifted' WHERE path='allmemories/note_number_3.md'")
    db.commit()
    db.close()
    found = {(problem.path, problem.message) for problem in seen(filled, "index-drift")}
    assert found == {
        ("allmemories/note_number_1.md", "the index does not have it"),
        ("allmemories/ghost_of_note.md", "the index has it, but there is no such file"),
        ("allmemories/note_number_2.md", "the index does not have it"),
        ("allmemories/note_number_3.md", "the index has another version of it"),
    }
    with Vault(str(filled)) as vault:
        doctor.fix(vault, Caller(NOW), silent)
    assert seen(filled, "index-drift") == []


def test_memories_that_vanished_are_a_problem_not_a_crash(filled: Path, mdmem: Run) -> None:
    for number in range(20):
        (filled / f"allmemories/note_number_{number}.md").unlink()
    for options in ([], ["--fix"], []):
        problems = json.loads(mdmem("doctor", *options, "--json", "--vault", filled, code=1).out)
        (gone,) = [problem for problem in problems if problem["code"] == "memories-gone"]
        assert "20 of 30 memories are gone" in gone["message"]
        assert "git restore" in gone["fix"]
        assert [problem for problem in problems if problem["code"] == "index-drift"] == []


def test_only_a_link_that_is_likely_a_slip_dangles(root: Path, write: Write) -> None:
    for path in ("AGENTS.md", "README.md", "templates/fact.md", "img/pic v1.2.png", "plan.canvas"):
        write(path, "x")
    write(
        "allmemories/linking_note_here.md",
        "[[AGENTS]] [[README]] [[fact]] ![[pic v1.2.png]] [[plan.canvas]] [r](../README.md)\n"
        "[[no.such.thing]] [[nowhere]] [[linking_note_her]] [[linking_note_her|again]]",
    )
    (dangling,) = seen(root, "link-dangling")
    assert dangling.line == 2
    assert "[[linking_note_her]]" in dangling.message


def test_a_link_is_named_as_it_is_written(root: Path, write: Write, mdmem: Run) -> None:
    write("allmemories/Opening Day.md", "Invite [[Guest Lisp]].")
    write("allmemories/Guest List.md", '---\nrelated_to: "[[Opening Dax]]"\n---\n\nAll of them.')
    told = mdmem("doctor", "--vault", root).out + mdmem("garden", "--min-confidence", "1", "--vault", root).out
    for wrong, right in (("Guest Lisp", "Guest List"), ("Opening Dax", "Opening Day")):
        assert f"links to [[{wrong}]], which is not there" in told
        assert f"did you mean [[{right}]]?" in told
    assert "[[guest" not in told


@pytest.mark.parametrize("settings", ["", 'memories = "a/b"\n'], ids=["allmemories", "a/b"])
def test_a_folder_that_is_a_symbolic_link_is_named(root: Path, tmp_path: Path, settings: str, mdmem: Run) -> None:
    (root / "allmemories").rmdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/some_note_here.md").write_text("x")
    (root / "mdmem.toml").write_text(settings)
    (root / ("a" if settings else "allmemories")).symlink_to(tmp_path / "elsewhere")
    (problem,) = seen(root, "folder-link")
    assert problem.severity == "error"
    assert problem.path == ("a" if settings else "allmemories")
    assert "symbolic link" in problem.message
    assert mdmem("doctor", "--vault", root, code=1).out.startswith("error")


def test_merge_markers_in_code_are_no_conflict(root: Path, write: Write) -> None:
    conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
    write("allmemories/how_to_resolve_conflicts.md", f"git writes:\n\n```\n{conflict}```\n")
    write("allmemories/real_conflict_in_note.md", f"---\na: 1\n---\ntext\n{conflict}")
    (problem,) = seen(root, "merge-markers")
    assert (problem.path, problem.line) == ("allmemories/real_conflict_in_note.md", 5)


@pytest.mark.parametrize("lost", ["commit", "index", "ref"])
def test_a_repository_that_a_crash_has_damaged_is_told_with_the_way_out(filled: Path, git: Git, lost: str) -> None:
    """git's own words alone ("No such ref: HEAD") help nobody, and doctor could not get further either."""
    head, branch = git(filled, "rev-parse", "HEAD"), git(filled, "symbolic-ref", "HEAD")
    paths = {"commit": f"objects/{head[:2]}/{head[2:]}", "index": "index", "ref": branch}
    place = filled / ".git" / paths[lost]
    place.chmod(0o644)
    place.write_bytes(b"")
    with pytest.raises(MdmemError, match="damaged") as raised:
        seen(filled)
    if lost != "index":
        assert "git fsck --full" in raised.value.hint
        return
    place.unlink()
    git(filled, "reset", "--quiet")
    assert [problem for problem in seen(filled) if problem.severity == "error"] == []


def test_deep_names_the_objects_that_git_lost(filled: Path, git: Git) -> None:
    assert seen(filled, "git-fsck", deep=True) == []
    blob = git(filled, "rev-parse", "HEAD:allmemories/note_number_7.md")
    place = filled / ".git/objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    place.write_bytes(b"rubbish")
    assert any(blob in problem.message for problem in seen(filled, "git-fsck", deep=True))
    place.unlink()
    assert any(problem.message == f"missing blob {blob}" for problem in seen(filled, "git-fsck", deep=True))
    assert seen(filled, "git-fsck") == []


def test_secrets_are_named_once_each_and_not_shown(root: Path, write: Write, mdmem: Run) -> None:
    write("allmemories/staging_has_login.md", "---\ntitle: Password kitten99\n---\nOld.\n\nPassword: kitten99\n")
    write("allmemories/door_has_code.md", "The garage door code is 4821.\n")
    assert [(problem.path, problem.line, problem.severity) for problem in seen(root, "secret")] == [
        ("allmemories/door_has_code.md", 1, "warning"),
        ("allmemories/staging_has_login.md", 6, "warning"),
    ]
    shown = mdmem("doctor", "--vault", root).out
    assert "kitten99" not in shown
    assert "4821" not in shown


def test_a_broken_settings_file_is_one_sentence(root: Path, mdmem: Run) -> None:
    (root / "mdmem.toml").write_bytes(b'# caf\xe9\nid = "x"\n')
    for line in ("doctor", "recall x", "status"):
        assert mdmem(*line.split(), "--vault", root, code=2).err.startswith("mdmem: mdmem.toml:1: is not UTF-8\n")


def test_values_off_the_chunk_schema_are_named(root: Path, mdmem: Run) -> None:
    with ChunkStore(root) as store:
        store.create_chunk("Bananas are yellow.", "banana", "conv-1", -1, confidence=7.0)
        store.create_chunk("", "fact", "conv-1", 0)
        store.create_chunk("Short, and said to be long.", "fact", "conv-1", 99999)
        store.create_chunk("This one is fine.", "fact", "conv-1", 12)
    found = {(problem.code, problem.message.partition(", not")[0]) for problem in seen(root)}
    assert found >= {
        ("chunk", "as a chunk, its type is 'banana'"),
        ("chunk", "as a chunk, its tokens are -1"),
        ("chunk", "as a chunk, its content is empty"),
        ("chunk", "as a chunk, its tokens are 99999"),
        ("property", "confidence 7.0 is out of range"),
    }
    assert len(seen(root, "chunk")) == 4
    mdmem("remember", "Bananas are green.", "--confidence", "7", "--vault", root, code=2)
    mdmem("remember", "Bananas are green.", "--set", "confidence=7", "--vault", root, code=2)


@pytest.mark.usefixtures("any_model")
def test_a_sentence_model_that_is_not_installed_is_a_warning(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[semantic]\nmodel = "multilingual"\n')
    monkeypatch.setattr(
        sentence, "MODELS", (sentence.MULTILINGUAL._replace(modules=("no_such_package_of_weights",)),)
    )
    (problem,) = seen(root, "semantic-model")
    assert (problem.severity, problem.fix) == ("warning", sentence.MULTILINGUAL.install)
    monkeypatch.setattr(sentence, "MODELS", (sentence.MULTILINGUAL._replace(modules=("json",)),))
    assert seen(root, "semantic-model") == []
