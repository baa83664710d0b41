"""Notes that look like what they are not (tests/garden/lookalikes.py), judged by the gardeners in one vault."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cache

import pytest

from mdmem.garden.gardeners import conflicts, twins
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import GardenSettings, Proposal
from mdmem.garden.pairing import judge
from tests.garden.lookalikes import ANOTHER_THING, NOT_TWINS, REPLACED, TWINS
from tests.garden.test_pairing import made

TODAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
PAIRS = (*ANOTHER_THING, *REPLACED, *NOT_TWINS, *TWINS)


def both(at: int) -> tuple[Note, Note]:
    older, newer = PAIRS[at]
    return made(f"older_of_pair_{at}", older, "2025-03-01"), made(f"newer_of_pair_{at}", newer, "2026-01-15")


@cache
def vault() -> tuple[Sequence[Note], GardenSettings]:
    notes = [note for at in range(len(PAIRS)) for note in both(at)]
    return notes, GardenSettings(judged=judge.judged(notes))


def sure(proposals: Sequence[Proposal]) -> Iterator[tuple[str, str]]:
    """The pairs of texts that are settled unasked."""
    known = {note.path: note.body.strip() for note in vault()[0]}
    for one in proposals:
        if one.confidence >= vault()[1].min_confidence:
            older, newer = sorted(
                one.about or {edit.path for edit in one.edits}, key=lambda path: "older" not in path
            )
            yield known[older], known[newer]


@pytest.fixture(scope="module")
def replaced() -> set[tuple[str, str]]:
    return set(sure(conflicts.plan(*vault(), TODAY).proposals))


def test_a_newer_note_about_another_thing_of_the_same_kind_replaces_nothing_unasked(
    replaced: set[tuple[str, str]],
) -> None:
    assert replaced & set(ANOTHER_THING) == set()


def test_a_newer_value_of_the_same_thing_replaces_the_older_one(replaced: set[tuple[str, str]]) -> None:
    assert set(REPLACED) - replaced == set()


@pytest.fixture(scope="module")
def merged() -> set[tuple[str, str]]:
    return set(sure(twins.plan(*vault(), TODAY).proposals))


def test_texts_that_are_alike_but_for_what_counts_are_not_merged_unasked(merged: set[tuple[str, str]]) -> None:
    assert merged & {*NOT_TWINS, *ANOTHER_THING, *REPLACED} == set()


def test_texts_that_say_the_same_in_those_forms_are_merged(merged: set[tuple[str, str]]) -> None:
    assert set(TWINS) - merged == set()
