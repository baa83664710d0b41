"""A memory's past is its own: by id, through renames, whatever git guesses and whatever the person has set."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from mdmem.acts import setup as status
from mdmem.errors import ConflictError, NotFoundError, UsageError
from mdmem.history import past, undo
from mdmem.store.git.repo import Repo
from mdmem.store.index import versions
from mdmem.store.index.freshness import Index
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.write import edit, rename
from tests.conftest import Commit, Git, Remember, Run, Write

ME = Caller(datetime(2026, 3, 1, 12, tzinfo=UTC))
PARAGRAPHS = "\n\n".join(f"Paragraph {number} is here." for number in range(8)) + "\n"


def note(id: str, text: str = PARAGRAPHS) -> str:
    return f"---\nid: {id}\n---\n\n{text}"


def actions(vault: Vault, name: str) -> list[str]:
    return [step.changes[-1].action for step in past.history(vault, *past.identify(vault, name))]


def trash_ids(vault: Vault) -> list[str]:
    return [item.id for item in past.trash(vault)]


@pytest.mark.parametrize("inner", ["", "inner/vault"], ids=["own repository", "subfolder"])
def test_the_index_only_saves_time(
    inner: str, tmp_path: Path, git: Git, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tangled past: the commits that the index chooses tell the same as all of them."""
    top, root = tmp_path / "top", tmp_path / "top" / inner
    git(tmp_path, "init", "--quiet", str(top))
    mdmem("init", "--memories", "allmemories", root)
    _tangle(git, top, root / "allmemories")

    def told() -> list[Any]:
        with Vault(str(root)) as vault:
            trash = past.trash(vault)
            known = {(record.path, record.id) for record in vault.index.records()}
            known |= {(item.path, item.id) for item in trash}
            return [trash, [past.history(vault, *one) for one in sorted(known)]]

    quick = told()
    everything = set(git(top, "rev-list", "HEAD").split())
    monkeypatch.setattr(versions, "UNREAD", 'SELECT "commit" FROM versions')
    shutil.rmtree(root / ".mdmem")  # what was read once is not read again
    monkeypatch.setattr(Index, "commits_of", lambda *_: everything)
    assert quick == told()
    assert len(quick[0]) > 3
    assert max(len(one) for one in quick[1]) > 5


def _tangle(git: Git, top: Path, folder: Path) -> None:
    """Random commits of a few notes: made, edited, moved, deleted and made again, on branches."""
    chance = random.Random(4)
    names = [f"note_number_{number}" for number in range(6)]
    places = [folder, folder / "sub", folder.parent / "templates"]
    for number in range(70):
        files = [path for place in places for path in sorted(place.glob("note_*.md"))]
        path = chance.choice(places) / f"{chance.choice(names)}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        kind = chance.choice(["new", "edit", "move", "move", "delete", "branch", "merge"])
        if kind == "branch":
            git(
                top, "checkout", "-q", "-b", f"branch{number}", f"HEAD~{chance.randint(0, 3) if number > 8 else 0}"
            )
        elif kind == "merge":
            other = chance.choice(git(top, "for-each-ref", "--format=%(refname:short)", "refs/heads").split())
            options = chance.choice([("-s", "ours"), ("-s", "recursive", "-Xours")])
            subprocess.run(["git", "merge", "-q", "-m", "merge", *options, other], cwd=top, capture_output=True)
        elif kind == "new" or not files:
            path.write_text(note(str(chance.randint(1, 6)), f"{PARAGRAPHS}{number}\n"))
        elif kind == "edit":
            with chance.choice(files).open("a") as file:
                file.write(f"Line {number}.\n")
        elif kind == "move":
            chance.choice(files).replace(path)
        else:
            chance.choice(files).unlink()
        told = f"delete: x\n\nMemory-Action: delete\nMemory-Id: {chance.randint(1, 6)}\n"
        git(top, "add", "-A")
        git(top, "commit", "-q", "--allow-empty", "-m", chance.choice([told, "by hand"]))


# -- one path, several memories


