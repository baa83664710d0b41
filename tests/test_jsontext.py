"""JSON without `json`: the same texts and values, and the same complaints."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem import jsontext

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(VALUES)
def test_values_are_written_and_read_as_json_does(value: Any) -> None:
    written = json.dumps(value)
    assert jsontext.dumps(value) == written
    assert jsontext.compact(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert jsontext.loads(written) == value
    assert jsontext.first(f"{json.dumps([value])} rest") == ([value], len(written) + 2)


def _outcome(read: Callable[[str], Any], text: str) -> str:
    try:
        return repr(read(text))
    except json.JSONDecodeError as error:
        return str(error)


@pytest.mark.parametrize(
    "text", ["", " ", "[1] \r\n\t", "\n{}", "[1] x", "[1", "nan", "NaN", "-Infinity", '"\n"', "[1]\x0b"]
)
def test_what_is_not_json_is_refused_in_the_same_words(text: str) -> None:
    assert _outcome(jsontext.loads, text) == _outcome(json.loads, text)


def test_a_list_within_itself_is_refused_and_does_no_harm_to_the_next() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(ValueError, match="Circular"):
        jsontext.dumps(endless)
    endless.clear()
    assert jsontext.dumps([endless, endless]) == "[[], []]"


def test_a_list_with_a_stray_letter_is_no_json_even_while_json_is_not_loaded() -> None:
    """The scanner itself cannot say what is wrong then; every command would end with a traceback."""
    code = """
import sys
from mdmem import jsontext
assert "json.decoder" not in sys.modules
try:
    jsontext.first("[0x1]")
except ValueError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("refused\n", "")
