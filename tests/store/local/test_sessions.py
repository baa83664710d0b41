"""The local state of sessions: any id, several at once, damaged files."""

from __future__ import annotations

import json
import multiprocessing
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mdmem.note import moments
from mdmem.note.gauges import Gauges
from mdmem.store.local.sessions import JOINED_HOURS, KEPT_DAYS, Session, Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from tests.conftest import PERSON

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def of(id: str, actor: str = "bob", minutes: int = 0, **fields: object) -> Session:
    moment = moments.render(NOW + timedelta(minutes=minutes))
    return Session(id, actor, moment, moment, **fields)  # type: ignore[arg-type]


@pytest.fixture
def sessions(root: Path, said: list[str]) -> Sessions:
    return Sessions(Vault(str(root), said.append))


def keep(sessions: Sessions, *every: Session) -> None:
    with sessions.changing():
        for one in every:
            sessions.save(one)


@pytest.mark.parametrize(
    ("caller", "session"),
    [
        (Caller(NOW, "bob"), "b"),
        (Caller(NOW, "bob", "mine"), "mine"),
        (Caller(NOW, "zed"), ""),
        (Caller(NOW), ""),  # the person at the keyboard joins no session of an agent
        (Caller(NOW + timedelta(hours=JOINED_HOURS, minutes=3), "bob"), ""),
        (Caller(NOW, PERSON[0]), "p"),
    ],
)
def test_a_caller_joins_the_newest_open_session_of_its_own(
    sessions: Sessions, caller: Caller, session: str
) -> None:
    keep(sessions, of("a", "bob", 1), of("b", "bob", 2), of("c", "bob", 3, ended="x"), of("d", "eve", 9))
    if caller.actor == PERSON[0]:
        keep(sessions, of("p", PERSON[0]))
        assert sessions.joined(caller._replace(actor="")).session == "p"
    assert sessions.joined(caller) == caller._replace(session=session)


def test_a_damaged_session_keeps_nobody_from_joining_another(
    sessions: Sessions, root: Path, said: list[str]
) -> None:
    keep(sessions, of("a"))
    (root / ".mdmem/sessions/b.json").write_text("{")
    assert sessions.joined(Caller(NOW, "bob")).session == "a"
    assert "b.json is damaged" in said[0]


@pytest.mark.parametrize("id", ["conv-1", "", "../../escape", "a/b\\c", "CON", "ä" * 300, "x\n\x00y", ".", "A"])
def test_any_id_is_kept_and_found_again_within_the_folder(sessions: Sessions, root: Path, id: str) -> None:
    one = of(id, noted=Gauges(present="née 机器"), shown=("a", "b"), head="c" * 40)
    keep(sessions, one, of("a"))
    assert sessions.get(id) == one
    assert sessions.is_known(id)
    assert not sessions.is_known("another")
    assert {path.parent.name for path in root.rglob("*.json")} == {"sessions"}


def test_the_newest_open_session_of_an_actor_and_of_nobody_else(sessions: Sessions) -> None:
    keep(sessions, of("a", "bob", 1), of("b", "bob", 2), of("c", "bob", 3, ended="x"), of("d", "eve", 9))
    newest, latest = sessions.newest("bob"), sessions.latest("bob")
    assert newest
    assert latest
    assert (newest.id, latest.id) == ("b", "c")
    assert sessions.newest("zed") is sessions.latest("zed") is None


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"\xff", b'{"format": 1}', b'{"format": 2}', b'{"format": 1, "id": 5}', b"[" * 100_000],
)
def test_a_damaged_file_is_reported_and_begun_anew(
    sessions: Sessions, root: Path, said: list[str], data: bytes
) -> None:
    keep(sessions, of("a"), of("b"))
    (root / ".mdmem/sessions/a.json").write_bytes(data)
    assert sessions.get("a") is None
    assert said == [".mdmem/sessions/a.json is damaged; it is ignored"]
    newest = sessions.newest("bob")
    assert newest
    assert newest.id == "b"
    keep(sessions, of("a"))
    assert sessions.get("a") == of("a")


def test_a_value_of_another_kind_is_damage(sessions: Sessions, root: Path) -> None:
    keep(sessions, of("a"))
    place = root / ".mdmem/sessions/a.json"
    for change in ({"shown": "abc"}, {"noted": {"past": 1}}, {"more": 1}, {"gauges": {"other": ""}}):
        keep(sessions, of("a"))
        place.write_text(json.dumps(json.loads(place.read_text()) | change))
        assert sessions.get("a") is None


def test_what_nobody_touched_for_long_goes(sessions: Sessions, root: Path) -> None:
    keep(sessions, of("old", minutes=-60 * 24 * (KEPT_DAYS + 1)), of("new"))
    damaged = root / ".mdmem/sessions/damaged.json"
    damaged.write_text("{")
    os.utime(damaged, (0, 0))
    with sessions.changing():
        sessions.tidy(NOW)
    assert sessions.get("old") is None
    assert sessions.get("new")
    assert not damaged.exists()


def _note(root: str, who: int) -> None:
    sessions = Sessions(Vault(root))
    for _ in range(10):
        with sessions.changing():
            before = sessions.get("shared")
            assert before
            sessions.save(before._replace(shown=(*before.shown, f"{who}")))
            sessions.save(of(f"own-{who}"))


def test_two_at_once_lose_nothing(sessions: Sessions, root: Path) -> None:
    keep(sessions, of("shared"))
    context = multiprocessing.get_context("spawn")
    every = [context.Process(target=_note, args=(str(root), who)) for who in range(3)]
    for process in every:
        process.start()
    for process in every:
        process.join()
        assert process.exitcode == 0
    shared = sessions.get("shared")
    assert shared
    assert sorted(shared.shown) == sorted(["0", "1", "2"] * 10)
    assert all(sessions.get(f"own-{who}") for who in range(3))
