"""Salience is written when something happens to a record, each time in one commit, and never when it is read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from mdmem.errors import StoppedError, UsageError
from mdmem.note import decay
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import revision
from mdmem.write import edit
from tests.conftest import NOW

Remember = Callable[..., str]
DAY = timedelta(days=1)
PROFILE = {"curve": "exponential", "half_life_seconds": 86400, "reinforcement_gain": 0.2}
FADING = {"salience": 0.8, "decay": PROFILE, "deletion_policy": "auto_prune"}
NAME = "deploys_run_on_fridays"


@pytest.fixture
def record(vault: Vault, remember: Remember) -> IndexedNote:
    remember("Deploys run on Fridays.", NAME, **FADING)
    return lookup.named(vault, NAME)


def later(days: float, actor: str = "claude-code") -> Caller:
    return Caller(NOW + days * DAY, actor)


def salience(vault: Vault, days: float) -> float | None:
    found = lookup.named(vault, NAME)
    return decay.effective(found.meta, found.created, NOW + days * DAY)


def test_reinforcing_adds_the_gain_to_what_is_left(vault: Vault, record: IndexedNote) -> None:
    done = revision.reinforce(vault, [record], later(1), "seen again")
    assert done.changes == (revision.SalienceChange(record.path, 0.4, 0.6),)
    assert [salience(vault, days) for days in (1, 2)] == [0.6, 0.3]


def test_a_gain_may_be_given(vault: Vault, record: IndexedNote) -> None:
    assert revision.reinforce(vault, [record], later(1), gain=0.05).changes[0].after == 0.45


def test_each_is_one_commit_that_says_what_and_why(
    vault: Vault, record: IndexedNote, root: Path, git: Callable[..., str]
) -> None:
    revision.reinforce(vault, [record], later(1), "seen again")
    revision.penalize(vault, [record], 0.1, later(2), "was wrong")
    revision.pin(vault, [record], later(3))
    revision.pin(vault, [record], later(4))
    messages = git(root, "log", "--format=%(trailers:key=Memory-Action,valueonly,separator=)|%b", "-z", "-3")
    said = [message.split("\n")[0] for message in messages.rstrip("\0").split("\0")]
    assert said == ["revise|pinned", "decay|penalty: was wrong", "reinforce|seen again"]


def test_only_the_lines_of_the_lifecycle_change(vault: Vault, record: IndexedNote, root: Path) -> None:
    before = (root / record.path).read_text().splitlines()
    revision.reinforce(vault, [record], later(1))
    after = (root / record.path).read_text().splitlines()
    assert [line for line in before if line not in after] == ["salience: 0.8"]
    assert [line for line in after if line not in before] == [
        "salience: 0.6",
        "last_reinforced_at: 2026-03-02T12:00:00Z",
    ]


def test_what_is_pinned_keeps_what_it_has(vault: Vault, record: IndexedNote) -> None:
    revision.pin(vault, [record], later(1))
    assert [salience(vault, days) for days in (1, 50)] == [0.4, 0.4]
    revision.pin(vault, [record], later(50), on=False)
    assert [salience(vault, days) for days in (50, 51)] == [0.4, 0.2]


@pytest.mark.parametrize("odd", [-1, float("nan"), float("inf")])
def test_an_odd_number_changes_nothing(vault: Vault, record: IndexedNote, root: Path, odd: float) -> None:
    before = (root / record.path).read_bytes()
    with pytest.raises(UsageError):
        revision.penalize(vault, [record], odd, later(1))
    with pytest.raises(UsageError):
        revision.reinforce(vault, [record], later(1), gain=odd)
    assert (root / record.path).read_bytes() == before


@pytest.fixture
def faded(vault: Vault, remember: Remember) -> Vault:
    """Five records of which only one may go."""
    remember("The weather was grey.", "weather_was_grey_today", **FADING)
    remember("Ada likes tea.", "ada_likes_green_tea", **{**FADING, "deletion_policy": "manual_only"})
    remember("The vault has a key.", "vault_has_a_key", **{**FADING, "deletion_policy": "never"})
    remember("Bo lives in Bern.", "bo_lives_in_bern", **FADING, pinned=True)
    remember("Cy has a cat.", "cy_has_a_cat", **{**FADING, "decay": {**PROFILE, "min_salience": 0.01}})
    return vault


def test_prune_takes_what_policy_allows(faded: Vault, root: Path) -> None:
    done = revision.prune(faded, later(50), dry_run=True)
    assert [change.path for change in done.changes] == ["allmemories/weather_was_grey_today.md"]
    assert revision.prune(faded, later(50)).changes == done.changes
    assert not (root / done.changes[0].path).exists()
    assert revision.prune(faded, later(50)).commit == ""


def test_the_stricter_rule_has_to_be_asked_for(faded: Vault) -> None:
    done = revision.prune(faded, later(50), strict=True)
    names = {change.path.split("/")[1] for change in done.changes}
    assert names == {"weather_was_grey_today.md", "cy_has_a_cat.md"}


def test_never_means_never(faded: Vault) -> None:
    for name in ("vault_has_a_key", "ada_likes_green_tea"):
        record = lookup.named(faded, name)
        if name == "vault_has_a_key":
            with pytest.raises(StoppedError, match="deletion_policy"):
                edit.forget(faded, [record], later(1))
        else:
            assert edit.forget(faded, [record], later(1)).commit


def test_a_header_that_cannot_be_read_is_never_pruned(faded: Vault, root: Path, git: Callable[..., str]) -> None:
    place = root / "allmemories/weather_was_grey_today.md"
    place.write_text(place.read_text().replace("---\n\n", "bad: [x\n---\n\n"))
    git(root, "commit", "-qam", "by hand")
    with Vault.open(str(root)) as vault:
        assert revision.prune(vault, later(50)).commit == ""
    assert place.exists()
