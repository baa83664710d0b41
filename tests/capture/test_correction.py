"""A statement put right with the value that a correction names, and nothing that nobody said."""

from __future__ import annotations

import pytest

from mdmem.capture import correction


@pytest.mark.parametrize(
    ("wrong", "right", "corrected"),
    [
        ("The meeting is on Monday.", "no, Tuesday", "The meeting is on Tuesday."),
        ("The API listens on port 8080.", "Actually it's 9090.", "The API listens on port 9090."),
        ("We meet at 9:30 on Mondays", "10:15 it is", "We meet at 10:15 on Mondays"),
        ("Version 3 has 4 bugs", "it's 5", ""),
        ("The meeting is on Monday.", "it's at 10", ""),
        ("The port is 80", "it is 80", ""),
        ("The database is on port 5432.", "it's 5433, not 5432", "The database is on port 5433."),
        ("Port 80 of 8080 hosts", "it's 81", ""),
        ("Host a80b has port 80", "it's 81", "Host a80b has port 81"),
        ("The release is on 2026-03-01.", "no, 2026-03-08", "The release is on 2026-03-08."),
        ("I assumed UTF-8.", "No, they're in Windows-1252, not UTF-8.", ""),
        ("I assumed port 8080.", "No, 9090.", ""),
        ("You said it is on Monday.", "Tuesday", ""),
        ("There are 3 open bugs.", "5 people are in the team", ""),
        ("It takes 3 days.", "no, 5 days", "It takes 5 days."),
    ],
)
def test_a_statement_is_mended_only_where_one_value_of_a_kind_stands_for_another(
    wrong: str, right: str, corrected: str
) -> None:
    assert correction.corrected(wrong, right) == corrected


def test_what_others_say_of_themselves_is_not_put_right_in_their_words() -> None:
    assert correction.corrected("I have 3 cats.", "no, 4") == "I have 4 cats."
    assert correction.corrected("I have 3 cats.", "no, 4", same_speaker=False) == ""
    assert correction.corrected("Your train leaves at 9:30.", "no, 9:45", same_speaker=False) == ""
    assert correction.corrected("The train leaves at 9:30.", "no, 9:45", same_speaker=False) != ""


def test_what_somebody_says_of_themselves_does_not_become_what_another_said() -> None:
    wrong, right = "It is in the basket, size 42.", "I have not been a 42 since the spring; it is 40 now."
    assert correction.corrected(wrong, right, same_speaker=False) == ""
