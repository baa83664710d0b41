"""What JSON wrote of named tuples is read back as their annotations say, and anything else is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from mdmem.note import typed


class Edit(NamedTuple):
    path: str
    data: bytes | None


class Kept(NamedTuple):
    when: str
    edits: tuple[Edit, ...]
    weights: tuple[str, float]
    differing: Mapping[str, str]
    said: Edit | None = None


def test_what_was_written_comes_back() -> None:
    kept = Kept("2026", (Edit("a.md", None), Edit("b", b"\xff\r\n")), ("x", 0.5), {"a.md": ""}, Edit("c", b""))
    for one in (kept, kept._replace(edits=(), said=None)):
        assert typed.decoded(Kept, json.loads(json.dumps(one, default=typed.text))) == one


@pytest.mark.parametrize(
    "value",
    [
        {"when": "2026"},
        ["2026", [], ["x", 0.5]],
        ["2026", [["a.md", None, 1]], ["x", 0.5], {}, None],
        ["2026", "ab", ["x", 0.5], {}, None],
        ["2026", [["a.md", 3]], ["x", 0.5], {}, None],
        None,
    ],
    ids=["object", "too short", "too long within", "text for a list", "number for bytes", "nothing"],
)
def test_what_is_no_such_value_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)):
        typed.decoded(Kept, value)
