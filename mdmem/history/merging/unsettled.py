"""Conflicts that wait for a person: between markers in memories, or in a merge at which git has stopped."""

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from mdmem.errors import NoteError, NotFoundError, Problem, UsageError
from mdmem.history.merging import conflict
from mdmem.history.merging.conflict import MEMORY, PROPERTY
from mdmem.history.shown import PastSight
from mdmem.note import fields, memory, yaml12
from mdmem.note.yamltext import Value
from mdmem.store.local import files
from mdmem.store.operation import Caller, Written
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import is_taken

MARKERS = "merge-markers"  # problem code of a note with conflicts
TEXT, DELETED = "text", "deleted"  # what a conflict can be about, besides PROPERTY and MEMORY
_STAGE = {"ours": "2", "theirs": "3"}


class Unsettled(NamedTuple):
    """A conflict in a file of the vault.

    `about` is text, property, memory or deleted; `key` is the property's name. `line` is 1-based, 0 for a file as
    a whole. `ours` and `theirs` are lines, "" for a side without any. `in_merge` is true if git has stopped there
    in a merge.
    """

    path: str
    line: int
    about: str
    key: str
    ours: str
    theirs: str
    in_merge: bool


def find(vault: Vault) -> list[Unsettled]:
    """The conflicts in a vault that the reader may see, by path and line."""
    sight = PastSight(vault)
    stopped = set(filter(sight.shows, vault.repo.unmerged()))  # where git has stopped
    marked = {problem.path for problem in vault.index.problems() if problem.code == MARKERS}
    return [found for path in sorted(marked | stopped) for found in _of(vault, path, path in stopped)]


def count(vault: Vault) -> int:
    """How many memories have conflict markers; faster than `find`."""
    return len({problem.path for problem in vault.index.problems() if problem.code == MARKERS})


def of(vault: Vault, name: str) -> list[Unsettled]:
    """The conflicts of one memory, by name or path.

    Raises NotFoundError if it has none, UsageError if several files have that name.
    """
    found = [one for one in find(vault) if name in (one.path, memory.stem(one.path))]
    if not found:
        raise NotFoundError(f"'{name}' has no conflicts", "mdmem waiting --kind merge lists what has")
    if len({one.path for one in found}) > 1:
        raise UsageError(
            f"several files are named '{name}'", "give the path: " + ", ".join(one.path for one in found)
        )
    return found


def settle(vault: Vault, name: str, side: str, who: Caller, reason: str = "") -> Written:
    """Settle the conflicts of one memory in favour of a side, "ours" or "theirs", in one commit.

    In a merge at which git has stopped, the file is staged instead: `git commit` concludes the merge. Raises
    NotFoundError for a memory without conflicts, NoteError if its header cannot be edited.
    """
    first = of(vault, name)[0]
    if first.in_merge:
        return _stage(vault, first, side)
    with vault.change(who.does("merge", reason or f"Settled for {side}.")) as tx:
        for path, data in _settled(vault, tx.require(first.path), side, first.path).items():
            tx.write(path, data)
    return Written(tx.paths, tx.commit)


def _of(vault: Vault, path: str, in_merge: bool) -> Iterator[Unsettled]:
    data = files.read_or_none(vault.root, path)
    text = _seen(vault, data)
    blocks = list(conflict.find(text))
    for start, _, found in blocks:
        yield Unsettled(path, start + 1, found.about or TEXT, found.key, found.ours, found.theirs, in_merge)
    if not blocks and in_merge:
        ours, theirs = (_seen(vault, _staged(vault, path, side)) for side in _STAGE)
        yield Unsettled(path, 0, TEXT if ours and theirs else DELETED, "", ours, theirs, in_merge)


def _seen(vault: Vault, data: bytes | None) -> str:
    """The text of a file as the reader may see it; "" if it does not exist."""
    shown = data or b""
    return (shown if vault.clearance.is_full else vault.redacted(shown)).decode("utf-8", "replace")


def _staged(vault: Vault, path: str, side: str) -> bytes | None:
    """The content of a path on one side of a stopped merge; None if that side deleted the file."""
    listed = vault.repo.run("ls-files", "-z", "-u", "--full-name", "--", vault.repo.prefix + path)
    for token in listed.split(b"\0"):
        words = token.partition(b"\t")[0].decode().split(" ")
        if words[-1] == _STAGE[side]:
            return vault.repo.file(words[1], path)
    return None


def _stage(vault: Vault, found: Unsettled, side: str) -> Written:
    """Settle a file in a merge at which git has stopped, and stage it."""
    contents: Mapping[str, bytes | None]
    if found.line:
        contents = _settled(vault, vault.read(found.path), side, found.path)
    else:
        contents = {found.path: _staged(vault, found.path, side)}
    scratch = os.path.join(vault.state, "tmp")
    with vault.locked():
        for path, data in contents.items():
            if data is None:
                files.remove(vault.root, path, vault.config.memories)
            else:
                files.save(files.locate(vault.root, path), data, scratch)
        vault.repo.run("add", "--all", "--", *(vault.repo.prefix + path for path in contents))
    return Written(tuple(contents), "")


# -- the text without its conflicts ------------------------------------------------------------------------


def _settled(vault: Vault, data: bytes, side: str, path: str) -> dict[str, bytes]:
    """path -> bytes of a note with one side of each of its conflicts.

    Of two memories with the same name, the one on that side keeps it, and the other one gets a number. Raises
    NoteError if the note is not text, or if its header cannot be edited.
    """
    text = memory.decode(data, path)
    bom = memory.BOM if data.startswith(memory.BOM) else b""
    rows, kept = text.split("\n"), list[str]()
    changes: dict[str, Value] = {}
    at = 0
    for start, end, found in conflict.find(text):
        if found.about == MEMORY:  # one memory is embedded in the text of the other
            holder = bom + "\n".join([*rows[:start], *rows[end:]]).encode()
            inner = (found.ours or found.theirs).encode()
            is_inner = bool(getattr(found, side))
            stays, moves = (inner, holder) if is_inner else (holder, inner)
            return {path: stays, _numbered(vault, path): moves}
        lines = getattr(found, side)
        if found.about == PROPERTY:
            try:
                changes.update(yaml12.load(lines))
            except yaml12.YamlError as error:
                wrong = f"cannot be settled: {error.message}"
                raise NoteError(Problem(MARKERS, path, start + 1, wrong, "delete one side by hand")) from None
            lines = ""
        kept += [*rows[at:start], *lines.split("\n")[:-1]]
        at = end
    left = bom + "\n".join([*kept, *rows[at:]]).encode()
    return {path: fields.set_fields(left, changes, path) if changes else left}


def _numbered(vault: Vault, path: str) -> str:
    """The path of a memory with the first number that makes its name free."""
    stem, number = path.removesuffix(".md"), 2
    while is_taken(vault, memory.stem(f"{stem}_{number}.md")):
        number += 1
    return f"{stem}_{number}.md"
