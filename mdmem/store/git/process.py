"""A git process that gets its whole input at once and is waited for.

`subprocess` does the same and more, but takes a tenth of all that a recall loads. It is used for the other cases:
Windows, much input, output that is read while the process runs, and time limits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

MOST_INPUT = 16_384  # bytes; more is left to subprocess
_KILL, _PIPE = 9, 13  # signal numbers, which are the same on all systems with posix_spawn


class GitProcess:
    """A running process; once it has ended, `returncode` is its exit code, or negative for a signal."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        """Start a command. Raises FileNotFoundError if it is not on PATH."""
        self.returncode = 0
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            theirs_in, self._in, self._out, theirs_out, self._err, theirs_err = ends
            inner = (theirs_in, theirs_out, theirs_err)
            places = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(inner)]
            self._pid = os.posix_spawnp(  # Python ignores SIGPIPE; its children should not
                command[0], command, environment, file_actions=places, setsigdef=(_PIPE,)
            )
        except (OSError, ValueError):  # ValueError: a NUL in an argument
            for end in ends:
                os.close(end)
            raise
        for end in inner:
            os.close(end)

    def communicate(self, data: bytes = b"") -> tuple[bytes, bytes]:
        """Send at most MOST_INPUT bytes; (standard output, standard error) of the process once it has ended."""
        try:
            return _exchange(data, self._in, self._out, self._err)
        finally:  # after Ctrl-C too: no git may still be writing when we roll back
            _, status = os.waitpid(self._pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """Kill the process; `communicate` must still be called."""
        os.kill(self._pid, _KILL)


def start(command: list[str], environment: Mapping[str, str], data: bytes) -> GitProcess | subprocess.Popen[bytes]:
    """Start a command with this input. Raises FileNotFoundError if it is not on PATH."""
    has_channels = None not in (sys.__stdin__, sys.__stdout__, sys.__stderr__)  # else pipes may get their numbers
    if hasattr(os, "posix_spawnp") and has_channels and len(data) <= MOST_INPUT:
        return GitProcess(command, environment)
    import subprocess

    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def _exchange(data: bytes, in_: int, out: int, err: int) -> tuple[bytes, bytes]:
    """Write to one pipe while reading from two others until they end; closes all three."""
    from select import POLLIN, POLLOUT, poll

    os.set_blocking(in_, False)  # a pipe may hold as little as 4 KiB if the user has many open
    left = memoryview(data)
    came: dict[int, list[bytes]] = {out: [], err: []}
    waiting = poll()
    for end in came:
        waiting.register(end, POLLIN)
    waiting.register(in_, POLLOUT)
    are_open = {in_, out, err}
    try:
        while are_open:
            for end, _ in waiting.poll():
                if end == in_:
                    left = left[_given(in_, left) :]
                    is_done = not left
                else:
                    chunk = os.read(end, 1 << 16)
                    came[end].append(chunk)
                    is_done = not chunk
                if is_done:
                    waiting.unregister(end)
                    are_open.remove(end)
                    os.close(end)
    finally:
        for end in are_open:
            os.close(end)
    return b"".join(came[out]), b"".join(came[err])


def _given(end: int, data: memoryview) -> int:
    """The number of bytes that a pipe took; all of them if nobody will read any more."""
    try:
        return os.write(end, data) if data else 0
    except BlockingIOError:
        return 0
    except BrokenPipeError:  # it has ended already, and its output says why
        return len(data)
