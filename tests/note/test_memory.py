"""Reading notes in all their forms; writing new ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import NoteError
from mdmem.note import memory
from mdmem.note.memory import BOM, parse, render

NOTE = """---
id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11
title: User prefers structured output
created: 2026-02-08T15:05:00+01:00
category: past
type: preference
tags: [formatting, "#preferences", formatting]
confidence: 0.95
pinned: true
supersedes: ["[[user_prefers_plain_text]]"]
mine: kept
---

Bullets and tables.
"""
LEGACY = """# User Prefers Tables

**Created:** 2026-02-08 14:05
**Category:** past
**Tags:** [formatting, preferences]

---

Bullets and tables.
"""


@pytest.mark.parametrize(
    "data", [NOTE.encode(), BOM + NOTE.replace("\n", "\r\n").encode()], ids=["LF", "BOM, CRLF"]
)
def test_frontmatter(data: bytes) -> None:
    note = parse(data, "allmemories/user_prefers_structured_output.md")
    assert note.form == "frontmatter"
    assert note.name == "user_prefers_structured_output"
    assert note.title == "User prefers structured output"
    assert note.created == "2026-02-08T14:05:00Z"
    assert note.tags == ("formatting", "preferences")
    assert note.number("confidence") == 0.95
    assert note.flag("pinned")
    assert note.status == "active"
    assert note.meta["mine"] == "kept"
    assert note.has_id
    assert note.body == "\nBullets and tables.\n"
    assert NOTE.split("\n")[note.body_line] == "Bullets and tables."
    assert note.problems == ()


def test_legacy_header() -> None:
    note = parse(LEGACY.encode(), "a/user_prefers_tables.md")
    assert (note.form, note.title, note.created) == ("bold", "User Prefers Tables", "2026-02-08T14:05:00Z")
    assert note.tags == ("formatting", "preferences")
    assert note.text("category") == "past"
    assert note.body.strip() == "Bullets and tables."
    assert not note.has_id


def test_a_title_with_no_fields_is_no_legacy_header() -> None:
    note = parse(b"# Title\n\nText **bold:** word\n", "x.md")
    assert note.form == "none"
    assert note.title == "Title"
    assert note.body.startswith("# Title")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("DEPRECATED: See valid architecture in [new_file]\n\nOld text.", "deprecated"),
        ("Old text.\n\n**DEPRECATED:** See valid architecture in [[new_file]]", "deprecated"),
        ("> [!warning] DEPRECATED: See valid architecture in [[new_file]]", "deprecated"),
        ("```\ncode\n```\n> DEPRECATED: x", "deprecated"),
        ('To supersede, add "DEPRECATED: See ..." to the old file.', "active"),
        ("```\nDEPRECATED: See valid architecture in [new_file]\n```", "active"),
        ("> ```\n> DEPRECATED: old log\n> ```", "active"),
        ("- ```\n  DEPRECATED: old log\n  ```", "active"),
        ("Log:\n\n    DEPRECATED: old log", "active"),
        ("<!--\nDEPRECATED: use the other\n-->", "active"),
    ],
)
def test_the_legacy_mark_of_a_superseded_note_is_its_status(body: str, status: str) -> None:
    """Where a note says so of itself, and does not only show the mark."""
    assert parse(body.encode(), "x.md").status == status
    assert parse(f"---\nstatus: contested\n---\n{body}".encode(), "x.md").status == "contested"


_FIELDS = "**Created:** 2026-02-08 14:05\n**Category:** [Past]\n**Tags:** [a, b]\n\n---\n\nOld text.\n"


@pytest.mark.parametrize(
    "text",
    [
        f"DEPRECATED: See valid architecture in [new_file]\n\n# Title\n\n{_FIELDS}",
        f"> **DEPRECATED:** See valid architecture in [[new_file]]\n# Title\n\n{_FIELDS}",
        f"# Title\n\nDEPRECATED: See valid architecture in [new_file]\n\n{_FIELDS}",
    ],
)
def test_a_deprecated_line_above_a_legacy_header_hides_no_field(text: str) -> None:
    note = parse(text.encode(), "x.md")
    assert (note.form, note.title, note.created) == ("bold", "Title", "2026-02-08T14:05:00Z")
    assert (note.status, note.strings("superseded_by")) == ("deprecated", ("[[new_file]]",))
    assert (note.text("category"), note.tags, note.body) == ("past", ("a", "b"), "\nOld text.\n")


@pytest.mark.parametrize("written", ["[past]", "Past", "[Past]", "past"])
def test_the_category_of_a_legacy_header_in_the_forms_of_its_template(written: str) -> None:
    note = parse(f"# T\n**Created:** 2026-02-08\n**Category:** {written}\n".encode(), "x.md")
    assert note.text("category") == "past"


def test_a_gap_ends_a_legacy_header_unless_a_rule_closes_it() -> None:
    text = "# T\n\n**Created:** 2026-02-08\n\n**Note:** text\n"
    note = parse(text.encode(), "x.md")
    assert "note" not in note.meta
    assert note.body == "\n**Note:** text\n"
    closed = parse(f"{text}\n---\nbody\n".encode(), "x.md")
    assert closed.text("note") == "text"
    assert closed.body == "body\n"


def test_a_legacy_field_given_twice_is_a_problem_and_hides_nothing() -> None:
    note = parse(b"# T\n\n**Tags:** [one]\n**tags:** [two]\n\n---\ntext", "x.md")
    (problem,) = note.problems
    assert (problem.code, problem.line) == ("header-twice", 4)
    assert note.tags == ("one",)
    assert "two" in note.body


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("[a, b]", ["a", "b"]),
        ("[#a, #b]", ["a", "b"]),
        ('["a, b", c]', ["a, b", "c"]),
        ("[[a_b]]", "[[a_b]]"),
        ("[[a_b]], [[c_d|C]]", ["[[a_b]]", "[[c_d|C]]"]),
        ("[[[a_b]], [[c_d]]]", ["[[a_b]]", "[[c_d]]"]),
        ("{a: 1}", "{a: 1}"),
        ('"a: b"', "a: b"),
        ('"a', '"a'),
        ("[a, b] # c", "[a, b] # c"),
        ("12", "12"),
    ],
)
def test_values_of_a_legacy_header(written: str, value: object) -> None:
    note = parse(f"# T\n\n**Created:** 2026-02-08\n**Field:** {written}\n".encode(), "x.md")
    assert note.meta["field"] == value


@pytest.mark.parametrize(
    ("body", "heading"),
    [
        ("# Garden\n\nText.\n", "Garden"),
        ("Text.\n\n# Garden\n", "Garden"),
        ("\n## Tasks\n\n- one\n", "Tasks"),
        ("Text about the garden.\n\n## Tasks\n\n- one\n", ""),
        ("- [ ] one\n\nTasks\n-----\n", ""),
    ],
)
def test_only_a_heading_of_the_whole_text_is_its_title(body: str, heading: str) -> None:
    assert memory.parse(body.encode(), "a_note_by_hand.md").heading == heading


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n## First head ##\n", "First head"),
        ("The title\n=========\n\ntext\n", "The title"),
        ("<!--\n# internal remark\n-->\n\n# The title\n", "The title"),
        ("%%\n# internal remark\n%%\n\n# The title\n", "The title"),
        ("```\n# code\n```\n", "code"),
        ("", "Some note here"),
    ],
)
def test_no_header_takes_title_from_heading_or_name(text: str, title: str) -> None:
    assert parse(text.encode(), "a/some_note_here.md").title == title


def test_derived_ids_are_stable_and_differ_by_vault_and_path() -> None:
    one = parse(b"x", "a.md", "vault1").id
    assert one == parse(b"other", "a.md", "vault1").id
    assert len({one, parse(b"x", "b.md", "vault1").id, parse(b"x", "a.md", "vault2").id}) == 3


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"---\na: 1\nb: [\n---\ntext", "frontmatter-broken", 4),
        (b"---\ntitle: a\ntitle: b\n---\ntext", "frontmatter-broken", 3),
        (b"---\na: 1\n---\n\n---\nb: 2\n---\ntext", "frontmatter-second", 5),
        (b"---\na: 1\ntext with no end", "frontmatter-open", 1),
        (b"---\n- a\n---\ntext", "frontmatter-broken", 2),
        (b"\r\n\r\n---\r\na: 1\r\n---\r\ntext", "frontmatter-late", 3),
        (b"---\na: 1\n---\n<<<<<<< HEAD\ntext\n=======\nx\n>>>>>>> b\n", "merge-markers", 4),
    ],
    ids=["broken", "twice", "second", "open", "list", "late", "markers"],
)
def test_a_bad_header_is_a_problem_and_the_text_stays_findable(data: bytes, code: str, line: int) -> None:
    note = parse(data, "x.md")
    (problem,) = note.problems
    assert (problem.code, problem.line, problem.path) == (code, line, "x.md")
    assert problem.fix
    assert "text" in note.body


def test_lines_of_a_broken_header_are_findable_too() -> None:
    assert "lovelace" in parse(b"---\ntitle: [lovelace\n---\nbody", "x.md").body


def test_conflict_markers_within_code_are_an_example() -> None:
    conflict = "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n"
    assert parse(f"text\n\n```\n{conflict}```\n".encode(), "x.md").problems == ()
    (problem,) = parse(f"```\ncode\n```\n\n{conflict}".encode(), "x.md").problems
    assert problem.line == 5
    assert parse(b"<<<<<<< one\n>>>>>>> without a divider\n", "x.md").problems == ()


@pytest.mark.parametrize("value", ["nan", ".inf", "inf", "-inf", "1e999"])
def test_what_is_not_finite_is_no_number(value: str) -> None:
    assert parse(f"---\nconfidence: {value}\n---\n".encode(), "x.md").number("confidence") is None


@pytest.mark.parametrize(
    "body", ["---\n\ntext", "---\ntext: is prose here? no\n", "text\n---\na: 1\n---\n", "\n---\n"]
)
def test_rules_in_the_body_are_no_second_frontmatter(body: str) -> None:
    assert parse(f"---\na: 1\n---\n{body}".encode(), "x.md").problems == ()


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"ok\nx\0y", "note-binary", 2),
        (b"ok\nok\ncaf\xe9", "note-encoding", 3),
        ("text".encode("utf-16"), "note-encoding", 1),
        (b"x" * (memory.MAX_BYTES + 1), "note-too-large", 0),
    ],
    ids=["binary", "latin1", "utf16", "large"],
)
def test_what_is_no_text_is_refused_with_line_and_fix(data: bytes, code: str, line: int) -> None:
    with pytest.raises(NoteError) as caught:
        parse(data, "a/x.md")
    problem = caught.value.problem
    assert (problem.code, problem.path, problem.line) == (code, "a/x.md", line)
    assert problem.fix


@given(
    st.dictionaries(
        st.sampled_from(["id", "title", "tags", "created", "zed", "note x", "decay"]),
        st.text(max_size=20) | st.integers(0, 99) | st.lists(st.text(max_size=8), max_size=3) | st.booleans(),
    ),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\r\0"), max_size=200),
)
def test_render_and_parse_are_twins(meta: dict[str, object], body: str) -> None:
    note = parse(render(meta, body), "x.md")  # type: ignore[arg-type]
    assert dict(note.meta) == meta
    assert note.body.strip("\n") == body.strip("\n")


def test_pathological_texts_are_read_in_no_time() -> None:
    """Each of these took minutes with a backtracking pattern; a hang would be cut by the test run's timeout."""
    for text in (
        "`" * 50_000,
        "# a" + "#" * 100_000 + "b",
        "[[" * 50_000,
        "# t\n\n**Created:** " + " " * 100_000 + "x",
    ):
        note = parse(text.encode(), "x.md")
        assert note.title


