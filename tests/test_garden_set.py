"""The labelled gardening set is sound: complete, consistent, and readable by mdmem itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mdmem.note import decay, links, memory, moments, naming, properties, tokens
from mdmem.note.memory import Memory
from tests import garden_set
from tests.garden_set import TODAY, Note, pair

KINDS = {
    *("other person", "other project", "other time", "other scope", "list grew", "different aspect"),
    *("same template", "question", "task and done"),
}
LABELS: dict[str, Any] = garden_set.labels()
HYGIENE: dict[str, Any] = LABELS["hygiene"]


@cache
def notes() -> dict[str, Note]:
    return {note.name: note for note in garden_set.notes()}


@cache
def memories() -> dict[str, Memory]:
    return {name: note.memory for name, note in notes().items()}


def created(name: str) -> datetime:
    found = moments.parse(memories()[name].created)
    assert found is not None, name
    return found


def label_lists() -> Iterator[list[Any]]:
    yield from (value for value in LABELS.values() if isinstance(value, list))
    yield from HYGIENE.values()


def named(label: dict[str, Any]) -> set[str]:
    """Every note that a label names."""
    single = {label[key] for key in ("older", "newer", "a", "b", "name", "likely") if label.get(key)}
    return single | set(label.get("names", []))


def listed(key: str) -> set[str]:
    return {label["name"] for label in HYGIENE[key]}


def active() -> list[Memory]:
    return [note for note in memories().values() if note.status == "active"]


def targets(note: Memory) -> set[str]:
    """What a note links to, in its text and its properties."""
    values = [text for key in properties.RELATIONS for text in note.strings(key)]
    found = [link.target for text in (note.body, *values) for link in links.to_notes(text)]
    return {target.removesuffix(".md") for target in found}


def test_names_are_unique_even_where_case_does_not_count() -> None:
    counts = Counter(memory.fold(note.name) for note in garden_set.notes())
    assert [name for name, count in counts.items() if count > 1] == []


def test_every_label_names_notes_of_the_set_and_its_own_part() -> None:
    for label in (label for group in label_lists() for label in group):
        assert named(label) <= notes().keys(), label
        assert {notes()[name].part for name in named(label)} <= {label["part"]}, label


def test_every_note_is_spoken_of() -> None:
    """A note that no label names, and that links to none so named, was forgotten in the review."""
    spoken = set().union(*(named(label) for group in label_lists() for label in group))
    linking = {name for name, note in memories().items() if targets(note) & spoken}
    assert notes().keys() - spoken - linking == set()


@pytest.mark.parametrize(
    ("kind", "least"),
    [("twins", 66), ("conflicts", 44), ("lookalikes", 70), ("consolidate", 12), ("keep", 60), ("deprecate", 6)],
)
def test_there_are_enough_of_each_kind_in_both_halves(kind: str, least: int) -> None:
    parts = Counter(label["part"] for label in LABELS[kind])
    assert parts.total() >= least
    assert parts.keys() == {"dev", "held"}
    assert min(parts.values()) >= 0.4 * parts.total()


def test_there_are_enough_notes_and_hygiene_cases() -> None:
    assert len(notes()) >= 420
    counts = {key: len(group) for key, group in HYGIENE.items()}
    least = {"bad_names": 10, "dangling": 10, "expired": 6, "duplicate_ids": 3, "tag_variants": 8}
    least |= {"oversized": 3, "orphans": 5, "missing": 4}
    assert {key: counts[key] for key in least if counts[key] < least[key]} == {}
    assert Counter(label["prune"] for label in LABELS["prune"]) == {True: 6, False: 6}


def test_twins_are_a_third_edited_a_third_half_reworded_a_third_reworded() -> None:
    levels = Counter(label["level"] for label in LABELS["twins"])
    assert set(levels) == {"edited", "half reworded", "reworded"}
    assert min(levels.values()) >= 0.3 * levels.total()


def test_twins_of_a_group_are_listed_as_all_pairs() -> None:
    groups: dict[str, list[frozenset[str]]] = {}
    for label in LABELS["twins"]:
        if "group" in label:
            groups.setdefault(label["group"], []).append(pair(label))
    assert len(groups) >= 3
    for first, pairs in groups.items():
        members = sorted(set().union(*pairs), key=created)
        assert members[0] == first
        assert len(pairs) == len(members) * (len(members) - 1) / 2
    alone = Counter(name for label in LABELS["twins"] if "group" not in label for name in pair(label))
    assert alone.keys() & set().union(*(names for pairs in groups.values() for names in pairs)) == set()
    assert set(alone.values()) == {1}


@pytest.mark.parametrize("kind", ["twins", "conflicts", "deprecate", "superseded_already"])
def test_the_older_note_was_made_earlier(kind: str) -> None:
    late = [label for label in LABELS[kind] if created(label["older"]) >= created(label["newer"])]
    assert late == []


def test_no_pair_is_labelled_twice() -> None:
    kinds = ("twins", "conflicts", "lookalikes", "deprecate", "superseded_already")
    counts = Counter(pair(label) for kind in kinds for label in LABELS[kind])
    assert [names for names, count in counts.items() if count > 1 or len(names) != 2] == []


def test_lookalikes_say_what_kind_they_are() -> None:
    assert {label["kind"] for label in LABELS["lookalikes"]} == KINDS
    for label in LABELS["lookalikes"]:
        assert label["against"] == ("conflicts" if label["kind"] == "list grew" else "both"), label


def test_notes_of_twins_and_conflicts_are_active() -> None:
    names = {
        name for kind in ("twins", "conflicts", "lookalikes") for label in LABELS[kind] for name in pair(label)
    }
    assert [name for name in names if memories()[name].status != "active"] == []


def test_topics_have_more_than_five_active_notes_and_the_others_have_not() -> None:
    for label in LABELS["consolidate"]:
        assert 6 <= sum(memories()[name].status == "active" for name in label["names"]) <= 12, label
    sizes = [len(label["names"]) for label in LABELS["not_topics"] if not label["about"].startswith("first word")]
    assert len(sizes) >= 5
    for label in LABELS["not_topics"]:
        if not label["about"].startswith("first word"):
            assert 4 <= sum(memories()[name].status == "active" for name in label["names"]) <= 5, label
    assert sum(label["about"].startswith("first word") for label in LABELS["not_topics"]) >= 3


def test_no_other_notes_share_a_topic_or_a_first_word_and_a_tag() -> None:
    """Precision of consolidation is measured against these labels, so none may be missing."""
    groups: dict[tuple[str, str], set[str]] = {}
    for note in active():
        groups.setdefault(("topic", note.text("topic")), set()).add(note.name)
        for tag in note.tags:
            groups.setdefault((note.name.split("_")[0], tag), set()).add(note.name)
    groups.pop(("topic", ""))
    large = {frozenset(names) for names in groups.values() if len(names) > 5}
    assert large == {frozenset(label["names"]) for label in LABELS["consolidate"]}


def test_every_note_parses_and_round_trips() -> None:
    for name, note in memories().items():
        assert note.problems == (), name
        given = notes()[name]
        assert note.body.strip("\n") == given.body.strip("\n")
        assert {key: note.meta[key] for key in given.properties} == given.properties


def test_the_notes_can_be_written_into_a_vault(tmp_path: Path) -> None:
    garden_set.write(tmp_path)
    written = {path.stem: path.read_bytes() for path in (tmp_path / "allmemories").iterdir()}
    assert written == {name: note.data for name, note in notes().items()}


def test_only_the_deliberate_notes_break_a_rule_of_names_or_properties() -> None:
    """The labelled names are errors by the protocol, and no other name even earns a warning."""
    found = {name for name, note in memories().items() if list(properties.check(note))}
    assert found == listed("bad_names")
    severe = {name for name in found if any(one.severity == "error" for one in naming.check(name))}
    assert severe == found


def test_only_the_deliberate_links_dangle_and_the_likely_target_exists() -> None:
    dangling = {(name, to) for name, note in memories().items() for to in targets(note) if to not in notes()}
    assert dangling == {(label["name"], label["link"]) for label in HYGIENE["dangling"]}
    assert sum(label["likely"] is not None for label in HYGIENE["dangling"]) >= 8


def test_only_the_deliberate_notes_lack_fields() -> None:
    lacking = {
        name: [key for key in ("created", "type", "category") if not note.text(key)]
        for name, note in memories().items()
    }
    wanted = {label["name"]: sorted(label["fields"]) for label in HYGIENE["missing"]}
    assert {name: sorted(keys) for name, keys in lacking.items() if keys} == wanted


def test_only_the_deliberate_notes_are_orphans() -> None:
    linked = set().union(*(targets(note) for note in memories().values()))
    lonely = {
        name
        for name, note in memories().items()
        if not note.tags and not note.text("topic") and not note.text("project") and not targets(note)
    }
    assert lonely - linked == listed("orphans")


def test_only_the_deliberate_notes_are_oversized() -> None:
    """Over the 800 tokens of requirement A17; everything else stays far below it."""
    sizes = {name: tokens.estimate(note.body) for name, note in memories().items()}
    assert {name for name, size in sizes.items() if size > 800} == listed("oversized")
    assert max(size for name, size in sizes.items() if name not in listed("oversized")) < 400


def test_only_the_deliberate_notes_share_an_id() -> None:
    ids: dict[str, set[str]] = {}
    for name, note in memories().items():
        ids.setdefault(note.id, set()).add(name)
    shared = [names for names in ids.values() if len(names) > 1]
    assert sorted(map(sorted, shared)) == sorted(sorted(label["names"]) for label in HYGIENE["duplicate_ids"])


def test_tag_variants_are_used_and_no_others_differ_in_form_only() -> None:
    used = {tag for note in memories().values() for tag in note.tags}
    variants = [set(label["tags"]) for label in HYGIENE["tag_variants"]]
    assert set().union(*variants) <= used
    forms: dict[str, set[str]] = {}
    for tag in used:
        forms.setdefault(re.sub(r"[-_ ]", "", tag.lower()).rstrip("s"), set()).add(tag)
    same = [tags for tags in forms.values() if len(tags) > 1]
    assert [tags for tags in same if not any(tags <= group for group in variants)] == []


def test_expired_tasks_lie_before_today() -> None:
    tasks = {note.name: note for note in active() if note.text("category") == "future" and note.text("due")}
    past = {name for name, note in tasks.items() if note.text("due") < f"{TODAY:%Y-%m-%d}"}
    assert past == {label["name"] for label in HYGIENE["expired"] if label["due"].startswith("due")}
    assert past.isdisjoint(label["name"] for label in HYGIENE["not_expired"])
    assert all(memories()[name].text("category") == "future" for name in listed("expired"))


def test_supersedes_leads_to_notes_still_active_or_already_deprecated() -> None:
    told = {
        (links.wikilink_target(text), name)
        for name, note in memories().items()
        for text in note.strings("supersedes")
    }
    still = {(label["older"], label["newer"]) for label in LABELS["deprecate"]}
    done = {(label["older"], label["newer"]) for label in LABELS["superseded_already"]}
    assert {one for one in told if memories()[one[0]].status == "active"} == still
    assert done <= told - still


def test_prune_labels_follow_the_rule_of_decay() -> None:
    """Requirement D: unpinned, auto_prune, effective salience at the floor and below 0.001, not linked."""
    linked = set().union(*(targets(note) for note in active()))
    fading = {name: note for name, note in memories().items() if "decay" in note.meta}
    assert fading.keys() == {label["name"] for label in LABELS["prune"]}
    for label in LABELS["prune"]:
        note = fading[label["name"]]
        salience = decay.effective(note.meta, note.created, TODAY)
        assert salience is not None
        gone = salience < 0.001 and not note.flag("pinned") and note.text("deletion_policy") == "auto_prune"
        assert (gone and note.name not in linked) is label["prune"], label


def test_nothing_was_made_after_today() -> None:
    assert all(created(name) < TODAY + timedelta(days=1) for name, note in memories().items() if note.created)


def test_score_of_the_labels_themselves_is_perfect() -> None:
    for kind in garden_set.PAIRED:
        for part in ("", "dev", "held"):
            score = garden_set.score_pairs(kind, garden_set.wanted_pairs(kind), part)
            assert score[:4] == (1.0, 1.0, [], []), (kind, part)


def test_score_counts_wrong_and_missed_pairs() -> None:
    wanted = garden_set.wanted_pairs("conflicts")
    wrong = next(label for label in LABELS["lookalikes"] if label["against"] == "both")
    found = [*sorted(map(sorted, wanted))[:-2], sorted(pair(wrong))]
    score = garden_set.score_pairs("conflicts", found)
    assert score.recall == pytest.approx(1 - 2 / len(wanted))
    assert score.wrong == [tuple(sorted(pair(wrong)))]
    assert len(score.missed) == 2


def test_score_takes_a_chain_of_twins_for_the_group_and_leaves_neutral_pairs_out() -> None:
    group = [
        pair(label) for label in LABELS["twins"] if label.get("group") == "user_is_learning_rust_since_spring"
    ]
    chain = garden_set.score_pairs("twins", group[:2])
    assert len(chain.missed) == len(LABELS["twins"]) - 3
    grown = next(pair(label) for label in LABELS["lookalikes"] if label["kind"] == "list grew")
    assert garden_set.score_pairs("twins", [grown]).wrong == []
    assert garden_set.score_pairs("conflicts", [grown]).precision == 0
