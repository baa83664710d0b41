"""Sets up a team's index and its readers. Each function returns its statements, which may also be printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mdmem import __version__
from mdmem.errors import NotFoundError, StoppedError
from mdmem.team.schema import (
    NAME,
    TABLES,
    VECTORS,
    VERSION,
    as_owner,
    become_owner,
    check,
    claim,
    clear,
    exists,
    owner_of,
    statement,
    statements,
    version_of,
)
from mdmem.team.server import Server

_OWNER = "mdmem_publisher_"  # followed by the name of the database, since all databases of a server share roles
_GRANT = (
    "INSERT INTO mdmem.grants (reader, vault, scopes) VALUES ({}, {}, {}::text[])"
    " ON CONFLICT (reader, vault) DO UPDATE SET scopes = excluded.scopes"
)


class TeamVault(NamedTuple):
    """A vault in the index; `published` is RFC 3339, `size` in bytes of its texts on the server's disk."""

    vault: str
    name: str
    url: str
    head: str
    published: str
    notes: int
    max_sensitivity: str
    size: int


class Grant(NamedTuple):
    """A role's right to read a vault, or only some of its scopes (none: all)."""

    reader: str
    vault: str
    scopes: tuple[str, ...]


class TeamStatus(NamedTuple):
    """The state of a team's index. `is_current` says whether it is of this version of mdmem."""

    is_current: bool
    publishers: tuple[str, ...]
    vaults: tuple[TeamVault, ...]
    grants: tuple[Grant, ...]


def initial(server: Server) -> list[Any]:
    """The statements that create the tables; none if all exist. Tables of another version are dropped.

    Existing grants are kept.
    """
    owner = owner_of(server) or _OWNER + str(server.run("SELECT current_database()")[0][0])
    kept = [grant for grant in _grants(server) if _has_role(server, grant.reader)]
    made: list[Any] = []
    if version_of(server) != VERSION:
        made += [] if _has_role(server, owner) else [statement("CREATE ROLE {owner} NOLOGIN", owner=owner)]
        is_superuser = server.run("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")[0][0]
        made += [] if is_superuser else [statement("GRANT {owner} TO CURRENT_USER", owner=owner)]
        made.append("DROP SCHEMA IF EXISTS mdmem CASCADE")
        made.append(statement("CREATE SCHEMA mdmem AUTHORIZATION {owner}", owner=owner))
        about = statement("INSERT INTO mdmem.about VALUES ({}, {})", VERSION, f"mdmem {__version__}")
        grants = [text for grant in kept for text in _granted(*grant)]
        made += as_owner(owner, [*statements("tables"), about, *grants])
    elif exists(server, VECTORS):
        return []
    if server.run(_PGVECTOR):
        made.append("CREATE EXTENSION IF NOT EXISTS vector")
        made += as_owner(owner, statements(VECTORS))
    return made


def _granted(reader: str, vault: str, scopes: Sequence[str]) -> list[Any]:
    """The statements that let a role read a vault, or only some of its scopes."""
    return [
        statement("GRANT USAGE ON SCHEMA mdmem TO {reader}", reader=reader),
        statement("GRANT SELECT ON mdmem.about, mdmem.memories TO {reader}", reader=reader),
        statement(_GRANT, reader, vault, list(scopes)),
    ]


def granting(
    server: Server, reader: str, vaults: Sequence[str], scopes: Sequence[str], publish: bool
) -> list[Any]:
    """The statements that let a role read vaults, or publish. A role that does not exist is created, with login.

    Raises NotFoundError for a vault that is not published.
    """
    check(server)
    owner = owner_of(server)
    made: list[Any] = []
    if not _has_role(server, reader):
        made.append(statement("CREATE ROLE {reader} LOGIN", reader=reader))
        made += _keeping(owner, reader, [])
    if publish:
        made.append(statement("GRANT {owner} TO {reader}", owner=owner, reader=reader))
    ids = [vault_id(server, vault) for vault in vaults]
    granted = [text for id in ids for text in _granted(reader, id, scopes)]
    return made + (as_owner(owner, granted) if granted else [])


