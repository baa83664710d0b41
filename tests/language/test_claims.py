"""What a note states: which sentences count, and what they are about."""

from __future__ import annotations

import pytest

from mdmem.language.statement import stated as claims
from mdmem.language.statement.stated import Statement

NOTHING = {"subject": "", "predicate": "", "object": ""}


def stated(title: str, body: str) -> list[Statement]:
    return list(claims.statements(title, body, 10, NOTHING))


def values(title: str, body: str) -> dict[tuple[str, ...], str]:
    return {key.about: key.value for one in stated(title, body) for key in one.keys}


@pytest.mark.parametrize(
    "sentence",
    [
        "Does the API run on port 80?",
        "The API might run on port 80.",
        "If it rains, the API runs on port 80.",
        "The API was on port 80.",
        "API port",
        "The API runs on port 80" + " and so on" * 20,
    ],
)
def test_what_is_asked_unsure_past_or_conditional_is_no_statement(sentence: str) -> None:
    assert list(claims.of_sentence(sentence, 1, ())) == []


def test_what_happened_once_and_for_all_is_one() -> None:
    assert list(claims.of_sentence("The house was built in 1920", 1, ()))


def test_a_line_says_where_it_stands_and_a_title_is_line_one() -> None:
    lines = [one.line for one in stated("The API runs on port 80", "Intro\n\n- The team uses Redis today\n")]
    assert set(lines) == {1, 12}


def test_code_quotes_headings_and_tables_state_nothing() -> None:
    line = "The API runs on port 80"
    assert stated("", f"```\n{line}\n```\n> {line}\n# {line}\n| {line} |\n") == []


def test_a_pronoun_stands_for_what_the_title_names() -> None:
    about = values("Billing API", "It runs on port 80.")
    assert ("value", "<title>", "billing", "api", "|", "run on") in about


def test_pairs_speak_of_the_title_of_what_is_named_above_or_of_what_they_name() -> None:
    assert values("Billing API", "port: 80")["pair", "billing", "api", "port"] == "80"
    assert values("Flags", "flag: dark_mode\nstate: on")["pair", "flag dark_mode", "state"] == "on"
    assert values("Ports", "port of the api: 80")["attribute", "port", "|", "api"] == "80"


def test_a_list_or_a_link_is_no_single_value() -> None:
    assert not values("Billing API", "ports: 80, 81\nsee: [[other_note]]")


def test_a_fact_is_its_three_properties_unless_it_holds_for_a_time_only() -> None:
    fact = {"subject": "Ana", "predicate": "owns", "object": "Billing"}
    (found,) = claims.statements("", "", 5, fact)
    assert (found.line, found.keys[0].about, found.keys[0].value) == (5, ("fact", "ana", "owns"), "billing")
    assert list(claims.statements("", "mode: timeboxed", 5, fact)) == []


@pytest.mark.parametrize(
    ("older", "newer", "sure"),
    [
        ("The weekly report is due on Friday", "The weekly report is due Thursday now, not Friday", 0.9),
        ("The project uses Python", "The project uses SQL", 0),
        ("User uses Python", "User uses Rust", 0),
        ("User prefers tables", "User prefers tabs", 0),
        ("User is vegetarian", "User eats fruit again", 0),
        ("The frontend is written in Python", "We moved the backend from Python to Rust", 0),
        ("The sync works on Linux", "The sync works on Linux, not only on Mac", 0),
    ],
)
def test_what_cannot_both_be_so_has_one_key_with_two_values(older: str, newer: str, sure: float) -> None:
    known, said = with_sureness(older), with_sureness(newer)
    both = [
        min(known[about][1], said[about][1])
        for about in known.keys() & said.keys()
        if known[about][0] != said[about][0]
    ]
    assert max(both, default=0) == sure


def with_sureness(text: str) -> dict[tuple[str, ...], tuple[str, float]]:
    """What a text says a value of -> the value and how sure that is."""
    return {key.about: (key.value, key.sure) for one in stated(text, "") for key in one.keys}
