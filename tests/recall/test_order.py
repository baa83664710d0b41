"""What recall promises, on notes in memory: which are found, in which order, and what is said about them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

import pytest

from mdmem.note import excerpt, memory
from mdmem.note.filters import Filter
from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.recall.pool import Hit
from mdmem.recall.reading import Learned
from mdmem.recall.score import WEIGHTS
from mdmem.store.index import alike
from mdmem.store.index.catalogue import SqliteCatalogue
from mdmem.store.index.port import MEMORY

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


class Notes:
    """A vault of notes in memory."""

    def __init__(self) -> None:
        self.catalogue = SqliteCatalogue.in_memory()

    def add(self, name: str, body: str, **properties: object) -> None:
        """Write a note of 2026-01-01, unless `created` is given; with a session, as a turn of a dialog."""
        properties = {"created": "2026-01-01T00:00:00Z", **properties}
        if "session" in properties:
            properties = {"source": "import", **properties}
        head = "".join(f"{key}: {json.dumps(value)}\n" for key, value in properties.items())
        note = memory.parse(f"---\n{head}---\n\n{body}\n".encode(), f"allmemories/{name}.md")
        assert not note.problems
        self.catalogue.insert(note, "", "")

    def filler(self, count: int, body: str, **properties: object) -> None:
        """Many notes of one text and a word of their own."""
        for number in range(count):
            self.add(f"filler_note_{number}", f"{body} number{number}", **properties)

    def hits(self, *texts: str, limit: int = 10, **around: object) -> list[Hit]:
        return order.recall(self.catalogue, texts, RecallContext(NOW, **around), limit)  # type: ignore[arg-type]

    def found(self, *texts: str, limit: int = 10, **around: object) -> list[str]:
        """The names of what is recalled, best first."""
        return [hit.record.name for hit in self.hits(*texts, limit=limit, **around)]

    def one(self, text: str, name: str) -> Hit:
        """The hit of that name, however far down it is."""
        record = self.catalogue.record(f"allmemories/{name}.md")
        assert record
        ranked = order.rank_of(self.catalogue, [text], RecallContext(NOW), record)
        assert ranked
        return ranked[1]


@pytest.fixture
def notes() -> Iterator[Notes]:
    filled = Notes()
    yield filled
    filled.catalogue.close()


# -- words ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("The deployment failed", "deployments failing"),
        ("We went to Berlin", "go to Berlin"),
        ("They bought a boat", "buying"),
        ("Two children", "child"),
        ("Der Datenbankserver steht", "datenbank"),
        ("Caroline's guitar", "Caroline"),
        ("ein café in Paris", "cafe"),
        ("a cafe in Paris", "café"),
        ("re\u0301sume\u0301 sent", "résumé"),
        ("résumé sent", "re\u0301sume\u0301"),
        ("chuyến đi Việt Nam", "viet"),
        ("flight to İstanbul", "istanbul"),
        ("25°C outside", "25"),
        ("user_prefers_tables", "tables"),
        ("release 2024.10", "2024"),
        ("हिन्दी में लिखो", "हिन्दी"),
        ("Встреча в понедельник", "встреча"),
        ("שלום עולם", "שלום"),
        ("the " + "x" * 300 + " id", "x" * 300),
        ("party 🎉 tonight", "🎉"),
        ("👍🏽 from all", "👍"),
        ("I ❤️ it", "❤"),
    ],
)
def test_a_word_is_found_in_every_form(notes: Notes, said: str, asked: str) -> None:
    notes.add("the_one_note", said)
    notes.add("another_one_here", "nothing of that kind")
    hits = notes.hits(asked)
    assert [hit.record.name for hit in hits] == ["the_one_note"]
    assert excerpt.OPEN in hits[0].snippet
    assert hits[0].missing == () or len(asked.split()) > 1


@pytest.mark.parametrize("asked", ["机器学习", "机器", "学习", "习课", "机", "程", "习"])
def test_chinese_is_found_by_the_whole_by_a_part_and_by_a_sign(notes: Notes, asked: str) -> None:
    notes.add("chinese_note_here", "我的机器学习课程。")
    notes.add("other_chinese_note", "今天天气很好")
    (hit,) = notes.hits(asked)
    assert hit.record.name == "chinese_note_here"
    assert set(asked) <= set(hit.snippet.partition(excerpt.OPEN)[2].partition(excerpt.CLOSE)[0])


@pytest.mark.parametrize(
    ("said", "asked", "marked"),
    [
        ("กรุงเทพมหานครที่นี่", "ที่นี่", "ที่นี่"),
        ("회의를 열었다", "회의", "회의"),
        ("今日は東京に行く", "東京", "東京"),
        ("使用Git进行版本控制", "git", "Git"),
    ],
)
def test_words_without_spaces_are_marked(notes: Notes, said: str, asked: str, marked: str) -> None:
    notes.add("the_one_note", said)
    assert notes.hits(asked)[0].snippet == said.replace(marked, f"{excerpt.OPEN}{marked}{excerpt.CLOSE}")


def test_the_word_itself_counts_more_than_a_synonym(notes: Notes) -> None:
    notes.add("by_another_word", "We plan a vacation in June")
    notes.add("by_the_word", "We plan a trip in June")
    assert notes.found("trip") == ["by_the_word", "by_another_word"]


def test_a_synonym_that_is_asked_for_counts_as_itself(notes: Notes) -> None:
    """Of two words for the same thing in one question, neither hides the other."""
    notes.add("has_the_second", "A vacation by the sea")
    hit = notes.one("trip vacation", "has_the_second")
    assert "vacation" in hit.found
    assert "words" in hit.signals


def test_a_word_that_begins_like_an_earlier_one_counts_as_itself(notes: Notes) -> None:
    notes.add("has_both_words", "The workshop about work")
    notes.add("has_the_longer", "The workshop about paint")
    alone = notes.one("workshop", "has_the_longer").signals["words"]
    assert notes.one("work workshop", "has_the_longer").signals["words"] == alone


def test_two_forms_of_a_word_are_one_word_of_the_question(notes: Notes) -> None:
    notes.add("about_the_plan", "The plan for the server")
    hit = notes.one("plan the plans", "about_the_plan")
    assert (hit.found, hit.missing) == (("plan",), ())


def test_the_passage_of_a_synonym_is_the_line_that_has_it(notes: Notes) -> None:
    notes.add("by_another_word", "First line.\n\nWe plan a vacation in June.")
    (hit,) = notes.hits("trip")
    assert hit.line == 7
    assert hit.snippet == f"We plan a {excerpt.OPEN}vacation{excerpt.CLOSE} in June."


def test_stop_words_count_only_when_nothing_else_is_asked(notes: Notes) -> None:
    notes.add("to_be_or_not", "To be or to be")
    notes.add("about_the_database", "Our database is postgres")
    assert notes.found("what is the database") == ["about_the_database"]
    assert notes.found("to be")[0] == "to_be_or_not"


def test_a_name_that_is_a_stop_word_is_asked_for(notes: Notes) -> None:
    notes.add("about_will_smithers", "Will went to Oslo")
    notes.add("about_somebody_else", "Ann went to Oslo")
    assert notes.found("Where did Will go in Oslo?")[0] == "about_will_smithers"


def test_a_slip_is_mended(notes: Notes) -> None:
    notes.add("about_the_database", "postgres is our database")
    for slip in ("postgers", "postgrs", "datbase", "ostgres"):
        assert notes.found(slip) == ["about_the_database"], slip


@pytest.mark.parametrize(
    ("meant", "slip"),
    [
        ("kubernetes", "xubernetes"),
        ("kubernetes", "ubernetes"),
        ("kubernetes", "xkubernetes"),
        ("kubernetes", "ukbernetes"),
        ("kubernetes", "xubernettes"),
        ("колокольня", "солокольня"),
        ("колокольня", "олокольня"),
        ("λογότυπο", "νογότυπο"),
        ("अनुवादक", "कनुवादक"),
    ],
)
def test_a_slip_at_the_beginning_is_mended(notes: Notes, meant: str, slip: str) -> None:
    """In any alphabet."""
    notes.add("about_the_cluster", f"We chose {meant} here.")
    notes.filler(5, "Something else entirely.")
    assert notes.found(slip) == ["about_the_cluster"]


def test_words_that_no_note_has_do_not_read_all_words_of_the_vault(
    notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That took 70 ms a word in a vault of 10,000 notes; each beginning is looked up once."""
    asked: list[str] = []
    look_up = SqliteCatalogue.vocabulary

    def counted(self: SqliteCatalogue, beginnings: Sequence[str]) -> dict[str, dict[str, int]]:
        asked.extend(beginnings)
        return look_up(self, beginnings)

    monkeypatch.setattr(SqliteCatalogue, "vocabulary", counted)
    notes.filler(3, "Something else entirely.")
    assert notes.found("unknownword unknownthing quitestrange") == []
    assert "" not in asked
    beginnings = [first for first in asked if len(first) < 3]
    assert len(beginnings) == len(set(beginnings))


