"""Titles and names of labelled texts, and what a title is made of."""

from __future__ import annotations

import pytest

from mdmem.note.titles import MOST_CHARS, heading_of, title_of
from tests.bench import titles


def test_titles_and_names_of_texts_no_rule_was_made_for_are_right() -> None:
    """The half of the labelled texts that the rules were not tuned on: 59 titles and 60 names of 60 were right."""
    got = titles.score("held")
    assert got.titles >= 0.95 * got.texts
    assert got.names >= 0.95 * got.texts


def test_the_halves_are_of_one_size_and_share_no_text() -> None:
    dev, held = titles.load("dev"), titles.load("held")
    assert len(dev) == len(held) == 60
    assert not {row["text"] for row in dev} & {row["text"] for row in held}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("**Feature flags** live here.", "Feature flags live here"),
        ("2 * 3 * 4 is 24.", "2 * 3 * 4 is 24"),
        ("- [ ] Call the bank.", "Call the bank"),
        ("```\nmake\n```", "make"),
        ("---\n\nText.", "Text"),
        ("See [[some_note|the note]].", "See the note"),
        ("Am 1. März zahlen wir z. B. die Miete.", "Am 1. März zahlen wir z. B. die Miete"),
        ("x" * 200, "x" * MOST_CHARS + " …"),
        ("...", ""),
    ],
)
def test_a_title_is_the_words_without_what_is_only_form(text: str, title: str) -> None:
    assert title_of(text) == title


def test_a_heading_far_down_is_not_read_for_the_title() -> None:
    """Of a long text without a heading every line was read four times, which took seconds for a megabyte."""
    text = "---\n" * 20_000
    assert heading_of(f"{text}# Far down\n") == ""
    assert heading_of(f"# At the top\n{text}") == "At the top"
    assert heading_of("# " + "a" * 60_000).startswith("aaa")


def test_a_note_in_conflict_is_titled_by_its_first_side() -> None:
    text = "<<<<<<< ours\nThe boiler is red.\n=======\nThe boiler is blue.\n>>>>>>> theirs\n"
    assert title_of(text) == "The boiler is red"
