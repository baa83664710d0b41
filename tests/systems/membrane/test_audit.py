"""The audit log of a record is what git says of it, whoever wrote, and the same for one record as for all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mdmem.history import past
from mdmem.note import decay
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import audit, revision
from mdmem.write import edit, rename
from mdmem.write.edit import Edit
from mdmem.write.remember import Draft, remember
from tests.conftest import NOW, Ran

Git = Callable[..., str]
PROFILE = {"curve": "exponential", "half_life_seconds": 86400, "reinforcement_gain": 0.2}
FADING = {"salience": 0.8, "decay": PROFILE, "deletion_policy": "auto_prune"}
NAME = "deploys_run_on_fridays"


class Clock:
    """A caller whose time goes on by an hour with each write."""

    def __init__(self, start: datetime = NOW) -> None:
        self.now = start

    def __call__(self, actor: str = "claude-code", **ahead: float) -> Caller:
        self.now += timedelta(**(ahead or {"hours": 1}))
        return Caller(self.now, actor, "conv-1")


def told(vault: Vault, name: str) -> list[tuple[str, str]]:
    log = audit.of_memory(vault, *past.identify(vault, name)).log
    assert [entry["timestamp"] for entry in log] == sorted(entry["timestamp"] for entry in log)
    assert all(entry["actor"] and entry["rationale"] for entry in log)
    return [(entry["action"], entry["rationale"]) for entry in log]


@pytest.fixture
def lived(vault: Vault, root: Path, git: Git) -> Iterator[Vault]:
    """A vault in which much happened to one record."""
    clock = Clock()
    remember(vault, Draft("Deploys run on Fridays.", dict(FADING), NAME), clock(), "said in the stand-up")  # type: ignore[arg-type]
    revision.reinforce(vault, [lookup.named(vault, NAME)], clock(), "seen again")
    revision.revise(vault, [lookup.named(vault, NAME)], Edit(append="Not in May."), clock(), "the freeze")
    rename.rename(vault, lookup.named(vault, NAME), "deploys_on_fridays_only", clock())
    place = root / "allmemories/deploys_on_fridays_only.md"
    place.write_text(place.read_text() + "\nBy hand.\n")
    date = f"{clock().now:%Y-%m-%dT%H:%M:%SZ}"
    git(root, "commit", "-qam", "I know better", GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
    with Vault.open(str(root)) as again:
        revision.penalize(again, [lookup.named(again, "deploys_on_fridays_only")], 0.1, clock(), "was wrong")
        fork = Draft("Hotfixes run on any day.", {}, "hotfixes_run_any_day")
        revision.fork(again, lookup.named(again, "deploys_on_fridays_only"), fork, clock())
        edit.forget(again, [lookup.named(again, "deploys_on_fridays_only")], clock(), "tidying")
        past.restore(again, "deploys_on_fridays_only", clock())
        new = Draft("Deploys run on Mondays.", {}, "deploys_run_on_mondays")
        revision.supersede(again, lookup.named(again, "deploys_on_fridays_only"), new, clock(), "decided")
    with Vault.open(str(root)) as again:
        yield again


def test_every_event_is_told_in_order(lived: Vault) -> None:
    assert told(lived, "deploys_on_fridays_only") == [
        ("create", "said in the stand-up"),
        ("reinforce", "seen again"),
        ("revise", "the freeze"),
        ("revise", "rename allmemories/deploys_on_fridays_only.md"),
        ("revise", "I know better"),
        ("decay", "penalty: was wrong"),
        ("fork", "another record was forked from it"),
        ("delete", "tidying"),
        ("create", "restore allmemories/deploys_on_fridays_only.md"),
        ("revise", "decided"),
    ]
    assert told(lived, "deploys_run_on_mondays") == [("create", "decided")]
    by = audit.of_memory(lived, *past.identify(lived, "deploys_on_fridays_only")).log
    assert {entry["actor"] for entry in by} == {"claude-code", "Ada Lovelace"}


def test_one_walk_for_all_tells_the_same(lived: Vault) -> None:
    records = list(lived.index.records())
    every = audit.of_all(lived, {record.path: record.id for record in records})
    assert len(records) == 3
    for record in records:
        assert every[record.id].log == audit.of_memory(lived, record.path, record.id).log, record.name


def test_what_was_deleted_with_plain_git_and_came_back_is_told(vault: Vault, root: Path, git: Git) -> None:
    clock = Clock()

    def commit(message: str) -> None:
        date = f"{clock().now:%Y-%m-%dT%H:%M:%SZ}"
        git(root, "commit", "-qm", message, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)

    path = remember(vault, Draft("Deploys run on Fridays.", {}, NAME), clock()).path
    bare = root / "allmemories/tea_is_better_than_coffee.md"
    bare.write_text("Tea is better than coffee.\n")
    git(root, "add", "allmemories")
    commit("tea")
    git(root, "rm", "-q", path, "allmemories/tea_is_better_than_coffee.md")
    commit("tidied up")
    with Vault.open(str(root)) as again:
        past.restore(again, NAME, clock())
    git(root, "checkout", "-q", "HEAD~2", "--", "allmemories/tea_is_better_than_coffee.md")
    commit("tea again")
    with Vault.open(str(root)) as again:
        memories = {record.path: record.id for record in again.index.records()}
        logs = audit.of_all(again, memories)
        for place, id in memories.items():
            assert [entry["action"] for entry in logs[id].log] == ["create", "delete", "create"]
            assert logs[id] == audit.of_memory(again, place, id)


def test_the_command_line_prints_it(lived: Vault, root: Path, mdmem: Callable[..., Ran]) -> None:
    options = ("--vault", root, "--format", "membrane")
    printed = json.loads(mdmem("log", "deploys_on_fridays_only", *options).out)
    assert [entry["action"] for entry in printed][:2] == ["create", "reinforce"]
    assert set(printed[0]) == {"action", "actor", "timestamp", "rationale"}
    assert "name it" in mdmem("log", *options, code=2).err


def test_a_merge_and_a_retraction_are_told_of_each(vault: Vault) -> None:
    clock = Clock()
    names = ("deploys_run_on_fridays", "deploys_run_at_noon", "tea_is_served_daily")
    for name in names:
        remember(vault, Draft(f"{name} is so.", {}, name), clock(), "said")
    first, second, third = (lookup.named(vault, name) for name in names)
    merged = Draft("Deploys run on Fridays at noon.", {}, "deploys_run_fridays_noon")
    revision.merge(vault, [first, second], merged, clock(), "the same")
    revision.retract(vault, [third], clock(), "no longer so")
    assert told(vault, names[0]) == told(vault, names[1]) == [("create", "said"), ("merge", "the same")]
    assert told(vault, names[2])[1:] == [("delete", "no longer so")]
    assert told(vault, "deploys_run_fridays_noon") == [("create", "the same")]


def test_a_simulated_year_reconciles_with_git(vault: Vault, root: Path, git: Git) -> None:
    """Reinforced weekly, revised monthly, pruned at the end: as many entries as commits; salience stays finite."""
    clock = Clock(datetime(2025, 1, 1, tzinfo=UTC))
    names = ("used_every_week_here", "never_used_at_all", "kept_by_hand_only")
    policies = ("auto_prune", "auto_prune", "manual_only")
    for name, policy in zip(names, policies, strict=True):
        draft = Draft(f"{name} is so.", {**FADING, "deletion_policy": policy}, name)  # type: ignore[dict-item]
        remember(vault, draft, clock(), "begun")
    for week in range(52):
        used = lookup.named(vault, names[0])
        revision.reinforce(vault, [used], clock(days=7), f"week {week}")
        if week % 4 == 3:
            revision.revise(vault, [used], Edit(append=f"Month {week // 4}."), clock(), "monthly")
    assert [change.path for change in revision.prune(vault, clock()).changes] == [
        "allmemories/never_used_at_all.md"
    ]
    used = lookup.named(vault, names[0])
    assert 0.15 <= (decay.effective(used.meta, used.created, clock.now) or 0) <= 1
    logs = {name: [action for action, _ in told(vault, name)] for name in names}
    assert [logs[names[0]].count(action) for action in ("create", "reinforce", "revise")] == [1, 52, 13]
    assert logs[names[1]] == ["create", "decay"]
    assert logs[names[2]] == ["create"]
    commits = int(git(root, "rev-list", "--count", "HEAD", "--", "allmemories"))
    assert sum(map(len, logs.values())) == commits == 3 + 52 + 13 + 1
