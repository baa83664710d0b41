"""Twins are merged and nothing is lost; what only looks alike is left alone."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.garden.gardeners import twins
from mdmem.garden.gardeners.proposal import Evidence, JudgedPair
from mdmem.note import blocks, memory
from mdmem.note.memory import Memory

from .conftest import Garden, as_notes, made


def twins_of(one: str, two: str, **properties: str) -> Garden:
    return Garden(
        twins.plan,
        made("the_first_of_them", one, title="A note"),
        made("the_other_of_them", two, "2026-02-01", title="A note", **properties),
    )


def merges(one: str, two: str, **properties: str) -> bool:
    return bool(twins_of(one, two, **properties).proposals())


def tables(older: dict[str, str], newer: dict[str, str], more: str = "") -> Garden:
    """Two notes of the same words, with properties; `more` stands below the text of the newer one."""
    text = "The user prefers short tables over long prose."
    return Garden(
        twins.plan,
        made("user_prefers_short_tables", text, **older),
        made("user_wants_short_tables", text + more, "2026-02-01", **newer),
    )


def merged(found: Garden) -> Memory:
    """The only note that is left when twins were merged."""
    ((path, data),) = found.settle().items()
    return memory.parse(data, path)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("User prefers tables over long prose.", "user prefers tables over long prose"),
        ("- Backups run nightly.\n- They go to the NAS.", "They go to the NAS.\nBackups run nightly."),
        ("Reports are in Markdown.", "Reports are in Markdown.\nCharts are SVG."),
    ],
)
def test_the_same_words_and_a_note_within_another_are_certain(one: str, two: str) -> None:
    (found,) = twins_of(one, two).look().proposals
    assert found.certain


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The service listens on port 8080.", "The service listens on port 8081."),
        ("The backup is sent to the cloud.", "The backup is not sent to the cloud."),
        ("It costs 5 $ a month.", "It costs 5 € a month."),
        ("User prefers tables over prose.", "User likes tables more than prose."),
        ("Rows are kept.", "Rows are kept in the archive."),
    ],
)
def test_other_words_are_never_certain(one: str, two: str) -> None:
    assert not [found for found in twins_of(one, two).look().proposals if found.certain]


def test_merging_long_twins_looks_for_each_line_a_bounded_number_of_times() -> None:
    """Each line of two notes of a megabyte was looked for in all of the text: half a minute."""
    searches = 0

    def count(frame: object, event: str, called: object) -> None:
        nonlocal searches
        searches += event == "c_call" and getattr(called, "__qualname__", "") == "str.count"

    twins_long = twins_of("User: hi\nAssistant: ho\n" * 400, "User: hi\nAssistant: ho\n" * 400)
    sys.setprofile(count)
    try:
        assert twins_long.proposals()
    finally:
        sys.setprofile(None)
    assert searches < 500


def test_titles_that_name_two_things_keep_the_same_words_apart(garden: type[Garden]) -> None:
    notes = (
        made("port_of_the_gateway", "It is 80.", title="Port of the gateway"),
        made("port_of_the_printer", "It is 80.", "2026-02-01", title="Port of the printer"),
    )
    assert garden(twins.plan, *notes).look().proposals == ()


def test_what_the_scorer_nominates_waits_for_somebody_who_can_read(garden: type[Garden]) -> None:
    notes = made("rent_goes_to_ida", "Ida gets the rent."), made("ida_rent", "Rent: to Ida.", "2026-02-01")
    why = [Evidence(path, 1, "rent") for path, _ in notes]
    pair = JudgedPair(notes[0][0], notes[1][0], 0.9, 0.1, *why)
    (found,) = garden(twins.plan, *notes, judged=(pair,)).look().proposals
    assert (found.certain, found.confidence) == (False, 0.9)


@pytest.mark.parametrize(
    "properties",
    [
        {"project": "b"},
        {"scope": "ada"},
        {"sensitivity": "high"},
        {"origin": "web"},
        {"category": "future"},
        {"type": "episodic"},
        {"status": "contested"},
    ],
)
def test_another_circle_time_or_state_is_no_twin(properties: dict[str, str]) -> None:
    text = "User prefers tables over long prose."
    assert merges(text, text)
    assert not merges(text, text, **properties)


def test_tags_links_and_lines_are_joined_and_links_follow(garden: type[Garden]) -> None:
    found = garden(
        twins.plan,
        made(
            "user_prefers_short_tables",
            "User prefers short tables.\n\n- In reports\n- In mails",
            tags="[style, tables]",
            related_to='["[[report_style_of_team]]"]',
        ),
        made(
            "user_likes_short_tables",
            "User prefers short tables.\n\n- In reports\n- In mails\n- In chats",
            "2026-02-01",
            tags="[tables, chat]",
            supports='["[[chat_style_of_team]]"]',
        ),
        made("report_style_of_team", "See [[user_likes_short_tables|the tables]]."),
    )
    (one,) = found.proposals()
    assert one.action == "merge"
    assert one.lost.startswith("the name user_likes_short_tables and the date 2026-02-01 (")
    assert one.lost.endswith("(1 note linked to it, now to user_prefers_short_tables)")
    assert one.evidence[0].path.endswith("user_likes_short_tables.md")
    found.settle()
    assert "allmemories/user_likes_short_tables.md" not in found.files
    kept = memory.parse(found.files["allmemories/user_prefers_short_tables.md"], "x.md")
    assert kept.tags == ("style", "tables", "chat")
    assert kept.strings("supports") == ("[[chat_style_of_team]]",)
    assert kept.strings("related_to") == ("[[report_style_of_team]]",)
    assert kept.body.count("- In mails") == 1
    assert "- In chats" in kept.body
    assert "[[user_prefers_short_tables|the tables]]" in found.text("report_style_of_team")


def test_a_property_that_the_older_note_says_otherwise_is_named_as_lost() -> None:
    found = tables({"confidence": "0.5"}, {"confidence": "0.9", "importance": "0.3"})
    (one,) = found.proposals()
    assert one.lost == (
        "the name user_wants_short_tables and the date 2026-02-01; confidence 0.9 of user_wants_short_tables"
    )
    assert merged(found).meta["importance"] == 0.3


def test_a_proposal_keeps_its_id_until_a_note_of_it_changes() -> None:
    found = tables({}, {})
    (before,) = found.proposals()
    found.files["allmemories/report_style_of_team.md"] = b"See [[user_wants_short_tables]].\n"
    assert found.proposals()[0].id == before.id
    found.files["allmemories/user_wants_short_tables.md"] += b"Always.\n"
    assert found.proposals()[0].id != before.id


LINES = st.lists(
    st.sampled_from(
        [
            "- one fact",
            "- another fact",
            "## A part",
            "Prose of some length.",
            "",
            "```",
            "code = 1",
            "| a | b |",
            "  - nested",
            "# A note",
            "~~~",
            "<!-- hidden",
            "Prose of some length.  ",
            "===",
            "---",
            ">  quoted",
        ]
    ),
    max_size=12,
)


@given(LINES, LINES)
def test_no_line_of_either_body_is_lost(one: list[str], two: list[str]) -> None:
    older, newer = (
        made(f"note_of_{name}_kind", "\n".join(lines)) for name, lines in (("first", one), ("other", two))
    )
    body = memory.parse(older[1], older[0]).body
    (note,) = as_notes(dict([newer]))
    kept = {line.strip() for line in f"{body}\n{twins.lines_missing(body, note)}".split("\n")}
    assert {line.strip() for line in note.body.split("\n")} - {"# A note"} <= kept | {""}


def test_a_line_below_another_heading_says_another_thing() -> None:
    older, newer = (
        made(f"ports_of_the_{name}_host", f"## {name.title()}\n\n- port 8080") for name in ("first", "other")
    )
    (note,) = as_notes(dict([newer]))
    assert twins.lines_missing(memory.parse(older[1], older[0]).body, note) == "## Other\n\n- port 8080"


def test_what_is_added_to_open_code_is_no_code(garden: type[Garden]) -> None:
    text = "Backups run nightly.\nThey go to the NAS in the cellar of the house."
    found = garden(
        twins.plan,
        made("backups_run_each_night", f"{text}\n```\nrestic"),
        made("backups_run_every_night", f"{text}\nCharts are SVG.\n```\nrestic", "2026-02-01"),
    )
    body = memory.parse(found.settle()["allmemories/backups_run_each_night.md"], "x.md").body
    assert "Charts are SVG." in [line for _, line in blocks.prose_lines(body)]


def test_a_line_is_there_only_if_all_of_it_is(garden: type[Garden]) -> None:
    """`port 80` is no part of `port 8080`."""
    text = "The gateway of the shop listens on port 80"
    older = made("gateway_of_the_shop", f"{text}80 and its twin does, too.")
    newer = made("shop_gateway_and_port", text, "2026-02-01")
    note_of = {one.path: one for one in as_notes(dict([older, newer]))}
    assert twins.lines_missing(note_of[older[0]].body, note_of[newer[0]]) == text


def test_properties_of_any_name_and_lists_that_only_the_person_knows_are_joined() -> None:
    """Also one that a function might call its argument."""
    newer = {"note": "yes", "self": "2", "data": "3", "aliases": "[short]", "seen": "[b]"}
    found = tables({"aliases": "[tables]"}, newer)
    assert [one.lost for one in found.proposals()] == ["the name user_wants_short_tables and the date 2026-02-01"]
    meta = merged(found).meta
    assert [meta[key] for key in ("note", "self", "data", "seen")] == ["yes", 2, 3, ["b"]]
    assert meta["aliases"] == ["tables", "short"]


def test_the_note_that_stays_keeps_its_writer() -> None:
    found = tables({"scope": "team"}, {"actor": "codex", "session": "codex-bad", "scope": "team"})
    assert {"actor", "session"}.isdisjoint(merged(found).meta)


def test_a_note_that_is_never_to_be_deleted_is_named_instead() -> None:
    found = tables({}, {"deletion_policy": "never"})
    assert not found.proposals()
    assert ["deletion_policy: never" in one.message for one in found.look().problems] == [True]


def test_a_merged_text_that_links_to_itself_links_to_the_note_it_is_in() -> None:
    found = tables({}, {}, "\n\nSee [[user_wants_short_tables#Why]].")
    assert "See [[user_prefers_short_tables#Why]]." in merged(found).body


def test_records_are_merged_only_if_they_are_the_same(garden: type[Garden]) -> None:
    """Fields of two records in one text are a record no longer."""
    text = "- skill_name: rotate the keys of the gateway at night\n- triggers: an alert of the pager"
    for ending, merges in (("", True), ("\n- version: a first one", False)):
        notes = [
            made(
                f"rotate_keys_{at}",
                text + ending * at,
                f"2026-0{at + 1}-01",
                type="competence",
                title="Rotate keys",
            )
            for at in (0, 1)
        ]
        assert bool(garden(twins.plan, *notes).look().proposals) is merges


def test_of_two_as_old_the_one_of_the_shorter_name_stays(garden: type[Garden]) -> None:
    text = "Grind size 12 for the espresso machine at home, 18 grams in, 36 grams out."
    files = garden(twins.plan, made("Espresso settings", text), made("Espresso settings copy", text)).settle()
    assert list(files) == ["allmemories/Espresso settings.md"]


@pytest.mark.parametrize(
    ("older", "newer", "stays"),
    [
        ("Logs are kept for ninety days.", "Logs are kept for ninety days in the archive.", "newer"),
        ("Logs are kept for ninety days in the archive.", "Logs are kept for ninety days.", "older"),
        ("The shop is deployed to staging.", "The shop was deployed to staging.", "older"),
        ("Use `ruff` to format the shop.", "Use ruff to format the shop.", "older"),
        ("The limit is 429 requests an hour.", "The limit is many requests an hour.", ""),
        ("- Deploys of the shop run at night", "Deploys of the shop run at night", ""),
        ("The backup is not sent to the cloud.", "The backup is sent to the cloud.", ""),
    ],
)
def test_of_two_lines_the_one_stays_that_has_every_word_of_the_other(older: str, newer: str, stays: str) -> None:
    assert twins.fuller(older, newer, True) == {"older": older, "newer": newer, "": ""}[stays]


@pytest.mark.parametrize(("other", "is_certain"), [("Joe", False), ("Ada", True)])
def test_the_same_words_below_the_names_of_different_things_are_not_the_same(other: str, is_certain: bool) -> None:
    """The heading that repeats a title is no text that tells of the other note's name."""
    text = "Lives in Cologne, near the cathedral."
    notes = [
        made(place, f"# {name}\n\n{text}", when, title=name)
        for place, name, when in (("one_of_them", "Ada", "2026-02-01"), ("other_of_them", other, "2026-02-02"))
    ]
    assert any(found.certain for found in Garden(twins.plan, *notes).look().proposals) == is_certain
