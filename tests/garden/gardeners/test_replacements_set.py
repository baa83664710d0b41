"""Pairs of notes of which one says that it replaces the other, or only seems to (`replacements.jsonl`)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mdmem.garden.gardeners import deprecate, note
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import GardenSettings, findings
from mdmem.language import replacement
from mdmem.note import sentences
from tests import garden_set
from tests.garden_scores import DEFAULT

# round -> how many of those that say so are found, of 120, 40, 40, 20 and 200, and of the others wrongly, of 230;
# no weight is fitted on the second half of round 5
LEAST_FOUND = {1: 113, 2: 36, 3: 37, 4: 19, 5: 143}
FIRST_UNSEEN = 500  # place of the first of them
WRONG = {1: 1, 2: 0, 3: 2, 4: 1, 5: 4}


def _pairs() -> list[dict[str, Any]]:
    with (garden_set.DATA / "replacements.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _notes(number: int, pair: dict[str, Any]) -> tuple[Note, Note]:
    """The older and the newer one; in the texts they are called `old` and `new`."""
    names = {"old": f"older_{number}", "new": f"newer_{number}"}
    created = {"old": "2025-04-01T10:00:00Z", "new": "2026-03-01T10:00:00Z"}
    made = []
    for key, text in (("old", pair["older"]), ("new", pair["newer"])):
        body = text.replace("[[old", f"[[{names['old']}").replace("[[new", f"[[{names['new']}")
        properties = {"title": names[key], "created": created[key], "type": "decision", "category": "present"}
        written = garden_set.Note(names[key], "dev", properties, body)
        made.append(note.read(written.memory, written.data))
    return made[0], made[1]


@pytest.fixture(scope="module")
def found() -> set[int]:
    """The numbers of the pairs of which the older one would be deprecated."""
    notes = [one for number, pair in enumerate(_pairs()) for one in _notes(number, pair)]
    planned = findings(deprecate.plan(Ground(notes), GardenSettings(), garden_set.TODAY)).proposals
    return {int(one.title.rsplit("newer_", 1)[1].split()[0]) for one in planned if one.confidence >= DEFAULT}


@pytest.mark.parametrize("which", LEAST_FOUND)
def test_what_is_said_is_found_and_nothing_else(which: int, found: set[int]) -> None:
    mine = {number: pair["replaced"] for number, pair in enumerate(_pairs()) if pair["round"] == which}
    right = [number for number in found & mine.keys() if mine[number]]
    wrong = [number for number in found & mine.keys() if not mine[number]]
    assert len(right) >= LEAST_FOUND[which]
    assert len(wrong) <= WRONG[which]


UNSEEN, UNSEEN_WRONG = 58, 3  # of 100 and 50 of that half


def test_so_it_is_with_what_no_weight_has_seen(found: set[int]) -> None:
    half = {number: pair["replaced"] for number, pair in enumerate(_pairs()) if number >= FIRST_UNSEEN}
    assert len(half) == 150
    assert sum(half[number] for number in found & half.keys()) >= UNSEEN
    assert sum(not half[number] for number in found & half.keys()) <= UNSEEN_WRONG


BESIDE = ("{said}, see [[x]].", "{said} ([[x]]).", "See [[x]]. {said}.", "[[x]]: {said}.")  # ways to set a link
MOST_CLAIMS = 10  # of some 5,000 sentences in each of these ways; a few do say it


def test_a_link_beside_any_sentence_hardly_ever_makes_a_replacement_of_it() -> None:
    sets = ("judgement", "judgement_more", "judgement_tidy", "judgement_wide")
    dev = [one for of in sets for one in garden_set.notes(of) if one.part == "dev"]
    texts = [one.body.replace("\n", " ") for one in dev if "[[" not in one.body]
    said = {sentence.strip().rstrip(".!?") for text in texts for sentence in sentences.split(text)}
    whole = [one for one in sorted(said) if 3 <= len(one.split()) <= 25]
    told = [beside.format(said=one) for beside in BESIDE for one in whole]
    assert len(whole) > 5000
    assert len([text for text in told if any(replacement.claims(text))]) <= MOST_CLAIMS
