"""The words people type for a command reach it, or get an answer; none is guessed to be one that deletes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mdmem.cli.aliases import ALIASES, FORMER, HINTS, as_now, suggestion
from mdmem.cli.group import COMMANDS
from tests.conftest import Run


def test_every_alias_runs_a_command_and_hides_none() -> None:
    assert {words.split()[0] for words in ALIASES.values()} <= set(COMMANDS)
    assert not (set(ALIASES) | set(HINTS)) & set(COMMANDS)


def test_a_memory_by_the_words_people_try(mdmem: Run, root: Path) -> None:
    assert "remembered" in mdmem("add", "User", "prefers", "tea", "over", "coffee").out
    assert "tea" in mdmem("search", "tea").out
    assert "user_prefers_tea_over_coffee" in mdmem("ls").out
    assert "prefers tea" in mdmem("cat", "user", "prefers", "tea").out
    assert "renamed" in mdmem("mv", "user_prefers_tea_over_coffee", "user_prefers_green_tea").out
    assert "forgot" in mdmem("rm", "user_prefers_green_tea").out


def test_a_person_s_day_by_the_words_people_try(mdmem: Run, root: Path) -> None:
    """What is going on, what a memory is linked with, and the memory in the program that it is read in."""
    mdmem("add", "Tea is served by [[mara_likes_tea]] at the [[tea_house]].", "--name", "tea_is_served")
    mdmem("add", "Mara likes tea.", "--name", "mara_likes_tea")
    mdmem("add", "TODO: order more tea", "--set", "due=2026-03-02", "--name", "order_more_tea")
    today = mdmem("today").out
    assert "today      3 changes" in today
    assert "task       order_more_tea  (due 2026-03-02)" in today
    assert "linked from:\n    - tea_is_served" in mdmem("links", "mara_likes_tea").out
    links = mdmem("links", "tea_is_served").out
    assert "- tea_house (no memory has that name)" in links
    assert "- mara_likes_tea" in links
    assert "there is no terminal for an editor" in mdmem("open", "mara_likes_tea", code=2).err
    (root / ".obsidian").mkdir()
    assert mdmem("open", "mara_likes_tea").out.endswith("%2Fmara_likes_tea.md\n")


def test_what_filters_select_is_named_before_it_is_changed(mdmem: Run, root: Path) -> None:
    for drink in ("tea", "milk", "rum"):
        mdmem("add", f"Mara likes {drink}.", "--tag", "drinks" if drink != "rum" else "other")
    shown = mdmem("forget", "--tag", "drinks", code=4).err
    assert "2 of 3 memories would be forgotten: mara_likes_milk, mara_likes_tea" in shown
    assert len(list((root / "allmemories").iterdir())) == 3
    changed = ("update", "--where", "tags=drinks", "--set", "confidence=0.5")
    assert "2 of 3 memories would be changed" in mdmem(*changed, code=4).err
    assert mdmem(*changed, "--yes").out.count(".md") == 2
    mdmem("forget", "mara_likes_tea", "--tag", "drinks", code=2)
    mdmem("forget", "--tag", "drinks", "--type", "fact", code=3)
    mdmem("forget", "--tag", "drinks", "--yes")
    assert [path.stem for path in (root / "allmemories").iterdir()] == ["mara_likes_rum"]


@pytest.mark.parametrize(
    "word", ["tags", "push", "purg", "dump", "todos", "get me", "forgett", "undoo", "tra", "x"]
)
def test_nothing_harmful_is_suggested(mdmem: Run, word: str) -> None:
    message = mdmem(word, code=2).err
    assert f"there is no command {word!r} {suggestion(word, list(COMMANDS))}" in " ".join(message.split())
    assert not re.search("did you mean (forget|undo|rm|delete|purge)", message)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["garden", "plan"], "'plan' in mdmem garden try: mdmem garden makes the plan"),
        (["session", "stop"], "'stop' in mdmem session its commands: start, note, end"),
        (["record", "shwo"], "'shwo' in mdmem record its commands: supersede, fork, merge,"),
    ],
)
def test_a_word_that_no_command_of_a_group_has(mdmem: Run, words: list[str], told: str) -> None:
    assert f"there is no command {told}" in " ".join(mdmem(*words, code=2).err.split())


def test_a_former_name_below_a_group_runs_what_it_is_called_now(mdmem: Run) -> None:
    mdmem("remember", "User prefers tea over coffee")
    done = mdmem("work", "trace", "user_prefers_tea_over_coffee", "--json")
    assert '"reached"' in done.out
    assert "is now: mdmem lineage" in done.err


@pytest.mark.parametrize("former", FORMER)
def test_every_former_name_leads_to_a_command_that_there_is(mdmem: Run, former: str) -> None:
    now = as_now(former, [])
    command = mdmem(*former.split(), "--help")
    assert f"mdmem: {former} is now: mdmem {' '.join(now[:1])}" in command.err
    assert command.out.startswith("Usage: mdmem")
    for option in filter(lambda word: word.startswith("--") and word != "--as", now):
        assert option in command.out


@pytest.mark.parametrize("line", ["list --as {}", "list --as={}", "show --as {} x", "recall tea --as {}"])
def test_a_verb_says_which_forms_it_takes(mdmem: Run, line: str) -> None:
    """Only `--as` before `--` is meant; a word that is not a form is named, with those that are."""
    told = mdmem(*line.format("poem").split(), code=2).err
    assert f"{line.split(maxsplit=1)[0]} --as takes record, work" in told
    assert "not 'poem'" in told
    assert "nothing found" in mdmem("recall", "--", "--as", "poem").err


def test_chapters_are_made_in_one_way_at_a_time(mdmem: Run) -> None:
    assert "--title does not go with --auto" in mdmem("work", "chapters", "--auto", "--title", "x", code=2).err
    assert "--auto does not go with" not in mdmem("work", "chapters", "--auto").err
    assert "a chapter needs a work" in mdmem("work", "chapters", "create", code=2).err


def test_an_option_of_every_command_may_stand_before_it_or_behind(mdmem: Run, root: Path) -> None:
    """The nearest to the command wins."""
    mdmem("--actor", "bot", "remember", "User prefers tea over coffee")
    mdmem("--actor", "bot", "remember", "User walks to work on Mondays", "--actor", "other")
    log = mdmem("--json", "log").out
    assert '"actor": "bot"' in log
    assert '"actor": "other"' in log


@pytest.mark.parametrize(("columns", "widest"), [("60", 58), ("200", 78)])
def test_help_fits_the_terminal(mdmem: Run, monkeypatch: pytest.MonkeyPatch, columns: str, widest: int) -> None:
    beforehand = mdmem("--help").out
    assert mdmem("help").out == beforehand
    assert mdmem("help", "list").out == mdmem("list", "--help").out
    monkeypatch.setenv("COLUMNS", columns)
    shown = mdmem("--help").out
    assert (shown == beforehand) is (columns == "200")
    of_commands = shown.partition("Every day:")[2].partition("Options of")[0]
    assert max(map(len, of_commands.splitlines())) <= widest


@pytest.mark.parametrize("group", ["session", "candidates", "record", "garden", "agents"])
def test_the_help_of_a_group_is_never_cut(mdmem: Run, group: str) -> None:
    assert "..." not in mdmem(group, "--help").out.partition("Commands:")[2]


def test_tags_in_the_ways_people_write_them(mdmem: Run, root: Path) -> None:
    mdmem("remember", "User prefers tea over coffee", "--tags", "drinks,mornings")
    mdmem("update", "user_prefers_tea_over_coffee", "--tag", "taste")
    mdmem("update", "user_prefers_tea_over_coffee", "--add", "tag=tea")
    note = (root / "allmemories/user_prefers_tea_over_coffee.md").read_text()
    assert note.count("tag") == 1
    counted = mdmem("list", "--count", "tags").out
    assert counted.split() == ["1", "drinks", "1", "mornings", "1", "taste", "1", "tea"]
    assert "user_prefers" in mdmem("list", "--tags", "drinks,tea").out
    assert "two-words" in mdmem("remember", "User walks to work", "--tag", "two words", code=2).err


def test_a_list_has_columns_and_titles(mdmem: Run) -> None:
    mdmem("remember", "User prefers tea over coffee", "--type", "preference")
    mdmem("remember", "Deploys happen on Tuesday", "--type", "fact", "--tag", "ops")
    first, second = mdmem("list").out.splitlines()
    assert first.index("fact") == second.index("preference")
    assert first.endswith("Deploys happen on Tuesday  #ops")
    assert second.endswith("User prefers tea over coffee")


def test_what_newcomers_type_gets_a_hint_that_does_it(mdmem: Run, root: Path) -> None:
    for typed, told in (
        ("update some_note --type fact", "--set type=VALUE"),
        ("remember text --due tomorrow", "--set due=VALUE"),
        ("list --confidence 0.5", "--where confidence=VALUE"),
        ("undo last", "--last 1"),
        ("list tea", "mdmem recall"),
        ("version", "mdmem --version"),
        ("clone x", "mdmem init FOLDER --from URL"),
        ("forget x --force", "mdmem forget --help"),
    ):
        assert told in mdmem(*typed.split(), "--vault", root, code=2).err, typed
