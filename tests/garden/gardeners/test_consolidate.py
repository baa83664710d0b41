"""More than five notes on a topic become one master, and every line of every source is in it."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mdmem.garden.gardeners import consolidate
from mdmem.note import memory, naming

from .conftest import Garden, made

WORDS = "cellar roof kitchen garden hall attic porch".split()


def topic(count: int, **properties: str) -> list[tuple[str, bytes]]:
    given = {"topic": "house repair", "tags": "[house]", "type": "fact", **properties}
    return [
        made(f"repair_of_the_{word}", f"# Repair\n\n- The {word} leaks.", f"2026-01-0{day}", **given)
        for day, word in enumerate(WORDS[:count], 1)
    ]


def test_six_notes_become_a_master_and_five_do_not(garden: type[Garden]) -> None:
    assert not garden(consolidate.plan, *topic(5)).proposals()
    found = garden(consolidate.plan, *topic(6))
    (one,) = found.proposals()
    assert (one.action, one.lost, len(one.evidence)) == ("merge", "", 6)
    files = found.settle()
    master = memory.parse(files["allmemories/house_repair_master.md"], "allmemories/house_repair_master.md")
    assert master.strings("derived_from") == tuple(f"[[repair_of_the_{word}]]" for word in WORDS[:6])
    assert (master.tags, master.text("topic"), master.problems) == (("house",), "house repair", ())
    assert [line for line in master.body.split("\n") if line.startswith("## ")] == [
        f"## Repair of the {word}" for word in WORDS[:6]
    ]
    old = memory.parse(files["allmemories/repair_of_the_roof.md"], "x.md")
    assert (old.status, old.strings("superseded_by")) == ("deprecated", ("[[house_repair_master]]",))


def test_names_and_tags_in_common_make_a_topic(garden: type[Garden]) -> None:
    notes = [(path, data.replace(b"topic: house repair\n", b"")) for path, data in topic(6)]
    assert garden(consolidate.plan, *notes).proposals()
    assert not garden(consolidate.plan, *((p, d.replace(b"tags: [house]\n", b"")) for p, d in notes)).proposals()


@pytest.mark.parametrize("legacy", [False, True])
def test_the_example_of_the_protocol_has_neither_topic_nor_tag(garden: type[Garden], legacy: bool) -> None:
    aspects = "formatting colors editor language units keyboard".split()
    notes = [
        made(f"user_prefs_{word}", f"The {word} of the user.", f"2026-01-0{day}")
        for day, word in enumerate(aspects, 1)
    ]
    if legacy:
        header = "# Prefs\n\n**Created:** 2026-01-01 10:00\n**Category:** [present]\n**Tags:** []\n\n---\n\nText\n"
        notes = [(path, header.replace("Text", path).encode()) for path, _ in notes]
    (one,) = garden(consolidate.plan, *notes).proposals()
    assert (one.merged, len(one.evidence)) == ("allmemories/user_prefs_master.md", 6)


@pytest.mark.parametrize("start", ["user_prefers", "maria_believes", "the_plan", "harbor_is"])
def test_sentences_that_begin_the_same_are_no_topic_without_a_tag(garden: type[Garden], start: str) -> None:
    assert not garden(consolidate.plan, *(made(f"{start}_{word}", "Text.") for word in WORDS)).proposals()


OVEN = (
    "The oven is preheated for an hour.",
    "Stone of the oven: cordierite, 2 cm.",
    "Never clean the oven while it is warm.",
    "Lamp of the oven burnt out, 25 watts.",
    "Whoever bakes last opens the oven.",
    "Door of the oven squeaks since May.",
)


def _tagged(texts: tuple[str, ...], tag: str, days: int) -> list[tuple[str, bytes]]:
    dated = [f"2026-0{1 + at * days // 28}-{1 + at * days % 28:02}" for at in range(len(texts))]
    pairs = enumerate(zip(texts, dated, strict=True))
    return [
        made(f"{'abcdefgh'[at]}_note_of_day", text, day, title="A note", tags=f"[{tag}]")
        for at, (text, day) in pairs
    ]


def test_a_thing_that_a_tag_and_each_note_names_is_a_topic(garden: type[Garden]) -> None:
    (one,) = garden(consolidate.plan, *_tagged(OVEN, "oven", 20)).proposals()
    assert one.merged == "allmemories/oven_notes_master.md"
    other = ("Six loaves, all of them flat.", *OVEN[:4], "Ask Ruth for rye.")
    assert not garden(consolidate.plan, *_tagged(other, "oven", 20)).look().proposals


def test_lines_of_a_list_are_no_topic(garden: type[Garden]) -> None:
    ideas = tuple(f"Idea: {word} for the shop window." for word in WORDS[:6])
    assert not garden(consolidate.plan, *_tagged(ideas, "idea", 20)).look().proposals


@pytest.mark.parametrize(("days", "is_sure"), [(2, False), (20, True)])
def test_entries_of_every_other_day_may_be_a_log(garden: type[Garden], days: int, is_sure: bool) -> None:
    (one,) = garden(consolidate.plan, *_tagged(OVEN, "oven", days)).look().proposals
    assert (one.confidence >= 0.8) == is_sure


def test_a_diary_by_the_names_of_its_entries_waits_for_review(garden: type[Garden]) -> None:
    entries = [
        made(f"swim_diary_of_the_{word}", f"Swam to the {word}.", tags="[lake]", created=f"2025-06-0{day}")
        for day, word in enumerate(WORDS[:6], 1)
    ]
    assert not garden(consolidate.plan, *entries).proposals()
    assert [one.confidence for one in garden(consolidate.plan, *entries).look().proposals] == [0.6]


def test_projects_scopes_pins_and_episodes_stay_apart(garden: type[Garden]) -> None:
    for properties in (
        {"project": "b"},
        {"scope": "ada"},
        {"pinned": "true"},
        {"type": "episodic"},
        {"status": "deprecated"},
    ):
        assert not garden(consolidate.plan, *topic(5), *topic(6, **properties)[5:]).proposals()


def test_a_master_that_is_there_grows(garden: type[Garden]) -> None:
    found = garden(consolidate.plan, *topic(6))
    found.settle()
    more = [(path.replace("repair_of", "care_of"), data.replace(b"leaks", b"is dry")) for path, data in topic(6)]
    found.files.update(more)
    (one,) = found.proposals()
    assert "allmemories/house_repair_master.md" in one.paths
    text = found.settle()["allmemories/house_repair_master.md"].decode()
    assert all(f"The {word} {state}." in text for word in WORDS[:6] for state in ("leaks", "is dry"))


def test_a_topic_of_one_word_gets_a_name_by_the_protocol(garden: type[Garden]) -> None:
    (one,) = garden(consolidate.plan, *topic(6, topic="house")).proposals()
    (path,) = [edit.path for edit in one.edits if edit.before is None]
    assert path == "allmemories/house_notes_master.md"
    assert naming.check(memory.stem(path)) == []


def test_a_master_that_would_be_too_long_is_left_to_a_person(garden: type[Garden]) -> None:
    found = garden(consolidate.plan, *topic(6), oversize_tokens=10)
    assert found.proposals() == ()
    assert [one.confidence for one in found.look().proposals] == [0.6]


FACT = st.sampled_from(
    [
        "- a fact",
        "  - nested fact",
        "prose of a kind",
        "",
        "```",
        "# in code?",
        "| a | b |",
        "1. first",
        "> quoted",
        "    indented",
        "---",
        "===",
        "~~~",
        "<!-- hidden",
        "-->",
        "two spaces  ",
        "\ttab",
        "<<<<<<< ours",
        "## A part ##",
    ]
)


BROKEN = ["---", "- a fact", "---"]  # reads as a second header: such a note is left alone, the doctor names it


@settings(max_examples=50)  # six notes each
@example([[]] * 5 + [BROKEN], False)
@example([["a"]] * 6 + [BROKEN], False)
@given(
    st.lists(st.lists(FACT | st.text("ab #`>-\u00e9", max_size=12), max_size=8), min_size=6, max_size=7),
    st.booleans(),
)
def test_every_line_of_every_source_is_in_the_master(bodies: list[list[str]], crlf: bool) -> None:
    end = b"\r\n" if crlf else b"\n"
    notes = []
    for word, lines in zip(WORDS, bodies, strict=False):
        path, data = made(f"repair_of_the_{word}", "\n".join(lines), topic="house repair")
        notes.append((path, data.replace(b"\n", end)))
    found = Garden(consolidate.plan, *notes)
    sources = {path: memory.parse(data, path) for path, data in notes}
    look = found.look()
    if not look.proposals:
        assert look.problems or any(one.problems for one in sources.values())  # one that cannot be edited is named
        return
    files = found.settle()
    master = files.pop("allmemories/house_repair_master.md").decode()
    there = {line.strip().lstrip("#").strip() for line in master.split("\n")}
    for path, data in notes:
        if sources[path].problems:
            assert files[path] == data
        else:
            lines = {line.strip().lstrip("#").strip() for line in sources[path].body.split("\n")}
            assert lines <= there | {""}


@pytest.mark.parametrize("start", ["```", "~~~~ python", "<!-- a thought"])
def test_what_a_source_leaves_open_ends_with_its_section(garden: type[Garden], start: str) -> None:
    """Or the sections below would be code, or would not be seen."""
    notes = topic(6)
    path, data = notes[2]
    notes[2] = path, data + f"\n{start}\nleft open\n".encode()
    master = garden(consolidate.plan, *notes).settle()["allmemories/house_repair_master.md"].decode()
    html = MarkdownIt().render(memory.parse(master.encode(), "x.md").body)
    assert html.count("<h2>") == 6


def test_projects_and_secrets_with_a_topic_of_one_name_get_masters_of_their_own(garden: type[Garden]) -> None:
    def one(word: str, **properties: str) -> list[tuple[str, bytes]]:
        return [(path.replace("_of_", f"_{word}_"), data) for path, data in topic(6, **properties)]

    notes = [*topic(6), *one("b", project="bee"), *one("secret", sensitivity="hyper")]
    found = garden(consolidate.plan, *notes)
    for files in (found.settle(), found.settle()):
        assert sorted(path for path in files if "master" in path) == [
            "allmemories/house_repair_2_master.md",
            "allmemories/house_repair_bee_master.md",
            "allmemories/house_repair_master.md",
        ]
    for name in ("house_repair_2_master", "house_repair_master"):
        master = memory.parse(found.text(name).encode(), "x.md")
        is_secret = master.text("sensitivity") == "hyper"
        assert [is_secret] * 6 == ["repair_secret" in link for link in master.strings("derived_from")]


def test_links_of_a_source_lead_on_where_the_master_is(garden: type[Garden]) -> None:
    notes = topic(6)
    _, data = notes[3]
    text = b"\n[hall](../../repair_of_the_hall.md) [[repair_of_the_garden#Repair]]\n![plan](plan.png)\n"
    notes[3] = "allmemories/2026/01/repair_of_the_garden.md", data + text
    elsewhere = frozenset({"allmemories/2026/01/plan.png"})
    found = garden(consolidate.plan, *notes, elsewhere=elsewhere)
    found.settle()
    wanted = "[hall](repair_of_the_hall.md) [[house_repair_master#Repair]]\n![plan](2026/01/plan.png)\n"
    assert wanted in found.text("house_repair_master")


def test_records_are_not_made_one_text(garden: type[Garden]) -> None:
    """Fields that programs read stay in the note whose fields they are."""
    notes = [
        (path, data + b"\n- subject: the house\n- predicate: leaks\n") for path, data in topic(6, type="semantic")
    ]
    assert not garden(consolidate.plan, *notes).proposals()
    assert garden(consolidate.plan, *topic(6, type="semantic")).proposals(), "prose is none"


def test_a_master_that_a_person_retracted_does_not_come_back_to_life(garden: type[Garden]) -> None:
    old = made("house_repair_master", "Wrong.", topic="house repair", status="retracted")
    files = garden(consolidate.plan, old, *topic(6)).settle()
    assert files[old[0]] == old[1]
    assert "allmemories/house_repair_2_master.md" in files
