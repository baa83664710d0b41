"""A team at size: first fill of many vaults, one commit, roles under attack, recall by many, a replica.

    python -m tests.bench.team FOLDER [--vaults 100] [--first 10000] [--notes 1000] [--published 100]
        [--readers 16] [--seconds 15] [--seed 1]

The vaults are made in FOLDER; of their notes the first has `--first`, which is also asked here, each other one
`--notes`. A million notes are `--first 100000 --notes 9091`. So many vaults are published; those beyond are copies
of them on the server, to save hours. The server is one of this machine that is started for it (`make postgres`);
it has a gigabyte for its own memory, and does not wait for the disk. CPU seconds are of clients and, after the +,
of the server. Reader N may read vault N alone, `ten` ten of them, `everyone` all; the exit code is 1 if a reader
sees anything of another vault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mdmem.errors import MdmemError
from mdmem.store.index import port
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import roles
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.server import DSN, Server
from tests.bench.team_recall import client, figures, here, questions_of, there
from tests.bench.years import START, Life
from tests.team.attacks import every_answer, spelled
from tests.team.conftest import Cluster, programs, replica, serving, stored

QUESTIONS, ATTACKERS = 100, 3
# More memory than the tests give it, since it holds all that is asked for.
SETTINGS = ("shared_buffers=1GB", "max_wal_size=8GB", "maintenance_work_mem=256MB")
_SIZES = """
SELECT relname, pg_total_relation_size(oid) FROM pg_class
WHERE relnamespace = 'mdmem'::regnamespace AND relkind = 'r' AND relpages > 10 ORDER BY 2 DESC
"""
COPIES = {  # table -> column -> what a copy has there
    "vaults": {"vault": "%(new)s::text", "name": "%(new)s::text"},
    "notes": {"vault": "%(new)s::text", "body": "replace(body, %(was)s, %(own)s)"},
    "words": {
        "vault": "%(new)s::text",
        "stems": "stems - %(was)s::text - %(was_mark)s::text"
        " || jsonb_build_object(%(own)s::text, 1, %(mark)s::text, 0)",
        "places": "replace(places, %(was)s, %(own)s)",
    },
}
SIDES = {"here": "", "team, of this vault": "reader0", "team, of ten vaults": "ten", "team, of all": "everyone"}
SPELLED = {"frequencies": "stem", "notes": "path", "links": "target", "vaults": "vault"}  # table -> column


class Spent(NamedTuple):
    """CPU seconds of this process with its children and of the server, and those that passed."""

    here: float = 0.0
    server: float = 0.0
    clock: float = 0.0

    def plus(self, other: Spent, sign: int = 1) -> Spent:
        return Spent(*(one + sign * two for one, two in zip(self, other, strict=True)))

    def __str__(self) -> str:
        return f"{self.here:.2f} + {self.server:.2f} CPU s ({self.clock:.1f} s)"


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
    return Spent(sum(os.times()[:4]), ticks / os.sysconf("SC_CLK_TCK"), time.monotonic())


@contextmanager
def counted(cluster: Cluster, spending: dict[str, Spent], what: str) -> Iterator[None]:
    """Add what the block costs to what was spent."""
    before = spent(cluster)
    yield
    spending[what] = spending.get(what, Spent()).plus(spent(cluster).plus(before, -1))


def own_word(number: int) -> str:
    """A word that is in each note of a vault, and in no other vault."""
    return f"onlyofvault{number}x"


def made(root: Path, number: int, notes: int, seed: int) -> None:
    """A vault of so many notes in one commit. Two of three words, frequent or not, are those of all vaults."""
    root.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", "--initial-branch=main"], cwd=root, check=True)
    with subprocess.Popen(["git", "fast-import", "--quiet"], cwd=root, stdin=subprocess.PIPE) as stream:
        assert stream.stdin
        life = Life(seed * 10_000 + number, stream.stdin.write)
        shared = Life(seed, lambda _: None).words
        life.words = [each if at % 3 == 0 else shared[at] for at, each in enumerate(life.words)]
        texts = {
            f"allmemories/{life.some(4, '_')}_{at}.md": f"{life.note(START, ())}\n{own_word(number)}.\n"
            for at in range(notes)
        }
        life.commit("notes", START, {"mdmem.toml": f'id = "vault{number}"\n', **texts}, life.tips[:1])
    subprocess.run(["git", "reset", "--hard", "--quiet"], cwd=root, check=True)


def published(root: Path, server: Server) -> Any:
    with Vault.open(str(root)) as vault:
        return publish(vault, server, PublishRequest(), silent)


def filled(cluster: Cluster, server: Server, given: argparse.Namespace) -> None:
    """The local index of each vault, then the team's; only the first and the last of these stay in the folder."""
    spending: dict[str, Spent] = {}
    notes, step = 0, max(1, given.vaults // 10)
    for number in range(given.vaults):
        place, size = given.folder / f"vault{number}", given.notes if number else given.first
        if number < given.published:
            with counted(cluster, spending, "making the notes"):
                made(place, number, size, given.seed)
            with counted(cluster, spending, "local indexes"), Vault.open(str(place)) as vault:
                vault.rebuild(silent)
            with counted(cluster, spending, "first fill"):
                published(place, server)
            if number not in (0, given.published - 1):
                shutil.rmtree(place)
        else:
            with counted(cluster, spending, "copying on the server"):
                copied(server, number, 1 + (number - 1) % (given.published - 1))
        notes += size
        if (number + 1) % step == 0 or number == given.published - 1:
            told = "; ".join(f"{what} {cost}" for what, cost in spending.items())
            print(f"{notes} notes in {number + 1} vaults: {told}", flush=True)
    server.run("VACUUM ANALYZE")
    local = (given.folder / "vault0/.mdmem/index.sqlite").stat().st_size
    print(f"local index of the {given.first} notes of the first vault: {local / 1e6:.0f} MB")
    for table, size in server.run(_SIZES):
        print(f"{table}: {size / 1e6:.0f} MB", flush=True)


def copied(server: Server, number: int, source: int) -> None:
    """Have a further vault be a copy of a published one, but for the own word, with the project's own counts."""
    values = {"old": f"vault{source}", "new": f"vault{number}", "was": own_word(source), "own": own_word(number)}
    values |= {"was_mark": port.key(values["old"], ""), "mark": port.key(values["new"], "")}
    with server.transaction():
        for table, told in COPIES.items():
            columns = f"SELECT attname FROM pg_attribute WHERE attnum > 0 AND attrelid = 'mdmem.{table}'::regclass"
            names = [name for (name,) in server.run(f"{columns} ORDER BY attnum")]
            taken = ", ".join(told.get(name, name) for name in names)
            server.run(
                f"INSERT INTO mdmem.{table} SELECT {taken} FROM mdmem.{table} WHERE vault = %(old)s", values
            )
        paths = "(SELECT array_agg(path) FROM mdmem.notes WHERE vault = %(new)s)"
        server.run(f"SELECT mdmem.count_words(%(new)s, {paths}, 1)", values)


def published_once_more(root: Path, server: Server) -> None:
    """One more note, committed and published."""
    (root / f"allmemories/of_the_bench_{time.time_ns()}.md").write_text("A note for the bench.\n")
    for args in (["add", "-A"], ["commit", "--quiet", "-m", "one more"]):
        subprocess.run(["git", *args], cwd=root, check=True)
    published(root, server)


def committed(cluster: Cluster, server: Server, roots: Sequence[Path]) -> None:
    """What it costs to publish one more commit, git's own work included, or nothing."""
    for root in roots:
        for what, action in (("one commit", published_once_more), ("nothing new", published)):
            spending: dict[str, Spent] = {}
            for _ in range(3):
                spending.clear()
                with counted(cluster, spending, what):
                    action(root, server)
            print(f"{what} in {root.name}, the third time: {spending[what]}", flush=True)


def asked(cluster: Cluster, root: Path, readers: int, seconds: float) -> None:
    """What clients at once ask of the index here, and of the team's as one who reads one vault, ten, or all."""
    questions = questions_of(root, QUESTIONS)
    for clients in (1, readers):
        for name, role in SIDES.items():
            os.environ[DSN] = cluster.dsn("postgres", role or "everyone")
            before = spent(cluster)
            with multiprocessing.get_context("fork").Pool(clients) as pool:
                work = [(str(root), not role, questions, seconds, number) for number in range(clients)]
                every = [each for own in pool.starmap(client, work) for each in own]
                pool.close()
                pool.join()
            cost = spent(cluster).plus(before, -1)
            each = f"{cost.here / len(every) * 1e3:.0f} + {cost.server / len(every) * 1e3:.0f} CPU ms a question"
            print(f"{name}, {clients} at once: {figures(every)}, {len(every)} questions, {each}", flush=True)


def asked_cold(folder: str, root: Path) -> None:
    """The first question after the server started, with nothing of the index in memory, here or there."""
    questions = questions_of(root, 5)
    for name, role in SIDES.items():
        took = []
        for question in questions:
            forgotten(root / ".mdmem")
            forgotten(Path(folder, "data"))
            with serving(programs(), folder, *SETTINGS) as cluster:
                os.environ[DSN] = cluster.dsn("postgres", role or "everyone")
                start = time.perf_counter()
                with Vault(str(root)) as vault, Server.open() as server:
                    (there(server) if role else here(vault))(question)
                took.append(time.perf_counter() - start)
        print(f"{name}, cold: {figures(took)}, {len(took)} questions", flush=True)


def forgotten(folder: Path) -> None:
    """Have the system keep nothing of these files in memory."""
    for path in folder.rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.fsync(file)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def streamed(cluster: Cluster, server: Server, root: Path) -> None:
    """What a streaming replica answers and refuses, and how far it is behind."""
    begun = time.monotonic()
    with replica(programs(), cluster, *SETTINGS) as second, Server.open({DSN: second.dsn("postgres")}) as copy:
        print(f"replica: copied and started in {time.monotonic() - begun:.0f} s")
        both = [[there(each)(question) for each in (server, copy)] for question in questions_of(root, 20)]
        same = sum(
            [each.hit.record.path for each in one] == [each.hit.record.path for each in two] for one, two in both
        )
        print(f"replica: {same} of {len(both)} answers are the same")

        def refilled(root: Path, server: Server) -> None:
            with Vault.open(str(root)) as vault:
                publish(vault, server, PublishRequest(refill=True), silent)

        for action in (published, lambda root, server: roles.drop_vault(server, root.name)):
            try:
                action(root, copy)
            except MdmemError as error:
                print(f"replica: {error} ({error.hint})")
        state = "SELECT published FROM mdmem.vaults WHERE vault = %s"
        for what, write in (("one commit", published_once_more), ("the vault filled again", refilled)):
            write(root, server)
            ended, wanted = time.monotonic(), server.run(state, [root.name])
            while copy.run(state, [root.name]) != wanted:
                time.sleep(0.001)
            print(f"replica: {what} was there {(time.monotonic() - ended) * 1e3:.0f} ms later", flush=True)


def attacked(cluster: Cluster, vaults: int, dice: random.Random) -> int:
    """How often some readers see anything of another vault; the tests say what they try."""
    import psycopg

    seen = 0
    for number in dice.sample(range(vaults), min(ATTACKERS, vaults)):
        other = dice.choice([each for each in range(vaults) if each != number])
        with psycopg.connect(cluster.dsn("postgres"), autocommit=True) as admin:
            some = "SELECT path, name, id FROM mdmem.notes WHERE vault = %s LIMIT 1"
            path, name, id = admin.execute(some, [f"vault{other}"]).fetchone()
        known = {"vault": f"vault{other}", "path": path, "name": name, "id": id, "session": "any", "target": name}
        known |= {"trait": "pinned", "stem": own_word(other), "mark": f"vault{other}:/"}
        with psycopg.connect(cluster.dsn("postgres", f"reader{number}"), autocommit=True) as reader:
            started = time.monotonic()
            answers = dict(every_answer(reader, known))
            assert own_word(number) in str(answers), "it does not even see its own: the attack proves nothing"
            leaks = [statement for statement, text in answers.items() if tells(text, number)]
            leaks += [column for table, column in SPELLED.items() if spelled(reader, table, column)]
        print(f"reader{number}: {len(answers)} statements in {time.monotonic() - started:.0f} s, leaks: {leaks}")
        seen += len(leaks)
    return seen


def tells(text: str, number: int) -> bool:
    """Whether a text has the own word of any vault but one's own."""
    return any(found != own_word(number) for found in re.findall(r"onlyofvault\d+x", text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    for name, default in (("vaults", 100), ("first", 10_000), ("notes", 1000), ("readers", 16), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--published", type=int)
    given = parser.parse_args()
    given.published = given.published or given.vaults
    with stored(programs()) as folder:
        with serving(programs(), folder, *SETTINGS) as cluster:
            seen = measured(cluster, given)
        asked_cold(folder, given.folder / "vault0")
    return 1 if seen else 0


def measured(cluster: Cluster, given: argparse.Namespace) -> int:
    roots = [given.folder / f"vault{number}" for number in (0, given.published - 1)]
    os.environ[DSN] = cluster.dsn("postgres")
    with Server.open() as server:
        if not roles.owner_of(server):
            roles.run(server, roles.initial(server))
            filled(cluster, server, given)
        committed(cluster, server, roots)
        names = [f"vault{number}" for number in range(given.vaults)]
        readers = {"ten": names[:10], "everyone": names} | {f"reader{at}": [name] for at, name in enumerate(names)}
        for reader, own in readers.items():
            roles.run(server, roles.granting(server, reader, own, (), publish=False))
        seen = attacked(cluster, given.vaults, random.Random(given.seed))
        asked(cluster, roots[0], given.readers, given.seconds)
        os.environ[DSN] = cluster.dsn("postgres")
        streamed(cluster, server, roots[-1])
    return seen


if __name__ == "__main__":
    sys.exit(main())
