"""Editing a field touches that field's lines and no other byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import NoteError, UsageError
from mdmem.note import blocks as markdown
from mdmem.note import fields, memory, yamltext
from mdmem.note.memory import BOM, MAX_BYTES, parse
from tests.shaped import parsed, rendered

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
    ],
    ids=lambda value: str(value)[:30],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("bom", [b"", BOM], ids=["plain", "bom"])
def test_only_the_fields_own_lines_change(
    change: dict[str, yamltext.Value], gone: list[str], new: list[str], eol: str, bom: bytes
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
            text += f"{key}: {yamltext.flow_list(value)}" + draw(st.sampled_from(["", " # c"])) + "\n"
        elif style == "literal" and isinstance(value, str) and value.strip() and value.isprintable():
            text += f"{key}: |\n  {value.strip()}\n  # in\n"
        elif style == "single" and isinstance(value, str) and value.isprintable():
            text += f"{key}: '{value.replace(chr(39), chr(39) * 2)}'  # q\n"
        else:
            text += "".join(line + "\n" for line in yamltext.lines(key, value))
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
    block: str, change: dict[str, yamltext.Value], crlf: bool, bom: bool, body: str
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


def test_an_unquoted_link_is_replaced_within_its_brackets() -> None:
    after = fields.set_fields(b"---\nsee: [[x]] # why\n---\n", {"see": ["y"]}, "x.md")
    assert after == b"---\nsee: [y] # why\n---\n"


LEGACY = "# Title here #\n\n**Created:** 2026-02-08 14:05  \n**Category:** past\n**Tags:** [a, b]\n\n---\n\nbody\n"


@pytest.mark.parametrize(
    ("change", "gone", "new"),
    [
        ({"category": "future"}, ["**Category:** past"], ["**Category:** future"]),
        ({"tags": ["x"]}, ["**Tags:** [a, b]"], ["**Tags:** [x]"]),
        ({"status": "deprecated"}, [], ["**Status:** deprecated"]),
        ({"title": "Other"}, ["# Title here #"], ["# Other #"]),
        ({"title": "[draft] {x}"}, ["# Title here #"], ["# [draft] {x} #"]),
        ({"created": None}, ["**Created:** 2026-02-08 14:05  "], []),
    ],
)
def test_a_legacy_header_keeps_its_form(
    change: dict[str, yamltext.Value], gone: list[str], new: list[str]
) -> None:
    after = fields.set_fields(LEGACY.encode(), change, "x.md").decode()
    assert changed_lines(LEGACY, after) == (gone, new)
    assert parse(after.encode(), "x.md").form == "bold"


@pytest.mark.parametrize("value", [{"a": 1}, [["a"]]])
def test_nested_values_do_not_fit_a_legacy_header(value: yamltext.Value) -> None:
    with pytest.raises(NoteError) as caught:
        fields.set_fields(LEGACY.encode(), {"decay": value}, "x.md")
    assert "mdmem adopt" in caught.value.hint


def test_a_note_without_header_gets_one_above_its_bytes() -> None:
    before = BOM + b"# Mine\r\n\r\ntext"
    after = fields.set_fields(before, {"id": "x"}, "x.md")
    assert after == BOM + b"---\r\nid: x\r\n---\r\n\r\n# Mine\r\n\r\ntext"


def test_adopting_a_legacy_header_keeps_the_body_bytes() -> None:
    after = fields.to_frontmatter(LEGACY.encode(), {"id": "z", "title": "never"}, "x.md")
    note = parse(after, "x.md")
    assert (note.form, note.title, note.id, note.tags) == ("frontmatter", "Title here", "z", ("a", "b"))
    assert after.endswith(b"---\n\nbody\n")


def test_adopting_drops_no_text_of_a_legacy_header() -> None:
    text = (
        "# Title [x]\n\n**Created:**\n**Category:** [past/future]\n**Tags:** [#a, 'b c', d] \n**Map:** {a: 1}\n"
        '**Said:** "quoted" and more # not a comment\n**See:** [[x_y]]\n**Related:** [[a_b]], [[c_d|C]]\n'
        "**Bad:** [a, b\n\n**Note:** of the body\n"
    )
    after = fields.to_frontmatter(text.encode(), {"id": "z", "created": "2026-02-08"}, "x.md")
    note = parse(after, "x.md")
    assert dict(note.meta) == {
        "id": "z",
        "title": "Title [x]",
        "created": "2026-02-08T00:00:00Z",
        "category": ["past/future"],
        "tags": ["a", "b c", "d"],
        "map": "{a: 1}",
        "said": '"quoted" and more # not a comment',
        "see": "[[x_y]]",
        "related": ["[[a_b]]", "[[c_d|C]]"],
        "bad": "[a, b",
    }
    assert note.body == "\n**Note:** of the body\n"


def test_adopting_keeps_a_deprecated_line_above_a_legacy_header_and_its_date_has_the_usual_form() -> None:
    notice = "DEPRECATED: See valid architecture in [new_file]"
    text = f"{notice}\n\n# Title\n\n**Created:** 2026-02-08 14:05\n\n---\n\nOld text.\n"
    after = fields.to_frontmatter(text.encode(), {"id": "z"}, "x.md")
    note = parse(after, "x.md")
    assert note.text("created") == "2026-02-08T14:05:00Z"
    assert (note.status, note.strings("superseded_by")) == ("deprecated", ("[[new_file]]",))
    assert note.body == f"\n{notice}\n\nOld text.\n"


bodies = st.text(alphabet="ab\n\r #-*:`<=>[]é\ufeff", max_size=40)
labels = st.sampled_from(["Created", "Category", "Tags", "Last seen", "Map", "X"])
legacy_values = st.text(alphabet="ab[]{}\"',:#|- é", max_size=12)


@given(st.lists(st.tuples(labels, legacy_values, st.booleans()), min_size=1, max_size=5), st.booleans(), bodies)
def test_any_legacy_header_is_adopted_with_every_word(
    pairs: list[tuple[str, str, bool]], rule: bool, body: str
) -> None:
    text = "# Title\n\n" + "".join(f"{chr(10) * gap}**{label}:** {value}\n" for label, value, gap in pairs)
    before = (text + "\n---\n" * rule + "\n" + body).encode()
    note = parse(before, "x.md")
    try:
        after = parse(fields.to_frontmatter(before, {"id": "z"}, "x.md"), "x.md")
    except NoteError as error:
        note = parse(before, "x.md")
        assert error.problem in note.problems  # noqa: PT017 - refused for what was wrong before
        return
    assert after.form == "frontmatter"
    whole = str(dict(after.meta)) + after.body
    for _, value, _ in pairs:
        for word in "".join(char if char.isalnum() else " " for char in value).split():
            assert word in whole
    assert after.body.strip("\n") == note.body.strip("\n")


def test_removing_what_is_not_there_changes_nothing() -> None:
    for note in HEADERS.values():
        assert fields.set_fields(note.encode(), {"missing": None}, "x.md") == note.encode()


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
    assert fields.set_body(b"---\na: 1\n---\n\nold\n", "", "x.md") == b"---\na: 1\n---\n"


NOTES = {
    "frontmatter": "---\r\na: 1\r\n---\r\n\r\nold\r\n",
    "open end": "---\na: 1\n---",
    "bold": "# T\n\n**Created:** 2026-02-08\n**Tags:** [a]\n\n---\n\nold\n",
    "bold without rule": "# T\n\n**Created:** 2026-02-08\n\nold\n",
    "none": "old\n",
    "empty": "",
}
FORGED = {
    "properties": "---\nid: forged\n---\n\ntext",
    "open properties": "---\nid: forged\ntext",
    "late properties": "\n\n---\nid: forged\n---\n",
    "legacy header": "# Title\n\n**Created:** 2020-01-01\n\ntext",
    "NUL": "a\0b",
    "too large": "x" * (MAX_BYTES + 1),
    "not UTF-8": "caf\udce9",
    "conflict": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b",
}


@pytest.mark.parametrize("note", NOTES.values(), ids=NOTES)
@pytest.mark.parametrize("body", FORGED.values(), ids=FORGED)
def test_no_body_changes_the_header_or_hides_the_note(note: str, body: str) -> None:
    for edit in (fields.set_body, fields.append_body):
        try:
            after = edit(note.encode(), body, "x.md")
        except UsageError:
            continue
        old, new = parse(note.encode(), "x.md"), parse(after, "x.md")
        assert (new.form, new.meta, new.problems) == (old.form, old.meta, ())
        assert new.body.endswith(body.strip("\n") + "\n")


@pytest.mark.parametrize(
    ("note", "body"),
    [
        ("none", "properties"),
        ("none", "open properties"),
        ("none", "legacy header"),
        ("frontmatter", "properties"),
        ("bold", "NUL"),
        ("empty", "too large"),
        ("frontmatter", "not UTF-8"),
        ("none", "conflict"),
    ],
)
def test_a_body_that_would_not_read_back_is_refused(note: str, body: str) -> None:
    with pytest.raises(UsageError) as caught:
        fields.set_body(NOTES[note].encode(), FORGED[body], "x.md")
    assert caught.value.hint


def test_a_rule_is_no_body_of_a_legacy_header_that_has_none() -> None:
    """It would close the header and vanish from the text."""
    with pytest.raises(UsageError):
        fields.set_body(NOTES["bold without rule"].encode(), "---\ntext", "x.md")


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\rb", "\ufeffa\nb", "\r\n\r\na\r\nb\r\n"])
def test_a_given_text_takes_on_the_line_ends_of_the_file(text: str) -> None:
    assert fields.set_body(b"old\r\n", text, "x.md") == b"a\r\nb\r\n"
    assert fields.set_body(b"old\n", text, "x.md") == b"a\nb\n"
    assert fields.append_body(b"old\r\n", text, "x.md") == b"old\r\n\r\na\r\nb\r\n"
    assert fields.append_body(b"", text, "x.md") == b"a\nb\n"


@given(st.sampled_from(sorted(NOTES)), bodies)
def test_a_body_that_is_set_reads_back(name: str, body: str) -> None:
    before = NOTES[name].encode()
    try:
        after = fields.set_body(before, body, "x.md")
    except UsageError:
        return
    wanted = (
        body.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").strip("\n") if body.strip() else ""
    )
    assert parse(after, "x.md").body.strip("\n") == wanted
    assert dict(parse(after, "x.md").meta) == dict(parse(before, "x.md").meta)
    assert fields.set_body(after, body, "x.md") == after


@given(st.sampled_from(sorted(NOTES)), bodies)
def test_what_is_appended_leaves_every_byte_before_it(name: str, body: str) -> None:
    before = NOTES[name].encode()
    try:
        after = fields.append_body(before, body, "x.md")
    except UsageError:
        return
    assert after.startswith(before)
    assert dict(parse(after, "x.md").meta) == dict(parse(before, "x.md").meta)


@given(st.sampled_from(sorted(NOTES)), bodies, st.sampled_from(["", "\r"]))
def test_a_piece_that_is_swapped_leaves_every_other_byte(name: str, new: str, cr: str) -> None:
    before = f"{NOTES[name]}\n\nthe PIECE\nstands here".replace("\n", f"{cr}\n").encode()
    first, last = before.split(f"PIECE{cr}\nstands".encode())
    try:
        after = fields.swap_in_body(before, "PIECE\nstands", new, "x.md")
    except UsageError:
        return
    assert after.startswith(first)
    assert after.endswith(last)
    assert dict(parse(after, "x.md").meta) == dict(parse(before, "x.md").meta)


HEADERS = {
    "comments": "---\n# top\ntitle: T # why\ntags:\n  - a # first\n\n# tail\n---\n\nbody\n",
    "quotes": "---\ntitle: 'It''s'\n\"odd key\": \"v\"\nflow: [a,  b]\n---\nbody",
    "nested": "---\ndecay:\n  curve: x # c\nprovenance:\n  - kind: event\n    ref: x\ntitle: >-\n  a\n---\n",
    "empty": "---\n---\nbody\n",
    "bold": "# Title\n\n**Created:** 2026-02-08 14:05  \n**Tags:** [a, b]\n\n---\n\nbody\n",
    "bold with gaps": "# Title\n\n**Created:** 2026-02-08\n\n**Last seen:** now\n\n---\nbody",
    "bold without rule": "# Title\n**Category:** past\n\n**No field:** of the header\n",
    "none": "just text\n",
    "heading": "# Heading\n\ntext",
}
CHANGES = ["title", "tags", "created", "decay", "flow", "last_seen", "category", "confidence", "new"]


@given(
    st.sampled_from(sorted(HEADERS)),
    st.sampled_from(CHANGES),
    some_values,
    st.booleans(),
    st.booleans(),
)
def test_setting_a_field_of_any_file_touches_its_own_lines(
    name: str, key: str, value: yamltext.Value, crlf: bool, bom: bool
) -> None:
    eol = "\r\n" if crlf else "\n"
    before = (BOM if bom else b"") + HEADERS[name].replace("\n", eol).encode()
    note = parse(before, "x.md")
    try:
        after = fields.set_fields(before, {key: value}, "x.md")
    except NoteError:  # the legacy form cannot hold everything
        assert note.form == "bold"
        return
    edited = parse(after, "x.md")
    rest = {other: was for other, was in note.meta.items() if other != key}
    assert {other: now for other, now in edited.meta.items() if other != key} == rest
    if note.form == "bold":  # it holds texts and lists of texts
        wanted = memory.as_text(value)
        assert edited.text(key) == (markdown.heading_text(wanted) if key == "title" else wanted)
    else:
        assert edited.meta.get(key) == value
    assert edited.body.strip("\n") == note.body.strip("\n")
    assert after.startswith(BOM) is bom
    assert after.count(b"\n") == after.count(eol.encode())
    old, new = before.decode().split(eol), after.decode().split(eol)
    others = [line for line in old if line in new]
    assert len(old) - len(others) <= {"tags": 2, "decay": 2, "title": 2}.get(key, 1)


PROJECT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("SHARED", PROJECT.parent / "shared"))
MAKE_VAULT = SHARED / "eval" / "make_vault.py"
OURS = sorted(path for folder in ("vault", "templates") for path in PROJECT.glob(f"{folder}/**/*.md"))


def one_line_more(data: bytes, path: str) -> None:
    """Adding a property adds its line and no more; removing it gives the same bytes again."""
    after = fields.set_fields(data, {"zz_test": "on"}, path)
    if parse(data, path).form == "none":
        assert after == b"---\nzz_test: on\n---\n\n" + data
        return
    assert changed_lines(data.decode(), after.decode()) == ([], ["zz_test: on"])
    assert fields.set_fields(after, {"zz_test": None}, path) == data


def codec_holds(path: Path) -> None:
    """Every operation of the codec on a file gives back what it should."""
    data = path.read_bytes()
    note = parse(data, path.name)
    if note.problems:
        assert all(problem.fix for problem in note.problems)
        return
    one_line_more(data, path.name)
    body = fields.set_body(data, note.body, path.name)
    assert parse(body, path.name).body.strip("\n") == note.body.strip("\n")
    data = parsed(note.body)
    text = rendered(data)
    assert parsed(text) == data
    assert rendered(parsed(text)) == text


@pytest.mark.parametrize("path", OURS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_notes_and_templates_of_ours(path: Path) -> None:
    codec_holds(path)


@pytest.mark.skipif(not SHARED.exists(), reason="the shared documents are not beside the project")
def test_documents_of_others() -> None:
    paths = sorted(SHARED.rglob("*.md"))
    assert paths
    for path in paths:
        codec_holds(path)


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
        codec_holds(path)
