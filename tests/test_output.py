"""What is printed arrives, whatever the encoding of the other end."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from mdmem.errors import of_system

NAME = "東京支社の担当者は田中さん"


def run(root: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "mdmem", "--vault", str(root), *arguments],
        capture_output=True,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_no_command_fails_for_a_character_that_the_output_lacks(root: Path, encoding: str) -> None:
    """A `remember` that was committed and then failed was written twice by whoever tried again."""
    for arguments in (["remember", f"{NAME} wird gefragt."], ["session", "start"], ["recall", "gefragt"]):
        done = run(root, *arguments, PYTHONIOENCODING=encoding)
        assert done.returncode == 0, done.stderr
        assert done.stdout.decode(encoding)


def test_a_pipe_gets_utf_8_in_any_locale(root: Path, remember: Callable[..., str]) -> None:
    remember(f"{NAME} wird gefragt.")
    for locale in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
        done = run(root, "recall", "gefragt", "--json", **locale)
        assert NAME in json.dumps(json.loads(done.stdout.decode("utf-8")), ensure_ascii=False), done.stderr


def test_an_argument_is_taken_as_utf_8_in_any_locale(root: Path) -> None:
    locale = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = run(root, "remember", "Grüße gehen an Zoë.", "--name", "grüße_an_zoë", **locale)
    assert done.returncode == 0, done.stderr
    assert "Grüße gehen an Zoë." in (root / "allmemories/grüße_an_zoë.md").read_text("utf-8")


@pytest.mark.skipif(os.name != "posix", reason="only there does a process inherit what is ignored")
def test_how_git_ended_is_known_where_the_end_of_processes_is_ignored(root: Path) -> None:
    """A program that ignores SIGCHLD has those that it starts ignore it: the system then forgets exit codes."""
    command = [sys.executable, "-m", "mdmem", "--vault", str(root), "status"]
    done = subprocess.run(
        command, capture_output=True, preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    )
    assert done.returncode == 0, done.stderr


def test_what_the_system_refuses_is_told_with_what_helps() -> None:
    for refused, helps in (
        (errno.EROFS, "writing"),
        (errno.EACCES, "permissions"),
        (errno.ENOSPC, "room"),
        (errno.EIO, "fix that"),
    ):
        told = of_system(OSError(refused, os.strerror(refused), "/vault/file"))
        assert helps in told.hint
        assert told.message == f"/vault/file: {os.strerror(refused)}"


@pytest.mark.skipif(os.name != "posix", reason="pty")
def test_a_dumb_terminal_gets_no_colours(root: Path) -> None:
    run(root, "remember", "Green tea is good.")
    for term, coloured in (("xterm", True), ("dumb", False)):
        ours, theirs = os.openpty()
        environ = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"TERM": term}
        command = [sys.executable, "-m", "mdmem", "--vault", str(root), "recall", "tea"]
        subprocess.run(command, stdin=theirs, stdout=theirs, env=environ, check=True)
        os.close(theirs)
        assert (b"\x1b[" in os.read(ours, 10_000)) == coloured
        os.close(ours)


def test_an_option_without_its_value_is_told_with_the_help_of_its_command(root: Path) -> None:
    assert b"mdmem undo --help" in run(root, "undo", "--last").stderr
