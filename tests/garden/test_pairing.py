"""Two notes are judged by named figures and fitted weights: who is near, what is known, and how it adds up."""

from __future__ import annotations

from itertools import pairwise

import pytest

from mdmem.garden.gardeners import note
from mdmem.garden.gardeners.note import Note
from mdmem.garden.pairing import amounts, features, judge, retold, weights
from mdmem.garden.pairing.nearest import KEPT, NearTexts, near_notes
from mdmem.garden.pairing.spelling import Spellings, runs
from mdmem.language.alignment import reading
from mdmem.language.alignment.nearness import Vocabulary
from mdmem.language.alignment.sides import align
from mdmem.note import memory

TEXTS = (
    "The oil filter of the mower is changed every spring.",
    "Each spring the mower gets a new oil filter.",
    "Bread is baked on Fridays.",
)


def made(name: str, text: str, created: str) -> Note:
    path = f"allmemories/{name}.md"
    head = f"id: {memory.derived_id(path)}\ncreated: {created}T00:00:00Z\ncategory: present\ntype: fact"
    data = f"---\n{head}\ntitle: {text}\n---\n\n{text}\n".encode()
    return note.read(memory.parse(data, path), data)


@pytest.fixture(scope="module")
def notes() -> list[Note]:
    days = ("2025-03-01", "2025-09-01", "2025-05-01")
    return [made(f"note_number_{at}", text, day) for at, (text, day) in enumerate(zip(TEXTS, days, strict=True))]


def test_texts_that_share_rare_words_are_near_and_others_are_not() -> None:
    found = list(near_notes(Vocabulary(map(reading.telling, TEXTS)), Spellings(map(runs, TEXTS))))
    assert [(pair.first, pair.second) for pair in found] == [(0, 1)]
    assert found[0].ranks == (0, 0)
    assert 0 < found[0].roots < 1


def test_a_rank_counts_the_nearer_and_each_note_has_a_few_candidates_only() -> None:
    texts = [f"The lamp in the attic hums, says guest{at}." for at in range(40)]
    found = list(near_notes(Vocabulary(map(reading.telling, texts)), Spellings(map(runs, texts))))
    assert len(found) <= 40 * KEPT
    assert all(min(pair.ranks) < KEPT for pair in found)


def test_spelling_knows_compounds_and_other_endings() -> None:
    spelled = Spellings(
        map(runs, ["Der Rasenmäher steht im Schuppen.", "Rasenmähers Ölfilter", "Brot gibt es freitags."])
    )
    assert spelled.near(0, 1) > 0.2
    assert spelled.near(0, 2) < 0.05
    assert spelled.near(1, 1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("The alarm is armed at night.", "The alarm is not armed at night.", True),
        ("The alarm is armed at 22:00.", "At 23:00 the alarm is armed.", True),
        (
            "Mr Gathercole cannot hear the phone, send him text messages.",
            "Gathercole: deaf on the telephone. Text only.",
            False,
        ),
    ],
)
def test_a_denial_of_the_same_or_another_value_keeps_two_notes_apart(
    older: str, newer: str, expected: bool
) -> None:
    two = made("first_of_two", older, "2025-03-01"), made("second_of_two", newer, "2025-09-01")
    (candidate,) = judge.candidates(two, least=-99.0)
    assert judge.differ(candidate) == expected


def test_every_weight_is_of_a_figure_that_is_taken(notes: list[Note]) -> None:
    (candidate,) = judge.candidates(judge.comparable(notes), least=-99.0)
    assert (candidate.older.name, candidate.newer.name) == ("note_number_0", "note_number_1")
    known = candidate.figures.keys()
    assert weights.FIRST_LOOK.keys() <= known
    for kind in judge.KINDS:
        assert weights.WEIGHTS[kind].keys() <= known


def test_too_few_notes_are_not_judged(notes: list[Note]) -> None:
    assert judge.judged(notes) is None


