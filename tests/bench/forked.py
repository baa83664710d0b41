"""mdmem's commands, each in a process of its own, which may be killed before a step of its writing.

A process is forked from this one, which has imported mdmem: its start is most of what a short command costs.
"""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import mdmem
from mdmem.__main__ import main
from tests.conftest import git_settings, is_of_the_developer

STEPS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "sqlite3.connect", "subprocess.Popen"}
APART = ("mdmem.systems.adapters", "mdmem.mcp")  # they import much that no command needs
FOR_WRITING = os.O_WRONLY | os.O_RDWR


class Kill(NamedTuple):
    """When: before the step of that number, the process alone; or after so many seconds, with the git it runs."""

    step: int = 0
    seconds: float = 0.0


class Done(NamedTuple):
    """The exit code of a command, or minus a signal; what it printed; its steps, 0 if it was killed; seconds."""

    code: int
    out: str
    err: str
    steps: int
    seconds: float


def imported() -> None:
    """Import what commands need."""
    for module in pkgutil.walk_packages(mdmem.__path__, "mdmem."):
        if not module.name.startswith(APART) and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    gc.freeze()


def environment(home: Path) -> dict[str, str]:
    """That of a person with a home of its own, without a model."""
    kept = {name: value for name, value in os.environ.items() if not is_of_the_developer(name)}
    return {**kept, **git_settings(home), "MDMEM_MODEL": "off", "EDITOR": "true"}


class Command:
    """A command that was started in a folder."""

    def __init__(
        self,
        folder: Path,
        words: Sequence[str],
        env: Mapping[str, str],
        text: str = "",
        kill: Kill | None = None,
    ) -> None:
        # standard input, output, errors; the number of steps
        self.files = [tempfile.TemporaryFile() for _ in range(4)]  # noqa: SIM115 - `told` closes them
        self.files[0].write(text.encode())
        self.files[0].seek(0)
        self.kill = kill or Kill()
        self.start = time.monotonic()
        self.pid = os.fork()
        os.setpgid(self.pid, self.pid)  # both do it: either may be first, and a kill may follow at once
        if not self.pid:
            self._be(folder, words, env)

    def _be(self, folder: Path, words: Sequence[str], env: Mapping[str, str]) -> None:
        """What the new process does; it does not return."""
        code = 70
        try:
            os.chdir(folder)
            for number, file in enumerate(self.files[:3]):
                os.dup2(file.fileno(), number)
            sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115 - to its end
            os.environ.clear()
            os.environ.update(env)
            steps = self._counted()
            code = main(list(words))
            sys.stdout.flush()
            sys.stderr.flush()
            os.write(self.files[3].fileno(), str(len(steps)).encode())
        finally:
            os._exit(code)

    def _counted(self) -> list[str]:
        """The steps that change something from now on; before the one that is meant this process is killed."""
        steps: list[str] = []

        def hook(event: str, about: tuple[Any, ...]) -> None:
            if event in STEPS or (event == "open" and isinstance(about[2], int) and about[2] & FOR_WRITING):
                steps.append(event)
                if len(steps) == self.kill.step:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(hook)
        return steps

    def done(self) -> Done:
        """Wait for its end."""
        if self.kill.seconds:
            time.sleep(self.kill.seconds)
            os.killpg(self.pid, signal.SIGKILL)
        return self.told(os.waitpid(self.pid, 0)[1])

    def told(self, status: int) -> Done:
        """What it left at its end, with what the system says of that."""
        seconds = time.monotonic() - self.start
        _, out, err, steps = map(_told, self.files)
        return Done(os.waitstatus_to_exitcode(status), out, err, int(steps or 0), seconds)


def _told(file: Any) -> str:
    with file:
        file.seek(0)
        return str(file.read().decode("utf-8", "replace"))


class World(NamedTuple):
    """A folder with a home and vaults, which can be copied."""

    folder: Path
    env: Mapping[str, str]

    def start(self, vault: str, line: str | Sequence[str], text: str = "", kill: Kill | None = None) -> Command:
        words = shlex.split(line) if isinstance(line, str) else line
        return Command(self.folder / vault, words, self.env, text, kill)

    def mdmem(self, vault: str, line: str | Sequence[str], text: str = "", kill: Kill | None = None) -> Done:
        return self.start(vault, line, text, kill).done()

    def must(self, vault: str, line: str | Sequence[str], text: str = "") -> str:
        """What a command prints that has to work."""
        done = self.mdmem(vault, line, text)
        assert done.code == 0, (line, done)
        return done.out

    def git(self, vault: str, *args: str) -> str:
        """What git prints, with its errors; a failure has its exit code in the last line."""
        run = ["git", *args]
        done = subprocess.run(
            run, cwd=self.folder / vault, env=self.env, capture_output=True, text=True, errors="replace"
        )
        return done.stdout + done.stderr + (f"\nexit code {done.returncode}" if done.returncode else "")

    def quiet(self) -> None:
        """Wait until nothing works in this folder: a git whose parent was killed goes on to its end."""
        end = time.monotonic() + 60
        while time.monotonic() < end and any(map(self._works, filter(str.isdigit, os.listdir("/proc")))):
            time.sleep(0.02)

    def _works(self, pid: str) -> bool:
        try:
            return os.readlink(f"/proc/{pid}/cwd").startswith(f"{self.folder}/") and pid != str(os.getpid())
        except OSError:  # it has just ended, or is another user's
            return False


def left_over(vault: Path) -> list[str]:
    """Locks of git, temporary files and journals in a vault where nothing runs."""
    places = (vault / ".git", vault / ".mdmem")
    found = [path for place in places for path in place.rglob("*") if path.is_file()]
    return [f"left over: {path}" for path in found if _is_left_over(path)]


def _is_left_over(path: Path) -> bool:
    is_lock = path.suffix == ".lock" and ".git" in path.parts
    is_of_a_change = path.suffix == ".tmp" or path.name == "journal.json"
    return is_lock or is_of_a_change or (path.name.startswith("mdmem-") and "index" in path.name)