def test_another_memory_at_the_same_path_is_not_this_one(vault: Vault, write: Write, commit: Commit) -> None:
    path = write("allmemories/some_note_here.md", note("1", "The first one.\n"))
    first = commit()
    path.unlink()
    commit()
    path.write_text(note("2", "The second one.\n"))
    commit()
    with pytest.raises(NotFoundError):
        past.version(vault, "some_note_here", first)
    with pytest.raises(NotFoundError):
        past.restore_version(vault, lookup.named(vault, "some_note_here"), first, ME)
    assert actions(vault, "some_note_here") == ["create"]
    assert past.version(vault, "1", first)[0].body.strip() == "The first one."
    assert actions(vault, "1") == ["delete", "create"]


def test_a_note_replaced_by_another_in_place_begins_there(vault: Vault, write: Write, commit: Commit) -> None:
    path = write("allmemories/some_note_here.md", note("1"))
    first = commit()
    path.write_text(note("2"))
    commit()
    path.write_text(note("2", PARAGRAPHS + "More.\n"))
    commit()
    assert actions(vault, "some_note_here") == ["revise", "revise"]
    with pytest.raises(NotFoundError):
        past.version(vault, "some_note_here", first)


def test_a_likeness_that_git_takes_for_a_rename_is_none(
    vault: Vault, write: Write, git: Git, root: Path, commit: Commit
) -> None:
    """One note deleted, one very like it made in the same commit: git says R, the ids say otherwise."""
    write("allmemories/some_note_here.md", note("1"))
    first = commit()
    (root / "allmemories/some_note_here.md").unlink()
    write("allmemories/other_note_here.md", note("2"))
    commit()
    assert git(root, "show", "-M", "--name-status", "--format=").startswith("R")
    assert trash_ids(vault) == ["1"]
    assert actions(vault, "other_note_here") == ["create"]
    with pytest.raises(NotFoundError):
        past.version(vault, "other_note_here", first)
    past.restore(vault, "some_note_here", ME)
    assert (root / "allmemories/some_note_here.md").read_text() == note("1")


def test_a_restored_memory_has_its_whole_history(vault: Vault, remember: Remember) -> None:
    path = remember("First.", "some_note_here")
    edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    remember("Another one for a while.", "some_note_here")
    edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    first, other = (item.id for item in reversed(past.trash(vault)))
    past.restore(vault, first, ME)
    assert actions(vault, path) == ["create", "delete", "create"]
    assert actions(vault, other) == ["delete", "create"]


def test_a_note_is_followed_through_adoption_and_rename(
    vault: Vault, write: Write, git: Git, root: Path, commit: Commit
) -> None:
    """It had no id of its own at first: what was derived from its path then is the same memory."""
    write("allmemories/some_note_here.md", PARAGRAPHS)
    first = commit()
    git(root, "mv", "allmemories/some_note_here.md", "allmemories/other_note_here.md")
    commit()
    edit.adopt(vault, [lookup.named(vault, "other_note_here")], ME)
    rename.rename(vault, lookup.named(vault, "other_note_here"), "third_note_here", ME)
    assert actions(vault, "third_note_here") == ["rename", "revise", "rename", "create"]
    assert past.version(vault, "third_note_here", first)[1].decode() == PARAGRAPHS


def test_restoring_a_version_keeps_the_id(vault: Vault, write: Write, commit: Commit) -> None:
    write("allmemories/some_note_here.md", PARAGRAPHS)
    first = commit()
    edit.adopt(vault, [lookup.named(vault, "some_note_here")], ME)
    record = lookup.named(vault, "some_note_here")
    edit.update_all(vault, [record], edit.Edit(body="Other."), ME)
    past.restore_version(vault, record, first, ME)
    now = vault.get(record.path)
    assert (now.id, now.body.strip()) == (record.id, PARAGRAPHS.strip())


# -- the trash


def test_the_trash_lists_a_deleted_original_whose_copy_lives(
    vault: Vault, write: Write, root: Path, commit: Commit
) -> None:
    write("allmemories/some_note_here.md", note("1", "The original.\n"))
    write("allmemories/copied_note_here.md", note("1", "The copy, gone its own way.\n"))
    commit()
    (root / "allmemories/some_note_here.md").unlink()
    commit()
    (item,) = past.trash(vault)
    assert item.path == "allmemories/some_note_here.md"
    (root / "allmemories/copied_note_here.md").unlink()
    commit()
    vault.index.freshen()
    assert len(past.trash(vault)) == 2


