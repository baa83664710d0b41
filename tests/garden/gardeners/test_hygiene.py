"""What is plainly wrong is mended by the line; what only a person can know is named."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import hygiene
from mdmem.note import memory, naming

from .conftest import Garden, carried_out, made

GOOD = made("user_prefers_short_tables", "Short tables.", tags="[style]")


def codes(found: Garden) -> list[str]:
    return sorted({problem.code for problem in found.look().problems})


@pytest.mark.parametrize("name", ["memory1", "stuff", "Meeting Notes With Anna"])
def test_bad_names_get_better_ones_and_links_follow(garden: type[Garden], name: str) -> None:
    bad = made(name, f"Anna wants the roof mended in June. See [[{name}]].", tags="[style]")
    found = garden(hygiene.plan, bad, made("list_of_all_things", f"[[{name}|that]]"))
    (one,) = found.proposals()
    assert one.action == "rename"
    files = found.settle()
    (path,) = (path for path in files if path not in ("allmemories/list_of_all_things.md",))
    assert not [finding for finding in naming.check(memory.stem(path)) if finding.severity == "error"]
    assert f"[[{memory.stem(path)}|that]]" in found.text("list_of_all_things")
    assert f"See [[{memory.stem(path)}]]." in files[path].decode()


def test_names_that_are_days_and_names_that_are_only_long_are_a_matter_of_taste(garden: type[Garden]) -> None:
    daily = made("2026-02-08", "Log.", tags="[style]")
    long = made("very_long_filename_with_way_too_many_words_here", "x", tags="[style]")
    found = garden(hygiene.plan, daily, long)
    assert found.proposals() == ()
    assert [one.confidence for one in found.look().proposals] == [0.5, 0.6]


def test_a_dangling_link_is_led_to_the_note_it_plainly_means(garden: type[Garden]) -> None:
    found = garden(
        hygiene.plan, GOOD, made("report_style_of_team", "a\n\nSee [[user_prefer_short_tables#x|here]].")
    )
    (one,) = found.proposals()
    assert (one.evidence[0].path, one.evidence[0].line) == ("allmemories/report_style_of_team.md", 11)
    found.settle()
    assert "See [[user_prefers_short_tables#x|here]]." in found.text("report_style_of_team")


@pytest.mark.parametrize(
    ("there", "linked"),
    [
        ("database_server_west_config", "database_server_east_config"),
        ("vendor_contract_plan_draft_b", "vendor_contract_plan_draft_a"),
        ("notes_about_internal_review_of_api", "notes_about_external_review_of_api"),
        ("report_of_the_year_for_board_v2", "report_of_the_year_for_board_v1"),
    ],
)
def test_a_link_to_a_note_yet_to_be_written_is_not_led_to_its_neighbour(
    garden: type[Garden], there: str, linked: str
) -> None:
    found = garden(hygiene.plan, made(there, "x"), made("list_of_all_things", f"[[{linked}]]"))
    assert not found.look().proposals
    assert "link-dangling" in codes(found)


@pytest.mark.parametrize("linked", ["user_prefers_short_tabels", "user_prefers_shorttables"])
def test_a_slip_of_the_pen_in_a_link_is_mended(garden: type[Garden], linked: str) -> None:
    found = garden(hygiene.plan, GOOD, made("list_of_all_things", f"[[{linked}]]"))
    found.settle()
    assert "[[user_prefers_short_tables]]" in found.text("list_of_all_things")


def test_a_name_that_a_person_gave_is_theirs(garden: type[Garden]) -> None:
    path = "allmemories/People/Robert Smith.md"
    proposals = garden(hygiene.plan, (path, b"Lives in Oslo.\n")).look().proposals
    assert [one for one in proposals if one.action == "rename"] == []


def test_a_link_that_may_mean_another_note_is_only_named(garden: type[Garden]) -> None:
    found = garden(
        hygiene.plan,
        made("plan_for_week_11", "x", tags="[style]"),
        made("report_style_of_team", "[[plan_for_week_12]] [[picture.png]]\n\n[[nothing_like_it]]"),
        elsewhere=frozenset({"allmemories/picture.png"}),
    )
    assert found.proposals() == ()
    assert [problem.fix for problem in found.look().problems if problem.code == "link-dangling"] == [
        "did you mean [[plan_for_week_11]]?",  # [[nothing_like_it]] is a note yet to be written
    ]


def test_missing_properties_are_offered_only_and_the_body_keeps_its_bytes(garden: type[Garden]) -> None:
    """A hand-made note is left as it is unless its writer wants otherwise."""
    path = "allmemories/user_prefers_short_tables.md"
    found = garden(
        hygiene.plan,
        (path, b"# Tables\n\nshort  \n"),
        made("report_style_of_team", "[[user_prefers_short_tables]]"),
    )
    assert found.settle()[path] == b"# Tables\n\nshort  \n"
    found.files = carried_out(found.files, found.look().proposals)
    note = memory.parse(found.files[path], path)
    assert (note.has_id, note.title, note.text("category")) == (True, "Tables", "past")
    assert found.files[path].endswith(b"\n# Tables\n\nshort  \n")


def test_no_type_is_offered_to_a_note_that_was_written_without_one(garden: type[Garden]) -> None:
    head = b"id: 0190\ntitle: Deploys\ncreated: 2026-01-05T09:00:00Z\ncategory: present\ntags: [deploy]\n"
    note = "allmemories/deploys_go_out_fridays.md", b"---\n" + head + b"---\n\nDeploys go out on Fridays.\n"
    assert garden(hygiene.plan, note).look().proposals == ()


def test_a_task_whose_day_is_over_is_past(garden: type[Garden]) -> None:
    def sure(text: str, **properties: str) -> float:
        note = made("file_the_tax_form", text, category="future", tags="[tax]", **properties)
        return max((one.confidence for one in garden(hygiene.plan, note).look().proposals), default=0.0)

    assert sure("File it.", due="2026-02-28") > 0.8
    assert sure("File it by 2026-02-28.") > 0.8
    assert sure("File it by 28 February 2026.") > 0.8
    assert 0 < sure("Asked for on 2026-02-28.") < 0.8
    assert sure("File it by 2026-02-28, and every year again.") == 0
    assert sure("File it.", due="2026-03-01") == 0
    assert sure("File it by 2026-02-28, at the latest on 2026-04-01.") == 0
    assert sure("File it.") == 0


def test_a_task_that_is_past_stays_of_its_type(garden: type[Garden]) -> None:
    note = made(
        "file_the_tax_form", "File it.", category="future", tags="[tax]", type="decision", due="2026-02-28"
    )
    files = garden(hygiene.plan, note).settle()
    assert files[note[0]] == note[1].replace(b"category: future", b"category: past")


def past(garden: type[Garden], text: str, **properties: str) -> float:
    """How sure it is that a note is past; made on Thursday, 1 January 2026, read two months later."""
    note = made("a_note_about_a_day", text, **{"tags": "[home]", "category": "future", **properties})
    found = garden(hygiene.plan, note).look().proposals
    return max((one.confidence for one in found if " is past" in one.title), default=0.0)


def test_a_reminder_whose_day_is_told_from_its_writing_is_past(garden: type[Garden]) -> None:
    for text in (
        "Fetch the frames tomorrow.",
        "Suppe am Freitag abholen",
        "Limpiar pasado mañana",
        "Rappeler lundi",
    ):
        assert past(garden, text) > 0.8, text
    for text in (
        "Learn the cello one day.",
        "Next year, a new roof",
        "Exam on 3 April",
        "Fridays: take out the bins",
    ):
        assert past(garden, text) == 0, text
    assert past(garden, "Fetch the frames tomorrow.", pinned="true") == 0
    assert 0 < past(garden, "Take the train tomorrow.", type="decision") < 0.8


def test_a_list_of_tasks_is_past_when_all_are_done(garden: type[Garden]) -> None:
    assert past(garden, "- [x] Paint\n- [x] Oil") > 0.8
    assert past(garden, "- [x] Paint\n- [ ] Oil") == past(garden, "The colour is RAL 7016.\n\n- [x] Paint") == 0


def test_a_note_is_past_for_a_reason_of_its_own(garden: type[Garden]) -> None:
    def title(text: str, category: str) -> str:
        note = made("a_note_about_a_day", text, tags="[home]", category=category)
        return next(one.title for one in garden(hygiene.plan, note).look().proposals if " is past" in one.title)

    assert title("Fetch the frames tomorrow.", "future").endswith("its day is over")
    assert title("- [x] Paint\n- [x] Oil", "future").endswith("every task is done")
    assert title("Staging is down, Pilar is on it.", "present").endswith("it told of a passing state")


def test_the_state_of_an_hour_is_past_after_two_weeks(garden: type[Garden]) -> None:
    def now(text: str, **properties: str) -> float:
        return past(garden, text, category="present", **properties)

    assert now("Staging is down, Pilar is on it.") > 0.8
    assert now("The server is at 80 % right now.") > 0.5
    assert now("The server is at 80 % right now.", created="2026-02-20") == 0
    assert now("Milo lost his first tooth today.", type="episodic") == 0
    assert now("No meetings today, decided for good.", type="decision") == 0
    assert now("Every Friday the server is down.") == 0


def test_the_copy_of_an_id_gets_one_of_its_own(garden: type[Garden]) -> None:
    copy = made("user_prefers_long_tables", "Long.", "2026-02-01", tags="[style]")
    identity = memory.derived_id(GOOD[0])
    data = copy[1].replace(memory.derived_id(copy[0]).encode(), identity.encode())
    found = garden(hygiene.plan, GOOD, (copy[0], data))
    assert found.proposals()[0].paths == (copy[0],)
    assert identity not in found.settle()[copy[0]].decode()
    assert identity in found.text("user_prefers_short_tables")


def test_tags_are_spelled_one_way_the_one_used_most(garden: type[Garden]) -> None:
    tags = ("[preferences, a]", "[preferences]", "[pref]", "[prefs, Preference]", "[java]", "[javascript]")
    notes = [made(f"note_of_kind_{at}x", "x", tags=tag) for at, tag in enumerate(tags)]
    assert garden(hygiene.plan, *notes).proposals() == ()  # another spelling may be another thing: asked for only
    found = garden(hygiene.plan, *notes, min_confidence=0.5)
    (one,) = found.proposals()
    assert one.title == "write the tag preferences for Preference, pref, prefs"
    files = found.settle().values()
    assert [memory.parse(data, "x.md").tags for data in files] == [
        ("preferences", "a"),
        *[("preferences",)] * 3,
        ("java",),
        ("javascript",),
    ]


def test_long_notes_are_named_and_lonely_ones_are_not(garden: type[Garden]) -> None:
    found = garden(hygiene.plan, made("a_note_all_alone", "x" * 400), oversize_tokens=50)
    assert codes(found) == ["note-long"]


def test_good_notes_are_left_alone(garden: type[Garden]) -> None:
    found = garden(hygiene.plan, GOOD).look()
    assert (found.proposals, found.problems) == ((), ())


def test_a_long_name_that_could_not_be_better_is_left(garden: type[Garden]) -> None:
    """The name without the number is another note's."""
    title = "Nightly copies of all shop data go east now"
    name = "nightly_copies_all_shop_data_go_east_now"
    notes = [made(name, "x", title=title), made(f"{name}_2", "x", title=title)]
    assert not [one for one in garden(hygiene.plan, *notes).look().proposals if one.action == "rename"]


def test_an_episode_stays_as_it_was_written(garden: type[Garden]) -> None:
    """Its text and properties are append-only."""
    text = "It fell. See [[user_prefers_short_tabels]]."
    notes = [made(f"fall_of_the_{word}", text, type="episodic", tags="[styles]") for word in ("host", "disk")]
    found = garden(hygiene.plan, GOOD, *notes)
    files = found.settle()
    assert [files[path] for path, _ in notes] == [data for _, data in notes]
    assert "link-dangling" in codes(found)
