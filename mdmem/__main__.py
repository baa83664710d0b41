"""The command `mdmem`: errors become messages and exit codes here, and nowhere else."""

from __future__ import annotations

import gc
import io
import os
import sys

_INTERRUPTED, _UNEXPECTED = 130, 70


def main(argv: list[str] | None = None) -> int:
    """Run the command line; returns its exit code (see `mdmem --help`)."""
    arguments = sys.argv[1:] if argv is None else argv
    _have_streams()
    _speak_any_language()
    _have_exit_codes()
    gc.set_threshold(50_000)  # a command leaves little to collect; looking for it takes 5 ms of a recall
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        _complain("interrupted; nothing was half written")
        return _INTERRUPTED
    except Exception as error:  # the one broad handler: a person gets a sentence, not a traceback
        return _failed(arguments, error)


def _failed(arguments: list[str], error: Exception) -> int:
    """Print an error as a message; returns its exit code."""
    from mdmem.errors import MdmemError, of_system

    if isinstance(error, BrokenPipeError):  # the reader of our output, such as head, has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    known = of_system(error) if isinstance(error, OSError) else error
    if isinstance(known, MdmemError):
        _complain(known.message, known.hint)
        return known.exit_code
    if os.environ.get("MDMEM_DEBUG"):
        raise error
    return _unexpected(arguments, error)


def _have_streams() -> None:
    """Lead what our parent closed of the standard streams nowhere, and keep their numbers from files of ours."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 - to the end


def _speak_any_language() -> None:
    """Make every character printable: as UTF-8 to a pipe or file, as well as possible on a terminal.

    If PYTHONIOENCODING is set, that encoding is used, with "?" for characters that it lacks.
    """
    for stream in (sys.stdout, sys.stderr):
        if not isinstance(stream, io.TextIOWrapper):
            continue  # a program that imports mdmem has its own
        if stream.isatty() or os.environ.get("PYTHONIOENCODING"):
            stream.reconfigure(errors="replace")
        else:
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _have_exit_codes() -> None:
    """Have the system report the exit codes of child processes, even if our parent process ignored SIGCHLD."""
    import signal

    end_of_child = getattr(signal, "SIGCHLD", None)
    if end_of_child and signal.getsignal(end_of_child) == signal.SIG_IGN:
        signal.signal(end_of_child, signal.SIG_DFL)


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["hook-impl"]:  # without click: a hook must be over in a blink
        from mdmem.acts import githooks

        return githooks.run(arguments[1:])
    if arguments[:1] == ["merge-driver"]:  # without click, too: git waits for each file
        from mdmem.history.merging import driver

        return driver.run(arguments[1:])
    if arguments[:1] == ["hook"]:
        from mdmem.hooks.agents import entry

        return entry.run(arguments[1:])
    from mdmem.cli import run

    return run(arguments)


def _unexpected(arguments: list[str], error: Exception) -> int:
    """Report an unexpected error. The hook of an agent answers even then, so that its session goes on."""
    if arguments[:1] == ["hook"]:
        from mdmem.hooks.agents import entry

        return entry.failed(arguments[1:], error)
    _complain(f"unexpected error: {type(error).__name__}: {error}", "MDMEM_DEBUG=1 shows where; please report it")
    return _UNEXPECTED


def _complain(message: str, hint: str = "") -> None:
    from mdmem.note.terminal import safe

    print(f"mdmem: {safe(message)}", file=sys.stderr)
    if hint:
        print(f"       {safe(hint)}", file=sys.stderr)


def entry() -> None:
    """The console script. It exits at once: tearing down the interpreter takes 10 ms and gains nothing."""
    if sys.getfilesystemencoding() != "utf-8":  # LC_ALL=C with PYTHONUTF8=0: names and arguments would be ASCII
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - itself
    code = main()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # the reader of our output has had enough
            continue
    os._exit(code)


if __name__ == "__main__":
    entry()
