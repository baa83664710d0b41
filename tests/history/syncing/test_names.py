"""A name that was given to another memory: what the other side wrote goes to the memory it was written for."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.conftest import Git
from tests.history.syncing.conftest import Clone

IDS = {name: name * 8 for name in "abcdefghijk"}


def text_of(name: str, has_id: bool) -> str:
    """A note that tells by every line which one it is."""
    header = f"---\nid: {IDS[name]}\ntitle: Note {name}\n---\n\n" if has_id else ""
    return header + "".join(f"{name}: line {number} of it.\n\n" for number in range(4))


def begin(here: Clone, there: Clone, has_id: bool = True, names: str = "abc") -> None:
    """The same notes on both sides."""
    here.note("a").parent.mkdir(exist_ok=True)
    for name in names:
        here.note(name).write_text(text_of(name, has_id))
    here.sync(commit_edits=True)
    there.sync()


def shuffle(clone: Clone, moves: Mapping[str, str]) -> None:
    """Rename notes, all at once."""
    texts = {new: clone.note(old).read_text() for old, new in moves.items()}
    for old in moves:
        clone.note(old).unlink()
    for new, text in texts.items():
        clone.note(new).write_text(text)


def edit(clone: Clone, *names: str) -> None:
    for name in names:
        text = clone.note(name).read_text()
        clone.note(name).write_text(text.replace("line 2", "line two"))


def settled(here: Clone, there: Clone, git: Git) -> dict[str, str]:
    """What both sides come to hold: name -> text."""
    here.sync(commit_edits=True)
    there.sync(commit_edits=True)
    here.sync()
    assert git(here.root, "rev-parse", "HEAD") == git(there.root, "rev-parse", "HEAD")
    return {place.stem: place.read_text() for place in here.note("a").parent.glob("*.md")}


def edited(name: str, has_id: bool = True) -> str:
    return text_of(name, has_id).replace("line 2", "line two")


SWAP = {"a": "b", "b": "a"}
CHAIN = {"c": "d", "d": "e", "e": "x"}
RING = {"f": "g", "g": "h", "h": "f"}
REUSE = {"i": "y", "j": "i"}


@pytest.mark.parametrize("has_id", [True, False], ids=["ids", "no ids"])
@pytest.mark.parametrize("mover", ["first", "second"])
def test_an_edit_reaches_its_memory(here: Clone, there: Clone, git: Git, mover: str, has_id: bool) -> None:
    moves = {**SWAP, **CHAIN, **RING, **REUSE}
    begin(here, there, has_id, "".join(IDS))
    one, other = (here, there) if mover == "first" else (there, here)
    shuffle(one, moves)
    edit(other, "a", "b", "c", "d", "f", "i")
    texts = settled(here, there, git)
    wanted = {name: edited(name, has_id) if name in "abcdfi" else text_of(name, has_id) for name in IDS}
    assert texts == {moves.get(name, name): text for name, text in wanted.items()}


def test_both_sides_give_names_away(here: Clone, there: Clone, git: Git) -> None:
    """Where two memories want one name, the one that was pushed first keeps it."""
    begin(here, there)
    shuffle(here, SWAP)
    edit(here, "c")
    shuffle(there, {"b": "c", "c": "b"})
    edit(there, "a")
    texts = settled(here, there, git)
    assert texts == {"a": text_of("b", has_id=True), "b": edited("a"), "b_2": edited("c")}


def test_both_sides_swap_alike(here: Clone, there: Clone, git: Git) -> None:
    begin(here, there)
    for clone in (here, there):
        shuffle(clone, SWAP)
    edit(there, "a", "b")
    texts = settled(here, there, git)
    assert texts == {"a": edited("b"), "b": edited("a"), "c": text_of("c", has_id=True)}


def test_a_chain_here_and_another_name_there_leaves_one_of_each(here: Clone, there: Clone, git: Git) -> None:
    begin(here, there)
    shuffle(here, {"a": "b", "b": "d"})
    shuffle(there, {"a": "x"})
    texts = settled(here, there, git)
    assert sorted(texts.values()) == [text_of(name, has_id=True) for name in "abc"]
    assert texts["d"] == text_of("b", has_id=True)


@pytest.mark.parametrize("taker", ["first", "second"])
def test_a_memory_whose_name_was_taken_after_its_deletion_keeps_its_edit(
    here: Clone, there: Clone, git: Git, taker: str
) -> None:
    begin(here, there)
    one, other = (here, there) if taker == "first" else (there, here)
    newcomer = text_of("a", has_id=True).replace("a: ", "new: ").replace(IDS["a"], "nnnnnnnn")
    one.note("a").write_text(newcomer)
    edit(other, "a")
    texts = settled(here, there, git)
    assert sorted([texts["a"], texts["a_2"]]) == sorted([newcomer, edited("a")])


def test_a_deleted_memory_does_not_become_a_new_one_like_it(here: Clone, there: Clone, git: Git) -> None:
    """Likeness never outweighs an id."""
    begin(here, there)
    here.note("d").write_text(text_of("a", has_id=True).replace(IDS["a"], "nnnnnnnn"))
    here.note("a").unlink()
    edit(there, "a")
    texts = settled(here, there, git)
    assert texts["a"] == edited("a")
    assert "nnnnnnnn" in texts["d"]
    assert "line 2" in texts["d"]
