"""Late interaction: what matches a question word by word comes first."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mdmem.models import late
from mdmem.models.late import AskedWords

Matrix = NDArray[np.float32]


@pytest.fixture
def tokens() -> Matrix:
    """The vectors of eight tokens that have nothing in common."""
    return np.random.default_rng(1).standard_normal((8, 384)).astype(np.float32)


def about(*rows: Matrix) -> bytes:
    return late.packed(np.stack(rows))


def test_a_vector_takes_a_bit_a_number_and_a_long_note_none(tokens: Matrix) -> None:
    assert len(late.packed(tokens)) == 8 * 384 // 8
    assert len(late.packed(np.zeros((late.LONGEST, 384), np.float32))) == late.LONGEST * 48
    assert late.packed(np.zeros((late.LONGEST + 1, 384), np.float32)) == b""


def test_each_word_counts_by_its_best_match_whatever_else_the_note_has(tokens: Matrix) -> None:
    boat, lake, *others = tokens
    asked = AskedWords(("boat", "lake"), np.stack([boat, lake]))
    notes = [about(boat, lake), about(boat, lake, *others), about(boat, *others), about(*others)]
    both, and_more, one, none = late.matches(asked, {}, notes)
    assert both == pytest.approx(and_more, abs=0.01)
    assert and_more > one + 0.2 > none + 0.4
    assert both > 0.6


def test_the_match_of_a_rare_word_counts_for_more(tokens: Matrix) -> None:
    boat, lake, *others = tokens
    asked = AskedWords(("boat", "lake"), np.stack([boat, lake]))
    notes = [about(boat, *others), about(lake, *others)]
    has_boat, has_lake = late.matches(asked, {"boat": 6.0, "lake": 1.5}, notes)
    assert has_boat > has_lake
    has_boat, has_lake = late.matches(asked, {"boat": 1.5, "lake": 6.0}, notes)
    assert has_lake > has_boat


def test_what_all_words_have_in_common_matches_nothing(tokens: Matrix) -> None:
    """Vectors of a model point the same way for the most part, or any two of them would be alike."""
    shift = np.full(384, 0.7, np.float32)
    boat, lake, *others = tokens + shift
    asked = AskedWords(("boat", "lake"), np.stack([boat, lake]))
    has_both, has_none = late.matches(asked, {}, [about(boat, lake), about(*others)])
    assert has_both - has_none > 0.2


def test_of_many_notes_each_is_matched_as_among_few(tokens: Matrix) -> None:
    """They are unpacked in groups: a question with a filter and a period has every note for a candidate."""
    boat, lake, *others = tokens
    asked = AskedWords(("boat", "lake"), np.stack([boat, lake]))
    few = [about(boat, *others), about(lake, boat), about(*others)]
    found = late.matches(asked, {}, few * 400).reshape(400, 3)
    assert np.allclose(found, late.matches(asked, {}, few), atol=1e-5)
