"""Two notes that differ by a denial are never taken for the same, whatever else they say."""

from __future__ import annotations

import re

import pytest

from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Note
from mdmem.garden.pairs import judge
from mdmem.note import memory
from tests import garden_set

VERB = re.compile(r"\b(?:is|are|was|were|must|should|may|will|ist|sind|muss|wird)\b(?!n't)", re.I)
GERMAN = ("ist", "sind", "muss", "wird")


def made(text: str, name: str, day: str) -> Note:
    data = f"---\ncreated: {day}T10:00:00Z\n---\n\n{text}\n".encode()
    return note.read(memory.parse(data, f"allmemories/{name}.md"), data)


def denied(text: str) -> str:
    """A text whose first plain verb is denied; "" if it has none."""
    found = VERB.search(text)
    if not found:
        return ""
    word = "nicht" if found[0].lower() in GERMAN else "not"
    return f"{text[: found.end()]} {word}{text[found.end() :]}"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Deleting production data is allowed.", "Deleting production data is not allowed."),
        ("Use tabs in Makefiles.", "Never use tabs in Makefiles."),
        ("Interns may read the staging database.", "Since March interns may not read the staging database."),
        (
            "The gate is open at night. It has a red light. The porter sits beside it.",
            "The gate is not open at night. It has a red light. The porter sits beside it.",
        ),
    ],
)
def test_what_is_denied_is_a_conflict_and_no_twin(older: str, newer: str) -> None:
    """Such pairs were twins with a confidence of up to .84, and merged if somebody said yes to all."""
    (pair,) = judge.judged([made(older, "older_one", "2026-01-03"), made(newer, "newer_one", "2026-02-03")])
    assert pair.twin == 0.0
    assert 0.5 <= pair.conflict <= 0.6  # as many such pairs say the same after all, it is never sure


def test_every_text_of_the_labelled_notes_is_told_from_its_denial() -> None:
    texts = [one.body for one in garden_set.notes() if one.body.count("\n") < 2]
    pairs = [(text, denied(text)) for text in texts if denied(text)]
    for older, newer in pairs:
        two = made(older, "older_one", "2026-01-03"), made(newer, "newer_one", "2026-02-03")
        assert [pair for pair in judge.judged(two, least=0.0) if pair.twin] == [], newer
    assert len(pairs) > 100
