"""How long records take: an export, a list, a check, a look at one. `tests.bench.imports` measures their import.

    python -m tests.bench.records [COUNT]

Times are of the processor, and ratios to `git add` and `git commit` of the same files in the same run.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tests.bench.imports import MDMEM, cpu, emptied, of_git, saved
from tests.systems.membrane.made import made


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    for role in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{role}_NAME": "bench", f"GIT_{role}_EMAIL": "bench@example.org"}
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as name:
        vault, given = emptied(Path(name) / "vault"), saved(Path(name) / "records.json", made(count))
        cpu(MDMEM, "import", "membrane", str(given), cwd=vault)
        floor = of_git(vault / "allmemories", Path(name) / "plain")
        first = min((vault / "allmemories").iterdir()).stem
        print(f"{count} records; git add and commit: {floor:.2f} s = 1")
        for line in (
            "export membrane ../out.json",
            "list --as record --min-salience 0.5",
            "doctor --as record",
            f"show --as record {first}",
        ):
            taken = cpu(MDMEM, *line.split(), cwd=vault)
            print(f"{line[:30]:30} {taken / floor:6.2f}  ({taken:.2f} s)")


if __name__ == "__main__":
    main()