def test_a_vault_of_twenty_notes_is_judged() -> None:
    places = "harbour mill tower bakery cinema museum library stadium garden market chapel bridge school fountain"
    others = [made(f"the_{place}", f"The {place} has a roof of slate.", "2026-01-01") for place in places.split()]
    more = [made(f"key_{at}", f"The spare key of flat {at} hangs with Nora.", "2026-02-01") for at in range(8)]
    older = made("choir_tuesday", "The choir rehearses on Tuesday at seven in the parish hall.", "2025-03-01")
    newer = made("choir_thursday", "Since September the choir rehearses on Thursdays.", "2026-11-01")
    pairs = judge.judged([*others, *more, older, newer]) or ()
    assert (older.path, newer.path) in {(pair.older, pair.newer) for pair in pairs if pair.conflict >= 0.5}


def test_a_pair_counts_less_by_what_a_rival_has_more() -> None:
    pairs = [("a", "b"), ("b", "c"), ("d", "e")]
    twins, conflicts = judge.settled(pairs, [2.0, 1.5, 1.0], [-9.0, -9.0, -9.0])
    assert twins == [2.0, 1.0, 1.0]
    assert max(conflicts) < -9.0


def test_what_contradicts_a_note_may_contradict_the_one_that_says_the_same() -> None:
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    _, apart = judge.settled(pairs, [-9.0, -9.0, -9.0], [3.0, 2.0, -9.0])
    _, alike = judge.settled(pairs, [-9.0, -9.0, 2.0], [3.0, 2.0, -9.0])
    assert apart[1] == pytest.approx(1.0, abs=0.01)
    assert alike[1] == pytest.approx(2.0, abs=0.01)


def test_three_notes_that_say_the_same_do_not_compete() -> None:
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    alike, _ = judge.settled(pairs, [3.0, 2.0, 1.0], [-9.0, -9.0, -9.0])
    assert alike == [3.0, 2.0, 1.0]


def test_words_of_one_sense_tell_that_two_notes_say_the_same() -> None:
    texts = (
        "The landlord wants the rent in cash.",
        "Miete: der Vermieter nimmt nur bar.",
        "Crows sleep in poplars.",
    )
    owner, german, crows = map(reading.read, texts)
    rare = Vocabulary(map(reading.telling, texts)).weights
    same = retold.figures(owner, german, align(owner, german, rare), rare)
    other = retold.figures(owner, crows, align(owner, crows, rare), rare)
    assert same["words retold"] == 3
    assert same["share with retold"] > 0.7
    assert other["share with retold"] == other["words retold"] == 0


@pytest.mark.parametrize(
    ("older", "newer", "expected"),
    [
        ("The rent is 900 euros.", "The rent is 945 € now.", 900 / 945),
        ("The rent is 900 euros.", "The garage is 90 euros.", 0.1),
        ("The stove burns 900 kg of wood.", "The rent is 945 euros.", 0.0),
        ("The rent is high.", "The rent is 945 euros.", 0.0),
    ],
)
def test_amounts_are_compared_in_one_unit(older: str, newer: str, expected: float) -> None:
    one, two = reading.read(older), reading.read(newer)
    assert amounts.ratio(one.words, two.words) == pytest.approx(expected)


def test_tags_tell_two_notes_apart_only_where_both_have_some() -> None:
    notes = list(map(tagged, ("[choir]", "[choir, hall]", "[boat]", "[]")))
    choir, hall, boat, none = (features.figures_of(note) for note in notes)
    near = NearTexts(0, 1, 0.5, 0.5, (0, 0), (0.0, 0.0))
    apart = [features.first_look(near, choir, other, (3, 3))["tags apart"] for other in (hall, boat, none)]
    assert apart == [False, True, False]


def tagged(tags: str) -> Note:
    data = f"---\nid: {memory.derived_id('a.md')}\ntags: {tags}\n---\n\nThe choir sings.\n".encode()
    return note.read(memory.parse(data, "a.md"), data)


@pytest.mark.parametrize("kind", judge.KINDS)
def test_confidence_rises_with_the_sum_of_weights(kind: str) -> None:
    found = [judge.confidence(kind, tenth / 10) for tenth in range(-60, 60)]
    assert all(low <= high for low, high in pairwise(found))
    assert found[0] < 0.5 < 0.8 < found[-1] <= 1.0
