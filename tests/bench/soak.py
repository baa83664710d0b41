"""mdmem at length: killed at each of its steps, in storms of syncs, and through weeks of ordinary days.

    python -m tests.bench.soak [--kills 200] [--storms 20] [--weeks 1] [--seed 1] [--only OPERATION --step N]

Each kill falls into an operation on a copy of one vault; then its person goes on: a memory, the same operation
again, doctor. That must end as if the operation had either been done or never begun. The exit code is 1
if there are faults.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench import days
from tests.bench.forked import Done, Kill, World, environment, imported, left_over

NOW = "2026-11-02T09:00:00Z"
BOT = "--actor bot --session s9"
UNIQUE = r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"  # the id of a new memory
SAID = (
    "User: I'm allergic to peanuts.\nAssistant: Noted.\nUser: Remember this: the office closes at six on Friday.\n"
)
SUMMARY = "- The wind comes from the north in May.\n- Coffee is sold out on Mondays.\n"
CANDIDATES = (
    "[MEMORY_CANDIDATES]\n"
    "1. team_meets_on_tuesday.md — category: past — tags: [team]\n---\nThe team meets on Tuesday.\n"
    "2. finance_reports_due_on_friday.md — category: past — tags: [team]\n---\nFinance is due on Friday.\n"
)
OLD_NOTE = (
    "# Old note number {0}\n\n**Created:** Feb 8, 2026 4:00 PM\n**Category:** past\n**Tags:** [tea]\n\n"
    "---\nTea {0}.\n"
)
WORK = (
    '{"intent": {"goal": "Stop the logouts", "task_type": "bug_fix"},'
    ' "outcome": {"success": true, "summary": "They stopped"}}'
)
RECORD = '{"subject": "user", "predicate": "prefers", "object": "tea", "validity": {"mode": "global"}}'


class Operation(NamedTuple):
    """A command line that writes, and what is typed into it.

    One that rewrites history begins where all is committed and synced; `gone` is what must then be nowhere.
    """

    name: str
    line: str
    text: str = ""
    gone: str = ""


OPERATIONS = [
    Operation("remember", f"remember 'A fact of the bot here' --name fact_of_the_bot {BOT}"),
    Operation("update", f"update note_to_change --append 'One more line.' {BOT}"),
    Operation("update an edited", f"update note_edited_by_hand --append 'One more line.' {BOT}"),
    Operation("rename", f"rename note_to_change note_with_new_name {BOT}"),
    Operation("forget", f"forget note_to_change {BOT}"),
    Operation("restore", "restore note_in_the_trash"),
    Operation("undo", "undo --session s1 --by Ada --yes"),
    Operation("done", "done next_task_write_migration"),
    Operation("adopt", "adopt --all"),
    Operation("garden apply", "garden apply"),
    Operation("judge a fact", "judge {fact} 9"),
    Operation("judge a proposal", "judge {proposal} yes"),
    Operation("capture", f"capture ../chat.txt --write {BOT}"),
    Operation("candidates", f"candidates import - {BOT}", CANDIDATES),
    Operation("session start", f"session start {BOT}"),
    Operation("session note", f"session note --present 'reading the log' {BOT}"),
    Operation("session end", f"session end --summary - {BOT}", SUMMARY),
    Operation("ingest", "ingest - --topic health --time 2026-02-09T14:05Z", SAID.replace("peanuts", "cats")),
    Operation("import legacy", "import legacy ../old"),
    Operation("import markdown", "import markdown ../notes"),
    Operation("work add", "work add --name logouts_are_stopped_now", WORK),
    Operation("record add", "record add semantic --name user_prefers_tea_always", RECORD),
    Operation("layout", "layout month"),
    Operation("mirror", "mirror"),
    Operation("rebuild", "rebuild all"),
    Operation("doctor", "doctor --fix"),
    Operation("sync", "sync"),
    Operation("purge a memory", "purge note_to_purge", gone="Heron is the name"),
    Operation("purge a text", "purge --text", "the kingfisher nests", gone="the kingfisher nests"),
    Operation("hooks", "hooks uninstall"),
    Operation("trust", "trust grace@example.org"),
    Operation("connect", "connect claude-code"),
    Operation("export", "export markdown ../exported"),
    Operation("page", "page --out ../pages"),
    Operation("init", "init ../notes"),
]


def made(folder: Path) -> World:
    """The world that each trial has a copy of: a vault in use, and what others have sent to its hub meanwhile."""
    (folder / "home").mkdir(parents=True)
    world = at_home(folder)
    old = folder / "old/brain/memory/allmemories"
    for place in (old, folder / "notes"):
        place.mkdir(parents=True)
        for number in range(3):
            (place / f"Old note {number}.md").write_text(OLD_NOTE.format(number))
    (folder / "chat.txt").write_text(SAID)
    world.must(".", "init vault --no-examples")
    others = "--twins ignore"
    session = f"--actor bot --session s1 {others}"
    for line in (
        "remember 'Backups run every night at two.' --name backups_run_at_two --topic ops --created 2026-01-01",
        f"remember 'Backups run at three.' --name backups_at_three --supersedes backups_run_at_two {others}",
        f"remember 'The door code list is with Grace, in the blue folder.' --name codes_with_grace {others}",
        f"remember 'The list of door codes is in the blue folder, with Grace.' --name grace_has_codes {others}",
        f"remember 'What is to change is here.' --name note_to_change {session}",
        f"remember 'Links to [[note_to_change]] and others.' --name note_with_link {session}",
        f"remember 'A person is at work on this.' --name note_edited_by_hand {others}",
        f"remember 'Far from all others.' --name note_left_alone {others}",
        f"remember 'Heron is the name of the bird.' --name note_to_purge {others}",
        f"remember 'Where the kingfisher nests is a secret.' --name note_with_text {others}",
        f"remember 'This was deleted.' --name note_in_the_trash {others}",
        "forget note_in_the_trash",
        f"remember 'Deploys go by tram.' --name deploys_go_by_tram {others}",
        f"remember 'Deploys go by train.' --name deploys_go_by_train {others}",
        "session start --actor bot --session s2",
        "session note --future 'write the migration' --actor bot --session s2",
        "session end --summary 'Deploys hang when the disk is full.' --actor bot --session s2",
        "ingest ../chat.txt --topic travel --time 2026-02-08T14:05Z",
        "session start --actor bot --session s9",
    ):
        world.must("vault", line)
    with (folder / "vault/allmemories/deploys_go_by_train.md").open("r+") as file:
        text = file.read().replace("\n---\n", '\nsupersedes: ["[[deploys_go_by_tram]]"]\n---\n', 1)
        file.seek(0)
        file.write(text)
    world.git("vault", "commit", "--quiet", "--all", "-m", "by train now")
    world.git(".", "init", "--quiet", "--bare", "-b", "main", "hub.git")
    world.git("vault", "remote", "add", "origin", "../hub.git")
    world.must("vault", "sync")
    world.must(".", "init other --from hub.git")
    world.must("other", f"remember 'Sent from the other machine.' --name note_from_elsewhere {others}")
    world.must("other", "update note_with_link --append 'Another machine wrote this.'")
    world.must("other", "sync")
    shutil.rmtree(folder / "other")
    world.must("vault", f"update grace_has_codes --set tags=here {BOT}")
    at_work(world)
    return world


def at_home(folder: Path) -> World:
    return World(folder, {**environment(folder / "home"), "MDMEM_NOW": NOW})


def at_work(world: World) -> None:
    """What a person has not committed: edits of two memories, a file that is staged, a note made by hand."""
    vault = world.folder / "vault"
    for name in ("note_edited_by_hand", "note_left_alone"):
        with (vault / f"allmemories/{name}.md").open("a") as file:
            file.write(f"\nBy hand: {name}.\n")
    (vault / "allmemories/made_by_hand_today.md").write_text("Made by hand.\n")
    (vault / "own.txt").write_text("staged\n")
    world.git("vault", "add", "own.txt")


class Outcome(NamedTuple):
    """How a trial ended: what git tells of the folder, the texts of all files, and what is wrong with it."""

    dirt: str
    texts: dict[str, str]
    faults: list[str]


def trial(base: World, operation: Operation, kill: Kill | None = None, begun: bool = True) -> tuple[Done, Outcome]:
    """An operation in a copy of a world, unless it is never begun, then what its person does next."""
    folder = base.folder.parent / "trial"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base.folder, folder, symlinks=True)
    world = at_home(folder)
    if operation.gone:
        settle(world)
    before = world.git("vault", "rev-parse", "HEAD").strip()
    done = run(world, operation, kill) if begun else Done(0, "", "", 0, 0.0)
    world.quiet()
    faults: list[str] = []
    if done.code not in (0, -9):
        faults.append(f"exit code {done.code}: {done.err}")
    for after in (
        Operation("remember later", "remember 'A later fact of nobody.' --name later_fact_of_nobody"),
        operation,
        Operation("doctor", "doctor"),
    ):
        followed(world, after, faults)
    return done, Outcome(
        world.git("vault", "status", "--porcelain"), texts_of(world), [*faults, *wrong(world, operation, before)]
    )


def settle(world: World) -> None:
    """Commit what a person has edited, and sync."""
    world.git("vault", "add", "--all")
    world.git("vault", "commit", "--quiet", "-m", "by hand")
    world.must("vault", "sync")


def run(world: World, operation: Operation, kill: Kill | None = None) -> Done:
    """Run it; where it stops and says what to add, it is run with that, and only then killed."""
    line = operation.line
    if "{" in line:
        waiting = world.must("vault", "waiting --json --min-confidence 0.01")
        line = line.format_map(dict(first_ids(waiting)))
    if operation.gone:
        stopped = world.mdmem("vault", line, operation.text)
        agreed = re.search(r"--yes --commits \S+", stopped.err)
        if not agreed:
            return stopped
        line += f" {agreed[0]}"
    return world.mdmem("vault", line, operation.text, kill)


def first_ids(waiting: str) -> Iterator[tuple[str, str]]:
    for item in reversed(json.loads(waiting)):
        yield item["kind"], item["id"]


def followed(world: World, operation: Operation, faults: list[str]) -> None:
    """Run a command; if it names a lock that a killed git left, do as it says."""
    done = run(world, operation)
    named = re.search(r"\S+\.lock", done.err)
    if done.code and named:
        (world.folder / "vault" / named[0]).unlink(missing_ok=True)
        done = run(world, operation)
    allowed = (0, 1, 2, 3, 5) if operation in OPERATIONS else (0,)
    if done.code not in allowed or "unexpected error" in done.err:
        faults.append(f"{operation.name} afterwards: exit code {done.code}: {done.err}{done.out[-300:]}")


def wrong(world: World, operation: Operation, before: str) -> list[str]:
    """What must never be: commits that are lost, objects that are broken, half files and locks left over."""
    fsck = world.git("vault", "fsck", "--no-dangling", "--no-progress")
    faults = [f"fsck: {fsck}"] if fsck.strip() else []
    if operation.gone:
        objects = world.git("vault", "cat-file", "--batch-all-objects", "--batch", "--unordered")
        faults += [f"still there: {operation.gone}"] if operation.gone in objects else []
    elif world.git("vault", "merge-base", "--is-ancestor", before, "HEAD"):
        faults.append("HEAD is no longer after what it was")
    return faults + left_over(world.folder / "vault")


def texts_of(world: World) -> dict[str, str]:
    """The texts of all tracked files and notes, without what is new each time."""
    paths = world.git("vault", "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    found = {}
    for path in filter(None, paths):
        place = world.folder / "vault" / path
        text = re.sub(UNIQUE, "ID", place.read_text()) if place.exists() else "(missing)"
        found[path] = re.sub("created: .*", "created: a time", text)  # that of a file which was put back is new
    return found


def differences(found: Outcome, expected: Outcome) -> list[str]:
    faults = [f"git status {found.dirt!r}, not {expected.dirt!r}"] if found.dirt != expected.dirt else []
    for path in sorted({*found.texts, *expected.texts}):
        one, other = found.texts.get(path, "(none)"), expected.texts.get(path, "(none)")
        if one != other:
            faults.append(f"{path} is {one!r}, not {other!r}")
    return faults


class Plan(NamedTuple):
    """An operation, how it went where it was not killed, and how it may end: done, or never begun."""

    operation: Operation
    done: Done
    ends: tuple[Outcome, Outcome]
    steps: list[int]

    def killed(self, base: World, kill: Kill) -> tuple[bool, list[str]]:
        """Whether it was killed, and what is wrong then."""
        done, found = trial(base, self.operation, kill)
        ways = [differences(found, end) for end in self.ends]
        return done.code == -9, [*found.faults, *min(ways, key=len)]


def planned(base: World, operation: Operation, dice: random.Random) -> Plan:
    done, ended = trial(base, operation)
    _, never_begun = trial(base, operation, begun=False)
    for fault in (*ended.faults, *never_begun.faults):
        print(f"{operation.name}, not killed: {fault}", flush=True)
    return Plan(operation, done, (ended, never_begun), dice.sample(range(1, done.steps + 1), done.steps))


def kills(base: World, count: int, dice: random.Random, only: str, step: int) -> int:
    """So many kills, in turn of all operations; in how many something was wrong."""
    plans = [planned(base, operation, dice) for operation in OPERATIONS if only in ("", operation.name)]
    print(f"{len(plans)} operations, {sum(len(plan.steps) for plan in plans)} steps", flush=True)
    killed, bad = [0] * len(plans), [0] * len(plans)
    for number in range(count):
        turn, at = divmod(number, len(plans))
        plan = plans[at]
        kill = Kill(step=step or plan.steps[turn % len(plan.steps)])
        if not step and turn % 4 == 3:
            kill = Kill(seconds=dice.uniform(0.005, plan.done.seconds))
        was_killed, faults = plan.killed(base, kill)
        killed[at] += was_killed
        bad[at] += bool(faults)
        for fault in faults[:4]:
            print(f"{plan.operation.name}, {kill}: {fault[:700]}", flush=True)
        if at == len(plans) - 1:
            print(f"kills so far: {sum(killed)}, with faults: {sum(bad)}", flush=True)
    for at, plan in enumerate(plans):
        print(f"{plan.operation.name:20} {len(plan.steps):4} steps {killed[at]:5} kills {bad[at]:3} with faults")
    print(f"kills: {sum(killed)}, with faults: {sum(bad)}", flush=True)
    return sum(bad)


def storms(folder: Path, count: int, clones: int, writes: int, seed: int) -> int:
    """So many storms; how many had faults."""
    base = days.shared(folder / "shared", clones, random.Random(seed))
    bad = acknowledged = killed = 0
    for number in range(count):
        world, faults = days.storm(base, folder / "storm", writes, random.Random(f"{seed} {number}"))
        acknowledged, killed, bad = (
            acknowledged + len(world.acknowledged),
            killed + world.kills,
            bad + bool(faults),
        )
        for fault in faults[:4]:
            print(f"storm {number}: {fault[:700]}", flush=True)
        if number % 50 == 49 or number == count - 1:
            print(f"storms: {number + 1}, {acknowledged} writes, {killed} kills, with faults: {bad}", flush=True)
    return bad


def weeks(folder: Path, count: int, seed: int) -> int:
    """So many weeks; how many faults there were."""
    faults = 0
    for number in range(count):
        found = days.week(
            folder / f"week{number}", random.Random(f"{seed} {number}"), lambda said: print(said, flush=True)
        )
        for fault in found:
            print(f"week {number}: {fault[:700]}", flush=True)
        faults += len(found)
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--storms", type=int, default=0)
    parser.add_argument("--clones", type=int, default=3, help="of a storm")
    parser.add_argument("--writes", type=int, default=3, help="of each of them")
    parser.add_argument("--weeks", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="this operation alone")
    parser.add_argument("--step", type=int, default=0, help="killed before this step")
    given = parser.parse_args()
    imported()
    with tempfile.TemporaryDirectory(prefix="mdmem-soak-") as place:
        folder = Path(place)
        faults = weeks(folder, given.weeks, given.seed)
        if given.storms:
            faults += storms(folder, given.storms, given.clones, given.writes, given.seed)
        if given.kills:
            faults += kills(made(folder / "base"), given.kills, random.Random(given.seed), given.only, given.step)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
