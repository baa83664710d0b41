"""How long records take: an import of many, an export, a list, a look at one; and the memory of the import.

    python -m tests.bench.records [COUNT]

Times are of the processor, and ratios to `git add` and `git commit` of the same files in the same run.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.systems.membrane.made import made

WHO = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b.c",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b.c",
}


def seconds(*line: object, cwd: Path) -> float:
    """The processor time that a command and its helpers take: what else runs on the machine does not count."""
    began = _processor_time()
    subprocess.run(list(map(str, line)), cwd=cwd, check=True, capture_output=True, env={**os.environ, **WHO})
    return _processor_time() - began


def _processor_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peak(count: int, folder: Path) -> float:
    """The most memory (MB) that an import of so many took, in a process of its own."""
    code = (
        "import resource, sys; from mdmem.__main__ import main; main(sys.argv[1:]);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    vault = prepared(count, folder)
    line = [sys.executable, "-c", code, "import", "membrane", f"../{count}.json", "--vault", str(vault)]
    done = subprocess.run(line, cwd=vault, check=True, capture_output=True, text=True, env={**os.environ, **WHO})
    return int(done.stderr.split()[-1]) / 1024


def prepared(count: int, folder: Path) -> Path:
    """An empty vault beside a file of so many records."""
    vault = folder / f"v{count}"
    (folder / f"{count}.json").write_text(json.dumps(made(count)))
    mdmem(folder, "init", vault, "--no-examples", "--no-hooks")
    return vault


def mdmem(cwd: Path, *arguments: object) -> float:
    return seconds(sys.executable, "-m", "mdmem", *arguments, cwd=cwd)


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 5_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        vault = prepared(count, folder)
        taken = {"import": mdmem(vault, "import", "membrane", f"../{count}.json")}
        plain = folder / "plain"
        shutil.copytree(vault / "allmemories", plain / "allmemories")
        seconds("git", "init", "-q", cwd=plain)
        floor = seconds("git", "add", ".", cwd=plain) + seconds("git", "commit", "-qm", "all", cwd=plain)
        taken["export"] = mdmem(vault, "export", "membrane", "-o", "../out.json")
        taken["list"] = mdmem(vault, "list", "--as", "record", "--min-salience", "0.5")
        taken["check"] = mdmem(vault, "doctor", "--as", "record")
        first = min((vault / "allmemories").iterdir()).stem
        taken["show"] = mdmem(vault, "show", "--as", "record", first)
        print(f"{count} records; git add and commit: {floor:.2f} s = 1")
        for what, time_taken in taken.items():
            print(f"{what:7} {time_taken / floor:6.2f}  ({time_taken:.2f} s)")
        for size in (count // 5, count):
            print(f"peak of an import of {size}: {peak(size, Path(tempfile.mkdtemp(dir=folder))):.0f} MB")


if __name__ == "__main__":
    main()
