"""How many small faults in mdmem its tests find: mutants, drawn by seed, each for the tests that run its line.

    python -m tests.bench.mutants --seed 1 --count 40 --rooms history,store [--tests CHECKOUT] [--workers 2]

A mutant is one change in the body of a function: a comparison shifted, a condition negated, a constant changed,
nothing returned, a statement removed. The tests of the rooms run once with coverage.py (`pip install coverage`),
which also follows the commands that they start. Then those of its room that ran the changed line run on each
mutant, or those of the other rooms if there are none: the quick ones first, up to the first that fails. `--tests`
takes the tests of another checkout for the same mutants. Each mutant is printed as killed, survived, or unreached
where no test ran its line. The exit code is 1 unless all were killed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

import pytest

CHECKOUT = Path(__file__).parent.parent.parent
SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq},
    **{ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is},
}
REMOVED = (ast.Expr, ast.AugAssign, ast.Raise, ast.Continue, ast.Break)
RECORDING = "[run]\nsource = {0}\nparallel = true\ndata_file = {1}/lines\ncontext = ${{PYTEST_CURRENT_TEST-}}\n"
STARTING = "import coverage\ncoverage.process_startup()\n"


class Mutant(NamedTuple):
    """One change: in this file of mdmem, from byte `start` to `end`, on these lines."""

    kind: str
    path: str
    lines: range
    start: int
    end: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.lines.start} {self.kind}: {self.text}"


# -- drawing mutants


def changed(node: ast.AST) -> Iterator[tuple[str, ast.AST, str]]:
    """The changes that a node allows: the kind, the node that is replaced, and by what."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        other = ast.Compare(node.left, [SHIFTED[type(node.ops[0])]()], node.comparators)
        yield "comparison", node, f"({ast.unparse(other)})"
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "condition", node.test, f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield "return", node, "return None"
    if isinstance(node, REMOVED) and not isinstance(getattr(node, "value", None), ast.Constant):
        yield "statement", node, "pass"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield "constant", node, repr(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield "constant", node, repr(node.value + 1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield "constant", node, repr(node.value + "x")


def code_of(node: ast.AST) -> Iterator[ast.AST]:
    """What is inside a node and runs: docstrings, annotations and the texts of f-strings are left out."""
    for name, value in ast.iter_fields(node):
        for inner in value if isinstance(value, list) else [value]:
            is_docstring = isinstance(inner, ast.Expr) and isinstance(inner.value, ast.Constant)
            if (
                not isinstance(inner, ast.AST)
                or is_docstring
                or name in ("annotation", "returns", "decorator_list")
            ):
                continue
            if not isinstance(inner, ast.JoinedStr | ast.arguments):
                yield inner
                yield from code_of(inner)


def mutants_of(path: Path, name: str) -> Iterator[Mutant]:
    """Every mutant of a file."""
    source = path.read_bytes()
    line_starts = [0]
    for line in source.splitlines(keepends=True):
        line_starts.append(line_starts[-1] + len(line))
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    seen: set[tuple[str, int]] = set()
    for function in functions:
        for node in code_of(function):
            for kind, replaced, text in changed(node):
                where: Any = replaced
                start = line_starts[where.lineno - 1] + where.col_offset
                end = line_starts[where.end_lineno - 1] + where.end_col_offset
                if (kind, start) not in seen:
                    seen.add((kind, start))
                    yield Mutant(kind, name, range(where.lineno, where.end_lineno + 1), start, end, text)


def draw(seed: int, count: int, rooms: Sequence[str]) -> list[Mutant]:
    """As many mutants, evenly of each room and each kind."""
    pools: dict[tuple[str, str], list[Mutant]] = {}
    for room in rooms:
        for path in sorted((CHECKOUT / "mdmem" / room).rglob("*.py")):
            for mutant in mutants_of(path, path.relative_to(CHECKOUT).as_posix()):
                pools.setdefault((room, mutant.kind), []).append(mutant)
    chance = random.Random(seed)
    kinds = sorted({kind for _, kind in pools})
    drawn: list[Mutant] = []
    while len(drawn) < count and any(pools.values()):
        pool = pools.get((chance.choice(rooms), chance.choice(kinds)))
        if pool:
            drawn.append(pool.pop(chance.randrange(len(pool))))
    return drawn


# -- which tests run a line


class Recorder:
    """In the process of pytest: tells coverage.py which test runs, keeps how long it took and if it failed."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid: str) -> None:
        import coverage

        current = coverage.Coverage.current()
        assert current is not None, "a process of the tests was started without coverage.py"
        current.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        told = {"seconds": self.seconds, "failed": sorted(self.failed)}
        Path(os.environ["MUTANTS_RECORD"], f"told-{os.getpid()}.json").write_text(json.dumps(told))


def pytest_configure(config: pytest.Config) -> None:
    """This module is a plugin of pytest where lines are recorded."""
    config.pluginmanager.register(Recorder())


class Checkout:
    """A copy of mdmem with tests to run on it."""

    def __init__(self, folder: Path, tests: Path) -> None:
        self.folder = folder
        shutil.copytree(
            CHECKOUT, folder, ignore=shutil.ignore_patterns(".git", ".venv", "*_cache", "tests", "__pycache__")
        )
        shutil.copytree(tests / "tests", folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(__file__, folder / "tests/bench/mutants.py")

    def pytest(self, *arguments: str, **env: str) -> int:
        """The exit code of pytest with these arguments; of commands that tests start, mdmem is this one too."""
        line = [sys.executable, "-m", "pytest", "-q", *arguments]
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "MDMEM_MODEL": "off", **env}
        return subprocess.run(line, cwd=self.folder, env=environment, stdout=subprocess.DEVNULL).returncode

    def is_killed(self, mutant: Mutant, tests: Sequence[str]) -> bool:
        """Whether one of the tests fails, or takes three minutes, with the mutant in place."""
        path = self.folder / mutant.path
        source = path.read_bytes()
        path.write_bytes(source[: mutant.start] + mutant.text.encode() + source[mutant.end :])
        (self.folder / "tests.txt").write_text("\n".join(tests))
        try:
            code = self.pytest("-x", "-p", "no:cacheprovider", "--timeout", "180", "@tests.txt")
            assert code not in (pytest.ExitCode.USAGE_ERROR, pytest.ExitCode.NO_TESTS_COLLECTED), tests
            return code != 0
        finally:
            path.write_bytes(source)


class Record:
    """Which tests of a room ran which lines, and how long each took."""

    def __init__(self, checkout: Checkout, room: str, folder: Path, workers: int) -> None:
        from coverage import Coverage

        folder.mkdir()
        (checkout.folder / "sitecustomize.py").write_text(STARTING)
        settings = folder / "settings"
        settings.write_text(RECORDING.format(checkout.folder / "mdmem", folder))
        checkout.pytest(
            *("-p", "tests.bench.mutants", "-n", str(workers), f"tests/{room}"),
            **{"COVERAGE_PROCESS_START": str(settings), "MUTANTS_RECORD": str(folder)},
        )
        (checkout.folder / "sitecustomize.py").unlink()
        coverage = Coverage(data_file=str(folder / "lines"), config_file=False)
        coverage.combine([str(folder)])
        self.data = coverage.get_data()
        self.folder = checkout.folder
        told = [json.loads(path.read_text()) for path in folder.glob("told-*.json")]
        self.seconds = {test: seconds for one in told for test, seconds in one["seconds"].items()}
        for test in sorted({test for one in told for test in one["failed"]}):
            if checkout.pytest(test) != 0:  # not only because it meets coverage.py
                print(f"fails without a mutant, and is left out: {test}", flush=True)
                del self.seconds[test]

    def tests_of(self, mutant: Mutant) -> list[str]:
        """The tests that ran a line of the mutant, the quick ones first; all, where a line ran outside a test."""
        at = self.data.contexts_by_lineno(str(self.folder / mutant.path))
        found = {context for line in mutant.lines for context in at.get(line, ())}
        tests = {test.rpartition(" (")[0] if test.endswith(")") else test for test in found} & self.seconds.keys()
        return sorted(tests or (self.seconds if "" in found else ()), key=lambda test: (self.seconds[test], test))


def run(drawn: Sequence[Mutant], rooms: Sequence[str], tests: Path, workers: int, place: Path) -> int:
    """Print what became of each mutant; how many were killed."""
    checkouts: Queue[Checkout] = Queue()
    for number in range(workers):
        checkouts.put(Checkout(place / f"checkout-{number}", tests))
    first = checkouts.queue[0]
    records = {room: Record(first, room, place / room, workers) for room in rooms}

    def told(mutant: Mutant) -> str:
        own = records[mutant.path.split("/")[1]]
        others = [record for record in records.values() if record is not own]
        chosen = next(filter(None, (record.tests_of(mutant) for record in (own, *others))), [])
        checkout = checkouts.get()
        try:
            fate = "killed" if chosen and checkout.is_killed(mutant, chosen) else "survived"
        finally:
            checkouts.put(checkout)
        fate = fate if chosen else "unreached"
        print(f"{fate:9} {len(chosen):4} tests  {mutant}", flush=True)
        return fate

    with ThreadPoolExecutor(workers) as pool:
        fates = list(pool.map(told, drawn))
    return fates.count("killed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--rooms", default="history,store", help="folders of mdmem/, with commas between")
    parser.add_argument("--tests", type=Path, default=CHECKOUT, help="the checkout whose tests run")
    parser.add_argument("--workers", type=int, default=2, help="so many mutants at once")
    given = parser.parse_args()
    rooms = given.rooms.split(",")
    drawn = draw(given.seed, given.count, rooms)
    with tempfile.TemporaryDirectory(prefix="mdmem-mutants-") as place:
        os.chmod(place, 0o755)  # some tests become another user
        killed = run(drawn, rooms, given.tests.resolve(), given.workers, Path(place))
    print(f"{killed} of {len(drawn)} killed")
    return 0 if killed == len(drawn) else 1


if __name__ == "__main__":
    sys.exit(main())
