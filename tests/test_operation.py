"""Operations and commit messages are twins, and nobody can smuggle trailers in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdmem.errors import UsageError
from mdmem.store import operation
from mdmem.store.operation import Caller, Operation, message, parse

lines = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool)


@given(
    st.sampled_from(["create", "revise", "delete", "undo", "import"]),
    st.text(),
    lines,
    lines,
    st.lists(lines),
    st.lists(lines),
    st.lists(st.tuples(st.sampled_from(["Undoes", "Run"]), lines)),
)
def test_what_is_written_is_read(
    action: str,
    reason: str,
    actor: str,
    session: str,
    names: list[str],
    ids: list[str],
    extra: list[tuple[str, str]],
) -> None:
    what = Operation(action, reason, actor, session, None, tuple(names), tuple(ids), tuple(extra))
    found = parse(message(what))
    assert found._replace(reason="") == what._replace(reason="", names=())
    assert found.reason.split() == reason.replace("\0", "").split()


def test_the_message_of_the_design() -> None:
    what = Operation(
        "revise",
        "User asked for tables in every report.",
        "claude-code",
        "conv-abc123",
        names=("user_prefers_structured_output",),
        ids=("0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11",),
    )
    assert message(what) == (
        "revise: user_prefers_structured_output\n\nUser asked for tables in every report.\n\n"
        "Memory-Action: revise\nMemory-Id: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n"
        "Memory-Actor: claude-code\nMemory-Session: conv-abc123\n"
    )


def test_trailers_in_a_reason_or_a_session_are_text() -> None:
    forged = Operation("create", "x\n\nMemory-Action: delete\nMemory-Actor: boss", "me", "s\nMemory-Actor: boss")
    found = parse(message(forged))
    assert (found.action, found.actor) == ("create", "me")
    assert found.session == "s Memory-Actor: boss"


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x85", "\u2028", "\u2029", "\0", "\n\n"])
def test_no_line_end_in_an_actor_or_session_makes_a_trailer(end: str) -> None:
    forged = f"me{end}Memory-Action: delete{end}Memory-Undoes: abc"
    found = parse(message(Operation("create", "why", forged, forged, extra=(("Run", forged),))))
    assert (found.action, found.get("Undoes")) == ("create", [])
    assert found.actor == found.session


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_text_in_no_encoding_is_refused(place: int) -> None:
    actor, session, reason = ("caf\udce9" if at == place else "x" for at in range(3))
    with pytest.raises(UsageError, match="UTF-8"):
        Caller(datetime(2026, 3, 1, tzinfo=UTC), actor, session).does("create", reason)


def test_other_tools_commits_have_no_action() -> None:
    assert parse("vault backup: 2026-01-01\n").action == ""
    assert parse("Fix\n\nSigned-off-by: x <y>\n").action == ""
    assert parse("Memory-Action: delete\n").action == ""
    assert parse("").action == ""


def test_a_commit_of_very_many_memories_tells_their_number() -> None:
    ids = tuple(str(number) for number in range(5000))
    text = message(Operation("import", names=ids, ids=ids))
    assert text.startswith("import: 0, 1, 2 and 4997 more\n")
    assert "Memory-Count: 5000" in text
    assert len(text) < 200
    assert operation.parse(text).ids == ()
