"""Undo takes back what it is told to, wherever it lies now, and nothing else."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import ConflictError, MdmemError, StoppedError
from mdmem.history import past, undo
from mdmem.history.undo import UndoRequest
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import edit, rename
from mdmem.write import remember as intake
from tests.conftest import Commit, Git, Remember, Run, Write

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BAD = Caller(NOW, "bot", "bad")
ME = Caller(NOW)
PARAGRAPHS = "\n\n".join(f"Paragraph {number} is here." for number in range(8)) + "\n"


@pytest.fixture
def here(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(root)
    return root


def paths(root: Path) -> list[str]:
    return sorted(path.relative_to(root).as_posix() for path in (root / "allmemories").rglob("*.md"))


def append(vault: Vault, name: str, text: str, caller: Caller = BAD) -> None:
    edit.update_all(vault, [lookup.named(vault, name)], edit.Edit(append=text), caller)


# -- planned on what is there when it is written


def test_what_was_written_while_undo_waited_for_the_lock_survives(vault: Vault, remember: Remember) -> None:
    path = remember(PARAGRAPHS, "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    waiting = threading.Event()

    def late() -> None:
        with Vault(vault.root, lambda line: waiting.set()) as other:
            undo.undo(other, UndoRequest(session="bad"), ME)

    with vault.locked():
        thread = threading.Thread(target=late)
        thread.start()
        assert waiting.wait(30)
        place = Path(vault.root, path)
        place.write_text(place.read_text().replace("Paragraph 0 is here.", "Paragraph 0, newer."))
    thread.join()
    assert "Paragraph 0, newer." in place.read_text()
    assert "Wrong." not in place.read_text()


def test_edits_in_a_long_list_of_equal_lines_are_taken_back_apart(vault: Vault, remember: Remember) -> None:
    lines = ["- tea"] * 3_000
    path = Path(vault.root, remember("\n".join(lines) + "\n", "some_note_here"))
    record = lookup.named(vault, "some_note_here")
    lines[1_000] = "- wrong"
    edit.update_all(vault, [record], edit.Edit(body="\n".join(lines) + "\n"), BAD)
    lines[2_000] = "- cake"
    edit.update_all(vault, [record], edit.Edit(body="\n".join(lines) + "\n"), ME)
    assert undo.undo(vault, UndoRequest(session="bad"), ME)[0].conflicts == ()
    written = path.read_text().splitlines()
    assert written[-3_000:] == ["- tea"] * 2_000 + ["- cake"] + ["- tea"] * 999


# -- conflicts


def test_skipping_a_conflict_leaves_both_sides_of_a_rename(
    vault: Vault, root: Path, write: Write, remember: Remember, commit: Commit
) -> None:
    remember("First line of it.\n\n" + PARAGRAPHS, "some_note_here")
    record = lookup.named(vault, "some_note_here")
    rename.rename(vault, record, "other_note_here", BAD)
    write("allmemories/some_note_here.md", "---\nid: 1\n---\n\nAnother one under the old name.\n")
    commit()
    remember("Wrong.", "wrong_note_here", session="bad")
    found, oid = undo.undo(vault, UndoRequest(session="bad"), ME, skip_conflicts=True)
    assert paths(root) == ["allmemories/other_note_here.md", "allmemories/some_note_here.md"]
    assert [conflict.path for conflict in found.conflicts] == ["allmemories/other_note_here.md"]
    assert oid


def test_only_what_was_taken_back_as_a_whole_counts_as_undone(
    vault: Vault, root: Path, git: Git, remember: Remember, mdmem: Run, commit: Commit
) -> None:
    remember("First.", "some_note_here")
    edit.update_all(vault, [lookup.named(vault, "some_note_here")], edit.Edit(body="Wrong."), BAD)
    remember("Wrong.", "wrong_note_here", session="bad")
    path = root / "allmemories/some_note_here.md"
    path.write_text(path.read_text().replace("Wrong.", "Mended by hand."))
    commit()
    said = mdmem("undo", "--session", "bad", "--skip-conflicts", "--vault", root)
    assert "took back 1 commit, 1 file changed" in said.out
    assert "skipped 1 file with conflicts" in said.out
    assert git(root, "log", "-1", "--format=%B").count("Memory-Undoes") == 1
    alone = mdmem("undo", "--session", "bad", "--skip-conflicts", "--vault", root, code=5)
    assert "nothing was changed" in alone.err
    path.write_text(path.read_text().replace("Mended by hand.", "Wrong."))
    assert "took back 1 commit" in mdmem("undo", "--session", "bad", "--vault", root).out
    assert "First." in path.read_text()


def test_a_skipped_note_keeps_all_that_the_session_wrote_in_it(
    vault: Vault, root: Path, remember: Remember
) -> None:
    remember("First.\n\n" + PARAGRAPHS, "some_note_here")
    edit.update_all(vault, [lookup.named(vault, "some_note_here")], edit.Edit(body="Wrong.\n\n" + PARAGRAPHS), BAD)
    path = root / "allmemories/some_note_here.md"
    path.write_text(path.read_text().replace("Wrong.", "Mended by hand."))
    append(vault, "some_note_here", "Wrong, too.")
    remember("Wrong.", "wrong_note_here", session="bad")
    found, _ = undo.undo(vault, UndoRequest(session="bad"), ME, skip_conflicts=True)
    assert "Wrong, too." in path.read_text()
    assert len(found.undone) == 1
    assert "<<<<<<< now\nMended by hand.\n=======\n" in found.conflicts[-1].merged
    assert ">>>>>>> taken back\n" in found.conflicts[-1].merged


def test_a_merge_that_breaks_the_header_is_a_conflict(vault: Vault, write: Write, commit: Commit) -> None:
    """Both sides touch other lines, but together the same property would stand twice."""
    header = "---\nid: 1\na: 1\nb: 2\nc: 3\nd: 4\ne: 5\n{}---\n\ntext\n"
    path = write("allmemories/some_note_here.md", header.format("mood: 1\n"))
    commit()
    path.write_text(header.format(""))
    bad = commit()
    path.write_text(header.format("").replace("id: 1\n", "id: 1\nmood: 2\n"))
    commit()
    with pytest.raises(ConflictError, match="some_note_here"):
        undo.undo(vault, UndoRequest(commits=(bad,)), ME)
    assert "mood: 2" in path.read_text()


LATER = {
    "another property beside it": {"mood": 1, "taste": 2},
    "a tag more": {"mood": 1, "tags": ["tea", "bad", "cup"]},
}


@pytest.mark.parametrize("later", LATER.values(), ids=LATER)
def test_properties_are_taken_back_one_by_one(
    vault: Vault, root: Path, remember: Remember, later: dict[str, Any]
) -> None:
    """Where git sees one place in which two have edited."""
    remember("It is hot.", "some_note_here", tags=["tea"])
    for changes, who in (({"mood": 1, "tags": ["tea", "bad"]}, BAD), (later, ME)):
        edit.update_all(vault, [lookup.named(vault, "some_note_here")], edit.Edit(changes), who)
    undo.undo(vault, UndoRequest(session="bad"), ME)
    meta = lookup.named(vault, "some_note_here").meta
    assert "mood" not in meta
    assert meta.get("taste") == later.get("taste")
    assert meta["tags"] == [tag for tag in later.get("tags", ["tea"]) if tag != "bad"]


@pytest.mark.parametrize(
    ("bad", "later"),
    [
        ({"status": "contested"}, {"status": "deprecated"}),
        ({"mood": 1}, {"mood": 2}),
    ],
)
def test_a_property_that_was_changed_again_is_a_conflict(
    vault: Vault, root: Path, remember: Remember, bad: dict[str, Any], later: dict[str, Any]
) -> None:
    """Also one that a merge of two machines decides by what it means."""
    path = root / remember("It is hot.", "some_note_here")
    for changes, who in ((bad, BAD), (later, ME)):
        edit.update_all(vault, [lookup.named(vault, "some_note_here")], edit.Edit(changes), who)
    before = path.read_bytes()
    with pytest.raises(ConflictError, match="some_note_here"):
        undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_bytes() == before


def test_a_paragraph_that_was_edited_since_is_not_kept_silently(
    vault: Vault, root: Path, remember: Remember
) -> None:
    """Though a merge of two machines would keep it, the undo would not have done what it says."""
    path = root / remember("It is hot.", "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    text = path.read_text().replace("Wrong.", "Not so wrong.")
    path.write_text(text)
    with pytest.raises(ConflictError, match="some_note_here"):
        undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_text() == text


@pytest.mark.parametrize("is_reused", [True, False], ids=["the old name in use again", "renamed again"])
def test_a_rename_that_something_else_stands_in_the_way_of_is_a_conflict(
    vault: Vault, root: Path, remember: Remember, is_reused: bool
) -> None:
    remember("First note.", "some_note_here")
    rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", BAD)
    if is_reused:
        remember("Second, quite different.", "some_note_here")
    else:
        rename.rename(vault, lookup.named(vault, "other_note_here"), "third_note_here", ME)
    before = paths(root)
    with pytest.raises(ConflictError):
        undo.undo(vault, UndoRequest(session="bad"), ME)
    assert paths(root) == before


def test_crlf_files_stay_crlf(vault: Vault, write: Write, commit: Commit) -> None:
    path = write("allmemories/some_note_here.md", PARAGRAPHS.replace("\n", "\r\n"))
    commit()
    append(vault, "some_note_here", "Wrong.")
    path.write_bytes(path.read_bytes().replace(b"Paragraph 0", b"Paragraph zero"))
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_bytes() == PARAGRAPHS.replace("\n", "\r\n").replace("Paragraph 0", "Paragraph zero").encode()


@pytest.mark.parametrize("how", ["autocrlf", "attributes"])
def test_what_git_would_check_out_with_other_line_ends_is_taken_back(
    vault: Vault, root: Path, git: Git, remember: Remember, how: str
) -> None:
    """mdmem writes LF, as the default of Git for Windows does not: that is no edit by anybody."""
    if how == "autocrlf":
        git(root, "config", "core.autocrlf", "true")
    else:
        (root / ".gitattributes").write_text("*.md text eol=crlf\n")
        git(root, "add", ".gitattributes")
        git(root, "commit", "-qm", "line ends")
    remember(PARAGRAPHS, "some_note_here")
    path = root / "allmemories/some_note_here.md"
    before = path.read_bytes()
    assert b"\r" not in before
    append(vault, "some_note_here", "Wrong.")
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_bytes() == before
    append(vault, "some_note_here", "Wrong.")
    path.write_bytes(path.read_bytes().replace(b"Paragraph 0", b"Paragraph zero"))
    undo.undo(vault, UndoRequest(last=1, session="bad"), ME)
    assert path.read_bytes() == before.replace(b"Paragraph 0", b"Paragraph zero")
    remember("Another text.", "other_note_here", session="bad")
    undo.undo(vault, UndoRequest(last=1, session="bad"), ME)
    assert paths(root) == ["allmemories/some_note_here.md"]


def test_a_change_of_line_ends_is_itself_taken_back(
    vault: Vault, root: Path, caller: Caller, remember: Remember
) -> None:
    remember(PARAGRAPHS, "some_note_here")
    path = root / "allmemories/some_note_here.md"
    before = path.read_bytes()
    with vault.change(caller.does("revise")._replace(session="bad")) as tx:
        tx.write("allmemories/some_note_here.md", before.replace(b"\n", b"\r\n"))
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_bytes() == before


# -- where the memory is now


@pytest.mark.parametrize("ids", [True, False], ids=["with id", "without"])
@pytest.mark.parametrize("how", ["rename", "layout", "git mv", "uncommitted"])
def test_what_moved_since_is_taken_back_where_it_is(
    vault: Vault, root: Path, write: Write, git: Git, ids: bool, how: str, commit: Commit
) -> None:
    write("allmemories/some_note_here.md", ("---\nid: 17\n---\n\n" if ids else "") + PARAGRAPHS)
    commit()
    append(vault, "some_note_here", "Wrong.")
    if how == "rename":
        rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", ME)
    elif how == "layout":
        rename.relayout(vault, "month", ME)
    else:
        (root / "allmemories/inner").mkdir()
        git(root, "mv", "allmemories/some_note_here.md", "allmemories/inner/other_note_here.md")
        if how == "git mv":
            commit()
    (path,) = paths(root)
    assert path != "allmemories/some_note_here.md"
    found, _ = undo.undo(vault, UndoRequest(session="bad"), ME)
    assert paths(root) == [path]
    assert list(found.writes) == [path]
    assert (root / path).read_text().rstrip().endswith("Paragraph 7 is here.")


def test_a_copy_with_the_same_id_does_not_pass_for_the_memory_that_was_forgotten(
    vault: Vault, root: Path, write: Write, commit: Commit
) -> None:
    """Undoing the last commit brings the memory back, and does not reach for an older commit instead."""
    write("allmemories/some_note_here.md", "---\nid: 17\n---\n\nFirst.\n")
    commit()
    write("allmemories/some_note_here.md", "---\nid: 17\n---\n\nSecond, by hand.\n")
    commit()
    text = (root / "allmemories/some_note_here.md").read_text()
    write("allmemories/copy_made_by_hand.md", text)
    edit.forget(vault, [lookup.named(vault, "allmemories/some_note_here.md")], BAD)
    undo.undo(vault, UndoRequest(last=1), ME)
    assert paths(root) == ["allmemories/copy_made_by_hand.md", "allmemories/some_note_here.md"]
    assert (root / "allmemories/some_note_here.md").read_text() == text


def test_what_was_moved_in_two_commits_is_found_by_its_id(
    vault: Vault, root: Path, write: Write, git: Git, commit: Commit
) -> None:
    text = "---\nid: 17\n---\n\n" + PARAGRAPHS
    write("allmemories/some_note_here.md", text)
    commit()
    append(vault, "some_note_here", "Wrong.")
    now = (root / "allmemories/some_note_here.md").read_text()
    git(root, "rm", "-q", "allmemories/some_note_here.md")
    commit()
    path = write("allmemories/other_note_here.md", now)
    commit()
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_text().rstrip() == text.rstrip()


def test_what_was_deleted_since_stays_deleted(vault: Vault, root: Path, remember: Remember) -> None:
    remember("First.", "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    found, oid = undo.undo(vault, UndoRequest(session="bad"), ME)
    assert (found.writes, oid, paths(root)) == ({}, "", [])


def test_a_rename_under_a_later_layout_loses_only_the_name(vault: Vault, root: Path, remember: Remember) -> None:
    remember(PARAGRAPHS, "some_note_here", created="2026-02-03")
    rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", BAD)
    rename.relayout(vault, "month", ME)
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert paths(root) == ["allmemories/2026/02/some_note_here.md"]


def test_a_note_moved_over_another_gives_back_both(vault: Vault, root: Path, write: Write, commit: Commit) -> None:
    one = write("allmemories/some_note_here.md", "---\nid: 1\n---\n\n" + PARAGRAPHS)
    other = write("allmemories/other_note_here.md", "---\nid: 2\n---\n\nAnother.\n")
    before = one.read_text(), other.read_text()
    commit()
    one.rename(other)
    first = commit()
    other.rename(root / "allmemories/third_note_here.md")
    second = commit()
    undo.undo(vault, UndoRequest(commits=(first, second)), ME)
    assert (one.read_text(), other.read_text()) == before
    assert len(paths(root)) == 2


def test_a_copy_is_no_reason_to_leave_its_original_deleted(vault: Vault, write: Write, commit: Commit) -> None:
    one = write("allmemories/some_note_here.md", "---\nid: 1\n---\n\n" + PARAGRAPHS)
    commit()
    write("allmemories/other_note_here.md", one.read_text())
    commit()
    one.unlink()
    bad = commit()
    undo.undo(vault, UndoRequest(commits=(bad,)), ME)
    assert one.exists()


@pytest.mark.parametrize("seed", range(8))
def test_whatever_a_session_did_can_be_taken_back(
    vault: Vault, root: Path, seed: int, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any writes of one session at the end of history: without them all files are what they were before.

    The plan for one of its commits is the same whether all commits are gone through or only those with a bearing.
    """
    chance = random.Random(seed)
    numbers = iter(range(100))

    def write_something(who: Caller) -> None:
        records, number = list(vault.index.records()), next(numbers)
        deleted = past.trash(vault)
        kinds = ["new"] + ["append", "rename", "forget", "layout"] * bool(records) + ["restore"] * bool(deleted)
        match chance.choice(kinds):
            case "new":
                created = {"created": f"2026-0{number % 9 + 1}-01"}
                intake.remember(
                    vault, intake.Draft(f"{number} {PARAGRAPHS}", created, f"note_number_{number}"), who
                )
            case "append":
                edit.update_all(vault, [chance.choice(records)], edit.Edit(append=f"More {number}."), who)
            case "rename":
                rename.rename(vault, chance.choice(records), f"other_number_{number}", who)
            case "forget":
                edit.forget(vault, [chance.choice(records)], who)
            case "layout":
                rename.relayout(vault, chance.choice(["month", "flat"]), who)
            case "restore":
                past.restore(vault, chance.choice(deleted).id, who)

    def files() -> dict[str, bytes]:
        return {path: (root / path).read_bytes() for path in paths(root)}

    for _ in range(4):
        write_something(ME)
    before = files()
    for _ in range(6):
        write_something(BAD)
    one = UndoRequest(commits=(git(root, "rev-parse", "HEAD~4"),))
    short = undo.plan(vault, one, skip_conflicts=True)
    with monkeypatch.context() as patched:
        patched.setattr(undo, "bearing_on", lambda *_: None)
        assert undo.plan(vault, one, skip_conflicts=True) == short
    undo.undo(vault, UndoRequest(session="bad"), ME, allow_loss=True)
    assert files() == before


