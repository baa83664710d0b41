"""Rewrites the links between imported notes for their places in the vault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import basename, dirname, join, normpath

from mdmem.note import links, memory
from mdmem.note.links import LinkPlace
from mdmem.note.memory import BOM
from mdmem.note.yamltext import Value
from mdmem.store import layout

_ANCHOR = re.compile(r"#([^\[\]|\n()\s\"<>][^\[\]|\n()\"<>]*)")


class TreeRelinker:
    """Rewrites the links in a folder of notes for the vault.

    `moves` maps old paths (relative to the folder) to new ones (relative to the vault); a section that becomes a
    note of its own has the old path `path.md#heading`. `aliases` maps further names that links use to old paths.
    `ambiguous` collects (old path, target) of links that may mean several notes: they stay as they are.
    """

    def __init__(self, moves: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> None:
        self.moves = moves
        self.ambiguous: list[tuple[str, str]] = []
        self._paths = {folded(old): old for old in moves}
        self._aliases = {folded(name): old for name, old in (aliases or {}).items() if old in moves}
        self._named: dict[str, list[str]] = {}
        for old in moves:
            self._named.setdefault(basename(folded(old)), []).append(old)

    def relinked(self, data: bytes, source: str) -> bytes:
        """The bytes of the note that lay at `source`, with its links to other notes updated."""
        bom = BOM if data.startswith(BOM) else b""
        return bom + self.text(data.removeprefix(BOM).decode("utf-8"), source).encode()

    def text(self, text: str, source: str) -> str:
        """A text of the note at `source`, with its links to other notes updated."""
        return links.replace(text, lambda place: self._target(place, text, source))

    def value(self, value: Value, source: str) -> Value:
        """A property of the note at `source`, with the links in it updated."""
        if isinstance(value, str):
            return self.text(value, source) if "[" in value else value
        if isinstance(value, list):
            return [self.value(item, source) for item in value]
        if isinstance(value, dict):
            return {key: self.value(item, source) for key, item in value.items()}
        return value

    def name_of(self, target: str, source: str) -> str:
        """The name in the vault of the note that another one calls `target`; `target` itself if there is none."""
        old = self._meant(target, source)
        return memory.stem(self.moves[old]) if old else target

    def _target(self, place: LinkPlace, text: str, source: str) -> str | None:
        ending = ".md" if place.target.lower().endswith(".md") else ""
        anchor = _ANCHOR.match(text, place.end)
        home = source.partition("#")[0]
        if not place.wiki or place.target.startswith(("./", "../")):
            beside = self._paths.get(folded(normpath(join(dirname(home), place.target))))
            if beside is not None:
                way = layout.relative(self._moved(beside, anchor), self.moves[source])
                return place.target if folded(way) == folded(normpath(place.target)) else _ended(way, ending)
        old = self._meant(place.target, source)
        if old is None:
            return None
        new = self._moved(old, anchor)
        if f"/{folded(new)}".endswith("/" + folded(place.target)):
            return None
        if place.wiki:
            return memory.stem(new) + ending
        return _ended(layout.relative(new, self.moves[source]), ending)

    def _moved(self, old: str, anchor: re.Match[str] | None) -> str:
        """The new path of a note, or of the note that the section in a link becomes."""
        section = self._paths.get(folded(f"{old}#{anchor[1].strip()}")) if anchor else None
        return self.moves[section or old]

    def _meant(self, target: str, source: str) -> str | None:
        """The old path of the one note that a link means, by name, by the end of a path or by an alias.

        None if there is no such note, or more than one.
        """
        wanted = folded(target)
        named = self._named.get(basename(wanted), [])
        exact = [old for old in named if folded(old) == wanted]
        meant = exact or [old for old in named if f"/{folded(old)}".endswith("/" + wanted)]
        if len(meant) > 1:
            self.ambiguous.append((source, target))
        return meant[0] if len(meant) == 1 else None if meant else self._aliases.get(wanted)


def aliases_of(notes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Folded name -> old path, given (old path, names), without the names that several notes have."""
    first: dict[str, str] = {}
    twice: set[str] = set()
    for old, names in notes:
        for name in names:
            if first.setdefault(folded(name), old) != old:
                twice.add(folded(name))
    return {name: old for name, old in first.items() if name not in twice}


def folded(path: str) -> str:
    """A path or link target in the form in which links are compared."""
    return memory.fold(path.strip("/")).removesuffix(".md").replace(".md#", "#")


def _ended(way: str, ending: str) -> str:
    return way.removesuffix(".md") + ending
