"""Renaming and moving memories; links in other memories are updated in the same commit."""

import os
import re
from collections.abc import Callable, Mapping
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple

from mdmem.errors import ConflictError, MdmemError, Problem
from mdmem.note import links, memory
from mdmem.note.links import LinkPlace
from mdmem.note.memory import BOM
from mdmem.store import layout
from mdmem.store.config import FILE, editing
from mdmem.store.index.edges import fold_target
from mdmem.store.index.port import IndexedNote
from mdmem.store.operation import Caller, Operation
from mdmem.store.vault.transaction import Transaction
from mdmem.store.vault.vault import Vault
from mdmem.write.remember import is_taken, name_rule, require_good_name


class Moved(NamedTuple):
    """What a move did: old path -> new path, the notes whose links were updated, and the commit.

    `left` are problems with links that may mean one of several notes; they were left unchanged.
    """

    moves: Mapping[str, str]
    relinked: tuple[str, ...]
    left: tuple[Problem, ...]
    commit: str


def rename(vault: Vault, record: IndexedNote, name: str, caller: Caller, reason: str = "") -> Moved:
    """Give a memory another name in its folder, in one commit.

    An adopted vault accepts any name that Obsidian accepts. Raises UsageError for an invalid name, ConflictError
    for one that is taken.
    """
    name = name.removesuffix(".md")
    require_good_name(name, name_rule(vault))
    with vault.change(caller.does("rename", reason)) as tx:
        if is_taken(vault, name) and fold_target(name) != fold_target(record.name):
            raise ConflictError(f"there is a memory called {name}", "choose another name")
        moves = {record.path: normpath(join(dirname(record.path), name + ".md"))}
        relinked, left = _move(vault, tx, moves)
    return Moved(moves, relinked, left, tx.commit)


def move_files(vault: Vault, moves: Mapping[str, str], what: Operation) -> Moved:
    """Move files (old path -> new path) and update the links to those that are memories, in one commit.

    Raises NotFoundError, and ConflictError for a path that is taken.
    """
    notes = {old: new for old, new in moves.items() if layout.kind_of(old, vault.config) == layout.Kind.MEMORY}
    with vault.change(what) as tx:
        for old in moves.keys() - notes.keys():
            tx.move(old, moves[old])
        relinked, left = _move(vault, tx, notes)
    return Moved(moves, relinked, left, tx.commit)


def relayout(vault: Vault, kind: str, caller: Caller, reason: str = "") -> Moved:
    """Move every memory into folders by month, or into a flat folder, and change the setting, in one commit.

    Only memories in the places where mdmem itself puts them are moved: a person's own folders stay. Raises
    ConflictError if two would get the same path.
    """
    config = vault.config._replace(layout=kind)
    moves = {}
    with vault.change(caller.does("rename", reason or f"Layout: {kind}.")) as tx:
        for record in vault.whole_index.records():
            if not _is_ours(record.path, vault):
                continue
            target = layout.path_for(record.name, record.created, config)
            if target != record.path:
                moves[record.path] = target
        if len(set(moves.values())) < len(moves):
            raise ConflictError("two memories of one name would meet", "mdmem doctor names them; rename one first")
        relinked, left = _move(vault, tx, moves)
        tx.write(FILE, editing.with_layout(tx.read(FILE) or b"", kind))
    vault.config = config
    return Moved(moves, relinked, left, tx.commit)


def _is_ours(path: str, vault: Vault) -> bool:
    """Whether a memory is directly in the folder for new memories, or in one of its months."""
    base = layout.folder_for("", vault.config._replace(layout="flat"))
    inner = dirname(path).removeprefix(base).strip("/") if layout.within(path, base) else "-"
    return inner == "" or bool(re.fullmatch(r"\d{4}/\d\d", inner))


