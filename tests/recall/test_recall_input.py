"""Whatever is typed, recall answers: no query is syntax of FTS5, none raises, none takes forever."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note import excerpt, memory
from mdmem.recall import order, question
from mdmem.recall.gather import RecallContext
from mdmem.store.index import alike
from mdmem.store.index.catalogue import SqliteCatalogue

AROUND = RecallContext(datetime(2026, 3, 1, 12, tzinfo=UTC))
TEXTS = (
    "# Boats\n\nThe boat leaks at the bow.\n\n```\nmake boat\n```",
    "机器学习课程 และ กรุงเทพ 🎉",
    "AND OR NOT NEAR quotes \" ' * ^ : ( ) { } + 8 May 2023, shalom שלום",
    "",
    "x" * 3000,
    "\x02marks of its own\x03 boat",
)
PIECES = [
    *("AND", "OR", "NOT", "NEAR(", "NEAR(boat bow, 2)", "boat*", "^boat", "body:boat", "body : boat", "{body}: x"),
    *(
        "(",
        ")",
        "{",
        "}",
        "+",
        "*",
        "^",
        ":",
        '"',
        '"boat leaks"',
        '"boat',
        "''",
        "'",
        "’s",
        ";",
        "--",
        "-",
        "-boat",
    ),
    *("type:decision", "created:>2026-99", "created:>", "tag:", ":x", "-:", '-""', "status:~", "id:\ud800", "a:b"),
    *("\0", "\ud800", "\udfff", "🎉", "👩‍👩‍👧", "שלום", "\u202e", "机器学习", "กรุง", "é", "e\u0301", "\u0301"),
    *(
        "31 February",
        "2023-13-45",
        "0000-00-00",
        "99 May",
        "may 0",
        "last December",
        "next 31 june 9999",
        "in 2099",
    ),
    *("1" * 400, "boat " * 60, "x" * 500, "İ", "ß", "ﬁ", "½", "\x85", "\u2028", "\t", "\n", "𝔹oat", "\U0010ffff"),
]
queries = st.text(max_size=40) | st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=6).map(" ".join)


DAYS = ("2023-05-08", "0001-01-01", "9999-12-31", "2024-02-29", "2026-01-01", "")
assert len(TEXTS) == len(DAYS)


def vault() -> SqliteCatalogue:
    """Notes with odd texts and dates; those of even numbers are deprecated, the others of one session."""
    catalogue = SqliteCatalogue.in_memory()
    for number, (text, day) in enumerate(zip(TEXTS, DAYS, strict=True)):
        kind = "session: one\n" if number % 2 else "status: deprecated\nsuperseded_by: '[[note_number_0]]'\n"
        head = f"---\ncreated: {day}\n{kind}tags: ['+', boat]\n---\n"
        catalogue.insert(memory.parse((head + text).encode(), f"allmemories/note_number_{number}.md"), "", "")
    return catalogue


VAULT = vault()


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    VAULT.close()


@given(st.lists(queries, max_size=3))
def test_no_query_raises(texts: list[str]) -> None:
    """But for a filter that nobody can mean, such as `created:0`: that is said, not searched for."""
    try:
        hits = order.recall(VAULT, texts, AROUND, 4)
    except UsageError:
        return
    assert len(hits) <= 4
    for hit in hits:
        assert hit.snippet.count(excerpt.OPEN) == hit.snippet.count(excerpt.CLOSE)
        assert hit.record.body_line <= hit.line


@given(queries)
def test_rank_of_and_candidates_never_raise(text: str) -> None:
    """But for a filter that nobody can mean, such as `created:0`: that is said, not searched for."""
    with suppress(UsageError):
        for record in VAULT.records():
            order.rank_of(VAULT, [text], AROUND, record)
    alike.candidates(VAULT, text, 3)  # a text to be remembered has no filters


@given(queries)
def test_a_query_is_taken_apart_into_words(text: str) -> None:
    asked = question.parse(text, ("type", "created", "tag", "status"))
    assert all(word == word.lower() and not word.isspace() and word for word in asked.words)
    assert len(asked.words) <= alike.MAX_WORDS
    assert asked.only_phrases <= bool(asked.phrases)


@pytest.mark.parametrize(
    "operator", ["AND", "OR", "NOT", "NEAR", "boat AND", "NOT boat", "boat*", "^boat", "(boat", "boat)"]
)
def test_operators_of_fts5_are_words(operator: str) -> None:
    plain = "".join(sign if sign.isalpha() else " " for sign in operator).lower()
    with_operator = [hit.record.path for hit in order.recall(VAULT, [operator], AROUND, 3)]
    assert with_operator == [hit.record.path for hit in order.recall(VAULT, [plain], AROUND, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "boat " * 20_000,
        "x" * 100_000,
        " ".join(f"key{number}:value{number}" for number in range(9_000)),
        '"' * 100_000,
        "-" * 100_000,
        "机" * 30_000,
        "last may " * 11_000,
        "-word " * 17_000,
        '"a b" ' * 17_000,
    ],
    ids=["words", "word", "keys", "quotes", "minuses", "chinese", "dates", "exclusions", "phrases"],
)
def test_a_hundred_kilobytes_are_a_query_like_any_other(text: str) -> None:
    order.recall(VAULT, [text], AROUND, 5)


def test_property_names_are_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pasted log is full of colons; each would cost a look at every note."""
    asked = []
    names = VAULT.property_names
    monkeypatch.setattr(VAULT, "property_names", lambda kinds: asked.append(1) or names(kinds))
    order.recall(VAULT, ["a:b c:d e:f g:h", "i:j"], AROUND, 5)
    assert len(asked) == 1
