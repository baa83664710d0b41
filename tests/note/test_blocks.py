"""What each line of a Markdown text is, against the CommonMark reference that markdown-it-py implements."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from mdmem.note import blocks, pieces
from mdmem.note.blocks import Heading

REFERENCE = MarkdownIt("commonmark", {"maxNesting": 100})

TEXT = """# Title ##
```
# not a heading
```
~~~~
```
# not one either
~~~~
## Second #not closed#
#nospace
"""


def kinds(text: str) -> list[str]:
    return [line.kind for line in blocks.lines(text)]


def titled(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.text) for heading in blocks.headings(text)]


def test_headings_outside_code() -> None:
    assert list(blocks.headings(TEXT)) == [
        Heading(1, "Title", 1, 1),
        Heading(2, "Second #not closed#", 9, 9),
    ]


KINDS = {
    "a longer fence": ("````\n```\n# x\n````\ntext", "fence fence fence fence prose"),
    "tildes": ("~~~ `info`\n```\n~~~\ntext", "fence fence fence prose"),
    "a fence with a backtick behind is text": ("``` a`b\ntext", "prose prose"),
    "a fence in a quote ends with it": ("> ```\n> code\ntext", "fence fence prose"),
    "a fence in a list item": ("- ```\n  # x\n  ```\n- b", "fence fence fence prose"),
    "a fence in a list item ends with it": ("- ```\n  code\ntext", "fence fence prose"),
    "an open fence": ("text\n```\ncode\n\n# x", "prose fence fence fence fence"),
    "a comment of some lines": ("<!-- a\n\n# b\n-->\ntext", "comment comment comment comment prose"),
    "an open comment": ("<!-- a\n# b", "comment comment"),
    "a comment within a paragraph": ("text <!--\n# b\n-->", "prose heading prose"),
    "a setext heading": ("A\nB\n===\ntext", "heading heading heading prose"),
    "an underline below a blank line": ("A\n\n---\n\n===", "prose prose rule prose prose"),
    "an underline below a quote is none": ("> A\n---\n> B\n===", "quote rule quote quote"),
    "an underline below a definition is none": ("[x]: a.md\n---", "prose rule"),
    "headings in containers": ("- # a\n> # b\n\n# c", "prose quote prose heading"),
    "indented code": ("text\n\n    code\ntext", "prose prose indented prose"),
    "an indented line of a paragraph": ("text\n    text", "prose prose"),
    "an indented line of a list item": ("- a\n\n      code\n\n    b", "prose prose indented prose prose"),
    "an indented line below a heading": ("# a\n    code", "heading indented"),
    "tabs": ("-\ta\n\n\tb\n\n\t\t\tcode", "prose prose prose prose indented"),
    "an empty item takes no paragraph over a blank line": ("-\n\n      a", "prose prose indented"),
    "a lazy line of a quote": ("> a\nb\n\nc", "quote quote prose prose"),
    "HTML": ("<div>\n# a\n\n# b", "html html prose heading"),
    "a tag cannot interrupt a paragraph": ("a\n<b>\n# c", "prose prose heading"),
    "windows line ends": ("# a\r\n```\r\ncode\r\n```\r\ntext", "heading fence fence fence prose"),
    "an Obsidian comment": ("%%\n# a\n\n```\n%%\n# b", "comment comment comment comment comment heading"),
    "an Obsidian comment on a line": ("%% # a %%\n# b", "comment heading"),
    "an Obsidian comment in a line": ("%%a%% b\n# b", "prose heading"),
    "percent signs that nothing ends": ("%% a\n# b", "prose heading"),
}


@pytest.mark.parametrize(("text", "expected"), KINDS.values(), ids=KINDS)
def test_kinds_of_lines(text: str, expected: str) -> None:
    assert kinds(text) == expected.split()


# Prefixes and cores of lines, each of which means something in some place. A document has either quotes or deep
# indents, because of the second difference below.
QUOTED = [
    *("", "", "", "   ", "> ", ">", "> > ", "> - ", ">     ", "> 1. ", "- ", "  - ", "1. ", "2. ", " > "),
    *("- > ",),
]
INDENTED = [
    *("", "", "", "  ", "   ", "    ", "      ", "\t", " \t", "- ", "  - ", "* ", "1. ", "2. ", "-     "),
    *("-\t",),
]
CORES = st.sampled_from(
    [
        *("text", "# H", "## H ##", "#no", "#", "===", "---", "--", "=", "***", "* * *", "_ _ _", "", "", "-"),
        *("1.", "```", "````", "~~~", "```py", "``` a`b", "a `b", "| a |", "[x]: a.md", '[x]: a.md "t"'),
        *("[[x]]", "`[[x]]`", "<!--", "-->", "<!-- c -->", "<div>", "</div>", "<b>x</b>", "<b>", "<pre>"),
        *("</script>", "<?", "?>", "<!X", "<![CDATA[", "]]>", "DEPRECATED: x", "`` ` [[x]]", "a <!-- [[x]]"),
        *("[t](x.md)",),
    ]
)


