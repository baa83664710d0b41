"""Two versions of a note become one: nothing is lost, the properties stay YAML, what is undecided can be seen."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import assume, given, settings

from mdmem.history.merging.notes import merge, namesake
from mdmem.note import header, yaml12
from tests.history.merging.histories import histories, wild_histories


def lines_of(text: str) -> Counter[str]:
    """The lines that are not blank, and how often each is there."""
    return Counter(line.strip() for line in text.split("\n") if line.strip())


@settings(max_examples=60)
@given(histories())
def test_it_makes_no_difference_which_side_is_named_first(texts: list[str]) -> None:
    base, ours, theirs = texts
    merged, mirrored = merge(base, ours, theirs), merge(base, theirs, ours)
    assert {(found.ours, found.theirs) for found in merged.conflicts} == {
        (found.theirs, found.ours) for found in mirrored.conflicts
    }
    if not merged.conflicts:
        assert merged == mirrored


@settings(max_examples=60)
@given(histories())
def test_what_is_merged_can_be_merged_again(texts: list[str]) -> None:
    base, ours, theirs = texts
    merged = merge(base, ours, theirs)
    assume(not merged.conflicts)
    assert merge(base, merged.text, theirs) == merged
    assert merge(base, merged.text, merged.text) == merged


@settings(max_examples=60)
@given(histories(sides=3))
def test_of_three_any_two_can_be_merged_first(texts: list[str]) -> None:
    """Where a side deletes the line that others write beside, only the order may differ."""
    base, one, two, three = texts
    left, right = merge(base, one, two), merge(base, two, three)
    assume(not left.conflicts and not right.conflicts)
    first, second = merge(base, left.text, three), merge(base, one, right.text)
    assume(not first.conflicts and not second.conflicts)
    assert lines_of(first.text) == lines_of(second.text)
    if all(lines_of(base) <= lines_of(side) for side in (one, two, three)):
        assert first == second


@settings(max_examples=60)
@given(histories())
def test_no_line_is_dropped_that_a_side_wrote_and_none_that_both_kept(texts: list[str]) -> None:
    base, ours, theirs = (text.split("---\n", 2)[2] for text in texts)
    merged = lines_of(merge(*texts).text)
    for line in lines_of(ours) | lines_of(theirs):
        was, left, right = (lines_of(text)[line] for text in (base, ours, theirs))
        at_least = min(left, right) + max(0, left - was, right - was) if line.strip("`=") else 0
        assert merged[line] >= min(at_least, max(left, right)), line


@settings(max_examples=60)
@given(histories())
def test_the_properties_are_yaml_and_hold_what_each_side_added(texts: list[str]) -> None:
    base, ours, theirs = (header.split(text, "a.md").meta for text in texts)
    head = header.split(merge(*texts).text, "a.md")
    assert not head.broken
    assert head.form == "frontmatter"
    yaml12.load(merge(*texts).text.split("---\n", 2)[1])
    tags = [set(meta.get("tags", [])) for meta in (base, ours, theirs)]
    kept = (tags[1] & tags[2]) | (tags[1] - tags[0]) | (tags[2] - tags[0])
    assert set(head.meta.get("tags", [])) == kept


NOTE = """---
id: 0192f3c4-7d1e-7c3a-9d53-000000000001
title: 'A title'   # mine
created: 2026-03-01T12:00:00Z
tags: [alpha, beta]
related_to:
  - "[[one]]"
status: active
confidence: 0.9
---

First sentence.
Second sentence.

## Timeline

- began

## Sources

