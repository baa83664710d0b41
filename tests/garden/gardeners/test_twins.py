"""Twins are merged and nothing is lost; what only looks alike is left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.garden.gardeners import twins
from mdmem.note import blocks, memory

from .conftest import Garden, as_notes, carried_out, made


def merges(one: str, two: str, **properties: str) -> bool:
    garden = Garden(
        twins.plan,
        made("the_first_of_them", one, title="A note"),
        made("the_other_of_them", two, "2026-02-01", title="A note", **properties),
    )
    return bool(garden.proposals())


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("User prefers tables over long prose.", "The user prefers tables over long prose."),
        ("User prefers tables over long prose.", "User likes tables over long prose"),
        ("User prefers tables over prose in reports.", "In reports, the user prefers tables over prose."),
        ("User wants answers without filler every day.", "User wants answers with no filler each day."),
        (
            "Every night at 02:30 the NAS backs itself up with restic, disk in the cellar.",
            "With restic the NAS backs itself up every night at 02:30, disk in the cellar.",
        ),
        ("The API uses cursor pagination everywhere.", "The API is using cursor pagination everywhere."),
        (
            "Backups run nightly.\nThey go to the NAS in the cellar.",
            "They go to the NAS in the cellar.\nBackups run nightly.",
        ),
        (
            "Reports are written in Markdown with a summary table at the top of each page.",
            "Reports are written in Markdown with a summary table at the top of each page.\nCharts are SVG.",
        ),
    ],
)
def test_the_same_in_other_words_is_merged(one: str, two: str) -> None:
    assert merges(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "Anna's birthday is on 3 May and she likes chocolate cake.",
            "Ben's birthday is on 3 May and she likes chocolate cake.",
        ),
        (
            "The billing service listens on port 8080 behind nginx.",
            "The billing service listens on port 8081 behind nginx.",
        ),
        (
            "Deploys of the shop to staging run through the pipeline.",
            "Deploys of the shop to production run through the pipeline.",
        ),
        (
            "The importer does not retry failed uploads at night.",
            "The importer does retry failed uploads at night.",
        ),
        ("User prefers tables over long prose in reports.", "User prefers prose over long tables in reports."),
        (
            "The cache lives in redis for session data and tokens.",
            "The cache lives in memcached for session data and tokens.",
        ),
        (
            "Feature flags are enabled by default for new teams.",
            "Feature flags are disabled by default for new teams.",
        ),
        ("Alpha depends on beta for all of its schema.", "Beta depends on alpha for all of its schema."),
        (
            "Standup is on Monday at the office with the team.",
            "Standup is on Tuesday at the office with the team.",
        ),
    ],
)
def test_another_value_is_no_twin_however_alike_the_rest_is(one: str, two: str) -> None:
    assert not merges(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "Notes of the retro go to the board in the kitchen, the newest on top.",
            "The retro's notes are kept on the kitchen board; put the newest on top.",
        ),
        (
            "Give the rent to Ida in cash on the first day of the month.",
            "On the first day of each month Ida gets the rent from us, in cash.",
        ),
        ("Nadia is allergic to walnuts.", "Nadia has a walnut allergy."),
        (
            "The shop ships parcels within two days and sends a tracking link by mail.",
            "Parcels of the shop are shipped within 2 days; a tracking link is mailed.",
        ),
    ],
)
def test_what_shares_nearly_all_that_tells_is_a_twin_in_any_order(one: str, two: str) -> None:
    assert merges(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "The importer skips broken rows and logs them to a file in the data folder.",
            "Broken rows are logged to a file in the data folder, and the importer stops at them.",
        ),
        (
            "Ada reviews what Ben writes before the release of the shop on the main branch.",
            "Before the release of the shop on the main branch Ben reviews what Ada writes.",
        ),
        (
            "Hotfix deploys of the shop need one approval from the platform team and a ticket.",
            "Two approvals from the platform team and a ticket are needed for deploys of the shop.",
        ),
        (
            "The night job copies invoices from the shop to the archive with rsync.",
            "With rsync the night job copies invoices from the archive to the shop.",
        ),
        (
            "Tests of the shop run in parallel with two workers, no network allowed.",
            "The shop's tests run in parallel, two workers, network allowed.",
        ),
        ("Anna's brother works as a nurse in Kiel.", "Anna's sister works as a nurse in Kiel."),
        ("The pump runs on battery power at night.", "The pump runs on mains power at night."),
        ("Send the report to Olga, with a copy to Nils.", "Send the report to Nils, with a copy to Olga."),
        ("Lucía riega las plantas de Marta los viernes.", "Marta riega las plantas de Lucía los viernes."),
        ("Copy the photos with `rsync -a` every week.", "Copy the photos with `rsync -n` every week."),
        ("Dr. Weber treats Mia's asthma.", "Dr. Weber's son treats Mia's asthma."),
    ],
)
def test_other_words_that_mean_another_thing_are_none(one: str, two: str) -> None:
    assert not merges(one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Do we serve peanuts in the canteen on Fridays?", "We serve peanuts in the canteen on Fridays."),
        ("If the cellar floods, the pump switches to battery power.", "The pump switches to battery power."),
        ("The garden gate should be painted green.", "The garden gate is painted green."),
        ("The garden gate will be painted green.", "The garden gate was painted green."),
        ("Tom wants to buy the red canoe from Erik.", "Tom bought the red canoe from Erik."),
    ],
)
def test_what_one_only_asks_wishes_or_supposes_is_left_to_a_person(one: str, two: str) -> None:
    found = Garden(
        twins.plan, made("the_first_of_them", one), made("the_other_of_them", two, "2026-02-01")
    ).proposals()
    assert [proposal for proposal in found if proposal.confidence >= 0.8] == []


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


def test_an_unsure_twin_does_not_hold_up_a_sure_one() -> None:
    text = "The office printer uses toner TN-2420 from the cupboard."
    found = Garden(
        twins.plan,
        made("printer_in_the_office", text),
        made("printer_and_where_to_order", f"{text} Order it from Kramer.", "2026-02-01"),
        made("printer_should_use_it", text.replace("uses", "should use"), "2026-02-02"),
    )
    (one,) = found.proposals()
    assert one.confidence >= 0.8
    assert "printer_and_where_to_order into printer_in_the_office" in one.title


def test_twins_that_exchange_a_name_wait_for_a_person() -> None:
    text = "The spare key of the boathouse is kept by Anna in the red biscuit tin behind the paddles."
    other = "Berta keeps the spare key of the boathouse in the red biscuit tin behind the paddles."
    found = Garden(twins.plan, made("key_of_the_boathouse", text), made("spare_key_there", other, "2026-02-01"))
    (one,) = found.look().proposals
    assert 0.5 <= one.confidence < 0.8


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


def test_a_property_that_the_older_note_says_otherwise_is_named_as_lost(garden: type[Garden]) -> None:
    found = garden(
        twins.plan,
        made("user_prefers_short_tables", "User prefers short tables.", confidence="0.5"),
        made(
            "user_wants_short_tables",
            "User prefers short tables.",
            "2026-02-01",
            confidence="0.9",
            importance="0.3",
        ),
    )
    (one,) = found.proposals()
    assert one.lost == (
        "the name user_wants_short_tables and the date 2026-02-01; confidence 0.9 of user_wants_short_tables"
    )
    found.settle()
    assert "importance: 0.3" in found.text("user_prefers_short_tables")


def test_a_proposal_keeps_its_id_until_a_note_of_it_changes(garden: type[Garden]) -> None:
    notes = (
        made("user_prefers_short_tables", "User prefers short tables."),
        made("user_wants_short_tables", "User prefers short tables.", "2026-02-01"),
    )
    found = garden(twins.plan, *notes)
    (before,) = found.proposals()
    found.files["allmemories/report_style_of_team.md"] = b"See [[user_wants_short_tables]].\n"
    assert found.proposals()[0].id == before.id
    found.files[notes[1][0]] += b"Always.\n"
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
    merged = {line.strip() for line in f"{body}\n{twins.lines_missing(body, note)}".split("\n")}
    assert {line.strip() for line in note.body.split("\n")} - {"# A note"} <= merged | {""}


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


def test_notes_of_one_template_are_told_apart_without_reading_all_pairs() -> None:
    """Two thousand ports and birthdays: few pairs are read again, or a large vault takes hours."""
    texts = [f"The service number{at} listens on port {3000 + at} in the cellar rack." for at in range(1000)]
    texts += [f"The birthday of person{at} is on {at % 28 + 1} May at the lake house." for at in range(1000)]
    notes = as_notes(dict(made(f"note_of_kind_{at}x", text, title="A note") for at, text in enumerate(texts)))
    readings = twins.Readings(notes)
    assert not [pair for pair in readings.near if not readings.are_apart(pair)]


def test_a_line_is_there_only_if_all_of_it_is(garden: type[Garden]) -> None:
    """`port 80` is no part of `port 8080`."""
    text = "The gateway of the shop listens on port 80"
    older = made("gateway_of_the_shop", f"{text}80 and its twin does, too.")
    newer = made("shop_gateway_and_port", text, "2026-02-01")
    note_of = {one.path: one for one in as_notes(dict([older, newer]))}
    assert twins.lines_missing(note_of[older[0]].body, note_of[newer[0]]) == text


def test_properties_of_any_name_are_joined(garden: type[Garden]) -> None:
    """Also one that a function might call its argument."""
    text = "The user prefers short tables over long prose."
    older = made("user_prefers_short_tables", text)
    newer = made("user_wants_short_tables", text, "2026-02-01", note="yes", self="2", data="3")
    files = garden(twins.plan, older, newer).settle()
    (merged,) = [memory.parse(data, path) for path, data in files.items()]
    assert [merged.meta[key] for key in ("note", "self", "data")] == ["yes", 2, 3]


def test_a_note_that_is_never_to_be_deleted_is_named_instead(garden: type[Garden]) -> None:
    text = "The user prefers short tables over long prose."
    older = made("user_prefers_short_tables", text)
    newer = made("user_wants_short_tables", text, "2026-02-01", deletion_policy="never")
    found = garden(twins.plan, older, newer)
    assert not found.proposals()
    assert ["deletion_policy: never" in one.message for one in found.look().problems] == [True]


def test_a_merged_text_that_links_to_itself_links_to_the_note_it_is_in(garden: type[Garden]) -> None:
    text = "The user prefers short tables over long prose."
    older = made("user_prefers_short_tables", text)
    newer = made("user_wants_short_tables", f"{text}\n\nSee [[user_wants_short_tables#Why]].", "2026-02-01")
    assert "See [[user_prefers_short_tables#Why]]." in str(garden(twins.plan, older, newer).settle())


def test_lists_that_only_the_person_knows_are_joined(garden: type[Garden]) -> None:
    text = "The user prefers short tables over long prose."
    older = made("user_prefers_short_tables", text, aliases="[tables]")
    newer = made("user_wants_short_tables", text, "2026-02-01", aliases="[short]", seen="[b]")
    found = garden(twins.plan, older, newer)
    assert [one.lost for one in found.proposals()] == ["the name user_wants_short_tables and the date 2026-02-01"]
    (merged,) = [memory.parse(data, path) for path, data in found.settle().items()]
    assert (merged.meta["aliases"], merged.meta["seen"]) == (["tables", "short"], ["b"])


def test_records_are_merged_only_if_they_are_the_same(garden: type[Garden]) -> None:
    """Fields of two records in one text are a record no longer."""
    text = "- skill_name: rotate the keys of the gateway at night\n- triggers: an alert of the pager"
    for ending, merges in (("", True), ("\n- version: a first one", False)):
        notes = [
            made(f"rotate_the_keys_{at}", text + ending * at, f"2026-0{at + 1}-01", type="competence")
            for at in (0, 1)
        ]
        assert bool(garden(twins.plan, *notes).look().proposals) is merges


def test_of_two_as_old_the_one_of_the_shorter_name_stays(garden: type[Garden]) -> None:
    text = "Grind size 12 for the espresso machine at home, 18 grams in, 36 grams out."
    files = garden(twins.plan, made("Espresso settings", text), made("Espresso settings copy", text)).settle()
    assert list(files) == ["allmemories/Espresso settings.md"]


# -- one sentence of two, and whose note it is


ASKED_TOO_OFTEN = "when a client sends too many requests per minute."


@pytest.mark.parametrize(
    ("older", "newer", "stays"),
    [
        (f"Otter answers with 429 {ASKED_TOO_OFTEN}", f"Otter replies 429 {ASKED_TOO_OFTEN}", "older"),
        ("Logs are kept for ninety days.", "Logs are kept for ninety days in the archive of the shop.", "newer"),
        ("Logs are kept for ninety days in the archive of the shop.", "Logs are kept for ninety days.", "older"),
        ("The shop is deployed to staging every night.", "We deploy the shop each night to staging.", "older"),
    ],
)
def test_of_two_sentences_that_say_the_same_one_survives(
    garden: type[Garden], older: str, newer: str, stays: str
) -> None:
    title = "Rule of the shop"
    notes = (
        made("shop_gateway_rule", older, title=title),
        made("rule_of_shop_gateway", newer, "2026-02-01", title=title),
    )
    found = garden(twins.plan, *notes)
    (one,) = found.proposals()
    (merged,) = [memory.parse(data, path) for path, data in carried_out(found.files, (one,)).items()]
    assert merged.body.strip() == {"older": older, "newer": newer}[stays]


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Use `ruff` to format the code of the shop.", "The code of the shop is formatted with ruff in hooks."),
        ("Kim prefers tabs over spaces in Go files.", "The user prefers tabs over spaces in Go files."),
        (
            "The limit of the gateway is 429 requests per hour.",
            "The limit of the gateway is many requests per hour.",
        ),
        ("- Deploys of the shop run at night", "Deploys of the shop are run at night"),
        ("The backup is not sent to the cloud at night.", "The backup is sent to the cloud at night."),
    ],
)
def test_what_only_one_of_two_sentences_says_is_not_dropped(older: str, newer: str) -> None:
    assert twins.fuller(older, newer, True) == ""


def test_a_line_of_a_longer_text_is_told_once(garden: type[Garden]) -> None:
    rules = "The user prefers short tables over long prose.\n\n- Charts of reports are drawn as SVG files"
    older = made("user_prefers_short_tables", f"{rules}\n- Reports are in English")
    more = f"{rules} by the server\n- Reports are in English\n- Mails of reports are short"
    found = garden(twins.plan, older, made("user_prefers_tables_short", more, "2026-02-01"))
    (body,) = [memory.parse(data, path).body for path, data in carried_out(found.files, found.proposals()).items()]
    assert body.count("Charts of reports") == 1
    assert "SVG files by the server" in body
    assert body.count("Reports are in English") == 1
    assert "- Mails of reports are short" in body


def test_the_note_that_stays_keeps_its_writer(garden: type[Garden]) -> None:
    text = "The user prefers short tables over long prose."
    newer = made("user_wants_short_tables", text, "2026-02-01", actor="codex", session="codex-bad", scope="team")
    files = garden(twins.plan, made("user_prefers_short_tables", text, scope="team"), newer).settle()
    (merged,) = [memory.parse(data, path) for path, data in files.items()]
    assert {"actor", "session"}.isdisjoint(merged.meta)
