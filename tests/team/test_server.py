"""Where the server is comes from the environment, and no message holds a password."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import MdmemError
from mdmem.team import schema
from mdmem.team.server import DSN, Server, dsn_of
from tests.team.test_publish import write

pytestmark = pytest.mark.postgres

Run = Callable[..., Any]


@pytest.mark.parametrize(
    "dsn",
    [
        "postgresql://ann:hunter2@127.0.0.1:{port}/postgres",
        "host=127.0.0.1 port={port} user=ann password=hunter2 dbname=postgres",
        "postgresql://ann:hunter2@[::1/postgres",
        "postgresql://ann:hunter2@127.0.0.1:hunter2/postgres",
        "hunter2",
        "host=\udcff.example.org password=hunter2",
        "postgresql://ann:hunter2@127.0.0.1:1/postgres?hunter2=1",
        "postgresql://hunter2.invalid/postgres?password=hunter2",
    ],
)
def test_no_message_holds_a_password(cluster: Any, dsn: str) -> None:
    with pytest.raises(MdmemError) as caught:
        Server.open({DSN: dsn.format(port=cluster.port)})
    assert "hunter2" not in f"{caught.value} {caught.value.hint}"
    assert caught.value.hint


def test_a_server_that_never_answers_is_waited_for_as_long_as_the_dsn_says() -> None:
    """However long is usual: the test would last too long if it did not, and a push too."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: make postgres")
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        dsn = f"host=127.0.0.1 port={silent.getsockname()[1]} connect_timeout=2 user=ann"
        with pytest.raises(MdmemError, match="timeout"):
            Server.open({DSN: dsn}, patience=600)


def test_the_variables_of_libpq_name_a_server(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(MdmemError, match="no team's server"):
        dsn_of({"PGUSER": "ann"})
    for name, value in (("PGHOST", cluster.folder), ("PGPORT", str(cluster.port)), ("PGUSER", "postgres")):
        monkeypatch.setenv(name, value)
    with Server.open(os.environ) as server:
        assert server.user == "postgres"


def test_a_vault_that_is_renamed_or_removed(root: Path, send: Run, git: Run, team: Server, mdmem: Run) -> None:
    write(root, "tea", "Tea.")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "tea")
    git(root, "remote", "add", "origin", "https://ann:hunter2@example.org/notes.git?access_token=hunter2")
    send(root)
    assert team.run("SELECT name, url FROM mdmem.vaults") == [("vault", "https://example.org/notes.git")]
    moved = root.rename(root.parent / "moved")
    assert send(moved).how == "nothing"
    assert team.run("SELECT name FROM mdmem.vaults") == [("moved",)]
    mdmem("team", "drop", "moved")
    for table in (*schema.TABLES, "vaults", "publishers"):
        assert team.run(f"SELECT count(*) FROM mdmem.{table}") == [(0,)], table
    assert send(moved).how == "filled"
