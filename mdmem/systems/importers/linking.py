"""Rewrites the links between imported notes for their places in the vault."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from posixpath import dirname

from mdmem.note import memory
from mdmem.note.links import LinkPlace
from mdmem.note.yamltext import Value
from mdmem.store import layout
from mdmem.store.index.edges import fold_target
from mdmem.write.rename import Relinker, folded

_ANCHOR = re.compile(r"#([^\[\]|\n()\s\"<>][^\[\]|\n()\"<>]*)")
_SECTION = ".md#"  # between the path of a file and the title of its section, in the old path of a note


class TreeRelinker(Relinker):
    """Rewrites the links in a folder of notes for the vault.

    `moves` maps old paths (relative to the folder) to new ones (relative to the vault); a section that becomes a
    note of its own has the old path `path.md#heading`. `aliases` maps further names that links use to old paths.
    """

    def __init__(self, moves: Mapping[str, str], aliases: Mapping[str, str] | None = None) -> None:
        named: dict[str, list[str]] = {}
        for old in moves:
            named.setdefault(fold_target(old), []).append(old)
        super().__init__(moves, lambda stem: named.get(stem, []), lambda _: False)
        self._sections = {memory.fold(old): old for old in moves if _SECTION in old}
        self._aliases = {folded(name): old for name, old in (aliases or {}).items() if old in moves}

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
        old = self._one(target, source)
        return memory.stem(self.moves[old]) if old else target

    def _folder(self, source: str) -> str:
        return dirname(source.partition(_SECTION)[0])

    def _new(self, old: str, place: LinkPlace, text: str) -> str:
        """The new path of a note, or of the note that the section in a link becomes."""
        anchor = _ANCHOR.match(text, place.end)
        section = self._sections.get(memory.fold(f"{old}#{anchor[1].strip()}")) if anchor else None
        return self.moves[section or old]

    def _meant(self, target: str) -> list[str]:
        alias = self._aliases.get(folded(target))
        return super()._meant(target) or ([alias] if alias else [])

    def _elsewhere(self, old: str, new: str, place: LinkPlace, source: str) -> str:
        del old  # what it was called there says nothing here
        if f"/{folded(new)}".endswith("/" + folded(place.target)):
            return place.target
        way = memory.stem(new) if place.wiki else layout.relative(new, self.moves[source]).removesuffix(".md")
        return f"{way}.md" if place.target.lower().endswith(".md") else way


def aliases_of(notes: Iterable[tuple[str, Iterable[str]]]) -> dict[str, str]:
    """Folded name -> old path, given (old path, names), without the names that several notes have."""
    first: dict[str, str] = {}
    twice: set[str] = set()
    for old, names in notes:
        for name in names:
            if first.setdefault(folded(name), old) != old:
                twice.add(folded(name))
    return {name: old for name, old in first.items() if name not in twice}