def revoking(server: Server, reader: str, vaults: Sequence[str], publish: bool) -> list[Any]:
    """The statements that revoke such grants, without `vaults` all of them. Raises NotFoundError."""
    check(server)
    owner = owner_of(server)
    grants = [grant.vault for grant in _grants(server) if grant.reader == reader]
    if not _has_role(server, reader):
        if grants:
            return _keeping(owner, reader, [])
        raise NotFoundError(f"the server has no role {reader}", "mdmem team lists who may read")
    made = [statement("REVOKE {owner} FROM {reader}", owner=owner, reader=reader)] if publish else []
    if publish and not vaults:
        return made
    ids = [vault_id(server, vault) for vault in vaults]
    left = [vault for vault in grants if ids and vault not in ids]
    closed = [
        statement("REVOKE ALL ON ALL TABLES IN SCHEMA mdmem FROM {reader}", reader=reader),
        statement("REVOKE ALL ON SCHEMA mdmem FROM {reader}", reader=reader),
    ]
    return [*made, *_keeping(owner, reader, left), *([] if left else as_owner(owner, closed))]


def _keeping(owner: str, reader: str, vaults: Sequence[str]) -> list[Any]:
    """The statements that delete the grants of a role, except for those of some vaults."""
    text = "DELETE FROM mdmem.grants WHERE reader = {} AND NOT vault = ANY ({}::text[])"
    return as_owner(owner, [statement(text, reader, list(vaults))])


def run(server: Server, statements: Sequence[Any]) -> None:
    """Run statements in one transaction."""
    with server.transaction():
        for statement in statements:
            server.run(statement)


def script(server: Server, statements: Sequence[Any]) -> str:
    """The same as a script for psql."""
    return "\n".join(["BEGIN;", *(f"{server.as_text(statement)};" for statement in statements), "COMMIT;"])


def drop_vault(server: Server, vault: str) -> str:
    """Remove a vault, given by id or name, from the index; returns its id. Grants stay. Raises NotFoundError."""
    with server.transaction():
        become_owner(server)
        check(server)
        found = vault_id(server, vault)
        claim(server, found)
        vectors = (VECTORS,) if exists(server, VECTORS) else ()
        clear(server, found, (*TABLES, *vectors, "vaults", "publishers"))
    return found


def drop_all(server: Server) -> None:
    """Remove the whole index. Raises StoppedError if there is none."""
    if not owner_of(server):
        raise StoppedError("the team's server has no index")
    with server.transaction():
        become_owner(server)
        server.run("DROP SCHEMA mdmem CASCADE")


def vault_id(server: Server, named: str) -> str:
    """The id of a vault given by id or name. Raises NotFoundError, which lists the vaults there are."""
    vaults = server.run("SELECT vault, name FROM mdmem.readable_vaults() ORDER BY name")
    ids = [vault for vault, name in vaults if named in (vault, name)]
    exact = [vault for vault in ids if vault == named]
    if len(exact or ids) != 1:
        names = ", ".join(f"{name} ({vault})" for vault, name in vaults)
        problem = "is not published" if not ids else "is the name of several vaults"
        raise NotFoundError(
            f"{named} {problem}", f"there are: {names}" if names else "mdmem publish, in the vault"
        )
    return str((exact or ids)[0])


def status(server: Server) -> TeamStatus:
    """The vaults in the index and who may read them, as far as this role may see that."""
    owner = owner_of(server)
    is_current = version_of(server) == VERSION
    publishers = server.run(
        "SELECT pg_get_userbyid(member) FROM pg_auth_members m JOIN pg_roles r ON r.oid = m.roleid"
        " WHERE r.rolname = %s ORDER BY 1",
        [owner],
    )
    vaults = server.run(_VAULTS) if is_current else []
    return TeamStatus(
        is_current,
        tuple(str(name) for (name,) in publishers),
        tuple(map(TeamVault._make, vaults)),
        tuple(_grants(server)),
    )


_PGVECTOR = """
SELECT 1 FROM pg_available_extension_versions v
WHERE v.name = 'vector'
  AND (v.installed OR v.trusted OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))
"""
_VAULTS = """
SELECT vault, name, url, head, to_char(published AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), notes,
  max_sensitivity,
  (SELECT coalesce(sum(z.bytes), 0)::bigint FROM mdmem.readable_sizes() z WHERE z.vault = v.vault)
FROM mdmem.readable_vaults() v ORDER BY name, vault
"""


def _grants(server: Server) -> list[Grant]:
    """All grants; none for a role that may not see them."""
    may = server.run("SELECT has_table_privilege(to_regclass(%s), 'SELECT')", [f"{NAME}.grants"])[0][0]
    if not may:
        return []
    told = server.run("SELECT reader, vault, scopes FROM mdmem.grants ORDER BY 1, 2")
    return [Grant(reader, vault, tuple(scopes)) for reader, vault, scopes in told]


def _has_role(server: Server, name: str) -> bool:
    return bool(server.run("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]))