def documents(prefixes: list[str]) -> st.SearchStrategy[str]:
    row = st.builds(str.__add__, st.sampled_from(prefixes), CORES)
    return st.lists(row, max_size=10).map("\n".join)


DOCUMENTS = (
    documents(QUOTED)
    | documents(INDENTED).filter(
        lambda text: not re.search(r"(?m)^ *(-     |-\t|\d+\.|  -|-).*\n(.+\n)*( {4}| *\t)", text)
    )
    | st.text(alphabet="ab #=-`~<>!*1.[]\n", max_size=60).filter(lambda text: not re.search(r"(?m)^ {4}", text))
)


def expected_kinds(text: str, tokens: list[Token]) -> list[str]:
    """The kinds of the lines of a text as markdown-it-py sees its blocks."""
    found = ["prose"] * (text.count("\n") + 1)
    for token in tokens:
        if token.type == "blockquote_open" and token.map:
            found[slice(*token.map)] = ["quote"] * (token.map[1] - token.map[0])
    for token in tokens:
        kind = {"fence": "fence", "code_block": "indented", "html_block": "html"}.get(token.type, "")
        if token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            kind = "comment"
        if token.type == "heading_open" and token.level == 0:
            kind = "heading"
        if token.type == "hr" and token.map and found[token.map[0]] != "quote":
            kind = "rule"
        if kind and token.map:
            found[slice(*token.map)] = [kind] * (token.map[1] - token.map[0])
    return found


@given(DOCUMENTS)
def test_lines_and_headings_are_those_of_commonmark(text: str) -> None:
    """Against markdown-it-py. The deliberate differences:

    - Blank lines, quoted ones included, are not compared: they belong to no block, or to the one around them.
    - A line indented by four columns or more that can only go on lazily with the paragraph of a quote or list
      item is text (CommonMark 0.31.2, section 5.1, "laziness"), and code to markdown-it-py.
    - Obsidian's `%%` comments, which CommonMark does not know.
    - A lone carriage return does not end a line, for editors do not count it.
    """
    tokens = REFERENCE.parse(text)
    rows = zip(text.split("\n"), expected_kinds(text, tokens), kinds(text), strict=True)
    told = [(line, wanted, kind) for line, wanted, kind in rows if line.strip(" \t>")]
    assert [(line, kind) for line, _, kind in told] == [(line, wanted) for line, wanted, _ in told]
    headings = [
        (int(token.tag[1]), " ".join(inner.content.split()), token.map[0] + 1)
        for token, inner in pairwise(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map and inner.content
    ]
    assert [(found.level, " ".join(found.text.split()), found.line) for found in blocks.headings(text)] == headings


@given(st.text(alphabet="ab #=-`~<>!%*1.[]\n\t\r\xa0\x0b", max_size=80))
def test_every_line_is_told_once_as_it_is_written(text: str) -> None:
    told = list(blocks.lines(text))
    assert [line.text for line in told] == text.split("\n")
    assert [line.number for line in told] == list(range(1, len(told) + 1))
    assert all((line.kind == "heading") == (line.level > 0) for line in told)


@given(DOCUMENTS)
def test_what_is_written_below_the_closing_line_is_text(text: str) -> None:
    end = blocks.closing(text)
    assert kinds(f"{text}\n{end}\n\nnew" if end else f"{text}\n\nnew")[-1] == "prose"


@given(DOCUMENTS)
def test_pieces_hold_all_the_text(text: str) -> None:
    assert "".join("".join(pieces.split(text)).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "part", ["> ", "- ", "\t", "<a ", "<!--\n", "```a\n", "%%\n", "1. a\n", "> \n", "a\n", "- a\n  "]
)
def test_odd_text_of_any_length_is_read_at_once(part: str) -> None:
    """A scanner that reads a line again for each open block would take hours here."""
    text = part * 20_000
    assert len(kinds(text + "\n" * 20_000)) == text.count("\n") + 20_001


# -- what a user sees --------------------------------------------------------------------------------------


def test_a_setext_heading_may_have_two_lines() -> None:
    assert titled("Text\n\nA title\nin two lines\n---\n") == [(2, "A title in two lines")]


def test_a_title_that_the_body_repeats_is_taken_off() -> None:
    for top in ("# The Title", "The title\n=====", "\n## the title ##"):
        assert pieces.without_title(f"{top}\n\ntext\n# more", "The title") == "text\n# more"
    assert pieces.without_title("text\n# The title", "The title") == "text\n# The title"


@given(
    st.lists(
        st.sampled_from(
            ["a", "- a", "    a", "```", "<!-- a", "-->", "%%", "> a", "# a", "", "\ta", "~~~", "a %% b"]
        )
    )
)
def test_lines_of_prose_are_all_but_code_and_comments(lines: list[str]) -> None:
    """Texts without code and comments are not scanned for them."""
    text = "\n".join(lines)
    said = [(line.number, line.text) for line in blocks.lines(text) if line.kind not in blocks.UNREAD]
    assert list(blocks.prose_lines(text)) == said
