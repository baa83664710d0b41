"""What formats share: classes as JSON objects, and fields of documents by their paths."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.systems.format import Document, fields_at, nested, read

Tone = StrEnum("Tone", "HIGH LOW")


@dataclass
class Inner(Document):
    """A document within another."""

    name: str
    weights: list[float] = field(default_factory=list)


@dataclass
class Outer(Document):
    """A document with a field of each kind."""

    inner: Inner
    tone: Tone | str = Tone.LOW
    count: int | None = None
    is_set: bool = False
    more: list[Inner] = field(default_factory=list)


def test_a_document_is_its_json_object() -> None:
    given = {"inner": {"name": "a", "weights": [1, 0.5]}, "tone": "high", "count": None, "is_set": True}
    made = Outer.from_dict({**given, "more": [{"name": "b"}], "unknown": 1})
    assert (made.tone, made.inner.weights, made.more) == (Tone.HIGH, [1, 0.5], [Inner("b")])
    assert made.to_dict() == {**given, "more": [{"name": "b", "weights": []}]}
    assert Outer.from_dict(made.to_dict()) == made


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ([], "the document is not a JSON object"),
        ({}, "missing required field: inner"),
        ({"inner": {}}, "missing required field: inner.name"),
        ({"inner": {"name": 1}}, "inner.name cannot be 1"),
        ({"inner": {"name": "a", "weights": [True]}}, r"inner.weights\[0\] cannot be True"),
        ({"inner": {"name": "a"}, "count": "1"}, "count cannot be '1'"),
        ({"inner": {"name": "a"}, "is_set": 1}, "is_set cannot be 1"),
        ({"inner": {"name": "a"}, "more": [{}]}, r"missing required field: more\[0\].name"),
        ({"inner": {"name": "a"}, "more": "b"}, "more cannot be 'b'"),
    ],
)
def test_what_does_not_fit_is_named(document: Any, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{said}$"):
        Outer.from_dict(document)


def test_a_lenient_reader_keeps_what_does_not_fit() -> None:
    assert read(["high", "loud", 3], list[Tone], strict=False) == [Tone.HIGH, "loud", 3]


names = st.text("abc", min_size=1)
documents = st.dictionaries(names, st.integers() | st.dictionaries(names, st.integers(), min_size=1))


@given(documents)
def test_fields_by_their_paths_are_the_document(document: dict[str, Any]) -> None:
    paths = [
        path
        for name, value in document.items()
        for path in ([f"{name}.{inner}" for inner in value] if isinstance(value, dict) else [name])
    ]
    assert nested(fields_at(document, [*paths, "no.such.field"])) == document
