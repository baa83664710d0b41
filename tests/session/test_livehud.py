"""The LiveHud: one line, four gauges of 3 to 9 words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import tokens
from mdmem.note.gauges import Gauges
from mdmem.session import livehud


def test_the_line_names_all_four_gauges_in_order() -> None:
    gauges = Gauges("User prefers tables", "", "Write the notes", "3 of 9 files")
    assert livehud.line(gauges) == (
        "🧠 Past: User prefers tables | 👁️ Present: none yet | 🔮 Future: Write the notes | 📂 Memory: 3 of 9 files"
    )


def test_a_gauge_has_nine_words_at_most_and_does_not_end_in_the_air() -> None:
    assert livehud.short("The user wants all weekly reports as tables and in German, always") == (
        "The user wants all weekly reports as tables"
    )
    assert livehud.short('The board game of the evening is called "Tide and Time" and sold') == (
        "The board game of the evening"
    )
    assert (
        livehud.short("Keys repeat on this board when a key makes bad contact twice")
        == "Keys repeat on this board"
    )
    assert livehud.short("Commit messages are written in the imperative and name the reason.") == (
        "Commit messages are written in the imperative"
    )
    assert livehud.short("The opening day of the new wing is 1 May 2027.") == "The opening day of the new wing"
    assert livehud.short("Deploys run on turing.") == "Deploys run on turing"
    assert livehud.short("one two three four five six seven eight nine, ten") == (
        "one two three four five six seven eight nine"
    )


def test_memory_counts_or_says_that_there_is_none() -> None:
    assert livehud.count(12, 340) == "12 of 340 files"
    assert livehud.count(1, 1) == "1 of 1 file"
    assert livehud.count(0, 0) == livehud.NOTHING


@given(st.tuples(*[st.text(max_size=300)] * 4))
def test_whatever_the_gauges_hold_it_is_one_short_line(texts: tuple[str, str, str, str]) -> None:
    line = livehud.line(Gauges(*texts))
    assert len(line.splitlines()) == 1
    assert tokens.estimate(line) <= 130
    assert line.startswith("🧠 Past: ")
