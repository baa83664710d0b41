"""Sessions of real clients, where they are: on PATH, in MDMEM_CLIENTS_DIR, or by `make clients` (two of them)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients import real
from tests.clients.real import STARTS, hold

ACTORS = {"gemini": "gemini-cli", "qwen": "qwen-code"}

pytestmark = [pytest.mark.clients, pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.mark.parametrize("client", STARTS)
def test_a_session_recalls_remembers_and_can_be_undone(
    client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not real.found(client):
        pytest.skip(f"{client} is not on PATH, nor in MDMEM_CLIENTS_DIR")
    session = hold(client, tmp_path)
    assert session.code == 0, session.output
    assert real.PACKED in session.sent, "the pack of the start is in the context"
    assert real.TOUCHED in session.sent, "what the prompt touches is in the context"
    assert real.HIDDEN not in session.sent, "what is hidden from agents is"
    assert real.ASKED in session.sent, "recall was answered"
    assert any(real.LEASE in item["text"] for item in session.inbox), "what was said waits in the inbox"
    (commit,) = session.commits
    assert commit["actor"] == ACTORS.get(client, client)
    assert commit["session"] in told_sessions(session.home), "the session is the client's own"
    assert "took back 1 commit" in session.undone


def told_sessions(home: Path) -> str:
    """All paths in which a client names its sessions, and the bytes of the database in which OpenCode does."""
    paths = list(home.rglob("*"))
    databases = (path for path in paths if path.name.startswith("opencode.db"))
    return "\n".join([*map(str, paths), *(path.read_bytes().decode("latin-1") for path in databases)])
