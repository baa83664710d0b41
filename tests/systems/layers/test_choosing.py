"""The topic of a dialog is chosen by rule: the same every time, and with how sure it is."""

from __future__ import annotations

import pytest

from mdmem.note import naming
from mdmem.systems.layers.ingest import choose, profile, words_of

# topic -> what its entries say; the texts below were written before the rule was tried on them.
KNOWN = {
    "travel": [
        "Ana booked a flight to Lisbon and a hotel near the beach.",
        "Passport renewed for the trip to Japan.",
    ],
    "health": ["The doctor said the knee heals well; physiotherapy twice a week.", "Allergic to penicillin."],
    "cooking": ["The sourdough starter needs feeding.", "Recipe for lentil curry with coriander and ginger."],
    "home_renovation": ["The plumber replaces the bathroom pipes.", "Kitchen tiles and paint were ordered."],
    "python_project": ["The parser fails its tests on Windows.", "We moved the repository to uv and ruff."],
    "family": ["Mia starts school in September.", "Grandma's eightieth birthday is in May."],
}
PROFILES = {topic: profile(topic, words_of("\n".join(texts))) for topic, texts in KNOWN.items()}
LABELLED = [
    ("Which airline has a direct flight to Lisbon? I need a hotel, too.", "travel"),
    ("Do I need a visa for my trip to Japan, or is the passport enough?", "travel"),
    ("My knee hurts again after running. Should I see the doctor?", "health"),
    ("The pharmacy gave me penicillin although I am allergic.", "health"),
    ("How long should I bake the sourdough bread?", "cooking"),
    ("Can I replace coriander in the curry recipe with parsley?", "cooking"),
    ("The plumber wants to come on Monday for the pipes in the bathroom.", "home_renovation"),
    ("Which paint holds best on kitchen tiles?", "home_renovation"),
    (
        "The tests of the parser are red again, the traceback says UnicodeDecodeError in the repository.",
        "python_project",
    ),
    ("Let us configure ruff for the repository.", "python_project"),
    ("What could Mia get for her first day at school?", "family"),
    ("We plan a surprise party for Grandma's birthday.", "family"),
]
NEW = [
    ("I want to learn the cello. Which cello teacher would you recommend? A cello costs a lot.", "cello"),
    ("My tax return is due. Is the tax on dividends deductible? Tax forms confuse me.", "tax"),
]


@pytest.mark.parametrize(("text", "topic"), LABELLED)
def test_a_dialog_goes_to_the_topic_it_is_about(text: str, topic: str) -> None:
    choice = choose("", text, PROFILES)
    assert (choice.topic, choice.is_new) == (topic, False)
    assert 0.5 <= choice.sureness < 1


@pytest.mark.parametrize(("text", "word"), NEW)
def test_what_is_about_something_else_gets_a_topic_of_its_own(text: str, word: str) -> None:
    choice = choose("", text, PROFILES)
    assert choice.is_new
    assert word in choice.topic.split("_")
    assert choice.sureness < 0.7


def test_the_title_names_a_new_topic() -> None:
    assert choose("Learning the cello", "How do I hold the bow?", {}).topic == "learning_cello"


@pytest.mark.parametrize("text", ["", "!!!", "ok", "谢谢", "你好，我想学习大提琴", "42 43", "x" * 500])
def test_any_text_gets_a_topic_that_can_be_one(text: str) -> None:
    choice = choose("", text, PROFILES)
    assert naming.topic(choice.topic) == choice.topic


def test_the_order_in_which_topics_are_known_does_not_count() -> None:
    backwards = dict(reversed(PROFILES.items()))
    for text, _ in LABELLED:
        assert choose("", text, backwards) == choose("", text, PROFILES)


@pytest.mark.parametrize("title", ["Con", "aux", "nul", "x" * 300, "\u0301"])
def test_a_title_that_no_folder_can_have_gives_another_topic(title: str) -> None:
    choice = choose(title, "ok", {})
    assert naming.topic(choice.topic) == choice.topic


def test_a_proposal_that_is_there_already_is_not_new() -> None:
    assert not choose("Travel", "x", {"travel": {}}).is_new