def test_a_slip_is_mended_where_the_stem_is_no_word(notes: Notes) -> None:
    """FTS5 makes `abus` of `abuse` and `abu` of `abus`."""
    notes.add("about_an_abuse", "the abuse of tokens and their expense")
    assert notes.found("expemse") == ["about_an_abuse"]


def test_no_slip_is_seen_where_the_word_exists(notes: Notes) -> None:
    notes.add("about_a_board", "the board decides")
    notes.add("about_a_beard", "the beard grows")
    assert notes.found("board") == ["about_a_board"]


def test_short_words_and_numbers_are_never_mended(notes: Notes) -> None:
    notes.add("about_the_port", "port 54321 of host")
    assert notes.found("poet") == []
    assert notes.found("54322") == []


def test_the_commonest_words_with_a_beginning_are_looked_at(notes: Notes) -> None:
    for letter in "abcdefghijklmnopqrstuvwxy":
        notes.add(f"rare_{letter}_word", f"inter{letter}q")
    notes.add("the_common_word", "interview")
    notes.add("the_common_word_again", "interview once more")
    assert {"the_common_word", "the_common_word_again"} <= set(notes.found("inter", limit=30))


def test_the_file_name_is_read(notes: Notes) -> None:
    """Names are descriptive: what only the name says is found, and not called missing."""
    notes.add("ann_prefers_oolong", "Hot, no milk.", title="Drinks")
    notes.add("bob_drinks_coffee", "Oolong is what he never drinks, says Ann.", title="Bob")
    hit = notes.one("oolong", "ann_prefers_oolong")
    assert (hit.found, hit.missing) == (("oolong",), ())
    assert hit.signals["words"] > 0


def test_what_only_a_tag_says_is_not_called_missing(notes: Notes) -> None:
    notes.add("restart_after_upgrade", "Restart after each upgrade.", tags=["postgres"])
    hit = notes.one("postgres upgrade", "restart_after_upgrade")
    assert (hit.found, hit.missing) == (("postgres", "upgrade"), ())


# -- phrases and exclusions ----------------------------------------------------------------------------------


def test_a_phrase_stands_word_for_word(notes: Notes) -> None:
    notes.add("has_the_phrase", "We use a Blue\n  green deploy.")
    notes.add("has_the_words", "The green light, then the blue one")
    notes.add("has_other_forms", "Blues greens")
    for query in ('"blue green"', '" blue  green "', "“blue green”"):
        assert notes.found(query) == ["has_the_phrase"], query


