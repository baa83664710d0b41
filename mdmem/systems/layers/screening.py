"""Finds passwords and keys in dialogs, which are then left out or redacted."""

from __future__ import annotations

from mdmem.capture.turns import Turn
from mdmem.errors import Problem, StoppedError
from mdmem.systems.layers import dialog
from mdmem.systems.layers.dialog import Dialog
from mdmem.systems.layers.schema import Redaction
from mdmem.write import secrets

_WITHOUT_IT = "take it out, or --redact replaces it; --allow-secret keeps it, and git's history does, too"


class SecretInDialogError(StoppedError):
    """A dialog holds a password or key; none of it was written. Carries the `problem` to show or collect."""

    def __init__(self, source: str, line: int, message: str, hint: str) -> None:
        super().__init__(f"{source}:{line}: {message}", hint)
        self.problem = Problem("secret", source, line, message, hint)


def without_secrets(
    name: str, data: bytes, read: Dialog, redact: bool
) -> tuple[bytes, Dialog, tuple[Redaction, ...]]:
    """The bytes of a dialog, the dialog, and its redactions; with `redact` its secrets are replaced.

    Raises SecretInDialogError for the first secret if there is one that is not, or cannot be, replaced.
    """
    leaks = leaks_in(read)
    if not leaks:
        return data, read, ()
    if not redact:
        raise SecretInDialogError(name, leaks[0].line, f"seems to hold a secret ({leaks[0].kind})", _WITHOUT_IT)
    text = secrets.redacted(read.text, tuple(turn.text for turn in _hidden(read)))
    clean = text.encode()
    reread = dialog.read(clean, name)
    if leaks_in(reread) or (reread.format, len(reread.turns)) != (read.format, len(read.turns)):
        message = f"holds a secret ({leaks[0].kind}) that cannot be replaced by rule"
        raise SecretInDialogError(name, leaks[0].line, message, "take it out by hand")
    return clean, reread, tuple(Redaction(leak.line, leak.kind) for leak in leaks)


def leaks_in(read: Dialog) -> list[secrets.Secret]:
    """The secrets in a dialog, each with its line in the text."""
    leaks = secrets.found(read.text)
    for turn in _hidden(read):
        leaks += [leak._replace(line=turn.line) for leak in secrets.found(turn.text)]
    return sorted(set(leaks), key=lambda leak: (leak.line, leak.kind))


def _hidden(read: Dialog) -> tuple[Turn, ...]:
    """The turns of JSON, whose escapes can hide a secret."""
    return read.turns if read.format in dialog.JSON_FORMATS else ()
