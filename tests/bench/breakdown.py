"""Where the work of a command goes, in millions of instructions: Python, imports, patterns, SQLite, git, the rest.

    python -m tests.bench.breakdown [--notes 10000] [--shared ../shared]

Instructions are counted by callgrind, part of valgrind; unlike times they are the same on a busy machine. The
kernel's are not among them, of which `git status` needs the most. Columns: "others" and "mdmem" are what loading
the same modules takes in a process that does nothing else; "patterns" what compiling those that modules leave for
later takes; "itself" is the command without git, the sum of all columns but the last.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tests.bench.costs import MDMEM, PYTHON, WORDS, generated, settle
from tests.bench.speed import Notes

# What a command loads, and the patterns that it compiles besides those of modules: as JSON, on standard error.
_SEEN = """
import json, re, sys
from re import _compiler
patterns, compiled = [], _compiler.compile
def compile(pattern, flags=0):
    frame, files = sys._getframe(1), set()
    while frame:
        files.add(frame.f_code.co_filename)
        frame = frame.f_back
    if isinstance(pattern, str) and "<frozen importlib._bootstrap>" not in files:
        patterns.append([pattern, int(flags)])
    return compiled(pattern, flags)
_compiler.compile = compile
from mdmem.__main__ import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(json.dumps({"modules": list(sys.modules), "patterns": patterns}), file=sys.stderr)
sys.exit(code)
"""
_LOAD = "import importlib, json, os, sys; [importlib.import_module(name) for name in json.load(open(sys.argv[1]))]"
_COMPILE = "import json, re, sys; [re.compile(*pattern) for pattern in json.load(open(sys.argv[1]))]"


class Counted(NamedTuple):
    """The instructions of a command, in millions: its own, those of SQLite among them, and those of git."""

    itself: float
    sqlite: float
    git: float


class Floor(NamedTuple):
    """What a Python takes that does nothing, and one that only reads the JSON of a list."""

    python: float
    json: float


def counted(command: list[str], vault: Path) -> Counted:
    """What a command and the processes that it starts take."""
    with tempfile.TemporaryDirectory() as out:
        quietly = ["--tool=callgrind", "--log-file=/dev/null"]  # git is not to seem to complain
        line = ["valgrind", *quietly, "--trace-children=yes", f"--callgrind-out-file={out}/%p", *command]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        pipe = subprocess.PIPE
        with subprocess.Popen(line, cwd=vault, env=environment, stdout=pipe, stderr=pipe) as process:
            _, told = process.communicate()
        if process.returncode:
            sys.exit(f"{' '.join(command)} failed: {told.decode()}")
        first = Path(out, str(process.pid))
        others = (file for file in Path(out).iterdir() if file != first)
        return Counted(_total(first), _sqlite(first), sum(map(_total, others)))


def _total(file: Path) -> float:
    match = re.search(r"^totals: (\d+)", file.read_text(errors="replace"), re.M)
    assert match is not None
    return int(match[1]) / 1e6


def _sqlite(file: Path) -> float:
    command = ["callgrind_annotate", "--threshold=99", "--auto=no", file]
    table = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return sum(int(row.replace(",", "")) for row in re.findall(r"^ *([\d,]+) .*libsqlite3", table, re.M)) / 1e6


def in_one(code: str, values: list[Any], vault: Path) -> float:
    """What a piece of Python takes that reads a list from the file it is given."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(values, file)
        file.flush()
        return counted([PYTHON, "-c", code, file.name], vault).itself


def broken_down(vault: Path, arguments: list[str], before: Callable[[], object], floor: Floor) -> str:
    """A row of the table; `before` runs ahead of each run."""
    before()
    line = [PYTHON, "-c", _SEEN, *arguments]
    done = subprocess.run(line, cwd=vault, capture_output=True, text=True, check=True)
    seen = json.loads(done.stderr.splitlines()[-1])
    modules = [name for name in seen["modules"] if name != "__main__"]
    others = [name for name in modules if name.split(".")[0] != "mdmem"]
    before()
    whole = counted([*MDMEM, *arguments], vault)
    library, every = in_one(_LOAD, others, vault), in_one(_LOAD, modules, vault)
    patterns = in_one(_COMPILE, seen["patterns"], vault) - floor.json
    rest = whole.itself - every - patterns - whole.sqlite
    figures = (whole.itself, floor.python, library - floor.python, every - library, patterns, whole.sqlite, rest)
    return f"{arguments[0]:10}" + "".join(f"{figure:9.1f}" for figure in (*figures, whole.git))


_COLUMNS = ("itself", "python", "others", "mdmem", "patterns", "SQLite", "rest", "git")
_HEADER = f"{'':10}" + "".join(f"{name:>9}" for name in _COLUMNS)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--shared", default="../shared", type=Path)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed")
    settle()
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        vault = generated(options.notes, Path(work) / "vault", options.shared)
        subprocess.run([*MDMEM, "init", "--hooks", "."], cwd=vault, check=True, stdout=subprocess.DEVNULL)
        notes = Notes(vault)
        floor = Floor(counted([PYTHON, "-c", "pass"], vault).itself, in_one(_COMPILE, [], vault))
        print(_HEADER)
        for arguments, before in (
            (["recall", *WORDS], lambda: None),
            (["remember", "A new memory about the server and the meeting.", "--twins", "ignore"], lambda: None),
            (["hook-impl", "post-commit"], notes.commit),
        ):
            print(broken_down(vault, arguments, before, floor), flush=True)


if __name__ == "__main__":
    main()
