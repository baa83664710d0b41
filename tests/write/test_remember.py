"""New memories: twins of long texts, and drafts from programs."""

from __future__ import annotations

import sys
from types import FrameType

import pytest

from mdmem.errors import ConflictError, NoteError, UsageError
from mdmem.language import likeness
from mdmem.note import naming
from mdmem.note.titles import title_of
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import remember as intake
from tests.conftest import Remember

WORDS = " ".join(f"word{number}" for number in range(2_000))


def test_a_long_text_is_compared_by_its_beginning(vault: Vault, remember: Remember) -> None:
    """Comparing megabytes whole takes minutes."""
    remember(WORDS + " and one end" * 400, name="long_note_here")
    (twin,) = intake.near_twins(vault, intake.Draft(WORDS + " with another close" * 250, {}))
    assert twin.score > 0.95


def test_a_short_text_is_no_twin_of_a_long_one_that_begins_with_it(vault: Vault, remember: Remember) -> None:
    remember(WORDS * 3, name="long_note_here")
    assert intake.near_twins(vault, intake.Draft(WORDS, {})) == []


def test_a_long_memory_with_the_same_title_is_compared_by_its_beginning(vault: Vault, remember: Remember) -> None:
    """A chat of such sentences has hundreds that are each compared with it: calls of functions, not seconds."""
    calls = []
    for colour, times in (("red", 100), ("green", 400)):
        title = f"Boat painted {colour} in the spring"
        text = "".join(f"The boat was painted in the spring of {at}, and so it stays.\n\n" for at in range(times))
        remember(text, f"boat_painted_{colour}", title=title)
        draft = intake.Draft("The boat is painted.", {"title": title})
        intake.near(vault, draft)  # loads modules
        likeness._around.cache_clear()
        count = 0

        def counted(frame: FrameType, event: str, argument: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(counted)
        try:
            assert intake.near(vault, draft)
        finally:
            sys.setprofile(None)
        calls.append(count)
    assert calls[1] < 1.5 * calls[0]


def test_many_drafts_are_written_all_or_none(vault: Vault, caller: Caller) -> None:
    drafts = [intake.Draft("one text", {}, "one_good_name"), intake.Draft("another", {}, "two_good_name")]
    with pytest.raises(ConflictError):
        intake.remember_all(vault, [*drafts, drafts[0]], caller)
    assert vault.index.count() == 0
    first, second = intake.remember_all(vault, drafts, caller)
    assert first.commit == second.commit == vault.resolve("HEAD")
    assert vault.index.count() == 2


@pytest.mark.parametrize(
    ("text", "properties"),
    [
        ("---\nid: x\n---\ntext", {}),
        ("a\0b", {}),
        ("caf\udce9", {}),
        ("text", {"created": "soon"}),
        ("text", {"mine": "caf\udce9"}),
        ("text", {"tags": [["a"]]}),
        ("", {"title": ""}),
    ],
)
def test_a_draft_that_would_not_read_back_is_refused(
    vault: Vault, caller: Caller, text: str, properties: dict[str, object]
) -> None:
    with pytest.raises(UsageError) as caught:
        intake.remember(vault, intake.Draft(text, properties), caller)  # type: ignore[arg-type]
    assert caught.value.hint
    assert vault.index.count() == 0


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("The door\n<<<<<<< HEAD\nis red\n=======\nis blue\n>>>>>>> side\n", 2, "merge conflict markers"),
        ("---\ntitle: Door\n---\n---\ntags: [x]\n---\n\nIt is red.\n", 4, "a second frontmatter block"),
    ],
)
def test_a_text_that_cannot_be_a_body_is_refused_with_its_line_before_anything_is_asked(
    text: str, line: int, message: str
) -> None:
    with pytest.raises(NoteError, match=message) as stop:
        intake.draft_from(text, {})
    assert (stop.value.problem.path, stop.value.problem.line) == ("the text given", line)


def test_merge_markers_in_code_can_be_remembered() -> None:
    text = "So it looks:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> side\n```"
    assert intake.draft_from(text, {}).text == text


@pytest.mark.parametrize(("text", "title"), [("1. Buy tea. 2. Boil water.", "Buy tea"), ("2) Ship it", "Ship it")])
def test_the_number_of_an_item_is_no_title(text: str, title: str) -> None:
    assert title_of(text) == title


@pytest.mark.parametrize(
    ("text", "title", "name"),
    [
        ("Lunch is at noon.", "Lunch is at noon", "lunch_is_at_noon"),
        (
            "We decided to use PostgreSQL 16 for Harbor because the team knows it and JSON works well.",
            "We decided to use PostgreSQL 16 for Harbor …",
            "decided_use_postgresql_16_harbor",
        ),
        (
            "When the CI cache is stale, delete the key harbor-cache-v2 in the settings and run it again.",
            "When the CI cache is stale, delete the key harbor-cache-v2 in the settings …",
            "when_ci_cache_stale_delete_key_harbor_v2",
        ),
        (
            "Die Besprechung ist immer dienstags um zehn, weil Anna vorher keine Zeit hat und andere erst kommen.",
            "Die Besprechung ist immer dienstags um zehn …",
            "die_besprechung_ist_immer_dienstags",
        ),
        (
            "東京支社の担当者は田中さんです。",
            "東京支社の担当者は田中さんです",
            "東京支社の_担当者は_田中さんです",
        ),
        ("दिल्ली भारत की राजधानी है।", "दिल्ली भारत की राजधानी है", "दिल्ली_भारत_की_राजधानी_है"),
        ("กรุงเทพเป็นเมืองหลวง", "กรุงเทพเป็นเมืองหลวง", "กรุงเทพเป็นเมืองหลวง_memory_note"),
        ("Wow! The port is 80", "Wow! The port is 80", "wow_port_80"),
    ],
    ids=["short", "reason", "long", "german", "japanese", "hindi", "thai", "exclamation"],
)
def test_a_title_is_a_clause_as_written_and_the_name_keeps_its_order(text: str, title: str, name: str) -> None:
    """No list of words, no cut within a word, no words turned round."""
    assert title_of(text) == title
    assert naming.make(title, text, lambda taken: False) == name
    assert not [finding for finding in naming.check(name) if finding.severity == "error"]


LONG = (
    "The billing service of the Hamburg office is allowed to send invoices to customers abroad on weekends since"
    " the March release of the accounting module went live."
)


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        (LONG, LONG.replace("is allowed", "is not allowed"), False),
        (LONG, LONG.replace("Hamburg", "Homburg"), False),
        (LONG, LONG.replace("weekends", "weekdays"), False),
        ("The zeta machine stands in hall one.", "The beta machine stands in hall one.", False),
        (LONG, LONG.replace("March release", "MARCH release,"), True),
        (LONG, LONG.replace("customers", "customer"), True),
    ],
)
def test_only_what_was_said_is_refused_as_said(old: str, new: str, is_same: bool) -> None:
    """Of two texts that are nearly the same, one may deny the other, or be about another thing."""
    assert intake.says_the_same(old, new) == is_same
    assert intake.says_the_same(new, old) == is_same
