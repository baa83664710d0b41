"""Who reads what, by vault and scope, and the ways around it that a reader might try."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mdmem.errors import NotFoundError
from mdmem.team import roles
from mdmem.team.schema import TABLES
from mdmem.team.server import DSN, Server, TeamError
from tests.team.attacks import CALLS, every_answer, functions, pages, spelled
from tests.team.test_publish import write

pytestmark = pytest.mark.postgres
BEST = "SELECT path FROM mdmem.best(%s::text[], 3000, ARRAY['memory'], '{}', '{}', NULL)"

OF_OTHER = "scope: kitchen\npinned: true\nsession: airship\n"
KNOWN = {  # all that somebody might guess of the other vault
    **{"vault": "other", "path": "allmemories/zeppelin.md", "name": "zeppelin", "id": "id-zeppelin"},
    **{"session": "airship", "target": "hangar", "trait": "pinned", "stem": "zeppelin", "mark": "other:/kitchen"},
}
SECRETS = ("zeppelin", "levitat", "hangar", "airship", "pumpernickel", "dining")

Run = Callable[..., Any]


@pytest.fixture
def two(root: Path, tmp_path: Path, git: Run, send: Run) -> None:
    """Two published vaults: `test`, with a scope, and `other`, of which each word is its own."""
    write(root, "tea", "Tea is green, see [[plan]].")
    write(root, "plan", "Marmalade for everyone.", "scope: kitchen\npinned: true\nstatus: archived\n")
    write(root, "guests", "Pumpernickel.", "scope: dining\n")
    other = Path(shutil.copytree(root, tmp_path / "other"))
    shutil.rmtree(other / "allmemories")
    (other / "allmemories").mkdir()
    (other / "mdmem.toml").write_text('id = "other"\n')
    write(other, "zeppelin", "Zeppelins levitate, see [[hangar]].", OF_OTHER)
    for folder in (root, other):
        git(folder, "add", "-A")
        git(folder, "commit", "--quiet", "-m", "notes")
        send(folder)


@pytest.fixture
def let(team: Server) -> Run:
    """Grant to a role what is named."""

    def run(reader: str, *vaults: str, scopes: tuple[str, ...] = (), publish: bool = False) -> None:
        roles.run(team, roles.granting(team, reader, vaults, scopes, publish))

    return run


@pytest.fixture(autouse=True)
def no_roles_left(cluster: Any, database: str) -> Any:
    """Roles are of the whole server: none stays for the next test."""
    import psycopg

    yield
    with psycopg.connect(cluster.dsn(database), autocommit=True) as admin:
        named = admin.execute("SELECT rolname FROM pg_roles WHERE rolname IN ('ann', 'bob', 'hub', 'analysts')")
        for (name,) in named.fetchall():
            admin.execute(f"DROP OWNED BY {name} CASCADE")
            admin.execute(f"DROP ROLE {name}")


def names(connection: Any) -> set[str]:
    return {path.split("/")[-1] for (path,) in connection.execute("SELECT path FROM mdmem.memories")}


def test_a_reader_sees_its_vaults_and_scopes(two: None, let: Run, as_role: Run, team: Server) -> None:
    let("ann", "test")
    let("bob", "test", scopes=("kitchen",))
    ann, bob = as_role("ann"), as_role("bob")
    assert names(ann) == {"tea.md", "plan.md", "guests.md"}
    assert names(bob) == {"tea.md", "plan.md"}
    stems = "SELECT stem FROM mdmem.frequencies_of(%s)"
    asked = ["marmalad", "pumpernickel", "zeppelin"]
    assert {stem for (stem,) in bob.execute(stems, [asked])} == {"marmalad"}
    assert {stem for (stem,) in ann.execute(stems, [asked])} == {"marmalad", "pumpernickel"}
    assert bob.execute("SELECT * FROM mdmem.seen() ORDER BY 2").fetchall() == [("test", ""), ("test", "kitchen")]
    assert bob.execute("SELECT vault FROM mdmem.readable_vaults()").fetchall() == [("test",)]
    let("bob", "other")
    assert names(bob) == {"tea.md", "plan.md", "zeppelin.md"}
    roles.run(team, roles.revoking(team, "bob", ["test"], publish=False))
    assert names(bob) == {"zeppelin.md"}
    roles.run(team, roles.revoking(team, "bob", [], publish=False))
    with pytest.raises(Exception, match="permission denied"):
        names(bob)


def test_no_way_around_it(two: None, let: Run, as_role: Run, team: Server) -> None:
    """What a reader gets is never of another vault or scope, whatever it asks; and it can write nothing."""
    let("ann", "other")
    let("bob", "test", scopes=("kitchen",))
    bob = as_role("bob")
    owner = team.run("SELECT pg_get_userbyid(nspowner) FROM pg_namespace WHERE nspname = 'mdmem'")[0][0]
    refused = (
        "SELECT * FROM mdmem.grants",
        "INSERT INTO mdmem.grants VALUES ('bob', 'other', '{}')",
        f"SET ROLE {owner}",
        "SET ROLE ann",
        "SET SESSION AUTHORIZATION ann",
        *(f"SELECT 1 FROM mdmem.{table}" for table in (*TABLES, "vaults", "publishers")),
        "GRANT SELECT ON mdmem.notes TO bob",
        "CREATE OR REPLACE FUNCTION mdmem.asking() RETURNS name LANGUAGE sql AS $$ SELECT 'ann'::name $$",
        "CREATE FUNCTION mdmem.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "UPDATE mdmem.notes SET body = ''",
        "DELETE FROM mdmem.vaults",
        "SELECT mdmem.count_words('test', ARRAY['allmemories/tea.md'], 1)",
        "TRUNCATE mdmem.words",
        "COPY mdmem.notes TO PROGRAM 'cat'",
    )
    for statement in refused:
        with pytest.raises(Exception, match=r"permission denied|must be (?:owner|superuser|a member)"):
            bob.execute(statement)
    assert functions(bob) == CALLS.keys(), "each function is attacked"
    read = 0
    for statement, text in every_answer(bob, KNOWN):
        assert not [secret for secret in SECRETS if secret in text], statement
        assert "explain" not in statement.lower() or "mdmem.memories" in statement or "rows removed" not in text
        read += "marmalade" in text
    assert read >= 5, "it does not even see its own: the attack proves nothing"
    for table, column in (("frequencies", "stem"), ("notes", "path"), ("links", "target"), ("vaults", "vault")):
        assert spelled(bob, table, column) == ""
    nonsense = {what: f"{value[:-2]}zz" for what, value in KNOWN.items() if what != "vault"}
    assert pages(bob, KNOWN) == pages(bob, {**KNOWN, **nonsense})
    # a search path with traps in it changes nothing of what the functions see
    bob.execute("CREATE TEMP TABLE grants (reader name, vault text, scopes text[])")
    bob.execute("INSERT INTO grants VALUES ('bob', 'other', '{}')")
    bob.execute("SET search_path = pg_temp, mdmem, public")
    assert names(bob) == {"tea.md", "plan.md"}
    assert bob.execute(BEST, [["zeppelin", "pumpernickel", "marmalad"]]).fetchall() == [("allmemories/plan.md",)]
    saying = "SELECT path FROM mdmem.saying(ARRAY['zeppelin', 'pumpernickel', 'marmalad'], ARRAY[0, 0, 0])"
    assert bob.execute(saying).fetchall() == [("allmemories/plan.md",)]
    assert bob.execute("SELECT mdmem.number_saying('zeppelin', 0)").fetchone() == (0,)
    # no argument makes a function fail at a row that is looked at before it is ruled out
    bob.execute("SET join_collapse_limit = 1")
    for weighed in (-(2**31), 0, 2**31 - 1):
        best = "SELECT * FROM mdmem.best(%s, %s, ARRAY['memory'], '{}', '{}', 9)"
        assert bob.execute(best, [["zeppelin", "pumpernickel"], weighed]).fetchall() == []
    for weight in (1e308, -1e308):
        saying = "SELECT * FROM mdmem.saying(%s, ARRAY[0, 0], array_fill(%s::float8, ARRAY[6]))"
        assert bob.execute(saying, [["zeppelin", "pumpernickel"], weight]).fetchall() == []


def test_groups_and_roles_that_are_set(two: None, let: Run, as_role: Run, team: Server) -> None:
    """A role has what the roles have that it is in; one that is taken on with SET ROLE has only its own."""
    let("analysts", "other")
    let("ann", "test")
    team.run("GRANT analysts TO ann")
    ann = as_role("ann")
    assert names(ann) == {"tea.md", "plan.md", "guests.md", "zeppelin.md"}
    ann.execute("SET ROLE analysts")
    assert names(ann) == {"zeppelin.md"}
    assert ann.execute(BEST, [["zeppelin", "tea"]]).fetchall() == [("allmemories/zeppelin.md",)]


def test_publishers_write_without_being_superusers(
    root: Path, database: str, cluster: Any, let: Run, monkeypatch: pytest.MonkeyPatch, two: None, mdmem: Run
) -> None:
    let("hub", publish=True)
    let("ann", "test")
    write(root, "coffee", "Coffee.")
    mdmem("remember", "Water is wet.", "--name", "water_is_wet", "--vault", root)
    monkeypatch.setenv(DSN, cluster.dsn(database, "ann"))
    assert "does not allow that to ann" in mdmem("publish", "--vault", root, code=1).err
    monkeypatch.setenv(DSN, cluster.dsn(database, "hub"))
    mdmem("publish", "--vault", root)
    mdmem("publish", "--refill", "--vault", root)
    assert "4 rows" in mdmem("team").out
    with Server.open() as hub, pytest.raises(TeamError):
        hub.run("CREATE ROLE bob")
    mdmem("team", "drop", "other")
    assert "other" not in mdmem("team").out


def test_set_up_by_a_role_that_may_make_roles_and_schemas(
    cluster: Any, database: str, team: Server, monkeypatch: pytest.MonkeyPatch, mdmem: Run, root: Path
) -> None:
    """As on a hosted server, where nobody is a superuser; and by the SQL that --sql prints."""
    mdmem("team", "drop", "--yes")
    team.run(f"DROP ROLE mdmem_publisher_{database}")
    team.run("CREATE ROLE ann LOGIN CREATEROLE")
    team.run(f"ALTER DATABASE {database} OWNER TO ann")
    monkeypatch.setenv(DSN, cluster.dsn(database, "ann"))
    script = mdmem("team", "init", "--sql").out
    with Server.open() as ann:
        with pytest.raises(TeamError, match="no index yet"):
            roles.granting(ann, "bob", ["test"], (), publish=False)
        ann.run(script)
    assert mdmem("team", "init", "--sql").out == "BEGIN;\nCOMMIT;\n"
    mdmem("publish", "--vault", root)
    odd = 'bob"; DROP SCHEMA mdmem; --'
    assert (
        f'CREATE ROLE "{odd.replace(chr(34), chr(34) * 2)}" LOGIN'
        in mdmem("team", "grant", odd, "--of", "test", "--sql").out
    )
    mdmem("team", "grant", "bob", "--of", "test")
    mdmem("team", "grant", "bob", "--of", "nothing", code=3)
    assert "bob reads vault" in mdmem("team").out
    team.run(f"ALTER DATABASE {database} OWNER TO postgres")


def test_tables_of_another_version_are_made_again_and_grants_stay(
    two: None, let: Run, team: Server, send: Run, root: Path, as_role: Run
) -> None:
    let("bob", "test", scopes=("kitchen",))
    team.run("UPDATE mdmem.about SET version = 'older'")
    with pytest.raises(TeamError, match="another version"):
        send(root)
    roles.run(team, roles.initial(team))
    with pytest.raises(NotFoundError, match="not published"):
        roles.vault_id(team, "test")
    send(root)
    assert names(as_role("bob")) == {"tea.md", "plan.md"}


def test_a_role_that_was_dropped_leaves_nothing_to_one_of_its_name(
    two: None, let: Run, team: Server, as_role: Run
) -> None:
    def drop() -> None:
        team.run("DROP OWNED BY bob")
        team.run("DROP ROLE bob")

    let("bob", "other")
    drop()
    let("bob", "test", scopes=("kitchen",))
    assert names(as_role("bob")) == {"tea.md", "plan.md"}
    drop()
    let("ann", "other")
    roles.run(team, roles.revoking(team, "bob", [], publish=False))
    assert [grant.reader for grant in roles.status(team).grants] == ["ann"]
    team.run("INSERT INTO mdmem.grants VALUES ('bob', 'test', '{}')")
    team.run("UPDATE mdmem.about SET version = 'older'")
    roles.run(team, roles.initial(team))
    assert [grant.reader for grant in roles.status(team).grants] == ["ann"]


def test_names_with_quotes(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a database, whose role is named after it."""
    import psycopg

    with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as admin:
        admin.execute('CREATE DATABASE "it\'s ""so"""')
        with Server.open({DSN: cluster.dsn("'it\\'s \"so\"'")}) as server:
            roles.run(server, roles.initial(server))
            roles.run(server, roles.granting(server, "hub", [], [], publish=True))
            assert "hub" in roles.status(server).publishers
            roles.drop_all(server)
        admin.execute('DROP DATABASE "it\'s ""so"""')
        admin.execute('DROP ROLE "mdmem_publisher_it\'s ""so"""')


def test_pages_do_not_tell_whether_a_path_is_in_a_hidden_scope(
    two: None, let: Run, as_role: Run, team: Server
) -> None:
    """A role limited to scopes cannot guess paths of the others by how much of the disk a question reads."""
    let("bob", "test", scopes=("kitchen",))
    team.run("""
INSERT INTO mdmem.notes SELECT (jsonb_populate_record(n, jsonb_build_object('path', i || n.path))).*
FROM mdmem.notes n CROSS JOIN generate_series(1, 300) AS i
""")
    team.run("ANALYZE mdmem.notes")
    hidden = {**KNOWN, "vault": "test", "path": "allmemories/guests.md"}
    assert pages(as_role("bob"), hidden) == pages(as_role("bob"), {**hidden, "path": "allmemories/guestz.md"})
