"""Reads a dialog from bytes (its text, its format, its turns, when it took place), and finds secrets in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple

from mdmem.capture import transcripts, utterances
from mdmem.capture.turns import Turn
from mdmem.errors import NotFoundError, Problem, StoppedError, UsageError
from mdmem.note import memory
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.layers.documents import Redaction
from mdmem.write import secrets

MARKDOWN, TEXT = "markdown", "text"
JSON_FORMATS = frozenset(transcripts.JSON_FORMATS)
MOST_BYTES = 64 * 1024 * 1024
_MARKDOWN_ENDS = (".md", ".markdown", ".mdown")
_JSON_ENDS = (".json", ".jsonl", ".ndjson")


class Dialog(NamedTuple):
    """A dialog as it was read.

    `text` is the whole file, decoded from UTF-8. `format` is a transcript format of capture, "markdown" or "text".
    `turns` are in order, and empty for a text without speakers. `title` and `session` (an id) are those of the
    conversation if the file holds exactly one, else "". `problems` are about lines that cannot be read.
    """

    text: str
    format: str
    turns: tuple[Turn, ...]
    title: str
    session: str
    problems: tuple[Problem, ...]

    @property
    def said(self) -> Sequence[Turn]:
        """The turns of people and assistants. A text without speakers is one turn of its writer."""
        if not self.turns:
            return [Turn("user", self.text.replace("\r\n", "\n"), 1)]
        return [turn for turn in self.turns if turn.speaker in ("user", "assistant")]

    @property
    def time(self) -> str:
        """The time of the latest turn (RFC 3339 UTC), "" if no turn has one."""
        return max((turn.when for turn in self.turns), default="")


def read(data: bytes, source: str) -> Dialog:
    """Read a dialog from bytes; `source` is its name in messages.

    Raises NoteError for bytes that are not UTF-8 text, UsageError for a dialog that is empty, too large, or JSON
    without a chat.
    """
    if len(data) > MOST_BYTES:
        raise UsageError(f"{source} is over {MOST_BYTES // 1024**2} MB", "split it into one conversation per file")
    text = memory.decode_any(data, source)
    if not text.strip():
        raise UsageError(f"{source} is empty", "give a file that has text in it")
    try:
        transcript = transcripts.parse(text, source)
    except UsageError:
        if source.lower().endswith(_JSON_ENDS):
            raise
        unread = tuple(utterances.problems([Turn("user", text, 1)], source))
        return Dialog(text, MARKDOWN if source.lower().endswith(_MARKDOWN_ENDS) else TEXT, (), "", "", unread)
    chats = transcript.conversations
    turns = tuple(turn for chat in chats for turn in chat.turns)
    title, session = (chats[0].title, chats[0].id) if len(chats) == 1 else ("", "")
    found = (*transcript.problems, *utterances.problems(turns, source))
    problems = tuple(problem._replace(severity="warning") for problem in found)  # raw.md keeps them
    return Dialog(text, transcript.format, turns, title, session, problems)


# -- the files to ingest -------------------------------------------------------------------------------------

_ENDS = (".md", ".markdown", ".txt", *_JSON_ENDS)


class DialogSource(NamedTuple):
    """A dialog to ingest: the name shown to people, and a function that reads its bytes."""

    name: str
    read: Callable[[], bytes]


def sources_in(vault: Vault, folder: str) -> tuple[list[DialogSource], list[Problem]]:
    """The dialogs in a folder and its subfolders, by path, and a problem for each that has to be skipped.

    Raises UsageError if the folder is the vault or contains it.
    """
    root = os.path.realpath(folder)
    if root == vault.root or vault.root.startswith(root + os.sep):
        raise UsageError(f"{folder} contains this vault", "give the folder that holds the dialogs")
    problems: list[Problem] = []

    def unlisted(error: OSError) -> None:
        problems.append(Problem("dialog", str(error.filename), 0, "cannot be listed", "fix its permissions"))

    found = []
    for path in files.walk(root, unlisted):
        place = os.path.join(root, path)
        if not path.lower().endswith(_ENDS):
            continue
        if os.path.islink(place) or not os.path.isfile(place):
            problems.append(
                Problem("dialog", path, 0, "is a link or not a regular file", "give the file itself", "warning")
            )
        else:
            found.append(file_source(place, path))
    return sorted(found), problems


def file_source(place: str, name: str = "") -> DialogSource:
    """A file as a dialog to ingest; `name` defaults to its base name."""
    name = name or os.path.basename(place)

    def read() -> bytes:
        try:
            with open(place, "rb") as file:
                return file.read(MOST_BYTES + 1)
        except OSError as error:
            raise NotFoundError(f"{name} cannot be read: {error.strerror}") from None

    return DialogSource(name, read)


# -- passwords and keys in dialogs, which are left out or redacted -------------------------------------------

_WITHOUT_IT = "take it out, or --redact replaces it; --allow-secret keeps it, and git's history does, too"


class SecretInDialogError(StoppedError):
    """A dialog holds a password or key; none of it was written. Carries the `problem` to show or collect."""

    def __init__(self, source: str, line: int, message: str, hint: str) -> None:
        super().__init__(f"{source}:{line}: {message}", hint)
        self.problem = Problem("secret", source, line, message, hint)


def without_secrets(
    name: str, data: bytes, dialog: Dialog, redact: bool
) -> tuple[bytes, Dialog, tuple[Redaction, ...]]:
    """The bytes of a dialog, the dialog, and its redactions; with `redact` its secrets are replaced.

    Raises SecretInDialogError for the first secret if there is one that is not, or cannot be, replaced.
    """
    leaks = leaks_in(dialog)
    if not leaks:
        return data, dialog, ()
    if not redact:
        raise SecretInDialogError(name, leaks[0].line, f"seems to hold a secret ({leaks[0].kind})", _WITHOUT_IT)
    text = secrets.redacted(dialog.text, tuple(turn.text for turn in _hidden(dialog)))
    clean = text.encode()
    reread = read(clean, name)
    if leaks_in(reread) or (reread.format, len(reread.turns)) != (dialog.format, len(dialog.turns)):
        message = f"holds a secret ({leaks[0].kind}) that cannot be replaced by rule"
        raise SecretInDialogError(name, leaks[0].line, message, "take it out by hand")
    return clean, reread, tuple(Redaction(leak.line, leak.kind) for leak in leaks)


def leaks_in(dialog: Dialog) -> list[secrets.Secret]:
    """The secrets in a dialog, each with its line in the text."""
    leaks = secrets.found(dialog.text)
    for turn in _hidden(dialog):
        leaks += [leak._replace(line=turn.line) for leak in secrets.found(turn.text)]
    return sorted(set(leaks), key=lambda leak: (leak.line, leak.kind))


def _hidden(dialog: Dialog) -> tuple[Turn, ...]:
    """The turns of JSON, whose escapes can hide a secret."""
    return dialog.turns if dialog.format in JSON_FORMATS else ()
