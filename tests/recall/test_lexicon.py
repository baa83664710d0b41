"""What a word of a question means in a vault: forms, beginnings, slips, words for the same thing, and rarity."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mdmem.note import memory
from mdmem.recall import question, score
from mdmem.recall.lexicon import Lexicon
from mdmem.recall.reading import WordsRead
from mdmem.store.index.catalogue import SqliteCatalogue

TEXTS = ("the boat leaks", "two boats sailed", "boathouse by the lake", "the costs increased", "a calendar")


@pytest.fixture
def catalogue() -> Iterator[SqliteCatalogue]:
    filled = SqliteCatalogue.in_memory()
    for number, text in enumerate(TEXTS):
        filled.insert(memory.parse(text.encode(), f"note_of_number_{number}.md"), "", "")
    yield filled
    filled.close()


def meanings(lexicon: Lexicon, *tokens: str) -> dict[str, tuple[int, float]]:
    read = WordsRead()
    read.add(set(tokens))
    return {token: (match.concept, match.weight) for token, match in lexicon.senses(read).items()}


def test_forms_of_a_word_are_one_concept(catalogue: SqliteCatalogue) -> None:
    lexicon = Lexicon(catalogue, ["boats", "boat", "leaks"])
    assert [concept.word for concept in lexicon.concepts] == ["boats", "leaks"]
    expected = {"boat": (0, 1.0), "boats": (0, 1.0), "leak": (1, 1.0)}
    assert meanings(lexicon, "boat", "boats", "leak", "lake") == expected


def test_a_word_that_only_begins_alike_counts_less(catalogue: SqliteCatalogue) -> None:
    assert meanings(Lexicon(catalogue, ["boat"]), "boathouse") == {"boathouse": (0, 0.5)}


def test_a_short_word_or_a_number_is_no_beginning(catalogue: SqliteCatalogue) -> None:
    assert meanings(Lexicon(catalogue, ["boa"]), "boat") == {}


@pytest.mark.parametrize("slip", ["calandar", "caelndar", "xalendar"])
def test_a_slip_means_the_word_nearest_by_spelling(catalogue: SqliteCatalogue, slip: str) -> None:
    assert meanings(Lexicon(catalogue, [slip]), "calendar") == {"calendar": (0, 0.8)}


def test_a_compound_that_no_note_has_means_its_parts(catalogue: SqliteCatalogue) -> None:
    """For half, as a beginning; parts of three letters or fewer are none."""
    assert meanings(Lexicon(catalogue, ["calendarsailing"]), "calendar", "sailed") == {"calendar": (0, 0.5)}
    assert meanings(Lexicon(catalogue, ["winterboathouse"]), "boathouse", "boat") == {"boathouse": (0, 0.5)}
    assert meanings(Lexicon(catalogue, ["theboatyard"]), "the", "boat") == {}


def test_a_word_that_is_there_is_no_slip_of_another(catalogue: SqliteCatalogue) -> None:
    assert "leaks" not in meanings(Lexicon(catalogue, ["lakes"]), "leaks", "lake")


def test_a_thing_of_a_kind_means_it_where_that_is_asked_for(catalogue: SqliteCatalogue) -> None:
    """A boat is a vehicle; only to "which vehicle", for a text about vehicles is about more than boats."""
    words = ["vehicles", "leaks"]
    asked = Lexicon(catalogue, words, kinds=["vehicles"])
    assert meanings(asked, "boats", "leaks") == {"boats": (0, 1.0), "leaks": (1, 1.0)}
    assert meanings(Lexicon(catalogue, words), "boats", "leaks") == {"leaks": (1, 1.0)}


def test_rarity_is_that_of_all_the_notes_a_concept_is_in(catalogue: SqliteCatalogue) -> None:
    """ "boat" is in two notes, "boathouse" in a third; never more than there are."""
    lexicon = Lexicon(catalogue, ["boat", "calendar", "nowhere"])
    assert lexicon.total == len(TEXTS)
    assert [concept.idf for concept in lexicon.concepts] == [score.idf(3, 5), score.idf(1, 5), score.idf(0, 5)]


def test_the_rarest_words_gather_candidates_first(catalogue: SqliteCatalogue) -> None:
    asked = question.parse("boat calendar", ())
    lexicon = Lexicon(catalogue, asked.words)
    assert lexicon.expression(asked, 1) == '"boathouse"'
    assert lexicon.expression(asked, 2) == '"boathouse" OR "calendar"'
    assert lexicon.expression(asked, -1) == '"boathouse" OR "calendar" OR "boat"'


def test_a_stem_that_is_no_word_is_asked_for_by_a_word_of_it(catalogue: SqliteCatalogue) -> None:
    """FTS5 stems again what it is asked for: "increas", the stem of "increased", would become "increa"."""
    found = catalogue.search(Lexicon(catalogue, ["incre"]).expression(question.parse("incre", ())), -1)
    assert found == ["note_of_number_3.md"]


def test_exclusions_are_part_of_the_expression(catalogue: SqliteCatalogue) -> None:
    asked = question.parse("boat -leaks", ())
    found = catalogue.search(Lexicon(catalogue, asked.words).expression(asked), -1)
    assert sorted(found) == ["note_of_number_1.md", "note_of_number_2.md"]
