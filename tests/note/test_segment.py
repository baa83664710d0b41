"""A text in words: the same for notes, for queries and for marks, and the same as FTS5 cuts them."""

from __future__ import annotations

import re
import sqlite3
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import segment


@pytest.mark.parametrize(
    ("text", "words", "terms"),
    [
        ("It's foo_bar-Baz 42", "it s foo bar baz 42", "it s foo bar baz 42"),
        ("Café au lait", "café au lait", "café au lait"),
        ("cafe\u0301!", "cafe\u0301", "cafe\u0301"),
        ("机器学习", "机器 器学 学习 习", "机器 器学 学习"),
        ("猫", "猫", "猫"),
        ("用Git吧", "用 git 吧", "用 git 吧"),
        ("회의를", "회의 의를 를", "회의 의를"),
        ("हिन्दी में", "हिन्दी में", "हिन्दी में"),
        ("ok🎉🎉 👍🏽", "ok 🎉 🎉 👍 🏽", "ok 🎉 🎉 👍 🏽"),
        ("❤️", "❤", "❤"),
        ("25°C → …", "25 c", "25 c"),
        ("\u0301\ufe0f", "", ""),
        ("", "", ""),
    ],
)
def test_words_of_notes_and_of_queries(text: str, words: str, terms: str) -> None:
    assert segment.words(text) == words.split()
    assert segment.terms(text) == terms.split()


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_the_quick_way_for_ascii_cuts_as_the_other_does(text: str) -> None:
    assert segment.words(text) == segment.words(text + " é")[:-1]
    assert list(segment.spans(text)) == [
        (*match.span(), match[0].lower()) for match in re.finditer("[A-Za-z0-9]+", text)
    ]
    assert segment.words(text) == [word for _, _, word in segment.spans(text)]


@given(st.text())
def test_spans_say_where_the_words_are(text: str) -> None:
    for start, end, word in segment.spans(text):
        assert text[start:end].lower() == word


@given(st.text())
def test_what_is_asked_in_a_notes_own_words_is_in_it(text: str) -> None:
    assert set(segment.terms(text)) <= set(segment.words(text))


# Marks stand after a letter, as they do in texts.
SAMPLE = "a b É é ö ß ñ ё й ם 机 器 あ ー 회 의 ท ี ่ น ना है e\u0301 1 ² ½ 🎉 👍 ❤ ° © — “ … _ - ' . \u200d".split(
    " "
)


@given(st.lists(st.sampled_from([*SAMPLE, " "]), max_size=12).map("".join))
def test_fts5_cuts_a_text_for_the_index_as_the_rest_does(text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute(f'CREATE VIRTUAL TABLE t USING fts5(w, tokenize="{segment.TOKENIZER.removeprefix("porter ")}")')
    db.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'instance')")
    for word in [segment.spaced(text), *segment.words(text)]:
        db.execute("INSERT INTO t VALUES(?)", (word,))
    cut = db.execute("SELECT term FROM v WHERE doc=1 ORDER BY offset").fetchall()
    alone = db.execute("SELECT term FROM v WHERE doc>1 ORDER BY doc").fetchall()
    assert [term for term in alone if term in cut] == alone
    db.close()


def test_the_words_of_a_long_run_are_read_one_at_a_time() -> None:
    """All pairs of a run of a million characters take 80 MB."""
    text = "密码是" * 100_000
    tracemalloc.start()
    words = sum(1 for _ in segment.spans(text))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert words == len(text)
    assert peak < 2_500_000  # `match[0]` holds the run once more


@pytest.mark.parametrize("run", ["密码是", "😀🎉"])
def test_the_pairs_and_emoji_of_a_long_run_are_kept_once_each(run: str) -> None:
    """Recall has the words of a whole note at once: with a string for each place 1 MB took 80 MB."""
    words = segment.words(run * 1000)
    assert len(set(map(id, words))) == len(set(words))