- a book
"""


def changed(*changes: tuple[str, str]) -> str:
    """The note with some of its text replaced."""
    text = NOTE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def merged(ours: str, theirs: str, base: str | None = NOTE) -> str:
    """A merge without conflicts, the same both ways round."""
    found = merge(base, ours, theirs)
    assert found.conflicts == ()
    assert found == merge(base, theirs, ours)
    return found.text


def test_properties_that_one_side_touched_keep_their_bytes() -> None:
    ours = changed(("[alpha, beta]", "[alpha]"), ("confidence: 0.9", "confidence: 0.8  # seen twice"))
    theirs = changed(("'A title'   # mine", "'Another'   # mine"), ('"[[one]]"\n', '"[[one]]"  # why\n'))
    assert merged(ours, theirs) == changed(
        ("[alpha, beta]", "[alpha]"),
        ("confidence: 0.9", "confidence: 0.8  # seen twice"),
        ("'A title'   # mine", "'Another'   # mine"),
        ('"[[one]]"\n', '"[[one]]"  # why\n'),
    )


def test_one_value_with_two_comments_has_one_of_them_whichever_side_is_first() -> None:
    ours, theirs = changed(("0.9", "0.9  # a guess")), changed(("0.9", "0.9  # measured"))
    assert merged(ours, theirs) == theirs
    assert merged(ours, theirs, base=None) == theirs


def test_lists_are_merged_as_sets() -> None:
    ours = changed(("[alpha, beta]", "[beta, zeta]"), ('"[[one]]"\n', '"[[one]]"\n  - "[[two]]"\n'))
    theirs = changed(("[alpha, beta]", "[alpha, beta, 'an: item']"), ('  - "[[one]]"\n', '  - "[[three]]"\n'))
    meta = header.split(merged(ours, theirs), "a.md").meta
    assert meta["tags"] == ["beta", "an: item", "zeta"]
    assert meta["related_to"] == ["[[three]]", "[[two]]"]


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        ("created: 2026-02-01T12:00:00Z", "created: 2026-02-01", "created: 2026-02-01"),
        ("updated: 2026-03-02", "updated: 2026-03-01T23:59:59Z", "updated: 2026-03-02"),
        ("last_reinforced_at: 2026-03-02", "last_reinforced_at: 2026-03-10", "last_reinforced_at: 2026-03-10"),
        ("status: deprecated", "status: contested", "status: deprecated"),
        ("sensitivity: hyper", "sensitivity: public", "sensitivity: hyper"),
        ("pinned: false", "pinned: true", "pinned: true"),
    ],
)
def test_a_property_decides_by_its_meaning(ours: str, theirs: str, result: str) -> None:
    versions = [f"---\ntitle: A\n{line}\n---\n\ntext\n" for line in (ours, theirs)]
    assert merged(*versions, base="---\ntitle: A\n---\n\ntext\n") == f"---\ntitle: A\n{result}\n---\n\ntext\n"


def test_of_two_titles_that_of_the_later_note_counts_and_the_other_can_be_seen() -> None:
    ours = changed(("'A title'", "Zebra"), ("status:", "updated: 2026-03-02\nstatus:"))
    theirs = changed(("'A title'", "Apple"), ("status:", "updated: 2026-03-03\nstatus:"))
    found = merge(NOTE, ours, theirs)
    assert [item.key for item in found.conflicts] == ["title"]
    assert header.split(found.text, "a.md").meta["title"] == "Apple"
    body = found.text.split("---\n", 2)[2]
    assert body.startswith(
        "<<<<<<< ours (property)\ntitle: Zebra   # mine\n=======\ntitle: Apple   # mine\n>>>>>>>"
    )


def test_lines_side_by_side_and_bullets_at_one_spot_are_no_conflict() -> None:
    ours = changed(("First sentence.", "First sentence, longer."), ("- began\n", "- began\n- ours\n  - detail\n"))
    theirs = changed(("Second sentence.", "Second sentence, longer."), ("- began\n", "- began\n- theirs\n"))
    text = merged(ours, theirs)
    assert "First sentence, longer.\nSecond sentence, longer.\n" in text
    assert "- began\n- ours\n  - detail\n- theirs\n\n## Sources" in text


def test_one_sentence_changed_twice_is_a_conflict_in_the_body() -> None:
    found = merge(NOTE, changed(("First sentence", "First words")), changed(("First sentence", "First lines")))
    assert "<<<<<<< ours\nFirst words.\n=======\nFirst lines.\n>>>>>>> theirs\nSecond" in found.text
    assert found.text.split("---\n", 2)[1] == NOTE.split("---\n", 2)[1]


def test_a_section_that_one_side_moved_and_the_other_wrote_in() -> None:
    body = NOTE.split("---\n", 2)[2]
    moved = changed((body, body.replace("## Timeline\n\n- began\n\n", "") + "\n## Timeline\n\n- began\n"))
    text = merged(moved, changed(("- began\n", "- began\n- ended\n")))
    assert text.endswith("## Sources\n\n- a book\n\n## Timeline\n\n- began\n- ended\n")


def test_what_one_side_deleted_and_the_other_changed_stays() -> None:
    text = merged(changed(("## Timeline\n\n- began\n\n", "")), changed(("- began\n", "- began\n- ended\n")))
    assert "\n\n## Timeline\n\n- ended\n\n## Sources" in text


def test_code_is_not_split() -> None:
    ours = changed(("- began\n", "- began\n\n```\na = 1\nb = 2\n```\n"))
    theirs = changed(("- began\n", "- began\n\n```\na = 1\nc = 3\n```\n"))
    text = merged(ours, theirs)
    assert "```\na = 1\nb = 2\n```\n\n```\na = 1\nc = 3\n```\n" in text


def test_line_ends_and_bom_follow_the_side_that_changed_them() -> None:
    ours = "\ufeff" + changed(("- began", "- began\n- ours")).replace("\n", "\r\n")
    theirs = changed(("a book", "a book\n- a page"))
    expected = changed(("- began", "- began\n- ours"), ("a book", "a book\n- a page"))
    assert merged(ours, theirs) == "\ufeff" + expected.replace("\n", "\r\n")


@pytest.mark.parametrize(
    "damaged",
    [
        NOTE.replace("status:", "title: again\nstatus:"),
        NOTE.replace("'A title'", "'A title"),
        NOTE.replace("confidence: 0.9\n---\n", "confidence: 0.9\n"),
        NOTE.replace("status: active", "status: &a active"),
    ],
)
def test_a_damaged_note_is_merged_line_by_line(damaged: str) -> None:
    assert merged(damaged, damaged.replace("a book", "another book"), base=damaged).endswith("- another book\n")
    repaired = merge(damaged, NOTE, damaged.replace("a book", "another book"))
    assert repaired.text == NOTE.replace("a book", "another book")


def test_texts_without_properties() -> None:
    assert merged("", "a\n", base=None) == "a\n"
    assert merged("# A\n\nours\n\nend\n", "# A\n\nend\n\ntheirs\n", base=None) == "# A\n\nours\n\nend\n\ntheirs\n"
    adopted = "---\nid: 0192f3c4-7d1e-7c3a-9d53-000000000001\n---\n\ntext\n"
    assert merged(adopted, "text\n\nmore\n", base="text\n") == adopted + "\nmore\n"


def test_two_memories_of_one_name_are_both_kept() -> None:
    other = changed(("000000000001", "000000000002"), ("2026-03-01", "2026-02-01"))
    found = merge(None, NOTE, other)
    assert found.is_two
    assert namesake(NOTE, other) == namesake(other, NOTE) == (other, NOTE)
    assert found.text == other.replace(
        "---\n\nFirst", "---\n<<<<<<< ours (memory)\n" + NOTE + "=======\n>>>>>>> theirs (memory)\n\nFirst"
    )


def test_of_two_memories_of_one_name_the_more_sensitive_one_holds_the_other() -> None:
    secret = changed(
        ("000000000001", "000000000002"), ("2026-03-01", "2026-04-01"), ("status:", "sensitivity: high\nstatus:")
    )
    assert namesake(NOTE, secret) == (secret, NOTE)


def test_a_header_too_unusual_to_be_merged_stays_as_one_side_has_it() -> None:
    """Never as something that cannot be read."""
    base = NOTE.replace("status: active", "status:\n  active")
    ours, theirs = base.replace("0.9", "0.8"), base.replace("'A title'", "Another")
    unusual = merge(base, ours.replace("confidence:", "? confidence\n:"), theirs)
    assert not header.split(unusual.text, "a.md").broken
    assert [found.about for found in unusual.conflicts] == ["property"]


def test_a_conflict_within_code_that_is_never_closed_is_one() -> None:
    base = NOTE + "\n```\nx = 1\n"
    found = merge(base, base.replace("x = 1", "x = 2"), base.replace("x = 1\n", "x = 3\n```\n"))
    assert found.conflicts


def test_a_wild_history_is_merged_without_damage() -> None:
    """Lines that mean something to YAML or Markdown, put anywhere: what can be read on both sides can be after."""
    for texts in wild_histories(range(250)):
        found, mirrored = merge(*texts), merge(texts[0], texts[2], texts[1])
        sound = not any(header.split(text, "").broken for text in texts)
        assert not sound or not header.split(found.text, "").broken, texts
        assert found.conflicts or found == mirrored, texts
