"""What a command takes that no clock is needed for: the modules it loads, the processes it starts.

The numbers are those of today and may only fall. Who adds to one had better load it where it is used.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import ForwardRef, NamedTuple

import pytest

from mdmem.acts.signature import Parameter
from mdmem.errors import Problem
from mdmem.store.config import VaultConfig
from mdmem.store.index.port import IndexedNote, NoteText, SourceRow
from mdmem.store.operation import Operation
from mdmem.store.vault.vault import Vault

_NOTE = "---\nid: 019ca945-0a00-74e5-8011-50fc113efea2\ntitle: The boat\n---\nIt is blue.\n"
Git = Callable[..., str]

# What takes 2 ms and more to load, and is not needed to find or save a plain note.
NEVER = {"shutil", "tempfile", "git", "detect_secrets", "frontmatter"}
OF_CLICK = {"click", "inspect", "uuid", "importlib", "copy", "shutil", "platform"}
NEVER |= OF_CLICK
NEVER |= {"subprocess", "importlib", "copy"}

_WATCHED = """
import sys
started = []
starts = {"subprocess.Popen", "os.posix_spawn"}
sys.addaudithook(lambda event, args: event in starts and started.append(list(args[1])))
from mdmem.__main__ import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(repr([code, started, list(sys.modules)]), file=sys.stderr)
"""


class Footprint(NamedTuple):
    """The git commands that a command started, by their names, and the modules that were loaded at its end."""

    git: list[str]
    own: set[str]
    others: set[str]


def footprint(root: Path, *arguments: str) -> Footprint:
    """Run a command in a process of its own."""
    line = [sys.executable, "-c", _WATCHED, *arguments]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=True)
    code, started, modules = ast.literal_eval(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    own = {name for name in modules if name.split(".")[0] == "mdmem"}
    return Footprint([_git_command(command) for command in started], own, set(modules) - own)


def _git_command(command: list[str]) -> str:
    """The name of a git command, which stands behind its settings: `git -C FOLDER -c KEY=VALUE status`."""
    words = iter(command[1:])
    for word in words:
        if word not in ("-c", "-C"):
            return word
        next(words)
    raise AssertionError(command)


@pytest.fixture
def vault(root: Path, git: Git) -> Path:
    """A vault with an index that asked for hooks, and one memory."""
    git(root, "config", "mdmem.vault", ".")
    git(root, "config", "mdmem.people", "ada@example.org")
    (root / "allmemories/first_note_about_the_boat.md").write_text(_NOTE)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "a note")
    with Vault(str(root)) as found:
        assert found.index.count() == 1
    return root


def test_help_loads_the_table_of_commands_and_no_vault(tmp_path: Path) -> None:
    taken = footprint(tmp_path, "--help")
    assert not {
        name
        for name in taken.own
        if name.startswith("mdmem.store.") and name.split(".")[2] in ("vault", "index", "git")
    }
    assert taken.git == []


@pytest.mark.parametrize(
    ("arguments", "git_commands", "own", "others"),
    [
        (("recall", "boat"), ["status", "config"], 95, 118),
        (
            ("remember", "Harbour office opens at nine on Mondays.", "--twins", "ignore"),
            ["status", "config", "update-index", "write-tree", "commit-tree", "update-ref"],
            105,
            121,
        ),
        (("hook-impl", "pre-commit"), ["config", "diff-index", "cat-file"], 58, 104),
        (("hook-impl", "post-commit"), ["config", "log"], 64, 109),
    ],
    ids=["recall", "remember", "pre-commit", "post-commit"],
)
def test_what_a_command_takes(
    vault: Path, git: Git, arguments: tuple[str, ...], git_commands: list[str], own: int, others: int
) -> None:
    """The git commands in their order, and at most so many modules of mdmem's own and of others."""
    if arguments[0] == "hook-impl":
        (vault / "allmemories/first_note_about_the_boat.md").write_text(_NOTE.replace("blue", "red"))
        git(vault, "add", "-u")
    if arguments[1] == "post-commit":
        git(vault, "-c", f"core.hooksPath={os.devnull}", "commit", "-qm", "by hand")
    taken = footprint(vault, *arguments)
    assert taken.git == git_commands
    assert len(taken.own) <= own, sorted(taken.own)
    assert len(taken.others) <= others, sorted(taken.others)
    by_click = OF_CLICK if arguments[0] in ("recall", "remember") else set()
    assert {name.split(".")[0] for name in taken.others} & NEVER <= by_click


def test_a_memory_that_is_compared_with_its_neighbours_loads_no_yaml(vault: Path) -> None:
    """Their properties stand in the index. Loading the reader of YAML takes a seventh of the whole command."""
    told = "The boat of Hildegard is moored in Lisbon"
    subprocess.run([sys.executable, "-m", "mdmem", "remember", f"{told} in summer."], cwd=vault, check=True)
    taken = footprint(vault, "remember", f"{told} in winter.")
    assert "mdmem.garden.pairs.judge" in taken.own  # they were compared
    assert "yaml" not in taken.others


def test_what_every_command_loads_compiles_no_annotations() -> None:
    """typing compiles each annotation of a named tuple that is a text, as `from __future__` makes it."""
    for fields in (VaultConfig, SourceRow, IndexedNote, NoteText, Problem, Operation, Parameter):
        assert not [hint for hint in fields.__annotations__.values() if isinstance(hint, ForwardRef)]


def test_the_hook_after_a_commit_does_not_ask_git_what_the_one_before_saw(vault: Path, git: Git) -> None:
    (vault / "allmemories/first_note_about_the_boat.md").write_text(_NOTE.replace("blue", "red"))
    git(vault, "add", "-u")
    git(vault, "write-tree")  # as `git commit` does before its hooks run
    footprint(vault, "hook-impl", "pre-commit")
    git(vault, "-c", f"core.hooksPath={os.devnull}", "commit", "-qm", "by hand")
    assert footprint(vault, "hook-impl", "post-commit").git == ["config"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no full device")
def test_help_that_cannot_be_printed_is_an_error() -> None:
    """As with every other command."""
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with open("/dev/full", "w") as full:
        line = [sys.executable, "-m", "mdmem", "--help"]
        done = subprocess.run(line, stdout=full, stderr=subprocess.PIPE, text=True, env=buffered)
    assert done.returncode == 1
    assert "No space left" in done.stderr
    assert "make room on that disk" in done.stderr
    assert "Traceback" not in done.stderr
