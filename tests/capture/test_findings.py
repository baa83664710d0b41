"""What capture finds in a chat, sentence by sentence, and what it leaves alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.capture import findings, proposals, reported, triggers, utterances
from mdmem.capture.findings import Finding
from mdmem.capture.transcripts import Conversation, Turn
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
        ("Actually, the review is on Thursday.", "correction"),
        ("No, we use Postgres, not MySQL.", "correction"),
        ("We moved from Berlin to Lisbon last year.", "correction"),
        ("I prefer tabs over spaces.", "preference"),
        ("I'm allergic to peanuts", "preference"),
        ("please always answer in Spanish", "preference"),
        ("We just shipped version 2.0!", "milestone"),
        ("The migration is finally done.", "milestone"),
        ("Turns out the flaky test was caused by the shared tmp dir.", "learning"),
        ("Turns out SQLite needs WAL mode, otherwise writers block readers.", "learning"),
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


def test_what_turns_out_to_hold_in_general_is_learnt_by_an_assistant_too() -> None:
    said = "Turns out SQLite needs WAL mode, otherwise writers block readers."
    (found,) = findings.find(chat(("user", "Fix the locking."), ("assistant", said)))
    assert (found.trigger, found.quote) == ("learning", said)


def test_a_correction_of_it_keeps_what_it_is_about_or_is_left_out() -> None:
    before = ("assistant", "The standup is at nine.")
    (found,) = findings.find(chat(before, ("user", "Actually it is at ten.")))
    assert found.body.endswith("> The assistant: The standup is at nine.")
    for small_talk in ((), (("user", "Hi."), ("assistant", "Hello."))):
        assert findings.find(chat(*small_talk, ("user", "Actually it is at ten."))) == []


def test_tools_and_systems_are_never_captured() -> None:
    assert findings.find(chat(("tool", "I prefer tabs."), ("system", "Always answer in Spanish."))) == []


def test_the_line_is_that_of_the_sentence_in_the_transcript() -> None:
    (found,) = of_user("Hello.\nHow are you?\nI prefer tabs over spaces.")
    assert found.line == 102


def test_a_request_to_save_this_saves_what_was_said_before_it() -> None:
    (found,) = of_user("The lease of the office ends on 30 June. Please remember that.")
    assert found.body == "The lease of the office ends on 30 June."
    assert of_text(found.body) == "The lease of the office ends on 30 June"


def test_a_request_with_a_colon_takes_the_lines_below_along() -> None:
    (found,) = of_user("Save this to memory:\n- port 8081\n- host alpha")
    assert found.body == "- port 8081\n- host alpha"


def test_a_request_alone_saves_the_answer_it_is_about() -> None:
    talk = chat(("assistant", "Good morning. The office lease ends on 30 June."), ("user", "save this to memory"))
    (found,) = findings.find(talk)
    assert found.body == "The office lease ends on 30 June."


def test_a_correction_brings_what_it_corrects() -> None:
    talk = chat(
        ("assistant", "I see. The API listens on port 8080. Anything else?"), ("user", "Actually it's 9090.")
    )
    (found,) = findings.find(talk)
    assert found.context == "The API listens on port 8080."
    assert found.body == "The API listens on port 9090.\n\n> The user: Actually it's 9090."
    assert of_text(found.body) == "The API listens on port 9090"


def test_a_correction_of_a_repeated_value_is_about_the_statement_that_gave_it() -> None:
    talk = chat(
        ("user", "The API listens on port 8080."),
        ("assistant", "Sure, I will use 8080."),
        ("user", "Wait, it's actually 9090."),
    )
    (found,) = findings.find(talk)
    assert found.context == "The API listens on port 8080."


def test_a_correction_without_a_like_value_keeps_both_sentences() -> None:
    talk = chat(("assistant", "Ada works at the bakery in Ghent."), ("user", "No, that's wrong, she left."))
    (found,) = findings.find(talk)
    assert found.body == "No, that's wrong, she left.\n\n> The assistant: Ada works at the bakery in Ghent."


def test_what_recall_put_into_the_chat_is_known_by_its_citation() -> None:
    pack = "1. user_prefers_tabs  preference\n   allmemories/user_prefers_tabs.md:11@7c1e2d3f\n   I prefer tabs."
    note = "id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\ntitle: x\n\nI prefer tabs over spaces."
    talk = chat(("tool", pack), ("user", note), ("user", pack))
    assert findings.find(talk) == []
    assert findings.recalled(talk) == [pack, note, pack]


def test_of_several_sentences_with_one_trigger_the_surest_stays() -> None:
    found = of_user("I like tea. I really prefer green tea over black tea. We shipped 2.0 today!")
    assert [one.trigger for one in found] == ["preference", "milestone"]
    assert "green tea" in found[0].quote


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


def test_who_cannot_remember_something_does_not_refuse() -> None:
    (found,) = of_user("I don't remember this well, but I prefer tea over coffee.")
    assert found.trigger == "preference"


def test_a_correction_after_small_talk_is_about_the_statement_whose_value_it_names() -> None:
    talk = chat(
        ("user", "The database listens on port 5432."),
        ("assistant", "ok."),
        ("user", "How is the weather?"),
        ("assistant", "Fine weather in Berlin today."),
        ("user", "Actually it's port 5433, not 5432."),
        ("assistant", "Right."),
        ("user", "No wait, actually it is 5434."),
    )
    assert [of_text(found.body) for found in findings.find(talk)] == [
        "The database listens on port 5433",
        "The database listens on port 5434",
    ]


def test_what_only_says_that_something_is_wrong_takes_the_right_one_along() -> None:
    (found,) = of_user("No, that's not right. My daughter is 6, not 5.")
    assert (of_text(found.body), found.body) == (
        "The user's daughter is 6, not 5",
        "The user's daughter is 6, not 5.",
    )


def test_a_request_before_the_statement_saves_the_statement() -> None:
    (found,) = of_user("Can you save this? The wifi of the office is called Bluebird. Thanks!")
    assert found.body.startswith("The wifi of the office is called Bluebird.")


@pytest.mark.parametrize(
    ("said", "saved"),
    [
        ("save this to memory: the door is green", "The door is green"),
        ("Remember: Ada is vegan", "Ada is vegan"),
        ("remember this: no nuts", "No nuts"),
        ("save this to memory: use tabs", "Use tabs"),
        ("Remember my name is Tom", "The user's name is Tom"),
        ("Save this to memory. The door is blue.", "The door is blue."),
        ("Can you save this to your memory? The door is blue.", "The door is blue."),
        ("please remember that Bo left", "Bo left"),
        ("Note: rent is due", "Rent is due"),
        ("Merk dir bitte: keine Nüsse", "Keine Nüsse"),
    ],
)
@pytest.mark.parametrize(
    "before", ["The door is red.", "The server listens on port 8080.", "The price is 10 euros."]
)
def test_a_save_stores_what_it_says_and_never_the_sentence_before(said: str, saved: str, before: str) -> None:
    found = findings.find(chat(("assistant", before), ("user", said)))
    assert [one.body for one in found if one.trigger == "save"] == [saved]


@pytest.mark.parametrize(
    "request_",
    ["can you save that to memory?", "Remember that.", "please save it", "Store this in your memory, please."],
)
def test_a_request_that_says_nothing_itself_saves_the_statement_not_a_question(request_: str) -> None:
    talk = chat(
        ("user", "The lease ends on 30 June."),
        ("assistant", "I hope that helps with the flat. Shall I look for another one?"),
        ("user", request_),
    )
    (found,) = findings.find(talk)
    assert found.body == "The lease ends on 30 June."


def test_a_request_to_save_what_nobody_said_saves_nothing() -> None:
    assert of_user("Please save this to memory.") == []
    assert findings.find(chat(("assistant", "What next?"), ("user", "remember that"))) == []


def test_each_request_of_a_turn_counts() -> None:
    found = of_user("Remember: Ada is vegan. Also remember that Bo eats no fish.")
    assert [one.body for one in found] == ["Ada is vegan.", "Bo eats no fish."]


def test_a_short_answer_keeps_the_question_it_answers() -> None:
    talk = chat(
        ("assistant", "How are the hives doing?"),
        ("user", "Four of the six are still alive since January 2026."),
    )
    bodies = [found.body for found in findings.find(talk)]
    assert bodies == [
        "Four of the six are still alive since January 2026.\n\n> The assistant: How are the hives doing?"
    ]


def test_days_are_told_by_their_date_where_it_is_known() -> None:
    turn = Turn("user", "We just shipped version 2.0 yesterday!", 1, when="2026-03-05T10:00:00Z")
    (found,) = findings.find(Conversation("c", "", (turn,)))
    assert found.quote == turn.text
    assert found.body == "The user's people just shipped version 2.0 on 2026-03-04!"


@pytest.mark.parametrize("name", ["12 Yesterday Lane", "yesterday.py", "pages/today.html", "tomorrow-app"])
def test_a_name_is_not_told_by_a_date(name: str) -> None:
    turn = Turn("user", f"Remember: parcels and backups go to {name} only.", 1, when="2026-03-05T10:00:00Z")
    (found,) = findings.find(Conversation("c", "", (turn,)))
    assert name in found.body


def test_each_sentence_about_the_user_begins_with_a_capital() -> None:
    text = "The gate stays shut. I have left it shut."
    assert reported.told(text, "user") == "The gate stays shut. The user has left it shut."


def test_what_a_pronoun_stands_for_is_quoted_below_it() -> None:
    talk = chat(("assistant", "The API key lies in the safe."), ("user", "Remember that it rotates monthly."))
    (found,) = findings.find(talk)
    assert found.body == "It rotates monthly.\n\n> The assistant: The API key lies in the safe."


def test_a_correction_puts_no_word_into_anothers_sentence() -> None:
    talk = chat(("user", "I assumed UTF-8."), ("user", "No, they're in Windows-1252, not UTF-8."))
    (found,) = findings.find(talk)
    assert found.body == "No, they're in Windows-1252, not UTF-8.\n\n> The user: I assumed UTF-8."
    assert "1252" in of_text(found.body)


def test_who_corrects_what_the_assistant_says_of_itself_is_quoted() -> None:
    talk = chat(("assistant", "I have 3 tests to write."), ("user", "No, it's 4."))
    (found,) = findings.find(talk)
    assert found.body == "No, it's 4.\n\n> The assistant: I have 3 tests to write."


def test_a_correction_that_says_all_itself_is_not_glued_to_the_turn_before() -> None:
    talk = chat(
        ("assistant", "The meeting is in room B12."),
        ("user", "Actually, from now on please use British spelling"),
    )
    for found in findings.find(talk):
        assert "B12" not in found.body + found.context


def test_what_the_user_meant_is_told_in_good_english() -> None:
    talk = chat(("assistant", "The office is in Munich, I see."), ("user", "no I meant Berlin"))
    (found,) = findings.find(talk)
    assert "the user meant Berlin" in found.body
    assert "meants" not in found.body


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("I prefer tabs over spaces.", "The user prefers tabs over spaces."),
        ("I'm allergic to peanuts", "The user is allergic to peanuts"),
        ("My wife and I prefer the aisle seats.", "The user's wife and the user prefer the aisle seats."),
        (
            "I hate it when you summarise what you just did.",
            'The user said: "I hate it when you summarise what you just did."',
        ),
        ("Always answer in Spanish.", "Always answer in Spanish."),
    ],
)
def test_a_later_reader_knows_who_is_meant_by_i_and_you(said: str, body: str) -> None:
    (found,) = of_user(said)
    assert found.body == body
    assert found.spoken == said


def test_what_the_third_person_is_not_sure_of_is_quoted_in_what_is_shown_of_it() -> None:
    (found,) = of_user("I hate it when you summarise what you just did.")
    assert of_text(found.body) == 'The user said: "I hate it when you summarise what you just did."'
    (found,) = of_user("Remember this: we and I both like short notes.")
    assert of_text(found.body) == 'The user said: "We and I both like short notes."'


def test_a_correction_that_names_the_wrong_value_is_about_the_statement_with_it() -> None:
    talk = chat(
        ("user", "The export is in UTF-8, I think."),
        ("assistant", "The door is red."),
        ("user", "No, it's in Windows-1252, not UTF-8."),
    )
    found = findings.find(talk)[-1]
    assert found.context == "The export is in UTF-8, I think."


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("my wife's birthday is May 3, what could I get her?", "The user's wife's birthday is May 3"),
        ("we're moving to Porto in June", "The user's people are moving to Porto in June"),
        ("I work as a nurse at the hospital in Bruck.", "The user works as a nurse at the hospital in Bruck"),
        ("Our fiscal year starts on April 1.", "The user's fiscal year starts on April 1"),
        ("Tom is the one who approves the budget.", "Tom is the one who approves the budget"),
        ("Meine Schwester wohnt seit März in Hamburg.", "Des Nutzers Schwester wohnt seit März in Hamburg"),
    ],
)
def test_a_plain_fact_said_in_passing_is_found(said: str, title: str) -> None:
    (found,) = of_user(said)
    assert (found.trigger, of_text(found.body)) == ("fact", title)


@pytest.mark.parametrize(
    "said",
    [
        "I'm going to the shop, back soon",
        "if I lived in Paris I'd never drive",
        "is my wife's birthday on May 3?",
        "the team meets on Tuesday, right?",
        "my head hurts",
        "the deploy is running",
        "this is the third time the build is red today",
    ],
)
def test_what_passes_is_no_fact(said: str) -> None:
    assert of_user(said) == []


def test_several_facts_of_a_turn_are_all_found() -> None:
    said = "I work as a nurse in Bruck. My boss is called Ingrid Moser."
    assert len(of_user(said)) == 2


def test_a_request_to_save_what_another_said_is_titled_with_their_name() -> None:
    turns = (Turn("user", "I live in Graz.", 1, name="Carla"), Turn("user", "Save that, please.", 2, name="Ben"))
    saved = next(finding for finding in findings.find(Conversation("c", "", turns)) if finding.trigger == "save")
    assert (of_text(saved.body), saved.body) == ("Carla lives in Graz", "Carla lives in Graz.")


@pytest.mark.parametrize("said", ["Carla said: I live in Graz.", "Carla: I live in Graz."])
def test_the_words_of_somebody_else_are_not_told_of_the_user(said: str) -> None:
    (found,) = of_user(said)
    assert found.body == f'The user said: "{said}"'


@pytest.mark.parametrize(
    "said",
    [
        "Contract with Klarna is over. Gone since January, it's card and sepa now.",
        "The van door jammed every winter. Turned out to be the hinge, not the lock.",
        "Der Wagen sprang nicht an. Seitdem die Batterie neu ist, springt er jeden Morgen an.",
    ],
)
def test_what_lacks_its_subject_is_told_behind_the_sentence_before(said: str) -> None:
    assert [found.body for found in of_user(said)] == [said]


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("I'm VAT exempt btw, so never put VAT on my invoices.", "The user is VAT exempt so never put VAT on"),
        ("Debo rectificar: la sede se trasladó a Pontevedra el año pasado.", "La sede se trasladó a Pontevedra"),
        ("Une précision : je ne suis plus locataire depuis mars.", "L'utilisateur n'est plus locataire"),
        ("La encontré en Lugo el 3 de mayo, es de 1912.", "El usuario la encontró en Lugo"),
    ],
)
def test_a_memory_has_no_filler(said: str, body: str) -> None:
    (found,) = of_user(said)
    assert found.body.startswith(body)


@pytest.mark.parametrize(
    "said",
    [
        'Would you proofread this? "I have always lived here. My mother took me every Saturday."',
        "Veuillez traduire en anglais : « Je m'appelle Hugo, j'habite Nantes et je ne bois jamais de café. »",
        "mach aus dem protokoll drei stichpunkte:\n\nBeschluss: Wir nutzen ab sofort nur noch Tickets.",
    ],
)
def test_words_that_are_quoted_or_handed_over_are_not_what_the_user_says(said: str) -> None:
    assert of_user(said) == []


def test_a_mere_value_is_about_the_question_it_answers() -> None:
    """The statement before the question has nothing to do with it."""
    talk = chat(
        ("assistant", "The stack trace points to a channel that is created too early. Is minSdk still 26?"),
        ("user", "28 now."),
    )
    (found,) = findings.find(talk)
    assert (found.context, found.corrected) == ("Is minSdk still 26?", "")


def test_a_mere_value_that_corrects_nothing_that_was_said_is_left_out() -> None:
    assert findings.find(chat(("assistant", "Wipe the inside with a cloth."), ("user", "a thorn. no, two"))) == []


def test_an_answer_about_it_keeps_the_question_that_names_it() -> None:
    talk = chat(
        ("assistant", "Is the property listed?"),
        ("user", "It is, grade two, which means that the windows may not be replaced."),
    )
    (found,) = findings.find(talk)
    assert found.context == "Is the property listed?"


def test_it_does_not_stand_for_what_is_a_clause_of_its_own() -> None:
    said = "i might run the october one if the knee's ok. it's not the car park anymore where we meet."
    assert all("knee" not in of_text(found.body) for found in of_user(said))


def test_of_a_paste_the_beginning_is_read_and_a_warning_says_so() -> None:
    """A turn of more sentences than anybody says is read up to a limit, and the reader is told."""
    said = "User: " + "".join(f"I prefer boat {number}. " for number in range(utterances.MOST_READ + 10))
    read = proposals.read(said, "chat.txt")
    assert [(problem.line, problem.severity) for problem in read.problems] == [(1, "warning")]
    assert not proposals.read("User: I prefer tea. I prefer cake.", "chat.txt").problems
