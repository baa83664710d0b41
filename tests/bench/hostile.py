"""What commands cost on texts that slow a careless reader down: processor time and memory of each at some size.

    python -m tests.bench.hostile [--kb 1000] [--only NAME,...] [--commands NAME,...] [--slowest 40] [--cap 60]

Each command runs in a process of its own. Fails if one takes more than 10 s of processor time (`--cap` s stop it),
more than 300 MB over that of `mdmem list`, or ends unexpectedly.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.costs import MDMEM, settle
from tests.hostile import TEXTS

MOST_SECONDS, MOST_MB = 10.0, 300.0
_NOTE = "allmemories/by_hand_of_size.md"
_MEASURED = "import os, resource, sys; pid = os.spawnvp(os.P_NOWAIT, sys.argv[1], sys.argv[1:]); _, code, used"
_MEASURED += " = os.wait4(pid, 0); print('\\n@@', used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, code)"


class Cost(NamedTuple):
    """What one command took for one text: seconds of processor time, MB at most; `fault` is "" if it is fine."""

    seconds: float
    mb: float
    command: str
    text: str
    fault: str


def commands(text: str) -> Iterator[tuple[str, tuple[str, ...], str]]:
    """(name, arguments, standard input) of each command that reads the text."""
    yield (
        "remember",
        ("remember", "-", "--name", "hostile_note_of_size", "--twins", "ignore", "--allow-secret"),
        text,
    )
    yield "remember again", ("remember", "-", "--name", "hostile_note_of_more", "--allow-secret"), text
    yield "capture", ("capture", "-"), f"User: {text}"
    yield "session end", ("session", "end", "--summary", "-", "--session", "s1"), text
    yield "ingest", ("ingest", "-", "--topic", "talk_of_size"), f"User: {text}"
    yield "candidates", ("candidates", "import", "-"), f"[MEMORY_CANDIDATES]\n{text}"
    yield "rebuild", ("rebuild",), ""
    yield "recall", ("recall", "boat"), ""
    yield "recall of it", ("recall", text[:3000].replace("\0", "").replace("\n", " ").lstrip("-")), ""
    yield "doctor", ("doctor",), ""
    yield "garden", ("garden",), ""
    yield "session start", ("session", "start", "--session", "s2", "--actor", "x"), ""
    yield "page", ("page", "--out", "../page"), ""
    yield "show", ("show", "by_hand_of_size"), ""
    yield "update", ("update", "by_hand_of_size", "--set", "x=1"), ""


def cost(name: str, text: str, arguments: tuple[str, ...], given: str, vault: Path, cap: int) -> Cost:
    """Run a command in a vault and measure it; one that takes longer than `cap` s of processor time is stopped."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (cap, cap))
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))

    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *map(str, MDMEM), *arguments],
        cwd=vault, input=given.encode("utf-8", "replace"), capture_output=True, preexec_fn=limited, check=False,
    )  # fmt: skip
    seconds, mb, code = map(float, done.stdout.rpartition(b"@@")[2].split())
    faults = {
        f"was stopped after {cap} s": int(code) & 0x7F,
        f"takes more than {MOST_SECONDS:.0f} s": seconds > MOST_SECONDS,
        f"takes more than {MOST_MB:.0f} MB": mb > MOST_MB,
        "ends unexpectedly": int(code) >> 8 == 70 or b"Traceback" in done.stderr,
    }
    return Cost(seconds, mb, name, text, ", ".join(fault for fault, holds in faults.items() if holds))


def measured(options: argparse.Namespace, work: Path) -> Iterator[Cost]:
    """The cost of each command for each text, each text in a vault of its own."""
    base, vault = work / "base", work / "vault"
    base.mkdir()
    for arguments in (("init", ".", "--no-examples"), ("remember", "A plain note about the boat.")):
        subprocess.run([*MDMEM, *arguments], cwd=base, check=True, capture_output=True)
    for name, make in TEXTS.items():
        if options.only and name not in options.only.split(","):
            continue
        text = make(options.kb * 1000)
        shutil.copytree(base, vault)
        for command, arguments, given in commands(text):
            if command == "rebuild":  # all that come after it read the text as a note written by hand
                (vault / _NOTE).write_bytes(text.encode("utf-8", "replace"))
            if not options.commands or command in options.commands.split(","):
                yield cost(command, name, arguments, given, vault, options.cap)
        shutil.rmtree(vault)
        shutil.rmtree(work / "page", ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kb", type=int, default=1000)
    parser.add_argument("--only", default="", help="texts, by name, with commas between them")
    parser.add_argument("--commands", default="", help="commands, by name, with commas between them")
    parser.add_argument("--slowest", type=int, default=40, help="how many rows to print at the end")
    parser.add_argument("--cap", type=int, default=60, help="seconds of processor time of a command")
    options = parser.parse_args()
    settle()
    rows = []
    with tempfile.TemporaryDirectory(prefix="mdmem-hostile-") as work:
        for row in measured(options, Path(work)):
            rows.append(row)
            if row.fault:
                print(f"{row.text}: {row.command} {row.fault} ({row.seconds:.1f} s, {row.mb:.0f} MB)", flush=True)
    print("\n| text | command | s | MB |\n|---|---|---:|---:|")
    for row in sorted(rows, reverse=True)[: options.slowest]:
        print(f"| {row.text} | {row.command} | {row.seconds:.1f} | {row.mb:.0f} |")
    sys.exit(1 if any(row.fault for row in rows) else 0)


if __name__ == "__main__":
    main()
