"""Topic and global memories as values: what they hold, in which order, how much of it, how they are written."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import NoteError
from mdmem.note import tokens
from mdmem.note.facts import TYPES, Fact, fact_id
from mdmem.store.config import VaultConfig
from mdmem.systems.layers import documents, markdown, topic
from mdmem.systems.layers.documents import EntrySummary, GlobalMemory, TopicMemory
from mdmem.systems.layers.topic import Sourced, TopicSources

RULES = VaultConfig().pages


def entry(
    day: int, *facts: Fact, topic: str = "home", summary: str = "Talk.", **told: tuple[str, ...]
) -> EntrySummary:
    """An entry of a day, counted from the first of January 2020."""
    time = f"{2020 + day // 336}-{day // 28 % 12 + 1:02d}-{day % 28 + 1:02d}T10:00:00Z"
    id = f"{time.replace('-', '').replace(':', '')}-{day:08x}"
    dated = tuple(fact._replace(entry_id=id, entry_ts=time) for fact in facts)
    return EntrySummary(id, time, f"{topic} {summary}", dated, **told)


def built(*entries: EntrySummary, name: str = "home", scores: dict[str, int] | None = None) -> TopicMemory:
    return topic.build(TopicSources(name, f"topics/{name}", entries, scores=scores or {}), RULES)


def overall(*topics: TopicMemory) -> GlobalMemory:
    return topic.build_global([topic.digest(one, RULES) for one in topics], RULES)


def said(memory: GlobalMemory) -> list[tuple[str, str, str]]:
    """(tier, type, object) of the facts not to be forgotten."""
    return [(group.tier, group.type, known.fact.object) for group in memory.do_not_forget for known in group.facts]


LIVES = Fact("Ana", "lives in", "Lisbon", "identity", confidence=0.9)


# -- a topic -----------------------------------------------------------------------------------------------


def test_a_fact_that_several_entries_state_is_one_with_its_first_and_last() -> None:
    first, second = entry(1, LIVES), entry(9, LIVES._replace(object="LISBON ", confidence=0.6))
    (known,) = built(second, first).facts
    assert (known.id, known.mentions, known.fact.confidence) == (fact_id(LIVES), 2, 0.9)
    assert (known.first_entry_id, known.fact.entry_id) == (first.entry_id, second.entry_id)
    assert known.source == f"topics/home/{second.entry_id}/raw.md"


def test_the_last_score_holds_over_the_one_in_the_entry() -> None:
    (known,) = built(entry(1, LIVES._replace(score=9)), scores={fact_id(LIVES): 0}).facts
    assert known.fact.score == 0
    assert "Lisbon" not in markdown.topic_page(
        built(entry(1, LIVES), scores={known.id: 0}), "t.md", "topics", RULES
    )


def test_bounds_are_the_constraints_that_stand() -> None:
    over = Fact("Ana", "must", "work on Sundays", "constraint", "past", 0.95)
    must = Fact("Ana", "must", "pay by the fifth", "constraint", confidence=0.9)
    assert built(entry(1, over, must, LIVES)).state.bounds == ("Ana must pay by the fifth",)


def test_facts_of_notes_alone_make_a_topic() -> None:
    noted = Sourced(LIVES._replace(entry_id="m1", entry_ts="2026-01-01T00:00:00Z"), "allmemories/ana_lives_in.md")
    memory = topic.build(TopicSources("home", "topics/home", [], [noted]), RULES)
    assert (memory.entries, memory.updated, memory.state.summary) == (
        0,
        "2026-01-01T00:00:00Z",
        "Ana lives in Lisbon.",
    )
    assert "(allmemories/ana_lives_in.md)" in markdown.topic_page(memory, "page.md", "topics/home", RULES)


def test_a_link_holds_any_path() -> None:
    noted = [
        Sourced(LIVES._replace(object=place, entry_ts="2026-01-01T00:00:00Z"), path)
        for place, path in (("Rome", "a (b).md"), ("Oslo", "c(d).md"), ("Bonn", "e.md"))
    ]
    memory = topic.build(TopicSources("home", "topics/home", [], noted), RULES)
    page = markdown.topic_page(memory, "page.md", "topics/home", RULES)
    assert all(target in page for target in ("](<a (b).md>)", "](<c(d).md>)", "](e.md)"))


# -- what is open ------------------------------------------------------------------------------------------


def still_open(*newest_first: EntrySummary) -> tuple[str, ...]:
    questions, actions = topic.still_open(newest_first, 7)
    return (*questions, *actions)


def asked(*questions: str, actions: tuple[str, ...] = (), facts: tuple[Fact, ...] = ()) -> EntrySummary:
    return EntrySummary("", "", "", facts, questions, actions)


DEPOSIT = Fact("Bob", "pays", "the deposit", "commitment", sentence="Bob pays the deposit.")
CALLED = Fact("Ana", "called", "the landlord", "event", "past", sentence="I called the landlord yesterday.")


def test_a_later_fact_answers_a_question() -> None:
    question = asked("Who pays the deposit?")
    assert still_open(question) == ("Who pays the deposit?",)
    assert still_open(asked(facts=(DEPOSIT,)), question) == ()
    assert still_open(question, asked(facts=(DEPOSIT,))) == ("Who pays the deposit?",)


def test_a_later_event_closes_an_action_and_a_plan_does_not() -> None:
    action = asked(actions=("Call the landlord",))
    assert still_open(asked(facts=(CALLED,)), action) == ()
    assert still_open(asked(facts=(CALLED._replace(time_span="future"),)), action) == ("Call the landlord",)
    assert still_open(asked(facts=(CALLED._replace(type="commitment"),)), action) == ("Call the landlord",)


def test_what_is_asked_again_is_one_question_as_it_was_asked_last() -> None:
    assert still_open(asked("Who pays the deposits?"), asked("Who pays the deposit?")) == (
        "Who pays the deposits?",
    )


def test_only_the_last_entries_leave_something_open() -> None:
    old = entry(1, open_questions=("Who pays the deposit?",))
    later = [entry(day) for day in range(2, 2 + RULES.recent_entries)]
    assert built(old, *later[1:]).state.open_questions == ("Who pays the deposit?",)
    assert built(old, *later).state.open_questions == ()


# -- all topics --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "tier"),
    [
        (LIVES._replace(confidence=0.85), "core"),
        (LIVES._replace(confidence=0.84), "secondary"),
        (LIVES._replace(confidence=0.69), ""),
        (LIVES._replace(type="preference", confidence=1.0), "secondary"),
        (LIVES._replace(type="event", confidence=0.1, score=8), "core"),
        (LIVES._replace(confidence=1.0, score=7), "secondary"),
        (LIVES._replace(confidence=1.0, score=4), ""),
        (LIVES._replace(confidence=1.0, score=0), ""),
    ],
)
def test_a_person_outranks_the_confidence_of_a_fact(fact: Fact, tier: str) -> None:
    assert topic.tier_of(fact, RULES) == tier


def test_facts_not_to_be_forgotten_stand_by_tier_then_by_type_in_the_order_of_types() -> None:
    facts = [
        Fact("Ana", "x", f"{type} {value}", type, confidence=0.75) for type in TYPES[::-1] for value in (1, 2)
    ]
    scored = {fact_id(fact): 9 for fact in facts[::2]}
    found = said(overall(built(entry(1, *facts), scores=scored)))
    assert [(tier, type) for tier, type, _ in found] == [
        *(("core", type) for type in TYPES),
        *(("secondary", type) for type in TYPES),
    ]


def test_a_fact_of_two_topics_stands_once_with_the_score_that_a_person_gave() -> None:
    home = built(entry(1, LIVES), scores={fact_id(LIVES): 1})
    work = built(entry(9, LIVES), name="work")
    assert said(overall(home, work)) == []
    assert said(overall(built(entry(1, LIVES)), work)) == [("core", "identity", "Lisbon")]


def test_where_there_is_one_value_at_a_time_the_newest_stands() -> None:
    moved = LIVES._replace(object="Porto", confidence=0.86)
    likes = Fact("Ana", "likes", "tea", "preference", confidence=0.8)
    memory = overall(
        built(entry(1, LIVES, likes)), built(entry(9, moved, likes._replace(object="milk")), name="move")
    )
    assert said(memory) == [
        ("core", "identity", "Porto"),
        *(("secondary", "preference", drink) for drink in ("milk", "tea")),
    ]
    kept = built(entry(1, LIVES), scores={fact_id(LIVES): 9})
    assert [place for _, _, place in said(overall(kept, built(entry(9, moved), name="move")))] == [
        "Lisbon",
        "Porto",
    ]


def test_a_topic_is_active_for_some_time_after_its_last_entry() -> None:
    old, new = built(entry(1), name="old"), built(entry(84), name="new")  # 90 days later
    newer = built(entry(400), name="newer")
    assert [one.topic for one in overall(old, new).active_topics] == ["new", "old"]
    memory = overall(old, new, newer)
    assert [one.topic for one in memory.active_topics] == ["newer"]
    assert [one.topic for one in memory.quiet_topics] == ["new", "old"]


def test_ten_thousand_entries_leave_the_global_page_small() -> None:
    topics = []
    for number in range(60):
        name = f"topic_{number:02d}_with_a_long_name"
        entries = [
            entry(
                day * 7 + number % 7,
                Fact(
                    f"Person {number}", "has to remember", f"thing {day} of many", TYPES[day % 6], confidence=0.9
                ),
                topic=name,
                summary=f"What was said on day {day} went on for quite a while. " * 4,
                open_questions=(f"What about question {day} of topic {number}, which nobody could answer yet?",),
                next_actions=(f"Settle matter {day} of topic {number} with everybody who was there",),
            )
            for day in range(167)
        ]
        topics.append(built(*entries, name=name))
    memory = overall(*topics)
    page = markdown.global_page(memory, "GLOBAL_MEMORY.md", "topics", RULES)
    assert sum(one.entries for one in topics) > 10_000
    assert tokens.estimate(page) <= 2000
    assert len(memory.active_topics) == RULES.active_topics
    assert sum(tier == "core" for tier, _, _ in said(memory)) <= RULES.core_total
    assert sum(tier == "secondary" for tier, _, _ in said(memory)) <= RULES.secondary_total
    assert max(len(group.facts) for group in memory.do_not_forget if group.tier == "core") == RULES.core_per_type
    assert "## Active topics" in page
    assert markdown.is_page(page.encode())


# -- documents ---------------------------------------------------------------------------------------------

texts = st.text(st.characters(codec="utf-8"), max_size=12)
facts = st.builds(
    Fact,
    *(texts.filter(str.strip) for _ in range(3)),
    type=st.sampled_from(TYPES),
    time_span=st.just("current"),
    confidence=st.floats(0, 1),
    score=st.none() | st.integers(0, 10),
    sentence=texts,
    line=st.integers(0, 9),
)


@given(st.lists(facts, max_size=4), texts)
def test_documents_read_back_as_they_were_written(stated: list[Fact], summary: str) -> None:
    memory = built(entry(3, *stated, summary=summary, next_actions=(summary,)))
    data = documents.render(memory)
    assert documents.read(TopicMemory, data, "topic_memory.json") == memory
    assert data == (json.dumps(json.loads(data), indent=2, ensure_ascii=False) + "\n").encode()
    everything = overall(memory)
    assert documents.read(GlobalMemory, documents.render(everything), "GLOBAL_MEMORY.json") == everything


def test_documents_carry_their_schema_and_other_kinds_are_refused() -> None:
    memory = built(entry(1, LIVES))
    assert json.loads(documents.render(memory))["schema"] == "topic_memory.v1"
    assert json.loads(documents.render(overall(memory)))["schema"] == "global_memory.v1"
    with pytest.raises(NoteError, match=r"GLOBAL_MEMORY.json.*topic_memory"):
        documents.read(GlobalMemory, documents.render(memory), "GLOBAL_MEMORY.json")


def test_a_page_says_each_thing_once_and_names_its_source() -> None:
    allergy = Fact("Ana", "is allergic to", "nuts", "constraint", "long_term", 0.9)
    renewal = Fact("Ana", "has to renew", "her visa", "commitment", "future", 0.9)
    told = "Ana is allergic to nuts. Ana has to renew her visa. Ana lives in Lisbon."
    memory = built(
        entry(1, allergy, renewal, LIVES, topic="", summary=told, next_actions=("Ana has to renew her visa.",)),
        entry(2, allergy, topic="", summary="Ana is allergic to nuts. They talked of weather."),
    )
    page = markdown.topic_page(memory, "topics/home/topic_memory.md", "topics/home", RULES)
    assert memory.state.summary == "They talked of weather. Ana lives in Lisbon."
    assert [line.summary for line in memory.latest] == ["Ana is allergic to nuts.", "Ana has to renew her visa."]
    facts = page.partition("## Latest dialogs")[0]
    assert facts.count("allergic") == facts.count("renew") == 1
    assert "- Ana has to renew her visa. ([2020-01-02](" in page
    whole = markdown.global_page(overall(memory), "GLOBAL_MEMORY.md", "topics", RULES)
    assert [whole.count(word) for word in ("allergic", "renew", "Lisbon", "weather")] == [1, 1, 1, 1]


def test_an_action_that_a_person_scored_low_leaves_the_page() -> None:
    renewal = Fact("Ana", "has to renew", "her visa", "commitment", "future", 0.9)
    one = entry(1, renewal, next_actions=("Ana has to renew her visa.",))
    assert built(one).state.next_actions == ("Ana has to renew her visa.",)
    assert built(one, scores={fact_id(renewal): 1}).state.next_actions == ()


def test_a_commitment_that_was_kept_is_not_among_what_must_not_be_forgotten() -> None:
    promise = Fact("Ana", "will", "return the library books on 2020-01-09", "commitment", "future", 0.9)
    other = Fact("Ana", "will", "paint the kitchen", "commitment", "future", 0.9)
    deed = Fact("Ana", "returned", "the library books", "event", "past", 0.6)
    begun, done = entry(1, promise, other), entry(2, deed)
    assert {fact for *_, fact in said(overall(built(begun)))} == {promise.object, other.object}
    assert [fact for *_, fact in said(overall(built(begun, done)))] == [other.object]
    same_day = entry(1, promise, deed)  # a deed of old, told before the promise
    assert promise.object in [fact for *_, fact in said(overall(built(same_day)))]
    scored = built(begun, done, scores={fact_id(promise): 9})
    assert promise.object in [fact for *_, fact in said(overall(scored))]
