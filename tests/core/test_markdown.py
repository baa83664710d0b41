"""Headings, links and their renaming; code is left alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.core import markdown
from mdmem.core.markdown import Heading, Link

TEXT = """# Title ##
see [[a_b]] and [[c#head|C]], ![[pic.png]] `[[code]]` [text](d%20e.md#x) [web](https://x.org/f.md)
```
[[in_code]]
# no heading
```
~~~~
```
[[still_code]]
~~~~
## Second #not closed#
#nospace
"""


def test_headings_and_links_outside_code() -> None:
    assert list(markdown.headings(TEXT)) == [Heading(1, "Title", 1), Heading(2, "Second #not closed#", 11)]
    assert list(markdown.links(TEXT)) == [Link("a_b", 2), Link("c", 2), Link("pic.png", 2), Link("d e", 2)]


def test_links_are_renamed_where_they_are_links() -> None:
    names = {"a_b": "new", "c": "x/y", "d e": "f g", "code": "no", "in_code": "no"}
    after = markdown.replace_links(TEXT, lambda target, wiki: names.get(target))
    assert (
        "see [[new]] and [[x/y#head|C]], ![[pic.png]] `[[code]]` [text](f%20g.md#x) [web](https://x.org/f.md)"
        in after
    )
    assert after.count("[[in_code]]") == 1


@given(st.text(alphabet="[]()`!#|\n\\ ab.md<>~é"))
def test_renaming_nothing_changes_nothing(text: str) -> None:
    assert markdown.replace_links(text, lambda target, wiki: None) == text
    assert markdown.replace_links(text, lambda target, wiki: target).count("\n") == text.count("\n")


def test_wikilink_values() -> None:
    assert markdown.wikilink_target("[[a_b|A b]]") == "a_b"
    assert markdown.wikilink_target("[[a_b.md#x]]") == "a_b"
    assert markdown.wikilink_target("a_b") == ""
    assert markdown.wikilink_target("see [[a_b]]") == ""
