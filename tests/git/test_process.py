"""Processes that are started without subprocess: none waits for a pipe that nobody reads."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mdmem.git.process import MOST_INPUT, GitProcess, start

_MUCH = 300_000  # bytes, more than a pipe holds


def test_much_on_both_channels_is_read_to_the_end() -> None:
    script = f"yes out | head -c {_MUCH}; yes err | head -c {_MUCH} >&2; exit 3"
    process = GitProcess(["sh", "-c", script], os.environ)
    out, err = process.communicate()
    assert (len(out), len(err), process.returncode) == (_MUCH, _MUCH, 3)
    assert out.startswith(b"out\n")
    assert err.startswith(b"err\n")


def test_what_is_given_arrives_and_may_be_left_unread() -> None:
    data = b"x" * MOST_INPUT
    assert GitProcess(["cat"], os.environ).communicate(data) == (data, b"")
    unread = GitProcess(["sh", "-c", "exit 1"], os.environ)
    assert unread.communicate(data) == (b"", b"")
    assert unread.returncode == 1


def test_more_than_a_pipe_holds_is_given_by_subprocess() -> None:
    data = b"x" * _MUCH
    process = start(["cat"], os.environ, data)
    assert isinstance(process, subprocess.Popen)
    assert process.communicate(data) == (data, b"")


def test_a_process_that_is_killed_tells_the_signal() -> None:
    process = GitProcess(["sleep", "60"], os.environ)
    process.kill()
    process.communicate()
    assert process.returncode == -9


def test_a_command_that_is_not_there_leaves_no_pipe_open() -> None:
    first = os.dup(0)
    os.close(first)
    with pytest.raises(FileNotFoundError):
        GitProcess(["mdmem-has-no-such-command"], os.environ)
    following = os.dup(0)
    os.close(following)
    assert following == first


def test_pipes_do_not_get_the_numbers_of_closed_channels() -> None:
    """With standard input closed, the first pipe is number 0, which the started process would overwrite."""
    code = (
        "import os; from mdmem.git import process; print(process.start(['echo'], os.environ, b'').communicate())"
    )
    done = subprocess.run(["sh", "-c", '"$0" -c "$1" <&-', sys.executable, code], capture_output=True, text=True)
    assert done.stdout == "(b'\\n', b'')\n", done.stderr