def _move(vault: Vault, tx: Transaction, moves: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """Stage the moves, and update the links to and from the moved notes.

    Returns the paths of other notes that changed, and problems with the links that were left alone.
    """
    stems = {fold_target(old) for old in moves}
    linking = {path for path, target, *_ in vault.whole_index.all_links() if target in stems}
    for old, new in moves.items():
        tx.move(old, new)
    relinker = Relinker(
        moves,
        lambda stem: [record.path for record in vault.whole_index.named(stem)],
        lambda path: os.path.exists(os.path.join(vault.root, path)),
    )
    relinked = []
    for path in sorted(linking | moves.keys()):
        new_path = moves.get(path, path)
        data = tx.read(new_path) or b""
        text = relinker.relinked(data, path)
        if text != data:
            tx.write(new_path, text)
            relinked += [] if path in moves else [path]
    return tuple(relinked), tuple(relinker.left)


class Relinker:
    """Updates links for moves (old path -> new path; the new path may be another note's: then the notes merge)."""

    def __init__(
        self, moves: Mapping[str, str], named: Callable[[str], list[str]], exists: Callable[[str], bool]
    ) -> None:
        """`named` maps a folded name to paths of notes, `exists` knows every file; both before the moves."""
        self.moves = moves
        self.left: list[Problem] = []
        self._stems = {fold_target(old) for old in moves}
        self._exists = exists
        self._find = named
        self._named: dict[str, list[str]] = {}

    def relinked(self, data: bytes, source: str) -> bytes:
        """The bytes of the note that was at `source`, with its links to and from moved notes updated."""
        bom = BOM if data.startswith(BOM) else b""
        try:
            text = data.removeprefix(BOM).decode("utf-8")
        except UnicodeDecodeError as error:
            raise MdmemError(f"{source} links here and is not UTF-8: {error}", "mdmem doctor names it") from None
        return bom + self.text(text, source).encode()

    def text(self, text: str, source: str) -> str:
        """A text of the note that was at `source`, with its links to and from moved notes updated."""
        return links.replace(text, lambda place: self._target(place, text, source))

    def _target(self, place: LinkPlace, text: str, source: str) -> str | None:
        if place.target.startswith(("./", "../")) or not place.wiki:
            beside = normpath(join(self._folder(source), place.target))
            if (found := self._file(beside, place)) is not None:
                return self._beside(found, self._new(found, place, text), place, source)
        old = self._one(place.target, source, text, place.start)
        return None if old is None else self._elsewhere(old, self._new(old, place, text), place, source)

    def _one(self, target: str, source: str, text: str = "", start: int = 0) -> str | None:
        """The one note that a link by name or partial path means; what may mean several is told."""
        olds = self._meant(target)
        if len(olds) > 1 and any(old in self.moves for old in olds):
            line = text.count("\n", 0, start) + 1
            message = f"the link to {target} may mean {', '.join(olds)}; it is left as it was"
            self.left.append(Problem("link-ambiguous", source, line, message, "write its path", "warning"))
        return olds[0] if len(olds) == 1 else None

    def _folder(self, source: str) -> str:
        """The folder from which relative links of a note lead."""
        return dirname(source)

    def _new(self, old: str, place: LinkPlace, text: str) -> str:
        """The path after the moves of what a link in a text refers to."""
        del place, text
        return self.moves.get(old, old)

    def _file(self, path: str, place: LinkPlace) -> str | None:
        """The file that a link refers to by relative path, before the moves; None if there is none."""
        for candidate in (path, path + ".md") if place.wiki else (path,):
            if candidate in self.moves or self._exists(candidate):
                return candidate
        return None

    def _beside(self, found: str, new: str, place: LinkPlace, source: str) -> str:
        """A link as a relative path between notes (or images) after the moves."""
        way = layout.relative(new, self.moves.get(source, source))
        if normpath(place.target) in (way, way.removesuffix(".md")):
            return place.target
        if place.target.startswith("./") and not way.startswith("../"):
            way = "./" + way
        return way if place.target.endswith(".md") or not found.endswith(".md") else way.removesuffix(".md")

    def _meant(self, target: str) -> list[str]:
        """The notes that a link by name or partial path may mean; an exact path means only that note."""
        stem = fold_target(target)
        if stem not in self._named:
            self._named[stem] = self._find(stem) if stem in self._stems else []
        wanted = folded(target)
        exact = [path for path in self._named[stem] if folded(path) == wanted]
        return exact or [path for path in self._named[stem] if f"/{folded(path)}".endswith("/" + wanted)]

    def _elsewhere(self, old: str, new: str, place: LinkPlace, source: str) -> str:
        """A link by name or path after the move of `old`, kept as short as it was if that is still correct."""
        del source
        if f"/{folded(new)}".endswith("/" + folded(place.target)):
            return place.target
        suffix = ".md" if place.target.endswith(".md") else ""
        if "/" not in place.target:
            return memory.stem(new) + suffix
        if dirname(new) == dirname(old):
            return join(dirname(place.target), basename(new).removesuffix(".md") + suffix)
        return ("/" if place.target.startswith("/") else "") + new.removesuffix(".md") + suffix


def folded(path: str) -> str:
    """A path or link target in the form in which links are compared."""
    return memory.fold(path.strip("/")).removesuffix(".md")
