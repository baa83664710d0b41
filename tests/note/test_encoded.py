"""Names for files and refs from any text."""

from __future__ import annotations

import subprocess

from hypothesis import given, settings
from hypothesis import strategies as st

from mdmem.note.encoded import encoded


def test_plain_names_stay_and_others_are_legible() -> None:
    assert encoded("claude-code") == "claude-code"
    assert encoded("Ada Lovelace") == "%41da%20%4covelace"
    assert encoded("") == "%"


@given(st.text(max_size=80), st.text(max_size=80))
def test_two_texts_never_share_a_name_not_even_by_case(one: str, other: str) -> None:
    assert (encoded(one).casefold() == encoded(other).casefold()) is (one == other)


def test_long_texts_that_begin_alike_are_told_apart() -> None:
    one, other = "ä" * 500, "ä" * 501
    assert encoded(one) != encoded(other)
    assert len(encoded(one)) < 140


@given(st.text(alphabet="ab.~^:?*[\\/@{ \n-é\x00%", max_size=12) | st.just("a.lock") | st.just("@"))
@settings(max_examples=60)
def test_git_takes_every_name_for_a_ref(text: str) -> None:
    ref = f"refs/mdmem/seen/{encoded(text)}"
    assert subprocess.run(["git", "check-ref-format", ref]).returncode == 0
