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

MOST_INPUT = 16_384  # bytes that the pipe of any system holds before somebody reads
_KILL, _PIPE = 9, 13  # signals; their numbers are the same on all systems that have posix_spawn


class GitProcess:
    """A process that was started; `returncode` is its exit code, negative for a signal, once it has ended."""

    def __init__(self, command: list[str], environment: Mapping[str, str]) -> None:
        """Start a command. Raises FileNotFoundError if it is not on PATH."""
        self.returncode = 0
        theirs_in, self._in = os.pipe()
        self._out, theirs_out = os.pipe()
        self._err, theirs_err = os.pipe()
        inner = (theirs_in, theirs_out, theirs_err)
        try:
            places = [(os.POSIX_SPAWN_DUP2, end, number) for number, end in enumerate(inner)]
            self._pid = os.posix_spawnp(  # Python ignores SIGPIPE; what it starts does not
                command[0], command, environment, file_actions=places, setsigdef=(_PIPE,)
            )
        except OSError:
            for end in (self._in, self._out, self._err):
                os.close(end)
            raise
        finally:
            for end in inner:
                os.close(end)

    def communicate(self, data: bytes = b"") -> tuple[bytes, bytes]:
        """What it prints on both channels after it was given at most MOST_INPUT bytes; it has ended then."""
        try:
            os.write(self._in, data)
        except BrokenPipeError:  # it has ended already, and tells why
            pass
        finally:
            os.close(self._in)
        answer = _read_to_the_end(self._out, self._err)
        _, status = os.waitpid(self._pid, 0)
        self.returncode = os.waitstatus_to_exitcode(status)
        return answer

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


def _read_to_the_end(out: int, err: int) -> tuple[bytes, bytes]:
    """All that comes from two pipes, which are closed then."""
    from select import POLLIN, poll

    came: dict[int, list[bytes]] = {out: [], err: []}
    waiting = poll()
    for end in came:
        waiting.register(end, POLLIN)
    are_open = set(came)
    while are_open:
        for end, _ in waiting.poll():
            chunk = os.read(end, 1 << 16)
            came[end].append(chunk)
            if not chunk:
                waiting.unregister(end)
                os.close(end)
                are_open.remove(end)
    return b"".join(came[out]), b"".join(came[err])
