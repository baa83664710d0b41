"""Where the server is comes from the environment, and no message holds a password."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import MdmemError
from mdmem.team import roles, schema
from mdmem.team.server import DSN, Server, dsn_of
from tests.team.conftest import programs, replica
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


def test_a_streaming_replica_answers_and_takes_no_publication(
    root: Path, send: Run, git: Run, team: Server, cluster: Any, database: str, monkeypatch: Any, mdmem: Run
) -> None:
    write(root, "tea", "Green tea.")
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "tea")
    send(root)
    roles.run(team, roles.granting(team, "reader", ["test"], [], publish=False))
    asked = ("recall", "--in", "team", "tea")
    with replica(programs(), cluster) as second, Server.open({DSN: second.dsn(database)}) as copy:
        for user in ("postgres", "reader"):
            monkeypatch.setenv(DSN, cluster.dsn(database, user))
            here = mdmem(*asked).out, mdmem("list", "--in", "team").out
            monkeypatch.setenv(DSN, second.dsn(database, user))
            assert (mdmem(*asked).out, mdmem("list", "--in", "team").out) == here
        assert "Green" in here[0]
        monkeypatch.setenv(DSN, second.dsn(database))
        for refused in (
            ("publish", "--refill", "--vault", root),
            ("team", "drop", "vault"),
            ("team", "grant", "later", "--of", "test"),
            ("team", "drop", "--yes"),
        ):
            assert "a replica only answers" in mdmem(*refused, code=1).err
        write(root, "coffee", "Coffee beside tea.")
        git(root, "add", "-A")
        git(root, "commit", "--quiet", "-m", "coffee")
        send(root)
        written = team.run("SELECT pg_current_wal_insert_lsn()")[0][0]
        while not copy.run("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", [written])[0][0]:
            time.sleep(0.02)
        assert "coffee" in mdmem(*asked).out
    team.run("DROP OWNED BY reader")
    team.run("DROP ROLE reader")
