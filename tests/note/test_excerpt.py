"""The best passage: the right line, and marks around what matched."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mdmem.note import excerpt
from mdmem.note.excerpt import CLOSE, OPEN, WIDTH


def test_the_line_with_the_most_different_words_is_the_best() -> None:
    found = excerpt.best_passage("boat boat boat\nthe boat leaks\nboat leaks too", {"boat", "leaks"})
    assert (found.line, found.text) == (2, "the boat leaks")
    assert excerpt.plain(found.snippet) == "the **boat leaks** …", "it goes on in the next line"
    assert excerpt.best_passage("# boat\nIt leaks.\n\nend", {"leaks"}).snippet.endswith("\x03."), "it does not"


def test_lines_of_code_count() -> None:
    found = excerpt.best_passage("text\n```\nmake boat\n```", {"boat"})
    assert (found.line, found.text) == (3, "make boat")


def test_without_a_match_the_first_line_with_text_stands_for_the_note() -> None:
    assert excerpt.best_passage("\n \n  one\n\ntwo", set()) == (3, "one", "  one")
    assert excerpt.best_passage("", {"boat"}) == (1, "", "")


def test_a_huge_line_is_cut_around_its_first_match() -> None:
    line = "word " * 5000 + "the boat leaks " + "word " * 5000
    found = excerpt.best_passage(line, {"boat"})
    assert f" the {OPEN}boat{CLOSE} leaks " in found.snippet
    assert found.snippet.startswith("… ")
    assert found.snippet.endswith(" …")
    assert len(found.snippet) <= WIDTH + 6
    assert found.text == line


def test_a_match_longer_than_a_snippet_is_marked_as_far_as_it_is_shown() -> None:
    found = excerpt.best_passage("a " + "x" * 500, {"x" * 500})
    assert found.snippet == f"a {OPEN}{'x' * (WIDTH - 2)}{CLOSE} …"


def test_marks_in_the_text_itself_are_not_shown() -> None:
    found = excerpt.best_passage(f"the {OPEN}boat{CLOSE} {CLOSE}leaks", {"leaks"})
    assert (found.snippet, found.text) == (f"the boat {OPEN}leaks{CLOSE}", f"the {OPEN}boat{CLOSE} {CLOSE}leaks")


def test_where_a_link_leads_is_not_marked() -> None:
    line = "see [[harbor_boat|the boat]], [[boat]] and [a boat](boat.md)"
    shown = excerpt.plain(excerpt.best_passage(line, {"boat"}).snippet)
    assert shown == "see [[harbor_boat|the **boat**]], [[boat]] and [a **boat**](boat.md)"


def test_pairs_of_signs_that_overlap_are_one_mark() -> None:
    assert (
        excerpt.best_passage("我的机器学习课程", {"机器", "器学", "学习"}).snippet
        == f"我的{OPEN}机器学习{CLOSE}课程"
    )


alphabet = st.sampled_from([*"ab é机器学\n\r\t.", OPEN, CLOSE, "boat", "boat leaks", "x" * 90])


@given(
    st.lists(alphabet, max_size=60).map("".join), st.sets(st.sampled_from(["boat", "a", "机器", "é", "x" * 90]))
)
def test_marks_are_whole_and_the_snippet_is_of_the_line(text: str, matches: set[str]) -> None:
    found = excerpt.best_passage(text, matches)
    assert text.split("\n")[found.line - 1] == found.text
    bare = found.snippet.replace(OPEN, "").replace(CLOSE, "").removeprefix("… ").removesuffix(" …")
    assert bare in found.text.replace(OPEN, "").replace(CLOSE, "")
    marks = [sign for sign in found.snippet if sign in OPEN + CLOSE]
    assert marks == [OPEN, CLOSE] * (len(marks) // 2)


@given(st.text(alphabet="[]|()a "))
def test_no_mark_breaks_a_link(text: str) -> None:
    marked = excerpt.best_passage(text, {"a"}).snippet
    targets = re.compile(r"\[\[[^\[\]|]*|\]\([^()\s]*\)")
    assert targets.findall(marked) == targets.findall(text.strip())


class Asked(frozenset[str]):
    """Words that count how often they are asked for."""

    times = 0

    def __contains__(self, word: object) -> bool:
        self.times += 1
        return super().__contains__(word)


def test_a_line_of_a_megabyte_is_looked_at_as_far_as_it_is_shown() -> None:
    """All of it was marked, of which 160 characters are shown: a recall that met it took seconds."""
    words = Asked({"boat"})
    assert excerpt.best_passage("the boat leaks " * 70_000, words).snippet.startswith(
        f"the {OPEN}boat{CLOSE} leaks "
    )
    assert words.times < WIDTH
