"""What a note says of its own, and which names set two notes apart."""

from __future__ import annotations

import pytest

from mdmem.garden.gardeners import twins
from mdmem.garden.gardeners.twins import are_set_apart, says_something

from .conftest import Garden, as_notes, made

TEXT = "The user prefers short tables over long prose."


@pytest.mark.parametrize(
    "text",
    [
        "![[Albums.base]]",
        "## Albums\n\n![[Albums.base#Artist]]",
        "Albums and musicians of jazz\n====\n\n- [[Albums]]\n- [[Musicians|the musicians]]\n- [plan](plan.md)",
        "## Notes\n\n- [ ] \n\n---\n\n%% what is on my mind today? %%",
        "```dataview\nTABLE rating FROM #movies\n```",
        "How do I feel this morning?\n\nWhat did I learn?",
    ],
    ids=["embed", "heading", "links", "empty task", "query", "template"],
)
def test_a_note_without_words_of_its_own_is_nobody_s_twin(garden: type[Garden], text: str) -> None:
    boilerplate = frozenset({"How do I feel this morning?", "What did I learn?"})
    first, second = made("albums_of_the_fifties", text), made("albums_of_paul_chambers", text, "2026-02-01")
    assert not says_something(as_notes(dict([first]))[0], boilerplate)
    assert not garden(twins.plan, first, second, boilerplate=boilerplate, min_confidence=0.0).proposals()


@pytest.mark.parametrize("text", ["Ada works with [[Ben]] on it.", "# Title\n\nPort 8080.", "- [x] call Anna"])
def test_a_note_with_a_few_words_says_something(text: str) -> None:
    assert says_something(as_notes(dict([made("a_note_of_some_words", text)]))[0], frozenset())


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("2023-09-12", "2023-09-30"),
        ("standup_2026_02_08", "standup_2026_02_09"),
        ("20230912", "20230930"),
        ("2023 goals", "2024 goals"),
        ("2023-W05", "2023-W06"),
        ("v1.2.4", "v1.2.5"),
        ("v1.2.4", "v1.24"),
        ("release_v1_2_4", "release_v1_2_5"),
        ("Obsidian 1.3.0 (bad release)", "Obsidian 1.2.0"),
        ("retro of 3 March", "retro of 10 March"),
    ],
)
def test_names_with_other_dates_or_versions_are_set_apart(garden: type[Garden], one: str, two: str) -> None:
    assert are_set_apart(one, two)
    assert not garden(twins.plan, made(one, TEXT), made(two, TEXT, "2026-02-01")).proposals()


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("user_prefers_tables", "user_prefers_tables_2"),
        ("user_prefers_tables", "user_prefers_tables_2026_02_08"),
        ("deploy_2026_02_08_went_well", "deploy_of_2026-02-08"),
        ("db_01_and_db_02", "db_02_and_db_01"),
    ],
)
def test_other_names_are_not(one: str, two: str) -> None:
    assert not are_set_apart(one, two)


def test_a_hub_is_never_merged_away(garden: type[Garden]) -> None:
    older, newer = (
        made(name, TEXT, day, title="Tables")
        for name, day in (("people_we_work_with", "2026-01-01"), ("category_of_tables", "2026-02-01"))
    )
    page = made("report_style_of_team", "How we write.", categories='["[[category_of_tables]]"]')
    assert garden(twins.plan, older, newer).proposals()
    assert not garden(twins.plan, older, newer, page, min_confidence=0.0).proposals()


def test_in_an_adopted_vault_folders_keep_notes_apart_but_months_do_not(garden: type[Garden]) -> None:
    def merges(one: str, two: str) -> bool:
        notes = {one: made("a", TEXT)[1], two: made("b", TEXT, "2026-02-01")[1]}
        return bool(garden(twins.plan, *notes.items(), scope="own").proposals())

    assert not merges("work/user_likes_tables.md", "home/user_wants_tables.md")
    assert merges("work/user_likes_tables.md", "work/user_wants_tables.md")
    assert merges("new/2026/01/user_likes_tables.md", "new/2026/02/user_wants_tables.md")
