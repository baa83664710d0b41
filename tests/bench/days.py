"""Days of vaults that share a hub: people, agents, git and syncs, all at once, some of them killed.

Every write has a mark of its own. At the end of a day all sync: each mark that was acknowledged must be in the
hub's history, and in its notes unless somebody took it out; all clones must be the same, and whole.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from tests.bench.forked import Command, Done, Kill, World, environment, left_over

START = datetime(2026, 11, 2, 9, tzinfo=UTC)
TREES = ("amber", "basil", "cedar", "delta", "ember", "fjord", "grape", "hazel")
STORM = {"remember": 3, "append": 4, "retitle": 1, "rename": 1, "forget": 1, "commit": 1, "sync": 4}
ORDINARY = {
    **{"remember": 6, "append": 6, "retitle": 1, "rename": 1, "forget": 1, "commit": 1, "sync": 3},
    **{"save": 3, "session": 2, "capture": 1, "undo": 1, "restore": 1, "garden": 1, "recall": 2},
    **{"collect": 1, "no index": 1, "no state": 1, "mirror": 1, "doctor": 1, "adopt": 1},
}


class Acted(NamedTuple):
    """What is written: the mark that it leaves, "" for none, and the note that it is in."""

    mark: str
    note: str


class Days:
    """A world of clones, what was acknowledged in it, and what somebody took out of the notes again."""

    def __init__(self, folder: Path, clones: int, dice: random.Random) -> None:
        self.folder, self.dice, self.day, self.number = folder, dice, 0, 0
        self.clones = [f"clone{number}" for number in range(clones)]
        self.env = environment(folder / "home")
        self.acknowledged: dict[str, Acted] = {}
        self.taken_out: set[str] = set()  # notes and sessions
        self.of_session: dict[str, str] = {}  # mark -> session
        self.kills = 0

    # -- one action of a lane: a clone and somebody in it

    def world(self, clone: str) -> World:
        """It has the clock of its clone, up to two days off."""
        skew = timedelta(days=self.day + (self.clones.index(clone) % 5 + 2) % 5 - 2, minutes=self.number)
        return World(self.folder, {**self.env, "MDMEM_NOW": (START + skew).strftime("%Y-%m-%dT%H:%M:%SZ")})

    def act(self, clone: str, who: str, kind: str, kill: Kill | None) -> tuple[Command | None, Acted]:
        """Begin an action; those of a person's own programs are over at once."""
        self.number += 1
        mark = f"mk{self.number}q{self.dice.randrange(10**6)}"
        notes = self.notes(clone)
        note = self.dice.choice(notes) if notes else "none"
        if kind in ("commit", "save"):
            return None, Acted(self.by_hand(clone, kind, note, mark), note)
        if kind in ("collect", "no index", "no state"):
            self.upset(clone, kind)
            return None, Acted("", "")
        session = f"{who}-{self.day}"
        line, text, made = self.line_of(kind, note, mark, session)
        if kind not in ("sync", "recall", "doctor", "mirror", "adopt", "undo", "garden"):
            line += f" --actor {who} --session {session}"
        self.of_session[made.mark] = session
        return self.world(clone).start(clone, line, text, kill), made

    def line_of(self, kind: str, note: str, mark: str, session: str) -> tuple[str, str, Acted]:
        """A command line, what is typed into it, and what it leaves."""
        tree = self.dice.choice(TREES)
        none = Acted("", note)
        new = Acted(mark, f"note_of_{tree}_{mark}")
        lines: Mapping[str, tuple[str, str, Acted]] = {
            "remember": (f"remember 'About {tree}: {mark}.' --name {new.note} --twins ignore", "", new),
            "append": (f"update {note} --append 'Line {mark}.'", "", Acted(mark, note)),
            "retitle": (f"update {note} --set 'title=Title {mark}'", "", none),
            "rename": (f"rename {note} {note[:40]}_{mark}", "", none),
            "forget": (f"forget {note}", "", none),
            "restore": (f"restore {self.dice.choice(sorted(self.taken_out) or ['none'])}", "", none),
            "session": (
                "session end --summary -",
                f"- The {tree} {mark} grows at the north wall.\n",
                Acted(mark, ""),
            ),
            "capture": ("capture - --write", f"User: Remember this: the {tree} {mark} is cut in May.\n", none),
            "undo": (f"undo --session {session} --skip-conflicts --yes", "", Acted("", session)),
        }
        others = {
            "garden": "garden apply",
            "doctor": "doctor --fix",
            "recall": f"recall {tree}",
            "adopt": "adopt --all",
        }
        return lines.get(kind) or (others.get(kind, kind), "", none)

    def notes(self, clone: str) -> list[str]:
        found = (self.folder / clone / "allmemories").rglob("*.md")
        return sorted(path.stem for path in found)

    def by_hand(self, clone: str, kind: str, note: str, mark: str) -> str:
        """A person saves a note as an editor does, by a file that takes its place; perhaps commits it with git."""
        found = [*(self.folder / clone / "allmemories").rglob(f"{note}.md")]
        if not found:
            return ""
        aside = found[0].with_suffix(".tmp")
        try:
            aside.write_text(f"{found[0].read_text()}\nBy hand {mark}.\n")
            os.replace(aside, found[0])
        except FileNotFoundError:  # an agent has just renamed it
            aside.unlink(missing_ok=True)
            return ""
        if kind == "commit":
            self.world(clone).git(clone, "commit", "--quiet", "--all", "-m", f"by hand {mark}")
        return mark

    def upset(self, clone: str, kind: str) -> None:
        """git packs its objects; the index, or all that mdmem has beside the notes, is deleted."""
        state = self.folder / clone / ".mdmem"
        if kind == "collect":
            self.world(clone).git(clone, "gc", "--quiet")
        elif kind == "no index":
            (state / "index.sqlite").unlink(missing_ok=True)
        else:
            shutil.rmtree(state, ignore_errors=True)

    # -- many lanes at once

    def live(self, lanes: Mapping[str, list[str]], killed: float) -> list[str]:
        """All lanes (`CLONE WHO`: kinds of actions) at once; the errors that nobody should see."""
        left = {lane: list(kinds) for lane, kinds in lanes.items()}
        running: dict[int, tuple[str, str, Command, Acted]] = {}
        faults: list[str] = []
        busy: set[str] = set()
        while running or any(left.values()):
            for lane, kinds in left.items():
                while kinds and lane not in busy:
                    kill = Kill(self.dice.randrange(1, 60)) if self.dice.random() < killed else None
                    clone, who = lane.split()
                    command, made = self.act(clone, who, kind := kinds.pop(), kill)
                    if command:
                        running[command.pid] = (lane, kind, command, made)
                        busy.add(lane)
                    elif made.mark:
                        self.acknowledged[made.mark] = made
            if running:
                pid, status = os.wait()
                lane, kind, command, made = running.pop(pid)
                busy.discard(lane)
                faults += self.ended(kind, made, command.told(status))
        return faults

    def ended(self, kind: str, made: Acted, done: Done) -> list[str]:
        self.kills += done.code == -9
        if kind in ("forget", "undo") and done.code in (0, -9):
            self.taken_out.add(made.note)
        if done.code == 0 and made.mark:
            self.acknowledged[made.mark] = made
        is_odd = done.code not in (0, 1, 2, 3, 4, 5, 6, -9) or "unexpected error" in done.err
        return [f"{kind}: exit code {done.code}: {done.err}"] if is_odd else []

    # -- the end of a day

    def evening(self) -> list[str]:
        """All sync in peace, one settles what both sides changed, all sync again; what is wrong then."""
        faults = self.synced(settled=False)
        world = self.world(first := self.clones[0])
        world.mdmem(first, "sync --commit-edits --yes")  # brings what came into conflict as others synced
        for item in json.loads(world.must(first, "waiting --kind merge --limit 1000 --json")):
            world.must(first, f"judge {item['id']} ours")
        return (
            faults + self.synced() + self.lost() + [fault for clone in self.clones for fault in self.wrong(clone)]
        )

    def synced(self, settled: bool = True) -> list[str]:
        """Every clone once; the errors, of which a conflict is one only where all are `settled`."""
        faults = []
        for clone in self.clones:
            self.world(clone).quiet()
            done = self.world(clone).mdmem(clone, "sync --commit-edits --yes")
            if done.code and (settled or "in conflict" not in done.out):
                faults.append(f"{clone}: sync: exit code {done.code}: {done.err}{done.out[-300:]}")
        return faults

    def lost(self) -> list[str]:
        """Acknowledged marks that are not in the hub's history, or not in its notes though nobody took them."""
        world = self.world(self.clones[0])
        history = set(
            re.findall(r"mk\d+q\d+", world.git("hub.git", "log", "-p", "-m", "--text", "--format=", "main"))
        )
        notes = set(
            re.findall(r"mk\d+q\d+", world.git("hub.git", "grep", "-h", "-I", "-e", "mk[0-9]", "main", "--"))
        )
        faults = [f"lost: {made}" for mark, made in self.acknowledged.items() if mark not in history]
        for mark, made in self.acknowledged.items():
            if mark in history and mark not in notes and not self.was_taken_out(made):
                faults.append(f"no longer in a note: {made}")
        return faults

    def was_taken_out(self, made: Acted) -> bool:
        """By undoing its session, or forgetting its note by one of its names: a new one begins with the old."""
        root = re.sub(r"_mk.*", "", made.note)
        ways = (self.of_session.get(made.mark), made.note)
        return any(way in self.taken_out for way in ways) or any(name.startswith(root) for name in self.taken_out)

    def wrong(self, clone: str) -> list[str]:
        world = self.world(clone)
        head, of_hub = world.git(clone, "rev-parse", "HEAD"), world.git("hub.git", "rev-parse", "main")
        checks = {
            "HEAD is not that of the hub": head if head != of_hub else "",
            "git status": world.git(clone, "status", "--porcelain"),
            "fsck": world.git(clone, "fsck", "--no-dangling", "--no-progress"),
            "marks of a conflict": world.git(clone, "grep", "-E", "-e", "^(<<<<<<<|>>>>>>>)").replace(
                "\nexit code 1", ""
            ),
        }
        faults = [f"{clone}: {what}: {said}" for what, said in checks.items() if said.strip()]
        doctor = world.mdmem(clone, "doctor")
        faults += [f"{clone}: doctor: {doctor.out}"] if doctor.code else []
        before = world.mdmem(clone, "list --json --limit 100000")
        world.mdmem(clone, "rebuild")
        after = world.mdmem(clone, "list --json --limit 100000")
        faults += [f"{clone}: the index is not that of the notes"] if before.out != after.out else []
        return faults + left_over(self.folder / clone)


