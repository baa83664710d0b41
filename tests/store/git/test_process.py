"""Processes that are started without subprocess: none waits for a pipe that nobody reads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from mdmem.store.git.command import MOST_INPUT, GitProcess, start

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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot be asked for a smaller pipe")
def test_a_pipe_that_holds_little_stops_nobody() -> None:
    """Linux gives a user who has many pipes already ones of 4 KiB."""
    import fcntl

    data = b"x" * MOST_INPUT
    script = f"yes | head -c {_MUCH}; cat"  # it reads nothing before its answer is taken
    process = GitProcess(["sh", "-c", script], os.environ)
    fcntl.fcntl(process._in, fcntl.F_SETPIPE_SZ, 4096)
    out, _ = process.communicate(data)
    assert len(out) == _MUCH + MOST_INPUT


def test_a_process_has_ended_when_waiting_for_it_is_interrupted() -> None:
    """Else what is taken back after Ctrl-C would meet a git that still holds its lock."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    process = GitProcess(["sh", "-c", "sleep 0.2"], os.environ)
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            process.communicate()
    finally:
        signal.signal(signal.SIGALRM, before)
    with pytest.raises(ProcessLookupError):
        process.kill()


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


@pytest.mark.parametrize(
    ("command", "error"), [("mdmem-has-no-such-command", FileNotFoundError), ("nul\0", ValueError)]
)
def test_a_command_that_cannot_be_started_leaves_no_pipe_open(command: str, error: type[Exception]) -> None:
    first = os.dup(0)
    os.close(first)
    with pytest.raises(error):
        GitProcess([command], os.environ)
    following = os.dup(0)
    os.close(following)
    assert following == first


def test_pipes_do_not_get_the_numbers_of_closed_channels() -> None:
    """With standard input closed, the first pipe is number 0, which the started process would overwrite."""
    start = "from mdmem.store.git.command import start"
    code = f"import os; {start}; print(start(['echo'], os.environ, b'').communicate())"
    done = subprocess.run(["sh", "-c", '"$0" -c "$1" <&-', sys.executable, code], capture_output=True, text=True)
    assert done.stdout == "(b'\\n', b'')\n", done.stderr
