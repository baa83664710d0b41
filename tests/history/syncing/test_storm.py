"""Several clones of one hub that write and sync at once, and are killed: nothing lost, all equal, all readable."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.timeout(600)  # seconds; many processes share what cores there are
def test_what_many_clones_acknowledged_is_in_the_hub() -> None:
    """The benchmark in small: its exit code says whether all of that holds."""
    line = [sys.executable, "-m", "tests.bench.storm", "--clones", "3", "--writes", "6", "--seconds", "300"]
    done = subprocess.run(line, cwd=Path(__file__).parents[3], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"acknowledged": 18' in done.stdout
