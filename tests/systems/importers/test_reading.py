"""Notes of old memory trees: dates as people wrote them, names, links, and texts byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import NoteError
from mdmem.note import header, memory, naming
from mdmem.systems import intake
from mdmem.systems.importers import legacy, values
from mdmem.systems.importers.linking import TreeRelinker

HEADERS = st.sampled_from(
    [
        "",
        "# Title\n\n**Created:** 2026-02-08 14:05\n**Category:** past\n**Tags:** [a, b]\n\n---\n",
        "# Title\r\n**Created:** Feb 8, 2026\r\n**Tags:** #a #b\r\n---\r\n",
        "\ufeff# T: x\n**Created:** never\n**Mood:** fine\n**Category:** [Present]\n\n",
        "---\ntitle: X\ncreated: 2026/2/8\ntags: a, b\n---\n",
        "---\r\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\r\n---\r\n",
    ]
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=60) | st.lists(
    st.sampled_from(["text", "\r\n", "\n", "\r", "---\n", "**Tags:** x\n", "# H\n", " ", "- a: b\n", "\ufeff"]),
    max_size=8,
).map("".join)


@given(HEADERS, TEXTS)
def test_no_byte_of_a_text_is_lost(head_text: str, text: str) -> None:
    data = (head_text + text).encode()
    note = memory.parse(data, "note.md")
    head = header.split(memory.decode(data, "note.md"), "note.md")
    try:
        new = legacy.converted(data, note, "0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b12")
    except NoteError:
        return  # what cannot be read is left where it is
    text_before = memory.decode(data, "note.md")[head.body_start :]
    assert new.decode().endswith(text_before)
    after = memory.parse(new, "note.md")
    assert after.body.lstrip("\n") == note.body.lstrip("\n")
    assert {**note.meta, **after.meta}.keys() == after.meta.keys()


@pytest.mark.parametrize(
    ("written", "moment"),
    [
        ("2026-02-08 14:05", "2026-02-08T14:05:00Z"),
        ("2026-02-08", "2026-02-08T00:00:00Z"),
        ("2026-2-8 9:05", "2026-02-08T09:05:00Z"),
        ("2026/02/08 14:05:06", "2026-02-08T14:05:06Z"),
        ("2026-02-08T14:05:00.123+01:00", "2026-02-08T13:05:00Z"),
        ("Feb 8, 2026 2:05 PM", "2026-02-08T14:05:00Z"),
        ("8 February 2026, 12:05 am", "2026-02-08T00:05:00Z"),
        ("Sunday, 8 February 2026", "2026-02-08T00:00:00Z"),
        ("08.02.2026", "2026-02-08T00:00:00Z"),
        ("2026-02-08 (revised)", "2026-02-08T00:00:00Z"),
        ("08/02/2026", ""),
        ("{YYYY-MM-DD HH:MM}", ""),
        ("February 2026", ""),
        ("2026-02-31", ""),
        ("", ""),
    ],
)
def test_dates_as_people_wrote_them(written: str, moment: str) -> None:
    assert values.moment(written) == moment


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("user_prefers_tables.md", "x", "user_prefers_tables"),
        ("User-Prefers Tables.MD", "x", "user_prefers_tables"),
        ("notes/User__prefers_the_Tables.md", "x", "user_prefers_the_tables"),
        ("memory1.md", "# User likes green tea\n", "user_likes_green_tea"),
        ("stuff.md", "Deploy on Friday.", "stuff_deploy_friday"),
    ],
)
def test_names_are_mended_no_more_than_needed(path: str, text: str, name: str) -> None:
    note = memory.parse(text.encode(), path)
    assert intake.new_name(Path(path).stem, note.title, note.body, lambda _: False) == name


@given(st.text(min_size=1, max_size=60).filter(lambda name: "/" not in name), TEXTS, st.sets(st.text(max_size=9)))
def test_every_new_name_is_good_and_free(name: str, text: str, taken: set[str]) -> None:
    note = memory.parse(text.encode(), f"{name}.md")
    found = intake.new_name(name, note.title, note.body, lambda one: one in taken or one == name)
    assert not [finding for finding in naming.check(found) if finding.severity == "error"]
    assert found not in taken


def test_links_follow_in_every_form() -> None:
    moves = {
        "Old Name.md": "allmemories/good_old_name.md",
        "sub/b.md": "allmemories/2026/02/name_of_b.md",
        "sub/Twice.md": "allmemories/name_twice_one.md",
        "Twice.md": "allmemories/name_twice_two.md",
        "same_good_name.md": "allmemories/same_good_name.md",
    }
    relinker = TreeRelinker(moves)
    text = (
        '[[Old Name]] [[old name#part|alias]] ![[sub/b]] [[b.md]] [x](sub/b.md) [y](<Old Name.md> "t") '
        "[z](Old%20Name.md)\n"
        "[[Elsewhere]] [w](pic.png) [[same_good_name]] [v](same_good_name.md) `[[Old Name]]` [[Twice]] "
        "[[x/Twice]]\n"
    )
    assert relinker.relinked(text.encode(), "Old Name.md").decode() == (
        "[[good_old_name]] [[good_old_name#part|alias]] ![[name_of_b]] [[name_of_b.md]] [x](2026/02/name_of_b.md) "
        '[y](<good_old_name.md> "t") [z](good_old_name.md)\n'
        "[[Elsewhere]] [w](pic.png) [[same_good_name]] [v](same_good_name.md) `[[Old Name]]` "
        "[[name_twice_two]] [[x/Twice]]\n"
    )
    assert relinker.relinked(b"[up](../Twice.md) [[./b]] [b](b.md)", "sub/b.md") == (
        b"[up](../../name_twice_two.md) [[./name_of_b]] [b](name_of_b.md)"
    )
    assert relinker.left == []


def test_a_link_that_may_mean_two_notes_is_left_and_told() -> None:
    relinker = TreeRelinker({"a/Same.md": "allmemories/one_of_two.md", "b/Same.md": "allmemories/two_of_two.md"})
    assert relinker.relinked(b"[[Same]] [[b/same]]", "a/Same.md") == b"[[Same]] [[two_of_two]]"
    (told,) = relinker.left
    assert (told.path, told.message) == (
        "a/Same.md",
        "the link to Same may mean a/Same.md, b/Same.md; it is left as it was",
    )
