"""Let a person edit a text in their editor; what they typed survives any failure."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count

import click

from mdmem.cli.output import is_interactive, tell
from mdmem.errors import UsageError
from mdmem.note import links
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault

EDITOR = "MDMEM_EDITOR"  # an editor that needs no terminal: one with its own window, or a script


def require_editor(otherwise: str) -> None:
    """Raise UsageError if an editor would wait for keys nobody can press; `otherwise` says what to do instead."""
    if not is_interactive() and not os.environ.get(EDITOR):
        raise UsageError(
            "there is no terminal for an editor", f"{otherwise}; or set {EDITOR} to one that needs none"
        )


def opened_in_obsidian(path: str, root: str) -> bool:
    """Whether a note could be opened in Obsidian; without a terminal its link is printed.

    That needs Obsidian's settings in the vault, and a program for its links.
    """
    if not os.path.isdir(os.path.join(root, ".obsidian")):
        return False
    link = links.in_obsidian(path)
    if is_interactive():
        return click.launch(link) == 0
    click.echo(link)
    return True


@contextmanager
def edited(vault: Vault, name: str, before: bytes) -> Iterator[bytes]:
    """The bytes that the person makes of `before` in their editor. Raises click.Abort if they do not save.

    The file they edit stays in the vault's local folder until the block ends: if anything fails, even by a crash,
    their text is still there, and its path is printed.
    """
    path = _unused_file(os.path.join(state.prepare(vault.root, vault.repo), "unsaved"), name)
    with open(path, "xb") as file:
        file.write(before)
    os.utime(path, (0, 0))  # so that any save changes the time, even within the same second
    with ExitStack() as on_failure:
        on_failure.callback(_say_where, path)
        click.edit(filename=path, editor=os.environ.get(EDITOR))
        if not os.path.exists(path) or os.stat(path).st_mtime == 0:
            raise click.Abort
        with open(path, "rb") as file:
            yield file.read()
        on_failure.pop_all()
    os.unlink(path)


def _say_where(path: str) -> None:
    """Keep what the person typed and print its path; delete the file if they did not save it."""
    if not os.path.exists(path):
        return
    if os.stat(path).st_mtime == 0:
        os.unlink(path)
    else:
        tell(f"your text is in {path}")


def _unused_file(folder: str, name: str) -> str:
    os.makedirs(folder, exist_ok=True)
    names = (f"{name}.md" if number == 1 else f"{name}-{number}.md" for number in count(1))
    return next(path for path in (os.path.join(folder, name) for name in names) if not os.path.lexists(path))
