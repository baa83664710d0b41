"""Who a pronoun stands for: the one person that the sentence before names, if it can be that person."""

from __future__ import annotations

import pytest

from mdmem.capture import findings
from mdmem.capture.referents import Sentence, is_open, resolved
from mdmem.capture.turns import Conversation, Turn
from mdmem.note.titles import of_text


@pytest.mark.parametrize(
    ("about", "said", "meant"),
    [
        ("My brother Jan is coming on Friday.", "He never eats meat.", "Jan never eats meat."),
        ("My brother Jan is coming on Friday.", "She moved to Bonn.", "She moved to Bonn."),
        ("Our trainee is called Maren.", "She works from home.", "Maren works from home."),
        ("My wife Maren works from home.", "He starts at nine.", "He starts at nine."),
        ("Jan met his sister in Ulm.", "He moved to Bonn.", "He moved to Bonn."),
        ("The neighbours are noisy.", "They moved in last May.", "The neighbours moved in last May."),
        ("Our boiler is ancient.", "It runs on oil.", "Our boiler runs on oil."),
        ("We feed the band on Sunday.", "They bring nothing.", "The band bring nothing."),
        ("We keep the key in the safe.", "It rotates monthly.", "It rotates monthly."),
        ("The key lies in the safe.", "It rotates monthly.", "It rotates monthly."),
        ("Our garden is big.", "It rains every Sunday.", "It rains every Sunday."),
        ("Our sauna is new.", "It takes an hour to get there.", "It takes an hour to get there."),
        ("Thank you.", "She has replied to us.", "She has replied to us."),
        ("Juniper?", "She's deaf as a post.", "Juniper's deaf as a post."),
    ],
)
def test_a_pronoun_stands_for_the_only_person_it_can_mean(about: str, said: str, meant: str) -> None:
    assert resolved(said, [Sentence(about, 1, 0)]) == meant


@pytest.mark.parametrize(
    ("text", "is_left_open"),
    [
        ("They come every Sunday.", True),
        ("That's in June.", True),
        ("Él vive en Vigo.", True),
        ("Elle travaille le lundi.", True),
        ("Er hatte immer recht.", True),
        ("It takes an hour to warm up the sauna.", False),
        ("Il faut sonner deux fois.", False),
        ("This project uses tabs.", False),
        ("The band comes every Sunday.", False),
        ("Then it is out of the question.", True),
        ("Which is why it only broke at night.", True),
        ("Then the pump was replaced.", False),
    ],
)
def test_a_statement_about_a_mere_pronoun_is_open(text: str, is_left_open: bool) -> None:
    assert is_open(text) == is_left_open


def test_what_nobody_can_tell_later_is_not_proposed() -> None:
    said = "He always takes the night train to Vienna on Fridays."
    alone = Conversation("c", "", (Turn("user", said, 1),))
    named = Conversation("c", "", (Turn("user", f"My brother Jan is a pilot. {said}", 1),))
    assert findings.find(alone) == []
    assert [of_text(found.body) for found in findings.find(named) if "train" in of_text(found.body)] == [
        "Jan always takes the night train to Vienna on Fridays"
    ]
