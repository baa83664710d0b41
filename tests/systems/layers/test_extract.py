"""What is drawn from a dialog by rule: facts with their sentence and line, open questions, next actions."""

from __future__ import annotations

import json

import pytest

from mdmem.note.facts import TYPES, Fact
from mdmem.systems.layers import dialog, documents, extract
from mdmem.systems.layers.documents import EntryMeta, EntrySummary


def _summary(text: str, name: str = "chat.txt", time: str = "2023-05-08T13:56:00Z") -> EntrySummary:
    data = text.encode()
    read = dialog.read(data, name)
    meta = EntryMeta("20230508T135600Z-00000000", time, "t", name, read.format, "", len(data))
    return extract.summary_of(read, meta)


def _told(summary: EntrySummary) -> list[str]:
    return [extract.told(fact) for fact in summary.facts]


NO_FORM = "I struggled with my health in 2019, and the therapy I got in Bern was really helpful"
DRAWN = {
    "a clause is not taken for the sentence": (f"Ana: {NO_FORM}.\nBen: Oh!\nAna: Yes.\n", [f"Ana said {NO_FORM}"]),
    "an answer is quoted with its question": (
        "Ben: How long have you been married?\nAna: Five years already, since May 2018!\n",
        ["Ana said Five years already, since May 2018 (asked: How long have you been married?)"],
    ),
    "praise and small talk": (
        "Ana: Your garden looks gorgeous!\nBen: Thanks, it means a lot to me. It was so much fun.\n",
        [],
    ),
    "days are reckoned from the turn that names them": (
        "[2023-01-20 16:04] Jon: I lost my job yesterday.\n[2023-01-29 10:00] Gina: Oh!\n"
        "[2023-01-29 10:01] Jon: I have an interview on Tuesday.\n",
        ["Jon lost their job on 2023-01-19", "Jon has an interview on 2023-01-31"],
    ),
    "only people speak, for themselves": (
        "User: I use Linux. My boss says I am slow. If I moved to Rome, I would be glad.\n"
        '> I am quoted and I love Windows\n```\nI love code\n```\nShe said "I love Rome".\n'
        "Assistant: I recommend Arch. I love Linux, and you live in Berlin.\n"
        "User: Please don't remember that, but I love beer.\n",
        ["user uses Linux"],
    ),
    "somebody with a name is never the user, below a title or as a third person": (
        "# Moving\n\nAna: I moved to Porto. We found a flat.\nBen: I drink green tea.\n"
        "Cleo: I have a dog.\nDan: I own a bakery. And you?\nCustomer: I live in Rome.\n",
        [
            *("Ana moved to Porto", "Ana found a flat", "Ben drinks green tea", "Cleo has a dog"),
            *("Dan owns a bakery", "user lives in Rome"),
        ],
    ),
    "a line of somebody else says nothing of the writer": (
        "Some notes of today.\n\nCarla: I live in Graz.\n\nMonday: I bought a bike. I love tea.\n",
        ["user said Monday: I bought a bike", "user loves tea"],
    ),
    "a weekday that limits something is a date": (
        "User: The deadline is Friday. I have to call the bank by Friday. The gym day is Friday.\n",
        ["deadline is 2023-05-12", "user has to call the bank by 2023-05-12", "gym day is Friday"],
    ),
}


@pytest.mark.parametrize(("text", "told"), DRAWN.values(), ids=DRAWN)
def test_facts_are_drawn_by_rule(text: str, told: list[str]) -> None:
    assert _told(_summary(text, "chat.md" if text.startswith(("#", "Some")) else "chat.txt")) == told


def test_facts_are_about_those_who_speak_with_sentence_and_line() -> None:
    text = (
        "Ana: Hi Ben!\nBen: Hey Ana, I live in Porto. How are you?\n"
        "Ana: Fine. Ben, I bought a bike yesterday!\nBen: Wow.\n"
    )
    facts = [fact._replace(confidence=1.0) for fact in _summary(text).facts]
    assert facts == [
        Fact(
            *("Ben", "lives in", "Porto", "identity", "long_term", 1.0, None),
            *("20230508T135600Z-00000000", "2023-05-08T13:56:00Z", "Hey Ana, I live in Porto.", 2),
        ),
        Fact(
            *("Ana", "bought", "a bike on 2023-05-07", "event", "past", 1.0, None),
            *("20230508T135600Z-00000000", "2023-05-08T13:56:00Z", "Ben, I bought a bike yesterday!", 3),
        ),
    ]


