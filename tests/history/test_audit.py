"""Every write is an event, whoever made it; the file of them is made of git alone, and only grows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mdmem.acts.checks import doctor
from mdmem.errors import ConflictError
from mdmem.history import audit
from mdmem.store.operation import Caller
from mdmem.store.vault import derived
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers import ingest
from mdmem.systems.layers.dialog import DialogSource
from mdmem.systems.layers.ingest import IngestRequest
from tests.conftest import Commit, Git, Remember, Run


def take(vault: Vault, caller: Caller, text: str) -> str:
    """Ingest one dialog; its folder."""
    source = DialogSource("chat.md", text.encode)
    return ingest.ingest(vault, [source], IngestRequest("travel"), caller, "from the phone").items[0].place.folder


def log_of(root: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (root / "index/audit.log").read_text().splitlines()]


def test_each_write_is_an_event_told_by_its_trailers(vault: Vault, caller: Caller, remember: Remember) -> None:
    path = remember("User likes green tea.", "user_likes_green_tea", actor="codex", session="conv-2")
    folder = take(vault, caller, "User: hello\n")
    with vault.change(caller.does("delete", "a mistake", ("Parent-Session", "conv-0"))) as tx:
        tx.delete(path)
    made, taken, gone = audit.events(vault)
    assert (made.action, made.actor, made.session, made.paths) == ("create", "codex", "conv-2", (path,))
    assert made.ids == gone.ids
    assert (taken.action, taken.paths, taken.rationale) == ("create", (folder,), "from the phone")
    assert taken.time == "2026-03-01T12:00:00Z"
    assert (gone.action, gone.parent_session, gone.rationale) == ("delete", "conv-0", "a mistake")
    assert gone.commit == vault.repo.head()[0]


def test_commits_of_others_are_told_by_their_changes(
    vault: Vault, root: Path, git: Git, remember: Remember, commit: Commit
) -> None:
    path = remember("User likes green tea.", "user_likes_green_tea")
    (root / path).write_text("User likes black tea.\n")
    (root / "allmemories/a_new_note.md").write_text("New.\n")
    (root / "main.py").write_text("code")
    commit("by hand")
    git(root, "commit", "-qm", "nothing of ours", "--allow-empty")
    found = list(audit.events(vault))[1:]
    assert {(event.action, event.paths) for event in found} == {
        ("create", ("allmemories/a_new_note.md",)),
        ("revise", (path,)),
    }
    assert {(event.actor, event.rationale) for event in found} == {("Ada Lovelace", "by hand")}


def test_the_file_only_grows_and_is_the_same_when_made_anew(
    vault: Vault, root: Path, caller: Caller, git: Git, remember: Remember, monkeypatch: pytest.MonkeyPatch
) -> None:
    remember("User likes green tea.", "user_likes_green_tea")
    assert not (root / "index").exists()
    read: list[str] = []
    real = audit.events
    monkeypatch.setattr(audit, "events", lambda vault, since="": read.append(since) or real(vault, since))
    for number in range(3):
        before = (root / "index/audit.log").read_bytes() if number else b""
        take(vault, caller, f"User: number {number}\n")
        assert (root / "index/audit.log").read_bytes().startswith(before)
    assert read[0] == ""
    assert all(read[1:])
    assert [event["action"] for event in log_of(root)] == ["create"] * 4
    added = (root / "index/audit.log").read_bytes()
    (root / "index/audit.log").unlink()
    audit.update(vault)
    assert (root / "index/audit.log").read_bytes() == added
    read.clear()
    audit.update(vault, full=True)
    assert read == [""], "all of history is read again"
    assert (root / "index/audit.log").read_bytes() == added
    assert git(root, "status", "--porcelain") == ""


def test_the_file_is_made_anew_on_request(vault: Vault, root: Path, caller: Caller, mdmem: Run) -> None:
    mdmem("rebuild", "all", "--vault", root)
    assert not (root / "index").exists()
    take(vault, caller, "User: one\n")
    before = (root / "index/audit.log").read_bytes()
    (root / "index/audit.log").write_bytes(before[:-10])
    mdmem("rebuild", "all", "--vault", root)
    assert (root / "index/audit.log").read_bytes() == before


def test_another_history_is_another_file(vault: Vault, root: Path, caller: Caller, git: Git) -> None:
    take(vault, caller, "User: one\n")
    start = vault.repo.head()[0]
    take(vault, caller, "User: two\n")
    git(root, "checkout", "-q", "-b", "side", start)
    with Vault(str(root)) as other:
        take(other, caller, "User: three\n")
    git(root, "merge", "-q", "main", "-m", "both")
    with Vault(str(root)) as merged:
        audit.update(merged)
        assert len(log_of(root)) == 3
        assert derived.stale(merged, audit.AuditLog(merged.config)) == []
    git(root, "reset", "-q", "--hard", start)
    with Vault(str(root)) as back:
        audit.update(back)
        assert [event["commit"] for event in log_of(root)] == [start]


def test_a_touched_file_is_named_and_made_anew(vault: Vault, root: Path, caller: Caller) -> None:
    take(vault, caller, "User: one\n")
    place = root / "index/audit.log"
    good = place.read_bytes()
    place.write_bytes(good + b"a line of somebody\n")
    assert [found.code for found in doctor.examine(vault) if found.code != "identity"] == ["derived-stale"]
    take(vault, caller, "User: two\n")
    assert place.read_bytes().startswith(good)
    assert len(log_of(root)) == 2


def test_a_file_of_a_person_is_left_alone(vault: Vault, root: Path, caller: Caller, said: list[str]) -> None:
    (root / "index").mkdir()
    (root / "index/audit.log").write_text("my own list\n")
    take(vault, caller, "User: one\n")
    assert (root / "index/audit.log").read_text() == "my own list\n"
    assert any("index/audit.log is in the way" in line for line in said)
    with pytest.raises(ConflictError):
        audit.update(vault)


def test_the_mirror_and_the_list_of_events_share_a_folder(
    vault: Vault, root: Path, caller: Caller, git: Git, remember: Remember
) -> None:
    from mdmem.systems.rlm import mirror

    take(vault, caller, "User: one\n")
    remember("User likes green tea.", "user_likes_green_tea")
    mirror.update(vault)
    take(vault, caller, "User: two\n")
    assert mirror.stale(vault) == []
    assert len(log_of(root)) == 3
    assert git(root, "status", "--porcelain") == ""
