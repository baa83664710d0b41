"""Many writers at once, processes killed at random instants: nothing lost, nothing mixed, nothing half done."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mdmem.acts.checks import doctor
from mdmem.store.operation import Caller
from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from tests.conftest import Git

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),  # seconds; many processes share what cores there are
    pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc to wait for orphaned git commands"),
]

WRITER = """
import sys
from mdmem.__main__ import main
number, count = sys.argv[1], int(sys.argv[2])
for at in range(count):
    text = f"Process {number} writes its memory {at} with the words p{number}x{at}."
    code = main(["remember", text, "--twins", "ignore", "--session", f"s{number}", "--actor", f"agent-{number}"])
    if code:
        sys.exit(code)
"""


def test_eight_processes_write_at_once(root: Path, git: Git) -> None:
    """80 memories, 80 commits, each commit with its own file and its own trailers."""
    before = int(git(root, "rev-list", "--count", "HEAD"))
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(number), "10"], cwd=root, stdout=subprocess.PIPE)
        for number in range(8)
    ]
    outputs = [writer.communicate()[0].decode().splitlines() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * 8
    reported = [line.split()[1] for lines in outputs for line in lines]
    assert len(set(reported)) == 80
    assert git(root, "ls-files", "allmemories").splitlines() == sorted(reported)
    assert int(git(root, "rev-list", "--count", "HEAD")) - before == 80
    assert git(root, "status", "--porcelain") == ""
    log = git(
        root, "log", "--format=%x00%an|%(trailers:key=Memory-Session,valueonly,separator=,)", "--name-only", "-80"
    )
    for entry in log.split("\0")[1:]:
        who, path = entry.split()
        number = who.split("|")[0].removeprefix("agent-")
        assert who == f"agent-{number}|s{number}"
        assert f"Process {number} writes" in (root / path).read_text()
    assert git(root, "fsck", "--no-dangling") == ""
    with Vault(str(root)) as vault:
        assert [problem for problem in doctor.examine(vault) if problem.code != "name"] == []
        assert vault.index.count() == 80


VICTIM = """
import sys, time
from mdmem.__main__ import main
from mdmem.store.local.journal import Journal
at = 0
begin = Journal.begin
def begin_and_wait(*args):
    begin(*args)
    print("in a change", flush=True)
    time.sleep(3600)
while True:
    if at == 1 and sys.argv[2] == "waits":
        Journal.begin = begin_and_wait
    name = f"note_of_run_{sys.argv[1]}_{at}"
    if main(["remember", f"Text of {name}.", "--name", name, "--twins", "ignore"]) == 0:
        print("saved", name, flush=True)
    if at % 3 == 2:
        main(["rename", name, name + "_new"])
        main(["forget", f"note_of_run_{sys.argv[1]}_{at - 1}"])
    at += 1
"""


def _read_to(victim: subprocess.Popen[str], start: str) -> list[str]:
    """What the victim prints, to the line that starts like this."""
    assert victim.stdout
    lines: list[str] = []
    while not lines or not lines[-1].startswith(start):
        lines.append(victim.stdout.readline())
        assert lines[-1], "the victim died by itself"
    return lines


def _kill(victim: subprocess.Popen[str], whole_group: bool) -> None:
    """With the git commands it is running, or without."""
    (os.killpg if whole_group else os.kill)(victim.pid, signal.SIGKILL)


@pytest.mark.parametrize("whole_group", [False, True], ids=["process", "group"])
def test_kill_at_random_instants(root: Path, git: Git, whole_group: bool) -> None:
    """Kills of the process alone, or with the git it is running: what was reported as saved is there.

    Every fifth falls into a change that is waiting for it, however fast the machine is.
    """
    chance = random.Random(f"mdmem {whole_group}")
    saved: set[str] = set()
    interrupted = 0
    for run in range(6):
        waits = run % 5 == 0
        victim = subprocess.Popen(
            [sys.executable, "-c", VICTIM, str(run), "waits" if waits else ""], cwd=root, stdout=subprocess.PIPE,
            text=True, start_new_session=True,
        )  # fmt: skip
        lines = _read_to(victim, "saved ")  # however busy the machine is, some work is done before the kill
        if waits:
            lines += _read_to(victim, "in a change")
        else:
            time.sleep(chance.uniform(0, 0.4))
        _kill(victim, whole_group)
        lines += victim.communicate()[0].splitlines()
        saved |= {line.split()[1] for line in lines if line.startswith("saved ")}
        _wait_for_orphans(root)
        if whole_group:  # git was killed too and may have left a lock of its own: the message says to delete it
            for lock in (root / ".git" / "refs").rglob("*.lock"):
                lock.unlink()
            (root / ".git" / "HEAD.lock").unlink(missing_ok=True)
        interrupted += (root / ".mdmem/journal.json").exists()
        assert git(root, "fsck", "--no-dangling") == ""
        with Vault(str(root)) as vault:
            found = {problem.code for problem in doctor.examine(vault)} - {"name"}
            assert found <= {"change-unfinished", "uncommitted"}
            doctor.fix(vault, Caller(datetime.now(UTC)), silent)
            assert not (root / ".git" / "index.lock").exists(), "our own lock on the index is ours to release"
            assert [problem for problem in doctor.examine(vault) if problem.code != "name"] == []
        assert git(root, "status", "--porcelain") == ""
        told = git(root, "log", "--format=%s", "--diff-filter=A", "--no-renames", "--name-only")
        assert saved <= {name for name in saved if name in told}
    living = set(git(root, "ls-files", "allmemories").split())
    with Vault(str(root)) as vault:
        from mdmem.history import past

        trash = {item.name for item in past.trash(vault)}
    for name in saved:
        here = {f"allmemories/{name}.md", f"allmemories/{name}_new.md"} & living
        assert here or {name, f"{name}_new"} & trash, name
    assert len(saved) >= 6, "hardly a note was written: the test proves nothing"
    assert interrupted, "no kill fell into a change: the test proves nothing"


def _wait_for_orphans(root: Path) -> None:
    """git commands that outlive their killed parent finish on their own."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and any(
        _works_in(root, pid) for pid in os.listdir("/proc") if pid.isdigit()
    ):
        time.sleep(0.02)


def _works_in(root: Path, pid: str) -> bool:
    try:
        return os.readlink(f"/proc/{pid}/cwd") == str(root)
    except OSError:  # it has just ended, or is another user's
        return False


def test_readers_among_writers_always_get_answers(root: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(n), "8"], cwd=root, stdout=subprocess.PIPE)
        for n in range(3)
    ]
    answers = []
    while any(writer.poll() is None for writer in writers):
        done = subprocess.run(
            [sys.executable, "-m", "mdmem", "recall", "process", "writes", "--json", "-n", "50"],
            cwd=root, capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        answers.append(len(json.loads(done.stdout)))
    for writer in writers:
        writer.communicate()
    assert answers == sorted(answers), "a memory that was found was lost again"
