"""Several clones of one hub that write and sync at once, and are killed: nothing lost, all equal, all readable."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.forked import Kill, World, environment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="forks a process for each command")


def test_a_command_may_be_killed_as_soon_as_it_has_begun(tmp_path: Path) -> None:
    """The benchmark stopped with ProcessLookupError: the command had no process group yet."""
    world = World(tmp_path, environment(tmp_path))
    codes = {world.mdmem(".", "--version", kill=Kill(seconds=1e-9)).code for _ in range(20)}
    assert codes <= {-9, 0}


@pytest.mark.slow
@pytest.mark.timeout(600)  # seconds; many processes share what cores there are
def test_what_many_clones_acknowledged_is_in_the_hub() -> None:
    """The benchmark in small: its exit code says whether all of that holds."""
    line = [sys.executable, "-m", "tests.bench.soak", "--storms", "1", "--clones", "3", "--writes", "4"]
    done = subprocess.run(line, cwd=Path(__file__).parents[3], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "with faults: 0" in done.stdout
