"""A pattern that is compiled late finds what one that is compiled at once does."""

from __future__ import annotations

import re

import pytest

from mdmem.note import patterns

_STARS = r"(\*{1,2})([^*]+)\1"


@pytest.mark.parametrize("text", ["", "plain", "*one*", "**two** and *one*", "* none"])
def test_a_pattern_that_needs_something_says_the_same_of_texts_with_and_without_it(text: str) -> None:
    now = re.compile(_STARS)

    def late() -> re.Pattern[str]:  # a new one each time, as its first use is another than the next
        return patterns.late(_STARS, needs="*")

    assert str(late().search(text)) == str(now.search(text))
    assert str(late().search(text, 3)) == str(now.search(text, 3))
    assert str(late().match(text)) == str(now.match(text))
    assert late().sub(r"\2", text) == now.sub(r"\2", text)
    assert late().findall(text) == now.findall(text)


def test_nothing_is_compiled_for_a_text_that_lacks_what_is_needed() -> None:
    broken = patterns.late("(*", needs="*")
    assert broken.search("plain") is None
    with pytest.raises(re.error):
        broken.search("*")
