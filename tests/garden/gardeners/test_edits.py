"""Edits that several gardeners make: files of one proposal, lists joined, links led elsewhere."""

from __future__ import annotations

import pytest

from mdmem.errors import StoppedError
from mdmem.garden.gardeners import edits, note
from mdmem.garden.gardeners.edits import Workspace
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.note import memory


def given(name: str, body: str = "Text.\n", **properties: object) -> Note:
    path = f"allmemories/{name}.md"
    data = memory.render({"id": memory.derived_id(path), "title": name.replace("_", " "), **properties}, body)
    return note.read(memory.parse(data, path), data)


def workspace(*notes: Note) -> Workspace:
    return Workspace(Ground(notes))


def text(work: Workspace, path: str) -> str:
    return (work.changed[path].after or b"").decode()


def test_edits_of_one_note_add_up_and_know_what_was_there_before() -> None:
    one = given("notes_on_the_port")
    work = workspace(one)
    work.set(one, topic="ports")
    work.add(one, "More of it.")
    work.add(one, "")
    edit = work.changed[one.path]
    assert edit.before == one.data
    assert "topic: ports" in text(work, one.path)
    assert work.body(one).strip() == "Text.\n\nMore of it."


def test_what_is_added_is_no_part_of_code_that_was_left_open() -> None:
    one = given("notes_on_the_port", "```\ncode\n")
    work = workspace(one)
    work.add(one, "Prose.")
    assert work.body(one).rstrip().endswith("```\n\nProse.")


@pytest.mark.parametrize("policy", ["never", "manual_only"])
def test_a_note_that_says_never_or_manual_only_is_not_removed(policy: str) -> None:
    one = given("notes_on_the_port", deletion_policy=policy)
    with pytest.raises(StoppedError, match=f"deletion_policy: {policy}"):
        workspace(one).write(one, None)


def test_links_follow_a_note_that_is_moved() -> None:
    one, other = given("notes_on_the_port"), given("map_of_the_ports", "See [[notes_on_the_port]].\n")
    work = workspace(one, other)
    work.move(one, "allmemories/notes_on_port_eighty.md")
    assert work.changed[one.path].after is None
    assert "[[notes_on_port_eighty]]" in text(work, other.path)
    assert "Text." in text(work, "allmemories/notes_on_port_eighty.md")


def test_links_of_notes_that_are_removed_or_kept_stay_as_they_are() -> None:
    one, kept, gone = (
        given("notes_on_the_port"),
        given("map_of_the_ports", "[[notes_on_the_port]]\n"),
        given("list_of_old_ports", "[[notes_on_the_port]]\n"),
    )
    work = workspace(one, kept, gone, given("ports_of_the_api"))
    work.write(gone, None)
    work.follow({one.path: "allmemories/ports_of_the_api.md"}, keep=[kept.path])
    assert set(work.changed) == {gone.path}


def test_joined_lists_hold_each_item_once_in_order() -> None:
    assert edits.joined(["b", "a"], ["a", "c"], []) == ["b", "a", "c"]


def test_a_union_grows_lists_and_drops_links_between_the_merged() -> None:
    older = given("notes_on_the_port", tags=["port"], related=["[[map_of_the_ports]]"])
    newer = given("map_of_the_ports", tags=["port", "api"], related=["[[list_of_old_ports]]"])
    union, _ = edits.merged(older, [newer])
    assert union["tags"] == ["port", "api"]
    assert union["related"] == ["[[list_of_old_ports]]"]


def test_single_properties_are_filled_and_what_differs_is_named() -> None:
    older = given("notes_on_the_port", project="api", importance=0.5)
    newer = given("map_of_the_ports", project="web", scope="team")
    assert edits.merged(older, [newer]) == ({"scope": "team"}, ["project web of map_of_the_ports"])
