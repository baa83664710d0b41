"""What `mdmem mcp` costs, in ratio to what the same run measures of a cold `mdmem recall` and of the bare query.

    python tests/bench/mcp.py [--sizes 1000,10000] [--shared ../shared] [--runs 9]

Start: CPU time and most memory of a server that is greeted, lists its tools and ends. Warm recall: from request to
answer through the server, against the same call within a process (the desk), the question to a vault that looks at
its files again, and the bare query without that look. Figures are medians; trust the ratios, not the milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from mdmem.acts.serving import Client
from mdmem.mcp import toolbox
from mdmem.mcp.desk import Desk
from mdmem.recall import ask, order
from mdmem.recall.gather import RecallContext
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.bench.costs import MDMEM, QUERIES, generated

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "0"},
}


class Server:
    """A server in a process of its own, asked line by line."""

    def __init__(self, folder: Path) -> None:
        self.process = subprocess.Popen(
            [*MDMEM, "mcp", "--vault", str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.number = 0
        self.ask("initialize", HELLO)
        self.send({"method": "notifications/initialized"})

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        assert self.process.stdout
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer["result"]

    def recall(self, query: str) -> None:
        self.ask("tools/call", {"name": "recall", "arguments": {"query": query}})

    def cpu(self) -> float:
        """The CPU time in ms that it has taken until now, with its git."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) * 1000 / os.sysconf("SC_CLK_TCK")

    def end(self) -> tuple[float, float]:
        """(CPU in ms, most memory in MB) of the process."""
        assert self.process.stdin
        self.process.stdin.close()
        return used(self.process)


def used(process: subprocess.Popen[bytes]) -> tuple[float, float]:
    """(CPU in ms, most memory in MB) of a process and those it waited for, once it has ended."""
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024


def started(folder: Path) -> tuple[float, float, float]:
    """(ms until the list of tools is there, CPU in ms, MB) of a server."""
    begin = time.perf_counter()
    server = Server(folder)
    server.ask("tools/list", {})
    took = (time.perf_counter() - begin) * 1000
    return took, *server.end()


def cold(folder: Path) -> tuple[float, float, float]:
    """(ms, CPU in ms, MB) of one `mdmem recall`."""
    begin = time.perf_counter()
    process = subprocess.Popen([*MDMEM, "recall", QUERIES[0], "--vault", str(folder)], stdout=subprocess.DEVNULL)
    cpu, memory = used(process)
    return (time.perf_counter() - begin) * 1000, cpu, memory


def medians(measure: Callable[[Path], tuple[float, ...]], folder: Path, runs: int) -> list[float]:
    return [statistics.median(column) for column in zip(*(measure(folder) for _ in range(runs)), strict=True)]


def own() -> float:
    """The CPU time in ms of this process, and of those of git that it has waited for."""
    times = os.times()
    return (times.user + times.system + times.children_user + times.children_system) * 1000


def timed(recall: Callable[[str], object], runs: int, clock: Callable[[], float] = own) -> tuple[float, float]:
    """(ms, CPU in ms) of a recall that has been done before: the median, and the mean of what the clock counts."""
    for query in QUERIES:
        recall(query)
    times, before = [], clock()
    for query in QUERIES * runs:
        begin = time.perf_counter()
        recall(query)
        times.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times), (clock() - before) / len(times)


def warm(folder: Path, runs: int) -> Iterator[tuple[str, tuple[float, float]]]:
    """(how, ms and CPU) of a warm recall, from the bare query outwards."""
    now = datetime.now(UTC)
    with Vault.open(str(folder), environ={"MDMEM_ACTOR": "bench"}) as vault:
        yield "the bare query", timed(lambda query: order.recall(vault.index, (query,), RecallContext(now)), runs)

        def fresh(query: str) -> None:
            vault.look_again()
            ask.ask(vault, ask.Query((query,), depth=ask.PASSAGE), now)

        yield "asked of a vault that looks again", timed(fresh, runs)
    keeper = VaultKeeper(str(folder))
    desk = Desk(keeper, *toolbox.chosen())
    yield "by the desk", timed(lambda query: desk.call("recall", {"query": query}, Client("bench")), runs)
    keeper.close()
    server = Server(folder)
    yield "by the server", timed(server.recall, runs, server.cpu)
    server.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--runs", type=int, default=9)
    args = parser.parse_args()
    for size in map(int, args.sizes.split(",")):
        with tempfile.TemporaryDirectory() as work:
            folder = generated(size, Path(work) / "vault", args.shared)
            cold(folder)  # it builds the index
            once = medians(cold, folder, args.runs)
            start = medians(started, folder, args.runs)
            print(f"{size} notes           ms until done   CPU ms     MB")
            print(f"cold mdmem recall  {once[0]:13.0f} {once[1]:8.0f} {once[2]:6.0f}")
            ratios = " ".join(f"{ours / other:.1f}x" for ours, other in zip(start, once, strict=True))
            print(f"start of mdmem mcp {start[0]:13.0f} {start[1]:8.0f} {start[2]:6.0f}   {ratios}")
            first = 0.0
            for how, (took, cpu) in warm(folder, args.runs):
                first = first or cpu
                ratios = f"{cpu / first:.1f}x the bare query, {cpu / once[1]:.2f}x cold"
                print(f"warm recall {how}: {took:.1f} ms, CPU {cpu:.1f} ms, {ratios}")


if __name__ == "__main__":
    main()
