"""Tags in a text are those that Obsidian shows; a nested tag counts for the tags above it."""

from __future__ import annotations

import pytest

from mdmem.note import tags


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Notes that are #evergreen grow. #writing/method", ("evergreen", "writing/method")),
        ("#at-the-start, #with_joints! and (#in-brackets)", ("at-the-start", "with_joints")),
        ("#日本語 #0🌲 #été", ("日本語", "0🌲", "été")),
        ("#twice and #twice", ("twice",)),
        ("#trailing/ slash", ("trailing",)),
        ("> - [ ] #task in a list", ("task",)),
        ("# Heading\n\n## Another", ()),
        ("issue #42, page #2026/11, C#, a#b, ##no", ()),
        ("https://example.org/#part and [[Note #heading]] and [x](y.md#z)", ()),
        ("`#code` and\n\n```sh\n#comment in code\n```\n\n%% #hidden %%\n\n<!-- #hidden -->", ()),
    ],
)
def test_tags_in_a_text(text: str, found: tuple[str, ...]) -> None:
    assert tags.inline(text) == found


def test_a_nested_tag_counts_for_those_above_it() -> None:
    assert tags.with_parents(["a/b/c", "a/d", "e"]) == ["a/b/c", "a/b", "a", "a/d", "e"]
