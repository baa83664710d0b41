"""What counts as several facts: strict, as an offer to split that is wrong is worse than none."""

from __future__ import annotations

import pytest

from mdmem.write import facts


@pytest.mark.parametrize(
    "text",
    [
        "The staging server runs on port 8081. Anna leads the mobile team.",
        "User prefers tables over prose. The backup starts at 03:30 UTC.",
        "- The lease ends in June.\n- Ben's dog is called Rex.\n- Invoices are numbered per year.",
        "1. Carla works at the bank.\n2. The heating needs water every autumn.",
        "Die Abrechnung läuft am Monatsende. Jonas isst kein Fleisch.",
        "I live in Graz. The car is a 2016 Skoda.",
    ],
)
def test_statements_of_different_subjects_are_several_facts(text: str) -> None:
    assert len(facts.several(text)) == (text.count("\n") + 1 if "\n" in text else 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Lunch is at noon.",
        "The API uses tokens. They expire after an hour.",
        "The API uses tokens. The API has a limit of 100 calls.",
        "The harbor opens at six. Ships wait outside until then.",
        "We moved the cache to Redis. Because the old host has no memory left, the switch was urgent.",
        "Deploys need a green light. Ask Anna for one. She is in the office.",
        "The backup runs at night. It takes an hour. This is fine.",
        "Why does the cron job run twice? Both nodes have the timer.",
        "Packing list:\n\n- tent\n- stove",
        "- tent\n- stove\n- rope",
        "- Stop the worker.\n- Drain the queue.\n- Start the worker.",
        "# Release\n\n- The tag is signed.\n- Anna has the keys.",
        "The lease ends in June.\n\nAnna has the keys.\n\n```\nmake\n```",
        "Anna likes tea. Anna lives in Linz.",
        "Wow! The port is 80.",
        "The parser is slow. Its author has no time.",
        "The store takes no PayPal. Only cards are left.",
        "Jonas isst kein Fleisch. Fisch mag er.",
        "The user keeps mornings free. Meetings may start at ten.",
        "Zuerst ist der Ofen heiß. Dann kommt das Brot hinein.",
    ],
)
def test_a_text_about_one_thing_is_one_fact(text: str) -> None:
    assert facts.several(text) == []
