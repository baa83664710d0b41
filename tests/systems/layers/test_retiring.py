"""A newer state and a reversed preference retire the older one; what is only different does not."""

from __future__ import annotations

import pytest

from mdmem.note.facts import Fact
from mdmem.systems.layers import topic
from mdmem.systems.layers.documents import TopicFact

Told = tuple[str, str, str]


def known(day: int, told: Told, score: int | None = None) -> TopicFact:
    time = f"2026-01-{day:02}T00:00:00Z"
    return TopicFact(" ".join(told), Fact(*told, score=score, entry_ts=time), "x", "e", time)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (("Ana", "lives in", "Rome"), ("Ana", "moved to", "Porto")),
        (("Ana", "lives in", "Rome"), ("ana", "lives in", "Porto")),
        (("Ana", "works at", "the bank"), ("Ana", "joined", "the post office")),
        (("Ana", "loves", "green tea"), ("Ana", "hates", "green tea")),
        (("Ana", "does not like", "running"), ("Ana", "enjoys", "running")),
        (("user", "prefers", "tabs over spaces"), ("user", "prefers", "spaces over tabs")),
        (("user", "prefers", "tea to coffee"), ("user", "prefers", "coffee to tea")),
    ],
)
def test_the_later_one_retires_the_earlier_one(older: Told, newer: Told) -> None:
    assert topic.retired([known(2, newer), known(1, older)]) == {" ".join(older)}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (("Ana", "lives in", "Rome"), ("Ben", "moved to", "Porto")),
        (("Ana", "loves", "green tea"), ("Ana", "loves", "coffee")),
        (("Ana", "loves", "green tea"), ("Ana", "hates", "loud bars")),
        (("Ana", "has", "a dog"), ("Ana", "has", "a cat")),
    ],
)
def test_what_is_only_different_stands_beside_it(older: Told, newer: Told) -> None:
    assert topic.retired([known(1, older), known(2, newer)]) == frozenset()


def test_what_a_person_scored_is_never_retired() -> None:
    older = known(1, ("Ana", "lives in", "Rome"), score=9)
    assert topic.retired([older, known(2, ("Ana", "lives in", "Porto"))]) == frozenset()
