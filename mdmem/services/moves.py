"""Renaming and moving memories: the links in other notes follow, in the same commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from posixpath import dirname, join, normpath
from typing import NamedTuple

from mdmem.core import config as settings
from mdmem.core import layout, markdown, memory
from mdmem.core.memory import BOM
from mdmem.core.operation import Caller
from mdmem.errors import ConflictError, MdmemError
from mdmem.services.intake import is_taken, require_good_name
from mdmem.store.catalogue import Record, fold_target
from mdmem.store.transaction import Transaction
from mdmem.store.vault import Vault


class Moved(NamedTuple):
    """What a move did: old path -> new path, the notes whose links followed, and the commit."""

    moves: Mapping[str, str]
    relinked: tuple[str, ...]
    commit: str


def rename(vault: Vault, record: Record, name: str, caller: Caller, reason: str = "") -> Moved:
    """Give a memory another name, in its folder; one commit.

    Raises UsageError for a name against the protocol, ConflictError for one that is taken.
    """
    name = name.removesuffix(".md")
    require_good_name(name)
    with vault.change(caller.does("rename", reason)) as tx:
        if is_taken(vault, name) and fold_target(name) != fold_target(record.name):
            raise ConflictError(f"there is a memory called {name}", "choose another name")
        moves = {record.path: normpath(join(dirname(record.path), name + ".md"))}
        relinked = _move(vault, tx, moves)
    return Moved(moves, relinked, tx.commit)


def relayout(vault: Vault, kind: str, caller: Caller) -> Moved:
    """Move every memory into folders by month, or flat into one; the setting follows; one commit.

    Only memories where mdmem itself puts them are moved: a person's own folders stay. Raises ConflictError
    if two would land on one path.
    """
    config = vault.config._replace(layout=kind)
    moves = {}
    with vault.change(caller.does("rename", f"Layout: {kind}.")) as tx:
        for record in vault.index.records():
            if not _is_ours(record.path, vault):
                continue
            target = layout.path_for(record.name, record.created, config)
            if target != record.path:
                moves[record.path] = target
        if len(set(moves.values())) < len(moves):
            raise ConflictError("two memories of one name would meet", "mdmem doctor names them; rename one first")
        relinked = _move(vault, tx, moves)
        tx.write(settings.FILE, _with_layout(tx.read(settings.FILE) or b"", kind))
    return Moved(moves, relinked, tx.commit)


def _is_ours(path: str, vault: Vault) -> bool:
    """Whether a memory lies directly in the folder for new memories, or in a month of it."""
    base = layout.folder_for("", vault.config._replace(layout="flat"))
    inner = dirname(path).removeprefix(base).strip("/") if layout.within(path, base) else "-"
    parts = inner.split("/") if inner else []
    return not parts or (len(parts) == 2 and all(part.isdigit() for part in parts))


def _with_layout(data: bytes, kind: str) -> bytes:
    """mdmem.toml with the layout set; its other lines stay."""
    text = data.decode("utf-8-sig")
    lines = [line for line in text.splitlines(keepends=True) if line.split("=")[0].strip() != "layout"]
    if kind != settings.VaultConfig().layout:
        lines.insert(0, f'layout = "{kind}"\n')
    return "".join(lines).encode()


def _move(vault: Vault, tx: Transaction, moves: Mapping[str, str]) -> tuple[str, ...]:
    """Stage the moves, and the links to and from the moved notes; the paths of other notes that changed."""
    targets = {fold_target(old) for old in moves}
    linking = {record.path for record, _ in vault.index.links_to(targets)}
    for old, new in moves.items():
        tx.move(old, new)
    relinked = []
    for path in sorted(linking | moves.keys()):
        new_path = moves.get(path, path)
        data = tx.read(new_path) or b""
        text = _relinked(data, _renamer(vault, moves, path, new_path))
        if text != data:
            tx.write(new_path, text)
            relinked += [] if path in moves else [path]
    return tuple(relinked)


def _relinked(data: bytes, rename_target: Callable[[str, bool], str | None]) -> bytes:
    bom = BOM if data.startswith(BOM) else b""
    try:
        text = data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise MdmemError(f"a note that links here is not UTF-8: {error}", "mdmem doctor names it") from None
    return bom + markdown.replace_links(text, rename_target).encode()


def _renamer(
    vault: Vault, moves: Mapping[str, str], source: str, new_source: str
) -> Callable[[str, bool], str | None]:
    """What a link in `source`, which itself may move to `new_source`, has to say after the moves."""
    by_stem: dict[str, list[str]] = {}
    for old in moves:
        by_stem.setdefault(fold_target(old), []).append(old)
    without = {old.removesuffix(".md"): new.removesuffix(".md") for old, new in moves.items()}

    def wikilink(target: str) -> str | None:
        if "/" in target:
            new = without.get(target.lstrip("/"))
            return new if new != target else None
        olds = by_stem.get(fold_target(target), [])
        if len(olds) != 1 or len(vault.index.named(memory.stem(olds[0]))) > 1:
            return None  # a name that several notes have: no telling which was meant
        new = memory.stem(moves[olds[0]])
        return new if new != memory.stem(olds[0]) else None

    def inline(target: str) -> str | None:
        place = normpath(join(dirname(source), target))
        new = without.get(place, place)
        if place not in without and (source == new_source or vault.index.record(place + ".md") is None):
            return None
        link = layout.relative(new, new_source)
        return link if link != target else None

    return lambda target, wiki: wikilink(target) if wiki else inline(target)
