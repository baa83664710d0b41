"""A query taken apart: words, phrases, exclusions, filters and the kind of answer."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note.dates import Window
from mdmem.note.filters import Filter
from mdmem.recall import question
from mdmem.recall.question import Question
from mdmem.store.index import alike

KNOWN = frozenset({"type", "tag", "created", "title"})


def parse(text: str) -> Question:
    return question.parse(text, KNOWN, date(2026, 3, 1))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("deploy the Server", ("deploy", "server")),
        ("What is the plan?", ("plan",)),
        ("to be or not to be", ("to", "be", "or", "not")),
        ("what is it", ("what", "is", "it")),
        ("plan plan Plan", ("plan",)),
        ("user_prefers_tables", ("user", "prefers", "tables")),
        ("Caroline's dog and the DOGS' bowl", ("caroline", "dog", "dogs", "bowl")),
        ("don’t", ("don", "t")),
        ("Where did Will go with US forces", ("will", "go", "us", "forces")),
        ("Will I go", ("go",)),
        ("机器学习", ("机器", "器学", "学习")),
        ("re\u0301sume\u0301", ("résumé",)),
        ("a:b http://x.org", ("b", "http", "x", "org")),
        ("C++ & c#", ("c",)),
        ("???", ()),
        ("", ()),
    ],
)
def test_words(text: str, words: tuple[str, ...]) -> None:
    assert parse(text).words == words


@pytest.mark.parametrize(
    ("text", "phrases", "words", "alone"),
    [
        ('"blue green"', ("blue green",), ("blue", "green"), True),
        ('" blue green " ?', ("blue green",), ("blue", "green"), True),
        ("“blue green” „now”", ("blue green", "now"), ("blue", "green", "now"), True),
        ('deploy "blue green"', ("blue green",), ("deploy", "blue", "green"), False),
        ('blue "blue green"', ("blue green",), ("blue", "green"), False),
        ('"blue', (), ("blue",), False),
        ('"" "->" x', (), ("x",), False),
        ('"the "', ("the",), ("the",), True),
    ],
)
def test_phrases(text: str, phrases: tuple[str, ...], words: tuple[str, ...], alone: bool) -> None:
    asked = parse(text)
    assert (asked.phrases, asked.words, asked.only_phrases) == (phrases, words, alone)


@pytest.mark.parametrize(
    ("text", "without", "words"),
    [
        ("deploy -Staging", ("staging",), ("deploy",)),
        ('deploy -"blue green" -blue-green', ("blue green",), ("deploy",)),
        ("deploy -a:b", ("a b",), ("deploy",)),
        ("deploy -机器学习", ("机器 器学 学习",), ("deploy",)),
        ("deploy -??? - --force blue-green", (), ("deploy", "force", "blue", "green")),
    ],
)
def test_exclusions(text: str, without: tuple[str, ...], words: tuple[str, ...]) -> None:
    asked = parse(text)
    assert (asked.without, asked.words) == (without, words)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("type:decision", Filter("type", "=", "decision")),
        ('tag:"two words"', Filter("tag", "=", "two words")),
        ("created:>2026-01", Filter("created", ">", "2026-01")),
        ("created:<=2026", Filter("created", "<=", "2026")),
        ("title:~plan", Filter("title", "~", "plan")),
        ("type:!=fact", Filter("type", "!=", "fact")),
        ("-type:fact", Filter("type", "=", "fact", negated=True)),
        ("-created:>2026-01", Filter("created", ">", "2026-01", negated=True)),
        ("-title:~plan", Filter("title", "~", "plan", negated=True)),
        ("after:2026-02-21", Filter("created", ">", "2026-02-21")),
        ("Since:yesterday", Filter("created", ">=", "yesterday")),
        ('before:"last week"', Filter("created", "<", "last week")),
        ("-until:2026", Filter("created", "<=", "2026", negated=True)),
    ],
)
def test_filters(text: str, found: Filter) -> None:
    asked = parse(f"deploy {text}")
    assert asked.filters == (found,)
    assert asked.words == ("deploy",)
    assert parse(text).is_empty


@pytest.mark.parametrize(
    "text", ["colour:blue", "type: decision", "type://x", "(type:decision)", "x-type:fact", "before:lunch"]
)
def test_what_is_no_filter_is_words(text: str) -> None:
    assert parse(text).filters == ()
    assert parse(text).words


def test_only_what_asks_for_nothing_is_empty() -> None:
    assert all(parse(text).is_empty for text in ("", " \n", "type:fact", "-word", '""'))
    assert not any(parse(text).is_empty for text in ("???", "🎉", "the", '"a"'))


@pytest.mark.parametrize(
    ("text", "asks_when"),
    [
        ("When did it fail", True),
        ("how long is it", True),
        ("In which year was it", True),
        ("which city is it", False),
        ("tell me when", False),
        ("whenever", False),
        ("", False),
    ],
)
def test_whether_a_time_is_wanted(text: str, asks_when: bool) -> None:
    assert parse(text).asks_when == asks_when


@pytest.mark.parametrize("text", ["What does Ada not like?", "was Ada nicht", "Ada n'aime pas", "lo que Ada no"])
def test_not_and_like_are_not_searched(text: str) -> None:
    """In no language: they stand in any note."""
    assert {"not", "like", "nicht", "pas", "no"}.isdisjoint(parse(text).words)
    assert "ada" in parse(text).words


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("What kind of pet do we have", ("kind", "of", "pet")),
        ("so which old instruments are left", ("old", "instruments", "are")),
        ("what?", ()),
        ("our pet", ()),
    ],
)
def test_the_words_behind_what_and_which_may_name_a_kind(text: str, kinds: tuple[str, ...]) -> None:
    assert parse(text).kinds == kinds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("wann ist der Elternabend", ("elternabend",)),
        ("qu'est-ce qu'on fait contre les poux", ("contre", "poux")),
        ("¿dónde está la multiherramienta?", ("multiherramienta",)),
        ("where is the den", ("den",)),
        ("hay and soy from Las Vegas", ("hay", "soy", "las", "vegas")),
        ("wo ist das", ("wo", "ist", "das")),
    ],
)
def test_words_that_say_nothing_are_those_of_the_language_asked_in(text: str, words: tuple[str, ...]) -> None:
    assert parse(text).words == words


def test_dates_are_those_of_what_is_asked() -> None:
    assert parse("plan of last March").windows == (Window(2025, 3, 0),)
    assert parse("plan created:>2024-05-01 -2023").windows == ()


def test_a_phrase_counts_once_and_only_the_first_are_asked_for() -> None:
    """A question in JSON has hundreds: FTS5 reads all places of each in every note."""
    assert parse('{"a": [1, "b"]}, ' * 200).phrases == ("a", "b")
    many = " ".join(f'"w{number}"' for number in range(900))
    assert parse(many).phrases == tuple(f"w{number}" for number in range(alike.MAX_WORDS))


def test_a_long_text_is_asked_by_its_first_words() -> None:
    asked = parse(" ".join(f"w{number}" for number in range(10_000)))
    assert asked.words == tuple(f"w{number}" for number in range(alike.MAX_WORDS))


@given(st.lists(st.text()))
def test_terms_are_quoted(terms: list[str]) -> None:
    expression = alike.match_expression(terms)
    assert expression.count('"') % 2 == 0
    assert expression == " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)


@pytest.mark.parametrize(
    ("text", "line", "lacks"),
    [
        ("how many dogs does Ada have", "Ada has a dog.", True),
        ("how many dogs does Ada have", "Ada has two dogs.", False),
        ("wie viele Hunde hat Ada", "Ada hat 3 Hunde.", False),
        ("who repaired the bridge in York", "The bridge in York was repaired.", True),
        ("who repaired the bridge in York", "The bridge in York was repaired by Tom.", False),
        ("when did it begin", "It began at once.", True),
        ("when did it begin", "It began in May.", False),
        ("what did Ada say", "Nothing.", False),
    ],
)
def test_whether_a_line_names_what_is_asked_for(text: str, line: str, lacks: bool) -> None:
    """A number, a name or a time that the question names itself is no answer to it."""
    assert question.lacks(parse(text), line) == lacks