def test_a_full_trash_takes_no_more_queries_than_one_of_two(
    vault: Vault, write: Write, root: Path, commit: Commit
) -> None:
    asked: list[str] = []
    vault.whole_index._db._connection.set_trace_callback(asked.append)
    counts = []
    for number in range(20):
        write(f"allmemories/note_number_{number}.md", note(str(UUID(int=number + 1))))
    commit()
    for left in (18, 0):
        for number in range(left, 20):
            (root / f"allmemories/note_number_{number}.md").unlink(missing_ok=True)
        commit()
        vault.look_again()
        past.trash(vault)  # the index learns of the deletions
        asked.clear()
        assert len(past.trash(vault)) == 20 - left
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0


def test_what_moved_by_hand_in_two_commits_is_not_in_the_trash(
    vault: Vault, write: Write, git: Git, root: Path, commit: Commit
) -> None:
    write("allmemories/some_note_here.md", note("1"))
    commit()
    git(root, "rm", "-q", "allmemories/some_note_here.md")
    commit()
    assert trash_ids(vault) == ["1"]
    write("allmemories/other_note_here.md", note("1", "Rewritten.\n"))
    commit()
    vault.index.freshen()
    assert trash_ids(vault) == []
    assert actions(vault, "other_note_here") == ["create", "delete", "create"]


def test_what_was_renamed_and_edited_by_hand_and_not_committed(
    vault: Vault, write: Write, root: Path, remember: Remember, commit: Commit
) -> None:
    """git names the new content by a hash of which there is no object yet."""
    path = write("allmemories/some_note_here.md", note("7"))
    commit()
    path.rename(root / "allmemories/moved_note_here.md")
    write("allmemories/moved_note_here.md", note("7") + "One more line.\n")
    assert past.trash(vault) == []
    assert actions(vault, "moved_note_here") == ["create"]
    remember("Quite another thing to remember.", name="quite_another_thing")
    assert undo.undo(vault, undo.UndoRequest(last=1), ME)[1]
    assert not (root / "allmemories/quite_another_thing.md").exists()


def test_a_file_deleted_by_hand_and_not_committed(
    vault: Vault, root: Path, remember: Remember, mdmem: Run
) -> None:
    remember("Other.", "other_note_here")
    path = root / remember("Precious.", "some_note_here")
    text = path.read_text()
    path.unlink()
    at = ("--vault", root)
    (item,) = json.loads(mdmem("trash", "--json", *at).out)
    assert (item["name"], item["deleted"], item["commit"]) == ("some_note_here", "", "")
    assert "not committed" in mdmem("trash", *at).out
    assert mdmem("show", "some_note_here@HEAD", *at).out == text
    assert "-Precious." in mdmem("diff", *at).out
    assert "restored allmemories/some_note_here.md" in mdmem("restore", "some_note_here", *at).out
    assert path.read_text() == text


def test_restore_names_those_that_share_a_name_by_id(vault: Vault, remember: Remember) -> None:
    for text in ("First.", "Second, another."):
        remember(text, "some_note_here")
        edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    with pytest.raises(UsageError) as caught:
        past.restore(vault, "some_note_here", ME)
    ids = trash_ids(vault)
    assert len(ids) == 2
    assert all(id in caught.value.hint for id in ids)
    past.restore(vault, ids[0], ME)
    with pytest.raises(ConflictError):
        past.restore(vault, ids[1], ME)


# -- versions and differences


def test_old_versions_come_as_a_checkout_writes_them(
    vault: Vault, write: Write, git: Git, root: Path, commit: Commit
) -> None:
    git(root, "config", "core.autocrlf", "true")
    text = note("1").replace("\n", "\r\n")
    path = write("allmemories/some_note_here.md", text)
    first = commit()
    assert b"\r\n" not in vault.repo.run("cat-file", "-p", "HEAD:allmemories/some_note_here.md")
    path.write_bytes(b"---\r\nid: 1\r\n---\r\n\r\nOther.\r\n")
    commit()
    assert past.version(vault, "some_note_here", first)[1] == text.encode()
    past.restore_version(vault, lookup.named(vault, "some_note_here"), first, ME)
    assert path.read_bytes() == text.encode()
    edit.forget(vault, [lookup.named(vault, "some_note_here")], ME)
    past.restore(vault, "some_note_here", ME)
    assert path.read_bytes() == text.encode()


