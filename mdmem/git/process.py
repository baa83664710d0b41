"""A git process that is given its whole input at once and waited for.

`subprocess` does the same and more, but takes a tenth of all that a recall loads. It remains for what is left:
Windows, much input, answers that are read while they come, and time limits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

from mdmem.values import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

MOST_INPUT = 16_384  # bytes; more is left to subprocess
_KILL, _PIPE = 9, 13  # signals; their numbers are the same on all systems that have posix_spawn


class GitProcess:
    """A process that was started; `returncode` is its exit code, negative for a signal, once it has ended."""

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
            self._pid = os.posix_spawnp(  # Python ignores SIGPIPE; what it starts does not
                command[0], command, environment, file_actions=places, setsigdef=(_PIPE,)
            )
        except (OSError, ValueError):  # ValueError: a NUL in an argument
            for end in ends:
                os.close(end)
            raise
        for end in inner:
            os.close(end)

    def communicate(self, data: bytes = b"") -> tuple[bytes, bytes]:
        """What it prints on both channels after it was given at most MOST_INPUT bytes; it has ended then."""
        try:
            return _exchange(data, self._in, self._out, self._err)
        finally:  # after Ctrl-C too: what is taken back then must not meet a git that is still writing
            _, status = os.waitpid(self._pid, 0)
            self.returncode = os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        """End it; `communicate` is still to be called."""
        os.kill(self._pid, _KILL)


def start(command: list[str], environment: Mapping[str, str], data: bytes) -> GitProcess | subprocess.Popen[bytes]:
    """Start a command that is given that input. Raises FileNotFoundError if it is not on PATH."""
    has_channels = None not in (sys.__stdin__, sys.__stdout__, sys.__stderr__)  # else a pipe may get their numbers
    if hasattr(os, "posix_spawnp") and has_channels and len(data) <= MOST_INPUT:
        return GitProcess(command, environment)
    import subprocess

    pipe = subprocess.PIPE
    return subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe)


def _exchange(data: bytes, in_: int, out: int, err: int) -> tuple[bytes, bytes]:
    """Give a pipe some bytes while all that comes from two others is read; the three are closed then."""
    from select import POLLIN, POLLOUT, poll

    os.set_blocking(in_, False)  # a pipe may hold as little as 4 KiB where a user has many of them
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
    """How many of the bytes a pipe took, or nobody will ever read."""
    try:
        return os.write(end, data) if data else 0
    except BlockingIOError:
        return 0
    except BrokenPipeError:  # it has ended already, and tells why
        return len(data)
