"""What is read without a YAML parser is exactly what the YAML parser reads; everything else is left to it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import quickyaml, yaml12

SHARED = Path(os.environ.get("SHARED", Path(__file__).parents[3] / "shared"))


def parsed(block: str) -> object:
    try:
        return yaml12.load(block)
    except yaml12.YamlError:
        return "an error"


def agrees(block: str) -> None:
    found = quickyaml.read(block)
    if found is not None:
        expected = parsed(block)
        assert repr(found) == repr(expected)  # repr: True is not 1, and the order counts


@pytest.mark.parametrize(
    "block",
    [
        "title: User prefers tables",
        "created: 2026-02-08T14:05:00Z\nconfidence: 0.95\npinned: true\nid: 0192f3c4-7d1e\n",
        "tags:\n  - formatting\n  - preferences\ntopic:\n",
        "tags: [a, b c, d]\nempty: []\n",
        "link: \"[[a_b]]\"\nother: 'x: y'\n",
        'tags:\n- a\n- 7\n- "[[b]]"',
        "a: -5\r\nb: 0.50\r\nc: 007\r\n",
        "a: x:y#z (w)\n",
        "café_crème: é\nübung: ä",
    ],
)
def test_common_headers_need_no_parser(block: str) -> None:
    agrees(block)
    assert quickyaml.read(block) is not None or "é" in block  # names of other letters are left to the parser


@pytest.mark.parametrize(
    "block",
    [
        *(
            "a: b: c",
            "a: b #c",
            "a: b:",
            "a:b",
            "a: - b",
            "a: [b: c]",
            "a: {b: c}",
            "a: &x b",
            "a: *x",
            "a: !!int 5",
        ),
        *(
            "a: |\n  text",
            "a: b\n  c",
            "a: b\n  - c",
            "a: [b]\n  - c",
            "a: null\n  - c",
            "a:\n  b: c",
            "a:\n  - b: c",
            "a:\n  - b\n   - c",
            "a:\n  - b: c: d",
            "a:\n  -  b: c\n     d: e",
            "a:\n    b: c\n  d: e",
            "a:\n  b: c\n    d: e",
            "a:\n  b: c\n  b: d",
            "a:\n  - b: c\n   d: e",
            "a:\n  - - b",
            "a:\n" + " " * 21 + "b: c",
            "a: 'b''c'",
            'a: "b\\n"',
        ),
        *(
            "a: 1\na: 2",
            "# comment\na: b",
            "a: b # comment",
            "",
            "---\na: b",
            "a: [b, [c]]",
            "a: [b,,c]",
            "a: [b,]",
        ),
        *("a:\n\n  - b", "  a: b", "a: @b", "a: `b`", "a: %b", "a: ?", "? a", "a: b\x85c", "a: b\u2028c", "a:\tb"),
    ],
)
def test_whatever_might_be_more_is_left_to_the_parser(block: str) -> None:
    assert quickyaml.read(block) is None


SIGNS = st.text(st.sampled_from(list("ab0 1.-:#,[]{}'\"\\|>&*!%@`?~=+/()$_é\t\r\u00a0\u2028🎉")), max_size=8)
VALUES = st.one_of(
    SIGNS,
    st.sampled_from(
        ["true", "null", "~", "no", "0.10", "1e5", "-0", "2026-01-01", "[[a]]", '"x"', "'y'", "[a, b]", "[]"]
    ),
    st.text(max_size=6),
)
LINES = st.one_of(
    st.builds(
        "{}:{}{}".format,
        st.sampled_from(["a", "b_c", "null", "7", "x y", "-"]),
        st.sampled_from(["", " ", "  "]),
        VALUES,
    ),
    st.builds(
        "{}{}{}:{}".format,
        st.sampled_from(["  ", "    ", "      ", ""]),
        st.sampled_from(["", "- ", "- - ", "-  "]),
        st.sampled_from(["a", "b_c", "d"]),
        st.sampled_from(["", " 1", " x y", " "]),
    ),
    st.builds(
        "{}-{}{}".format, st.sampled_from(["", "  ", "   ", "    "]), st.sampled_from(["", " ", "  "]), VALUES
    ),
    VALUES,
)


@given(st.lists(LINES, max_size=5).map("\n".join), st.sampled_from(["", "\n", "\r\n"]))
def test_it_reads_what_the_parser_reads(block: str, end: str) -> None:
    agrees(block + end)


@given(st.text(max_size=40))
def test_it_reads_any_text_as_the_parser_does(block: str) -> None:
    agrees(block)


@pytest.mark.skipif(not (SHARED / "seeds").exists(), reason="the shared documents are not beside the project")
def test_it_reads_the_documents_of_others_as_the_parser_does() -> None:
    blocks = [
        part.split("\n---\n")[0]
        for path in sorted(SHARED.rglob("*"))
        if path.is_file() and path.suffix in (".md", ".txt")
        for part in path.read_text("utf-8", "replace").split("---\n")
    ]
    assert blocks
    for block in blocks:
        agrees(block)


def test_what_was_read_once_is_not_changed_by_who_changes_it() -> None:
    """The second reading of a block comes from memory."""
    block = "tags: [a, b]\naliases:\n  - c\n"
    first = quickyaml.read(block)
    assert first == {"tags": ["a", "b"], "aliases": ["c"]}
    first["tags"].append("c")
    first["aliases"].clear()
    del first["aliases"]
    assert quickyaml.read(block) == {"tags": ["a", "b"], "aliases": ["c"]}
