"""What can go wrong: errors to raise for the caller's mistake, problems to collect about the user's files."""

from typing import NamedTuple


class MdmemError(Exception):
    """Base of everything mdmem raises on purpose.

    `exit_code` is what the command line exits with; `hint` says what to do next, in one line. An act may give it a
    `result`: what it found before it stopped.
    """

    exit_code = 1
    result: object = None

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    @property
    def line(self) -> str:
        """The message with the hint behind it."""
        return f"{self.message} ({self.hint})" if self.hint else self.message


def of_system(error: OSError) -> MdmemError:
    """What the system refused, with what to do about it."""
    import errno

    help = {
        **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "make room on that disk"),
        **dict.fromkeys((errno.EACCES, errno.EPERM), "fix its permissions"),
        errno.EROFS: "mount that disk for writing, or work in a clone",
    }
    hint = f"{help.get(error.errno or 0, 'fix that')}, then try again"
    where = f"{error.filename}: " if error.filename else ""
    return MdmemError(f"{where}{error.strerror or error}", hint)


def is_text(text: str) -> bool:
    """Whether a text has no stray bytes, such as a terminal with another encoding passes on."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


class UsageError(MdmemError):
    """The request itself makes no sense: a bad name, value, filter or revision."""

    exit_code = 2


class NotFoundError(MdmemError):
    """Nothing in the vault answers to that name, id or revision; `hint` lists the nearest."""

    exit_code = 3


class StoppedError(MdmemError):
    """Stopped before doing harm; nothing was changed. Asks for `--yes` or for another way."""

    exit_code = 4


class ConflictError(MdmemError):
    """Someone else changed the same lines, or the name is taken. Nothing was overwritten."""

    exit_code = 5


class BusyError(MdmemError):
    """Another process holds the vault's lock, or git's; trying again later is right."""

    exit_code = 6


class Problem(NamedTuple):
    """One finding about one file: collected, never raised, so that a bad file costs one line.

    `line` is 1-based, 0 where the whole file is meant; `path` is relative to the vault.
    `severity` is "error" (something cannot be read or is ambiguous) or "warning".
    """

    code: str
    path: str
    line: int
    message: str
    fix: str
    severity: str = "error"

    @property
    def where(self) -> str:
        """`path:line`, or the path if the whole file is meant."""
        return f"{self.path}:{self.line}" if self.line else self.path

    def __str__(self) -> str:
        return f"{self.where}: {self.severity}: {self.message} ({self.fix})"


def warning(code: str, path: str, message: str, fix: str) -> Problem:
    """A warning about a whole file, or about none ("")."""
    return Problem(code, path, 0, message, fix, "warning")


class NoteError(MdmemError):
    """A note that cannot be read or must not be edited; carries the `problem` to show or collect."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.where}: {problem.message}", problem.fix)
        self.problem = problem
