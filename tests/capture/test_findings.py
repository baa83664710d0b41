"""What capture finds in a chat, as quotations, and what it leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import findings, triggers, utterances
from mdmem.capture.findings import Finding
from mdmem.capture.turns import Conversation, Turn
from mdmem.note.titles import of_text


def chat(*turns: tuple[str, str]) -> Conversation:
    """A conversation of (speaker, text); each turn begins at line 100, 200, ..."""
    return Conversation("c", "", tuple(Turn(who, text, 100 * at) for at, (who, text) in enumerate(turns, 1)))


def of_user(text: str) -> list[Finding]:
    return findings.find(chat(("user", text)))


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("Remember this: the lease ends on 30 June.", "save"),
        ("Please save this to memory: staging runs on port 8081", "save"),
        ("Merk dir, dass der Vertrag im Juni endet.", "save"),
        ("Recuerda que la oficina cierra en agosto.", "save"),
        ("Souviens-toi que le bail finit en juin.", "save"),
        ("Actually, the review is on Thursday.", "correction"),
        ("Correction: the review is on Thursday.", "correction"),
        ("No, we use Postgres, not MySQL.", "correction"),
        ("I prefer tabs over spaces.", "preference"),
        ("I'm allergic to peanuts", "preference"),
        ("please always answer in Spanish", "preference"),
        ("From now on always use tabs.", "preference"),
        ("We just shipped version 2.0!", "milestone"),
        ("Turns out the flaky test was caused by the shared tmp dir.", "learning"),
        ("Our fiscal year starts on April 1.", "fact"),
        ("My wife's birthday is May 3.", "fact"),
        ("Meine Schwester wohnt seit März in Hamburg.", "fact"),
    ],
)
def test_each_trigger_of_the_protocol_fires(text: str, trigger: str) -> None:
    (found,) = of_user(text)
    assert found.trigger == trigger
    assert found.quote == text
    assert triggers.MIN_CONFIDENCE <= found.confidence <= 1
    assert found.why


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember the name of that place?",
        "Remember when we went to Rome?",
        "Actually, can you explain that again?",
        "No problem, thanks!",
        "We hope to ship tomorrow.",
        "Is the migration done?",
        "What if I moved to Lisbon?",
        'The test prints "I prefer tabs over spaces".',
        "Don't forget to close the file.",
        "I'll remember that.",
        "",
    ],
)
def test_what_only_sounds_like_a_trigger_is_none(text: str) -> None:
    assert of_user(text) == []


def test_code_logs_and_quoted_lines_are_not_what_the_user_said() -> None:
    code = "```\n# I prefer tabs over spaces\n```\n    I love cake and tea."
    assert of_user(f"look:\n{code}\n> I hate meetings.\n2026-01-01 12:00 We shipped 2.0") == []


def test_an_assistant_can_learn_and_finish_but_has_no_preferences() -> None:
    assert findings.find(chat(("assistant", "I prefer tabs over spaces."))) == []
    (found,) = findings.find(chat(("assistant", "The root cause was the shared tmp dir.")))
    assert (found.trigger, found.speaker) == ("learning", "assistant")
    assert found.body == "The root cause was the shared tmp dir.\n\n— the assistant"


def test_tools_and_systems_are_never_captured() -> None:
    assert findings.find(chat(("tool", "I prefer tabs."), ("system", "Always answer in Spanish."))) == []


def test_the_line_is_that_of_the_sentence_in_the_transcript() -> None:
    (found,) = of_user("Hello.\nHow are you?\nI prefer tabs over spaces.")
    assert found.line == 102


def test_a_memory_is_a_quotation_with_its_speaker_and_the_day() -> None:
    turn = Turn("user", "btw we just shipped version 2.0 yesterday!", 1, when="2026-03-05T10:00:00Z", name="Ana")
    (found,) = findings.find(Conversation("c", "", (turn,)))
    assert found.quote == turn.text
    assert found.body == "We just shipped version 2.0 yesterday!\n\n— Ana, 2026-03-05"
    assert of_text(found.body) == "We just shipped version 2.0 yesterday!"


@pytest.mark.parametrize(
    ("said", "saved"),
    [
        ("save this to memory: the door is green", "The door is green"),
        ("Remember: Ada is vegan", "Ada is vegan"),
        ("remember this: no nuts", "No nuts"),
        ("Remember my name is Tom", "My name is Tom"),
        ("We meet on Mondays, please remember that.", "We meet on Mondays"),
        ("Save this to memory. The door is blue.", "The door is blue."),
        ("Can you save this to your memory? The door is blue.", "The door is blue."),
        ("please remember that Bo left", "Bo left"),
        ("Note: rent is due", "Rent is due"),
        ("Merk dir bitte: keine Nüsse", "Keine Nüsse"),
        ("The door is blue. Please remember that.", "The door is blue."),
    ],
)
def test_a_save_stores_what_it_says_and_never_the_sentence_before(said: str, saved: str) -> None:
    found = findings.find(chat(("assistant", "The price is 10 euros."), ("user", said)))
    assert [one.spoken for one in found if one.trigger == "save"] == [saved]


def test_a_request_with_a_colon_takes_the_lines_below_along() -> None:
    (found,) = of_user("Save this to memory:\n- port 8081\n- host alpha")
    assert found.body == "- port 8081\n- host alpha\n\n— the user"


@pytest.mark.parametrize(
    "request_",
    ["can you save that to memory?", "Remember that.", "please save this", "Store this in your memory, please."],
)
def test_a_request_that_says_nothing_itself_saves_the_statement_not_a_question(request_: str) -> None:
    talk = chat(
        ("user", "The lease ends on 30 June."),
        ("assistant", "Shall I look for another one?"),
        ("user", request_),
    )
    found = findings.find(talk)[-1]
    assert (found.trigger, found.spoken) == ("save", "The lease ends on 30 June.")


def test_a_request_alone_saves_the_answer_it_is_about_under_its_speaker() -> None:
    talk = chat(("assistant", "Good morning. The office lease ends on 30 June."), ("user", "save this to memory"))
    (found,) = findings.find(talk)
    assert found.body == "The office lease ends on 30 June.\n\n— the assistant"


def test_a_request_to_save_what_nobody_said_saves_nothing() -> None:
    assert of_user("Please save this to memory.") == []
    assert findings.find(chat(("assistant", "What next?"), ("user", "remember that"))) == []


def test_each_request_of_a_turn_counts() -> None:
    found = of_user("Remember: Ada is vegan. Also remember that Bo eats no fish.")
    assert [one.spoken for one in found] == ["Ada is vegan.", "Bo eats no fish."]


def test_a_correction_brings_what_it_corrects() -> None:
    talk = chat(
        ("assistant", "I see. The API listens on port 8080. Anything else?"), ("user", "Actually, it's port 9090.")
    )
    (found,) = findings.find(talk)
    assert found.context == "The API listens on port 8080."
    assert found.body == "It's port 9090.\n\n— the user\n\n> The assistant: The API listens on port 8080."


def test_a_correction_of_what_nobody_said_is_no_memory() -> None:
    """ "It is at ten" says nothing to a later reader."""
    assert of_user("Actually it is at ten.") == []
    (found,) = findings.find(chat(("user", "The standup is at nine."), ("user", "Actually it is at ten.")))
    assert found.context == "The standup is at nine."


def test_a_short_answer_keeps_the_question_it_answers() -> None:
    talk = chat(
        ("assistant", "Since when do you have it?"), ("user", "the small one, since march, runs until 2027")
    )
    (found,) = findings.find(talk)
    assert found.body == (
        "The small one, since march, runs until 2027\n\n— the user\n\n> The assistant: Since when do you have it?"
    )


def test_what_begins_with_a_pronoun_takes_the_sentence_before_it_along() -> None:
    (found,) = of_user("The pump in the cellar hums. Turns out it is the bearing of the motor.")
    assert found.spoken.endswith("Turns out it is the bearing of the motor.")
    (found,) = of_user("Remember that. My sister has a new flat. It is on the third floor of the old mill.")
    assert found.spoken == "My sister has a new flat. It is on the third floor of the old mill."


def test_what_recall_put_into_the_chat_is_known_by_its_citation() -> None:
    pack = "1. user_prefers_tabs  preference\n   allmemories/user_prefers_tabs.md:11@7c1e2d3f\n   I prefer tabs."
    note = "id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\ntitle: x\n\nI prefer tabs over spaces."
    talk = chat(("tool", pack), ("user", note), ("user", pack))
    assert findings.find(talk) == []
    assert findings.recalled(talk) == [pack, note, pack]


@given(st.text(), st.sampled_from(["user", "assistant", "tool"]))
def test_any_text_is_read_without_an_error_and_every_quote_is_in_it(text: str, speaker: str) -> None:
    for found in findings.find(chat((speaker, text))):
        assert found.quote in text
        assert found.body.strip()


@pytest.mark.parametrize(
    "text",
    [
        "Don't save this, but I prefer coffee.",
        "I prefer coffee over tea. Please do not remember that!",
        "Off the record: I hate my new job and I prefer the old one.",
        "Ich bevorzuge Kaffee. Merk dir das bitte nicht.",
    ],
)
def test_what_the_user_asks_not_to_keep_is_not_kept(text: str) -> None:
    assert of_user(text) == []


def test_the_words_of_somebody_else_and_texts_to_work_on_are_left_out() -> None:
    assert of_user('The note says "I prefer tabs over spaces in all of my code".') == []
    assert of_user("Please translate this:\nI prefer tabs over spaces.") == []


def test_of_a_long_turn_each_sentence_is_judged_alone() -> None:
    filler = " ".join(f"Then the wind turned {way} again." for way in ("east", "west", "north") * 20)
    found = of_user(f"{filler} I prefer tabs over spaces. {filler}")
    assert [one.quote for one in found] == ["I prefer tabs over spaces."]


def test_a_turn_is_read_up_to_a_bound_and_what_is_left_out_is_told() -> None:
    turn = Turn("user", "The day was long. " * (utterances.MOST_READ + 5), 1)
    assert len([*utterances.sentences(turn)]) == utterances.MOST_READ
    assert [problem.line for problem in utterances.problems([turn], "chat")] == [1]