def test_a_version_is_found_in_the_tree_of_its_time_and_no_commit_is_listed(
    vault: Vault, write: Write, git: Git, root: Path, monkeypatch: pytest.MonkeyPatch, commit: Commit
) -> None:
    """After ten years, there are hundreds of thousands. Only a version made in a merge is looked for so."""
    old, new = "allmemories/first_name_here.md", "allmemories/second_name_here.md"
    before = git(root, "rev-parse", "HEAD")
    write(old, note("1", "One.\n"))
    first = commit()
    (root / old).rename(root / new)
    write(new, note("1", "Two.\n"))
    second = commit()
    git(root, "checkout", "-q", "-b", "side", second)
    write(new, note("1", "Side.\n"))
    commit()
    git(root, "checkout", "-q", "main")
    write(new, note("1", "Main.\n"))
    commit()
    git(root, "merge", "-q", "--no-commit", "-s", "ours", "side")
    write(new, note("1", "Both.\n"))
    both = commit("merge")
    listed: list[str] = []
    real = Repo.reached
    monkeypatch.setattr(Repo, "reached", lambda repo, rev: listed.append(rev) or real(repo, rev))
    for rev, said in ((first, "One."), (second, "Two."), (f"{both}^1", "Main."), (f"{both}^2", "Side.")):
        assert past.version(vault, "second_name_here", rev)[1].decode().endswith(f"{said}\n")
    with pytest.raises(NotFoundError):
        past.version(vault, "second_name_here", before)
    assert listed == []
    assert past.version(vault, "second_name_here", both)[1].decode().endswith("Both.\n")
    assert listed == [both]


