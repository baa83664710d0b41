"""git as a command: how it is started, and how its output and errors are read.

Every command drops the GIT_* variables that git exports to hooks (they would break the person's own commit), runs
no hooks, takes paths literally and prints untranslated messages, whatever the person's settings are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

from mdmem.errors import BusyError, MdmemError, NotFoundError

if TYPE_CHECKING:
    import subprocess


# The caller's GIT_* that are kept: how to reach remotes, where its settings are, who commits.
_KEPT = {
    *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT"),
    *("GIT_EXEC_PATH", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM"),
    *(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE")),
}
_KEPT_BEGINNINGS = ("GIT_SSH", "GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_")
ENVIRONMENT = RLock()  # held while this process's environment is copied or changed
GUARD = "MDMEM_HOOK"  # set for every git that mdmem starts, so that our own hooks do nothing
# No hooks, and none of the person's settings that change git's output or how it compares.
_SETTINGS = (
    *(f"core.hooksPath={os.devnull}", "core.quotePath=false", "color.ui=false"),
    *("i18n.logOutputEncoding=UTF-8", "i18n.commitEncoding=UTF-8", "merge.conflictStyle=merge"),
    *("log.showRoot=true", "log.follow=false", "log.showSignature=false", "log.mailmap=false"),
    *(f"diff.orderFile={os.devnull}", "diff.noprefix=false", "diff.mnemonicPrefix=false", "diff.relative=false"),
)
_PLAIN = tuple(part for setting in _SETTINGS for part in ("-c", setting))
_WITH_HOOKS = _PLAIN[2:]  # the same, but with the person's hooks
TALK = ("-c", "protocol.ext.allow=never", "-c", "protocol.fd.allow=never")  # no URL may run a program
_GRACE = 2.0  # seconds that a terminated git has to remove its lock files


class GitError(MdmemError):
    """git refused; the message is git's own."""


class AwayError(MdmemError):
    """The other side cannot be reached at the moment."""


def is_kept(key: str) -> bool:
    """Whether git gets a variable from the caller's environment."""
    return not key.startswith("GIT_") or key in _KEPT or key.startswith(_KEPT_BEGINNINGS)


