"""The nearest notes of each, by words, by spelling and by vectors: each pair once, and what is nearer than it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mdmem.errors import MdmemError
from mdmem.garden.gardeners.proposal import MeantPair
from mdmem.garden.pairs import near as nearness
from mdmem.garden.pairs.near import Field, Figures

TEXTS = ("boat red keel", "boat red sail", "boat red keel mast", "tea mug", "tea pot")
Pair = tuple[int, int]


def near(meant: Mapping[Pair, MeantPair]) -> dict[Pair, Figures]:
    texts = [text.split() for text in TEXTS]
    runs = [sorted({ord(letter) for letter in text}) for text in TEXTS]
    found = list(Field(zip(texts, runs, strict=True), meant).near())
    pairs = [pair for pair, _ in found]
    assert pairs == sorted(set(pairs)), "each once, in order"
    assert all(first < second for first, second in pairs)
    return dict(found)


def test_a_pair_has_how_near_it_is_and_how_many_are_nearer() -> None:
    found = near({})
    assert found.keys() == {(0, 1), (0, 2), (1, 2), (3, 4)}
    assert found[0, 2]["near by words"] > found[0, 1]["near by words"] > 0
    assert (found[0, 2]["rank for old"], found[0, 1]["rank for old"], found[0, 1]["rank for new"]) == (0, 1, 0)
    assert found[3, 4]["third for old"] == 0 < found[0, 2]["third for old"] < 1 < found[0, 1]["third for old"]
    assert found[0, 2]["words of new"] == 4
    assert found[0, 2]["near in meaning"] == -1


def test_what_is_near_in_meaning_alone_is_a_pair_too() -> None:
    found = near({(0, 3): MeantPair("a", "d", 0.9, 1), (0, 2): MeantPair("a", "c", 0.8)})
    assert found.keys() == {(0, 1), (0, 2), (0, 3), (1, 2), (3, 4)}
    assert (found[0, 3]["near in meaning"], found[0, 3]["near by words"]) == (0.9, 0)
    assert found[0, 2]["near by words"] > 0


def test_a_disk_without_room_for_the_ranks_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """As any other full disk: it was an error of SQLite's own, which named no folder and had a traceback."""
    monkeypatch.setattr(nearness, "_MADE", f"PRAGMA max_page_count = 1;{nearness._MADE}")
    with pytest.raises(MdmemError, match=r"TMPDIR.* disk is full") as stop:
        near({})
    assert stop.value.hint == "make room on the disk, then try again"
