"""Notes of an old memory tree as notes of a vault: header, name and links repaired, the text byte for byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from posixpath import basename, dirname, join, normpath, splitext

from mdmem.capture import candidates
from mdmem.note import fields, layout, links, memory, naming
from mdmem.note.links import LinkPlace
from mdmem.note.memory import BOM, Memory
from mdmem.note.properties import CATEGORIES
from mdmem.text import dates, moments
from mdmem.text.yamltext import Value

_YEAR_FIRST = re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)")
_DAY_FIRST = re.compile(r"(?<!\d)(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})(?!\d)")
_TIME = re.compile(
    r"(?<![\d:])(?P<hour>\d{1,2}):(?P<minute>\d\d)(?P<second>:\d\d)?(?:[.,]\d+)?\s*"
    r"(?:(?P<half>[ap])\.?m\b\.?)?\s*(?P<zone>Z\b|UTC\b|[+-]\d\d:?\d\d\b)?",
    re.I,
)


def moment(value: Value) -> str:
    """A date as people wrote it into headers, as RFC 3339; "" if it names no one day.

    No zone means UTC. `08/02/2026` may be two days, so it is none.
    """
    if found := moments.normal(value):
        return found
    text = memory.as_text(value)
    day = _YEAR_FIRST.search(text) or _DAY_FIRST.search(text)
    named = [(int(day["year"]), int(day["month"]), int(day["day"]))] if day else list(dates.windows(text))
    if len(named) != 1 or not all(named[0]):
        return ""
    year, month, number = named[0]
    return moments.normal(f"{year:04}-{month:02}-{number:02}{_time(text)}")


def _time(text: str) -> str:
    """The time of day that a text names, behind a blank; "" if it names none."""
    match = _TIME.search(text)
    if match is None:
        return ""
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return f" {hour:02}:{match['minute']}{match['second'] or ''}{match['zone'] or ''}"


def converted(data: bytes, note: Memory, identity: str) -> bytes:
    """The bytes of a note with frontmatter: what it lacks added, dates, category and tags in the usual form.

    The text under the header keeps its bytes. Raises NoteError for a header that cannot be read.
    """
    additions: dict[str, Value] = {"id": identity, "title": _title(note), "source": "import"}
    data = fields.to_frontmatter(data, additions, note.path)
    fixes: dict[str, Value] = {}
    if created := moment(note.meta.get("created")):
        fixes["created"] = created
    category = ", ".join(note.strings("category")).strip("[]").lower()
    if category in CATEGORIES:
        fixes["category"] = category
    if isinstance(note.meta.get("tags"), str):
        fixes["tags"] = list(candidates.tags_of(note.text("tags")))
    return fields.set_fields(
        data, {key: new for key, new in fixes.items() if new != note.meta.get(key)}, note.path
    )


def _title(note: Memory) -> str:
    return note.text("title") or note.heading or memory.name_words(old_name(note.path))


def old_name(path: str) -> str:
    """The name of a note of the old tree: without folders and ending, whatever its case."""
    return splitext(basename(path))[0]


def new_name(note: Memory, taken: Callable[[str], bool]) -> str:
    """A name by the protocol that is free: the old one, if need be in lower case; else of the title."""
    for name in (old_name(note.path), "_".join(naming.words_of(old_name(note.path)))):
        if is_good(name) and not taken(name):
            return name
    return naming.make(_title(note), note.body, taken)


def is_good(name: str) -> bool:
    """Whether a name is within the protocol."""
    return not any(finding.severity == "error" for finding in naming.check(name))


class LegacyRelinker:
    """Links between the notes of the old tree, as they are to be in the vault.

    `moves` is old path (relative to the tree) -> new path (relative to the vault). `ambiguous` collects
    (old path, target) of links that may mean several notes: they stay as they were.
    """

    def __init__(self, moves: Mapping[str, str]) -> None:
        self.moves = moves
        self.ambiguous: list[tuple[str, str]] = []
        self._paths = {_folded(old): old for old in moves}
        self._named: dict[str, list[str]] = {}
        for old in moves:
            self._named.setdefault(basename(_folded(old)), []).append(old)

    def relinked(self, data: bytes, source: str) -> bytes:
        """The bytes of the note that lay at `source`, with its links to other notes of the tree updated."""
        bom = BOM if data.startswith(BOM) else b""
        text = data.removeprefix(BOM).decode("utf-8")
        return bom + links.replace(text, lambda place: self._target(place, source)).encode()

    def _target(self, place: LinkPlace, source: str) -> str | None:
        ending = ".md" if place.target.lower().endswith(".md") else ""
        if not place.wiki or place.target.startswith(("./", "../")):
            beside = self._paths.get(_folded(normpath(join(dirname(source), place.target))))
            if beside is not None:
                way = layout.relative(self.moves[beside], self.moves[source])
                return place.target if _folded(way) == _folded(normpath(place.target)) else _ended(way, ending)
        old = self._meant(place.target, source)
        if old is None or f"/{_folded(self.moves[old])}".endswith("/" + _folded(place.target)):
            return None
        if place.wiki:
            return memory.stem(self.moves[old]) + ending
        return _ended(layout.relative(self.moves[old], self.moves[source]), ending)

    def _meant(self, target: str, source: str) -> str | None:
        """The one note that a link by name, or by the end of a path, means."""
        wanted = _folded(target)
        named = self._named.get(basename(wanted), [])
        exact = [old for old in named if _folded(old) == wanted]
        meant = exact or [old for old in named if f"/{_folded(old)}".endswith("/" + wanted)]
        if len(meant) > 1:
            self.ambiguous.append((source, target))
        return meant[0] if len(meant) == 1 else None


def _folded(path: str) -> str:
    folded = naming.fold(path.strip("/"))
    return folded.removesuffix(".md")


def _ended(way: str, ending: str) -> str:
    return way.removesuffix(".md") + ending