def kinds(weights: Mapping[str, int], count: int, dice: random.Random) -> list[str]:
    return dice.choices([*weights], [*weights.values()], k=count)


def shared(folder: Path, clones: int, dice: random.Random) -> Days:
    """A new world: a hub with a few notes, and its clones."""
    (folder / "home").mkdir(parents=True)
    days = Days(folder, clones, dice)
    world = days.world(days.clones[0])
    world.must(".", f"init {days.clones[0]} --no-examples")
    for tree in TREES[:4]:
        text = "\n\n".join(f"Paragraph {number} of {tree}." for number in range(3))
        world.must(days.clones[0], ["remember", text, "--name", f"about_{tree}_of_all", "--twins", "ignore"])
    world.git(".", "init", "--quiet", "--bare", "-b", "main", "hub.git")
    world.git(days.clones[0], "remote", "add", "origin", "../hub.git")
    world.must(days.clones[0], "sync")
    for clone in days.clones[1:]:
        world.must(".", f"init {clone} --from hub.git")
        world.git(clone, "remote", "set-url", "origin", "../hub.git")
    return days


def storm(base: Days, folder: Path, writes: int, dice: random.Random) -> tuple[Days, list[str]]:
    """A few writes and syncs of all clones at once, in a copy of a world."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(base.folder, folder, symlinks=True)
    days = Days(folder, len(base.clones), dice)
    lanes = {f"{clone} agent{clone[-1]}": [*kinds(STORM, writes, dice), "sync"] for clone in days.clones}
    faults = days.live(lanes, killed=0.15)
    return days, faults + days.evening()


def week(folder: Path, dice: random.Random, told: Callable[[str], None]) -> list[str]:
    """Seven days of two machines, each with a person and two agents."""
    days = shared(folder, 2, dice)
    every: list[str] = []
    for day in range(7):
        days.day = day
        lanes = {
            f"{clone} {who}{clone[-1]}": kinds(ORDINARY, 12, dice)
            for clone in days.clones
            for who in ("ann", "bot", "cat")
        }
        faults = days.live(lanes, killed=0.05) + days.evening()
        if day == 3:
            faults += purged(days)
        if day == 5:
            days.world("clone0").must("clone0", "layout month")
        told(f"day {day + 1}: {len(days.acknowledged)} writes so far, {days.kills} killed, {len(faults)} faults")
        every += [f"day {day + 1}: {fault}" for fault in faults]
    return every


def purged(days: Days) -> list[str]:
    """On one machine a note is purged, and pushed; the other follows. What is left of it then."""
    world = days.world("clone0")
    world.must("clone0", "remember 'The heron sleeps at noon.' --name note_that_is_purged --twins ignore")
    for clone in ("clone0", "clone1", "clone0"):
        world.must(clone, "sync")
    agreed = re.search(r"--yes --commits \S+", world.mdmem("clone0", "purge note_that_is_purged").err)
    assert agreed
    world.must("clone0", f"purge note_that_is_purged {agreed[0]}")
    pushing = re.search(r"--yes --commits \S+|--yes", world.mdmem("clone0", "purge --push origin").err)
    world.must("clone0", f"purge --push origin {pushing[0] if pushing else ''}")
    world.must("clone1", "sync")
    faults = [fault for clone in days.clones for fault in days.wrong(clone)]
    for place in ("hub.git", *days.clones):
        if "heron sleeps" in world.git(place, "log", "-p", "--all", "--text", "--format=%B"):
            faults.append(f"{place} still has what was purged")
    return faults
