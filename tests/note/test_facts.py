"""Facts as bullets of a note: written by mdmem, read back the same; written by hand, read as meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import facts, memory
from mdmem.note.facts import Fact

TRICKY = [
    *("a · b", "a | b", "·", "| x", "x |", '"quoted"', 'say "hi"', "Lisbon (Portugal)", "x (trait)", "(event)"),
    *("1. x", "- x", "# x", "```", "> x", "%%", "<div>", "[[ana]]", "a\nb", " a", "a ", "\\", 'x (trait) "y'),
    *("a  b", "x (0.9) ^id", "x ^id", "a\u2028b", "span x", "score 8", "é·è", "x (trait) "),
]
words = st.text(min_size=1, max_size=12).filter(str.strip) | st.sampled_from(TRICKY)
valid = st.builds(
    Fact,
    subject=words,
    relation=words,
    object=words,
    type=st.sampled_from(facts.TYPES),
    time_span=st.sampled_from([*facts.TIME_SPANS, "last_year"]),
    confidence=st.floats(0, 1),
    score=st.none() | st.integers(0, 10),
    sentence=st.text(max_size=20) | st.sampled_from(TRICKY),
    entry_id=st.just(""),
    entry_ts=st.just(""),
    line=st.just(0),
)


@given(valid)
def test_a_bullet_reads_back_as_the_fact_it_was_written_for(fact: Fact) -> None:
    bullet = facts.render(fact)
    assert "\n" not in bullet
    assert facts.parse(bullet) == fact


@given(st.lists(valid, max_size=4))
def test_a_note_gives_back_the_facts_of_its_section(stated: list[Fact]) -> None:
    head = "---\nid: m1\ntopic: t\ncreated: 2026-01-02T03:04:05Z\n---\n\nIntro.\n\n"
    text = f"{head}{facts.section(stated)}\n## More\n\n- x\n"
    found, problems = facts.of_memory(memory.parse(text.encode(), "allmemories/a_b_c.md"))
    assert not problems
    assert [fact._replace(entry_id="", entry_ts="", line=0) for fact in found] == stated
    assert all((fact.entry_id, fact.entry_ts) == ("m1", "2026-01-02T03:04:05Z") for fact in found)
    lines = text.split("\n")
    assert [lines[fact.line - 1] for fact in found] == [facts.render(fact) for fact in stated]


@given(st.text(max_size=60) | st.builds(" · ".join, st.lists(words, min_size=3, max_size=4)))
def test_any_bullet_is_a_valid_fact_or_refused(text: str) -> None:
    try:
        fact = facts.parse(text)
    except ValueError:
        return
    assert not facts.fault_of(fact)
    assert facts.parse(facts.render(fact)) == fact


@pytest.mark.parametrize(
    ("bullet", "meant"),
    [
        ("- Ana · lives in · Lisbon", Fact("Ana", "lives in", "Lisbon")),
        ("* Ana | lives in | Lisbon (identity)", Fact("Ana", "lives in", "Lisbon", "identity")),
        ("- Ana · lives in · Lisbon (Portugal)", Fact("Ana", "lives in", "Lisbon (Portugal)")),
        (
            "- Ana · born in · Rome (Italy) (past, 0.8)",
            Fact("Ana", "born in", "Rome (Italy)", "trait", "past", 0.8),
        ),
        ("- Ana · likes · tea (score 0, preference)", Fact("Ana", "likes", "tea", "preference", score=0)),
        ("- Ana · met · Bo (event, past) ^f1", Fact("Ana", "met", "Bo", "event", "past")),
        (
            '- Ana · met · Bo (event, past, 1) "We \\"met\\"."',
            Fact("Ana", "met", "Bo", "event", "past", 1.0, sentence='We "met".'),
        ),
    ],
)
def test_bullets_written_by_hand(bullet: str, meant: Fact) -> None:
    assert facts.parse(bullet) == meant


@pytest.mark.parametrize(
    ("bullet", "wrong"),
    [
        ("- Ana lives in Lisbon", "lacks a subject"),
        ("- Ana · lives in Lisbon", "lacks a subject"),
        ("- Ana · is · tall (identty, current)", "'identty' is not a type"),
        ("- Ana · is · tall (trait, identity)", "two values for type: trait, identity"),
        ("- Ana · is · tall (trait, 1.5)", "confidence 1.5 is not from 0 to 1"),
        ("- Ana · is · tall (trait, nan)", "'nan' is not a type"),
        ("- Ana · is · tall (trait, score 11)", "score 11 is not from 0 to 10"),
        ('- "" · is · tall', "subject is empty"),
    ],
)
def test_a_bullet_that_is_no_fact_says_what_is_wrong(bullet: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        facts.parse(bullet)


def test_a_note_reports_its_wrong_bullets_by_line_and_keeps_the_others() -> None:
    body = "## Facts\n\n- Ana · likes ·\n  tea (preference)\n- nonsense\n  - nested\n\n```\n- a · b · c\n```\n"
    found, problems = facts.of_memory(memory.parse(f"---\ntopic: t\n---\n{body}".encode(), "allmemories/a_b_c.md"))
    assert [(fact.subject, fact.object, fact.line) for fact in found] == [("Ana", "tea", 6)]
    assert [(problem.line, problem.severity) for problem in problems] == [(8, "warning")]


def test_a_note_without_a_topic_states_no_facts() -> None:
    assert facts.of_memory(memory.parse(b"## Facts\n\n- a \xc2\xb7 b \xc2\xb7 c\n", "a_b_c.md")) == ([], [])


def test_an_id_depends_on_what_is_said_alone() -> None:
    known = Fact("Ana", "lives in", "Lisbon", "identity")
    assert facts.fact_id(known) == facts.fact_id(Fact(" ANA ", "lives  in", "lisbon", "identity", "past", 0.1, 3))
    assert facts.fact_id(known) != facts.fact_id(known._replace(type="trait"))
    # sha256 of "ana|lives in|lisbon|identity": other programs compute the same
    assert facts.fact_id(known) == "04bfc468b131e204"
