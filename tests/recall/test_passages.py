"""A note is cut into passages: nothing is lost, none is long, and each says where it begins."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.recall import passages

PARAGRAPH = "The boat was painted in April, and again in May. " * 6
PARTS = ["", "# Heading", "A short line.", PARAGRAPH, "x" * 2000, "é " * 700]
LINES = st.lists(
    st.sampled_from(["", "# Heading", "A short line.", PARAGRAPH, "x" * 2000, "é " * 700]), max_size=12
)


def test_a_short_text_is_one_passage() -> None:
    assert passages.split("# Boat\n\nIt leaks.\n") == [(1, "# Boat\n\nIt leaks.\n", "")]
    assert passages.split("") == [(1, "", "")]


def test_a_long_text_is_cut_where_a_paragraph_ends() -> None:
    text = "\n\n".join(["# Boat", PARAGRAPH, PARAGRAPH, "## Engine", PARAGRAPH, PARAGRAPH])
    found = passages.split(text)
    assert [passage.line for passage in found] == [1, 6]
    assert found[1].text.lstrip().startswith("## Engine")


def test_a_passage_knows_the_heading_that_it_is_under() -> None:
    """A section goes on for more than the passage that begins with its heading; code has no headings."""
    parts = ["# Boat", PARAGRAPH, "## Engine", *[PARAGRAPH] * 4, "## Sail", PARAGRAPH, "### Mast", PARAGRAPH]
    found = passages.split("\n\n".join([*parts, "```", "# oil", *["pump"] * 200, "```"]))
    under = dict.fromkeys(passage.under for passage in found)
    assert list(under) == ["# Boat", "## Engine", "## Sail", "### Mast"]


@given(st.lists(st.sampled_from(PARTS), max_size=12))
def test_passages_are_the_text_and_none_is_long(lines: list[str]) -> None:
    text = "\n".join(lines)
    found = passages.split(text)
    assert "".join("".join(passage.text for passage in found).split()) == "".join(text.split())
    assert [passage.line for passage in found] == sorted(passage.line for passage in found)
    assert all(len(passage.text) <= 1000 for passage in found)
    for passage in found:
        begins = next(filter(None, passage.text.split("\n")), "")
        assert any(begins in line for line in [*lines, ""][passage.line - 1 :])


def test_code_tables_lists_and_quotations_are_passages_of_their_own() -> None:
    parts = [
        *(
            "# Boat",
            PARAGRAPH,
            PARAGRAPH,
            "## Engine",
            PARAGRAPH,
            "```",
            "# no heading",
            *["start --engine"] * 12,
            "```",
        ),
        *("| part | age |", *["| mast | 9 |"] * 15, "", PARAGRAPH, *["> Never sail alone."] * 9, "", PARAGRAPH),
        *("- a rope", "  of hemp", "- a knife"),
    ]
    found = {text.strip().partition("\n")[0][:12]: text.strip() for _, text, _ in passages.split("\n".join(parts))}
    assert found["```"].endswith("start --engine\n```")
    assert found["| part | age"].endswith("| mast | 9 |")
    assert found["> Never sail"].endswith("> Never sail alone.")
    assert found["- a rope"] == "- a rope\n  of hemp\n- a knife"


def test_what_is_short_stays_with_what_follows() -> None:
    text = "\n".join(["Take with you:", "- a rope", "- a knife", "", PARAGRAPH, PARAGRAPH, "And then:", "> Sail."])
    assert passages.split(text)[0].text.startswith("Take with you:\n- a rope\n- a knife")
