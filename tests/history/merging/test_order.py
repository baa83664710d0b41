"""What two texts have in common is found line by line, in long ones with work that grows as they do."""

from __future__ import annotations

import random
import sys
from functools import lru_cache

import pytest

from mdmem.history.merging import order
from mdmem.history.merging.order import Three
from mdmem.history.merging.weave import merge_text


def edited(lines: list[str], by: str, shift: int) -> list[str]:
    """The lines with five of them changed."""
    fifth = len(lines) // 5
    return [f"{by} {at}" if at % fifth == shift else line for at, line in enumerate(lines)]


KINDS = {
    "of few kinds": lambda at: f"line of kind {at * at % 151}",
    "in turn": lambda at: f"line of kind {at % 150}",
    "all the same": lambda _at: "- the same",
    "all different": lambda at: f"line {at}",
}


@pytest.mark.parametrize("kind", KINDS)
def test_few_edits_of_a_long_text_are_merged_in_place_with_work_that_grows_as_it_does(kind: str) -> None:
    """Where lines come again and again, comparing each with all of the same text takes their product."""
    base = [KINDS[kind](at) for at in range(6_000)]
    texts = Three(base, edited(base, "ours", 7), edited(base, "theirs", 900))
    calls = 0

    def counted(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(counted)
    try:
        for side in texts[1:]:
            order.common(base, side)
    finally:
        sys.setprofile(None)
    assert calls < len(base)
    wanted = edited(texts.ours, "theirs", 900)
    rows = texts.each("\n".join)
    merged, conflicts = order.merge_lines(rows)
    assert not conflicts
    for text in (merged, merge_text(rows)):
        assert text
        lines = text.split("\n")
        assert lines == wanted or (kind == "all the same" and sorted(lines) == sorted(wanted))


@lru_cache(None)
def longest(left: str, right: str) -> int:
    """How many letters the two have in common, in order."""
    if not (left and right):
        return 0
    if left[0] == right[0]:
        return 1 + longest(left[1:], right[1:])
    return max(longest(left[1:], right), longest(left, right[1:]))


@pytest.mark.parametrize("seed", range(60))
def test_what_is_in_common_is_as_much_as_can_be(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(order, "_LONG", 0)
    chance = random.Random(seed)
    left, right = ("".join(chance.choices("abc", k=chance.randint(1, 12))) for _ in range(2))
    runs = order.common(list(left), list(right))
    assert sum(size for _, _, size in runs) == longest(left, right)
    assert runs[-1] == (len(left), len(right), 0)
    ends = (0, 0)
    for at, place, size in runs:
        assert at >= ends[0]
        assert place >= ends[1]
        assert left[at : at + size] == right[place : place + size]
        ends = at + size, place + size


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("limit", ["_MOST_CHANGES", "_MOST_STEPS"])
def test_a_text_changed_too_much_is_compared_by_its_rarer_lines(
    monkeypatch: pytest.MonkeyPatch, kind: str, limit: str
) -> None:
    monkeypatch.setattr(order, limit, 20)
    base = [KINDS[kind](at) for at in range(3_000)]
    side = [f"new {at}" if at % 50 == 0 else line for at, line in enumerate(base)]
    runs = order.common(base, side)
    assert all(base[at : at + size] == side[place : place + size] for at, place, size in runs)
    if kind == "all different":
        assert sum(size for _, _, size in runs) == 2_940
