"""What people say of themselves, as assertions in the third person."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.language.speech import assertions, clauses
from mdmem.note.facts import TIME_SPANS, TYPES


def _said(sentence: str) -> list[str]:
    found = assertions.of_sentence(sentence, ["Ana"])
    return [f"{one.subject}|{one.relation}|{one.object}".replace("{who}", "Jo") for one in found]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("I live in Lisbon.", "Jo|lives in|Lisbon"),
        ("I'm allergic to peanuts!", "Jo|is allergic to|peanuts"),
        ("I've never been to Rome.", "Jo|has never been to|Rome"),
        ("I don't like tea", "Jo|does not like|tea"),
        ("I'm gonna renew my passport", "Jo|is going to renew|their passport"),
        ("Thanks, Ana, I just sold my car.", "Jo|sold|their car"),
        ("Last week, I built a new website.", "Jo|built|a new website last week"),
        ("My daughter turned 8.", "Jo's daughter|turned|8"),
        ("Our online store is open!", "Jo's online store|is|open"),
        ("Lost my job as a banker yesterday.", "Jo|lost|their job as a banker yesterday"),
        ("Still looking for a new flat.", "Jo|is looking for|a new flat"),
        ("Dance is my passion.", "Dance|is|Jo's passion"),
        ("I need to renew my visa.", "Jo|needs to|renew their visa"),
        ("I slowly formed good connections.", "Jo|formed|good connections"),
        ("My cousin just had a tough year.", "Jo's cousin|had|a tough year"),
        ("I prefer green tea these days.", "Jo|prefers|green tea"),
        ("My sister Carla lives in Braga.", "Jo's sister Carla|lives in|Braga"),
        ("Our dog is called Rex.", "Jo's dog|is called|Rex"),
        ("Our flight leaves at 10:20.", "Jo's flight|leaves at|10:20"),
        ("I cannot eat gluten.", "Jo|cannot eat|gluten"),
        ("I usually run before breakfast.", "Jo|usually runs|before breakfast"),
        ("My dad taught me how to swim.", "Jo's dad|taught|Jo how to swim"),
    ],
)
def test_a_sentence_is_told_in_the_third_person(sentence: str, told: str) -> None:
    assert _said(sentence) == [told]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        (
            "I met some investors and got a loan, but I'm passionate about dancing.",
            ["Jo|met|some investors", "Jo|got|a loan", "Jo|is passionate about|dancing"],
        ),
        ("I opened a shop because I love fashion.", ["Jo|opened|a shop", "Jo|loves|fashion"]),
    ],
)
def test_each_clause_asserts_something_of_its_own(sentence: str, told: list[str]) -> None:
    assert _said(sentence) == told


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            "Do I live in Lisbon?",
            "I would love a dog.",
            "I can't wait!",
            "I'm so happy for you.",
            "You live in Rome.",
        ),
        *(
            "I think it's great.",
            "I love it.",
            'He said "I live in Rome".',
            "I hope I win the race.",
            "I'm excited!",
        ),
        *(
            "We should go to Rome.",
            "Starting a business takes courage.",
            "I went there.",
            "Wow!",
            "I agree with Ana.",
        ),
        "We don't go often, usually only once or twice a year.",
        "Since I was 17 or so.",
        *("Let's go to a dance class.", "Give me my book.", "I could move to Rome.", "I'll try my best."),
    ],
)
def test_moods_questions_suppositions_and_words_about_others_assert_nothing(sentence: str) -> None:
    assert _said(sentence) == []


@pytest.mark.parametrize(
    ("sentence", "kind", "span"),
    [
        ("I work as a nurse.", "identity", "long_term"),
        ("I am a vegetarian.", "constraint", "long_term"),
        ("I have two kids.", "identity", "long_term"),
        ("I prefer tabs over spaces.", "preference", "long_term"),
        ("I don't drink alcohol.", "constraint", "long_term"),
        ("Our deadline is 3 May.", "constraint", "long_term"),
        ("I'm going to move to Porto next month.", "commitment", "medium_term"),
        ("I want to learn Dutch.", "commitment", "future"),
        ("I bought a bike yesterday.", "event", "past"),
        ("I am learning Dutch these days.", "event", "short_term"),
        ("I play the clarinet.", "trait", "current"),
        ("I've been trying out abstract art.", "event", "current"),
        ("I'm working as a nurse.", "identity", "long_term"),
        ("I must not eat gluten.", "constraint", "long_term"),
        ("My budget for the flat is 900 euros.", "constraint", "long_term"),
    ],
)
def test_types_and_time_spans(sentence: str, kind: str, span: str) -> None:
    (assertion,) = assertions.of_sentence(sentence)
    assert (assertion.type, assertion.time_span) == (kind, span)


def test_what_is_doubted_is_less_sure_than_what_is_plainly_said() -> None:
    (plain,) = assertions.of_sentence("I bought a new bike.")
    (doubted,) = assertions.of_sentence("I probably bought a new bike.")
    (elided,) = assertions.of_sentence("Bought a new bike.")
    assert plain.confidence > max(doubted.confidence, elided.confidence)


words = st.sampled_from(
    "I we my our am 'm have will going to not never like love bought yesterday, and but so because if , . - you it"
    " the a dog Ana's don't can't Rome ... is was".split()
)


@given(st.lists(words, max_size=25).map(" ".join) | st.text(max_size=80))
def test_any_text_gives_valid_assertions_or_none(text: str) -> None:
    for assertion in assertions.of_sentence(text, ["Ana", "(", ""]):
        assert assertion.type in TYPES
        assert assertion.time_span in TIME_SPANS
        assert assertions.LEAST <= assertion.confidence <= 1
        assert assertion.subject.strip()
        assert assertion.relation.strip()
        assert assertion.object.strip()


def test_a_very_long_sentence_is_left_alone() -> None:
    assert list(clauses.divide("I " + "really, " * 200 + "like tea")) == []
    assert list(assertions.of_sentence("I like tea" + ",!" * 20_000)) == []
