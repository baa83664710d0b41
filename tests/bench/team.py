"""How long a team's index takes: the first fill, the publication of one commit, and its size on the disk.

    python -m tests.bench.team VAULT

VAULT is a vault in a git repository, such as a generated one; it gets an id if it has none, and three commits. The
server is one of this machine that is started for it (`make postgres`). Each figure stands beside that of the local
index now.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mdmem.store.progress import silent
from mdmem.store.vault.vault import Vault
from mdmem.team import roles
from mdmem.team.publish import PublishRequest, publish
from mdmem.team.server import DSN, Server
from tests.team.conftest import programs, running

COMMITS = 3


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds, result); it prints what this process computed, too, as others may work on the machine."""
    start, used = time.perf_counter(), time.process_time()
    result = action()
    print(f"    {time.process_time() - used:.2f} s of this process", flush=True)
    return time.perf_counter() - start, result


def sent(root: Path, server: Server, **asked: Any) -> tuple[float, Any]:
    """Publish as a command would, with a vault just opened; (seconds, what was done)."""

    def run() -> Any:
        with Vault.open(str(root)) as vault:
            return publish(vault, server, PublishRequest(**asked), silent)

    return timed(run)


def rebuilt(root: Path) -> float:
    """Seconds to build the local index."""
    with Vault.open(str(root)) as vault:
        return timed(lambda: vault.rebuild(silent))[0]


def committed(root: Path, number: int) -> None:
    """One more note in a commit."""
    text = f"---\ntitle: Number {number} of the bench\n---\n\nA note for the bench.\n"
    (root / "allmemories" / f"bench_note_number_{number}_{os.getpid()}.md").write_text(text)
    for args in (["add", "-A"], ["commit", "--quiet", "-m", f"bench {number}"]):
        subprocess.run(["git", *args], cwd=root, check=True)


def identify(root: Path) -> None:
    """Only a vault with an id is published."""
    settings = root / "mdmem.toml"
    if not settings.exists():
        settings.write_text('id = "bench"\n')
        subprocess.run(["git", "add", "mdmem.toml"], cwd=root, check=True)
        subprocess.run(["git", "commit", "--quiet", "-m", "an id"], cwd=root, check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    root = parser.parse_args().vault
    identify(root)
    local = rebuilt(root)
    local_size = (root / ".mdmem/index.sqlite").stat().st_size
    print(f"local index: built in {local:.1f} s, {local_size / 1e6:.0f} MB", flush=True)
    with running(programs()) as cluster:
        os.environ[DSN] = cluster.dsn("postgres")
        with Server.open() as server:
            roles.run(server, roles.initial(server))
            seconds, done = sent(root, server)
            print(f"first fill: {done.written} rows in {seconds:.1f} s, {seconds / local:.1f} x the local index")
            size = roles.status(server).vaults[0].size
            print(f"size: {size / 1e6:.0f} MB, {size / local_size:.1f} x the local index", flush=True)
            for number in range(COMMITS):
                committed(root, number)
                with Vault.open(str(root)) as vault:
                    freshened = timed(lambda vault=vault: vault.index)[0]
                seconds, done = sent(root, server)
                print(f"one commit: {done.how}, {seconds * 1e3:.0f} ms; the local index {freshened * 1e3:.0f} ms")
            seconds, _ = sent(root, server)
            print(f"nothing new: {seconds * 1e3:.0f} ms", flush=True)


if __name__ == "__main__":
    main()
