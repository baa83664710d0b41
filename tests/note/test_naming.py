"""File names by the protocol, both ways."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import memory, naming

GOOD = [  # what the source document gives as what to write
    *("user_prefers_structured_output", "project_rlm_mem_architecture_complete", "livehud_gauge_format_finalized"),
    *("next_task_expand_slider_system", "project_rlm_mem_architecture_rust", "user_prefs_formatting"),
    *("user_prefs_colors", "user_preferences_master"),
]
BAD = ["memory1", "stuff", "very_long_filename_with_way_too_many_words_here"]


def severities(name: str) -> set[str]:
    return {finding.severity for finding in naming.check(name)}


@pytest.mark.parametrize("name", GOOD)
def test_good_examples_pass_clean_and_are_what_is_made_of_their_words(name: str) -> None:
    assert naming.check(name) == []
    for title in (name, name.replace("_", " "), name.replace("_", " ").upper(), name.replace("_", "-") + "."):
        assert naming.make(title, "", lambda name: False) == name


@pytest.mark.parametrize("name", BAD)
def test_bad_examples_are_flagged_and_never_made(name: str) -> None:
    assert naming.check(name)[0].fix
    made = naming.make(name.replace("_", " "), "", lambda name: False)
    assert naming.check(made) == []


@pytest.mark.parametrize("text", ["1 2 3", "a b c", "1", "x = 1 + 2 * 3 / 4 - 5 + 6 - 7 + 8 - 9"])
def test_names_that_are_made_say_something(text: str) -> None:
    assert naming.check(naming.make(text, text, lambda name: False)) == []


@pytest.mark.parametrize(
    ("name", "severity"),
    [
        ("two_words", "error"),
        ("a_b_c", "error"),
        ("1_2_3", "error"),
        ("x_is_y", None),
        ("2026_02_08", None),
        ("one_two_three_four_five_six_seven_eight_nine_ten", "warning"),
        ("one_two_three_four_five_six_seven_eight_nine_ten_more", "error"),
        ("Has_Capital_letters", "error"),
        ("has-dash_in_it", "error"),
        ("has space_in it", "error"),
        ("double__under_score", "error"),
        ("_edge_under_score", "error"),
        ('has_a_"quote', "error"),
        ("ends_with_dot.", "error"),
        ("naïve_café_notes", None),
        ("nai\u0308ve_cafe_notes", "error"),
        ("用户_喜欢_表格", None),
        ("x" * 250 + "_a_b", "error"),
        ("-starts_with_dash_x", "error"),
    ],
)
def test_the_rule(name: str, severity: str | None) -> None:
    assert severities(name) == ({severity} if severity else set()) or severity in severities(name)
    assert bool(severities(name)) == (severity is not None)


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("User prefers structured output", "", "user_prefers_structured_output"),
        ("The user's favourite language is C++", "", "user_favourite_language_cpp"),
        ("User does not like tabs", "", "user_does_not_like_tabs"),
        ("Cache", "It went stale after the deploy", "cache_went_stale"),
        ("Hi", "", "hi_memory_note"),
        ("", "", "memory_note_text"),
        ("🎉", "🎉🎉", "memory_note_text"),
    ],
)
def test_names_are_made_of_telling_words(title: str, text: str, name: str) -> None:
    assert naming.make(title, text, lambda name: False) == name


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("From now on always use tabs.", "always_use_tabs"),
        ("In future, please never deploy on Fridays.", "never_deploy_fridays"),
        (
            "From today on, write the long commit messages of releases in English.",
            "write_long_commit_messages_releases",
        ),
        ("Ab sofort kein Deploy am Freitag.", "kein_deploy_am_freitag"),
        ("In the future of work all is remote.", "future_work_all_remote"),
        ("From now on.", "from_now_on"),
    ],
)
def test_the_words_before_an_order_are_no_part_of_its_name(said: str, name: str) -> None:
    """It was `now_always_use_tabs`."""
    assert naming.make(said, said, lambda name: False) == name


def test_a_taken_name_gets_a_telling_word_then_a_number() -> None:
    taken = {"user_prefers_structured_output"}
    second = naming.make("User prefers structured output", "because tables scan", taken.__contains__)
    assert second == "user_prefers_structured_output_because"
    taken |= {second}
    assert (
        naming.make("User prefers structured output", "", taken.__contains__) == "user_prefers_structured_output_2"
    )


@given(st.text(), st.text(), st.integers(0, 3))
def test_made_names_follow_the_protocol_and_never_collide(title: str, text: str, times: int) -> None:
    taken: set[str] = set()
    for _ in range(times + 1):
        name = naming.make(title, text, lambda name: memory.fold(name) in taken)
        assert "error" not in severities(name)
        assert memory.fold(name) not in taken
        taken.add(memory.fold(name))


def test_of_many_memories_with_one_title_each_gets_a_number_without_trying_all() -> None:
    """The numbers are those from 2 on, and finding one of a thousand takes a score of questions."""
    given: list[str] = []
    asked: list[str] = []

    def taken(name: str) -> bool:
        asked.append(name)
        return name in given

    for _ in range(100):
        given.append(naming.make("The red boat", "The red boat", taken))
    assert given == ["the_red_boat", *(f"the_red_boat_{number}" for number in range(2, 101))]
    assert len(asked) < 100 * 20


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ivo is on sabbatical from 3 June until the end of September, Grace takes over", "ivo_sabbatical_3_june"),
        ("User prefers tables over prose in all reports, and no emoji", "user_prefers_tables_over_prose"),
        ("The load suite, just run load suite, works only behind the office tunnel", "load_suite_run_works"),
        ("When a key makes three failed attempts in a minute …", "when_key_makes_three_failed_attempts"),
        ("Die Lasttests laufen nur hinter dem Tunnel des Büros, nicht im WLAN", "die_lasttests_laufen"),
    ],
)
def test_a_long_name_ends_with_a_phrase(title: str, name: str) -> None:
    """A name that stops at "until", "not" or "only behind" says nothing, or the opposite."""
    assert naming.make(title, "", lambda name: False) == name


DATED = ["2026-02-08 Standup", "2026-02-09 Retro notes", "2026-02-09"]
WHEN = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("names", "title", "name"),
    [
        ([], "Kind of Blue is my favourite album", "Kind of Blue is my favourite album"),
        (["Evergreen notes turn ideas", "2023-01-01"], "follow-up: ask [[Ada]]?", "Follow-up - ask Ada"),
        (["my-note", "other-note-x"], "TCP/IP: read chapter 3", "tcp-ip-read-chapter-3"),
        (["user_likes_tea", "ada_reviews_changes"], "The retro is on Friday", "the_retro_is_on_friday"),
        (DATED, "The retro is on Friday", "2026-03-01 The retro is on Friday"),
        (["Standup 20260208", "Retro 20260209"], "Retro is on Friday", "Retro is on Friday 20260301"),
        ([], "con", "Note Con"),
        ([], "???", "Note"),
        ([], "x" * 300, "X" + "x" * 39),
    ],
)
def test_a_name_is_written_as_the_owner_writes_names(names: list[str], title: str, name: str) -> None:
    assert naming.plain(title, "", lambda name: False, naming.habit(names), WHEN) == name


@given(st.text(), st.text(), st.lists(st.text(), max_size=4))
def test_names_as_owners_write_them_are_legal_and_never_collide(title: str, text: str, names: list[str]) -> None:
    taken: set[str] = set()
    for _ in range(3):
        name = naming.plain(title, text, taken.__contains__, naming.habit(names), WHEN)
        assert name not in taken
        assert naming.check_for_obsidian(name) == []
        taken.add(name)
