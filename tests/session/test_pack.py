"""The page of a pack: what is paid for first, what is left out, and that either is counted."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mdmem.history.news import News, NewsItem
from mdmem.note import tokens
from mdmem.note.gauges import Gauges
from mdmem.recall import ask
from mdmem.session import pack
from mdmem.session.choosing import Chosen
from mdmem.session.pack import Frame
from mdmem.session.sources import Sources
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake
from mdmem.write.remember import Draft
from tests.conftest import NOW, Remember

NO_NEWS = News("", None)
SINCE = News("abc", datetime(2026, 2, 28, 9, tzinfo=UTC))


@pytest.fixture
def items(vault: Vault) -> list[Chosen]:
    """Five files of some 400 tokens, each in paragraphs."""
    drafts = [
        Draft(
            f"The machine {name} serves a team.\n\n" + f"Machine {name} is looked after well.\n\n" * 40,
            {},
            f"machine_{name}_serves_team",
        )
        for name in "abcde"
    ]
    intake.remember_all(vault, drafts, Caller(NOW))
    records = sorted(vault.index.records(), key=lambda record: record.name)
    return [Chosen(answer._replace(depth=pack.NAME), "recalled") for answer in ask.about(vault, records)]


def page(vault: Vault, items: list[Chosen], budget: int, news: News = NO_NEWS, only: bool = False) -> pack.Page:
    return pack.page(Sources(vault), Frame("s-1", Gauges("", "fix the machine"), 9, budget, only), news, items)


def added(number: int) -> News:
    """News of so many new notes."""
    return SINCE._replace(
        changes=tuple(NewsItem("added", f"new_{at}", "", None, ("eve",)) for at in range(number))
    )


def depths(made: pack.Page) -> list[str]:
    return [item.answer.depth for item in made.items]


def test_with_room_enough_every_file_is_shown_in_full(vault: Vault, items: list[Chosen]) -> None:
    made = page(vault, items, 10_000)
    assert depths(made) == [pack.FULL] * 5
    assert (made.left_out, made.untold) == ((), 0)
    assert made.gauges == Gauges("", "fix the machine", "", "5 of 9 files")
    assert made.text.count("is looked after well.") == 5 * 40
    assert "Left out" not in made.text


def test_each_has_its_passage_before_the_best_is_shown_whole(vault: Vault, items: list[Chosen]) -> None:
    """Nor does any take more than a third of the page."""
    made = page(vault, items, 1500)
    assert len(made.items) == 5
    assert depths(made) == sorted(depths(made))
    assert set(depths(made)) == {pack.FULL, ask.PASSAGE}
    assert made.text.count("\n- allmemories/machine_") == 5
    assert depths(page(vault, items, 1000)) == [ask.PASSAGE] * 5


def test_names_only_stays_names_however_large_the_budget(vault: Vault, items: list[Chosen]) -> None:
    made = page(vault, items, 10_000, only=True)
    assert depths(made) == [pack.NAME] * 5
    assert "looked after" not in made.text
    assert made.text.count("- allmemories/machine_") == 5


def test_what_there_is_no_room_for_is_counted(vault: Vault, items: list[Chosen]) -> None:
    made = page(vault, items, 180)
    left = len(made.left_out)
    assert 0 < left < 5
    assert [one.answer.hit for one in (*made.items, *made.left_out)] == [one.answer.hit for one in items]
    names = "1 memory" if left == 1 else f"{left} memories"
    assert made.text.endswith(f"Left out for the budget: {names}; a larger budget shows them.")
    assert made.gauges.memory == f"{5 - left} of 9 files"


def test_a_budget_that_does_not_hold_the_gauges_cuts_them(vault: Vault, items: list[Chosen]) -> None:
    made = page(vault, items, 8, added(2))
    assert made.text.startswith("🧠 Past")
    assert tokens.estimate(made.text + "\n") <= 8
    assert (made.items, made.left_out, made.untold) == ((), tuple(items), 2)


def test_a_state_of_the_memory_gauge_is_not_overwritten_by_a_count(vault: Vault, items: list[Chosen]) -> None:
    made = pack.page(Sources(vault), Frame("s-1", Gauges(memory="being cleaned up"), 9, 10_000), NO_NEWS, items)
    assert made.gauges.memory == "being cleaned up"


def test_news_is_told_as_far_as_its_third_goes_and_the_rest_is_counted(vault: Vault, items: list[Chosen]) -> None:
    made = page(vault, items, 600, added(80))
    told = made.text.count("- added new_")
    assert 0 < told < 80
    assert made.untold == 80 - told
    assert f"{80 - told} changes;" in made.text
    assert len(made.items) == 5, "news takes no memory its place"
    everything = page(vault, items, 10_000, added(40))
    assert everything.untold == 0


def test_the_news_says_since_when_and_if_there_is_none(vault: Vault) -> None:
    assert "Nothing changed since you were last here (2026-02-28)." in page(vault, [], 1000, SINCE).text
    assert (
        "Changed since you were last here (2026-02-28):\n- added new_0, by eve"
        in page(vault, [], 1000, added(1)).text
    )
    assert "last here" not in page(vault, [], 1000).text
    warned = page(vault, [], 1000, News("", None, (), "the branch was rewritten")).text
    assert "last here. (the branch was rewritten)" in warned


RENAMED = NewsItem("renamed", "new", "", None, ("eve", "bob"), None, True, "old")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (RENAMED, "- renamed new, was old, by eve and bob"),
        (NewsItem("superseded", "a", "", None, (), None, True, "b"), "- superseded a, see b"),
        (NewsItem("revised", "a", "", None, (), None, False), "- revised a, not committed yet"),
        (NewsItem("removed", "a\x1b[31m\nb", "", None), "- removed a"),
    ],
    ids=["renamed", "superseded", "uncommitted", "escapes"],
)
def test_a_change_is_one_line(vault: Vault, change: NewsItem, line: str) -> None:
    text = page(vault, [], 1000, SINCE._replace(changes=(change,))).text
    assert line in text
    assert len(text.splitlines()) == 6, "gauges, vault, session, a blank line, since when, the change"
    assert "\x1b" not in text


def test_of_a_long_page_there_is_the_passage_however_large_the_budget(vault: Vault, remember: Remember) -> None:
    """One page of an adopted vault would fill the budget, and reading it for orders took seconds."""
    remember("The gateway is a shed.\n\n" + "It is looked after well by the team.\n\n" * 200, "about_the_gateway")
    (record,) = vault.index.records()
    answers = [answer._replace(depth=pack.NAME) for answer in ask.about(vault, [record])]
    made = page(vault, [Chosen(answer, "recalled") for answer in answers], 10_000)
    assert made.text.count("looked after") < 20
