"""Budgets of tokens are kept."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note import segment, tokens

texts = st.text(alphabet=" \n\tabcé机ท🎉", max_size=200) | st.text()


def test_estimates_err_on_the_high_side() -> None:
    assert tokens.estimate("") == 0
    assert tokens.estimate("a") == 1
    assert tokens.estimate("four letters each") == 5
    assert tokens.estimate("机器学习") == 4
    assert tokens.estimate("né") == 2


@given(texts, st.integers(-3, 60))
def test_a_cut_never_exceeds_the_budget_and_keeps_whole_words(text: str, budget: int) -> None:
    cut = tokens.cut(text, budget)
    assert tokens.estimate(cut) <= max(budget, 0)
    if cut != text and cut:
        kept = cut.removesuffix(" …")
        assert text.startswith(kept)
        after, last = text[len(kept)], kept[-1]
        assert after.isspace() or segment.is_unspaced(after) or segment.is_unspaced(last)


@given(st.lists(st.text(alphabet="abcdefg", min_size=1, max_size=9), min_size=1).map(" ".join), st.integers(0, 60))
def test_a_cut_keeps_as_many_words_as_fit(text: str, budget: int) -> None:
    cut = tokens.cut(text, budget)
    if cut != text:
        kept = len(cut.removesuffix(" …").split())
        more = " ".join(text.split()[: kept + 1])
        assert tokens.estimate(more + " …") > budget


def test_a_text_that_writes_no_spaces_is_cut_between_signs() -> None:
    assert tokens.cut("机器学习" * 50, 10) == "机器学习机器学习 …"


def test_one_long_word_is_not_cut() -> None:
    assert tokens.cut("x" * 1000, 50) == ""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("hello world", 2),
        ("tiktoken is great!", 6),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 9),
        ("rer", 1),
        ("'rer", 2),
        ("today\n ", 3),
        ("today\n \n", 2),
        ("today\n  \n", 2),
        (" \x850", 4),
        ("<|endoftext|>", 7),
    ],
)
def test_real_counts_are_those_that_tiktoken_publishes(text: str, count: int) -> None:
    """Of cl100k_base, as in tiktoken's tests and in OpenAI's cookbook; special tokens count as text."""
    assert tokens.counter("cl100k")(text) == count


def test_a_tokenizer_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("rs_bpe", "rs_bpe.bpe", "bpe_openai"):
        monkeypatch.setitem(sys.modules, name, None)
    assert tokens.counter("estimate")("four letters each") == 5
    with pytest.raises(UsageError) as stopped:
        tokens.counter("cl100k")
    assert "mdmem[tokens]" in stopped.value.hint
