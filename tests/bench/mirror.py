"""How fast the JSON mirror is, as ratios to writing the same bytes with plain Python in the same run.

    python tests/bench/mirror.py VAULT [--json FILE]

VAULT is a folder of notes in git; it is copied first. Trust the ratios, not the milliseconds.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mdmem.systems.rlm.mirror import FOLDERS

MDMEM = str(Path(sys.executable).with_name("mdmem"))


def timed(action: Callable[[], object], before: Callable[[], object] = lambda: None, runs: int = 5) -> float:
    """The median milliseconds that an action takes; `before` runs unmeasured ahead of each."""
    times = []
    for _ in range(runs):
        before()
        start = time.perf_counter()
        action()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


class Mirrored:
    """A copy of a vault, and its mirror."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.notes = sorted((folder / "allmemories").glob("*.md"))
        self.edits = 0

    def mirror(self) -> None:
        subprocess.run([MDMEM, "mirror"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def forget(self) -> None:
        for name in FOLDERS:
            shutil.rmtree(self.folder / name, ignore_errors=True)
        (self.folder / ".mdmem/mirror.sqlite").unlink(missing_ok=True)

    def files(self) -> dict[str, bytes]:
        places = [place for name in FOLDERS for place in (self.folder / name).rglob("*.json")]
        return {place.relative_to(self.folder).as_posix(): place.read_bytes() for place in places}

    def edit(self, old: str = "", new: str = "") -> None:
        """Change the text of the next note, or something in its header."""
        self.edits += 1
        place = self.notes[self.edits * 7 % len(self.notes)]
        text = place.read_text("utf-8")
        place.write_text(text.replace(old, new + str(self.edits) + ", ", 1) if old else text + "More.\n", "utf-8")


def write(files: dict[str, bytes], folder: Path) -> None:
    for path, data in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def measure(vault: Path, work: Path) -> dict[str, float]:
    """Milliseconds of each figure, of whole processes."""
    shutil.copytree(vault, work / "vault")
    ours = Mirrored(work / "vault")
    ours.folder.joinpath("mdmem.toml").touch()
    subprocess.run([MDMEM, "rebuild"], cwd=ours.folder, check=True, stdout=subprocess.DEVNULL)
    full = timed(ours.mirror, ours.forget, runs=3)
    files, plain = ours.files(), work / "plain"
    written = timed(lambda: write(files, plain), lambda: shutil.rmtree(plain, ignore_errors=True), runs=3)
    indexes = {path: data for path, data in files.items() if path.startswith("index/")}
    return {
        "full": full,
        "the same bytes by plain Python": written,
        "nothing changed": timed(ours.mirror),
        "one text changed": timed(ours.mirror, ours.edit),
        "one tag changed": timed(ours.mirror, lambda: ours.edit("tags: [", "tags: [new")),
        "the indexes by plain Python": timed(lambda: write(indexes, plain)),
        "python -c pass": timed(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True)),
    }


def main() -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # commands are measured as they are installed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    options = parser.parse_args()
    os.environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    with tempfile.TemporaryDirectory(prefix="mdmem-bench-") as work:
        found = measure(options.vault.resolve(), Path(work))
    bare = found["the same bytes by plain Python"]
    for what, took in found.items():
        print(f"{what:32} {took:9.1f} ms  {took / bare:6.3f}x of the same bytes by plain Python")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
