"""Finds the programs of clients on this machine, and runs the commands that only they can carry out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Timer

from mdmem.errors import MdmemError, NotFoundError

FOLDER = "MDMEM_CLIENTS_DIR"  # searched before PATH
_PATIENCE = 120.0  # seconds for a command of a client
_VERSION = re.compile(r"\d+(?:\.\d+)+[\w-]*")


def find(program: str, environment: Mapping[str, str]) -> str:
    """The path of a program in MDMEM_CLIENTS_DIR or on PATH; "" if it is not there."""
    from shutil import which

    folders = (environment.get(FOLDER, ""), environment.get("PATH", ""))
    return which(program, path=os.pathsep.join(filter(None, folders))) or ""


def of_mdmem(environment: Mapping[str, str]) -> str:
    """The path of the running program `mdmem`, since clients may have another PATH. Raises NotFoundError."""
    beside = os.path.join(os.path.dirname(sys.executable), "mdmem")
    started = os.path.abspath(sys.argv[0]) if os.path.basename(sys.argv[0]) == "mdmem" else beside
    for path in (started, beside, f"{beside}.exe", find("mdmem", environment)):
        if path and os.access(path, os.X_OK) and os.path.isfile(path):
            return path
    raise NotFoundError("the program mdmem is nowhere to be found", "install it: pip install mdmem")


def version(program: str, environment: Mapping[str, str]) -> str:
    """The version that a program reports; "" if it reports none."""
    try:
        done = _run([program, "--version"], environment, os.path.dirname(program))
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _VERSION.search(f"{done.stdout}\n{done.stderr}")
    return found[0] if found else ""


def run(program: str, words: Sequence[str], environment: Mapping[str, str], cwd: str) -> None:
    """Run a command of a client in the folder `cwd`. Raises MdmemError, with its last message, if it fails."""
    line = " ".join([os.path.basename(program), *words])
    try:
        done = _run([program, *words], environment, cwd)
    except subprocess.TimeoutExpired:
        raise MdmemError(f"{line} did not end within {_PATIENCE:.0f} seconds", "try it by hand") from None
    except OSError as error:
        raise MdmemError(f"{line} cannot be run: {error.strerror}", "try it by hand") from None
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "nothing").splitlines()[-1]
        raise MdmemError(f"{line} failed: {said}", "try it by hand")


def _run(line: list[str], environment: Mapping[str, str], cwd: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line,
        env=dict(environment),
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=_PATIENCE,
        check=False,
    )


def lines_of(
    line: Sequence[str], given: str, environment: Mapping[str, str], patience: float, close: bool = False
) -> Iterator[str]:
    """The lines that a program prints; it is killed when no more are wanted, and after `patience` seconds.

    Its input stays open unless `close`. Raises MdmemError, with its last message, if it ends with an error.
    """
    with subprocess.Popen(
        line,
        env=dict(environment),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        watch = Timer(patience, process.kill)
        watch.start()
        try:
            with suppress(BrokenPipeError):  # it ended at once; its message is reported below
                os.write(process.stdin.fileno(), given.encode())
            if close:
                process.stdin.close()
            yield from process.stdout
            if process.wait():
                complaint = process.stderr.read().strip() or f"exit code {process.returncode}"
                raise MdmemError(complaint.splitlines()[-1])
        finally:
            watch.cancel()
            process.kill()