def environment(environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment for git commands: the caller's, without the GIT_* that point to a repository."""
    with ENVIRONMENT:
        kept = {key: value for key, value in environ.items() if is_kept(key)}
    return {
        **kept,
        "LC_ALL": "C",
        "LANGUAGE": "C",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        GUARD: "1",
    }


class GitReply(NamedTuple):
    """The result of a command that talks to another machine: exit code, standard output and standard error."""

    code: int
    out: str
    err: str


class Git:
    """git in one working tree."""

    _always: Sequence[str] = ()  # options of every command
    _around: Mapping[str, str] = {}  # further variables of its environment

    def __init__(self, top: str) -> None:
        """`top` is the working tree's root."""
        self.top = top

    def run(
        self, *args: str, stdin: bytes = b"", env: Mapping[str, str] | None = None, ok: Sequence[int] = (0,)
    ) -> bytes:
        """Run `git ARGS` at the top of the working tree; its standard output.

        Raises GitError with git's message for an exit code not in `ok`, BusyError if another command holds git's
        own lock.
        """
        return self._finish(self._start(args, env, stdin), args, stdin, ok)[0]

    def asks(self, *args: str, env: Mapping[str, str] | None = None, no: Sequence[int] = (1,)) -> bool:
        """Whether `git ARGS` exits with 0 (true) or a code in `no` (false). Raises GitError for other codes."""
        process = self._start(args, env)
        self._finish(process, args, b"", (0, *no))
        return process.returncode == 0

    def talk(self, *args: str, seconds: float, env: Mapping[str, str], hooks: bool = False) -> GitReply:
        """Run a `git ARGS` that may talk to another machine, without a terminal and for at most `seconds`.

        With `hooks`, the person's own hooks run. Raises BusyError when the time is over.
        """
        import subprocess

        settings = (*TALK, *(_WITH_HOOKS if hooks else _PLAIN))
        process = self._open(args, env, settings=settings, start_new_session=True)
        try:
            out, err = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise BusyError(
                f"git {args[0]} did not finish within {seconds:.0f} s",
                "is the other side reachable? try again later",
            ) from None
        finally:
            if process.poll() is None:
                _end_all(process)
        return GitReply(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace").strip())

    def complaints(self, *args: str) -> list[str]:
        """The lines that `git ARGS` prints to standard output and standard error, whether it fails or not."""
        out, err = self._finish(self._start(args), args, b"", range(256))
        return [*out.decode("utf-8", "replace").splitlines(), *err.splitlines()]

    def stream(self, *args: str, stdin: bytes = b"") -> Iterator[bytes]:
        """The NUL-separated output of `git ARGS`, part by part; git ends with its caller. Raises GitError."""
        import tempfile

        with tempfile.TemporaryFile() as errors, self._open(args, stderr=errors.fileno()) as process:
            assert process.stdin
            assert process.stdout
            rest = b""
            try:
                process.stdin.write(stdin)  # git reads all of it before it answers
                process.stdin.close()
                while chunk := os.read(process.stdout.fileno(), 1 << 16):
                    *parts, rest = (rest + chunk).split(b"\0")
                    yield from parts
            except GeneratorExit:
                process.kill()
                return
            if process.wait():
                errors.seek(0)
                raise error_of(
                    errors.read().decode("utf-8", "replace").strip() or f"git {args[0]} failed", self.top
                )
        if rest:
            yield rest

    def _start(
        self, args: Sequence[str], env: Mapping[str, str] | None = None, stdin: bytes = b""
    ) -> GitProcess | subprocess.Popen[bytes]:
        """A git process that gets `stdin` at once and is waited for."""
        with _git_expected():
            command = ["git", "-C", self.top, *_PLAIN, *self._always, *args]
            return start(command, {**environment(), **self._around, **(env or {})}, stdin)

    def _open(
        self,
        args: Sequence[str],
        env: Mapping[str, str] | None = None,
        stderr: int | None = None,
        settings: Sequence[str] = _PLAIN,
        start_new_session: bool = False,
    ) -> subprocess.Popen[bytes]:
        """A git process to talk to while it runs; its errors go to a pipe or to the file descriptor `stderr`."""
        import subprocess

        pipe = subprocess.PIPE
        with _git_expected():
            return subprocess.Popen(
                ["git", *settings, *self._always, *args],
                cwd=self.top,
                env={**environment(), **self._around, **(env or {})},
                stdin=pipe,
                stdout=pipe,
                stderr=pipe if stderr is None else stderr,
                start_new_session=start_new_session,
            )

    def _finish(
        self, process: GitProcess | subprocess.Popen[bytes], args: Sequence[str], stdin: bytes, ok: Sequence[int]
    ) -> tuple[bytes, str]:
        out, err = process.communicate(stdin)
        message = err.decode("utf-8", "replace").strip()
        if process.returncode not in ok:
            raise error_of(message or f"git {args[0]} failed with {process.returncode}", self.top)
        return out, message


@contextmanager
def _git_expected() -> Iterator[None]:
    """Raises GitError if git is not found within the block."""
    try:
        yield
    except FileNotFoundError:
        raise GitError("git is not installed, or not on PATH", "install git 2.30 or newer") from None


def _end_all(process: subprocess.Popen[bytes]) -> None:
    """End a process in a session of its own, and the processes it started: ssh, remote helpers, hooks."""
    import signal
    import subprocess

    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, number)
            else:
                process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_GRACE)
            return


def error_of(message: str, top: str, *tables: str) -> MdmemError:
    """git's message as one of our errors, with advice for the common ones: those in tables, and in errors.tsv."""
    import re

    from mdmem.note import tsv

    message = re.sub(r"(?m)^(?:fatal|error): ", "", message)
    kinds = {"busy": BusyError, "git": GitError, "gone": NotFoundError, "away": AwayError}
    every = (row for table in (*tables, "errors.tsv") for row in tsv.rows(__file__, table, 4))
    for kind, pattern, told, hint in every:
        if found := re.search(pattern, message):
            first, last = message.partition("\n")[0], message.rpartition(": ")[2]
            said = {"message": message, "top": top, "found": found[0], "first": first, "last": last}
            return kinds[kind](told.format(**said), hint.format(**said))
    return GitError(message)


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