def test_what_has_no_plain_form_is_quoted_with_a_type() -> None:
    text = "Ana: My uncle in Bern builds violins and teaches at the academy.\nBen: Do you play?\nAna: I do.\n"
    (fact,) = _summary(text).facts
    assert (fact.subject, fact.relation) == ("Ana", "said")
    assert fact.object == "My uncle in Bern builds violins and teaches at the academy"
    assert fact.type in TYPES


def test_what_says_more_of_a_sentence_is_quoted_with_it() -> None:
    """Alone, nobody could tell what it was that helped her."""
    said = "Last week I started a pottery class with my sister in Bern. It helps me to calm down after work"
    (fact,) = _summary(f"Ana: {said}.\nBen: Oh!\nAna: Yes.\n").facts
    assert fact.object == said.replace("Last week", "In the week of 2023-05-01")
    assert fact.sentence == f"{said}."


def test_a_text_in_which_nobody_speaks_is_its_writer() -> None:
    summary = _summary(
        "# Diary\n\nI work as a nurse. The deadline for the grant is 3 May.\n\n- [ ] Call the bank\n"
    )
    assert _told(summary) == ["user works as a nurse", "deadline for the grant is 3 May"]
    assert [fact.line for fact in summary.facts] == [3, 3]
    assert [fact.type for fact in summary.facts] == ["identity", "constraint"]
    assert summary.next_actions == ("Call the bank",)


def test_a_turn_in_json_names_the_line_of_raw_md_where_it_stands() -> None:
    turns = [
        {"role": "user", "content": "Hello.\n\nI live in Lisbon."},
        {"role": "assistant", "content": "I live in a data centre."},
        {"role": "user", "content": "I'm allergic to nuts."},
    ]
    text = "\n".join(json.dumps(turn) for turn in turns)
    summary = _summary(text, "chat.jsonl")
    assert [(extract.told(fact), fact.line) for fact in summary.facts] == [
        ("user lives in Lisbon", 1),
        ("user is allergic to nuts", 3),
    ]


def test_what_is_said_twice_is_one_fact_where_it_was_said_first() -> None:
    text = "Ana: I sold my car!\nBen: Ok.\nAna: I sold my car.\nBen: Yes.\n"
    (fact,) = _summary(text).facts
    assert (extract.told(fact), fact.line) == ("Ana sold their car", 1)


def test_what_is_open_and_what_is_next() -> None:
    text = (
        "User: We haven't decided on a venue yet. I'm going to ask the town hall next week.\n"
        "Assistant: Which day do you want?\nTODO: hire a car\nUser: TODO: book a band\nCan you find one?\n"
    )
    summary = _summary(text)
    assert summary.open_questions == ("We haven't decided on a venue yet.",)
    assert summary.next_actions[0] == "book a band", "what an assistant plans is no action"


def test_a_text_without_facts_is_summed_up_by_its_first_line() -> None:
    summary = _summary("# The weather\n\nRain.\n")
    assert (summary.facts, summary.summary, summary.made_by) == ((), "The weather", "rules")


def test_the_same_bytes_give_the_same_summary() -> None:
    text = "Ana: I love tea, and I live in Rome. I sold my car last week.\nBen: I own a bakery.\n"
    assert documents.render(_summary(text)) == documents.render(_summary(text))


def test_what_is_undecided_is_a_question_and_no_action_and_both_are_sentences() -> None:
    summary = _summary("User: I still need to decide which bank to use. I have to renew my passport.\n")
    assert summary.open_questions == ("I still need to decide which bank to use.",)
    assert summary.next_actions == ("User has to renew their passport.",)
