"""JSON that people own: lines go in and come out again, and not a byte of theirs changes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.connect import jsonc
from mdmem.errors import ConflictError, MdmemError

OURS = {
    "mcpServers": {"mdmem": {"command": "m", "args": ["mcp"]}},
    "hooks": {"Start": [{"hooks": [{"a": "b {}"}]}]},
}
FORMS = {
    "nothing": "",
    "empty": "{}",
    "one line": '{"theme": "dark"}',
    "no end of line": '{\n    "theme": "dark"\n}',
    "comments": '// mine\n{\n\t"theme": "dark", // why not\n\t/* more */\n\t"hooks": {"Start": []}\n}\n',
    "a comment at the end": '{\n  "theme": "dark" // why not\n}\n',
    "trailing commas": '{\n  "hooks": {\n    "Start": [\n      {"k": 1},\n    ],\n  },\n}\n',
    "windows": '{\r\n    "mcpServers": {\r\n        "x": {}\r\n    }\r\n}\r\n',
    "a byte order mark": '\ufeff{"theme": "ünï 🧠"}\n',
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_lines_come_and_go_and_the_rest_keeps_its_bytes(text: str) -> None:
    insertions = jsonc.additions(text, OURS)
    filled = jsonc.put_in(text, insertions)
    value = jsonc.parse(filled).value
    assert value["mcpServers"]["mdmem"] == OURS["mcpServers"]["mdmem"]
    assert value["hooks"]["Start"][-1] == OURS["hooks"]["Start"][0]
    kept = iter(filled)
    assert all(character in kept for character in text), "what was there is still there, in its order"
    assert jsonc.additions(filled, OURS) == []
    assert jsonc.take_out(filled, insertions) == text


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_our_lines_are_found_in_a_file_that_was_changed_since(text: str) -> None:
    filled = jsonc.put_in(text, jsonc.additions(text, OURS))
    changed = jsonc.put_in(filled, jsonc.additions(filled, {"later": {"is": "theirs"}}))
    left = jsonc.parse(jsonc.without(changed, OURS)).value
    before = {key: value for key, value in jsonc.parse(text).value.items() if value != {"Start": []}}
    assert left == {**before, "later": {"is": "theirs"}}


def test_a_file_that_was_printed_anew_by_its_program_is_cleared_too() -> None:
    reprinted = json.dumps({"$version": 2, **OURS, "model": {"name": "x"}}, indent=4)
    assert json.loads(jsonc.without(reprinted, OURS)) == {"$version": 2, "model": {"name": "x"}}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "mcpServers", "é"]), VALUES, max_size=4)


@given(OBJECTS, OBJECTS, st.sampled_from([None, 2, "\t"]))
def test_any_object_is_merged_or_refused(theirs: dict[str, Any], ours: dict[str, Any], indent: Any) -> None:
    text = json.dumps(theirs, indent=indent)
    try:
        insertions = jsonc.additions(text, ours)
    except ConflictError:
        return
    filled = jsonc.put_in(text, insertions)
    value = json.loads(filled)
    assert value == jsonc.parse(filled).value
    assert value.keys() == theirs.keys() | ours.keys()
    assert jsonc.take_out(filled, insertions) == text
    json.loads(jsonc.without(filled, ours))


@pytest.mark.parametrize(
    "text", ["{", '{"a":}', '{"a": 1 "b": 2}', "[1,", "{} {}", "{'a': 1}", '{"a": tru}', "/* open", "[" * 200]
)
def test_what_is_not_json_is_refused(text: str) -> None:
    with pytest.raises(MdmemError, match="line 1 is not JSON"):
        jsonc.additions(text, OURS)


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ('{"mcpServers": {"mdmem": {"command": "other"}}}', "mcpServers.mdmem.command is"),
        ('{"mcpServers": []}', "mcpServers is not an object"),
        ("[]", "the file is not an object"),
    ],
)
def test_what_says_something_else_is_left_as_it_is(text: str, about: str) -> None:
    with pytest.raises(ConflictError, match=about):
        jsonc.additions(text, OURS)


def test_a_key_that_is_there_twice_is_refused() -> None:
    with pytest.raises(MdmemError, match="line 1: a key is there twice"):
        jsonc.additions('{"a": 1, "a": 2}', OURS)
