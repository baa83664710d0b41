"""Bullets: what is read without a Markdown parser is what the parser reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.tree import SyntaxTreeNode

from mdmem.note import bullets

WORDS = st.text("ab1.)\"' :#*_`[]()!&<>\\-+=~|ä中\t\u00a0", max_size=12)
ROWS = st.builds(lambda level, dash, words: "  " * level + dash + words, st.integers(0, 4), st.just("- "), WORDS)
TEXTS = st.lists(ROWS | WORDS, min_size=1, max_size=6).map("\n".join)
PLAIN = st.lists(ROWS, min_size=1, max_size=8).map("\n".join)


def parsed(text: str) -> list[tuple[bullets.Bullet, ...]]:
    root = SyntaxTreeNode(bullets._parser().parse(text))
    rows = text.split("\n")
    return [bullets._bullets(node, rows) for node in root.children if bullets._is_list(node)]


@given(TEXTS | PLAIN)
def test_a_list_that_is_read_without_the_parser_is_the_list_that_the_parser_reads(text: str) -> None:
    plain = bullets._plain_list(text)
    assert not plain or parsed(text) == [plain]


@pytest.mark.parametrize(
    "text",
    [
        "- goal: Fix it",
        '- "a b": 1\n- 2024-01-02T03:04:05Z\n- 中',
        "- a:\n  - b: 1\n  - c:\n    - d\n  - e\n- f",
        "- a # b *c* `d` <e> [f](g) &amp; \\h",
    ],
)
def test_what_is_written_takes_no_parser(text: str) -> None:
    plain = bullets._plain_list(text)
    assert plain
    assert parsed(text) == [plain]


@pytest.mark.parametrize(
    "text",
    [
        *("text", "- a\n\n- b", "- a\ntext", "  - a", "- a\n    - b", "- a\n - b", "-  a", "- a ", "- # a"),
        *("- 1. a", "- 12) a", "- > a", "- - a", "- ```\n  a\n  ```", "* a", "- \ta", "- a\u2028b", "-", ""),
    ],
)
def test_what_may_mean_more_is_left_to_the_parser(text: str) -> None:
    assert bullets._plain_list(text) == ()
