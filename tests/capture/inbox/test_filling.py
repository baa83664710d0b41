"""Logs of sessions become proposals that wait: once each, in time, and as nobody's memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.capture.inbox import deciding, filling, reading
from mdmem.capture.inbox.reading import LogPlace, ReadLogs, next_piece
from mdmem.capture.inbox.store import MOST, Inbox, InboxItem
from mdmem.errors import UsageError
from mdmem.store.local.sessions import Session, Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import NOW

WHO = Caller(NOW, "claude-code", "sess-1")
SAID = (
    "I prefer tabs over spaces in Go files.",
    "Remember that the staging database is called heron.",
    "Remember that deploys are frozen in December.",
)


def said(text: str, number: int = 1, **more: object) -> str:
    """A line of a log of Claude Code."""
    at = f"2026-03-01T10:{number % 60:02}:00Z"
    message = {"role": "user", "content": text}
    common = {"type": "user", "sessionId": "sess-1", "cwd": "/projects/shop", "timestamp": at, "uuid": str(number)}
    return json.dumps({**common, "message": message, **more})


def chat(**more: object) -> list[str]:
    """SAID, as a log has it."""
    return [said(text, number, **more) for number, text in enumerate(SAID, 1)]


def noise(length: int) -> str:
    return json.dumps({"type": "attachment", "sessionId": "sess-1", "attachment": {"text": "x" * length}})


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: str, end: str = "\n") -> Path:
        path = tmp_path / "log.jsonl"
        path.write_text("\n".join(lines) + end)
        return path

    return write


def texts(vault: Vault) -> list[str]:
    return [item.text for item in Inbox(vault).items()]


def test_what_is_found_waits_and_is_no_memory(vault: Vault, log: Callable[..., Path]) -> None:
    done = filling.fill(vault, str(log(*chat())), WHO, 5)
    assert (done.added, done.kept, done.is_done) == (3, (), True)
    first = Inbox(vault).items()[0]
    assert (first.session, first.actor, first.line, first.trigger) == ("sess-1", "claude-code", 1, "preference")
    assert first.text.startswith("I prefer tabs over spaces in Go files.")
    assert vault.index.count() == 0
    assert vault.repo.run("status", "--porcelain") == b""


def test_the_same_session_twice_proposes_nothing_new(vault: Vault, log: Callable[..., Path]) -> None:
    path = log(*chat())
    filling.fill(vault, str(path), WHO, 5)
    assert filling.fill(vault, str(path), WHO, 5).added == 0
    (path.parent / "copy.jsonl").write_text(path.read_text())
    assert filling.fill(vault, str(path.parent / "copy.jsonl"), WHO, 5).added == 0
    assert len(texts(vault)) == 3


def test_a_log_that_goes_on_is_read_on(vault: Vault, log: Callable[..., Path]) -> None:
    filling.fill(vault, str(log(said(SAID[0]))), WHO, 5)
    assert filling.fill(vault, str(log(said(SAID[0]), said(SAID[1], 2))), WHO, 5).added == 1
    assert Inbox(vault).items()[1].line == 2


def test_what_was_decided_does_not_come_back(vault: Vault, log: Callable[..., Path]) -> None:
    filling.fill(vault, str(log(*chat())), WHO, 5)
    tabs, heron, frozen = Inbox(vault).items()
    deciding.reject(vault, [tabs], NOW)
    [kept] = deciding.keep(vault, [heron], Caller(NOW))
    assert kept.path == "allmemories/staging_database_called_heron.md"
    other = log(*chat(sessionId="sess-2"))
    other = other.rename(other.with_name("other.jsonl"))
    filling.fill(vault, str(other), WHO, 5)
    assert Inbox(vault).items() == [frozen]


def test_a_kept_one_is_written_by_the_agent_of_its_session(vault: Vault, log: Callable[..., Path]) -> None:
    filling.fill(vault, str(log(*chat())), WHO._replace(session="of the hook"), 5)
    before = vault.repo.head_commit()
    kept = deciding.keep(vault, Inbox(vault).items(), Caller(NOW, "a-reviewer"))
    assert len({each.commit for each in kept}) == 1
    message = vault.repo.run("log", "--format=%an%n%B", f"{before}..HEAD").decode()
    assert message.startswith("claude-code\ncreate: ")
    assert "Memory-Session: sess-1\n" in message
    assert Inbox(vault).items() == []


def test_what_a_memory_says_meanwhile_is_not_written_twice(
    vault: Vault, log: Callable[..., Path], remember: Callable[..., str]
) -> None:
    filling.fill(vault, str(log(said(SAID[1]))), WHO, 5)
    remember("The staging database is called heron.")
    [kept] = deciding.keep(vault, Inbox(vault).items(), Caller(NOW))
    assert (kept.path, kept.decision.verdict, kept.is_settled) == ("", "twin", True)
    assert vault.index.count() == 1
    assert Inbox(vault).items() == []


def test_a_secret_never_gets_in_and_is_not_kept(vault: Vault, log: Callable[..., Path]) -> None:
    filling.fill(vault, str(log(said("Remember this: the password of the router is hunter2xyz"))), WHO, 5)
    assert Inbox(vault).items() == []
    filling.fill(vault, str(log(said(SAID[1]))), WHO, 5)
    [item] = Inbox(vault).items()
    [kept] = deciding.keep(vault, [item._replace(text="The password is hunter2xyz.")], Caller(NOW))
    assert (kept.path, kept.is_settled) == ("", False)
    assert texts(vault) == [item.text], "what cannot be written goes on waiting"


def test_what_the_session_was_shown_is_not_proposed(
    vault: Vault, log: Callable[..., Path], remember: Callable[..., str]
) -> None:
    remember("Ada said: Remember that deploys are frozen in December. So nobody may release anything then.")
    sessions = Sessions(vault)
    with sessions.changing():
        shown = tuple(record.id for record in vault.index.records())
        moment = "2026-03-01T00:00:00Z"
        sessions.save(Session("sess-1", "claude-code", moment, moment, shown=shown))
    filling.fill(vault, str(log(*chat())), WHO, 5)
    assert len(texts(vault)) == 2


def test_what_is_sure_enough_becomes_a_memory_only_where_the_settings_say_so(
    root: Path, log: Callable[..., Path], git: Callable[..., str]
) -> None:
    (root / "mdmem.toml").write_text('id = "test"\n[capture]\nkeep = "auto"\nkeep_above = 0.92\n')
    with Vault(str(root)) as vault:
        done = filling.fill(vault, str(log(*chat())), WHO, 5)
        assert len(done.kept) == 2
        (left,) = texts(vault)
        assert left.startswith("I prefer tabs over spaces in Go files.")
    assert "Memory-Session: sess-1" in git(root, "log", "-1")


def test_a_huge_log_is_read_in_pieces_and_goes_on_where_time_was_up(
    vault: Vault, log: Callable[..., Path]
) -> None:
    lines = [said(SAID[0], 1), *[noise(50_000)] * 10, said(SAID[1], 2), *[noise(50_000)] * 10, said(SAID[2], 3)]
    path = str(log(*lines))
    first = filling.fill(vault, path, WHO, 0)
    assert (first.added, first.is_done) == (1, False)
    while ReadLogs(vault).unfinished():
        filling.go_on(vault, Caller(NOW), 0.001)
    assert [item.line for item in Inbox(vault).items()] == [1, 12, 23]
    assert {item.session for item in Inbox(vault).items()} == {"sess-1"}


def test_pieces_hold_every_line_once(log: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_PIECE", 100)
    monkeypatch.setattr(reading, "_BEFORE", 60)
    lines = [json.dumps({"n": number, "pad": "é" * (number % 7 * 9)}) for number in range(40)]
    path = str(log(*lines, end='\n{"half'))
    place, read = LogPlace(), []
    while piece := next_piece(path, place):
        by_number = dict(enumerate(piece.text.split("\n"), 1))
        assert by_number[1] == lines[0]
        new = range(piece.start.line + 1, piece.end.line + 1)
        assert [by_number[number] for number in new] == lines[new.start - 1 : new.stop - 1]
        read += new
        place = piece.end
    assert read == list(range(1, 41)), "the line that is being written is left for later"


def test_a_log_that_is_not_there_yet_gives_nothing(vault: Vault, tmp_path: Path) -> None:
    assert filling.fill(vault, str(tmp_path / "none.jsonl"), WHO, 5) == filling.Filled()
    assert not (tmp_path / "vault/.mdmem/transcripts.json").exists()


@pytest.mark.parametrize("data", ["nothing that anybody said", '{"a": 1}\n{"b": 2}\n', "[1, 2"])
def test_a_file_that_is_no_transcript_is_an_error(vault: Vault, tmp_path: Path, data: str) -> None:
    (tmp_path / "other.txt").write_text(data)
    with pytest.raises(UsageError, match="not a transcript"):
        filling.fill(vault, str(tmp_path / "other.txt"), WHO, 5)


def test_a_full_inbox_takes_in_no_more_and_forgets_nothing(vault: Vault, log: Callable[..., Path]) -> None:
    item = InboxItem("", "2026-01-01T00:00:00Z", "a", "s", "x", "save", 1.0, "w", "t", {})
    Inbox(vault).add(item._replace(id=f"{number:012x}") for number in range(MOST))
    path = str(log(*chat()))
    assert filling.fill(vault, path, WHO, 5).added == 0
    deciding.reject(vault, Inbox(vault).items(), NOW)
    assert filling.fill(vault, path, WHO, 5).added == 3


def test_a_proposal_about_a_hidden_memory_is_as_hidden(
    vault: Vault, log: Callable[..., Path], remember: Callable[..., str]
) -> None:
    remember("The team meets on Tuesday in the blue room.", sensitivity="high")
    filling.fill(vault, str(log(said("Actually, the team meets on Thursday in the blue room."))), WHO, 5)
    [item] = Inbox(vault).items()
    assert (item.level, deciding.would_replace(vault, item)) == ("high", "team_meets_tuesday_blue_room")
    vault.clear_for("some-agent")
    assert Inbox(vault).items() == []
    assert Inbox(vault).count() == 0


def test_damaged_files_count_as_none(root: Path, log: Callable[..., Path]) -> None:
    told: list[str] = []
    with Vault(str(root), told.append) as vault:
        filling.fill(vault, str(log(*chat())), WHO, 5)
        first, second, _ = sorted((root / ".mdmem/inbox").glob("[0-9a-f]*[0-9a-f].json"))[:3]
        first.write_text("{")
        second.write_text('{"format": 1, "id": 3}')
        (root / ".mdmem/transcripts.json").write_text("[[]]")
        assert len(texts(vault)) == 1
    assert ["is damaged" in line for line in told if "inbox" in line] == [True, True]


def test_the_beginning_of_an_id_is_enough(
    vault: Vault, log: Callable[..., Path], mdmem: Callable[..., Any]
) -> None:
    filling.fill(vault, str(log(*chat())), WHO, 5)
    [item, *_] = Inbox(vault).items()
    assert Inbox(vault).chosen([item.id[:5]]) == [item]
    assert "no proposal 'zz' waits" in mdmem("inbox", "keep", "zz", "--vault", vault.root, code=3).err
