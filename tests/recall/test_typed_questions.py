"""Recall answers short questions in four languages: floors on labelled questions (tests/data/README.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from mdmem.recall import evaluate
from mdmem.store.index.catalogue import SqliteCatalogue
from tests import garden_set, recall_set
from tests.recall_set import LANGUAGES, PARTS

ASKED = recall_set.questions()


@pytest.fixture(scope="module")
def catalogue() -> Iterator[SqliteCatalogue]:
    with recall_set.filled() as filled:
        yield filled


def test_every_question_is_answered_by_notes_of_its_subject() -> None:
    subjects = {note.name: note.subject for note in garden_set.notes("judgement") if note.part == "dev"}
    for asked in ASKED:
        assert asked["gold"]
        assert {subjects[name] for name in asked["gold"]} == {asked["subject"]}


def test_no_subject_is_in_both_parts_and_each_language_has_enough_of_each() -> None:
    of_part = {part: {asked["subject"] for asked in ASKED if asked["part"] == part} for part in PARTS}
    assert of_part["dev"].isdisjoint(of_part["held"])
    counts = Counter((asked["lang"], asked["part"]) for asked in ASKED)
    assert min(counts[lang, part] for lang in LANGUAGES for part in PARTS) >= 10


@pytest.mark.parametrize(("part", "first", "among_five"), [("dev", 0.91, 0.95), ("held", 0.82, 0.95)])
def test_most_are_answered_first_and_nearly_all_among_five(
    catalogue: SqliteCatalogue, part: str, first: float, among_five: float
) -> None:
    found = recall_set.results(catalogue, [asked for asked in ASKED if asked["part"] == part])
    means = evaluate.means(found)
    assert means["hit@1"] >= first
    assert means["hit@5"] >= among_five
