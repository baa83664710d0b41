"""What each page of `mdmem page` costs in a large vault: first, again, and after a memory was written.

    python tests/bench/page.py VAULT [--as-it-is] [--only NAME ...] [--commits 1000] [--rounds 3] [--json FILE]

VAULT is a folder of notes in git; it is copied first, and gets a topic with facts, works that led to each other,
and that many commits more, by eight sessions; one that has all this is measured `--as-it-is`, and gets a few
memories. Every page is asked of a server of its own. Review is asked again once the gardeners are done. Times are
those of the processor, in this process and in those of git, for requests over the loopback address; sizes are
those on the wire. Nothing is faster than `git status`, which each answer asks once: see how many times that it
is. MB is the most memory that this process had so far.
"""

from __future__ import annotations

import argparse
import http.client
import json
import resource
import shutil
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from mdmem.page.export import export
from mdmem.page.links import PLANNING
from mdmem.page.server import Listening
from mdmem.page.site import PAGES
from mdmem.store.progress import silent
from mdmem.store.vault.keeper import VaultKeeper
from mdmem.store.vault.vault import Vault
from tests.bench.costs import MDMEM, cpu, settle

LIMIT_MS, LIMIT_KB = 1000, 300
ROUNDS = 3  # answers again, and writes with an answer after each, of which the median counts
SESSIONS = 8
FACTS, WORKS = 300, 500
TOPIC = "ana"


class Served(NamedTuple):
    """A page: the milliseconds of its first answer, of one again, and of one after a write; its kilobytes."""

    first: float
    again: float
    after_write: float
    kilobytes: float
    peak: float  # megabytes that this process has had at most


def git(root: Path, *arguments: str, stdin: str = "") -> str:
    return subprocess.run(
        ["git", *arguments], cwd=root, check=True, capture_output=True, text=True, input=stdin
    ).stdout


def lengthen(root: Path, commits: int) -> None:
    """Add commits to the history of a vault: each changes one note, by one of eight sessions."""
    paths = git(root, "ls-files", "--", "*.md").splitlines()
    branch = git(root, "symbolic-ref", "HEAD").strip()
    since = int(git(root, "log", "-1", "--format=%ct"))
    lines = []
    for number in range(commits):
        path = paths[number * 7 % min(len(paths), 500)]
        text = f"{(root / path).read_text()}\nChanged for the time {number}.\n"
        message = f"revise: {Path(path).stem}\n\nMemory-Action: revise\nMemory-Session: s-{number % SESSIONS}\n"
        lines += [
            f"commit {branch}",
            f"committer Ada <ada@example.org> {since + 60 * number} +0000",
            f"data {len(message.encode())}\n{message}",
            *([f"from {branch}^0"] if number == 0 else []),
            f"M 100644 inline {json.dumps(path)}",
            f"data {len(text.encode())}\n{text}",
        ]
    git(root, "fast-import", "--quiet", stdin="\n".join(lines) + "\n")
    git(root, "reset", "--quiet", "--hard")


def enrich(root: Path) -> None:
    """Add facts and works to a vault."""
    folder = root / "allmemories"
    facts = "".join(f"- Ana · likes · thing {n} (preference, current, 0.9)\n" for n in range(FACTS))
    (folder / "facts_about_ana.md").write_text(
        f"---\ntitle: Facts about Ana\ntype: fact\ntopic: {TOPIC}\ncreated: 2026-02-10T00:00:00Z\n---\n\n"
        f"## Facts\n\n{facts}"
    )
    for n in range(WORKS):
        cause = f'caused_by: ["[[work_{n - 1}]]"]\n' if n % 10 else ""
        outcome = f"- success: {str(n % 3 > 0).lower()}\n- summary: It was tried for the time {n}"
        (folder / f"work_{n}.md").write_text(
            f"---\ntitle: Work {n}\ntype: work\n{cause}---\n\n## Intent\n\n- goal: Work {n}\n"
            "- task_type: bug_fix\n\n## Actions\n\n- type: file_edit\n  - details:\n"
            f"    - file_path: src/part_{n % 40}.ts\n\n"
            f"## Outcome\n\n{outcome}\n"
        )
    for setting, value in (("user.name", "Ada"), ("user.email", "ada@example.org")):
        git(root, "config", setting, value)  # so that what is written is the person's own
    git(root, "add", "-A")
    git(root, "commit", "--quiet", "-m", "facts, works")


def addresses(vault: Vault) -> Iterator[tuple[str, str]]:
    """(name, address) of every page; of a kind with many, the one that changed most."""
    busiest = git(Path(vault.root), "log", "-1", "--format=", "--name-only", "--", "*.md").strip()
    keys = {"session": "s-0", "topic": TOPIC, "trace": "work_5"}
    asked = {
        "search": "?q=team+meeting+decision+type:fact",
        "undo": "?session=s-0",
        "group": f"?by=topic&of={TOPIC}",
        "memories": f"?page={1 + vault.index.count() // 200}",
    }
    for page in PAGES:
        key = keys.get(page.name, busiest) if page.key else ""
        yield page.name, page.path.replace("{key:path}", key) + asked.get(page.name, "")