@pytest.mark.parametrize(
    "head", ["---\ntitle: [x\n---\n", "---\ntitle: x\n---\n---\nname: y\n---\n", "---\ntitle: x\n"]
)
def test_a_header_that_cannot_be_read_is_not_taken_for_a_heading(head: str) -> None:
    """Its last line stands above `---`, as the text of an underlined heading does."""
    note = memory.parse((head + "\nSome text.\n").encode(), "allmemories/how_we_deploy.md")
    assert note.problems
    assert note.heading == ""
    assert memory.parse((head + "\n# Real\n").encode(), "a.md").heading == "Real"


@pytest.mark.parametrize(
    "text",
    [
        "---\nid: 0192f3c4-7d1e\ncategory: past: oops\n---\n\nBody.\n",
        "---\nid: '0192f3c4-7d1e'\ntags: [a\n---\n\nBody.\n",
        "---\r\ntitle: x\r\nid: 0192f3c4-7d1e\r\n\r\nNever closed.\r\n",
    ],
)
def test_a_damaged_note_keeps_the_id_that_it_has(text: str) -> None:
    """Else it was another memory until somebody repaired it: links, history and use would not be its own."""
    note = memory.parse(text.encode(), "allmemories/some_note_here.md")
    assert note.problems
    assert note.id == "0192f3c4-7d1e"


def test_an_id_in_the_body_is_not_that_of_a_damaged_note() -> None:
    note = memory.parse(b"---\ntags: [a\n---\n\nid: 17\n", "allmemories/some_note_here.md")
    assert note.id == memory.derived_id(note.path)
