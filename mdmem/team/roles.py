"""Sets up a team's index and its readers. Each function returns its statements, which may also be printed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from mdmem.errors import NotFoundError, StoppedError
from mdmem.team.schema import (
    NAME,
    VECTORS,
    VERSION,
    Statements,
    VaultPartitions,
    become_owner,
    check,
    exists,
    owner_of,
    version_of,
)
from mdmem.team.server import Server

_OWNER = "mdmem_publisher_"  # followed by the name of the database, since all databases of a server share roles


class TeamVault(NamedTuple):
    """A vault in the index; `published` is RFC 3339, `size` in bytes on the server's disk."""

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
    make = Statements(owner)
    kept = [grant for grant in _grants(server) if _has_role(server, grant.reader)]
    if version_of(server) == VERSION:
        return _vectors(server, make, kept) if not exists(server, VECTORS) else []
    statements = []
    if not _has_role(server, owner):
        statements.append(make.text("CREATE ROLE {owner} NOLOGIN"))
    statements += [make.text("GRANT {owner} TO CURRENT_USER")] if not _is_superuser(server) else []
    statements.append(make.text("DROP SCHEMA IF EXISTS mdmem CASCADE"))
    statements += make.make()
    statements.append(make.text("SET LOCAL ROLE {owner}"))
    for grant in kept:
        statements += make.grant(grant.reader, grant.vault, grant.scopes)
    statements.append(make.text("RESET ROLE"))
    return statements + _vectors(server, make, kept)


def _vectors(server: Server, make: Statements, kept: Sequence[Grant]) -> list[Any]:
    """The statements that create that table; none if the server has no pgvector or this role may not enable it."""
    if not server.run(_PGVECTOR):
        return []
    statements = make.make_vectors()
    for reader in dict.fromkeys(grant.reader for grant in kept):
        statements += make.grant_tables(reader, [VECTORS])
    return statements


def granting(
    server: Server, reader: str, vaults: Sequence[str], scopes: Sequence[str], publish: bool
) -> list[Any]:
    """The statements that let a role read vaults, or publish. A role that does not exist is created, with login.

    Raises NotFoundError for a vault that is not published.
    """
    check(server)
    make = Statements(owner_of(server))
    statements = []
    if not _has_role(server, reader):
        statements.append(make.text("CREATE ROLE {reader} LOGIN", reader=make.role(reader)))
        statements += _forgetting(make, reader) if _reads(server, reader) else []
    if publish:
        statements.append(make.text("GRANT {owner} TO {reader}", reader=make.role(reader)))
    if vaults:
        statements.append(make.text("SET LOCAL ROLE {owner}"))
    for vault in vaults:
        statements += make.grant(reader, vault_id(server, vault), scopes)
    if vaults and exists(server, VECTORS):
        statements += make.grant_tables(reader, [VECTORS])
    return statements


def revoking(server: Server, reader: str, vaults: Sequence[str], publish: bool) -> list[Any]:
    """The statements that revoke such grants, without `vaults` all of them. Raises NotFoundError."""
    check(server)
    make = Statements(owner_of(server))
    if not _has_role(server, reader):
        if _reads(server, reader):
            return _forgetting(make, reader)
        raise NotFoundError(f"the server has no role {reader}", "mdmem team lists who may read")
    statements = [make.text("REVOKE {owner} FROM {reader}", reader=make.role(reader))] if publish else []
    if publish and not vaults:
        return statements
    ids = [vault_id(server, vault) for vault in vaults]
    left = [grant for grant in _reads(server, reader) if ids and grant.vault not in ids]
    statements.append(make.text("SET LOCAL ROLE {owner}"))
    for at, vault in enumerate(ids or [""]):
        statements += make.revoke(reader, vault, is_last=not left and at == len(ids or [""]) - 1)
    return statements


def _forgetting(make: Statements, reader: str) -> list[Any]:
    """The statements that delete the grants of a role that the server no longer has."""
    own = [make.text("SET LOCAL ROLE {owner}"), *make.revoke(reader, "", is_last=False)]
    return [*own, make.text("RESET ROLE")]


def run(server: Server, statements: Sequence[Any]) -> None:
    """Run statements in one transaction."""
    with server.transaction():
        for statement in statements:
            server.run(statement)


def drop_vault(server: Server, vault: str) -> str:
    """Remove a vault, given by id or name, from the index; returns its id. Grants stay. Raises NotFoundError."""
    with server.transaction():
        become_owner(server)
        check(server)
        found = vault_id(server, vault)
        partitions = VaultPartitions(server, found)
        partitions.claim()
        server.swap(partitions.drop)
        for table in ("vaults", "publishers"):
            server.run(f"DELETE FROM mdmem.{table} WHERE vault = %s", [found])  # noqa: S608 - own literals
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
    vaults = server.run("SELECT vault, name FROM mdmem.vaults ORDER BY name")
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
        tuple(TeamVault._make([*row, _size(server, row[0])]) for row in vaults),
        tuple(_grants(server)),
    )


_PGVECTOR = """
SELECT 1 FROM pg_available_extension_versions v
WHERE v.name = 'vector'
  AND (v.installed OR v.trusted OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user))
"""
_VAULTS = """
SELECT vault, name, url, head, to_char(published AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), notes,
  max_sensitivity FROM mdmem.vaults ORDER BY name, vault
"""


def _size(server: Server, vault: str) -> int:
    names = [f"{NAME}.{name}" for name in VaultPartitions(server, vault).names()]
    text = "SELECT coalesce(sum(pg_total_relation_size(to_regclass(t))), 0) FROM unnest(%s::text[]) t"
    return int(server.run(text, [names])[0][0])


def _grants(server: Server) -> list[Grant]:
    """All grants; none for a role that may not see them."""
    may = server.run("SELECT has_table_privilege(to_regclass(%s), 'SELECT')", [f"{NAME}.grants"])[0][0]
    if not may:
        return []
    told = server.run("SELECT reader, vault, scopes FROM mdmem.grants ORDER BY 1, 2")
    return [Grant(reader, vault, tuple(scopes)) for reader, vault, scopes in told]


def _reads(server: Server, reader: str) -> list[Grant]:
    return [grant for grant in _grants(server) if grant.reader == reader]


def _has_role(server: Server, name: str) -> bool:
    return bool(server.run("SELECT 1 FROM pg_roles WHERE rolname = %s", [name]))


def _is_superuser(server: Server) -> bool:
    return bool(server.run("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")[0][0])