@contextmanager
def running(listening: Listening) -> Iterator[None]:
    thread = threading.Thread(target=listening.run)
    thread.start()
    try:
        yield
    finally:
        listening.stop()
        thread.join(20)


def asked(port: int, address: str, cookie: str = "") -> tuple[float, bytes, http.client.HTTPResponse]:
    """(milliseconds, body, answer) of a request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    start = cpu()
    connection.request("GET", address, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    body = answer.read()
    took = (cpu() - start) * 1000
    connection.close()
    return took, body, answer


def served(root: Path, address: str, rounds: int) -> Served:
    """The cost of a page of a server of its own. Raises ValueError for one that is not answered well."""
    listening = Listening(VaultKeeper(str(root)))
    with running(listening):
        opened = asked(listening.port, "/" + listening.address.split("/", 3)[3])[2]
        cookie = opened.headers["set-cookie"].partition(";")[0]
        first, body, answer = asked(listening.port, address, cookie)
        if answer.status != 200:
            raise ValueError(f"{address}: {answer.status} {body[:300].decode(errors='replace')}")
        while json.loads(asked(listening.port, PLANNING, cookie)[1])["planning"]:
            time.sleep(1)
        asked(listening.port, address, cookie)  # takes in what the gardeners found
        again, after = [], []
        for number in range(rounds):
            again.append(asked(listening.port, address, cookie)[0])
            said = f"The pump {time.time_ns()} of the garden was repaired by Ada for the time {number}"
            subprocess.run([*MDMEM, "remember", said], cwd=root, check=True, capture_output=True)
            after.append(asked(listening.port, address, cookie)[0])
            asked(listening.port, address, cookie)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Served(first, statistics.median(again), statistics.median(after), len(body) / 1000, peak)


def of_git(root: Path, rounds: int) -> float:
    """The milliseconds of `git status`, as a vault asks for it."""

    def cost() -> float:
        start = cpu()
        git(root, "status", "--porcelain", "-z")
        return (cpu() - start) * 1000

    return statistics.median(cost() for _ in range(rounds))


def pages(root: Path, only: Collection[str], rounds: int) -> Iterator[tuple[str, Served]]:
    """(name, cost) of each page, as soon as it is known."""
    with Vault.open(str(root)) as vault:
        wanted = list(addresses(vault))
    for name, address in wanted:
        if not only or name in only:
            yield name, served(root, address, rounds)


def exports(root: Path, out: Path) -> dict[str, float]:
    """Seconds of an export of everything, of one after nothing changed, and of one after a note did."""

    def seconds() -> float:
        start = time.perf_counter()
        with Vault.open(str(root)) as vault:
            done = export(vault, str(out), silent)
        print(f"  {done.files} files, {done.written} written, {done.removed} removed")
        return time.perf_counter() - start

    found = {}
    for name in ("export", "export again", "export after a commit"):
        if found and name.endswith("commit"):
            lengthen(root, 1)
        found[name] = seconds()
        print(f"{name:24} {found[name]:8.1f} s", flush=True)
    return found


def is_over(page: Served) -> bool:
    """Whether a page costs more than it may."""
    return max(page.first, page.again, page.after_write) > LIMIT_MS or page.kilobytes > LIMIT_KB


def reported(pages: Iterable[tuple[str, Served]], reference: float) -> dict[str, Served]:
    """Print what each page costs as soon as it is known; name -> cost of all."""
    print(f"CPU in ms; git status alone takes {reference:.0f}")
    print(f"{'page':10} {'first':>7} {'again':>7} {'written':>8} {'x git':>6} {'kB':>7} {'MB':>5}", flush=True)
    found = {}
    for name, page in pages:
        found[name] = page
        times = f"{page.first:7.0f} {page.again:7.0f} {page.after_write:8.0f} {page.after_write / reference:6.1f}"
        over = "  OVER" if is_over(page) else ""
        print(f"{name:10} {times} {page.kilobytes:7.1f} {page.peak:5.0f}{over}", flush=True)
    return found


def main() -> None:
    settle()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--as-it-is", action="store_true", help="write to this vault, not to a richer copy")
    parser.add_argument("--only", nargs="*", default=(), help="the names of the pages")
    parser.add_argument("--commits", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="answers of each kind after the first")
    parser.add_argument("--no-export", action="store_true", help="only what the server answers")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        root: Path = options.vault
        if not options.as_it_is:
            root = Path(shutil.copytree(options.vault, Path(work) / "vault"))
            (root / "mdmem.toml").touch()
            enrich(root)
            lengthen(root, options.commits)
        with Vault.open(str(root)) as vault:
            print(f"{vault.index.count()} memories, {len(vault.whole_index.told())} commits that tell of them")
        reference = of_git(root, options.rounds)
        found = reported(pages(root, options.only, options.rounds), reference)
        written = {} if options.no_export else exports(root, Path(work) / "pages")
    over = [name for name, page in found.items() if is_over(page)]
    print(f"over {LIMIT_MS} ms or {LIMIT_KB} kB: {', '.join(over) or 'none'}")
    if options.json:
        told = {"git_ms": reference, "pages": {name: page._asdict() for name, page in found.items()}, **written}
        options.json.write_text(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
