"""`python -m tests.connect.programs` links clients that came by pip beside Python, where the tests find them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

PACKAGES = ("claude-agent-sdk", "openai-codex-cli-bin")
PROGRAMS = ("claude", "codex")


def programs() -> Iterator[Path]:
    """The programs that the packages bring along."""
    for package in PACKAGES:
        try:
            paths = [Path(str(path.locate())) for path in files(package) or ()]
        except PackageNotFoundError:
            continue
        yield from (
            path for path in paths if path.name in PROGRAMS and os.access(path, os.X_OK) and path.is_file()
        )


def main() -> None:
    for path in programs():
        link = Path(sys.executable).with_name(path.name)
        link.unlink(missing_ok=True)
        link.symlink_to(path)
        print(f"{link} -> {path}")


if __name__ == "__main__":
    main()
