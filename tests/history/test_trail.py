"""Which memory a change is about: git follows paths and likeness, a memory is its id."""

from __future__ import annotations

from pathlib import Path

import pytest

from mdmem.history import trail
from mdmem.store.git import log
from mdmem.store.git.log import FileChange
from mdmem.store.vault.vault import Vault
from tests.conftest import Commit, Git, Write

LONG = "".join(f"Paragraph {number} is here.\n\n" for number in range(12))
OLD, NEW = "allmemories/one_first_note.md", "allmemories/one_other_note.md"


def note(id: str, text: str = LONG) -> str:
    return f"---\nid: {id}\n---\n{text}"


def letters(changes: tuple[FileChange, ...]) -> list[tuple[str, str, str]]:
    return [(change.letter, change.old_path, change.path) for change in changes]


def newest(vault: Vault) -> log.Commit:
    return next(trail.commits(vault))


def test_one_id_is_a_rename_however_the_text_changed(
    vault: Vault, root: Path, write: Write, commit: Commit
) -> None:
    write(OLD, note("one"))
    commit()
    (root / OLD).unlink()
    write(NEW, note("one", "Nothing of it is left.\n"))
    commit()
    assert letters(newest(vault).changes) == [("R", OLD, NEW)]


@pytest.mark.parametrize(
    "text", ["No properties here.\n", note("other")], ids=["without an id", "with another id"]
)
def test_a_move_is_seen_though_its_old_path_is_in_use_again(
    vault: Vault, root: Path, write: Write, commit: Commit, text: str
) -> None:
    """To git that is one file that changed and one that is new."""
    write(OLD, note("one"))
    first = commit()
    (root / OLD).rename(root / NEW)
    write(OLD, text)
    moved = commit()
    assert set(letters(newest(vault).changes)) == {("R", OLD, NEW), ("A", OLD, OLD)}
    assert [step.oid for step in trail.follow(vault, NEW, "one", alive=True)] == [moved, first]


def test_another_memory_at_the_same_path_is_a_deletion_and_a_creation(
    vault: Vault, root: Path, write: Write, commit: Commit
) -> None:
    """The memory moved away, and another took its place, in a commit that deletes something, too."""
    gone = write("allmemories/gone_note_here.md", note("gone", "Short.\n"))
    write(OLD, note("one"))
    commit()
    gone.unlink()
    (root / OLD).rename(root / NEW)
    write(OLD, note("other", "Something else.\n"))
    commit()
    assert letters(newest(vault).changes) == [
        ("A", OLD, OLD),
        ("R", OLD, NEW),
        ("D", "allmemories/gone_note_here.md", "allmemories/gone_note_here.md"),
    ]


def test_a_memory_is_followed_through_renames_and_no_further(
    vault: Vault, root: Path, write: Write, commit: Commit
) -> None:
    """Before it was made, its path belonged to another memory, whose commits are not its own."""
    write(OLD, note("another"))
    commit()
    write(NEW, note("one"))
    made = commit()
    (root / OLD).unlink()
    commit()
    (root / NEW).rename(root / OLD)
    moved = commit()
    write(OLD, note("one", LONG + "More.\n"))
    revised = commit()
    vault.open_index().freshen()
    followed = [step.oid for step in trail.follow(vault, OLD, "one", alive=True)]
    assert followed == [revised, moved, made]


def test_the_index_tells_what_git_does(vault: Vault, root: Path, git: Git, write: Write, commit: Commit) -> None:
    """Most commits are told without comparing trees; not those that may have moved a file or changed a link."""
    first = {OLD: note("one"), NEW: note("two"), "allmemories/with_no_id_yet.md": LONG}
    for path, text in first.items():
        write(path, text)
    plain = [commit()]
    write(OLD, note("one", LONG + "more\n"))
    plain.append(commit())
    (root / NEW).unlink()
    plain.append(commit())
    git(root, "mv", "allmemories/with_no_id_yet.md", "allmemories/moved_by_hand_today.md")
    write("allmemories/moved_by_hand_today.md", LONG + "and edited\n")
    moved = commit()
    (root / "allmemories/link_to_a_note.md").symlink_to("one_first_note.md")
    write(OLD, note("one"))
    linked = commit()
    write("mdmem.toml", "# a comment\n")
    write(OLD, note("one", LONG + "beside the settings\n"))
    beside = commit()
    git(root, "checkout", "-q", "-b", "side", "HEAD~1")
    write("allmemories/written_on_a_branch.md", note("three"))
    plain.append(commit())
    git(root, "checkout", "-q", "-")
    git(root, "merge", "-q", "--no-edit", "side")

    told = list(trail.commits(vault))
    by_git = [one._replace(changes=trail.told_apart(vault, one.changes)) for one in log.commits(vault.repo)]
    assert told == by_git
    known = vault.whole_index.changes_in(one.oid for one in told)
    assert known.keys() >= set(plain)
    assert known.keys().isdisjoint({moved, linked, beside, git(root, "rev-parse", "HEAD")})