def test_a_phrase_ends_where_its_words_end(notes: Notes) -> None:
    notes.add("about_the_party", "the art", session="s", created="2026-01-01")
    notes.add("after_the_first", "the artist party", session="s", created="2026-01-02")
    assert notes.found('"art"') == ["about_the_party"]
    assert "phrases" not in notes.one('art "the art"', "after_the_first").signals


def test_a_phrase_in_another_form_than_thousands_have_is_found(notes: Notes) -> None:
    notes.filler(600, "the plan plan plan")
    notes.add("the_plural_one", "a long text in which somewhere plans stands " + "word " * 50)
    assert notes.found('"plans"') == ["the_plural_one"]


def test_a_phrase_beside_words_lifts_its_note_from_thousands(notes: Notes) -> None:
    notes.filler(400, "blue server deploy green server deploy blue")
    notes.add("has_the_phrase", "blue green " + "other words " * 40)
    assert notes.found('server "blue green"')[0] == "has_the_phrase"


def test_a_phrase_of_chinese(notes: Notes) -> None:
    notes.add("has_the_phrase", "我的机器学习课程")
    notes.add("has_the_parts", "学习机器")
    assert notes.found('"机器学习"') == ["has_the_phrase"]


def test_a_word_is_ruled_out_in_each_form_and_field(notes: Notes) -> None:
    notes.add("about_production", "Deploy to production")
    notes.add("about_other_things", "Deploy to stages")
    notes.add("named_by_stage", "Deploy slowly")
    notes.add("tagged_so_here", "Deploy often", tags=["stage"])
    assert notes.found("deploy -stage") == ["about_production"]


def test_what_is_ruled_out_does_not_come_in_as_a_neighbour_or_successor(notes: Notes) -> None:
    notes.add("first_of_them", "The editor is emacs", session="s", created="2026-01-01")
    notes.add("second_of_them", "The other is vim", session="s", created="2026-01-02")
    notes.add("an_old_one", "The editor was nano", status="deprecated", superseded_by="[[a_new_one]]")
    notes.add("a_new_one", "Now vim it is")
    assert set(notes.found("editor -vim")) == {"first_of_them", "an_old_one"}
    assert notes.one("editor -vim", "an_old_one").successor == "a_new_one"


def test_beside_an_answer_only_the_beginning_of_a_long_note_is_read(notes: Notes) -> None:
    """Where it answers itself it is read to its end."""
    notes.add("the_short_one", "The zebra sings.", session="s", created="2026-01-01")
    notes.add("the_long_one", "filler\n" * 15_000 + "giraffe", session="s", created="2026-01-02")
    assert notes.found("zebra")[0] == "the_short_one"
    words = Learned.of(notes.catalogue).words
    assert list(words.of_stems(["filler"], notes.catalogue)) == [("filler", "filler")]
    assert not list(words.of_stems(["giraff"], notes.catalogue))
    assert notes.one("giraffe", "the_long_one").text == "giraffe"


def test_a_phrase_is_ruled_out_as_a_whole(notes: Notes) -> None:
    notes.add("has_the_phrase", "deploy blue green")
    notes.add("has_the_words", "deploy green, then blue")
    for query in ('deploy -"blue green"', "deploy -blue-green"):
        assert notes.found(query) == ["has_the_words"], query


def test_exclusions_alone_give_the_newest_without_them(notes: Notes) -> None:
    notes.add("the_older_one", "calm", created="2026-01-01")
    notes.add("the_newer_one", "noise", created="2026-01-02")
    notes.add("the_newest_one", "calm", created="2026-01-03")
    assert notes.found("-noise") == ["the_newest_one", "the_older_one"]
    assert notes.found("-noise", limit=1) == ["the_newest_one"]


def test_exclusions_hold_for_every_wording(notes: Notes) -> None:
    notes.add("about_the_cat", "the cat sleeps")
    notes.add("about_both_pets", "the cat and the canary")
    assert notes.found("cat -canary", "canary") == ["about_the_cat"]


def test_an_option_of_a_command_is_no_exclusion(notes: Notes) -> None:
    notes.add("about_git_push", "git push --force only with lease")
    assert notes.found("git push --force") == ["about_git_push"]


# -- filters -------------------------------------------------------------------------------------------------


FILTERS = [
    "deploy type:decision",
    "deploy tag:ops",
    "deploy tag:#Ops",
    "deploy status:deprecated",
    "deploy created:>2026-01-15",
    "deploy created:2026-02",
    "deploy -created:<2026-01-15",
    "deploy -type:fact",
    "deploy -type:~fac",
    "deploy confidence:>=0.9",
    'deploy project:"the big one"',
    "deploy colour:blue",
    "type:decision deploy",
    "type:decision",
]


def test_a_hit_that_only_the_filter_passes_is_found_among_hundreds(notes: Notes) -> None:
    notes.filler(600, "deploy deploy deploy", type="fact", confidence=0.1, project="small")
    notes.add(
        "the_only_one",
        "A long text with deploy in it " + "and other words " * 30,
        **{"type": "decision", "tags": ["ops"], "status": "deprecated", "created": "2026-02-01T00:00:00Z"},
        **{"confidence": 0.95, "project": "the big one", "colour": "blue"},
    )
    for query in FILTERS:
        assert notes.found(query) == ["the_only_one"], query
        assert notes.hits(query.replace("deploy", "").strip())[0].record.name == "the_only_one", query


