"""What the hooks of agents cost: CPU of each event in ratio to a cold `mdmem recall` measured in the same run.

    python tests/bench/hooks_agents.py [--sizes 1000,10000] [--runs 9] [--shared ../shared]

Machines are noisy: trust the ratios, not the milliseconds. Each figure is the median over whole processes, their
helpers (git) included; the commands take turns. The vaults come from perf/ of the shared folder.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.bench.costs import MDMEM, cpu, generated

LINES = 400  # of the transcript of a session that ends


class Taken(NamedTuple):
    """Milliseconds of one process."""

    cpu: float
    wall: float


def run(arguments: list[str], cwd: Path, stdin: str = "") -> Taken:
    """What a command takes, with the processes that it starts."""
    used, start = cpu(), time.perf_counter()
    subprocess.run([*MDMEM, *arguments], cwd=cwd, input=stdin.encode(), check=True, stdout=subprocess.DEVNULL)
    return Taken((cpu() - used) * 1000, (time.perf_counter() - start) * 1000)


def transcript(folder: Path, number: int) -> Path:
    """A session of LINES turns, of which some are worth a memory; another one for each number."""
    path = folder / f"session-{number}.jsonl"
    with path.open("w") as file:
        for at in range(LINES):
            said = (
                f"Remember that rack {number}-{at} is blue." if at % 100 == 0 else f"Look at line {at} of the log."
            )
            role = "assistant" if at % 2 else "user"
            line = {"type": role, "sessionId": f"end-{number}", "cwd": "/projects/shop", "uuid": str(at)}
            file.write(json.dumps({**line, "message": {"role": role, "content": said}}) + "\n")
    return path


def events(folder: Path, title: str) -> dict[str, Callable[[int], tuple[str, dict[str, object]]]]:
    """What is measured: name -> for a turn, the event and what the client gives."""
    return {
        "SessionStart": lambda turn: ("SessionStart", {"session_id": f"start-{turn}", "source": "startup"}),
        "SessionStart, resumed": lambda turn: (
            *("SessionStart", {"session_id": "start-0", "source": "resume", "turn": turn}),
        ),
        "UserPromptSubmit, touches": lambda turn: (
            *("UserPromptSubmit", {"session_id": f"prompt-{turn}", "prompt": f"What about {title}?"}),
        ),
        "UserPromptSubmit, touches nothing": lambda turn: (
            *("UserPromptSubmit", {"session_id": "s", "prompt": f"fix the failing parser test in line {turn}"}),
        ),
        "PreToolUse, an edit": lambda turn: (
            *("PreToolUse", {"tool_name": "Edit", "tool_input": {"file_path": f"src/{turn}.py"}}),
        ),
        f"SessionEnd, {LINES} turns": lambda turn: (
            *("SessionEnd", {"session_id": f"end-{turn}", "transcript_path": str(transcript(folder, turn))}),
        ),
        "Stop": lambda turn: ("Stop", {"session_id": "s", "turn": turn}),
    }


def figures(vault: Path, folder: Path, size: int, runs: int) -> Iterator[str]:
    """A line for each event, with its ratio to a cold recall."""
    note = sorted((vault / "allmemories").glob("*.md"))[size // 2]
    measured = events(folder, note.stem.replace("_", " "))
    taken: dict[str, list[Taken]] = {name: [] for name in ("recall", *measured)}
    for turn in range(runs + 1):
        found = {"recall": run(["recall", "meeting", "decision", "server"], vault)}
        for name, event in measured.items():
            kind, given = event(turn)
            found[name] = run(["hook", kind, "--client", "claude-code"], vault, json.dumps(given))
        if turn:  # the first turn builds the index and warms the caches
            for name, took in found.items():
                taken[name].append(took)
    middle = {name: Taken(*map(statistics.median, zip(*each, strict=True))) for name, each in taken.items()}
    cold = middle["recall"]
    for name, took in middle.items():
        ratio, more = took.cpu / cold.cpu, took.wall - cold.wall
        yield f"{size:>6}  {name:<34} {took.cpu:7.0f} ms CPU  {ratio:5.2f}x a cold recall  {more:+6.0f} ms of time"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    options = parser.parse_args()
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory() as place:
            vault = generated(size, Path(place) / "vault", options.shared)
            for line in figures(vault, Path(place), size, options.runs):
                print(line, flush=True)


if __name__ == "__main__":
    main()
