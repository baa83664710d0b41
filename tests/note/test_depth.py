"""Each depth of a note holds what the one before it holds."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import excerpt

BODY = """# Deploy on Fridays

Never deploy on Fridays.
It broke twice.

More words on it.

## Why
Nobody is there on Saturday.

- one
- two

```sh
# no heading

make deploy
```

## When
#monday or later
"""
WHOLE = f'---\ntitle: "Deploy on Fridays"\n---\n\n{BODY}'


def shown(name: str, body: str = BODY, title: str = "Deploy on Fridays", whole: str = WHOLE) -> str:
    return excerpt.shown(name, title, body, whole)


def test_the_five_depths() -> None:
    assert shown("summary") == "Deploy on Fridays"
    assert shown("outcome") == "Deploy on Fridays\n\nNever deploy on Fridays.\nIt broke twice."
    assert shown("reasoning") == (
        "Deploy on Fridays\n\nNever deploy on Fridays.\nIt broke twice.\n\n"
        "## Why\n\nNobody is there on Saturday.\n\n## When\n\n#monday or later"
    )
    assert shown("full") == "Deploy on Fridays\n\n" + BODY.split("\n", 2)[2].rstrip("\n")
    assert shown("complete") == WHOLE.strip()


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("User prefers tables", "User prefers tables.", "User prefers tables."),
        ("user prefers tables", "User prefers\ntables.\n\nAlways.", "User prefers\ntables.\n\nAlways."),
        ("Tea", "Teapots are blue.", "Tea\n\nTeapots are blue."),
        ("Tea", "## Tea time\n\nNow.", "Tea\n\n## Tea time\n\nNow."),
        ("Tea", "", "Tea"),
    ],
)
def test_a_title_that_the_text_begins_with_is_said_once(title: str, body: str, expected: str) -> None:
    assert shown("full", body, title) == expected
    assert shown("summary", body, title) == title


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("outcome", "## Intent\n- goal: fix it\n\n## Next\nmore", "T\n\n- goal: fix it"),
        ("outcome", "#ops again\n\nand more", "T\n\n#ops again"),
        ("full", "# Another\n\ntext", "T\n\n# Another\n\ntext"),
        ("full", "# T #\n\ntext", "T\n\ntext"),
        ("full", "T\n\ntext", "T\n\ntext"),
    ],
    ids=[
        "text right below a heading",
        "a tag is no heading",
        "another heading",
        "the title as heading",
        "as text",
    ],
)
def test_what_stands_at_the_top(name: str, body: str, expected: str) -> None:
    assert shown(name, body, "T") == expected


@pytest.mark.parametrize("name", excerpt.DEPTHS[:-1])
def test_an_empty_note_is_its_title(name: str) -> None:
    assert shown(name, "\n\n", "T") == "T"


def test_a_title_that_the_file_does_not_say_stands_above_it() -> None:
    assert shown("complete", "text", "From the name", "---\r\na: b\r\n---\r\ntext\r\n") == (
        "From the name\n\n---\na: b\n---\ntext"
    )


lines = st.sampled_from(
    [
        *("# T", "## A", "# T #", "text", "", "", "```", "~~~", "````", "# in code", "- a", "    code", "#tag"),
        *("> q", "---", " "),
    ]
)


@given(st.lists(lines, max_size=14).map("\n".join))
def test_each_depth_holds_what_the_one_before_holds(body: str) -> None:
    texts = [excerpt.shown(name, "T", body, f"---\na: b\n---\n{body}") for name in excerpt.DEPTHS]
    for less, more in pairwise(texts):
        assert "T" in more
        left = iter(more.split("\n"))
        said = [line for line in less.removeprefix("T\n").split("\n") if line.strip() and line != "T"]
        assert all(line in left for line in said), "the lines of the lesser depth, in their order"
