"""Programs written for RUM's public implementation find its calls, and nothing they delete is lost."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import UsageError
from mdmem.systems.compat.rum import RumMemory
from tests.conftest import NOW

Run = Callable[..., Any]


@pytest.fixture
def rum(root: Path) -> Iterator[RumMemory]:
    with RumMemory(str(root), "conv-1", NOW) as memory:
        memory.identity("register", agent_id="claude-code", project_id="shop")
        yield memory


def work(goal: str, success: bool = True, **more: Any) -> dict[str, Any]:
    outcome = {"success": success, "summary": f"{goal}: done", "learnings": ["Always look twice"]}
    outcome |= {} if success else {"failure_category": "logic_error"}
    action = {"type": "file_edit", "file_path": "src/auth.ts", "timestamp": 1705432800000, "success": success}
    intent = {"goal": goal, "task_type": "bug_fix", "context": "It was asked for"}
    return {"intent": intent, "outcome": outcome, "actions": [action], "tags": ["auth"], **more}


def test_without_an_identity_nothing_is_stored(root: Path) -> None:
    with RumMemory(str(root)) as memory, pytest.raises(UsageError, match="No active agent"):
        memory.store(work("Stop the logouts"))


def test_agents_are_registered_resumed_and_have_parents(rum: RumMemory, root: Path) -> None:
    with pytest.raises(UsageError, match="registered parent"):
        rum.identity("register", agent_id="helper", type="subagent", parent_id="nobody")
    helper = rum.identity("register", agent_id="helper", type="subagent", parent_id="claude-code")
    milliseconds = round(NOW.timestamp() * 1000)
    fresh = {"memory_count": 0, "last_active": milliseconds, "session_count": 1, "success_rate": 0}
    assert helper == {"agent_id": "helper", "type": "subagent", "created_at": milliseconds, **fresh}
    rum.identity("resume", agent_id="claude-code")
    rum.store(work("Stop the logouts"))
    rum.store(work("Stop them for good", False))
    with RumMemory(str(root)) as other:
        known = other.identity("resume")
        assert (known["agent_id"], known["memory_count"], known["success_rate"]) == ("claude-code", 2, 0.5)
        assert other.identity("info") == known
        assert other.session_id.startswith("session_")
    with pytest.raises(UsageError, match="does not take 'colour'"):
        rum.identity("register", colour="red")


def test_a_work_is_stored_and_recalled_at_each_depth(rum: RumMemory) -> None:
    stored = rum.store(work("Stop the logouts", importance=0))
    assert stored["indexed_files"] == ["src/auth.ts"]
    id = stored["memory_id"]

    (summary,) = rum.recall(memory_id=id)["memories"]
    assert summary["outcome"] == {"success": True, "summary": "Stop the logouts: done"}
    assert summary["confidence"] == 1.0
    (whole,) = rum.recall(memory_id=id, depth="complete")["memories"]
    assert whole["actions"][0]["file_path"] == "src/auth.ts"
    assert whole["actions"][0]["timestamp"] == 1705432800000
    assert whole["importance"] == 0
    assert whole["access_count"] == 1

    by_file = rum.recall(file="auth.ts", failures_only=True)
    assert (by_file["memories"], by_file["query_strategy_used"], by_file["confidence"]) == ([], "file", 0)
    assert rum.recall(file="auth.ts", include_links=True)["total_matches"] == 1
    assert rum.recall(memory_id="mem_nothing")["memories"] == []


def test_what_is_not_valid_is_refused_with_its_field(rum: RumMemory) -> None:
    with pytest.raises(UsageError, match=r"intent\.task_type"):
        rum.store({**work("x"), "intent": {"goal": "x", "task_type": "chore"}})
    with pytest.raises(UsageError, match="'deep' is not a depth"):
        rum.recall(depth="deep", query="nothing has these words")
    with pytest.raises(UsageError, match="'likes' is not a type of link"):
        rum.link("mem_a", "mem_b", "likes")
    with pytest.raises(UsageError, match="1000000000000000 is not a time"):
        rum.recall(since=10**15)


def test_updates_merge_objects_and_replace_lists(rum: RumMemory) -> None:
    id = rum.store(work("Stop the logouts"))["memory_id"]
    whole = rum.update_memory(id, outcome={"learnings": ["Only this"]}, tags=["session"])
    assert (whole["id"], whole["project_id"], whole["tags"]) == (id, "shop", ["session"])
    (told,) = rum.recall(memory_id=id, depth="complete")["memories"]
    assert told["outcome"]["learnings"] == ["Only this"]
    assert told["outcome"]["summary"] == "Stop the logouts: done"
    assert told["tags"] == ["session"]


def test_a_deleted_work_does_not_break_those_that_link_to_it(rum: RumMemory, root: Path, mdmem: Run) -> None:
    cause, effect = (rum.store(work(goal))["memory_id"] for goal in ("Change the clock", "Stop the logouts"))
    links = {"caused_by": [cause], "supersedes": cause}
    assert rum.update_memory(effect, links=links)["links"] == links
    note, gone = (next((root / "allmemories").glob(f"{verb}_*.md")) for verb in ("stop", "change"))
    chapter = rum.create_chapter([cause, effect], "Both")["chapters"][0]
    rum.delete_memory(cause)
    whole = rum.update_memory(effect, tags=["later"])
    assert (whole["tags"], whole["links"]) == (["later"], {"caused_by": []})
    (told,) = rum.recall(memory_id=effect, depth="full", include_links=True)["memories"]
    assert told["links"] == {"caused_by": []}
    assert rum.list_chapters()["chapters"] == [{**chapter, "memory_count": 1}]
    shown = json.loads(
        mdmem("show", "--as", "work", note.stem, "--json", "--depth", "complete", "--vault", root).out
    )
    assert shown["memory"]["links"] == {"caused_by": []}
    assert "caused_by:" in note.read_text(), "what a note says stays: a deleted work can be restored"
    mdmem("restore", gone.stem, "--vault", root)
    with RumMemory(str(root)) as again:
        assert again.recall(memory_id=effect, depth="full")["memories"][0]["links"] == links


def test_works_of_one_second_keep_their_order(root: Path) -> None:
    ids = []
    for step in range(6):
        now = NOW + timedelta(milliseconds=7 * step)
        with RumMemory(str(root), "conv-1", now) as memory:
            memory.identity("register", agent_id="claude-code")
            ids.append(memory.store(work(f"Repair part {step}"))["memory_id"])
    with RumMemory(str(root)) as memory:
        told = memory.recall()["memories"]
        assert [one["id"] for one in told] == ids[:0:-1]
        assert told[0]["created_at"] == round(NOW.timestamp() * 1000) + 35
        assert [one["id"] for one in memory.recall(since=told[0]["created_at"])["memories"]] == [ids[-1]]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_refused(rum: RumMemory, limit: int) -> None:
    calls = (rum.recall, rum.list, rum.list_chapters, rum.recall_wisdom)
    for call in (*calls, lambda limit: rum.create_chapter(auto_detect=True, limit=limit)):
        with pytest.raises(UsageError, match=f"limit is {limit}"):
            call(limit=limit)


def test_links_are_traced_both_ways(rum: RumMemory) -> None:
    cause, effect = (rum.store(work(goal))["memory_id"] for goal in ("Change the clock", "Stop the logouts"))
    assert rum.link(effect, cause, "caused_by")["created"] is True
    assert rum.link(effect, cause, "caused_by")["created"] is False
    (step,) = rum.trace(cause, "effects")["chain"]
    assert (step["memory"]["id"], step["relationship"], step["distance"]) == (effect, "led_to", 1)
    assert rum.trace(effect, "causes")["total_nodes"] == 2


def test_files_lists_chapters_and_wisdom(rum: RumMemory) -> None:
    ids = [rum.store(work(f"Repair part {n}", n != 2))["memory_id"] for n in range(4)]
    told = rum.check_file("src/auth.ts")
    assert told is not None
    assert told["message"] == "[RUM] auth.ts has 4 memories (1 failed)"
    assert told["recall_hint"] == 'recall({ file: "src/auth.ts", depth: "reasoning" })'
    first, *_ = told["memories"]
    assert (first["id"], first["agent_id"], first["outcome_success"]) == (ids[2], "claude-code", False)
    assert rum.check_file("src/auth.ts") is None, "told a moment ago"
    (row,) = rum.list(limit=1)["memories"]
    fields = "id created_at intent_goal outcome_success outcome_summary importance access_count"
    assert " ".join(row) == fields

    made = rum.create_chapter([*ids[:2], "mem_nothing"], "The first two")
    (first,) = made["chapters"]
    assert (made["total_created"], first["memory_count"], first["origin"]) == (1, 2, "manual")
    assert first["start_ts"] == round(NOW.timestamp() * 1000)
    assert rum.create_chapter(auto_detect=True, min_memories=5)["chapters"] == []
    assert rum.create_chapter(auto_detect=True, limit=2)["chapters"] == [], "the two latest are too few"
    assert rum.create_chapter(auto_detect=True, before=1)["chapters"] == []
    assert rum.create_chapter(auto_detect=True, since=first["end_ts"] + 1)["chapters"] == []
    with pytest.raises(UsageError, match="does not take 'mood'"):
        rum.create_chapter(auto_detect=True, mood="good")
    (auto,) = rum.create_chapter(auto_detect=True, since=first["end_ts"], limit=4)["chapters"]
    assert auto["memory_count"] == 4
    assert rum.list_chapters(tags=["auth"])["total"] == 2
    assert rum.list_chapters(before=1)["chapters"] == []
    with pytest.raises(UsageError, match="3 chapters"):
        rum.synthesize(min_chapters=3)
    wisdom = rum.synthesize([first["id"], auto["id"]])["wisdom"]
    assert wisdom["best_practices"] == ["Always look twice"]
    assert rum.recall_wisdom(wisdom_id=wisdom["id"]) == {"wisdom": [wisdom], "total": 1}


def test_deletions_can_be_undone(rum: RumMemory, root: Path, mdmem: Run) -> None:
    id = rum.store(work("Stop the logouts"))["memory_id"]
    assert rum.delete_chapter(id) == {"deleted": False}
    assert rum.delete_memory(id) == {"deleted": True}
    assert rum.delete_memory(id) == {"deleted": False}
    rum.store(work("Change the clock"))
    with pytest.raises(UsageError, match="not confirmed"):
        rum.reset_all("yes")
    assert rum.reset_all("RESET_ALL") == {"reset": True}
    mdmem("undo", "--vault", root, "--last", "1")
    assert rum.identity("resume")["agent_id"] == "claude-code"
    assert rum.list()["total"] == 1
