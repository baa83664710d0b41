"""The rule of who may see what, on values alone."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.note import memory
from mdmem.note.trust import redaction, sensitivity
from mdmem.note.trust.sensitivity import LEVELS, Clearance
from mdmem.store.index.edges import fold_target

LEVEL = st.sampled_from(LEVELS)


@pytest.mark.parametrize(
    ("written", "level"),
    [(None, "low"), ("", "low"), ("High", "high"), ("secret", "hyper"), (3, "hyper"), (["low"], "hyper")],
)
def test_a_level_that_is_not_known_denies(written: object, level: str) -> None:
    assert sensitivity.level_of(written) == level


@given(LEVEL, LEVEL)
def test_only_one_level_above_the_limit_leaves_a_stub(limit: str, level: str) -> None:
    seen, above = Clearance(limit), sensitivity.rank(level) - sensitivity.rank(limit)
    assert seen.shows(level, "") is (above <= 0)
    assert seen.hints_at(level, "") is (above == 1)


def test_a_scope_hides_what_is_in_another_one_without_a_stub() -> None:
    seen = Clearance("medium", ("alpha",))
    assert seen.shows("low", "alpha")
    assert seen.shows("low", "")
    assert not seen.shows("low", "beta")
    assert not seen.hints_at("high", "beta")
    assert Clearance("medium").shows("low", "beta")


@given(st.booleans(), LEVEL | st.just(""), LEVEL | st.just(""))
def test_settings_of_a_vault_lower_and_never_raise(is_agent: bool, in_vault: str, of_person: str) -> None:
    """What arrives by clone must not open what its reader's own settings keep shut."""
    without = sensitivity.granted(is_agent, "", of_person)
    limit = sensitivity.granted(is_agent, in_vault, of_person)
    assert sensitivity.rank(limit) <= sensitivity.rank(without)
    derived = sensitivity.granted_derived(in_vault, "")
    assert sensitivity.rank(derived) <= sensitivity.rank("low")
    if of_person:
        assert limit == of_person


def test_an_agent_asks_for_less_only() -> None:
    assert sensitivity.granted(True, "", "", "low") == "low"
    assert sensitivity.granted(False, "low", "", "hyper") == "hyper"
    with pytest.raises(UsageError, match="up to 'medium'") as refused:
        sensitivity.granted(True, "", "", "high")
    assert "git config mdmem.max-sensitivity high" in refused.value.hint


def test_a_header_that_cannot_be_read_is_as_sensitive_as_any_line_of_it_says() -> None:
    note = memory.parse(b"---\nsensitivity: low\nsensitivity: hyper\nscope: [x\n---\ntext\n", "a_b_c.md", "v")
    assert sensitivity.marking(note)[0] == "hyper"


def test_a_mark_counts_in_whatever_letters_its_name_is_written() -> None:
    """Obsidian does not tell `Sensitivity` from `sensitivity`; of two marks the higher one counts."""
    note = memory.parse(b"---\nSensitivity: HIGH\nsensitivity: low\nSCOPE: team\n---\ntext\n", "a_b_c.md", "v")
    assert sensitivity.marking(note) == ("high", "team")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("see [[secret]] and [[other]]", "see [[redacted]] and [[other]]"),
        ("[[sub/Secret#part|of her]]", "[[redacted]]"),
        ("[her](sub/secret.md#x) or [him](other.md)", "[redacted] or [him](other.md)"),
        ("[x]: secret.md\n", "[redacted]\n"),
        ("`a_long_secret_name` it is", "`redacted` it is"),
        ("a secret is a word", "a secret is a word"),
    ],
)
def test_names_of_hidden_memories_are_taken_out_of_texts(text: str, left: str) -> None:
    redact = redaction.redactor(["secret", "a_long_secret_name"], fold_target)
    assert redact(text) == left


@given(st.text(alphabet="[]()|#.: \nasecrt_"))
def test_redacting_keeps_the_lines(text: str) -> None:
    redact = redaction.redactor(["secret", "a_secret_name"], fold_target)
    assert redact(text).count("\n") == text.count("\n")


NAMES = ("ana_has_a_secret", "has_a_secret", "plan_for_june", "日本_語_名")


PIECES = st.sampled_from((*NAMES, "ana", "june", "my", "_", "-", ".md", " ", "/"))


@given(st.lists(PIECES, max_size=8).map("".join))
def test_no_hidden_name_is_left_in_a_text(text: str) -> None:
    """Wherever a name stands as words of its own, alone or joined to others, in any case."""
    redacted = redaction.redactor(NAMES, str.lower)(text.title())
    for name in NAMES:
        assert not re.search(rf"(?<![a-z0-9]){name}(?![a-z0-9])", redacted.lower())
