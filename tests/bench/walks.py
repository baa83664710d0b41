"""What four walks through mdmem cost, counted: `remember TEXT`, `recall WORDS`, `garden apply` and `sync`.

    python tests/bench/walks.py [--json] [--python PYTHON]

Each walk is a process of its own in a small vault. Counted are the mdmem modules whose functions ran, how often
a note was parsed and a header split, the git processes that were started, and the SQL statements. None of it
depends on the clock. `--python` measures the mdmem that is installed for another interpreter, such as that of
an older checkout.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, NamedTuple

NOTES = 17
_TOPICS = (
    *("bread dough", "harbour crane", "piano tuning", "tomato seedlings", "bicycle chain", "tax return"),
    *("museum ticket", "coffee grinder", "mountain hut", "violin lesson", "rain barrel", "train timetable"),
    *("chess opening", "window paint", "goat cheese"),
)
_FACTS = ("needs a rest of twelve hours", "was inspected on a Tuesday", "costs less in the winter months")
_COPY = "The invoice number of the water company is printed on the back of every letter they send."
WALKS = {
    "remember": ("remember", "The deploy of the billing server moves to Thursday evenings."),
    "recall": ("recall", "harbour", "crane"),
    "garden apply": ("garden", "apply", "--yes"),
    "sync": ("sync",),
}
_FUNCTION = 0x1 | 0x2  # flags of code that is a function's: neither a module's nor a class's


class Walk(NamedTuple):
    """What a command cost. `modules` are those of mdmem whose functions ran; `git` the subcommands started."""

    modules: tuple[str, ...]
    parses: int
    splits: int
    git: tuple[str, ...]
    statements: int

    def as_json(self) -> dict[str, Any]:
        return {**self._asdict(), "modules": list(self.modules), "git": list(self.git)}


class Counts:
    """Counters that fill while mdmem works."""

    def __init__(self, package: str) -> None:
        """`package` is the folder of mdmem."""
        self._package = package + os.sep
        self._calls: Counter[CodeType] = Counter()
        self._git: list[str] = []
        self._statements = 0
        self._counting = False
        sys.addaudithook(self._audit)  # it cannot be taken off again

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Count what happens in the block."""
        self._counting = True
        before, connect = sys.getprofile(), sqlite3.connect
        sqlite3.connect = functools.partial(self._connected, connect)  # type: ignore[assignment]
        threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        try:
            yield
        finally:
            sys.setprofile(before)
            threading.setprofile(None)
            sqlite3.connect = connect
            self._counting = False

    def walk(self) -> Walk:
        """What was counted."""
        ours = {code: calls for code, calls in self._calls.items() if self._is_ours(code)}
        modules = {self._module(code) for code in ours}
        read = {name: _calls_of(ours, name) for name in ("parse", "split")}
        return Walk(tuple(sorted(modules)), read["parse"], read["split"], tuple(self._git), self._statements)

    def _profile(self, frame: FrameType, event: str, argument: object) -> None:
        del argument
        if event == "call":
            self._calls[frame.f_code] += 1

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self._counting and event in ("subprocess.Popen", "os.posix_spawn"):
            self._git.append(subcommand(arguments[1]))

    def _connected(
        self, connect: Callable[..., sqlite3.Connection], *args: Any, **options: Any
    ) -> sqlite3.Connection:
        connection = connect(*args, **options)
        connection.set_trace_callback(self._statement)
        return connection

    def _statement(self, sql: str) -> None:
        self._statements += self._counting and not sql.startswith("--")  # those are FTS5's own

    def _is_ours(self, code: CodeType) -> bool:
        return code.co_filename.startswith(self._package) and code.co_flags & _FUNCTION == _FUNCTION

    def _module(self, code: CodeType) -> str:
        return code.co_filename.removeprefix(self._package).removesuffix(".py").replace(os.sep, ".")


def _calls_of(calls: dict[CodeType, int], name: str) -> int:
    """How often a function of the modules that read notes was called."""
    return sum(
        count
        for code, count in calls.items()
        if code.co_qualname == name and os.path.basename(code.co_filename) in ("memory.py", "header.py")
    )


def subcommand(command: Sequence[str | os.PathLike[str]]) -> str:
    """The subcommand of a git command line, such as `status`; the program itself for other commands."""
    words = [os.fspath(word) for word in command]
    if os.path.basename(words[0]) != "git":
        return words[0]
    at = 1
    while words[at].startswith("-"):
        at += 2 if words[at] in ("-c", "-C") else 1
    return words[at]


