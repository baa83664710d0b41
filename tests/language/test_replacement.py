"""What texts say beside a link about which note replaces which, in four languages, and what they leave unsaid."""

from __future__ import annotations

import pytest

from mdmem.language import replacement
from mdmem.language.replacement import HEIR, OLD
from mdmem.note import tsv
from tests import garden_set

LINES = [*tsv.rows(str(garden_set.DATA.parent / "x"), "replacement_lines.tsv", 2)]
# Of the lines that weights are fitted on: how many are read, of 374, and of the others taken for a replacement.
LEAST_READ, MOST_WRONG = 367, 11


def directions(text: str) -> list[str]:
    return [one.direction for one in replacement.claims(text)]


def test_lines_that_say_so_are_read_and_others_are_not() -> None:
    said = [(direction, directions(text)) for direction, text in LINES]
    assert sum(direction in told for direction, told in said) >= LEAST_READ
    assert sum(direction == "no" and bool(told) for direction, told in said) <= MOST_WRONG


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The old list ([[x]]) is no longer valid.", [OLD]),
        ("Diese Regel ersetzt [[x]].", [OLD]),
        ("[[x]] ya no es válida.", [OLD]),
        ("[[x]] est dépassée.", [OLD]),
        ("Replaced by [[x]].", [HEIR]),
        ("Ersetzt durch [[x]].", [HEIR]),
        ("See [[x]] for the details.", []),
        ("[[x]] is still valid.", []),
        ("This does not replace [[x]], it only adds the weekend.", []),
        ("Should this replace [[x]]?", []),
        ("Das ersetzt [[x]] nicht.", []),
        ("Printed [[x]] and replaced the toner.", []),
        ("`This replaces [[x]]`", []),
        ("> This replaces [[x]].", []),
        ("- [ ] This replaces [[x]]", []),
    ],
)
def test_what_is_said_of_a_link(text: str, said: list[str]) -> None:
    assert directions(text) == said


def test_a_sentence_over_two_lines_and_a_markdown_link_are_read_with_their_line() -> None:
    text = "# Jars\n\nFrom now on round ones. This\nreplaces [the old labels](labels_v1.md).\n"
    (one,) = replacement.claims(text)
    assert (one.target, one.line) == ("labels_v1", 3)


def test_the_next_sentence_may_say_it_of_what_is_linked() -> None:
    (one,) = replacement.claims("Exports: see [[x]]. That one is out of date.")
    assert (one.direction, one.target) == (OLD, "x")
    assert not list(replacement.claims("Exports: see [[x]]. The printer is out of date."))


def test_a_label_holds_for_the_list_below_it() -> None:
    text = "# Jars\n\nSupersedes:\n- [[x]]\n- [[y]]\n\n## Replaced by\n\n[[z]]\n\nMore in [[w]].\n"
    assert [(one.target, one.direction, one.line) for one in replacement.claims(text)] == [
        ("x", OLD, 4),
        ("y", OLD, 5),
        ("z", HEIR, 9),
    ]


def test_a_sentence_of_very_many_links_or_words_is_not_read() -> None:
    """It is read once for each of its links: 5,000 in one line took a minute."""
    links = ", ".join(f"[[note {number}]]" for number in range(41))
    assert directions(f"This replaces {links}.") == []
    assert directions(f"This replaces [[x]]{' and the old list' * 300}.") == []
    assert directions(f"All of them: {links}.\n\nThis replaces [[x]].") == [OLD]


def test_of_very_many_links_the_first_are_read() -> None:
    """Each takes as long as its sentence is: 1 MB of them took 40 seconds."""
    assert len(directions("This replaces [[x]]. " * 1000)) == 300


def test_beside_another_link_it_may_be_said_of_that_one() -> None:
    assert not any(claim.is_sure for claim in replacement.claims("We replaced [[Bob]] by [[Ann]]."))