def test_common_words_are_not_dropped_where_a_filter_asks(notes: Notes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Above `lexicon.POSTINGS` the commonest words gather no candidates; a filter may want just those."""
    monkeypatch.setattr("mdmem.recall.gather.POSTINGS", 50)
    notes.filler(60, "deploy server", type="fact")
    notes.add("only_server_here", "server", type="decision")
    assert notes.found("deploy server type:decision") == ["only_server_here"]


def test_the_filters_of_the_caller_hold_as_well(notes: Notes) -> None:
    notes.add("a_decision_here", "deploy", type="decision")
    notes.add("a_fact_here", "deploy", type="fact")
    assert notes.found("deploy", conditions=(Filter("type", "=", "fact"),)) == ["a_fact_here"]
    assert notes.found("", conditions=(Filter("type", "=", "fact"),)) == ["a_fact_here"]


def test_filters_hold_for_every_wording_and_every_neighbour(notes: Notes) -> None:
    notes.add("first_in_session", "cats", session="s", type="fact", created="2026-01-01")
    notes.add("second_in_session", "dogs", session="s", type="note", created="2026-01-02")
    assert notes.found("cats type:fact", "dogs") == ["first_in_session"]


def test_what_is_no_property_is_a_word(notes: Notes) -> None:
    notes.add("about_an_address", "see http://example.org/a and note:this")
    assert notes.found("http://example.org") == ["about_an_address"]
    assert notes.found("note:this") == ["about_an_address"]


# -- dates and kinds of question -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("meeting last March", "meeting_of_march_2025"),
        ("meeting in March 2024", "meeting_of_march_2024"),
        ("meeting on 8 May", "meeting_of_may"),
        ("meeting in 2022", "meeting_of_2022"),
        ("meeting 2025-05-08", "meeting_of_may"),
        ("meeting in May", "meeting_of_may"),
    ],
)
def test_a_date_in_the_question_counts(notes: Notes, query: str, name: str) -> None:
    for title, day in (
        ("meeting_of_march_2024", "2024-03-10"),
        ("meeting_of_march_2025", "2025-03-10"),
        ("meeting_of_may", "2025-05-08"),
        ("meeting_of_2022", "2022-11-11"),
        ("meeting_of_july", "2025-07-10"),
    ):
        notes.add(title, "the meeting about budgets", title="Meeting", created=day)
    assert notes.found(query)[0] == name


def test_a_note_of_the_date_is_found_among_thousands(notes: Notes) -> None:
    notes.filler(600, "meeting meeting meeting")
    notes.add("the_dated_one", "a meeting " + "of some length " * 20, created="2025-05-08")
    assert notes.found("meeting on 8 May 2025")[0] == "the_dated_one"
    assert notes.found("meeting on 8 May")[0] == "the_dated_one"


def test_a_note_from_the_end_of_all_calendars_hides_no_other(notes: Notes) -> None:
    notes.add("valid_for_ever", "meeting", created="9999-12-31T00:00:00Z")
    notes.filler(400, "meeting meeting meeting")
    notes.add("the_dated_one", "a meeting " + "of some length " * 20, created="2025-05-08")
    assert notes.found("meeting in May")[0] == "the_dated_one"
    assert notes.found("meeting in December", limit=500)


def test_a_time_counts_if_one_is_wanted(notes: Notes) -> None:
    notes.add("the_bare_one", "it was the server that did fail")
    notes.add("the_full_one", "it was the server that did fail, and three people with Ann Miller came last week")
    hits = notes.hits("when did the server fail")
    assert hits[0].record.name == "the_full_one"
    assert "when" in hits[0].signals
    assert "when" not in hits[1].signals


# -- what speaks for a memory besides its words --------------------------------------------------------------


def test_a_link_is_found_by_what_it_links_to(notes: Notes) -> None:
    notes.add("monday_of_releases", "Follow [[deploy_check_list]] step by step.")
    notes.add("something_quite_else", "Unrelated.")
    assert notes.found("deploy check list") == ["monday_of_releases"]


def test_a_subject_that_the_question_names_lifts_its_notes(notes: Notes) -> None:
    notes.filler(20, "other things")
    notes.add("without_a_tag", "the boat of caroline")
    notes.add("with_a_tag", "the boat of caroline", tags=["Caroline"])
    assert notes.found("Caroline's boat")[0] == "with_a_tag"


@pytest.mark.parametrize("label", [{"tags": ["database"]}, {"topic": "database"}, {"type": "database"}])
def test_a_tag_topic_or_type_counts_like_a_word_of_the_title(notes: Notes, label: Mapping[str, object]) -> None:
    notes.filler(20, "other things")
    notes.add("db_host_called_fox", "The db host is called fox.")
    notes.add("run_postgresql_in_harbor", "We run PostgreSQL.", **label)
    notes.add("our_database_choice", "We run MariaDB.")
    labelled, titled = (
        notes.one("database", name) for name in ("run_postgresql_in_harbor", "our_database_choice")
    )
    assert set(notes.found("database")[:2]) == {"run_postgresql_in_harbor", "our_database_choice"}
    assert labelled.signals["subject"] >= 0.8 * titled.signals["words"]
    assert labelled.found == ("database",)


@pytest.mark.parametrize("asked", ["what are my todos", "open tasks", "plans", "next steps"])
def test_todos_tasks_and_plans_mean_what_is_in_the_future(notes: Notes, asked: str) -> None:
    notes.filler(20, "other things")
    notes.add("call_the_plumber", "Call the plumber.", category="future")
    assert notes.found(asked)[0] == "call_the_plumber"


@pytest.mark.parametrize(
    ("asked", "meant", "other"),
    [
        ("eat", "They ate oysters.", "Lunch is at noon."),
        ("IDE", "The IDE is Helix.", "The Id of a user is a number."),
        ("Id", "The Id of a user is a number.", "The IDE is Helix."),
        ("what may Maya not eat", "Maya must not eat shellfish.", "Meetings may start at nine."),
    ],
)
def test_short_words_do_not_collide(notes: Notes, asked: str, meant: str, other: str) -> None:
    notes.filler(20, "other things")
    notes.add("what_is_meant", meant)
    notes.add("something_else", other)
    assert notes.found(asked) == ["what_is_meant"]


def test_a_word_that_is_rare_stays_so_beside_short_words_of_its_stem(notes: Notes) -> None:
    notes.filler(20, "lunch is at noon")
    notes.add("what_is_eaten", "Nobody may eat shellfish.")
    notes.add("a_rare_other", "There is shellfish at the market.")
    assert notes.one("eat", "what_is_eaten").signals["words"] > 2.0


def test_recency_decides_ties_only(notes: Notes) -> None:
    notes.add("an_old_one", "the boat leaks", created="2020-01-01")
    notes.add("a_new_one", "the boat leaks", created="2026-02-28")
    notes.add("better_and_older", "the boat leaks badly", created="2019-01-01")
    assert notes.found("boat leaks") == ["a_new_one", "an_old_one", "better_and_older"]
    assert notes.found("boat leaks badly")[0] == "better_and_older"


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"importance": 0.9}, {"importance": 0.1}),
        ({"importance": 0.9}, {}),
        ({}, {"importance": 0.1}),
        ({"pinned": True}, {}),
        ({"pinned": "yes"}, {}),
        ({"salience": 0.9}, {"salience": 0.1}),
        (
            {"salience": 0.9, "pinned": True, "decay": {"curve": "exponential", "half_life_seconds": 3600}},
            {"salience": 0.9, "decay": {"curve": "exponential", "half_life_seconds": 3600}},
        ),
        (
            {"salience": 0.9, "decay": {"half_life_seconds": 86400}, "last_reinforced_at": "2026-03-01"},
            {"salience": 0.9, "decay": {"half_life_seconds": 86400}},
        ),
        ({}, {"status": "contested"}),
        ({}, {"status": "retracted"}),
        ({"status": "contested"}, {"status": "retracted"}),
        ({}, {"status": "deprecated"}),
    ],
)
def test_of_two_equal_memories(notes: Notes, better: Mapping[str, object], worse: Mapping[str, object]) -> None:
    notes.add("aaa_the_worse", "the boat leaks", **worse)
    notes.add("bbb_the_better", "the boat leaks", **better)
    assert notes.found("boat") == ["bbb_the_better", "aaa_the_worse"]


@pytest.mark.parametrize("key", ["importance", "salience"])
def test_a_number_out_of_range_outweighs_no_words(notes: Notes, key: str) -> None:
    notes.filler(20, "other things")
    notes.add("loud_but_poor", "the boat", **{key: 1000000})
    notes.add("quiet_but_good", "the boat leaks at the bow", **{key: 0.5})
    notes.add("low_but_good", "the boat leaks at the bow too", **{key: -1000000})
    assert set(notes.found("boat leaks bow")[:2]) == {"quiet_but_good", "low_but_good"}


def test_use_lifts_a_memory(notes: Notes) -> None:
    notes.add("aaa_never_used", "the boat leaks", id="0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11")
    notes.add("bbb_often_used", "the boat leaks", id="0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b12")
    used = {"0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b12": 9}
    assert notes.found("boat") == ["aaa_never_used", "bbb_often_used"]
    assert notes.found("boat", opened=used) == ["bbb_often_used", "aaa_never_used"]


def test_the_signals_add_up_to_the_score(notes: Notes) -> None:
    notes.add("an_active_one", "the boat leaks", importance=0.8, tags=["boat"])
    (hit,) = notes.hits("when did the boat leak")
    assert hit.score == pytest.approx(sum(hit.signals.values()))


# -- what replaces what --------------------------------------------------------------------------------------


def test_a_deprecated_memory_stands_under_its_successor_and_names_it(notes: Notes) -> None:
    notes.add(
        "user_likes_prose", "likes prose, prose, prose", status="deprecated", superseded_by="[[likes_tables_now]]"
    )
    notes.add("likes_tables_now", "prose no more: tables")
    first, second = notes.hits("prose")
    assert (first.record.name, second.record.name) == ("likes_tables_now", "user_likes_prose")
    assert (first.successor, second.successor) == ("", "likes_tables_now")


@pytest.mark.parametrize(
    "named",
    ["[[the_new_one]]", ["[[the_new_one|New]]"], "the_new_one", "[[x/the_new_one.md]]", "[[The_New_One#a]]"],
)
def test_a_successor_without_a_word_of_the_question_comes_along(notes: Notes, named: object) -> None:
    notes.add("the_old_one", "the editor is emacs", status="deprecated", superseded_by=named)
    notes.add("the_new_one", "vim since May")
    first, second = notes.hits("emacs")
    assert (first.record.name, second.record.name) == ("the_new_one", "the_old_one")
    assert second.successor == "the_new_one"
    assert first.missing == ("emacs",)
    assert "replaces" in first.signals


def test_the_successor_may_be_the_one_that_says_so(notes: Notes) -> None:
    notes.add("the_old_one", "the editor is emacs", status="deprecated")
    notes.add("the_next_one", "the editor is vi", supersedes=["[[the_old_one]]"], created="2026-01-02")
    notes.add("the_latest_one", "the editor is vim", supersedes=["[[the_old_one]]"], created="2026-01-03")
    assert notes.one("editor", "the_old_one").successor == "the_latest_one"
    assert notes.found("editor")[-1] == "the_old_one"


def test_at_the_end_of_a_chain_stands_what_holds_now(notes: Notes) -> None:
    notes.add("first_of_all", "emacs emacs", status="deprecated", superseded_by="[[second_of_all]]")
    notes.add("second_of_all", "nano", status="deprecated", superseded_by="[[third_of_all]]")
    notes.add("third_of_all", "vim")
    assert notes.found("emacs") == ["third_of_all", "first_of_all"]
    assert notes.one("emacs", "first_of_all").successor == "third_of_all"
    assert notes.found("emacs nano")[0] == "third_of_all"


def test_a_circle_of_successors_ends(notes: Notes) -> None:
    notes.add("one_of_two", "emacs", status="deprecated", superseded_by="[[two_of_two]]")
    notes.add("two_of_two", "emacs too", status="deprecated", superseded_by="[[one_of_two]]")
    notes.add("one_by_itself", "emacs alone", status="deprecated", superseded_by="[[one_by_itself]]")
    assert set(notes.found("emacs")) == {"one_of_two", "two_of_two", "one_by_itself"}
    assert notes.one("emacs", "one_by_itself").successor == ""


def test_a_successor_that_does_not_exist_is_none(notes: Notes) -> None:
    notes.add("the_old_one", "emacs", status="deprecated", superseded_by=["[[never_written]]", 7, None])
    (hit,) = notes.hits("emacs")
    assert hit.successor == ""


def test_a_successor_that_the_filter_leaves_out_is_named(notes: Notes) -> None:
    notes.add("the_old_one", "emacs", status="deprecated", type="fact", superseded_by="[[the_new_one]]")
    notes.add("the_new_one", "vim", type="note")
    (hit,) = notes.hits("emacs type:fact")
    assert (hit.record.name, hit.successor) == ("the_old_one", "the_new_one")


def test_a_successor_that_repeats_another_note_stays_above(notes: Notes) -> None:
    """Repetitions give way, but never so far that what holds no more is read first."""
    notes.add("the_best_one", "boat leaks bow boat leaks bow one two three four five six seven")
    notes.add("the_new_one", "boat leaks bow one two three four five six seven")
    notes.add(
        "the_old_one", "boat leaks bow " * 9, status="deprecated", superseded_by="[[the_new_one]]", importance=1
    )
    names = notes.found("boat leaks bow")
    assert names.index("the_new_one") < names.index("the_old_one")


def test_a_sunk_score_below_zero_sinks_too(notes: Notes) -> None:
    """A common word and low importance make a score negative; half of that must not be more."""
    notes.filler(30, "the boat", importance=0)
    notes.add("the_old_one", "the boat", importance=0, status="deprecated", superseded_by="[[the_new_one]]")
    notes.add("the_new_one", "the boat", importance=0)
    names = notes.found("boat", limit=40)
    assert names.index("the_new_one") < names.index("the_old_one")
    assert names[-1] == "the_old_one"


# -- neighbours, repetitions, wordings -----------------------------------------------------------------------


def test_what_is_of_the_session_of_a_good_answer_comes_nearer_to_it(notes: Notes) -> None:
    """What is of no session, or the best of its own, stays as it is."""
    notes.add("the_best_answer", "The boat of Ada lies in the harbour of Kiel.", session="s", created="2026-01-01")
    for day in (2, 3, 4):
        notes.add(f"in_between_{day}", "Lunch was late.", session="s", created=f"2026-01-0{day}")
    notes.add("much_later_on", "Ada is glad.", session="s", created="2026-01-05")
    notes.add("a_mention_elsewhere", "Ada is glad.", created="2026-01-05")
    asked = "where in Kiel is the boat of Ada in the harbour"
    best, later = notes.one(asked, "the_best_answer"), notes.one(asked, "much_later_on")
    elsewhere = notes.one(asked, "a_mention_elsewhere")
    assert later.signals["session"] == pytest.approx(WEIGHTS["session"] * (best.score - elsewhere.score))
    assert later.score == pytest.approx(elsewhere.score + later.signals["session"])
    assert best.score > later.score > elsewhere.score
    assert "session" not in best.signals
    assert "session" not in elsewhere.signals


def test_neighbours_of_one_session_count_and_no_others(notes: Notes) -> None:
    for session in ("a", "b"):
        notes.add(f"{session}_asks_first", f"Where is the {session} boat?", session=session, created="2026-01-01")
        notes.add(f"{session}_answers_then", "It lies in Kiel.", session=session, created="2026-01-02")
    notes.add("no_session_at_all", "It lies in Kiel.", created="2026-01-02")
    hit = notes.one("boat Kiel", "a_answers_then")
    assert hit.signals["nearby"] > 0
    assert hit.signals["answer"] > 0
    assert "nearby" not in notes.one("boat Kiel", "no_session_at_all").signals


def test_a_neighbour_without_a_word_of_the_question_is_found(notes: Notes) -> None:
    notes.add("asks_about_it", "Where is the boat now?", session="s", created="2026-01-01")
    notes.add("answers_it_then", "In Kiel.", session="s", created="2026-01-02")
    notes.add("two_turns_later", "And the oars?", session="s", created="2026-01-03")
    notes.add("in_another_session", "In Kiel.", session="t", created="2026-01-02")
    assert set(notes.found("boat")) == {"asks_about_it", "answers_it_then"}


def test_a_thing_of_the_kind_that_is_asked_for_is_an_answer(notes: Notes) -> None:
    notes.add("bruno_came_to_us", "Bruno came to us as a puppy; the dog sleeps in the hall.")
    notes.add("paint_for_the_boat", "Paint for the boat is in the hall.")
    assert notes.found("which pet do we have") == ["bruno_came_to_us"]
    assert notes.found("our pet") == []


def test_wordings_of_one_fact_do_not_fill_the_page(notes: Notes) -> None:
    for number in range(5):
        notes.add(f"same_fact_{number}", f"The boat leaks at the bow since the storm {number}")
    notes.add("another_fact_here", "Paint for the boat that leaks is in the shed")
    notes.add("a_third_fact", "Insurance pays where boats leaks come from weather")
    names = notes.found("boat leaks", limit=3)
    assert len([name for name in names if name.startswith("same_fact")]) == 1
    assert len(notes.found("boat leaks", limit=10)) == 7


def test_several_wordings_find_what_any_of_them_finds(notes: Notes) -> None:
    notes.add("about_the_car", "the car is red")
    notes.add("about_the_fee", "the toll is high")
    assert set(notes.found("car", "toll")) == {"about_the_car", "about_the_fee"}
    assert notes.found("", "toll") == ["about_the_fee"]


def test_the_line_is_that_of_the_file(notes: Notes) -> None:
    notes.catalogue.insert(
        memory.parse(b"---\r\ntype: fact\r\n---\r\n\r\n# Head\r\n\r\nThe boat.\r\n", "allmemories/a_b_c.md"),
        "",
        "",
    )
    (hit,) = notes.hits("boat")
    assert (hit.line, hit.text) == (7, "The boat.")


# -- rank_of -------------------------------------------------------------------------------------------------


def rank_of(notes: Notes, name: str, *texts: str) -> tuple[int, Hit] | None:
    (record,) = notes.catalogue.named(name)
    return order.rank_of(notes.catalogue, texts, RecallContext(NOW), record)


def test_rank_of_tells_the_rank_of_any_memory(notes: Notes) -> None:
    notes.filler(300, "boat boat boat")
    notes.add("says_nothing_of_it", "cats")
    notes.add("says_it_best", "boat leaks")
    best = rank_of(notes, "says_it_best", "boat leaks")
    worst = rank_of(notes, "says_nothing_of_it", "boat leaks")
    assert best is not None
    assert best[0] == 1
    assert worst is not None
    assert worst[0] > 100
    assert worst[1].missing == ("boat", "leaks")


@pytest.mark.parametrize("query", ["boat type:note", "boat -leaks", '"red boat"', "", "???"])
def test_rank_of_is_none_for_what_is_ruled_out(notes: Notes, query: str) -> None:
    notes.add("about_the_boat", "boat leaks", type="fact")
    assert rank_of(notes, "about_the_boat", query) is None


# -- nothing asked, nothing found ----------------------------------------------------------------------------


def test_no_words_give_the_newest(notes: Notes) -> None:
    notes.add("the_older_one", "x", created="2026-01-01")
    notes.add("the_newer_one", "# Head\n\nx", created="2026-01-02")
    for query in ("", "  \n ", '""'):
        assert notes.found(query) == ["the_newer_one", "the_older_one"], repr(query)
    assert notes.found() == ["the_newer_one", "the_older_one"]


@pytest.mark.parametrize(
    "query", ["🎉", "???", "-> =>", "( )", "🎉🎉 !", "type:fact 🎉", '"->"', "xylophone", "\u0301"]
)
def test_what_no_memory_has_finds_nothing(notes: Notes, query: str) -> None:
    """Signs that nobody wrote do not stand for the newest."""
    notes.add("about_a_boat", "the boat", type="fact")
    assert notes.found(query) == []


def test_an_emoji_is_found_with_words_and_alone(notes: Notes) -> None:
    notes.add("about_the_party", "Party🎉at nine")
    notes.add("about_a_boat", "the boat")
    for query in ("🎉", "party 🎉", "nine"):
        assert notes.found(query) == ["about_the_party"], query


def test_candidates_are_those_that_share_words(notes: Notes) -> None:
    notes.add("about_the_boat", "the boat leaks")
    notes.add("about_the_car", "the car is red")
    found = alike.candidates(notes.catalogue, "type:fact boat -leaks", 5)
    assert [record.name for record in found] == ["about_the_boat"]
    assert alike.candidates(notes.catalogue, "???", 5) == []


class _Near:
    """A likeness that finds the last memory nearest."""

    weight = 1.0

    def __init__(self, path: str) -> None:
        self.path = path

    def nearest(self, text: str, count: int, kind: str) -> list[str]:
        return [self.path] if kind == MEMORY else []

    def of(self, text: str, paths: Sequence[str]) -> Mapping[str, Sequence[float]]:
        return {self.path: [0.9]} if self.path in paths else {}


def test_meaning_brings_in_what_shares_no_word_and_keeps_to_filters(notes: Notes) -> None:
    notes.add("about_the_boat", "the boat", type="fact")
    notes.add("about_a_vessel", "the vessel", type="note")
    near = _Near(notes.catalogue.named("about_a_vessel")[0].path)
    assert notes.found("boat", likeness=near) == ["about_a_vessel", "about_the_boat"]
    assert notes.found("boat type:fact", likeness=near) == ["about_the_boat"]
    assert notes.found("boat -vessel", likeness=near) == ["about_the_boat"]


# -- what is kept from one question to the next ---------------------------------------------------------------


def test_a_note_that_changed_since_the_last_question_is_read_again(notes: Notes) -> None:
    notes.add("where_the_boat_lies", "The boat lies in Kiel.", session="s")
    assert notes.one("boat", "where_the_boat_lies").text == "The boat lies in Kiel."
    notes.catalogue.drop("allmemories/where_the_boat_lies.md")
    notes.add("where_the_boat_lies", "The boat lies in Rostock now.", session="s")
    notes.add("what_came_after_it", "It was a long way.", session="s", created="2026-01-02")
    assert notes.one("boat", "where_the_boat_lies").text == "The boat lies in Rostock now."
    assert "what_came_after_it" in notes.found("boat")


def test_a_question_asks_no_query_for_each_candidate(notes: Notes) -> None:
    """Questions are asked of many notes at once: a hundred candidates cost as many queries as ten."""
    asked: list[str] = []

    def queries() -> int:
        asked.clear()
        assert notes.hits("the boat")
        return len([query for query in asked if not query.startswith("--")])  # FTS5 asks those itself

    notes.filler(10, "The boat", session="s")
    notes.catalogue._db._connection.set_trace_callback(asked.append)
    of_ten = queries()
    for number in range(90):
        notes.add(f"of_others_{number}", f"The boat of others {number}", session="t")
    assert 5 < of_ten <= 20
    assert queries() <= of_ten + 5
    assert queries() <= of_ten  # what words count in rows is worked out
    assert queries() <= 3  # what was found out before is not asked again


@pytest.mark.parametrize("asked", ["Pump makers", "pump makers?", "makers_of_pumps", "the pump people"])
def test_what_is_called_as_the_question_is_first(notes: Notes, asked: str) -> None:
    """However well a label or a text matches, the memory of exactly that name, title or alias is meant."""
    notes.filler(20, "other things")
    notes.add("makers_of_pumps", "Three firms.", title="Pump makers", aliases=["the pump people"])
    for number in range(3):
        body = "The pump makers, makers of pumps and pump people: the pump makers."
        notes.add(f"much_about_pumps_{number}", f"{body} {number}", tags=["pump", "makers", "people"])
    found = notes.hits(asked)
    assert found[0].record.name == "makers_of_pumps"
    assert found[0].signals["called"] == WEIGHTS["called"]
    assert all("called" not in hit.signals for hit in found[1:])


def test_an_answer_ends_where_the_score_falls(notes: Notes) -> None:
    notes.filler(30, "The harbour")
    notes.add("the_one_meant", "The green boat of Ada lies in the harbour of Kiel.")
    found = notes.found("where does the green boat of Ada lie in the harbour", limit=20)
    assert found[0] == "the_one_meant"
    assert len(found) == 3


def test_what_tells_of_a_change_stands_before_what_it_changed(notes: Notes) -> None:
    notes.filler(20, "other things")
    notes.add("user_lives_in_berlin", "User lives in Berlin.", created="2025-03-01T00:00:00Z")
    notes.add("user_moved_to_munich", "User moved to Munich last month.", created="2026-02-01T00:00:00Z")
    notes.add("user_moved_the_desk", "User moved the desk.", created="2024-02-01T00:00:00Z")
    found = notes.found("where does the user live", limit=2)
    assert found == ["user_moved_to_munich", "user_lives_in_berlin"]
    assert "changes" in notes.one("where does the user live", "user_moved_to_munich").signals


def test_how_much_of_a_question_one_place_has(notes: Notes) -> None:
    notes.filler(20, "other things")
    notes.add("the_boat", "The boat is green.")
    whole, none = notes.hits("green boat")[0], notes.hits("green passport of the zebra")[0]
    assert whole.coverage == pytest.approx(1.0)
    assert 0 < none.coverage < 0.5
    assert none.missing == ("passport", "zebra")


@pytest.mark.parametrize(
    ("older", "newer", "asked"),
    [
        ("We deploy with Jenkins.", "Deployments now go through GitHub Actions.", "how do we deploy"),
        ("Die Nutzerin wohnt in Köln.", "Die Nutzerin ist umgezogen nach Bonn.", "wo wohnt die Nutzerin"),
    ],
)
def test_a_change_is_told_in_other_words_and_languages(notes: Notes, older: str, newer: str, asked: str) -> None:
    notes.filler(20, "other things")
    notes.add("how_it_was", older, created="2025-01-01T00:00:00Z")
    notes.add("how_it_became", newer, created="2025-06-01T00:00:00Z")
    assert notes.found(asked, limit=2) == ["how_it_became", "how_it_was"]


def test_a_change_of_something_else_stands_before_nothing(notes: Notes) -> None:
    notes.filler(20, "other things")
    notes.add("user_lives_in_berlin", "User lives in Berlin.", created="2025-03-01T00:00:00Z")
    notes.add("user_moved_the_desk", "User moved the desk.", created="2026-02-01T00:00:00Z")
    assert notes.found("where does the user live", limit=1) == ["user_lives_in_berlin"]


def test_no_wording_is_drowned_by_a_longer_one(notes: Notes) -> None:
    notes.filler(20, "other things")
    notes.add("the_long_one", "The harbour master of Kiel repairs the green boat with the brass engine in April.")
    notes.add("the_near_one", "The harbour master of Kiel repairs the red boat with the brass engine in June.")
    notes.add("the_short_one", "Giraffes sing.")
    long = "does the harbour master of Kiel repair the green boat with the brass engine in April"
    assert set(notes.found(long, "giraffes", limit=2)) == {"the_long_one", "the_short_one"}


def test_a_citation_points_into_the_best_passage(notes: Notes) -> None:
    """Not at the line with the most words of the question, if the place that answers is elsewhere."""
    notes.filler(20, "other things")
    filling = "Nothing else is said here that anybody would ever ask for. " * 8
    body = f"# Boats\n\nThe boat has a mast.\n\n{filling}\n\n{filling}\n\nThe mast\nof the boat\nis of larch."
    notes.add("about_boats", body)
    hit = notes.one("which larch is the mast of the boat", "about_boats")
    assert "larch" not in hit.text
    assert hit.line > 10


@pytest.mark.parametrize(
    "asked", ["the of and", "not like", "boat harbour " * 50_000, "\x1b[0m boat\x00", "\u202eboat"]
)
def test_whatever_is_asked_is_answered_soon(notes: Notes, asked: str) -> None:
    notes.add("the_boat", "The boat is in the harbour, and not of the kind you like.")
    assert notes.found(asked) == ["the_boat"]
    assert notes.found("\x00\x01\x7f") == []
