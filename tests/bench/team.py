"""A team at size: the first fill of many vaults, one commit, recall by many readers, and roles under attack.

    python -m tests.bench.team FOLDER [--vaults 100] [--notes 1000] [--readers 16] [--seconds 15] [--seed 1]

The vaults are made in FOLDER. The server is one of this machine that is started for it (`make postgres`). CPU
seconds are of the client and, after the +, of the server. Reader N may read vault N alone, `everyone` all of them;
the exit code is 1 if a reader sees anything of another vault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import roles
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.schema import TABLES
from mdmem.team.server import DSN, Server
from tests.bench.team_recall import client, figures, questions_of, there
from tests.bench.years import START, Life
from tests.team.conftest import Cluster, programs, running

QUESTIONS, ATTACKERS = 100, 10
ALLOWED = -1  # the number that stands for something that must be refused, and was not
LEAKING = {"notes": "body", "words": "places", "frequencies": "stem", "links": "target"}
LEAK = (
    "CREATE FUNCTION pg_temp.leak(text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS"
    " $$ BEGIN INSERT INTO told VALUES ($1); RETURN true; END $$"
)


class Spent(NamedTuple):
    """CPU seconds of this process and of the server so far, and the time."""

    here: float
    server: float
    clock: float

    def since(self, before: Spent) -> str:
        now = [one - other for one, other in zip(self, before, strict=True)]
        return f"{now[0]:.2f} + {now[1]:.2f} CPU s ({now[2]:.1f} s)"


def spent(cluster: Cluster) -> Spent:
    """The server's are those of its first process, with its children that have ended, and of those that live."""
    first = Path(cluster.folder, "data/postmaster.pid").read_text().split()[0]
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if place.parent.name == first:
            ticks += sum(map(int, fields[11:15]))
        elif fields[1] == first:
            ticks += sum(map(int, fields[11:13]))
    return Spent(time.process_time(), ticks / os.sysconf("SC_CLK_TCK"), time.monotonic())


def own_word(number: int) -> str:
    """A word that is in each note of a vault, and in no other vault."""
    return f"onlyofvault{number}x"


def made(root: Path, number: int, notes: int, seed: int) -> None:
    """A vault of so many notes in one commit."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=root, check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as stream:
        assert stream.stdin
        life = Life(seed * 10_000 + number, stream.stdin.write)
        texts = {
            f"allmemories/{life.some(4, '_')}_{at}.md": f"{life.note(START, ())}\n{own_word(number)}.\n"
            for at in range(notes)
        }
        life.commit("notes", START, {"mdmem.toml": f'id = "vault{number}"\n', **texts}, life.tips[:1])
    subprocess.run(["git", "reset", "--hard", "--quiet"], cwd=root, check=True)


def published(root: Path, server: Server) -> Any:
    with Vault.open(str(root)) as vault:
        return publish(vault, server, PublishRequest(), silent)


def committed(root: Path) -> None:
    """One more note in a commit."""
    (root / f"allmemories/note_of_the_bench_{time.time_ns()}.md").write_text("A note for the bench.\n")
    for args in (["add", "-A"], ["commit", "--quiet", "-m", "one more"]):
        subprocess.run(["git", *args], cwd=root, check=True)


def timed(cluster: Cluster, what: str, action: Callable[[], Any]) -> None:
    before = spent(cluster)
    told = action()
    print(f"{what}: {spent(cluster).since(before)} {told or ''}", flush=True)


def filled(cluster: Cluster, server: Server, places: Sequence[Path]) -> None:
    """The local index of each vault, then the team's."""

    def local() -> str:
        for place in places:
            with Vault.open(str(place)) as vault:
                vault.rebuild(silent)
        return f"{sum((place / '.mdmem/index.sqlite').stat().st_size for place in places) / 1e6:.0f} MB"

    def team() -> str:
        rows = sum(published(place, server).written for place in places)
        size = sum(vault.size for vault in roles.status(server).vaults)
        return f"{rows} rows, {size / 1e6:.0f} MB"

    timed(cluster, "local indexes", local)
    timed(cluster, "first fill", team)
    server.run("VACUUM ANALYZE")
    for _ in range(3):
        committed(places[-1])
        timed(cluster, "one commit", lambda: published(places[-1], server).how)
    timed(cluster, "nothing new", lambda: published(places[-1], server).how)


