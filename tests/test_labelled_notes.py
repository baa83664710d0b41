"""The labelled sets of notes (tests/data) are sound, and the gardeners judge them as well as they did.

`garden` and `judgement` have two halves, `dev` and `held`; every other set is one part. Of the sets in WHOLE each
note has a label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import pytest

from mdmem.note import decay, links, memory, naming, properties
from tests import garden_scores, garden_set
from tests.garden_scores import DEFAULT
from tests.garden_set import TODAY, Note, pair

pytestmark = pytest.mark.xdist_group("labelled")  # one process reads and plans the sets

WHOLE = ("judgement", "judgement_fresh", "judgement_unseen")
JUDGED = (*WHOLE, "judgement_more", "judgement_tidy", "judgement_wide", "judgement_natural")
SETS = ("garden", *JUDGED)
LABELS: dict[str, dict[str, Any]] = {of: garden_set.labels(of) for of in SETS}
PAIRS = ("twins", "conflicts", "deprecate", "superseded_already", "lookalikes")

each_set = pytest.mark.parametrize("of", SETS)


@cache
def notes(of: str) -> dict[str, Note]:
    return {note.name: note for note in garden_set.notes(of)}


def every_label(of: str) -> Iterator[dict[str, Any]]:
    for group in LABELS[of].values():
        yield from (group if isinstance(group, list) else [each for part in group.values() for each in part])


def named(label: dict[str, Any]) -> set[str]:
    """Every note that a label names."""
    single = {label[key] for key in ("older", "newer", "a", "b", "name", "likely") if label.get(key)}
    return single | set(label.get("names", []))


def faulty(of: str, fault: str) -> set[str]:
    """The notes of a set that have a fault on purpose."""
    return {label["name"] for label in LABELS[of].get("hygiene", {}).get(fault, ())}


def targets(note: Note, texts: Iterable[str] = ()) -> set[str]:
    found = [link.target for text in (note.body, *texts) for link in links.to_notes(text)]
    return {target.removesuffix(".md") for target in found}


def linked(note: Note) -> set[str]:
    """The names that a note links to, in its text or by a property."""
    return targets(note, (text for key in properties.RELATIONS for text in note.memory.strings(key)))


@each_set
def test_names_are_unique_even_where_case_does_not_count_and_legal(of: str) -> None:
    counts = Counter(memory.fold(note.name) for note in garden_set.notes(of))
    assert [name for name, count in counts.items() if count > 1] == []
    illegal = {name for name in notes(of) for one in naming.check(name) if one.severity == "error"}
    assert illegal == faulty(of, "bad_names")


def test_no_subject_is_in_two_parts_and_no_text_in_two_notes() -> None:
    every = [(of, note) for of in JUDGED for note in notes(of).values()]
    subjects = {(note.subject, of, note.part) for of, note in every}
    assert len(subjects) == len({subject for subject, *_ in subjects})
    texts = Counter(re.sub(r"\W+", " ", note.body).strip().casefold() for _, note in every)
    assert [text for text, count in texts.items() if count > 1] == []


@each_set
def test_every_label_names_notes_of_the_set_and_its_own_part(of: str) -> None:
    for label in every_label(of):
        assert named(label) <= notes(of).keys(), label
        assert {notes(of)[name].part for name in named(label)} <= {label["part"]}, label


@pytest.mark.parametrize("of", ["garden", *WHOLE])
def test_every_note_is_spoken_of(of: str) -> None:
    """A note that no label names, and that links to none so named, was forgotten in the review."""
    spoken = set().union(*map(named, every_label(of)))
    assert {name for name in notes(of).keys() - spoken if not linked(notes(of)[name]) & spoken} == set()


@each_set
def test_only_links_that_are_meant_to_dangle(of: str) -> None:
    dangling = {(name, to) for name, note in notes(of).items() for to in linked(note) if to not in notes(of)}
    meant = LABELS[of].get("hygiene", {}).get("dangling", ())
    assert dangling == {(label["name"], label["link"]) for label in meant}


@each_set
def test_no_pair_is_labelled_twice_and_the_older_note_was_made_earlier(of: str) -> None:
    labels = LABELS[of]
    counts = Counter(pair(label) for kind in PAIRS for label in labels[kind])
    assert [names for names, count in counts.items() if count > 1 or len(names) != 2] == []
    created = {name: note.memory.created for name, note in notes(of).items()}
    dated = [label for kind in PAIRS for label in labels[kind] if "older" in label]
    assert [label for label in dated if created[label["older"]] >= created[label["newer"]]] == []
    assert max(created.values()) < f"{TODAY:%Y-%m-%dT%H}"


@each_set
def test_what_a_property_says_is_superseded_is_labelled(of: str) -> None:
    told = {
        frozenset((name, links.wikilink_target(text)))
        for name, note in notes(of).items()
        for text in note.memory.strings("supersedes")
        if notes(of)[links.wikilink_target(text)].memory.status == "active"
    }
    assert told <= {pair(label) for kind in ("deprecate", "superseded_already") for label in LABELS[of][kind]}


@each_set
def test_a_topic_of_more_than_five_notes_is_labelled_whole(of: str) -> None:
    """Precision of consolidation is measured against these labels, so none may be missing."""
    topics: dict[str, set[str]] = {}
    for note in notes(of).values():
        if (topic := note.properties.get("topic")) and note.memory.status == "active":
            topics.setdefault(topic, set()).add(note.name)
    spoken = [set(label["names"]) for key in ("consolidate", "not_topics") for label in LABELS[of][key]]
    assert [topic for topic, names in topics.items() if len(names) > 5 and names not in spoken] == []


@each_set
def test_faded_notes_are_labelled_by_the_rule_of_decay(of: str) -> None:
    """Unpinned, auto_prune, salience below 0.001, and not linked."""
    leaned_on = set().union(*(linked(note) for note in notes(of).values() if note.memory.status == "active"))
    labelled = {label["name"]: label["prune"] for label in LABELS[of]["prune"]}
    for name, note in notes(of).items():
        salience = decay.effective(note.properties, note.memory.created, TODAY)
        if salience is not None:
            own = note.properties
            gone = salience < 0.001 and own["deletion_policy"] == "auto_prune" and not own.get("pinned")
            assert labelled[name] is (gone and name not in leaned_on), name


@each_set
def test_notes_of_each_shape_parse(of: str) -> None:
    """A shape is a set of properties, with a text of one line or of several."""
    shapes = {(frozenset(note.properties), "\n" in note.body): note for note in notes(of).values()}
    for note in shapes.values():
        assert note.memory.problems == (), note.name
        assert note.memory.body.strip() == note.body.strip()


# -- scores ------------------------------------------------------------


@each_set
def test_score_of_the_labels_themselves_is_perfect(of: str) -> None:
    for kind in garden_set.PAIRED:
        score = garden_set.score_pairs(kind, garden_set.wanted_pairs(kind, of), of=of)
        assert score[:4] == (1.0, 1.0, [], []), kind


def test_score_counts_wrong_and_missed_pairs() -> None:
    wanted = garden_set.wanted_pairs("conflicts")
    wrong = next(label for label in LABELS["garden"]["lookalikes"] if label["against"] == "both")
    found = [*sorted(map(sorted, wanted))[:-2], sorted(pair(wrong))]
    score = garden_set.score_pairs("conflicts", found)
    assert score.recall == pytest.approx(1 - 2 / len(wanted))
    assert score.wrong == [tuple(sorted(pair(wrong)))]
    assert len(score.missed) == 2


def test_score_takes_a_chain_of_twins_for_the_group_and_leaves_neutral_pairs_out() -> None:
    twins, looks = LABELS["garden"]["twins"], LABELS["garden"]["lookalikes"]
    group = [pair(label) for label in twins if label.get("group") == "user_is_learning_rust_since_spring"]
    chain = garden_set.score_pairs("twins", group[:2])
    assert len(chain.missed) == len(twins) - 3
    grown = next(pair(label) for label in looks if label["kind"] == "list grew")
    assert garden_set.score_pairs("twins", [grown]).wrong == []
    assert garden_set.score_pairs("conflicts", [grown]).precision == 0


def test_a_topic_is_the_labelled_one_if_the_two_share_two_thirds_of_their_notes() -> None:
    wanted = [label["names"] for label in LABELS["judgement"]["consolidate"]]
    seven = next(names for names in wanted if len(names) == 7)
    assert garden_scores.nearest(seven[1:], wanted) == seven
    assert garden_scores.nearest(seven[:4], wanted) == seven[:4]


# -- what the gardeners reach ------------------------------------------------------------

# On each half from a confidence on (precision, recall), a little less than measured.
FLOORS = {
    ("judgement", "consolidate", DEFAULT): (0.95, 0.9),
    ("judgement", "deprecate", DEFAULT): (0.98, 0.8),
    ("judgement", "prune", DEFAULT): (0.96, 0.74),
    ("judgement", "prune", 0.5): (0.93, 0.76),
    ("judgement", "twins", DEFAULT): (0.85, 0.15),
    ("judgement", "twins", 0.5): (0.75, 0.3),
    ("judgement", "conflicts", DEFAULT): (0.85, 0.35),
    ("judgement", "conflicts", 0.5): (0.75, 0.55),
    ("garden", "twins", DEFAULT): (0.9, 0.5),
    ("garden", "conflicts", DEFAULT): (
        0.8,
        0.25,
    ),  # 8 right, 2 wrong on held
    ("garden", "deprecate", DEFAULT): (0.9, 1.0),
    ("garden", "consolidate", DEFAULT): (0.95, 0.8),
    ("garden", "prune", DEFAULT): (0.5, 1.0),  # three have a day that is over, which the labels do not count
}


@pytest.mark.parametrize("part", ["dev", "held"])
@pytest.mark.parametrize(("of", "kind", "least"), FLOORS)
def test_gardeners_judge_as_well_as_they_did(of: str, kind: str, least: float, part: str) -> None:
    precision, recall, *_ = garden_scores.score(kind, part, least, of)  # mistakes on held are not to be shown
    least_precision, least_recall = FLOORS[of, kind, least]
    assert precision >= least_precision
    assert recall >= least_recall
