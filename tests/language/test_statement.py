"""What sentences and notes state, in four languages, and which two statements exclude each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from mdmem.language.alignment.reading import tongue_of
from mdmem.language.statement import keys, reader, signs, statements
from mdmem.language.statement.reader import Stated
from mdmem.language.statement.statements import Statement
from mdmem.language.statement.tables import WORDS
from mdmem.language.sureness import Key

NOTHING = {"subject": "", "predicate": "", "object": ""}


def stated(title: str, body: str) -> list[Statement]:
    return list(statements.in_note(title, body, 10, NOTHING))


def values(title: str, body: str) -> dict[tuple[str, ...], str]:
    return {key.about: key.value for one in stated(title, body) for key in one.keys}


def read(sentence: str) -> Stated | None:
    tongue = tongue_of(signs.words_of(sentence))
    return reader.read(reader.plainly(sentence, tongue), tongue)


def examples(function: object) -> tuple[str, str]:
    """The two sentences behind the summary of a rule's docstring, which contradict each other."""
    _, first, second = re.findall(r"[A-Z][^.]+\.", function.__doc__ or "")
    return first, second


def clashing(first: list[Key], second: list[Key]) -> set[tuple[str, ...]]:
    """What both speak about and say another value of."""
    known = {key.about: key.value for key in first}
    return {key.about for key in second if known.get(key.about, key.value) != key.value}


@pytest.mark.parametrize("rule", [*keys.RULES, keys.liking], ids=lambda rule: rule.__name__)
def test_the_example_of_a_rule_is_a_contradiction_by_that_rule(rule: Callable[[Stated], Iterator[Key]]) -> None:
    first, second = map(read, examples(rule))
    assert first
    assert second
    assert clashing(list(rule(first)), list(rule(second)))


def test_the_example_of_another_value_in_the_same_place_is_one() -> None:
    first, second = examples(keys.slots)
    assert clashing(list(keys.slots(first)), list(keys.slots(second)))


@pytest.mark.parametrize(
    ("sentence", "subject", "relation", "value", "tail"),
    [
        ("The API runs on port 80.", "API", "run on", "port 80", ""),
        ("We don't deploy to Azure", "We", "deploy to", "Azure", ""),
        ("Maria's employer is ACME", "Maria employer", "is", "ACME", ""),
        ("Since 2024 the API runs on Debian", "API", "run on", "Debian", ""),
        ("Ada works at Acme instead of Globex.", "Ada", "work at", "Acme", ""),
        ("According to Ben, the port is 80", "port", "is", "80", ""),
        ("The report is due Thursday now, not Friday", "report", "deadline", "Thursday", ""),
        ("The team uses Redis as its cache.", "team", "use", "Redis", "as its cache"),
        ("Ich wohne seit drei Jahren in Berlin", "Ich", "live in", "Berlin", ""),
        ("Der Port der API ist 8080.", "Port API", "is", "8080", ""),
        ("Ana vive en Madrid.", "Ana", "live in", "Madrid", ""),
        ("Le port de l'API est 80.", "port de API", "is", "80", ""),
    ],
)
def test_a_sentence_is_divided_by_its_verb(
    sentence: str, subject: str, relation: str, value: str, tail: str
) -> None:
    found = read(sentence)
    assert found is not None
    assert (" ".join(found.subject), found.relation.name) == (subject, relation)
    assert (" ".join(found.value), " ".join(found.tail)) == (value, tail)


@pytest.mark.parametrize("sentence", ["The red house", "Runs", "The bot caches what runs on Debian"])
def test_a_sentence_without_a_verb_of_the_tables_is_not_divided(sentence: str) -> None:
    assert read(sentence) is None


@pytest.mark.parametrize("sentence", ["Luc n'habite pas à Lyon.", "Ada wohnt nicht in Bonn."])
def test_a_no_is_a_no(sentence: str) -> None:
    found = read(sentence)
    assert found is not None
    assert found.denied
    assert list(statements.in_sentence(sentence, 1, ())) == []


def test_an_attribute_is_named_with_its_thing() -> None:
    assert reader.attribute(("port", "of", "billing", "api"), "en") == (("port",), ("api", "billing"))
    assert reader.attribute(("frist", "antrag"), "de") == (("deadline",), ("antrag",))
    assert reader.attribute(("house",), "en") is None


@pytest.mark.parametrize(("sentence", "wrong"), [("It is Rust now, no longer Python", "Python"), ("So be it", "")])
def test_the_wrong_value_is_told_from_the_right_one(sentence: str, wrong: str) -> None:
    assert reader.rejected(sentence)[1] == wrong


@pytest.mark.parametrize("tongue", WORDS)
def test_what_a_language_lacks_is_said_in_its_own_words(tongue: str) -> None:
    """Every attribute of another language is one that English has: two notes in two languages can meet."""
    assert set(WORDS[tongue].attributes.values()) <= set(WORDS["en"].attributes.values()) | {"rent"}


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
    assert list(statements.in_sentence(sentence, 1, ())) == []


def test_what_happened_once_and_for_all_is_one() -> None:
    assert list(statements.in_sentence("The house was built in 1920", 1, ()))


def test_a_line_says_where_it_stands_and_a_title_is_line_one() -> None:
    lines = [one.line for one in stated("The API runs on port 80", "Intro\n\n- The team works at Acme today\n")]
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
    (found,) = statements.in_note("", "", 5, fact)
    assert (found.line, found.keys[0].about, found.keys[0].value) == (5, ("fact", "ana", "owns"), "billing")
    assert list(statements.in_note("", "mode: timeboxed", 5, fact)) == []


@pytest.mark.parametrize(
    ("older", "newer", "sure"),
    [
        ("The weekly report is due on Friday", "The weekly report is due Thursday now, not Friday", 0.9),
        ("The sync runs on Linux", "The sync runs on Linux, not only on Mac", 0),
        ("The project uses Python", "The project uses SQL", 0),
        ("User prefers tables", "User prefers tabs", 0),
        ("User drinks coffee in the office", "User drinks tea in the office", 0),
        ("The cat is called Miso", "The dog is called Rex", 0),
        ("The user does not hate jazz", "The user likes jazz", 0),
        ("Phase 2 starts in May 2024", "Phase 3 starts in May 2024", 0),
        ("The team has a meeting on 3 May", "The team has a meeting on 4 May", 0),
        ("The user speaks German", "The user speaks French", 0),
        ("The user lives in Berlin and Munich", "The user lives in Hamburg and Bremen", 0),
        ("Wir trainieren montags", "Wir trainieren dienstags", 0.6),
        ("Backups run every night at two", "Backups run every night at three", 0.85),
        ("Ada wohnt in Bremen", "Ada lives in Bonn", 0.9),
        ("Die Frist des Antrags ist der 3. Mai", "Die Frist des Antrags ist der 5. Juni", 0.88),
        ("El precio del curso es 90 euros", "El precio del curso es 80 euros", 0.88),
        ("Le cours dure 30 minutes", "Le cours dure 45 minutes", 0.9),
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


def test_a_long_note_states_what_stands_in_whole_sentences_at_its_beginning() -> None:
    filler = "It was raining over there. " * 60
    assert values("", f"The API runs on Debian. {filler}The cache runs on Ubuntu.") == {
        ("value", "api", "|", "run on"): "Debian"
    }
