"""The new is trusted where two notes exclude each other; where they do not, both are left alone."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import conflicts
from mdmem.garden.gardeners.proposal import Evidence, JudgedPair
from mdmem.note import memory

from .conftest import Garden, made


def title_of(text: str) -> str:
    return text.split(".", maxsplit=1)[0].replace(":", " is")


def garden_of(one: str, two: str, **properties: str) -> Garden:
    return Garden(
        conflicts.plan,
        made("what_was_said_first", one, title=title_of(one)),
        made("what_was_said_later", two, "2026-02-08", title=title_of(two), **properties),
    )


CONFLICTS = [
    ("User lives in Berlin.", "User lives in Munich."),
    ("The API port is 8080.", "The API port is 9090."),
    ("Team deploys on Tuesdays.", "Team deploys on Thursdays."),
    ("User prefers tabs over spaces.", "User prefers spaces over tabs."),
    ("User prefers dark mode.", "User prefers light mode."),
    ("User eats meat.", "User does not eat meat."),
    ("The billing service uses Postgres as its database.", "The billing service uses MySQL as its database."),
    ("The session timeout is 30 minutes.", "The session timeout is 60 minutes."),
    ("User's favourite editor is Vim.", "User's favourite editor is Helix."),
    ("Standup is on Monday at 9:30.", "Standup is on Monday at 10:00."),
    ("User works at Acme.", "User now works at Globex since January 2026."),
    ("The default branch is master.", "The default branch is main."),
    ("The importer retries 3 times.", "The importer retries 5 times."),
    ("Feature flags are enabled by default.", "Feature flags are disabled by default."),
    ("User wants short answers.", "User wants long answers."),
    ("User's birthday is 3 May.", "User's birthday is 5 May."),
    ("Team deploys on Tuesdays.", "As of February the team deploys on Thursdays instead of Tuesdays."),
    ("Sprints last two weeks.", "Sprints last three weeks."),
    ("User is vegetarian.", "User is vegan now."),
    ("Ada owns the billing service.", "Ben owns the billing service."),
    ("Use tabs for indentation.", "Use spaces for indentation."),
    ("Do not deploy on Fridays.", "Deploy on Fridays."),
    ("Never deploy on Fridays.", "Always deploy on Fridays."),
    ("API keys rotate every 30 days.", "API keys rotate every 90 days."),
    ("User is vegetarian.", "User is not vegetarian anymore."),
    ("User drinks two cups of tea a day.", "User no longer drinks tea."),
    ("User uses Vim.", "User stopped using Vim."),
    ("User lives in Berlin.", "User moved from Berlin to Munich."),
    ("The team uses Jira.", "The team switched from Jira to Linear."),
    ("Ada wohnt in Bremen.", "Ada wohnt seit Mai in Bonn."),
    ("Ben mag Oliven.", "Ben mag keine Oliven mehr."),
    ("User likes olives.", "User hates olives."),
    ("The owner of the billing service is Ada.", "Ben owns the billing service."),
    ("Orchid's report is due on 5 May 2026.", "Deadline for the report of Orchid: 9 June 2026"),
    ("Orchid is licensed under MIT.", "Orchid is now licensed under the GPL."),
    ("The tower was built in 1926.", "According to the register the tower was built in 1931."),
    ("Orchid stores its orders in MySQL.", "Orchid stores its orders in Postgres."),
    ("Answer the user in German.", "Answer the user in English, even if the question is in German."),
    ("The app sends usage data to Segment.", "The app does not send usage data anymore."),
    ("Water the ferns on the balcony every 3 days.", "Every 5 days water the ferns on the balcony."),
    ("Bread rises best at 26 degrees.", "Bread rises best at 24 degrees, as tested in winter."),
    ("Guests enter the hall with shoes.", "Guests never enter the hall with shoes."),
    ("Releases of the shop happen in the morning.", "In the evening releases of the shop happen."),
]


@pytest.mark.parametrize(("one", "two"), CONFLICTS)
def test_another_value_of_the_same_thing_is_a_conflict(one: str, two: str) -> None:
    (found,) = garden_of(one, two).proposals()
    assert (found.gardener, found.action) == ("conflicts", "deprecate")


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("User lives in Berlin.", "User's sister lives in Munich."),
        ("The API port is 8080 in staging.", "The API port is 9090 in production."),
        ("The staging port is 8080.", "The production port is 9090."),
        ("Alpha deploys on Tuesdays.", "Beta deploys on Thursdays."),
        ("User prefers tabs over spaces.", "User prefers tables over prose."),
        ("User uses Python.", "User uses Rust."),
        ("User is allergic to peanuts.", "User is allergic to cats."),
        ("User trains on Mondays.", "User trains on Thursdays."),
        ("The database is Postgres.", "The database is large."),
        ("User's cat is called Tom.", "User's cat is called Mia."),
        ("User lives in Berlin.", "User lives in berlin."),
        ("User likes tea.", "User likes coffee."),
        ("User speaks German.", "User speaks French."),
        ("The billing service uses Postgres as its database.", "The billing service uses Redis as its cache."),
        ("User lived in Berlin until 2024.", "User lives in Munich."),
        ("The budget for 2025 is 5000.", "The budget for 2026 is 7000."),
        ("User lives in Berlin.", "User lives in Berlin Mitte."),
        ("Server 1 runs on Debian.", "Server 2 runs on Ubuntu."),
        ("User has 2 cats.", "User has 3 bikes."),
        ("If it rains the port is 80.", "The port is 90."),
        ("The team uses Slack, Zoom and Jira for work.", "The team uses Slack and Zoom for work."),
        ("Anna prefers dark mode.", "Ben prefers light mode."),
        ("Ada wohnt in Bremen.", "Ben wohnt in Bonn."),
        ("Invoice 17 of the roofer lies in the folder.", "Invoice 18 of the roofer lies in the folder."),
        ("Water the ferns on the balcony every 3 days.", "Water the palms on the balcony every 5 days."),
        ("Bread rises best at 26 degrees.", "Cake rises best at 24 degrees."),
        ("Guests enter the hall with shoes.", "Children never enter the hall with shoes."),
        ("Anna quietly copies Ben at school.", "Ben never quietly copies Anna at school."),
        ("The size of the team in 2024", "The size of the team in 2026"),
        ("User uses Helix.", "User stopped using Vim."),
        ("The owner of the billing service is Ada.", "Ben owns the search service."),
        ("User drinks coffee.", "User does not drink coffee at night."),
        ("Orchid stores its orders in MySQL.", "Orchid stores its sessions in Redis."),
        ("The team uses Linear.", "The team switched from Jira to Linear."),
        ("User likes olives.", "Ben hates olives."),
        ("User likes olives.", "User does not hate olives."),
        ("The tower was built in 1926.", "The barn was built in 1931."),
        ("The host of the party is Ada.", "The party is hosted at Globex."),
        ("The app sends usage data to Segment.", "The app does not send crash data."),
    ],
)
def test_another_person_place_time_or_thing_is_none(one: str, two: str) -> None:
    assert garden_of(one, two).proposals() == ()


@pytest.mark.parametrize(
    "properties",
    [{"project": "b"}, {"scope": "ada"}, {"type": "episodic"}, {"category": "future"}, {"status": "deprecated"}],
)
def test_other_scopes_projects_and_kinds_are_none(properties: dict[str, str]) -> None:
    assert garden_of(*CONFLICTS[0], **properties).look().proposals == ()


def test_pairs_below_a_name_are_about_that_name(garden: type[Garden]) -> None:
    """Flags and services have notes of many titles; those of other names are other things."""
    notes = [
        made(f"the_flag_in_note_{at}", f"- flag: {name}\n- enabled: {state}", f"2026-01-0{at}")
        for at, (name, state) in enumerate((("new_menu", "true"), ("new_menu", "false"), ("old_menu", "false")), 1)
    ]
    assert garden(conflicts.plan, *notes[:2]).proposals()
    assert not garden(conflicts.plan, notes[0], notes[2]).proposals()


def test_a_title_that_says_it_shorter_is_no_second_value() -> None:
    found = garden_of("The passport is in the desk.", "The passport is in the safe behind the coats.")
    found.files = {
        path: data.replace(b"The passport is in the safe behind the coats\n", b"Passport is in the safe\n")
        for path, data in found.files.items()
    }
    assert found.proposals()


def test_the_older_is_superseded_and_the_newer_says_when(garden: type[Garden]) -> None:
    found = garden_of(*CONFLICTS[0])
    (one,) = found.proposals()
    said = {(why.path, found.files[why.path].decode().split("\n")[why.line - 1]) for why in one.evidence}
    assert said == {
        ("allmemories/what_was_said_first.md", "User lives in Berlin."),
        ("allmemories/what_was_said_later.md", "User lives in Munich."),
    }
    files = found.settle()
    older, newer = (memory.parse(data, path) for path, data in sorted(files.items()))
    assert (older.status, older.strings("superseded_by")) == ("deprecated", ("[[what_was_said_later]]",))
    assert older.body.lstrip().startswith(
        "> [!warning] DEPRECATED: See valid architecture in [[what_was_said_later]]"
    )
    assert newer.strings("supersedes") == ("[[what_was_said_first]]",)
    assert newer.body.endswith("Corrected 2026-02-08.\n")  # a fact; nobody changed their mind


def test_without_a_later_date_nobody_is_trusted(garden: type[Garden]) -> None:
    found = garden(
        conflicts.plan,
        made("what_was_said_first", "User lives in Berlin.", title="A home"),
        made("what_was_said_later", "User lives in Munich.", title="A home"),
        min_confidence=0.4,
    )
    (one,) = garden(conflicts.plan, *found.files.items()).look().proposals
    assert (one.action, one.confidence < 0.8) == ("revise", True)


def test_a_note_that_says_much_else_is_not_buried(garden: type[Garden]) -> None:
    facts = "\n".join(f"- The {word} is kept in the cellar." for word in ("wine", "bike", "boat", "tent", "saw"))
    old = made(
        "about_the_home_of_user", f"User lives in Berlin.\n\n{facts.replace('kept', 'stored')}", title="Home"
    )
    new = made("user_has_moved_away", "User lives in Munich.", "2026-02-08", title="Home")
    found = garden(conflicts.plan, old, new)
    assert found.proposals() == ()
    assert [one.action for one in found.look().proposals] == ["revise"]


@pytest.mark.parametrize(("keep", "status"), [("contest", "contested"), ("fork", "active")])
def test_both_are_kept_if_asked(keep: str, status: str) -> None:
    found = garden_of(*CONFLICTS[0])
    found.settings = found.settings._replace(keep_both=keep)
    assert {memory.parse(data, path).status for path, data in found.settle().items()} == {status}


def test_a_link_that_says_so_and_facts_as_triples(garden: type[Garden]) -> None:
    link = made("the_view_of_today", "Quite another view.", "2026-02-08", contradicts='["[[the_view_of_old]]"]')
    assert garden(conflicts.plan, made("the_view_of_old", "One view."), link).proposals()
    facts = [
        made(name, f"- subject: Orchid\n- predicate: database\n- object: {value}", day)
        for name, value, day in (
            ("fact_of_orchid_one", "MySQL", "2026-01-01"),
            ("fact_of_orchid_two", "Postgres", "2026-02-01"),
        )
    ]
    assert garden(conflicts.plan, *facts).proposals()


def test_a_note_that_says_much_more_does_not_sink_for_one_value() -> None:
    more = "It was chosen for the proxy.\n\nMaria keeps the certificates. A restart takes an hour.\nAsk Ben first."
    found = garden_of(f"The gateway port is 5432.\n{more}", "The gateway port is 6000.")
    assert found.proposals() == ()
    assert [one.confidence for one in found.look().proposals] == [0.5]
    held = garden_of(f"The gateway port is 5432.\n{more}", f"The gateway port is 6000.\n{more}")
    assert held.proposals(), "the newer one says the rest, too"


@pytest.mark.parametrize(
    ("newer", "is_settled"),
    [("The kayak rental takes no cards.", True), ("Does the kayak rental no longer take cards?", False)],
)
def test_a_newer_note_that_only_asks_overturns_nothing_unasked(newer: str, is_settled: bool) -> None:
    said = (
        Evidence("allmemories/cards_are_taken.md", 1, "cards"),
        Evidence("allmemories/cards_later.md", 1, "cards"),
    )
    paths = said[0].path, said[1].path
    judged = JudgedPair(
        *paths,
        twin=0.0,
        conflict=0.95,
        old=said[0],
        new=said[1],
        beside=0,
        fitting=3,
        differ=True,
        of_another=False,
    )
    notes = made("cards_are_taken", "The kayak rental takes cards."), made("cards_later", newer, "2026-02-08")
    (one,) = Garden(conflicts.plan, *notes, judged=(judged,)).look().proposals
    assert (one.confidence >= 0.8) == is_settled
    assert one.action == ("deprecate" if is_settled else "revise")


@pytest.mark.parametrize(
    ("told", "is_one_thing"),
    [
        ("User prefers tables over prose in reports {}.", False),
        ("User wants citations in answers {}.", False),
        ("Ana wants charts of the book in chapter {}.", False),
        ("The port is {}.", True),
        ("The server listens on port {}.", True),
        ("The pool holds {} connections.", True),
        ("The cache keeps items in memory for {} minutes.", True),
    ],
)
def test_a_number_at_the_end_of_a_label_is_a_key(garden: type[Garden], told: str, is_one_thing: bool) -> None:
    """Nothing is trusted unasked because another report has another number."""
    notes = [
        made(f"what_is_told_{word}", told.format(number), f"2026-0{at + 1}-01", title="What is told")
        for at, (word, number) in enumerate((("first", 20), ("then", 30)))
    ]
    assert bool(garden(conflicts.plan, *notes).proposals()) is is_one_thing
