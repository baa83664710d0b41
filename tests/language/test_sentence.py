"""What people say in a chat as titles of memories, in the third person."""

from __future__ import annotations

import pytest

from mdmem.language import sentence


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Remember that my mother's birthday is 3 May", "My mother's birthday is 3 May"),
        ("Please save this to memory: the API key rotates monthly", "The API key rotates monthly"),
        ("don't forget that we ship on Fridays", "We ship on Fridays"),
        ("make a note that the lease ends in June", "The lease ends in June"),
        ("Can you remember this?", "Can you remember this?"),
        ("The lease ends in June", "The lease ends in June"),
    ],
)
def test_the_request_to_remember_is_no_part_of_the_memory(said: str, rest: str) -> None:
    assert sentence.without_request(said) == rest


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("Hello Claude, I prefer tabs, thanks!", "I prefer tabs!"),
        ("ok so just to be clear, the port is 80", "The port is 80"),
        ("I was wrong, the deadline is June 12.", "The deadline is June 12."),
        ("No meetings before ten, please remember that.", "No meetings before ten."),
        ("Great Britain is far", "Great Britain is far"),
        ("So far we have three", "So far we have three"),
        ("There is a lot to remember", "There is a lot to remember"),
        ("Nein, das Treffen ist am Montag.", "Das Treffen ist am Montag."),
        ("Right, thanks!", ""),
        ("TIL that worktrees share hooks.", "Worktrees share hooks."),
        ("no I meant Berlin", "I meant Berlin"),
    ],
)
def test_greetings_and_courtesies_are_no_part_of_a_memory_and_words_with_a_meaning_are(
    said: str, rest: str
) -> None:
    """The words "No meetings" without its first word would say the opposite."""
    assert sentence.plain(said) == rest


@pytest.mark.parametrize(
    ("said", "rest"),
    [
        ("We write the docs in Markdown, please remember.", "We write the docs in Markdown."),
        ("The team should keep the API stable, please remember that.", "The team should keep the API stable."),
        ("note to self: rotate the certs", "Rotate the certs"),
        ("Hey Claude, remember that tea is at four", "Tea is at four"),
        ("Merk dir bitte, dass ich Vegetarier bin.", "Merk dir bitte, dass ich Vegetarier bin."),
        ("Add to my list: milk", "Add to my list: milk"),
        ("Do keep on file that it is a loan", "It is a loan"),
        ("put this somewhere you won't lose it: she is due in June", "She is due in June"),
        ("Garde pour moi, s'il te plaît, la recette du bleu : 40 craie", "La recette du bleu : 40 craie"),
        ("note-le une bonne fois : le four chauffe trop", "Le four chauffe trop"),
        ("write that down somewhere: the line runs straight up", "The line runs straight up"),
        ("guarda esto: la llave está detrás", "La llave está detrás"),
    ],
)
def test_a_request_never_leaves_half_a_sentence(said: str, rest: str) -> None:
    assert sentence.without_request(said) == rest


def test_courtesies_are_looked_for_at_the_end_alone() -> None:
    """To look everywhere takes minutes for a long run of blanks."""
    assert sentence.plain("x" + ", please" * 40).count("please") == 30
