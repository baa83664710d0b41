"""The door to PostgreSQL: how a team's server is found, and the errors when it cannot be used.

Only the environment says where it is: $MDMEM_TEAM_DSN, or libpq's own PGHOST, PGSERVICE and so on, with the
password and service files that they name. A vault, which may have come with a clone, has no say. A password is
never printed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from mdmem.errors import MdmemError, UsageError

DSN = "MDMEM_TEAM_DSN"
_OWN = ("PGSERVICE", "PGHOST", "PGHOSTADDR", "PGDATABASE")  # those of libpq's variables that name a server
_SECONDS = 10  # for a server to answer
_OLDEST = 150000  # PostgreSQL 15: has views that run with the rights of the caller


class TeamError(MdmemError):
    """The team's index cannot be used now, or not by this role."""


class NoServerError(UsageError):
    """The environment names no server."""


class Server:
    """A connection to the team's server. Statements are `psycopg.sql` compositions or literal texts.

    Raises TeamError for everything that the server refuses.
    """

    def __init__(self, connection: Any, dsn: str) -> None:
        self._connection = connection
        self._dsn = dsn
        self._numbers = count()  # of cursors

    @classmethod
    def open(cls, environ: Mapping[str, str] = os.environ, patience: int = _SECONDS) -> Server:
        """Connect to the server that the environment names, within `patience` seconds or the timeout in its DSN.

        Raises NoServerError if it names none.
        """
        dsn = dsn_of(environ)
        psycopg = _library()
        try:
            seconds = psycopg.conninfo.conninfo_to_dict(dsn).get("connect_timeout", patience)
            connection = psycopg.connect(dsn, autocommit=True, connect_timeout=seconds, application_name="mdmem")
        except (psycopg.ProgrammingError, UnicodeError):
            raise NoServerError(
                f"${DSN} is not a connection string", "write it like postgresql://publisher@host/team"
            ) from None
        except psycopg.Error as error:
            raise TeamError(
                f"the team's server cannot be used: {_said(error, dsn)}", f"is ${DSN} right, and the server up?"
            ) from None
        server = cls(connection, dsn)
        if connection.info.server_version < _OLDEST:
            server.close()
            raise TeamError("the team's server is older than PostgreSQL 15", "use a newer one")
        return server

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection; an open transaction is rolled back."""
        self._connection.close()

    @property
    def user(self) -> str:
        """The role that this connection logged in as."""
        return str(self._connection.info.user)

    def run(self, statement: Any, values: Sequence[Any] | Mapping[str, Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of one statement; empty for a statement without rows."""
        with self._refusals():
            cursor = self._connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def stream(self, statement: Any, values: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
        """The rows of one query, read as they are needed, within a transaction of the caller."""
        with self._refusals(), self._connection.cursor(f"rows_{next(self._numbers)}") as cursor:
            yield from cursor.execute(statement, values)

    def copy(self, statement: Any, rows: Iterable[Sequence[Any]]) -> None:
        """Send rows by COPY; the statement names the columns."""
        with self._refusals(), self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in rows:
                copy.write_row(row)

    @contextmanager
    def transaction(self, is_trial: bool = False) -> Iterator[None]:
        """Run the block in a transaction: all of it takes effect, or nothing, as with a trial."""
        with self._refusals(), self._connection.transaction(force_rollback=is_trial):
            yield

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Run queries on one state of the index, which no change affects."""
        psycopg = _library()
        with self._refusals():
            self._connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            self._connection.read_only = True
            try:
                with self._connection.transaction():
                    yield
            finally:
                if not self._connection.closed:
                    self._connection.isolation_level = self._connection.read_only = None

    def as_text(self, statement: Any) -> str:
        """A statement as it is sent."""
        return statement if isinstance(statement, str) else str(statement.as_string(self._connection))

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        psycopg = _library()
        try:
            yield
        except psycopg.errors.InsufficientPrivilege as error:
            raise TeamError(
                f"the team's server does not allow that to {self.user}: {_said(error, self._dsn)}",
                "mdmem team says who may; mdmem team grant gives more",
            ) from None
        except psycopg.Error as error:
            is_replica = isinstance(error, psycopg.errors.ReadOnlySqlTransaction)
            hint = "a replica only answers; name the first server" if is_replica else "try again"
            raise TeamError(f"the team's server: {_said(error, self._dsn)}", hint) from None


def dsn_of(environ: Mapping[str, str]) -> str:
    """The connection string in the environment; "" if libpq's own variables name the server.

    Raises NoServerError if neither does.
    """
    dsn = environ.get(DSN, "")
    if not dsn and not any(environ.get(name) for name in _OWN):
        raise NoServerError(
            "no team's server is named", f"set ${DSN}, as postgresql://role@host/database, or libpq's PGHOST"
        )
    return dsn


def _library() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MdmemError("the extra `postgres` is not installed", "pip install 'mdmem[postgres]'") from None
    return psycopg


def _said(error: Exception, dsn: str) -> str:
    """An error in one line, without the password."""
    from psycopg import conninfo

    lines = str(error).strip().splitlines()
    text = lines[0] if lines else type(error).__name__
    password = conninfo.conninfo_to_dict(dsn).get("password")
    return text.replace(str(password), "***") if password else text
