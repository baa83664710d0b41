"""A team's index in PostgreSQL: what is published there, and who may read it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from mdmem.acts.face import Face
from mdmem.acts.style import Lines, Style
from mdmem.acts.telling import Told, beside
from mdmem.errors import StoppedError, UsageError
from mdmem.note.plural import counted
from mdmem.store.progress import Watch
from mdmem.store.vault.vault import Vault
from mdmem.team import publish as publishing
from mdmem.team import roles
from mdmem.team.publish import Publication, PublishRequest
from mdmem.team.roles import TeamStatus
from mdmem.team.server import Server


def team() -> Told:
    """Set up the index that a team searches, in PostgreSQL, and say who may read it.

    Without a command: show which vaults are published, at which commit, and who may read them.

    Where the server is comes from the environment: $MDMEM_TEAM_DSN, or PGHOST and the other variables of
    PostgreSQL. It needs the extra `postgres`; the guide `team` says when that is worth it.

    \b
    Examples:
      mdmem team init
      mdmem team grant ann --of notes
      mdmem team --json
    """
    with Server.open() as server:
        found = roles.status(server)
    return Told(found, team_lines(found))


def init(*, sql: bool = False) -> Told:
    """Make the tables, and a role that owns them.

    Run it as a role that may create roles and schemas. Tables of another version are dropped: publishing fills
    them again. Who may read what stays.

    \b
    Example:
      mdmem team init --sql
    """
    with Server.open() as server:
        return _run(server, roles.initial(server), sql, "the team's index is ready; mdmem publish fills it")


def grant(
    role: str,
    *,
    vaults: Sequence[str] = (),
    scopes: Sequence[str] = (),
    publish: bool = False,
    off: bool = False,
    sql: bool = False,
) -> Told:
    """Let a role of the server read vaults, or publish.

    A role that does not exist is created, without a password: set one with \\password in psql. Memories without
    a scope are in every scope.

    \b
    Examples:
      mdmem team grant ann --of notes --of work
      mdmem team grant dashboard --of work --scope project-x
      mdmem team grant hub --publish
      mdmem team grant ann --of work --off
    """
    if off and scopes:
        raise UsageError("--off takes back whole vaults", "leave out --scope, and grant the other scopes again")
    if not vaults and not publish and not off:
        raise UsageError("nothing is granted", "name a vault with --of, or give --publish")
    with Server.open() as server:
        if off:
            return _run(server, roles.revoking(server, role, tuple(vaults), publish), sql, f"revoked from {role}")
        statements = roles.granting(server, role, tuple(vaults), tuple(scopes), publish)
        return _run(server, statements, sql, f"granted to {role}")


def _run(server: Server, statements: list[Any], as_sql: bool, done: str) -> Told:
    """Run statements, or show them."""
    if as_sql:
        script = roles.script(server, statements)
        return Told({"sql": script}, script)
    roles.run(server, statements)
    return Told({"done": done}, done)


def drop(
    name: str = "",
    *,
    yes: bool = False,
) -> Told:
    """Remove a vault from the team's index, or all of it. Nothing is lost: publishing fills it again.

    \b
    Examples:
      mdmem team drop notes
      mdmem team drop --yes
    """
    if not name and not yes:
        raise StoppedError("this removes every vault from the team's index", "name one, or give --yes")
    with Server.open() as server:
        if name:
            roles.drop_vault(server, name)
        else:
            roles.drop_all(server)
    removed = name or "the index"
    return Told({"removed": removed}, f"removed {removed}")


def publish(
    vault: Vault,
    watch: Watch,
    face: Face,
    *,
    refill: bool = False,
    rewind: bool = False,
    dry_run: bool = False,
) -> Told:
    """Bring the team's index in PostgreSQL up to this vault's HEAD.

    What is committed is published, and nothing else. The first time that is everything, later what git says has
    changed. Memories above `medium` are left out unless --max-sensitivity says otherwise.

    Where the server is comes from the environment: $MDMEM_TEAM_DSN, or PGHOST and the other variables of
    PostgreSQL. It needs the extra `postgres`; the guide `team` says when that is worth it.

    \b
    Examples:
      mdmem publish
      mdmem publish --dry-run --json
      mdmem publish --max-sensitivity low
    """
    request = PublishRequest(face.limit, refill, rewind, dry_run)
    with Server.open() as server, watch("publishing") as report:
        done = publishing.publish(vault, server, request, report)
    return Told(done, partial(_published, done, dry_run))


def _published(done: Publication, dry_run: bool, style: Style) -> Lines:
    del style
    if done.left_out:
        held = counted(done.left_out, "row")
        yield beside(f"left out {held} above '{done.max_sensitivity}'; see --max-sensitivity")
    if done.how == "nothing":
        yield f"{done.name} is up to date in the team's index ({counted(done.notes, 'row')})"
        return
    change = f"{counted(done.written, 'row')} written, {done.removed} removed"
    change += f", {counted(done.vectors, 'vector')}" if done.vectors else ""
    would = "would publish" if dry_run else "published"
    yield f"{would} {done.name} at {done.head[:10] or 'no commit'}: {change}"


def team_lines(status: TeamStatus) -> Lines:
    """The vaults, one per line, then who publishes and who reads."""
    if not status.is_current:
        yield "no index of this version; mdmem team init makes one"
        return
    if not status.vaults:
        yield "no vault is published yet, or none that you may read"
    names = {vault.vault: vault.name for vault in status.vaults}
    for vault in status.vaults:
        rows, size = counted(vault.notes, "row"), vault.size / 1e6
        yield f"{vault.name}  {vault.head[:10] or 'no commit'}  {rows}  {size:.1f} MB  {vault.published}"
    if status.publishers:
        yield "publishing: " + ", ".join(status.publishers)
    for grant in status.grants:
        scopes = f" (scopes: {', '.join(grant.scopes)})" if grant.scopes else ""
        yield f"{grant.reader} reads {names.get(grant.vault, grant.vault)}{scopes}"
