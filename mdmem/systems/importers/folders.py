"""A folder of another program's Markdown files, read note by note."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from functools import partial
from posixpath import basename

from mdmem.errors import NoteError, Problem, UsageError, is_text
from mdmem.note import memory
from mdmem.note.header import HEADER_PROBLEMS
from mdmem.note.memory import Memory
from mdmem.store import layout
from mdmem.store.local import files
from mdmem.store.vault.vault import Vault
from mdmem.systems.importers.planning import ImportRun
from mdmem.systems.intake import ImportProblems


def read(run: ImportRun) -> list[Memory]:
    """The Markdown files in the folder that was given, or that one file, with paths relative to the folder.

    A file that cannot be read or is not Markdown is a problem, and stays where it is. Raises UsageError
    for the folder where the vault keeps its memories.
    """
    vault, given, problems = run
    only = () if os.path.isdir(given) else (os.path.basename(given),)
    tree = os.path.realpath(os.path.dirname(given) or "." if only else given)
    require_foreign(vault, tree, given)
    notes = []
    for path in only or sorted(note_paths(tree, vault.root, problems)):
        try:
            notes.append(_parsed(tree, path))
        except NoteError as error:
            problems.append(error.problem)
    return notes


def _parsed(tree: str, path: str) -> Memory:
    note = memory.parse(files.read(tree, path), path)
    for problem in note.problems:
        if problem.code in HEADER_PROBLEMS:
            raise NoteError(problem)
    return note


def require_foreign(vault: Vault, tree: str, given: str) -> None:
    """Raise UsageError for a folder that belongs to the vault's own memories."""
    own = os.path.realpath(os.path.join(vault.root, vault.config.memories))
    if tree == own or tree.startswith(own + os.sep):
        raise UsageError(
            f"{given} is where this vault keeps its memories", "mdmem adopt --all gives them properties"
        )


def note_paths(tree: str, vault_root: str, problems: ImportProblems) -> Iterator[str]:
    """The paths of the notes, relative to the tree, with `/`. Symbolic links are not followed.

    Other files, and folders that cannot be listed, go into `problems`.
    """
    unlisted = partial(note_unlisted, tree, problems)
    for path in files.walk(tree, unlisted, lambda place: place != vault_root):
        objection = _objection(os.path.join(tree, path), basename(path))
        if objection:
            shown = path.encode("utf-8", "backslashreplace").decode()
            problems.not_carried(shown, *objection)
        else:
            yield path


def note_unlisted(tree: str, problems: ImportProblems, error: OSError) -> None:
    """Add the problem of a folder in a tree that cannot be listed."""
    path = os.path.relpath(error.filename or tree, tree)
    problems.left_out(path, f"cannot be listed: {error.strerror}", "fix its permissions")


def _objection(place: str, name: str) -> tuple[str, str] | None:
    """(what keeps a file from being imported as a note, what to do about it); None for a note."""
    mode = os.lstat(place).st_mode
    if stat.S_ISLNK(mode):
        return "is a symbolic link; links are not followed", "copy the file there if you want it"
    if not stat.S_ISREG(mode) or not name.lower().endswith(".md"):
        return "is not a note; left where it is", "copy it yourself if you need it"
    if name in layout.AGENT_FILES:
        return "addresses agents and is not a memory; left where it is", "mdmem agents refresh writes such a page"
    if not is_text(place):
        return "has a name in an unknown encoding; left where it is", "rename it, then import again"
    return None


def at(given: str, problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """The problems of a folder, or of one file in it, with paths that begin with the path that was given."""
    folder = given if os.path.isdir(given) else os.path.dirname(given)
    return tuple(problem._replace(path=os.path.join(folder, problem.path)) for problem in problems)