def test_commits_without_a_bearing_are_not_gone_through(
    vault: Vault, root: Path, remember: Remember, git: Git
) -> None:
    """Of what came after, only what moved or removed files, or made one again, is looked at."""
    remember(PARAGRAPHS, "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    wrong = git(root, "rev-parse", "HEAD")
    for name in ("other_note_here", "third_note_here"):
        remember(f"About {name}.", name)
    rename.rename(vault, lookup.named(vault, "some_note_here"), "new_name_here", ME)
    renamed = git(root, "rev-parse", "HEAD")
    append(vault, "third_note_here", "Later.", ME)
    bearing = [commit.oid for commit in undo.bearing_on(vault, [wrong]) or ()]
    assert bearing == [renamed, wrong, git(root, "rev-parse", f"{wrong}^")]


@pytest.mark.parametrize("is_moved", [False, True], ids=["edited", "edited, and renamed at last"])
def test_a_note_that_was_deleted_and_restored_since_is_taken_back(
    vault: Vault, root: Path, remember: Remember, mdmem: Run, is_moved: bool
) -> None:
    remember(PARAGRAPHS, "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    mdmem("forget", "some_note_here", "--vault", root)
    mdmem("restore", "some_note_here", "--vault", root)
    vault.index.freshen()
    if is_moved:
        rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", BAD)
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert paths(root) == ["allmemories/some_note_here.md"]
    assert "Wrong." not in (root / "allmemories/some_note_here.md").read_text()


def test_another_note_at_the_old_path_is_left_alone(vault: Vault, root: Path, remember: Remember) -> None:
    remember("Same words here.", "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    remember("Same words here.\n\nWrong.", "some_note_here")
    before = (root / "allmemories/some_note_here.md").read_bytes()
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert (root / "allmemories/some_note_here.md").read_bytes() == before


def test_undo_of_layout_on_notes_without_ids_moves_them(
    vault: Vault, root: Path, write: Write, commit: Commit
) -> None:
    for number in range(15):
        write(f"allmemories/note_number_{number}.md", f"text {number}")
    commit()
    before = paths(root)
    rename.relayout(vault, "month", BAD)
    assert paths(root) != before
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert paths(root) == before
    assert "layout" not in (root / "mdmem.toml").read_text()


# -- what is not meant


@pytest.mark.parametrize("has_past", [True, False], ids=["a repository", "a folder without git"])
def test_the_making_of_a_vault_and_what_was_before_are_not_meant(
    tmp_path: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch, commit: Commit, has_past: bool
) -> None:
    """`undo --last` in a folder just adopted must not take away the person's diary."""
    diary = tmp_path / "diary"
    (diary / ".obsidian").mkdir(parents=True)
    for number in range(3):
        (diary / f"Day {number}.md").write_text(f"Day {number} was fine.")
    if has_past:
        git(diary, "init", "-q")
        commit("my diary", folder=diary)
    monkeypatch.setenv("MDMEM_SESSION", "s1")
    mdmem("init", diary)
    for wish in (["--last", "9"], ["--since", "2020"], ["--actor", "Ada Lovelace"], ["--session", "s1"]):
        mdmem("undo", *wish, "--vault", diary, code=3)
    making_them = "HEAD~1" if has_past else "HEAD"
    assert "would delete" in mdmem("undo", "--commit", making_them, "--vault", diary, code=4).err
    assert len(list(diary.glob("Day*.md"))) == 3
    assert (diary / "mdmem.toml").exists()


def imported(vault: Vault, session: str = "") -> str:
    with vault.change(Caller(NOW, "person", session).does("import")) as tx:
        tx.write("allmemories/imported_note_one.md", b"from elsewhere\n")
        tx.write("allmemories/imported_note_two.md", b"from elsewhere, too\n")
    return tx.commit


@pytest.mark.parametrize("broad", [UndoRequest(actor="person"), UndoRequest(since=NOW)])
def test_an_import_is_not_undone_by_a_name_or_a_date(
    vault: Vault, root: Path, remember: Remember, broad: UndoRequest
) -> None:
    """Those notes are the person's own; what was written before them is taken back all the same."""
    remember("the boat leaks", "about_the_boat", actor="person")
    oid = imported(vault)
    chosen = undo.plan(vault, broad)
    assert oid not in {commit.oid for commit in chosen.commits}
    assert [change for change in chosen.writes if "imported" in change] == []
    assert list(chosen.writes) == ["allmemories/about_the_boat.md"]
    undo.undo(vault, broad, ME, allow_loss=True)
    assert paths(root) == ["allmemories/imported_note_one.md", "allmemories/imported_note_two.md"]


@pytest.mark.parametrize(
    ("wanted", "left"),
    [
        (lambda oid: UndoRequest(last=1), ["allmemories/about_the_boat.md"]),
        (lambda oid: UndoRequest(last=2), []),
        (lambda oid: UndoRequest(commits=(oid,)), ["allmemories/about_the_boat.md"]),
        (lambda oid: UndoRequest(session="moving"), ["allmemories/about_the_boat.md"]),
    ],
    ids=["the last", "the last two", "by its id", "by its session"],
)
def test_an_import_is_undone_where_it_is_meant(
    vault: Vault, root: Path, remember: Remember, wanted: Callable[[str], UndoRequest], left: list[str]
) -> None:
    """As the last write, too: undoing the write before it instead would take away what nobody meant."""
    remember("the boat leaks", "about_the_boat", actor="person")
    undo.undo(vault, wanted(imported(vault, "moving")), ME, allow_loss=True)
    assert paths(root) == left


def test_an_import_that_is_passed_over_is_named(vault: Vault, remember: Remember, mdmem: Run, root: Path) -> None:
    remember("the boat leaks", "about_the_boat")
    oid = imported(vault)[:8]
    done = mdmem("undo", "--since", "1d", "--vault", root)
    assert f"the import {oid} is left alone; mdmem undo --commit {oid} takes it back" in done.err
    mdmem("undo", "--commit", oid, "--vault", root, "--yes")
    assert "left alone" not in mdmem("undo", "--last", "1", "--vault", root, code=3).err


def test_the_loss_of_all_memories_asks(vault: Vault, root: Path, remember: Remember) -> None:
    for number in range(3):
        remember(f"note {number}", f"note_number_{number}", session="bad")
    with pytest.raises(StoppedError):
        undo.undo(vault, UndoRequest(session="bad"), ME)
    assert len(paths(root)) == 3
    undo.undo(vault, UndoRequest(session="bad"), ME, allow_loss=True)
    assert paths(root) == []


def test_of_another_tools_commit_only_memories_are_taken_back(
    vault: Vault, root: Path, write: Write, remember: Remember, commit: Commit
) -> None:
    remember(PARAGRAPHS, "some_note_here")
    code = write("main.py", "print(1)\n")
    path = root / "allmemories/some_note_here.md"
    path.write_text(path.read_text() + "\nMore.\n")
    commit()
    found, _ = undo.undo(vault, UndoRequest(last=1), ME)
    assert list(found.writes) == ["allmemories/some_note_here.md"]
    assert code.exists()
    assert "More." not in path.read_text()


def test_links_and_binaries_are_conflicts_not_crashes(
    vault: Vault, root: Path, write: Write, remember: Remember, commit: Commit
) -> None:
    remember(PARAGRAPHS, "good_note_here")
    (root / "allmemories/linked_note_here.md").symlink_to("good_note_here.md")
    binary = write("allmemories/binary_note_here.md", b"\0\1\2" * 100)
    commit()
    (root / "allmemories/linked_note_here.md").unlink()
    (root / "allmemories/linked_note_here.md").symlink_to("elsewhere.md")
    binary.write_bytes(b"\0\1\3" * 100)
    bad = commit()
    binary.write_bytes(b"\0\1\4" * 100)
    commit()
    with pytest.raises(undo.UndoConflictError) as caught:
        undo.undo(vault, UndoRequest(commits=(bad,)), ME)
    assert {conflict.path for conflict in caught.value.plan.conflicts} == {
        "allmemories/linked_note_here.md",
        "allmemories/binary_note_here.md",
    }


def test_a_note_replaced_by_a_link_is_a_conflict(vault: Vault, root: Path, remember: Remember) -> None:
    path = root / remember(PARAGRAPHS, "some_note_here")
    append(vault, "some_note_here", "Wrong.")
    path.rename(root / "elsewhere.txt")
    path.symlink_to(root / "elsewhere.txt")
    with pytest.raises(MdmemError, match="taken back alone"):
        undo.undo(vault, UndoRequest(session="bad"), ME)
    assert "Wrong." in (root / "elsewhere.txt").read_text()


def test_the_edge_of_a_shallow_clone_is_not_undone(
    vault: Vault, root: Path, git: Git, remember: Remember, tmp_path: Path
) -> None:
    """Its first commit looks as if it had made every note."""
    for number in range(4):
        remember(f"note {number}", f"note_number_{number}", session="s")
    git(tmp_path, "clone", "-q", "--depth=2", f"file://{root}", "clone")
    with Vault.open(str(tmp_path / "clone")) as clone:
        undo.undo(clone, UndoRequest(last=1), ME)
        with pytest.raises(StoppedError, match="shallow"):
            undo.undo(clone, UndoRequest(last=1), ME, allow_loss=True)
    assert len(paths(tmp_path / "clone")) == 3


def test_undo_goes_on_after_a_rebase(
    vault: Vault, root: Path, git: Git, remember: Remember, commit: Commit
) -> None:
    """The commits have other ids then: what was undone is known by its having no effect any more."""
    start = git(root, "rev-parse", "HEAD")
    for number in range(3):
        remember(f"note {number}", f"note_number_{number}")
    undo.undo(vault, UndoRequest(last=1), ME)
    git(root, "checkout", "-qb", "upstream", start)
    (root / "code.txt").write_text("x")
    commit()
    git(root, "checkout", "-q", "main")
    git(root, "rebase", "-q", "upstream")
    undo.undo(vault, UndoRequest(last=1), ME)
    assert paths(root) == ["allmemories/note_number_0.md"]


def test_since_means_when_it_was_written(
    vault: Vault, root: Path, git: Git, remember: Remember, mdmem: Run
) -> None:
    """A rebase or cherry-pick makes the commit's date new; the author's date stays."""
    remember("old", "old_note_here")
    git(root, "commit", "-q", "--amend", "--no-edit", GIT_COMMITTER_DATE="2026-03-05T00:00:00Z")
    mdmem("undo", "--since", "2026-03-04", "--vault", root, code=3)
    assert json.loads(mdmem("log", "--since", "2026-03-04", "--json", "--vault", root).out) == []
    assert len(json.loads(mdmem("log", "--since", "2026-03-01", "--json", "--vault", root).out)) == 1


def test_the_undo_carries_the_session_it_was_made_in(
    vault: Vault, root: Path, git: Git, remember: Remember, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("Wrong.", "wrong_note_here", session="bad")
    monkeypatch.setenv("MDMEM_SESSION", "mine")
    mdmem("undo", "--session", "bad", "--vault", root)
    text = git(root, "log", "-1", "--format=%B")
    assert "Memory-Session: mine" in text
    assert "Took back 1 commit of bad." in text


def test_what_git_converts_comes_back_as_a_checkout_writes_it(
    vault: Vault, root: Path, write: Write, git: Git, commit: Commit
) -> None:
    """A filter as of git-crypt: git holds other bytes than the folder."""
    git(root, "config", "filter.rot.clean", "tr a-z n-za-m")
    git(root, "config", "filter.rot.smudge", "tr a-z n-za-m")
    write(".gitattributes", "allmemories/** filter=rot\n")
    path = write("allmemories/some_note_here.md", PARAGRAPHS)
    commit()
    assert "Paragraph" not in git(root, "cat-file", "-p", "HEAD:allmemories/some_note_here.md")
    append(vault, "some_note_here", "Wrong.")
    path.write_text(path.read_text().replace("Paragraph 0", "Paragraph zero"))
    undo.undo(vault, UndoRequest(session="bad"), ME)
    assert path.read_text() == PARAGRAPHS.replace("Paragraph 0", "Paragraph zero")
    edit.forget(vault, [lookup.named(vault, "some_note_here")], BAD)
    undo.undo(vault, UndoRequest(last=1, session="bad"), ME)
    assert path.read_text() == PARAGRAPHS.replace("Paragraph 0", "Paragraph zero")


def test_a_rename_over_the_border_of_a_vault_in_a_subfolder(tmp_path: Path, git: Git, commit: Commit) -> None:
    """What moves out of the vault is deleted as far as the vault knows; the file outside is not touched."""
    root = tmp_path / "project/brain"
    (root / "allmemories").mkdir(parents=True)
    git(tmp_path, "init", "-q", "project")
    (root / "allmemories/some_note_here.md").write_text(PARAGRAPHS)
    (root / "allmemories/other_note_here.md").write_text("Other.")
    (tmp_path / "project/outside_note_here.md").write_text("From " + PARAGRAPHS)
    commit(folder=root)
    git(root, "mv", "allmemories/some_note_here.md", "../gone.md")
    git(root, "mv", "../outside_note_here.md", "allmemories/came_note_here.md")
    commit(folder=root)
    with Vault.open(str(root)) as vault:
        undo.undo(vault, UndoRequest(last=1), ME)
    assert paths(root) == ["allmemories/other_note_here.md", "allmemories/some_note_here.md"]
    assert (tmp_path / "project/gone.md").exists()
    assert not (tmp_path / "project/outside_note_here.md").exists()


# -- the session that was undone


def test_an_undone_session_takes_in_nothing_more(here: Path, mdmem: Run) -> None:
    mdmem("session", "start", "--actor", "bot", "--session", "bad")
    mdmem("remember", "Otter is written in Rust.", "--actor", "bot")
    assert "the session bad was still open; it is ended" in mdmem("undo", "--session", "bad").err
    mdmem("remember", "The VPN gateway is vpn.tide.example.", "--actor", "bot")
    assert "[bad]" not in mdmem("log", "-n", "1").out
    assert "nothing to undo matches" in mdmem("undo", "--session", "bad", "--dry-run", code=3).err


@pytest.mark.parametrize(
    ("wanted", "is_ended"),
    [(("--actor", "bot"), True), (("--since", "1h"), True), (("--last", "1"), False)],
    ids=["all of an actor", "all of an hour", "the last write"],
)
def test_an_undo_that_takes_all_of_a_session_ends_it(
    here: Path, mdmem: Run, wanted: tuple[str, str], is_ended: bool
) -> None:
    mdmem("session", "start", "--actor", "bot", "--session", "bad")
    mdmem("remember", "Otter is written in Rust.", "--actor", "bot")
    assert ("the session bad was still open; it is ended" in mdmem("undo", *wanted).err) is is_ended


def test_a_session_that_keeps_some_of_its_writes_stays_open(
    here: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    mdmem("session", "start", "--actor", "bot", "--session", "long")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T08:00:00Z")
    mdmem("remember", "Otter is written in Rust.", "--actor", "bot", "--session", "long")
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T12:00:00Z")
    mdmem("remember", "The harbour is closed on Mondays.", "--actor", "bot")
    assert "ended" not in mdmem("undo", "--since", "2h").err
    mdmem("remember", "The VPN gateway is vpn.tide.example.", "--actor", "bot")
    assert "[long]" in mdmem("log", "-n", "1").out


# -- what the one who undoes may not see


def test_a_session_of_hidden_memories_alone_is_as_good_as_none(here: Path, mdmem: Run) -> None:
    hidden = ("--sensitivity", "hyper", "--session", "hidden")
    mdmem("remember", "A plan of the bank.", *hidden, "--name", "plan_of_bank")
    mdmem("remember", "The harbour opens at six.", "--session", "open")
    told = [
        mdmem("undo", "--session", id, "--by", "bot", *more, code=3)
        for id in ("hidden", "none")
        for more in ((), ("--dry-run",))
    ]
    assert len({one.err + one.out for one in told}) == 1
    assert mdmem("undo", "--session", "hidden", "--dry-run").out.endswith("nothing was changed\n")
