"""What does not hold stands below and says so; where a time or a condition is asked for, it is left out."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from mdmem.errors import UsageError
from mdmem.recall import ask, validity
from mdmem.session import start
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW

Remember = Callable[..., str]


@pytest.fixture
def prices(vault: Vault, remember: Remember) -> Vault:
    remember("The price of tea is three coins.", "price_of_tea_last_year", valid_until="2025-12-31")
    remember("The price of tea is four coins now.", "price_of_tea_this_year", valid_from="2026-01-01")
    remember("The price of tea in shops is five coins.", "price_of_tea_in_shops", valid_if=["place=shop"])
    return vault


def told(vault: Vault, *words: str, at: str = "", given: tuple[str, ...] = ()) -> dict[str, str]:
    query = ask.Query((" ".join(words),), at=at, given=validity.given(given))
    hits = [answer.hit for answer in ask.ask(vault, query, NOW)]
    return {hit.record.name.removeprefix("price_of_tea_"): hit.reservation for hit in hits}


def test_what_does_not_hold_now_stands_below_and_says_so(prices: Vault) -> None:
    answer = told(prices, "price of tea")
    assert answer == {"this_year": "", "in_shops": "valid if place=shop", "last_year": "valid until 2025-12-31"}
    assert list(answer)[-1] == "last_year"


def test_what_does_not_hold_at_the_time_asked_for_is_left_out(prices: Vault) -> None:
    assert told(prices, "price of tea", at="2025-12-31").keys() == {"last_year", "in_shops"}
    assert told(prices, "price of tea", at="yesterday").keys() == {"this_year", "in_shops"}
    with pytest.raises(UsageError, match="not a date"):
        told(prices, "tea", at="soonish")


def test_what_is_given_decides_conditions(prices: Vault) -> None:
    assert told(prices, "price of tea", given=("place=shop",)) == {"this_year": "", "in_shops": ""}
    assert told(prices, "price of tea", given=("place!=shop",)).keys() == {"this_year"}
    assert told(prices, "price of tea", given=("mood=good",))["in_shops"] == "valid if place=shop"


def test_without_words_the_same_holds(prices: Vault) -> None:
    assert told(prices, at="2025-06-01").keys() == {"last_year", "in_shops"}
    assert told(prices)["last_year"] == "valid until 2025-12-31"


def test_the_time_asked_for_need_not_be_that_of_the_knowledge(prices: Vault, root: object) -> None:
    """`as_of` is what the vault knew then, `at` is when it is to hold."""
    query = ask.Query(("price of tea",), as_of="HEAD~1", at="2025-06-01")
    assert [answer.hit.record.name for answer in ask.ask(prices, query, NOW)] == ["price_of_tea_last_year"]


def test_a_session_starts_with_what_holds(prices: Vault) -> None:
    request = start.PackRequest("price of tea")
    for moment, missing in ((NOW, "last_year"), (datetime(2025, 6, 1, tzinfo=UTC), "this_year")):
        pack = start.start(prices, request, Caller(moment, "agent"))
        names = {item.answer.hit.record.name.removeprefix("price_of_tea_") for item in pack.page.items}
        assert names == {"last_year", "this_year", "in_shops"} - {missing}
