"""meta.json and summary.json: written in one form, read strictly, and what is wrong is named by file and field."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import NoteError
from mdmem.note.facts import TYPES, Fact
from mdmem.store import layout
from mdmem.systems.layers import documents
from mdmem.systems.layers.documents import EntryMeta, EntrySummary, Redaction

TIME = "2026-02-08T14:05:00Z"
ID = documents.entry_id(b"hello", TIME)
META = EntryMeta(ID, TIME, "travel", "chat.json", "json", documents.sha256(b"hello"), 5)


def fact(**values: Any) -> Fact:
    given = {
        "subject": "Ana",
        "relation": "lives in",
        "object": "Lisbon",
        "type": "identity",
        "time_span": "current",
    }
    given |= {
        "confidence": 0.9,
        "score": None,
        "entry_id": ID,
        "entry_ts": TIME,
        "sentence": "",
        "line": 0,
        **values,
    }
    return Fact(**given)


SUMMARY = EntrySummary(
    ID, TIME, "Ana moved.", (fact(sentence="I live in Lisbon.", line=3), fact(score=10)), ("When?",)
)


def changed(data: bytes, **values: Any) -> bytes:
    return json.dumps({**json.loads(data), **values}).encode()


def without(data: bytes, key: str) -> bytes:
    return json.dumps({name: value for name, value in json.loads(data).items() if name != key}).encode()


def test_an_entry_id_is_the_time_and_the_hash() -> None:
    assert ID == "20260208T140500Z-2cf24dba"  # sha256 of "hello"
    assert layout.is_entry_id(ID)
    assert not any(map(layout.is_entry_id, ["", ID.upper(), ID + "0", "../" + ID]))


@given(
    st.text(), st.text(), st.text(), st.none() | st.floats(0, 1), st.lists(st.tuples(st.integers(0), st.text()))
)
def test_meta_is_read_as_it_was_written(
    source: str, actor: str, session: str, sureness: float | None, redactions: list[tuple[int, str]]
) -> None:
    cut = tuple(Redaction(line, kind) for line, kind in redactions)
    meta = META._replace(source=source, actor=actor, session=session, topic_confidence=sureness, redactions=cut)
    assert documents.read(EntryMeta, documents.render(meta), "meta.json") == meta


facts = st.builds(
    fact,
    **{name: st.text() for name in ("subject", "relation", "object", "sentence", "time_span")},
    type=st.sampled_from(sorted(TYPES)),
    confidence=st.floats(0, 1),
    score=st.none() | st.integers(0, 10),
    line=st.integers(0, 10**9),
)


@given(st.text(), st.lists(facts).map(tuple), st.lists(st.text()).map(tuple), st.text())
def test_a_summary_is_read_as_it_was_written(
    text: str, found: tuple[Fact, ...], questions: tuple[str, ...], maker: str
) -> None:
    summary = EntrySummary(ID, TIME, text, found, questions, questions[::-1], maker)
    assert documents.read(EntrySummary, documents.render(summary), "summary.json") == summary


def test_the_form_is_the_documented_one() -> None:
    document = json.loads(documents.render(SUMMARY))
    assert list(document) == [
        *("schema", "entry_id", "entry_ts", "made_by", "summary", "facts", "open_questions", "next_actions")
    ]
    assert document["schema"] == "entry_summary.v1"
    assert document["facts"][1]["user_fact_score"] == 10
    assert "user_fact_score" not in document["facts"][0]
    assert documents.render(SUMMARY).endswith(b"\n}\n")


def test_half_a_surrogate_pair_survives() -> None:
    odd = SUMMARY._replace(summary="\ud83d")
    assert documents.read(EntrySummary, documents.render(odd), "summary.json") == odd


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "t/summary.json:1: is not JSON"),
        (documents.render(SUMMARY)[:-30], "is not JSON"),
        (b"\xff{}", "is not UTF-8"),
        (b"[]", "the document is not a JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"schema": "a", "schema": "b"}', "holds 'schema' twice"),
        (b'{"schema": NaN}', "holds NaN"),
        (documents.render(META), "schema is 'entry_meta.v1', not entry_summary.v1"),
        (without(documents.render(SUMMARY), "schema"), "schema is missing"),
        (without(documents.render(SUMMARY), "facts"), "facts is missing"),
        (changed(documents.render(SUMMARY), entry_ts="yesterday"), "entry_ts is 'yesterday', not a time like"),
        (changed(documents.render(SUMMARY), facts=[1]), r"facts\[0\] is not a JSON object"),
        (changed(documents.render(SUMMARY), facts=[{"subject": 1}]), r"facts\[0\].subject is 1, not a text"),
        (
            changed(documents.render(SUMMARY), facts=[{**documents.told(fact(), "fact"), "type": "x"}]),
            r"type is 'x', not one of",
        ),
        (
            changed(documents.render(SUMMARY), facts=[{**documents.told(fact(), "fact"), "confidence": 2}]),
            "confidence is 2, not",
        ),
        (
            changed(documents.render(SUMMARY), facts=[{**documents.told(fact(), "fact"), "user_fact_score": 11}]),
            "is 11, not from",
        ),
        (changed(documents.render(SUMMARY), schema="entry_summary.v7"), "versions up to entry_summary.v1"),
    ],
)
def test_what_is_wrong_with_a_summary_is_named(data: bytes, said: str) -> None:
    with pytest.raises(NoteError, match=said) as raised:
        documents.read(EntrySummary, data, "t/summary.json")
    assert raised.value.problem.path == "t/summary.json"
    assert raised.value.hint


def test_an_older_summary_is_brought_up_to_date() -> None:
    older = {"schema": "entry_summary.v0", "entry_id": ID, "entry_ts": TIME, "summary": "Ana moved.", "facts": []}
    read = documents.read(EntrySummary, json.dumps(older).encode(), "summary.json")
    assert read == EntrySummary(ID, TIME, "Ana moved.")
