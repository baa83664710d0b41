"""A summary taken apart: one bullet or paragraph, one concept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import concepts

SUMMARY = """# What was learnt
Deploys run on turing,
since March.

Facts:

- The disk fills up.
  Check df first.
  - nested
* Bob gets the alerts.
1. Ada writes the notes.

```sh
df -h

- no bullet
```
"""


def test_bullets_and_paragraphs_are_concepts_with_their_lines() -> None:
    assert [(one.line, one.text) for one in concepts.split(SUMMARY)] == [
        (2, "Deploys run on turing,\nsince March."),
        (7, "The disk fills up.\nCheck df first.\n- nested"),
        (10, "Bob gets the alerts."),
        (11, "Ada writes the notes."),
        (13, "```sh\ndf -h\n\n- no bullet\n```"),
    ]


@given(st.text(alphabet="a -*1.\n#`:"))
def test_no_text_is_lost_but_headings_announcements_and_marks(text: str) -> None:
    said = sum(one.text.count("a") for one in concepts.split(text))
    dropped = sum(line.count("a") for line in text.split("\n") if "#" in line or line.rstrip().endswith(":"))
    assert text.count("a") - dropped <= said <= text.count("a")
