"""Revising keeps what was said: each operation is one commit, and links new and old."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mdmem.acts.checks import doctor
from mdmem.acts.githooks import staged_problems
from mdmem.errors import ConflictError, NoteError, UsageError
from mdmem.history.lineage import Walk, trace
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller
from mdmem.store.vault import lookup
from mdmem.store.vault.vault import Vault
from mdmem.systems.membrane import revision
from mdmem.write import edit
from mdmem.write.edit import Edit
from mdmem.write.remember import Draft
from tests.conftest import NOW, Ran

Remember = Callable[..., str]
Git = Callable[..., str]
WHO = Caller(NOW, "claude-code", "conv-1")
OLD, NEW = "deploys_run_on_fridays", "deploys_run_on_mondays"
DRAFT = Draft("Deploys run on Mondays.", {}, NEW)


@pytest.fixture
def old(vault: Vault, remember: Remember) -> IndexedNote:
    remember("Deploys run on Fridays.", OLD, type="semantic", scope="team", tags=["ops"], salience=0.8)
    return lookup.named(vault, OLD)


def meta(vault: Vault, name: str) -> dict[str, object]:
    return dict(lookup.named(vault, name).meta)


def actions(root: Path, git: Git) -> list[str]:
    log = git(root, "log", "--format=%(trailers:key=Memory-Action,valueonly,separator=)", "--", "allmemories")
    return log.split()


def test_superseding_retracts_the_old_and_links_both(vault: Vault, old: IndexedNote, root: Path, git: Git) -> None:
    done = revision.supersede(vault, old, DRAFT, WHO, "said so in the meeting")
    before, after = meta(vault, OLD), meta(vault, NEW)
    assert (before["status"], before["salience"], before["superseded_by"]) == ("retracted", 0, [f"[[{NEW}]]"])
    assert (after["status"], after["salience"], after["supersedes"]) == ("active", 1, [f"[[{OLD}]]"])
    assert (after["type"], after["scope"], after["tags"]) == ("semantic", "team", ["ops"])
    assert after["provenance"] == [
        {"kind": "artifact", "ref": old.id, "created_by": "claude-code", "timestamp": "2026-03-01T12:00:00Z"}
    ]
    assert done.origins == (old.path,)
    assert actions(root, git) == ["revise", "create"]


def test_what_is_given_wins_over_what_is_taken_over(vault: Vault, old: IndexedNote) -> None:
    source = {"kind": "event", "ref": "chat-1"}
    draft = Draft("Deploys run on Mondays.", {"scope": "global", "salience": 0.3, "provenance": [source]}, NEW)
    revision.supersede(vault, old, draft, WHO)
    after = meta(vault, NEW)
    assert (after["scope"], after["salience"]) == ("global", 0.3)
    assert [item["ref"] for item in after["provenance"]] == ["chat-1", old.id]  # type: ignore[attr-defined]


def test_forking_leaves_the_source_alone(vault: Vault, old: IndexedNote, root: Path, git: Git) -> None:
    before = (root / old.path).read_bytes()
    revision.fork(vault, old, DRAFT, WHO)
    assert (root / old.path).read_bytes() == before
    assert meta(vault, NEW)["derived_from"] == [f"[[{OLD}]]"]
    assert actions(root, git)[0] == "fork"
    assert f"Memory-Source: {old.id}" in git(root, "log", "-1", "--format=%B")


def test_merging_retracts_all_sources(
    vault: Vault, old: IndexedNote, remember: Remember, root: Path, git: Git
) -> None:
    remember("Deploys run at noon.", "deploys_run_at_noon")
    noon = lookup.named(vault, "deploys_run_at_noon")
    revision.merge(vault, [old, noon], Draft("Deploys run on Fridays at noon.", {}, NEW), WHO)
    assert meta(vault, NEW)["derived_from"] == [f"[[{OLD}]]", "[[deploys_run_at_noon]]"]
    for name in (OLD, "deploys_run_at_noon"):
        source = meta(vault, name)
        assert (source["status"], source["salience"], source["superseded_by"]) == ("retracted", 0, [f"[[{NEW}]]"])
    assert actions(root, git)[0] == "merge"
    with pytest.raises(UsageError, match="nothing to merge"):
        revision.merge(vault, [old], DRAFT, WHO)


def test_retracting_keeps_the_record(vault: Vault, old: IndexedNote, root: Path, git: Git) -> None:
    revision.retract(vault, [old], WHO)
    kept = meta(vault, OLD)
    assert (kept["status"], kept["salience"]) == ("retracted", 0)
    assert "Deploys run on Fridays." in (root / old.path).read_text()
    assert actions(root, git)[0] == "delete"


def test_contesting_keeps_both(vault: Vault, old: IndexedNote, remember: Remember) -> None:
    remember("No deploy ever runs on a Friday.", "no_deploys_on_fridays")
    other = lookup.named(vault, "no_deploys_on_fridays")
    revision.contest(vault, old, other, WHO)
    contested = meta(vault, OLD)
    assert (contested["status"], contested["contested_by"]) == ("contested", ["[[no_deploys_on_fridays]]"])
    assert lookup.named(vault, other.name).status == "active"
    with pytest.raises(UsageError, match="itself"):
        revision.contest(vault, old, old, WHO)


def test_an_episode_is_not_revised(vault: Vault, remember: Remember, root: Path) -> None:
    path = remember("The deploy of Friday failed.", "deploy_of_friday_failed", type="episodic")
    episode = lookup.named(vault, "deploy_of_friday_failed")
    before = (root / path).read_bytes()
    for revised in (
        lambda: revision.revise(vault, [episode], Edit(append="It did not."), WHO),
        lambda: revision.supersede(vault, episode, DRAFT, WHO),
        lambda: revision.fork(vault, episode, DRAFT, WHO),
        lambda: revision.merge(vault, [episode, episode], DRAFT, WHO),
        lambda: revision.retract(vault, [episode], WHO),
        lambda: revision.contest(vault, episode, episode, WHO),
        lambda: edit.update_all(vault, [episode], Edit(body="It went well."), WHO),
        *(
            partial(edit.update_all, vault, [episode], Edit(changes=change), WHO)
            for change in (
                {"type": "note"},
                {"type": None},
                {"title": "A deploy"},
                {"confidence": 0.1},
                {"status": "retracted"},
                {"created": "2020-01-01T00:00:00Z"},
            )
        ),
    ):
        with pytest.raises(UsageError, match="episodic"):
            revised()
    assert (root / path).read_bytes() == before
    assert edit.update_all(vault, [episode], Edit(changes={"importance": 0.5}), WHO).commit


def test_an_episode_rewritten_by_hand_is_named_by_hook_and_doctor(
    vault: Vault, remember: Remember, root: Path, git: Git
) -> None:
    path = remember("The deploy of Friday failed.", "deploy_of_friday_failed", type="episodic")
    written = (root / path).read_text()
    for text, expected in (
        (written.replace("failed.", "went well."), [("append-only", path)]),
        (written.replace("type: episodic", "type: note"), [("append-only", path)]),
        (written.replace("type: episodic", "type: episodic\nimportance: 0.5"), []),
    ):
        (root / path).write_text(text)
        git(root, "add", "allmemories")
        assert [(found.code, found.path) for found in staged_problems(vault)] == expected
        assert [(one.code, one.path) for one in doctor.examine(vault) if one.code == "append-only"] == expected


def test_an_episode_whose_type_was_changed_by_hand_is_told(vault: Vault, remember: Remember, root: Path) -> None:
    path = remember("The deploy of Friday failed.", "deploy_of_friday_failed", type="episodic")
    (root / path).write_text((root / path).read_text().replace("type: episodic", "type: note"))
    told: list[str] = []
    vault.tell = told.append
    edit.update_all(vault, [lookup.named(vault, "deploy_of_friday_failed")], Edit(append="It did not."), WHO)
    assert told == [f"{path} is an episode, which is written once, edited by hand"]


def test_what_would_be_no_valid_record_is_refused(vault: Vault, remember: Remember, root: Path, git: Git) -> None:
    sections = "## Task\n\n- thread_id: t-1\n- state: planning\n"
    remember(sections, "moving_house_in_may_now", type="working")
    working, head = lookup.named(vault, "moving_house_in_may_now"), git(root, "rev-parse", "HEAD")
    prose = Draft("We move in June, not in May.", {}, "moving_house_in_june_now")
    for refused, field in (
        (lambda: revision.revise(vault, [working], Edit(body="We move in June."), WHO), "payload.thread_id"),
        (lambda: revision.revise(vault, [working], Edit(changes={"decay": {"curve": "flat"}}), WHO), "half_life"),
        (lambda: revision.supersede(vault, working, prose, WHO), "payload.thread_id"),
        (lambda: revision.fork(vault, working, prose, WHO), "payload.thread_id"),
    ):
        with pytest.raises(NoteError, match=field):
            refused()
    assert git(root, "rev-parse", "HEAD") == head
    assert revision.revise(vault, [working], Edit(changes={"importance": 0.5}), WHO).commit


def test_what_was_not_valid_before_may_be_revised(vault: Vault, remember: Remember) -> None:
    remember("## Task\n\n- state: planning\n", "moving_house_in_may_now", type="working")
    working = lookup.named(vault, "moving_house_in_may_now")
    assert revision.revise(vault, [working], Edit(changes={"confidence": 0.5}), WHO).commit


def test_the_new_record_may_be_json(vault: Vault, old: IndexedNote, root: Path, mdmem: Callable[..., Ran]) -> None:
    payload = '{"subject": "team", "predicate": "deploys_on", "object": "Monday", "validity": {"mode": "global"}}'
    line = ("record", "supersede", OLD, "--name", NEW, "--vault", root)
    mdmem(*line, "--text", payload)
    shown = json.loads(mdmem("show", "--as", "record", NEW, "--json", "--vault", root).out)
    assert (shown["payload"]["object"], shown["scope"]) == ("Monday", "team")
    assert old.id in [source["ref"] for source in shown["provenance"]["sources"]]
    assert shown["relations"] == [{"predicate": "supersedes", "target_id": old.id}]
    assert "predicate" in mdmem(*line, "--text", '{"subject": "team"}', code=2).err


def test_nothing_is_half_done(vault: Vault, old: IndexedNote, root: Path, git: Git) -> None:
    before, head = (root / old.path).read_bytes(), git(root, "rev-parse", "HEAD")
    with pytest.raises(ConflictError):
        revision.supersede(vault, old, Draft("Deploys run on Mondays.", {}, OLD), WHO)
    with pytest.raises(UsageError):
        revision.supersede(vault, old, Draft("Deploys run on Mondays.", {"confidence": 7}, NEW), WHO)
    assert (root / old.path).read_bytes() == before
    assert git(root, "rev-parse", "HEAD") == head


def test_eight_processes_lose_no_revision(vault: Vault, old: IndexedNote, root: Path, git: Git) -> None:
    """Four revise one record at once and four supersede it: every commit and every successor is there."""
    run = [sys.executable, "-m", "mdmem", "record"]
    commands = [
        *([*run, "revise", OLD, "--append", f"Revision {number}."] for number in range(4)),
        *(
            [
                *run,
                "supersede",
                OLD,
                "--text",
                f"Deploys run on day {number}.",
                "--name",
                f"deploys_on_day_{number}",
            ]
            for number in range(4)
        ),
    ]
    processes = [
        subprocess.Popen(command, cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        for command in commands
    ]
    for process in processes:
        _, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
    with Vault.open(str(root)) as again:
        record = lookup.named(again, OLD)
        text = again.index.body(record.path)
        assert all(f"Revision {number}." in text for number in range(4))
        reached = {item.record.name for item in trace(again.index, record, Walk()).reached}
    assert reached == {f"deploys_on_day_{number}" for number in range(4)}
    assert git(root, "rev-list", "--count", "HEAD", "--", record.path) == "9"
    assert git(root, "status", "--porcelain", "--", "allmemories") == ""
