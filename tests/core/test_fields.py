"""Editing a field touches that field's lines and no other byte."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.core import fields, yaml12
from mdmem.core.memory import BOM, parse
from mdmem.errors import NoteError

NOTE = """---
# top comment
id: 0192   # my id
title: 'It''s "old"'
tags:   # the tags
  - a # first
  # about b
  - b
flow: [x,  y] # fl
empty:
literal: |
  line
  # not a comment

# tail comment
conf: 0.90
nested:
  a: 1
"quoted key": "v"
---

body
no newline at the end"""


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """(lines gone, lines new), by position from both ends."""
    old, new = before.split("\n"), after.split("\n")
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        ({"id": "new"}, ["id: 0192   # my id"], ["id: new   # my id"]),
        ({"title": "New's"}, ["title: 'It''s \"old\"'"], ["title: 'New''s'"]),
        ({"tags": ["a", "b", "c"]}, [], ["  - c"]),
        ({"tags": ["a"]}, ["  # about b", "  - b"], []),
        ({"tags": ["b"]}, ["  - a # first"], []),
        ({"flow": ["x", "z, w"]}, ["flow: [x,  y] # fl"], ['flow: [x, "z, w"] # fl']),
        ({"empty": "v"}, ["empty:"], ["empty: v"]),
        ({"literal": "one"}, ["literal: |", "  line", "  # not a comment"], ["literal: one"]),
        ({"literal": None}, ["literal: |", "  line", "  # not a comment"], []),
        ({"conf": 0.5}, ["conf: 0.90"], ["conf: 0.5"]),
        ({"nested": None}, ["nested:", "  a: 1"], []),
        ({"quoted key": "w"}, ['"quoted key": "v"'], ['"quoted key": "w"']),
        ({"new": "last"}, [], ["new: last"]),
        ({"missing": None}, [], []),
    ],
    ids=lambda value: str(value)[:30],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("bom", [b"", BOM], ids=["plain", "bom"])
def test_only_the_fields_own_lines_change(
    change: dict[str, yaml12.Value], gone: list[str], new: list[str], eol: str, bom: bytes
) -> None:
    before = bom + NOTE.replace("\n", eol).encode()
    after = fields.set_fields(before, change, "x.md")
    assert after.startswith(bom)
    text = after.removeprefix(bom).decode()
    assert text.count("\n") == text.count(eol)
    assert changed_lines(NOTE, text.replace("\r\n", "\n")) == (gone, new)


keys = st.sampled_from(["id", "title", "tags", "created", "note x", "k1", "é"])
plain = (
    st.none()
    | st.booleans()
    | st.integers(-999, 10**6)
    | st.sampled_from([0.5, 0.9, 12.25, "007", "1.10", "no", "12:30", "a: b", "# x", "- y", "[[l]]"])
    | st.text(max_size=12)
)
some_values = plain | st.lists(plain, max_size=4) | st.dictionaries(st.sampled_from("abc"), plain, max_size=2)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    """A frontmatter block in all the styles people use, with comments and blank lines between."""
    noise = st.sampled_from(["", "# comment\n", "\n", "  # indented\n"])
    text = draw(noise)
    for key in draw(st.lists(keys, unique=True, max_size=6)):
        value, style = draw(some_values), draw(st.sampled_from(["block", "flow", "literal", "single"]))
        if style == "flow" and isinstance(value, list):
            text += f"{key}: {yaml12.flow_list(value)}" + draw(st.sampled_from(["", " # c"])) + "\n"
        elif style == "literal" and isinstance(value, str) and value.strip() and value.isprintable():
            text += f"{key}: |\n  {value.strip()}\n  # in\n"
        elif style == "single" and isinstance(value, str) and value.isprintable():
            text += f"{key}: '{value.replace(chr(39), chr(39) * 2)}'  # q\n"
        else:
            text += "".join(line + "\n" for line in yaml12.lines(key, value))
        text += draw(noise)
    return text


@given(
    blocks(),
    st.dictionaries(keys, some_values, max_size=3),
    st.booleans(),
    st.booleans(),
    st.text(alphabet="ab\n# -:é", max_size=20),
)
def test_any_edit_keeps_every_other_property_and_the_body(
    block: str, change: dict[str, yaml12.Value], crlf: bool, bom: bool, body: str
) -> None:
    text = f"---\n{block}---\n{body}"
    before = (BOM if bom else b"") + (text.replace("\n", "\r\n") if crlf else text).encode()
    note = parse(before, "x.md")
    try:
        after = fields.set_fields(before, change, "x.md")
    except NoteError:  # an indented comment below a literal block would become part of it: refused, not damaged
        assert "|" in block
        assert "# indented" in block
        return
    edited = parse(after, "x.md")
    kept = {key: value for key, value in note.meta.items() if key not in change}
    assert dict(edited.meta) == kept | {key: value for key, value in change.items() if value is not None}
    assert edited.body == note.body
    assert after.count(b"# comment") == before.count(b"# comment")
    assert fields.set_fields(after, change, "x.md") == after
    added = {key: None for key in change if key not in note.meta}
    if added.keys() == change.keys():
        assert fields.set_fields(after, added, "x.md") == before


LEGACY = "# Title here #\n\n**Created:** 2026-02-08 14:05  \n**Category:** past\n**Tags:** [a, b]\n\n---\n\nbody\n"


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        ({"category": "future"}, ["**Category:** past"], ["**Category:** future"]),
        ({"tags": ["x"]}, ["**Tags:** [a, b]"], ["**Tags:** [x]"]),
        ({"status": "deprecated"}, [], ["**Status:** deprecated"]),
        ({"title": "Other"}, ["# Title here #"], ["# Other #"]),
        ({"created": None}, ["**Created:** 2026-02-08 14:05  "], []),
    ],
)
def test_a_legacy_header_keeps_its_form(change: dict[str, yaml12.Value], gone: list[str], new: list[str]) -> None:
    after = fields.set_fields(LEGACY.encode(), change, "x.md").decode()
    assert changed_lines(LEGACY, after) == (gone, new)
    assert parse(after.encode(), "x.md").form == "bold"


def test_a_note_without_header_gets_one_above_its_bytes() -> None:
    before = BOM + b"# Mine\r\n\r\ntext"
    after = fields.set_fields(before, {"id": "x"}, "x.md")
    assert after == BOM + b"---\r\nid: x\r\n---\r\n\r\n# Mine\r\n\r\ntext"


def test_adopting_a_legacy_header_keeps_the_body_bytes() -> None:
    after = fields.to_frontmatter(LEGACY.encode(), {"id": "z", "title": "never"}, "x.md")
    note = parse(after, "x.md")
    assert (note.form, note.title, note.id, note.tags) == ("frontmatter", "Title here", "z", ("a", "b"))
    assert after.endswith(b"---\n\nbody\n")


def test_adopting_fills_only_what_is_missing() -> None:
    before = b"---\ntitle: Mine # keep\n---\nx"
    after = fields.to_frontmatter(before, {"id": "z", "title": "other"}, "x.md")
    assert after == b"---\ntitle: Mine # keep\nid: z\n---\nx"


@pytest.mark.parametrize(
    "block",
    ["a: &x 1\nb: 2", "a: 1\na: 2", "{a: 1}", "a: [1"],
    ids=["anchor", "twice", "flow", "broken"],
)
def test_headers_too_unusual_are_refused_with_a_fix(block: str) -> None:
    with pytest.raises(NoteError) as caught:
        fields.set_fields(f"---\n{block}\n---\n".encode(), {"new": 1}, "x.md")
    assert caught.value.problem.fix


def test_body_is_replaced_and_appended_in_the_files_line_ends() -> None:
    before = b"---\r\na: 1 # c\r\n---\r\n\r\nold"
    assert fields.set_body(before, "new\ntext", "x.md") == b"---\r\na: 1 # c\r\n---\r\n\r\nnew\r\ntext\r\n"
    assert fields.append_body(before, "more", "x.md") == before + b"\r\n\r\nmore\r\n"
    assert fields.append_body(b"x\n", "more", "x.md") == b"x\n\nmore\n"


PROJECT = Path(__file__).parents[2]
MAKE_VAULT = PROJECT.parent / "shared" / "eval" / "make_vault.py"


def one_line_more(data: bytes, path: str) -> None:
    """Adding a property adds its line and no more; removing it gives the same bytes again."""
    after = fields.set_fields(data, {"zz_test": "on"}, path)
    assert changed_lines(data.decode(), after.decode()) == ([], ["zz_test: on"])
    assert fields.set_fields(after, {"zz_test": None}, path) == data


@pytest.mark.parametrize("path", sorted(PROJECT.glob("vault/allmemories/*.md")), ids=lambda path: path.stem)
def test_starter_notes_change_by_one_line(path: Path) -> None:
    one_line_more(path.read_bytes(), path.name)


@pytest.mark.skipif(not MAKE_VAULT.exists(), reason="the evaluation conversations are not beside the project")
@pytest.mark.parametrize("unit", ["observation", "session"])
def test_notes_of_real_conversations_change_by_one_line(unit: str, tmp_path: Path) -> None:
    sources = sorted((MAKE_VAULT.parent / "locomo_dev").glob("*.json"))[:2]
    subprocess.run(
        [sys.executable, MAKE_VAULT, *sources, tmp_path, "--unit", unit], check=True, capture_output=True
    )
    notes = sorted((tmp_path / "vault").glob("*.md"))
    assert notes
    for path in notes:
        one_line_more(path.read_bytes(), path.name)
