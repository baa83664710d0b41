"""The end of a session: what it learnt, as memories, in one commit."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.core.operation import Caller
from mdmem.errors import ConflictError, NotFoundError
from mdmem.services import closing, session
from mdmem.services.closing import Ending
from mdmem.services.session import Wanted
from mdmem.store.vault import Vault

Git = Callable[..., str]
Remember = Callable[..., str]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
BOB = Caller(NOW, "bob", "conv-1")


@pytest.fixture
def begun(vault: Vault) -> Vault:
    session.keep(vault, session.start(vault, Wanted(), BOB), NOW)
    return vault


def ended(vault: Vault, summary: str = "", who: Caller = BOB) -> Ending:
    return closing.end(vault, closing.plan(vault, summary, who), who)


def test_each_bullet_and_paragraph_is_a_memory_and_all_are_one_commit(begun: Vault, git: Git, root: Path) -> None:
    session.note(begun, {"future": "Write the release notes"}, BOB)
    before = git(root, "rev-parse", "HEAD")
    done = ended(
        begun, "# Learnt\n\nDeploys hang when the disk is full.\n\n- Bob gets the alerts.\n- Ada writes notes."
    )
    paths = [one.path for one in done.written]
    assert paths == [
        "allmemories/deploys_hang_when_disk_full.md",
        "allmemories/bob_gets_alerts.md",
        "allmemories/ada_writes_notes.md",
        "allmemories/next_task_write_release_notes.md",
    ]
    assert git(root, "rev-list", "--count", f"{before}..HEAD") == "1"
    message = git(root, "log", "-1", "--format=%B")
    assert "Memory-Session: conv-1" in message
    assert "Memory-Actor: bob" in message
    assert message.count("Memory-Id: ") == 4
    task = begun.get(paths[-1])
    assert (task.text("category"), task.title) == ("future", "Next task: write the release notes")
    assert begun.get(paths[0]).text("category") == "past"


def test_what_is_known_or_says_too_little_is_left_out_with_the_reason(begun: Vault, remember: Remember) -> None:
    remember("Deploys run on turing.", "deploys_run_on_turing")
    remember("Write the release notes.", "next_task_write_release_notes", category="future")
    session.note(begun, {"future": "Write the release notes"}, BOB)
    done = ended(begun, "- Deploys run on turing\n- ok\n- Ada writes the notes.\n- Ada writes the notes!\n")
    assert [one.title for one in done.written] == ["Ada writes the notes"]
    assert [(one.line, one.reason) for one in done.left] == [
        (1, "100 % the same as deploys_run_on_turing"),
        (2, "says too little"),
        (4, "is said twice"),
        (0, "100 % the same as next_task_write_release_notes"),
    ]


def test_a_block_of_candidates_in_the_summary_is_taken_as_one(begun: Vault, remember: Remember) -> None:
    remember("Tea is served at four.", "tea_is_at_four")
    summary = (
        "The user wants German notes.\n\n[MEMORY_CANDIDATES]\n"
        "1. disk_alerts_go_bob.md — category: present — tags: [ops]\n---\nDisk alerts go to Bob.\n"
        "2. tea_time_is_four.md\n---\nTea is served at four.\n3. stuff.md\n---\nTea.\n"
        "[/MEMORY_CANDIDATES]\n\nDeploys run on turing.\n"
    )
    done = ended(begun, summary)
    assert [one.title for one in done.written] == [
        *("The user wants German notes", "Deploys run on turing", "Disk alerts go to Bob"),
    ]
    note = begun.get("allmemories/disk_alerts_go_bob.md")
    assert (note.text("category"), note.tags) == ("present", ("ops",))
    assert [one.title for one in done.left] == ["tea_time_is_four"]
    assert [problem.line for problem in done.problems] == [10]


def test_ending_twice_writes_nothing_and_says_so(begun: Vault, git: Git, root: Path) -> None:
    ended(begun, "Deploys run on turing.")
    head = git(root, "rev-parse", "HEAD")
    with pytest.raises(ConflictError, match="conv-1 ended at 2026-03-01T12:00:00Z"):
        ended(begun, "Something else was learnt.")
    with pytest.raises(NotFoundError):
        ended(begun, "", BOB._replace(session=""))
    assert git(root, "rev-parse", "HEAD") == head
    session.keep(begun, session.start(begun, Wanted(), BOB), NOW)
    assert len(ended(begun, "Something else was learnt.").written) == 1


def test_nothing_to_keep_is_no_failure(begun: Vault, git: Git, root: Path) -> None:
    head = git(root, "rev-parse", "HEAD")
    done = ended(begun)
    assert (done.written, done.left) == ((), ())
    assert done.session.ended
    assert git(root, "rev-parse", "HEAD") == head


def test_a_plan_changes_nothing(begun: Vault, git: Git, root: Path) -> None:
    planned = closing.plan(begun, "Deploys run on turing.", BOB)
    assert [one.title for one in planned.learnt] == ["Deploys run on turing"]
    assert git(root, "status", "--porcelain") == ""
    known = session.known(begun).get("conv-1")
    assert known
    assert not known.ended


def test_a_session_that_was_never_begun_can_be_ended(vault: Vault) -> None:
    done = ended(vault, "Deploys run on turing.", BOB._replace(session="from-elsewhere"))
    assert vault.get(done.written[0].path).text("session") == "from-elsewhere"
    with pytest.raises(ConflictError):
        ended(vault, "More.", BOB._replace(session="from-elsewhere"))


def test_more_than_a_memory_of_the_same_first_sentence_says_is_kept(begun: Vault, remember: Remember) -> None:
    remember("Flaky tests come from the clock.", "flaky_tests_come_from_clock")
    done = ended(begun, "Flaky tests come from the clock. Inject the clock, and they are gone for good.")
    assert [one.title for one in done.written] == ["Flaky tests come from the clock"]
