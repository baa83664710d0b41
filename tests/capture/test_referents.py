"""Who a pronoun stands for: the one person that the sentence before names, if it can be that person."""

from __future__ import annotations

import pytest

from mdmem.capture.referents import Sentence, resolved


@pytest.mark.parametrize(
    ("about", "said", "meant"),
    [
        ("My brother Jan is coming on Friday.", "He never eats meat.", "Jan never eats meat."),
        ("My brother Jan is coming on Friday.", "She moved to Bonn.", "She moved to Bonn."),
        ("Our trainee is called Maren.", "She works from home.", "Maren works from home."),
        ("My wife Maren works from home.", "He starts at nine.", "He starts at nine."),
        ("Jan met his sister in Ulm.", "He moved to Bonn.", "He moved to Bonn."),
    ],
)
def test_a_pronoun_stands_for_the_only_person_it_can_mean(about: str, said: str, meant: str) -> None:
    assert resolved(said, Sentence(about, 1, 0)) == meant
