"""A text is cut into the word pieces that the model was trained on; each figure is from BERT's own tokenizer."""

from __future__ import annotations

import pytest

from mdmem.recall.models.minilm import numbers

START, END, UNKNOWN = 101, 102, 100


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("This is an example sentence", [2023, 2003, 2019, 2742, 6251]),
        ("embeddings", [7861, 8270, 4667, 2015]),  # em ##bed ##ding ##s
        ("Café\u0301\tNOIR\x00!", [7668, 15587, 999]),  # accents, case, white space and control characters
        ("it's", [2009, 1005, 1055]),
        ("数据", [100, 100]),  # each a word of its own, though unknown
        ("x" * 101, [UNKNOWN]),
        ("[SEP]", [1031, 19802, 1033]),  # no text can end itself
    ],
)
def test_a_text_is_cut_as_by_the_model_s_own_tokenizer(text: str, pieces: list[int]) -> None:
    assert numbers(text, 256) == [START, *pieces, END]


def test_a_long_text_is_read_as_far_as_the_model_reads() -> None:
    assert numbers("this " * 10_000, 256) == [START, *[2023] * 254, END]
