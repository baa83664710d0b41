"""What is the same in other words, and what only has the same words: a comparison that is turned round."""

from __future__ import annotations

import pytest

from mdmem.language import likeness


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User prefers tea to coffee.", "User prefers coffee to tea."),
        ("We indent by tabs, not spaces.", "We indent by spaces, not tabs."),
        ("Tea instead of coffee at ten.", "Coffee instead of tea at ten."),
        ("Lieber Tee als Kaffee.", "Lieber Kaffee als Tee."),
        ("Elle préfère le thé au café.", "Elle préfère le café au thé."),
        ("Ella prefiere té antes que café.", "Ella prefiere café antes que té."),
        ("The worker depends on the queue.", "The queue depends on the worker."),
    ],
)
def test_a_comparison_turned_round_is_known_in_four_languages(one: str, other: str) -> None:
    assert likeness.swapped(one, other, directed=True)
    assert not likeness.swapped(one, one, directed=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We moved from Berlin to Paris.", "To Paris we moved, from Berlin."),
        ("Tom fixed the boiler.", "The boiler was fixed by Tom."),
        ("Prefers tea to coffee.", "Prefers tea over coffee."),
        ("Buy milk and eggs and bread.", "Buy bread and eggs and milk."),
    ],
)
def test_another_order_of_words_that_says_the_same_is_not_turned_round(one: str, other: str) -> None:
    assert not likeness.swapped(one, other, directed=True)


@pytest.mark.parametrize(
    ("text", "other", "is_denial"),
    [
        ("Deploys run on Fridays.", "Deploys never run on Fridays.", True),
        ("Deploys never run on Fridays.", "Deploys run on Fridays. They are quick.", True),
        ("Deploys run on Fridays.", "Deploys run on Fridays. They are not tested.", False),
        ("Ada trinkt keinen Tee.", "Ada trinkt Tee.", True),
        ("Ada no longer drinks tea.", "Ada drinks no tea.", False),
        ("Access is allowed for interns.", "Since March access is not allowed for interns.", True),
        ("It has no lift. The gate is open.", "It has no lift. The gate is not open.", True),
        ("We do not use GraphQL, REST is enough.", "We do not use GraphQL, REST is not enough.", True),
        ("Tea is served. Tea is not served late.", "Tea is served. Tea is not served late. Bring cups.", False),
        ("The pump fits Presta valves, not car valves.", "The pump fits Presta valves.", False),
        ("The lab closes on Mondays.", "The lab does not open on Mondays.", False),
    ],
)
def test_what_one_text_says_and_the_other_denies(text: str, other: str, is_denial: bool) -> None:
    assert likeness.denies(text, other) == is_denial
