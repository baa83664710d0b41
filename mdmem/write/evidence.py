"""The code that a new memory speaks of, and the branch it is written on, by the repository that is worked in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mdmem.errors import MdmemError
from mdmem.note import codenames
from mdmem.note.codenames import CodeItem, Lines, Names
from mdmem.note.memory import as_text, project_of
from mdmem.note.yamltext import Value
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

if TYPE_CHECKING:
    from mdmem.store.git.codebase import Codebase

_MOST_FILES = 20_000  # of a repository in which symbols are sought


def noticed(vault: Vault, text: str, given: Mapping[str, Value], who: Caller) -> dict[str, Value] | None:
    """The properties `code` and `branch` of a memory with that text and those properties, as git knows them.

    None if that cannot be said: it is not of the project in whose repository `who` works. git is only run for a
    text that may name code, or on a branch that may not be the default one.
    """
    if not who.folder or project_of(given).casefold() != vault.repo.project_at(who.folder).casefold():
        return None
    from mdmem.store.git.codebase import Codebase

    base = Codebase.around(who.folder, vault.repo)
    if base is None:
        return None
    names = codenames.found(f"{as_text(given.get('title'))}\n{text}")
    try:
        items: list[Value] = [str(item) for item in _items(base, names, who.folder)] if any(names) else []
        branch = _branch(base)
    except MdmemError:  # git cannot read the repository, or it has no commit yet
        return None
    return {**({"branch": branch} if branch else {}), **({"code": items} if items else {})}


def _items(base: Codebase, names: Names, folder: str) -> list[CodeItem]:
    """What git knows of the names: files first; one is left out if lines or a symbol in it are named, too."""
    found: dict[CodeItem, None] = {}
    files = base.files if names.paths else {}
    taken = set()
    for name, lines in names.paths:
        if path := base.path_of(name, folder):
            found[CodeItem(path, lines, files[path])] = None
            taken.add(name)
    symbols = [name for name in names.symbols if name not in taken]
    if symbols and len(base.files) <= _MOST_FILES:
        for path, line in base.named_once(symbols).values():
            found[CodeItem(path, Lines(line, line), base.files[path])] = None
    narrowed = {item.path for item in found if item.lines.first}
    kept = [item for item in found if item.lines.first or item.path not in narrowed]
    commits = base.kinds([f"{name}^{{commit}}" for name in names.commits]) if names.commits else []
    return [*kept, *(CodeItem("", Lines(), id) for _, id in commits if id)]


def _branch(base: Codebase) -> str:
    """The branch that is checked out, with its commit if it has its own; "" for the default one, or none."""
    from mdmem.store.git import codebase

    name = base.branch_name()
    if not name or name in codebase.MAIN:
        return ""
    refs = base.refs(())
    default = codebase.default_branch(refs)
    if default in ("", name):
        return ""
    heads = [ref.commit for ref in codebase.tips_of(default, refs)]
    own = base.run("rev-list", "-1", "HEAD", "--not", *heads, "--").decode().strip()
    return f"{name}@{own[: codenames.DIGITS]}" if own else name
