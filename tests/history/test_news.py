"""What changed since an actor was last here: nothing missed, nothing of its own, whatever history did."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.errors import BusyError
from mdmem.history import news as seen
from mdmem.history.news import News, Reader
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git, Remember, Write

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def news(root: Path) -> Callable[..., News]:
    """What is new for an actor; the cursor moves to HEAD then."""

    def read(actor: str, session: str = "", left: datetime | None = None) -> News:
        with Vault(str(root)) as vault:
            cursor = seen.cursor(vault, actor)
            found = seen.news(vault, Reader(actor, session, left), cursor)
            assert cursor == vault.index.head or seen.move(vault, actor, vault.index.head, cursor)
            return found

    return read


def told(found: News) -> list[tuple[str, ...]]:
    return [(one.kind, one.name, *one.by) for one in found.changes]


def test_each_kind_of_change_is_told_with_who_did_it(
    root: Path, news: Callable[..., News], remember: Remember, git: Git, vault: Vault, write: Write
) -> None:
    for name in ("deploys_run_on_hopper", "team_meets_on_monday", "tea_is_at_four", "lunch_is_at_one"):
        remember(f"The text of {name}.", name, actor="ada")
    assert news("bob").since == ""
    git(root, "mv", "allmemories/lunch_is_at_one.md", "allmemories/lunch_is_at_noon.md")
    git(root, "commit", "-qm", "moved")
    remember(
        "Deploys run on turing.", "deploys_run_on_turing", actor="eve", supersedes=["[[deploys_run_on_hopper]]"]
    )
    with vault.change(Caller(NOW, "eve").does("deprecate")) as tx:
        place = "allmemories/deploys_run_on_hopper.md"
        tx.write(place, (tx.read(place) or b"").replace(b"category:", b"status: deprecated\ncategory:"))
        tx.delete("allmemories/tea_is_at_four.md")
    with vault.change(Caller(NOW, "zed").does("revise")) as tx:
        place = "allmemories/team_meets_on_monday.md"
        tx.write(place, (tx.read(place) or b"") + b"\nAt ten.\n")
    write("allmemories/saved_by_hand_just_now.md", "Not in git.\n")
    found = news("bob")
    assert set(told(found)) == {
        ("added", "saved_by_hand_just_now"),
        ("added", "deploys_run_on_turing", "eve"),
        ("superseded", "deploys_run_on_hopper", "eve"),
        ("removed", "tea_is_at_four", "eve"),
        ("revised", "team_meets_on_monday", "zed"),
        ("renamed", "lunch_is_at_noon", "Ada Lovelace"),
    }
    by_name = {one.name: one for one in found.changes}
    assert by_name["deploys_run_on_hopper"].other == "deploys_run_on_turing"
    assert by_name["lunch_is_at_noon"].other == "lunch_is_at_one"
    assert found.changes[0].name == "saved_by_hand_just_now"
    assert not found.changes[0].committed
    assert told(news("bob")) == [("added", "saved_by_hand_just_now")]  # until it is committed


def test_two_actors_have_a_cursor_each_and_their_own_writes_are_no_news(
    news: Callable[..., News], remember: Remember
) -> None:
    remember("One text of Ada.", "first_memory_of_ada", actor="ada")
    news("ada"), news("bob")
    remember("Two texts of Bob, made now.", "second_memory_of_bob", actor="bob", session="s-1")
    remember("Eve wrote this in the same session.", "third_memory_of_eve", actor="eve", session="s-1")
    assert told(news("ada")) == [("added", "third_memory_of_eve", "eve"), ("added", "second_memory_of_bob", "bob")]
    assert told(news("bob", "s-1")) == []
    assert told(news("ada")) == []


def test_what_another_changed_in_a_memory_of_mine_is_news(
    news: Callable[..., News], remember: Remember, vault: Vault
) -> None:
    news("bob"), remember("Mine at first.", "the_memory_is_mine", actor="bob")
    news("bob")
    for actor in ("eve", "bob"):
        with vault.change(Caller(NOW, actor).does("revise")) as tx:
            place = "allmemories/the_memory_is_mine.md"
            tx.write(place, (tx.read(place) or b"") + b"More.\n")
    assert told(news("bob")) == [("revised", "the_memory_is_mine", "eve")]


def test_what_a_person_commits_by_hand_is_news_to_an_agent_in_their_name(
    news: Callable[..., News], write: Write, commit: Commit
) -> None:
    news("Ada Lovelace")
    write("allmemories/written_in_an_editor.md", "Hello.\n")
    commit()
    assert told(news("Ada Lovelace")) == [("added", "written_in_an_editor", "Ada Lovelace")]


def test_what_came_and_went_is_not_told(news: Callable[..., News], remember: Remember, vault: Vault) -> None:
    news("bob")
    path = remember("Here today.", "here_today_gone_tomorrow", actor="eve")
    with vault.change(Caller(NOW, "eve").does("delete")) as tx:
        tx.delete(path)
    assert told(news("bob")) == []


def test_rewritten_history_is_said_and_nothing_is_told_twice(
    root: Path, news: Callable[..., News], remember: Remember, git: Git, vault: Vault
) -> None:
    remember("Seen before the rewrite.", "seen_before_the_rewrite", actor="eve")
    news("bob")
    git(root, "commit", "--amend", "-qm", "rewritten")
    remember("Written after the rewrite.", "written_after_the_rewrite", actor="eve")
    found = news("bob")
    assert "rewritten" in found.warning
    assert told(found) == [("added", "written_after_the_rewrite", "eve")]


def test_a_commit_that_is_gone_gives_way_to_the_date(
    root: Path, news: Callable[..., News], remember: Remember, git: Git, write: Write, commit: Commit
) -> None:
    days = ("2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z")
    for day, name in zip(days, ("an_old_note_here", "a_new_note_here"), strict=True):
        write(f"allmemories/{name}.md", f"The text of {name}.\n")
        commit(day, GIT_COMMITTER_DATE=day, GIT_AUTHOR_DATE=day)
    ref = root / ".git/refs/mdmem/seen/bob"
    ref.parent.mkdir(parents=True)
    git(root, "commit", "--amend", "-qm", "same day", GIT_COMMITTER_DATE=days[1])
    for left, names in ((datetime(2026, 1, 2, tzinfo=UTC), ["a_new_note_here"]), (None, [])):
        ref.write_text("1234567890" * 4 + "\n")
        found = news("bob", left=left)
        assert "12345678, is gone" in found.warning
        assert [one.name for one in found.changes] == names
    assert news("bob").warning == ""


@pytest.mark.parametrize("actor", ["", "a b", "../../heads/main", "x.lock", "ä/ö", "@{-1}", "-d", "B", "n" * 400])
def test_any_actor_has_a_cursor_that_no_other_shares(
    actor: str, news: Callable[..., News], remember: Remember, root: Path, git: Git
) -> None:
    before = git(root, "rev-parse", "HEAD")
    news(actor), news("b")
    remember("Something new for both.", "something_new_for_both", actor="eve")
    assert len(told(news(actor))) == len(told(news("b"))) == 1
    assert git(root, "for-each-ref", "--format=%(refname)", "refs/mdmem").count("\n") == 1
    assert before in git(root, "log", "--format=%H", "main")


def test_a_vault_in_a_larger_repository_hears_of_its_own_memories_alone(
    tmp_path: Path, git: Git, commit: Commit
) -> None:
    git(tmp_path, "init", "-q", "big")
    top, inner = tmp_path / "big", tmp_path / "big/notes/vault"
    (inner / "allmemories").mkdir(parents=True)
    (inner / "mdmem.toml").write_text('id = "inner"\n')
    commit(folder=top)
    with Vault(str(inner)) as vault:
        assert seen.move(vault, "bob", vault.index.head, "")
    (inner / "allmemories/inside_the_vault_now.md").write_text("In.\n")
    (top / "allmemories").mkdir()
    (top / "allmemories/outside_of_the_vault.md").write_text("Out.\n")
    commit(folder=top)
    with Vault(str(inner)) as vault:
        found = seen.news(vault, Reader("bob"), seen.cursor(vault, "bob"))
    assert told(found) == [("added", "inside_the_vault_now", "Ada Lovelace")]


def test_the_cursor_never_goes_back_behind_another_session(vault: Vault, remember: Remember) -> None:
    """Of two sessions of one actor the one that ends its start later must not hide what it has not shown."""
    remember("One thing is said.", "one_thing_is_said", actor="eve")
    first = vault.index.head
    assert seen.move(vault, "bob", first, "")
    remember("Two things are said.", "two_things_are_said", actor="eve")
    assert seen.move(vault, "bob", vault.repo.head()[0], first)
    assert not seen.move(vault, "bob", first, first)
    assert seen.cursor(vault, "bob") == vault.repo.head()[0]


@pytest.mark.parametrize(("age", "is_free"), [(600, True), (0, False)])
def test_a_lock_on_a_cursor_that_is_minutes_old_is_nobodys(
    vault: Vault, remember: Remember, root: Path, age: int, is_free: bool
) -> None:
    """One whose git was killed with the whole machine must not stop the agent's sessions for good."""
    remember("One thing is said.", "one_thing_is_said", actor="eve")
    lock = root / ".git/refs/mdmem/seen/bob.lock"
    lock.parent.mkdir(parents=True)
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - age,) * 2)
    with nullcontext() if is_free else pytest.raises(BusyError):
        assert seen.move(vault, "bob", vault.index.head, "")
    assert lock.exists() is not is_free


def test_a_file_that_cannot_be_read_as_a_note_is_not_told_as_removed(
    root: Path, news: Callable[..., News], remember: Remember
) -> None:
    place = remember("Readable for now.", "readable_for_now_only", actor="eve")
    news("bob")
    (root / place).write_bytes(b"\0\0")
    assert told(news("bob")) == []


def test_before_the_first_commit_of_a_branch_there_is_no_news(
    root: Path, news: Callable[..., News], remember: Remember, git: Git
) -> None:
    remember("Some text of Eve.", "some_text_of_eve", actor="eve")
    news("bob")
    git(root, "checkout", "-q", "--orphan", "empty")
    with Vault(str(root)) as vault:
        assert seen.news(vault, Reader("bob"), seen.cursor(vault, "bob")) == News("", None)


def test_a_link_that_goes_was_no_memory(root: Path, news: Callable[..., News], git: Git, commit: Commit) -> None:
    (root / "allmemories/a_link_to_elsewhere.md").symlink_to("nowhere")
    commit()
    news("bob")
    git(root, "rm", "-q", "allmemories/a_link_to_elsewhere.md"), git(root, "commit", "-qm", "gone")
    assert told(news("bob")) == []