def count(arguments: Sequence[str]) -> Walk:
    """Run the command line in this process; what it cost."""
    import mdmem
    from mdmem.__main__ import main

    counts = Counts(os.path.dirname(os.path.abspath(mdmem.__file__)))
    with counts.counting():
        code = main(list(arguments))
    if code:
        raise SystemExit(f"mdmem {' '.join(arguments)} failed with {code}")
    return counts.walk()


def make_vault(folder: Path, python: str = sys.executable) -> None:
    """A vault of NOTES notes, committed and indexed, in which a gardener finds one thing to do: a copy."""
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    (folder / "mdmem.toml").write_text('id = "walks"\n')
    for number, topic in enumerate(_TOPICS):
        fact = _FACTS[number % len(_FACTS)]
        _write(folder, number, f"{topic} {fact}", f"The {topic} {fact}.", topic.split()[1])
    for number in range(len(_TOPICS), NOTES):
        _write(folder, number, "Invoice number of the water company", _COPY, "invoice")
    subprocess.run(["git", "add", "."], cwd=folder, check=True)
    subprocess.run(["git", "commit", "-qm", "notes"], cwd=folder, check=True)
    subprocess.run([python, "-m", "mdmem", "rebuild"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def part_ways(folder: Path, python: str = sys.executable) -> None:
    """Give a vault a remote that it has synced with, then change one note in both, so that a sync merges it."""
    _git(folder, "config", "mdmem.people", "ada@example.org")  # as the first write of a clone sets it
    remote, clone = folder.with_name("remote.git"), folder.with_name("clone")
    _git(folder, "init", "-q", "--bare", "-b", "main", remote)
    _git(folder, "remote", "add", "origin", remote)
    subprocess.run([python, "-m", "mdmem", "sync"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    _git(folder, "clone", "-q", remote, clone)
    for place, old, new in ((clone, "The ", "Our "), (folder, "tags: [", "tags: [synced, ")):
        note = next((place / "allmemories").glob("bread_dough*"))
        note.write_text(note.read_text().replace(old, new))
        _git(place, "commit", "-qam", "edited")
    _git(clone, "push", "-q")
    subprocess.run([python, "-m", "mdmem", "recall", "bread"], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def _git(folder: Path, *arguments: str | Path) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)


def _write(folder: Path, number: int, title: str, text: str, tag: str) -> None:
    name = "_".join([*title.lower().split(), str(number)])
    header = (
        f"id: 0192f3c4-7d1e-7c3a-9d53-{number:012x}\ntitle: {title}\ncreated: 2026-02-{number + 1:02}T08:00:00Z"
    )
    place = folder / "allmemories" / f"{name}.md"
    place.parent.mkdir(exist_ok=True)
    place.write_text(f"---\n{header}\ncategory: past\ntags: [{tag}]\n---\n\n{text}\n")


def measure(name: str, python: str) -> dict[str, Any]:
    """A walk in a vault of its own, as JSON."""
    with tempfile.TemporaryDirectory(prefix="mdmem-walks-") as work:
        folder = Path(work) / "vault"
        make_vault(folder, python)
        if name == "sync":
            part_ways(folder, python)
        answer = Path(work) / "answer.json"
        command = [python, os.path.abspath(__file__), "--inside", str(answer), "--", *WALKS[name]]
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return dict(json.loads(answer.read_text()))


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print everything that was counted as JSON")
    parser.add_argument("--python", default=sys.executable, help="measure the mdmem of this interpreter")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("command", nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        options.inside.write_text(json.dumps(count(options.command).as_json()))
        return
    with tempfile.TemporaryDirectory(prefix="mdmem-walks-") as home:
        settings = Path(home) / "gitconfig"
        settings.write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
        os.environ |= {"GIT_CONFIG_GLOBAL": str(settings), "GIT_CONFIG_SYSTEM": os.devnull}
        walks = {name: measure(name, options.python) for name in WALKS}
    if options.json:
        print(json.dumps(walks, indent=1))
        return
    print(f"{'walk':14} {'modules':>7} {'parses':>7} {'splits':>7} {'git':>5} {'SQL':>5}")
    for name, walk in walks.items():
        numbers = (len(walk["modules"]), walk["parses"], walk["splits"], len(walk["git"]), walk["statements"])
        print("{:14} {:7} {:7} {:7} {:5} {:5}".format(name, *numbers))


if __name__ == "__main__":
    main()
