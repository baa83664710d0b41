"""Clones of one hub that write and sync at once: killed, with wrong clocks, one by a remote that comes and goes.

    python -m tests.bench.storm [--clones 20] [--writes 50] [--seconds 900]

At the end every write that was acknowledged must be in the hub, all clones must be equal, `git fsck` clean and
every note readable; the exit code says whether it is so.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.history.syncing.sync import SyncRequest, sync
from mdmem.recall import lookup
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.write import edit
from mdmem.write import remember as intake

SHARED = 20  # notes that all clones change
EVERY = 5  # writes between two syncs
DAY = 86_400
ENV = {
    **os.environ,
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def git(folder: Path, *args: str) -> str:
    done = subprocess.run(["git", *args], cwd=folder, env=ENV, check=True, capture_output=True, text=True)
    return done.stdout.strip()


# -- one clone, a process of its own


def work(root: Path, number: int, writes: int, acknowledged: Path) -> None:
    """Write until there are so many acknowledged writes; every few, sync. A killed worker goes on where it was."""
    dice = random.Random(os.urandom(8))
    skew = timedelta(seconds=(number % 5 - 2) * DAY)
    done = len(acknowledged.read_text().splitlines()) if acknowledged.exists() else 0
    while done < writes:
        who = Caller(datetime.now(UTC) + skew, f"agent-{number}", f"s{number}")
        try:
            with Vault(str(root)) as vault:
                told = write(vault, who, number, done, dice)
        except MdmemError as error:
            print(number, error, file=sys.stderr)
            continue
        with acknowledged.open("a") as log:
            log.write(json.dumps(told) + "\n")
        done += 1
        if done % EVERY == 0 or done == writes:
            try_sync(root, who)


def write(vault: Vault, who: Caller, number: int, at: int, dice: random.Random) -> list[str]:
    """A new note, or a tag on one that all clones have: what has to be found in the end."""
    if at % 2:
        name, tag = f"note_that_all_share_{dice.randrange(SHARED)}", f"c{number}-w{at}-{dice.randrange(1 << 30)}"
        record = lookup.find(vault, name)
        tags = [*record.tags, tag]
        edit.update(vault, record, edit.Edit({"tags": tags}), who)
        return [name, tag]
    text = f"Clone {number} writes its note {at} with the words n{number}x{at}."
    name = f"clone_{number}_writes_note_{at}_{dice.randrange(1 << 30)}"
    intake.remember(vault, intake.Draft(text, {}, name), who)
    return [name, f"n{number}x{at}"]


def try_sync(root: Path, who: Caller) -> bool:
    try:
        with Vault(str(root)) as vault:
            report = sync(vault, SyncRequest(seconds=60), who)
            for path in report.conflicts:
                print(f"conflict {path}", file=sys.stderr)
    except MdmemError as error:
        print(f"not synced: {error}", file=sys.stderr)
        return False
    return True


# -- all of them


class Storm(NamedTuple):
    folder: Path
    clones: int
    writes: int

    @property
    def hub(self) -> Path:
        return self.folder / "hub.git"

    def clone(self, number: int) -> Path:
        return self.folder / f"clone{number}"

    def log(self, number: int) -> Path:
        return self.folder / f"acknowledged{number}"

    def prepare(self) -> None:
        """A hub with the shared notes; the last clone reaches it by a link that comes and goes."""
        first = self.folder / "first"
        (first / "allmemories").mkdir(parents=True)
        (first / "mdmem.toml").write_text('id = "storm"\n')
        for number in range(SHARED):
            head = f"id: 00000000-0000-7000-8000-{number:012}\ntitle: Shared {number}\ntags:\n  - shared"
            text = f"---\n{head}\n---\n\nAll clones share this note.\n"
            (first / "allmemories" / f"note_that_all_share_{number}.md").write_text(text)
        git(first, "init", "-q", "-b", "main")
        git(first, "add", ".")
        git(first, "commit", "-qm", "shared notes")
        git(self.folder, "clone", "-q", "--bare", str(first), str(self.hub))
        self.flap(there=True)
        for number in range(self.clones):
            source = self.folder / "flapping.git" if number == self.clones - 1 else self.hub
            git(self.folder, "clone", "-q", str(source), str(self.clone(number)))

    def flap(self, there: bool) -> None:
        link = self.folder / "flapping.git"
        link.unlink(missing_ok=True)
        if there:
            link.symlink_to(self.hub)

    def start(self, number: int) -> subprocess.Popen[bytes]:
        line = [sys.executable, "-m", "tests.bench.storm", "--work", str(self.clone(number)), str(number)]
        line += [str(self.writes), str(self.log(number))]
        errors = (self.folder / f"errors{number}").open("ab")
        return subprocess.Popen(line, env=ENV, start_new_session=True, stderr=errors)

    def run(self, seconds: float) -> int:
        """All clones at once; how often one was killed."""
        workers = {number: self.start(number) for number in range(self.clones)}
        kills, end, there = 0, time.monotonic() + seconds, True
        while any(worker.poll() is None for worker in workers.values()) and time.monotonic() < end:
            time.sleep(0.5 + random.random())
            there = not there
            self.flap(there)
            alive = [number for number, worker in workers.items() if worker.poll() is None]
            if alive and kills < self.clones * 2:
                victim = random.choice(alive)
                os.killpg(workers[victim].pid, signal.SIGKILL)
                workers[victim].wait()
                workers[victim] = self.start(victim)
                kills += 1
        for worker in workers.values():
            if worker.poll() is None:
                os.killpg(worker.pid, signal.SIGKILL)
                worker.wait()
        self.flap(there=True)
        return kills

    def settle(self) -> None:
        """Two rounds in which every clone syncs: the first sends what is left, the second brings all of it.

        A git that was killed in the middle of an update leaves its lock. Nothing runs any more, so these are
        deleted first, as the error about them advises.
        """
        for number in range(self.clones):
            for lock in (self.clone(number) / ".git").rglob("*.lock"):
                lock.unlink()
        for _ in range(2):
            for number in range(self.clones):
                who = Caller(datetime.now(UTC), f"agent-{number}")
                if not try_sync(self.clone(number), who):
                    raise SystemExit(f"clone {number} does not sync")

    def findings(self) -> dict[str, object]:
        """What was found in the end."""
        heads = {git(self.clone(number), "rev-parse", "HEAD") for number in range(self.clones)}
        acknowledged = [
            json.loads(line) for number in range(self.clones) for line in self.log(number).read_text().splitlines()
        ]
        check = self.folder / "check"
        git(self.folder, "clone", "-q", str(self.hub), str(check))
        with Vault(str(check)) as vault:
            problems = [str(problem) for problem in vault.index.problems()]
            texts = {path.stem: path.read_text() for path in (check / "allmemories").glob("*.md")}
        lost = [told for told in acknowledged if told[1] not in texts.get(told[0], "")]
        fsck = [git(place, "fsck", "--no-dangling") for place in (self.hub, *map(self.clone, range(self.clones)))]
        return {
            "acknowledged": len(acknowledged),
            "lost": lost,
            "heads": len(heads | {git(self.hub, "rev-parse", "main")}),
            "problems": problems,
            "fsck": [line for line in fsck if line],
            "conflict_markers": sorted(name for name, text in texts.items() if "<<<<<<<" in text),
            "dirty": [n for n in range(self.clones) if git(self.clone(n), "status", "--porcelain")],
            "commits": int(git(self.hub, "rev-list", "--count", "main")),
        }


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--clones", type=int, default=20)
    parser.add_argument("--writes", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=900)
    parser.add_argument("--work", nargs=4)
    given = parser.parse_args()
    if given.work:
        root, number, writes, log = given.work
        work(Path(root), int(number), int(writes), Path(log))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="mdmem-storm-"))
    os.environ.update(ENV)
    storm = Storm(folder, given.clones, given.writes)
    storm.prepare()
    started = time.monotonic()
    kills = storm.run(given.seconds)
    storm.settle()
    found = storm.findings()
    found |= {"kills": kills, "seconds": round(time.monotonic() - started)}
    print(json.dumps(found, indent=1))
    wrong = found["lost"] or found["problems"] or found["fsck"] or found["dirty"] or found["heads"] != 1
    if not wrong:
        shutil.rmtree(folder)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
