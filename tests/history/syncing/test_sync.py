"""A sync brings what is there, sends what is here, and leaves alone what is a person's."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.errors import ConflictError, StoppedError, UsageError
from mdmem.history import undo
from mdmem.history.undo import UndoRequest
from mdmem.store.operation import Caller
from tests.conftest import NOW, Commit, Git, Run
from tests.history.syncing.conftest import Clone

TEA, COFFEE = "likes_green_tea", "likes_black_coffee"


def head(git: Git, place: Path) -> str:
    return git(place, "rev-parse", "refs/heads/main")


@pytest.fixture
def tea(here: Clone, there: Clone) -> None:
    """Both sides have a note about tea."""
    here.remember("Tea is green.", TEA)
    here.sync()
    there.sync()


def assert_same(git: Git, *places: Path) -> None:
    assert len({head(git, place) for place in places}) == 1


def test_what_is_written_here_is_there_after_two_syncs(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    sent = here.sync()
    assert (sent.after, sent.there) == (sent.here, there.vault.repo.head()[0])
    assert head(git, hub) == sent.after
    came = there.sync()
    assert came.after == sent.after
    assert there.note(TEA).read_bytes() == here.note(TEA).read_bytes()
    assert git(there.root, "status", "--porcelain") == ""
    assert there.vault.index.count() == 1
    assert there.sync().is_void
    assert_same(git, hub, here.root, there.root)


def test_a_killed_sync_leaves_its_files_where_the_next_writer_clears(here: Clone) -> None:
    """They lay in a folder of their own, for ever."""
    here.sync()
    folders = {path.name for path in (here.root / ".mdmem").iterdir() if path.is_dir()}
    assert "tmp" in folders
    assert "sync" not in folders


def test_a_merge_is_not_undone_but_what_it_joined(here: Clone, there: Clone) -> None:
    for clone, name in ((here, TEA), (there, COFFEE)):
        clone.remember("It is hot.", name)
        merged = clone.sync().after
    with pytest.raises(UsageError, match=f"{merged[:8]} is a merge: its changes"):
        undo.undo(there.vault, UndoRequest(commits=(merged,)), Caller(NOW))
    _, undone = undo.undo(there.vault, UndoRequest(last=1), Caller(NOW))
    assert undone
    assert len({there.note(name).exists() for name in (TEA, COFFEE)}) == 2


def test_edits_of_a_person_stay_as_they_are(here: Clone, there: Clone, git: Git) -> None:
    for name in (TEA, COFFEE):
        here.remember("It is hot.", name)
    here.sync()
    there.sync()
    here.update(TEA, confidence=0.9)
    here.sync()
    edited = there.note(COFFEE).read_bytes() + b"\nA draft.\n"
    there.note(COFFEE).write_bytes(edited)
    there.note("draft_of_mine").write_text("Only a draft.\n")
    (there.root / "staged.txt").write_text("x")
    git(there.root, "add", "staged.txt")
    report = there.sync()
    assert sorted(report.edited) == [f"allmemories/{name}.md" for name in ("draft_of_mine", COFFEE)]
    assert there.note(COFFEE).read_bytes() == edited
    assert b"0.9" in there.note(TEA).read_bytes()
    status = git(there.root, "status", "--porcelain").splitlines()
    assert sorted(line.split()[0] for line in status) == ["??", "A", "M"]


@pytest.mark.usefixtures("tea")
def test_an_edit_in_the_way_stops_the_sync_before_anything_is_changed(
    here: Clone, there: Clone, hub: Path, git: Git
) -> None:
    here.update(TEA, confidence=0.9)
    here.sync()
    there.note(TEA).write_bytes(there.note(TEA).read_bytes() + b"\nMine.\n")
    before = (head(git, hub), head(git, there.root), there.note(TEA).read_bytes())
    with pytest.raises(ConflictError, match=TEA) as stopped:
        there.sync()
    assert "--commit-edits" in stopped.value.hint
    assert (head(git, hub), head(git, there.root), there.note(TEA).read_bytes()) == before


def test_an_ignored_file_in_the_way_stops_the_sync(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    """git's status does not tell of it, and nobody's only copy is written over."""
    (there.root / ".git/info").mkdir(exist_ok=True)
    (there.root / ".git/info/exclude").write_text("draft_*\n")
    (there.root / "draft_of_mine.md").write_text("mine")
    (here.root / "draft_of_mine.md").write_text("theirs")
    git(here.root, "add", "draft_of_mine.md")
    git(here.root, "commit", "--quiet", "-m", "a draft")
    here.sync()
    there.remember("Coffee is black.", COFFEE)
    before = head(git, hub)
    with pytest.raises(ConflictError, match="draft_of_mine"):
        there.sync()
    assert head(git, hub) == before
    assert (there.root / "draft_of_mine.md").read_text() == "mine"


def test_a_write_goes_on_while_another_process_merges(here: Clone, there: Clone) -> None:
    """A merge leaves the files alone that a commit of this vault is being made with."""
    here.remember("Tea is green.", TEA)
    here.sync()
    there.remember("Coffee is black.", COFFEE)
    begun = Path(there.vault.repo.next_index())
    begun.write_bytes(b"being made")
    there.sync(dry_run=True)
    assert begun.read_bytes() == b"being made"


def test_the_first_push_fills_an_empty_remote(
    tmp_path: Path, here: Clone, clone: Callable[..., Clone], git: Git
) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "-b", "main", "empty.git")
    git(here.root, "remote", "add", "backup", str(tmp_path / "empty.git"))
    report = here.sync(remote="backup")
    assert report.there == ""
    assert head(git, tmp_path / "empty.git") == report.after


def test_a_remote_with_another_branch_is_left_alone(tmp_path: Path, here: Clone, git: Git) -> None:
    git(tmp_path, "clone", "--quiet", "--bare", str(here.root), "other.git")
    git(tmp_path / "other.git", "branch", "-m", "main", "master")
    git(here.root, "remote", "add", "other", str(tmp_path / "other.git"))
    with pytest.raises(StoppedError, match="no branch main; it has master"):
        here.sync(remote="other")


def test_only_remotes_that_git_knows_by_name(here: Clone, hub: Path, git: Git) -> None:
    for name in (str(hub), "nowhere", "--upload-pack=touch x"):
        with pytest.raises(UsageError, match="is not a remote"):
            here.sync(remote=name)
    git(here.root, "checkout", "--quiet", "--detach")
    with pytest.raises(ConflictError, match="detached"):
        here.sync()


def test_a_dry_run_changes_nothing(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    before = head(git, hub)
    report = here.sync(dry_run=True)
    assert (report.after, head(git, hub)) == (head(git, here.root), before)
    here.sync()
    before = head(git, there.root)
    there.sync(dry_run=True)
    assert head(git, there.root) == before
    assert not there.note(TEA).exists()


# -- both sides have commits of their own


def test_both_sides_write_and_nothing_is_lost(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    here.remember("Tea is green.", TEA)
    there.remember("Coffee is black.", COFFEE)
    here.sync()
    report = there.sync()
    assert [change.name for change in report.came] == [TEA]
    assert [change.name for change in report.went] == [COFFEE]
    here.sync()
    assert_same(git, hub, here.root, there.root)
    for clone in (here, there):
        assert clone.note(TEA).exists()
        assert clone.note(COFFEE).exists()
        assert git(clone.root, "status", "--porcelain") == ""
    parents = git(here.root, "log", "-1", "--format=%P").split()
    assert len(parents) == 2
    assert "Memory-Action: merge" in git(here.root, "log", "-1", "--format=%B")


def test_properties_that_both_sides_changed_are_merged(here: Clone, there: Clone) -> None:
    here.remember("Tea is green.\n\nIt is hot.\n\nIt is wet.", TEA, confidence=0.5, importance=0.5)
    here.sync()
    there.sync()
    here.note(TEA).write_text(here.note(TEA).read_text().replace("Tea is green.", "Tea is very green."))
    there.note(TEA).write_text(there.note(TEA).read_text().replace("It is wet.", "It is quite wet."))
    here.sync(commit_edits=True)
    report = there.sync(commit_edits=True)
    assert report.conflicts == ()
    text = there.note(TEA).read_text()
    assert "very green" in text
    assert "quite wet" in text


@pytest.mark.usefixtures("tea")
def test_an_edit_wins_over_a_deletion_and_is_told(here: Clone, there: Clone, git: Git) -> None:
    there.update(TEA, confidence=0.9)
    git(here.root, "rm", "--quiet", str(here.note(TEA)))
    git(here.root, "commit", "--quiet", "-m", "no tea")
    here.sync()
    report = there.sync()
    assert report.notices == (f"{TEA} stays: edited here, deleted there",)
    here.sync()
    assert b"0.9" in here.note(TEA).read_bytes()


def test_the_log_tells_what_a_sync_decided(here: Clone, there: Clone, mdmem: Run) -> None:
    """Who synced, which note got another name, and which is in conflict."""
    here.remember("Tea is green.", COFFEE)
    here.sync()
    there.sync()
    for clone, text, value in ((here, "Tea is green in Japan.", 0.2), (there, "Likes cold tea.", 0.8)):
        clone.remember(text, TEA)
        clone.update(COFFEE, confidence=value)
        merged = clone.sync()
    said = mdmem("log", "--vault", there.root).out.splitlines()
    assert said[0].startswith(merged.after[:8])
    assert "  merge  - " in said[0]  # it names no memory
    assert said[1:4] == [
        "         Synced with origin.",
        f"         {merged.notices[0]}.",
        f"         {COFFEE} is in conflict: it holds both versions.",
    ]
    told = json.loads(mdmem("log", "--json", "--limit", 1, "--vault", there.root).out)
    assert [(commit["commit"], commit["actions"]) for commit in told] == [(merged.after, ["merge"])]
    assert COFFEE in told[0]["reason"]


def test_two_notes_of_one_name_are_both_kept(here: Clone, there: Clone) -> None:
    here.remember("Tea is green in Japan.", TEA)
    there.remember("Likes tea that is green and cold.", TEA)
    here.sync()
    report = there.sync()
    (notice,) = report.notices
    assert notice.startswith(f"two notes are called {TEA}: the one from ")
    assert notice.endswith(f"is {TEA}_2 now")
    here.sync()
    texts = [clone.note(name).read_text() for clone in (here, there) for name in (TEA, f"{TEA}_2")]
    assert sorted("cold" in text for text in texts) == [False, False, True, True]
    assert sorted("Japan" in text for text in texts) == [False, False, True, True]
    assert texts[:2] == texts[2:]


def test_names_that_differ_only_in_capitals_are_parted(here: Clone, there: Clone) -> None:
    here.note("tea_of_mine").parent.mkdir(exist_ok=True)
    there.note("tea_of_mine").parent.mkdir(exist_ok=True)
    here.note("tea_of_mine").write_text("Mine.\n")
    there.note("Tea_of_mine").write_text("Also mine.\n")
    here.sync(commit_edits=True)
    there.sync(commit_edits=True)
    here.sync()
    names = sorted(path.name for path in here.note("x").parent.iterdir())
    assert names == ["Tea_of_mine_2.md", "tea_of_mine.md"]


@pytest.mark.usefixtures("tea")
def test_a_note_that_moved_there_takes_the_edit_from_here(here: Clone, there: Clone, mdmem: Run) -> None:
    """Also where little is left of its text: it is found by its id."""
    mdmem("rename", TEA, COFFEE, "--vault", here.root)
    here.note(COFFEE).write_text(
        here.note(COFFEE).read_text().replace("Tea is green.", "Coffee is\nblack\nand hot")
    )
    here.sync(commit_edits=True)
    there.update(TEA, confidence=0.9)
    there.sync()
    assert not there.note(TEA).exists()
    assert "0.9" in there.note(COFFEE).read_text()
    assert "black" in there.note(COFFEE).read_text()


def test_other_files_that_both_sides_changed_are_for_git(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    for clone, text in ((here, "one"), (there, "two")):
        (clone.root / "main.py").write_text(text)
        git(clone.root, "add", "main.py")
        git(clone.root, "commit", "--quiet", "-m", text)
    here.sync()
    before = head(git, hub)
    with pytest.raises(ConflictError, match=r"main\.py was changed on both sides"):
        there.sync()
    assert head(git, hub) == before
    assert (there.root / "main.py").read_text() == "two"


def test_a_file_and_a_folder_of_one_name_are_for_a_person(here: Clone, there: Clone, hub: Path, git: Git) -> None:
    (there.root / "allmemories").mkdir()
    (there.root / "allmemories/tea").write_text("a file\n")
    (here.root / "allmemories/tea").mkdir(parents=True)
    (here.root / "allmemories/tea/likes_green_tea.md").write_text("It is green.\n")
    for clone in (here, there):
        git(clone.root, "add", "allmemories")
        git(clone.root, "commit", "--quiet", "-m", "tea")
    here.sync()
    before = head(git, hub)
    with pytest.raises(ConflictError, match="allmemories/tea is a file on one side and a folder on the other"):
        there.sync()
    assert head(git, hub) == before


@pytest.mark.parametrize("way", [("tea.md", "tea.md/cold.md"), ("tea.md/cold.md", "tea.md")])
def test_a_file_may_become_a_folder_and_a_folder_a_file(
    here: Clone, there: Clone, git: Git, way: tuple[str, str]
) -> None:
    """It said that the file was edited here, or stopped half way, at every sync again."""
    for name in way:
        git(here.root, "rm", "-r", "--quiet", "--ignore-unmatch", "allmemories")
        (here.root / "allmemories" / name).parent.mkdir(parents=True)
        (here.root / "allmemories" / name).write_text(f"It is {name}.\n")
        here.sync(commit_edits=True)
        there.sync()
        assert (there.root / "allmemories" / name).read_text() == f"It is {name}.\n"
        assert git(there.root, "status", "--porcelain") == ""


def test_a_folder_with_a_file_of_ones_own_does_not_become_a_file(here: Clone, there: Clone, git: Git) -> None:
    (here.root / "allmemories/tea.md").mkdir(parents=True)
    (here.root / "allmemories/tea.md/cold.md").write_text("Cold.\n")
    here.sync(commit_edits=True)
    there.sync()
    git(here.root, "rm", "-r", "--quiet", "allmemories")
    (here.root / "allmemories").mkdir()
    (here.root / "allmemories/tea.md").write_text("Tea.\n")
    here.sync(commit_edits=True)
    (there.root / "allmemories/tea.md/mine.txt").write_text("Mine.\n")
    with pytest.raises(ConflictError, match=r"tea\.md is edited here"):
        there.sync()
    assert (there.root / "allmemories/tea.md/mine.txt").read_text() == "Mine.\n"
    assert (there.root / "allmemories/tea.md/cold.md").read_text() == "Cold.\n"


@pytest.mark.parametrize("way", [("tea", "Tea"), ("Tea", "tea")])
def test_a_name_in_other_letters_keeps_its_note_on_a_disk_that_ignores_case(
    tmp_path: Path, here: Clone, there: Clone, git: Git, way: tuple[str, str]
) -> None:
    """The note was deleted from the folder, and then by `--commit-edits` for all.

    `pytest --basetemp=FOLDER` runs this on another disk.
    """
    (tmp_path / "a").write_text("")
    if not (tmp_path / "A").exists():
        pytest.skip("this disk tells capitals apart")
    here.note("x").parent.mkdir()
    here.note(way[0]).write_text("Tea is green.\n")
    here.sync(commit_edits=True)
    there.sync()
    git(here.root, "mv", f"allmemories/{way[0]}.md", f"allmemories/{way[1]}.md")
    git(here.root, "commit", "--quiet", "-m", "other letters")
    here.sync()
    there.sync()
    assert [path.stem for path in there.note("x").parent.iterdir()] == [way[1]]
    assert there.note(way[1]).read_text() == "Tea is green.\n"
    assert git(there.root, "status", "--porcelain") == ""


def test_two_names_that_a_disk_without_case_holds_as_one_stop_the_sync(
    here: Clone, there: Clone, git: Git
) -> None:
    """It said that another program had saved the file just now, at every sync again."""
    git(there.root, "config", "core.ignorecase", "true")
    here.note("x").parent.mkdir()
    here.note("tea").write_text("Tea.\n")
    here.sync(commit_edits=True)
    there.sync()
    if here.note("Tea").exists():
        pytest.skip("the other side ignores case, too")
    here.note("Tea").write_text("Another.\n")
    here.sync(commit_edits=True)
    with pytest.raises(ConflictError, match=r"tea\.md and allmemories/Tea\.md are one file on this disk"):
        there.sync()
    assert there.note("tea").read_text() == "Tea.\n"


def test_a_note_that_is_not_utf_8_loses_no_line(here: Clone, there: Clone, git: Git, commit: Commit) -> None:
    here.note(TEA).parent.mkdir()
    here.note(TEA).write_bytes(b"caf\xe9\n\nis hot\n")
    commit(folder=here.root)
    here.sync()
    there.sync()
    for clone, line in ((here, b"from here\n"), (there, b"from there\n")):
        clone.note(TEA).write_bytes(clone.note(TEA).read_bytes() + line)
        git(clone.root, "commit", "--quiet", "--all", "-m", "more")
    here.sync()
    assert there.sync().conflicts == (f"allmemories/{TEA}.md",)
    merged = there.note(TEA).read_bytes()
    assert merged.startswith(b"caf\xe9\n\nis hot\n<<<<<<< ours\n")
    assert b"from here" in merged
    assert b"from there" in merged


@pytest.mark.usefixtures("tea")
def test_a_note_that_icloud_took_off_the_disk_is_not_deleted(here: Clone, hub: Path, git: Git) -> None:
    """Its place counted as a deletion, which the next sync brought to all."""
    place = here.note(TEA)
    place.rename(place.with_name(f".{place.name}.icloud"))
    report = here.sync(commit_edits=True)
    assert report.went == ()
    assert git(hub, "ls-tree", "-r", "--name-only", "main", "allmemories") == f"allmemories/{TEA}.md"
    here.vault.look_again()
    assert [record.name for record in here.vault.index.records()] == [TEA]


def test_histories_that_never_met_are_not_merged(tmp_path: Path, here: Clone, git: Git) -> None:
    git(tmp_path, "init", "--quiet", "-b", "main", "stranger")
    git(tmp_path / "stranger", "commit", "--quiet", "--allow-empty", "-m", "another")
    git(here.root, "remote", "add", "stranger", str(tmp_path / "stranger"))
    with pytest.raises(ConflictError, match="another history") as refused:
        here.sync(remote="stranger")
    assert "init --from" in refused.value.hint


# -- circuit breakers


def test_many_deletions_stop_and_ask(here: Clone, there: Clone, git: Git) -> None:
    for number in range(12):
        here.note(f"note_number_{number}").parent.mkdir(exist_ok=True)
        here.note(f"note_number_{number}").write_text(f"Note {number}.\n")
    here.sync(commit_edits=True)
    there.sync()
    for number in range(10):
        here.note(f"note_number_{number}").unlink()
    git(here.root, "commit", "--quiet", "-am", "gone")
    with pytest.raises(StoppedError, match=r"delete 10 of 12 notes on origin"):
        here.sync()
    git(here.root, "push", "--quiet")
    with pytest.raises(StoppedError, match=r"delete 10 of 12 notes here"):
        there.sync()
    assert there.note("note_number_1").exists()
    there.sync(allow_loss=True)
    assert not there.note("note_number_1").exists()


def test_moving_all_notes_is_no_deletion(here: Clone, there: Clone, mdmem: Run) -> None:
    for number in range(12):
        here.remember(f"Number {number} is {'very ' * number} large.", f"this_is_note_number_{number}")
    here.sync()
    there.sync()
    mdmem("layout", "month", "--vault", here.root)
    assert {change.kind for change in here.sync().went} == {"renamed"}
    there.sync()


@pytest.mark.usefixtures("tea")
def test_rewritten_history_stops_and_asks(here: Clone, there: Clone, git: Git) -> None:
    git(here.root, "commit", "--quiet", "--amend", "-m", "another past")
    git(here.root, "push", "--quiet", "--force")
    for _ in range(2):
        with pytest.raises(StoppedError, match="was rewritten"):
            there.sync()
    there.sync(allow_loss=True)
    assert there.sync().is_void
