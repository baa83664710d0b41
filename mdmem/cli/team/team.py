"""The commands that set up a team's index and control who may read it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from mdmem.cli.options import print_json, print_lines
from mdmem.cli.shared import group
from mdmem.errors import StoppedError, UsageError

if TYPE_CHECKING:
    from mdmem.team.server import Server

_sql_option = click.option("--sql", "as_sql", is_flag=True, help="Print the SQL instead of running it.")
_vaults_option = click.option(
    "--of", "vaults", multiple=True, metavar="VAULT", help="A published vault, by its name or id; may be repeated."
)


@group("team", vault=False, invoke_without_command=True)
def team_command(as_json: bool) -> None:
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
    if not click.get_current_context().invoked_subcommand:
        _show(as_json)


@team_command.command("init", vault=False, json=False)
@_sql_option
def init_command(as_sql: bool) -> None:
    """Make the tables, and a role that owns them.

    Run it as a role that may create roles and schemas. Tables of another version are dropped: publishing fills
    them again. Who may read what stays.

    \b
    Example:
      mdmem team init --sql
    """
    from mdmem.team import roles
    from mdmem.team.server import Server

    with Server.open() as server:
        statements = roles.initial(server)
        _run(server, statements, as_sql, "the team's index is ready; mdmem publish fills it")


@team_command.command("grant", vault=False, json=False)
@click.argument("role")
@_vaults_option
@click.option("--scope", "scopes", multiple=True, metavar="NAME", help="Only this scope of them; may be repeated.")
@click.option("--publish", is_flag=True, help="Let the role publish, and see everything.")
@click.option("--off", is_flag=True, help="Take it back; without --of, all that it may read.")
@_sql_option
def grant_command(
    role: str, vaults: tuple[str, ...], scopes: tuple[str, ...], publish: bool, off: bool, as_sql: bool
) -> None:
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
    from mdmem.team import roles
    from mdmem.team.server import Server

    if off and scopes:
        raise UsageError("--off takes back whole vaults", "leave out --scope, and grant the other scopes again")
    if not vaults and not publish and not off:
        raise UsageError("nothing is granted", "name a vault with --of, or give --publish")
    with Server.open() as server:
        if off:
            _run(server, roles.revoking(server, role, vaults, publish), as_sql, f"revoked from {role}")
        else:
            _run(server, roles.granting(server, role, vaults, scopes, publish), as_sql, f"granted to {role}")


@team_command.command("drop", vault=False, json=False)
@click.argument("vault", required=False)
@click.option("-y", "--yes", is_flag=True, help="Remove every vault, if none is named.")
def drop_command(vault: str | None, yes: bool) -> None:
    """Remove a vault from the team's index, or all of it. Nothing is lost: publishing fills it again.

    \b
    Examples:
      mdmem team drop notes
      mdmem team drop --yes
    """
    from mdmem.team import roles
    from mdmem.team.server import Server

    if not vault and not yes:
        raise StoppedError("this removes every vault from the team's index", "name one, or give --yes")
    with Server.open() as server:
        if vault:
            roles.drop_vault(server, vault)
        else:
            roles.drop_all(server)
    click.echo(f"removed {vault or 'the index'}")


def _show(as_json: bool) -> None:
    """Print the state of the index."""
    from mdmem.acts.json.sync import team_json
    from mdmem.acts.text.team import team_lines
    from mdmem.team import roles
    from mdmem.team.server import Server

    with Server.open() as server:
        found = roles.status(server)
    if as_json:
        print_json(team_json(found))
    else:
        print_lines(team_lines(found))


def _run(server: Server, statements: list[Any], as_sql: bool, done: str) -> None:
    """Run statements, or print them."""
    from mdmem.team import roles, schema

    if as_sql:
        click.echo(schema.as_script([server.as_text(statement) for statement in statements]))
        return
    roles.run(server, statements)
    click.echo(done)