def test_a_version_by_month_and_year(
    vault: Vault, root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--vault", root)
    for day, text in (("2025-12-31", "first"), ("2026-03-31", "second"), ("2026-04-01", "third")):
        monkeypatch.setenv("MDMEM_NOW", f"{day}T00:00:00Z")
        if text == "first":
            mdmem("remember", text, "--name", "some_note_here", *at)
        else:
            mdmem("update", "some_note_here", "--body", text, *at)
    for when, text in (("2026-03", "second"), ("2026-03-31", "second"), ("2025", "first"), ("2026", "third")):
        assert text in mdmem("show", f"some_note_here@{when}", *at).out
    assert "third" in mdmem("show", "some_note_here@9999-12-31", *at).out
    mdmem("show", "some_note_here@1960-01-01", *at, code=2)
    monkeypatch.setenv("MDMEM_NOW", "1960-01-01T00:00:00Z")
    assert "1970" in mdmem("update", "some_note_here", "--body", "x", *at, code=2).err


def test_diff_shows_files_that_git_does_not_know(vault: Vault, write: Write, root: Path, commit: Commit) -> None:
    write("allmemories/some_note_here.md", note("1"))
    commit()
    write("allmemories/new_note_here.md", "Brand new.\n")
    index = (root / ".git/index").read_bytes()
    assert "+Brand new." in past.difference(vault, "", "", None, None)
    assert "+Brand new." in past.difference(vault, *past.identify(vault, "new_note_here"), None, None)
    assert (root / ".git/index").read_bytes() == index
    assert "new_note" not in past.difference(vault, *past.identify(vault, "some_note_here"), None, None)


def test_diff_follows_a_rename(vault: Vault, root: Path, remember: Remember) -> None:
    remember(PARAGRAPHS, "some_note_here")
    rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", ME)
    edit.update_all(vault, [lookup.named(vault, "other_note_here")], edit.Edit(append="More."), ME)
    text = past.difference(vault, *past.identify(vault, "other_note_here"), "HEAD~2", None)
    assert "rename from allmemories/some_note_here.md" in text
    assert "+More." in text
    assert "-Paragraph" not in text
    (root / "allmemories/other_note_here.md").rename(root / "allmemories/third_note_here.md")
    vault.index.freshen()
    assert "rename to allmemories/third_note_here.md" in past.difference(
        vault, *past.identify(vault, "third_note_here"), None, None
    )


def test_diff_before_the_first_commit(tmp_path: Path, git: Git, mdmem: Run) -> None:
    (tmp_path / "v/allmemories").mkdir(parents=True)
    (tmp_path / "v/allmemories/some_note_here.md").write_text("Text.\n")
    git(tmp_path, "init", "-q", "v")
    assert "+Text." in mdmem("diff", "--vault", tmp_path / "v").out
    assert "+Text." in mdmem("diff", "some_note_here", "--vault", tmp_path / "v").out


# -- the log


def test_settings_of_a_person_do_not_change_the_past(
    vault: Vault, root: Path, write: Write, git: Git, remember: Remember, commit: Commit
) -> None:
    write("allmemories/grüße_an_ada.md", note("1"))
    commit("Grüße")
    git(root, "mv", "allmemories/grüße_an_ada.md", "allmemories/gruss_an_ada.md")
    commit()
    write("allmemories/gruss_an_ada.md", note("1") + "More.\n")
    plain = [
        [*past.events(vault)],
        past.history(vault, "allmemories/gruss_an_ada.md", "1"),
        past.difference(vault, *past.identify(vault, "gruss_an_ada"), "HEAD~1", None),
    ]
    (root / ".git/order").write_text("zzz\n")
    for key, value in {
        "log.showRoot": "false",
        "log.follow": "true",
        "log.showSignature": "true",
        "log.diffMerges": "combined",
        "i18n.logOutputEncoding": "latin1",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.renames": "false",
        "diff.external": "false",
        "diff.orderFile": str(root / ".git/order"),
        "diff.relative": "true",
        "color.ui": "always",
        "color.diff": "always",
        "core.quotePath": "true",
        "core.pager": "false",
    }.items():
        git(root, "config", key, value)
    again = [
        [*past.events(vault)],
        past.history(vault, "allmemories/gruss_an_ada.md", "1"),
        past.difference(vault, *past.identify(vault, "gruss_an_ada"), "HEAD~1", None),
    ]
    assert again == plain
    assert [event.operation.reason for event in plain[0]][-1] == "Grüße"
    assert past.blame(vault, "gruss_an_ada")[1]


def test_the_last_write_is_found_behind_many_commits_of_code(
    vault: Vault, root: Path, git: Git, remember: Remember, mdmem: Run, commit: Commit
) -> None:
    remember("First.", "some_note_here")
    for number in range(60):
        git(root, "commit", "-q", "--allow-empty", "-m", f"code {number}")
        (root / "code.txt").write_text(str(number))
        commit()
    assert status.survey(vault).last.endswith("create by Ada Lovelace")
    assert len(json.loads(mdmem("log", "-n", "1", "--json", "--vault", root).out)) == 1


def test_stopping_early_leaves_no_git_behind(vault: Vault, remember: Remember) -> None:
    for number in range(5):
        remember(f"note {number}", f"note_number_{number}")
    stream = past.events(vault)
    assert next(stream).operation.action == "create"
    stream.close()  # pytest turns a process that is left running into an error


def test_a_missing_object_is_an_error_that_says_so(vault: Vault, root: Path, remember: Remember) -> None:
    remember("First.", "some_note_here")
    with pytest.raises(Exception, match="cannot read object"):
        vault.repo.file("1" * 40, "allmemories/some_note_here.md")
    text = b"some words missing\nanother line missing"
    blob = vault.repo.run("hash-object", "-w", "--stdin", stdin=text).decode().strip()
    assert vault.repo.file(blob, "allmemories/x.md") == text
    empty = vault.repo.run("hash-object", "-w", "--stdin").decode().strip()
    assert vault.repo.file(empty, "allmemories/with\nline.md") == b""


# -- blame


def test_blame_names_who_wrote_each_line(
    vault: Vault, root: Path, remember: Remember, mdmem: Run, commit: Commit
) -> None:
    path = root / remember(PARAGRAPHS, "some_note_here", actor="bot", session="s1")
    rename.rename(vault, lookup.named(vault, "some_note_here"), "other_note_here", ME)
    path = root / "allmemories/other_note_here.md"
    path.write_text(path.read_text() + "By hand.\n")
    commit()
    path.write_text(path.read_text() + "Just now.\n")
    found = json.loads(mdmem("blame", "other_note_here", "--json", "--vault", root).out)
    lines = {line["text"]: line for line in found["lines"]}
    assert found["path"] == "allmemories/other_note_here.md"
    first = lines["Paragraph 0 is here."]
    assert (first["actor"], first["action"], first["session"]) == ("bot", "create", "s1")
    assert first["when"] == "2026-03-01T12:00:00Z"
    assert (lines["By hand."]["actor"], lines["By hand."]["action"]) == ("Ada Lovelace", "")
    assert (lines["Just now."]["commit"], lines["Just now."]["actor"]) == ("", "")
    assert [line["line"] for line in found["lines"]] == list(range(1, len(found["lines"]) + 1))
    text = mdmem("blame", "other_note_here", "--vault", root).out
    assert "bot create [s1]" in text
    assert "not committed yet" in text


def test_blame_of_a_note_not_committed(vault: Vault, write: Write, root: Path, mdmem: Run) -> None:
    write("allmemories/new_note_here.md", "New.\n")
    assert "not committed yet" in mdmem("blame", "new_note_here", "--vault", root, code=2).err


def test_a_commit_with_a_wrong_date_hides_none_before_it(
    vault: Vault, write: Write, monkeypatch: pytest.MonkeyPatch, commit: Commit
) -> None:
    """`git log --since` stops there: a machine whose clock was years behind hid the days before its commit."""
    for number, day in enumerate(("2026-02-10", "2020-01-01", "2026-02-20")):
        write(f"allmemories/note_of_some_day_{number}.md", f"Written on {day}.\n")
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T10:00:00Z")
        monkeypatch.setenv("GIT_AUTHOR_DATE", f"{day}T10:00:00Z")
        commit(day)
    since = datetime(2026, 2, 1, tzinfo=UTC)
    told = [commit.when.date().isoformat() for commit in past.events(vault, since=since)]
    assert [day for day in told if day < "2026-02-25"] == ["2026-02-20", "2026-02-10"]


def test_a_revision_before_the_first_commit_is_told_with_the_first(root: Path, mdmem: Run) -> None:
    mdmem("remember", "Tea is green.", "--vault", root)
    for asked in (("diff", "HEAD~9"), ("diff", "HEAD~9..HEAD"), ("recall", "tea", "--as-of", "HEAD~9")):
        failed = mdmem(*asked, "--vault", root, code=2)
        assert "HEAD~9" in failed.err
        assert "the first is HEAD~1" in failed.err
    assert "there is no memory" in mdmem("diff", "no_such_note", "--vault", root, code=3).err


def test_show_says_when_a_memory_was_forgotten(root: Path, mdmem: Run) -> None:
    mdmem("remember", "Tea is green.", "--name", "tea_is_so_green", "--vault", root)
    mdmem("forget", "tea_is_so_green", "--vault", root)
    failed = mdmem("show", "tea_is_so_green", "--vault", root, code=3)
    assert "it was forgotten 2026-" in failed.err
    assert "mdmem restore tea_is_so_green" in failed.err
    assert "forgotten" not in mdmem("show", "no_such_note_here", "--vault", root, code=3).err


def test_what_was_moved_out_of_the_memories_is_in_the_trash(root: Path, git: Git, mdmem: Run) -> None:
    """As Obsidian does on a phone, whose own trash is a folder of the vault that the Git plugin commits."""
    mdmem("remember", "Tea is green.", "--name", "tea_is_so_green", "--vault", root)
    here, gone = root / "allmemories/tea_is_so_green.md", root / ".trash/tea_is_so_green.md"
    gone.parent.mkdir()
    here.rename(gone)
    assert "tea_is_so_green" in mdmem("trash", "--vault", root).out
    git(root, "add", "-A")
    git(root, "commit", "-qm", "vault backup")
    assert "tea_is_so_green" in mdmem("trash", "--vault", root).out
    assert "it was forgotten" in mdmem("show", "tea_is_so_green", "--vault", root, code=3).err
    assert len(json.loads(mdmem("log", "tea_is_so_green", "--json", "--vault", root).out)) == 2
    mdmem("restore", "tea_is_so_green", "--vault", root)
    assert here.read_bytes() == gone.read_bytes()
    assert len(json.loads(mdmem("log", "tea_is_so_green", "--json", "--vault", root).out)) == 3
    assert "empty" in mdmem("trash", "--vault", root).out + mdmem("trash", "--vault", root).err


def test_a_memory_is_found_in_the_past_by_a_name_that_it_had(
    root: Path, mdmem: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wants back what was deleted years ago remembers what it was called then."""
    place = ("--vault", root)
    monkeypatch.setenv("MDMEM_NOW", "2024-03-01T10:00:00Z")
    mdmem("remember", "Needs three eggs.", "--name", "grannys_lemon_cake", *place)
    mdmem("remember", "It goes well with tea.", "--name", "grannys_lemon_cakes", *place)  # a name near to that
    monkeypatch.setenv("MDMEM_NOW", "2024-06-01T10:00:00Z")
    mdmem("rename", "grannys_lemon_cake", "lemon_cake_of_granny", *place)
    assert "it is called lemon_cake_of_granny now" in mdmem("show", "grannys_lemon_cake", *place, code=3).err
    assert "three eggs" in mdmem("show", "grannys_lemon_cake@2024-05-01", *place).out
    mdmem("forget", "lemon_cake_of_granny", *place)
    monkeypatch.setenv("MDMEM_NOW", "2026-03-01T10:00:00Z")
    for name in ("grannys_lemon_cake", "lemon_cake_of_granny"):
        assert "it was forgotten 2024-06-01" in mdmem("show", name, *place, code=3).err
        assert len(json.loads(mdmem("log", name, "--json", *place).out)) == 3
        restored = mdmem("restore", f"{name}@2024-05-01", *place, code=3)
        assert "mdmem restore lemon_cake_of_granny" in restored.err
    mdmem("restore", "grannys_lemon_cake", *place)
    told = mdmem("blame", "lemon_cake_of_granny", *place).out
    assert "2024-03-01" in told, "a line is told with the day on which it was written"
    assert "2026-" not in told
    mdmem("show", "no_such_note_here", *place, code=3)


def test_a_note_without_id_that_was_moved_and_reworded_by_hand_is_found_by_its_old_names(
    vault: Vault, root: Path, write: Write, commit: Commit, mdmem: Run
) -> None:
    """Only git, which compares texts, knows where it is: its old name was that of no memory."""
    path = write(
        "allmemories/noise_of_pump.md", "The pump in the cellar is loud at night.\nMr Brown mended it in May.\n"
    )
    commit()
    path.rename(root / "allmemories/pump_in_cellar.md")
    write(
        "allmemories/pump_in_cellar.md", "The pump in the cellar is loud at night.\nMrs Green mended it in June.\n"
    )
    place = ("--vault", root)
    assert "it is called pump_in_cellar now" in mdmem("show", "noise_of_pump", *place, code=3).err
    commit()
    (root / "allmemories/pump_in_cellar.md").rename(root / "allmemories/pump_of_house.md")
    commit()
    assert "it is called pump_of_house now" in mdmem("show", "noise_of_pump", *place, code=3).err
    assert mdmem("log", "noise_of_pump", *place).out == mdmem("log", "pump_of_house", *place).out
    assert "pump_of_house is in the vault" in mdmem("restore", "noise_of_pump", *place, code=3).err
    mdmem("forget", "pump_of_house", *place)
    assert "was forgotten" in mdmem("show", "noise_of_pump", *place, code=3).err
    mdmem("restore", "noise_of_pump", *place)
    assert "Mrs Green" in mdmem("show", "pump_of_house", *place).out


def test_a_note_without_id_that_is_back_and_moved_is_not_in_the_trash(
    vault: Vault, root: Path, write: Write, commit: Commit, mdmem: Run
) -> None:
    """Its id was that of its path, so the trash still held it while it lived elsewhere."""
    write("allmemories/noise_of_pump.md", "The pump in the cellar is loud at night.\n")
    commit()
    place = ("--vault", root)
    mdmem("forget", "noise_of_pump", *place)
    mdmem("undo", "--last", "1", *place)
    (root / "allmemories/noise_of_pump.md").rename(root / "allmemories/pump_in_cellar.md")
    commit()
    assert "empty" in mdmem("trash", *place).err
    mdmem("forget", "pump_in_cellar", *place)
    write("allmemories/noise_of_pump.md", "Something else by that name.\n")
    commit()
    assert [item.name for item in past.trash(vault)] == ["pump_in_cellar"]
