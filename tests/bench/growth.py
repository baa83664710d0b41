"""How cost grows with the number of memories: the plot in the guide of limits.

    python -m tests.bench.growth [--sizes 1000,10000,100000,300000] [--write] [--shared ../shared] [--vaults DIR]

Counts processor time, of all processes that a command starts, in vaults that perf/gen_vault.py of the shared
folder makes: a quarter of an hour for the largest. With `--vaults` they are kept in DIR, and used where they are
there already. With `--write` the plot replaces the one in the guide.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from mdmem.recall import order
from mdmem.recall.gather import RecallContext
from mdmem.store.vault.vault import Vault
from tests.bench.costs import MDMEM, QUERIES, WORDS, Bench, cpu, generated, settle

GUIDE = Path(__file__).parents[2] / "mdmem" / "guides" / "limits.md"
_PLOT = re.compile(r"(?<=<!-- growth -->\n).*?(?=<!-- /growth -->)", re.S)
_WIDTH = 40  # characters of the longest bar


class Growth(NamedTuple):
    """What a vault of `notes` memories costs, in milliseconds of processor time."""

    notes: int
    build: float
    cold: float
    warm: float
    remember: float
    commit: float


CURVES = {
    "build": "the index built again",
    "cold": "`mdmem recall` of three words",
    "warm": "a further question in one process (median)",
    "remember": "`mdmem remember`",
    "commit": "`git add` and `git commit` of one note, for comparison",
}


def measured(size: int, shared: Path, work: Path) -> Growth:
    """What a vault of that size costs."""
    bench, vault = Bench(cpu), work / f"vault-{size}"
    if not vault.is_dir():
        generated(size, vault, shared)
    bench.run([*MDMEM, "init", "."], vault)
    build = bench.run([*MDMEM, "rebuild"], vault)
    cold = bench.timed([*MDMEM, "recall", *WORDS], vault, 5)
    remember = [*MDMEM, "remember", "A new memory about the server and the meeting.", "--twins", "ignore"]
    written = bench.timed(remember, vault, 5)

    def new() -> None:
        (vault / "allmemories" / "a_note_to_be_committed.md").write_text(f"{cpu()}\n")

    add_commit = ["sh", "-c", "git add allmemories/a_note_to_be_committed.md && git commit -qm x"]
    committed = bench.timed(add_commit, vault, 5, before=new)
    context = RecallContext(datetime.now(UTC))
    with Vault.open(str(vault)) as opened:
        index = opened.whole_index
        warm = bench.asked(lambda question: order.recall(index, (question,), context), QUERIES)
    return Growth(size, build, cold, warm[len(warm) // 2], written, committed)


def plot(rows: Sequence[Growth]) -> str:
    """The curves as bars, each on a logarithmic scale from 1 ms."""
    longest = max(max(row[1:]) for row in rows)
    parts = []
    for name, what in CURVES.items():
        parts.append(f"{what.replace('`', '')}\n")
        for row in rows:
            value = getattr(row, name)
            length = round(_WIDTH * math.log(max(value, 1.0)) / math.log(longest))
            parts.append(f"  {row.notes:>7,} notes  {_shown(value):>8}  {'█' * max(length, 1)}\n")
    return "```text\n" + "".join(parts) + "```\n"


def _shown(ms: float) -> str:
    return f"{ms / 1000:.1f} s" if ms >= 1000 else f"{ms:.0f} ms"


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", default="1000,10000,100000,300000")
    parser.add_argument("--shared", default="../shared", type=Path)
    parser.add_argument("--write", action="store_true", help="put the plot into the guide")
    parser.add_argument("--vaults", type=Path, help="keep the generated vaults here, and use those that are here")
    options = parser.parse_args()
    settle()
    rows = []
    with tempfile.TemporaryDirectory(prefix="mdmem-growth-") as work:
        for size in map(int, options.sizes.split(",")):
            rows.append(measured(size, options.shared.resolve(), options.vaults or Path(work)))
            print(rows[-1], flush=True)
    print(plot(rows))
    if options.write:
        GUIDE.write_text(_PLOT.sub(lambda _: plot(rows), GUIDE.read_text()))


if __name__ == "__main__":
    main()