def recalled(cluster: Cluster, root: Path, readers: int, seconds: float) -> None:
    """What clients at once ask of the index here, and of the team's: by one who reads this vault, and all."""
    questions = questions_of(root, QUESTIONS)
    for name, role in (("here", "everyone"), ("team, of one vault", "reader0"), ("team, of all", "everyone")):
        os.environ[DSN] = cluster.dsn("postgres", role)
        before = spent(cluster)
        used = os.times()
        with multiprocessing.get_context("fork").Pool(readers) as pool:
            work = [(str(root), name == "here", questions, seconds, number) for number in range(readers)]
            every = [each for own in pool.starmap(client, work) for each in own]
            pool.close()
            pool.join()
        ended = os.times()
        of_clients = sum(ended[2:4]) - sum(used[2:4])
        of_server = spent(cluster).server - before.server
        each = f"{of_clients / len(every) * 1e3:.0f} + {of_server / len(every) * 1e3:.0f} CPU ms a question"
        print(f"{name}, {readers} clients: {figures(every)}, {len(every)} questions, {each}", flush=True)


def attacked(cluster: Cluster, vaults: int, dice: random.Random) -> int:
    """How many other vaults some readers see anything of."""
    seen = 0
    for number in dice.sample(range(vaults), min(ATTACKERS, vaults)):
        dsn = cluster.dsn("postgres", f"reader{number}")
        others = [other for other in range(vaults) if other != number]
        text = "\n".join([*taken(dsn, dice.choice(others)), *asked(dsn, dice.sample(others, min(5, len(others))))])
        assert own_word(number) in text, "it does not even see its own: the attack proves nothing"
        seen += sum(own_word(other) in text for other in (ALLOWED, *others))
    return seen


def taken(dsn: str, other: int) -> list[str]:
    """All that a role gets of the tables, also by a function of its own that tells what rows it is asked about."""
    import psycopg

    with psycopg.connect(dsn, autocommit=True) as connection:

        def every(what: str) -> list[str]:
            return [str(row[0]).lower() for row in connection.execute(what)]

        rows = [row for table in TABLES for row in every(f"SELECT t::text FROM mdmem.{table} t")]
        connection.execute("CREATE TEMP TABLE told (text text)")
        connection.execute(LEAK)
        for table, column in LEAKING.items():
            connection.execute(f"SELECT count(*) FROM mdmem.{table} WHERE pg_temp.leak({column})")
        rows += every("SELECT text FROM told")
        for statement in (f"SET ROLE reader{other}", "SELECT * FROM mdmem.grants"):
            try:
                connection.execute(statement)
            except psycopg.Error:
                continue
            rows.append(f"{own_word(ALLOWED)}: {statement}")
    return rows


def asked(dsn: str, others: Sequence[int]) -> list[str]:
    """What recall answers a role that asks for the words of other vaults."""
    with Server.open({DSN: dsn}) as reader:
        return [str(answer.hit.record).lower() for other in others for answer in there(reader)(own_word(other))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, default in (("vaults", 100), ("notes", 1000), ("readers", 16), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args()
    places = [given.folder / f"vault{number}" for number in range(given.vaults)]
    for number, place in enumerate(places):
        if not place.exists():
            made(place, number, given.notes, given.seed)
    with running(programs()) as cluster:
        os.environ[DSN] = cluster.dsn("postgres")
        with Server.open() as server:
            roles.run(server, roles.initial(server))
            filled(cluster, server, places)
            names = [f"vault{number}" for number in range(given.vaults)]
            for number, name in enumerate(names):
                roles.run(server, roles.granting(server, f"reader{number}", [name], (), publish=False))
            roles.run(server, roles.granting(server, "everyone", names, (), publish=False))
            seen = attacked(cluster, given.vaults, random.Random(given.seed))
            print(f"of other vaults {min(ATTACKERS, given.vaults)} readers saw: {seen}", flush=True)
            recalled(cluster, places[0], given.readers, given.seconds)
    return 1 if seen else 0


if __name__ == "__main__":
    sys.exit(main())
