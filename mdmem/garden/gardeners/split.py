"""Split: an oversized note with sections becomes one note for each section, and a page that links to them.

Afterwards every line stands in exactly one of the notes. Wikilinks to a section lead to the note it is in now.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime
from posixpath import dirname, join
from typing import Any, NamedTuple

from mdmem.garden.gardeners.consolidate import MASTER
from mdmem.garden.gardeners.edits import Workspace
from mdmem.garden.gardeners.note import Ground, Note, links_to
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings, Proposal, attempt
from mdmem.language.sureness import SURE
from mdmem.note import blocks, dates, fields, links, memory, naming, tokens
from mdmem.note.properties import RECORD_TYPES, RELATIONS
from mdmem.store.index.edges import fold_target

_LEAST = 40  # least tokens of a section that is worth a note
_FEWEST = 2  # least number of such sections in a note that is split
_OWN = {"id", "title", "aliases", "updated", "status", *RELATIONS}  # what stays with the page
_LOGS = re.compile(r"(?:^|_)(?:log|logs|diary|journal|changelog|logbuch|tagebuch|protokoll)(?:_|$)")
_SHARED = re.compile(r"^ {0,3}\[[^\[\]]+\]:|<!-- mdmem:", re.M)  # what sections share, or a program made
_ANCHORED = re.compile(r"\[\[(?P<name>[^\[\]|#\n]*)#(?P<anchor>[^\[\]|\n]+)")


class NotePart(NamedTuple):
    """A part of a text: its heading ("" outside of sections), its text with the heading, its first line."""

    heading: str
    text: str
    line: int

    @property
    def is_worth_a_note(self) -> bool:
        return bool(self.heading) and tokens.estimate(self.text) >= _LEAST


def plan(ground: Ground, settings: GardenSettings, now: datetime) -> Iterator[Found]:
    """Proposals to split each oversized note that has sections to split it by."""
    del now
    given: set[str] = set()
    for note in ground.notes:
        if not is_oversized(note, settings) or not _may_be_split(note):
            continue
        parts = sections(note.body)
        if sum(part.is_worth_a_note for part in parts) < _FEWEST:
            continue
        yield attempt("split", note.path, _Split(ground, note, parts, given).proposal, settings)


def is_oversized(note: Note, settings: GardenSettings) -> bool:
    """Whether a note has more tokens than the settings allow; the masters of topics may have more."""
    is_candidate = note.is_active and not note.name.endswith(MASTER)
    return is_candidate and note.size > settings.oversize_tokens


def _may_be_split(note: Note) -> bool:
    """Whether a person or an agent wrote the note, and it is not a record, a log or a page made from others."""
    is_made = note.text("source") == "derived" or bool(note.text("made"))
    is_log = _LOGS.search(fold_target(note.name)) or any(_LOGS.search(tag.casefold()) for tag in note.tags)
    return not (is_made or is_log or note.type in RECORD_TYPES or _SHARED.search(note.body))


def sections(text: str) -> list[NotePart]:
    """The parts of a text in order: its sections, and what stands before, between and after them.

    Sections are those of the highest heading level that occurs more than once. A text with a day in such a heading
    is a log, and has none.
    """
    found = list(blocks.headings(text))
    levels = Counter(heading.level for heading in found)
    level = min((level for level, count in levels.items() if count >= _FEWEST), default=0)
    own = [heading for heading in found if heading.level <= level]
    if any(dates.whole_days(heading.text) for heading in own):
        return []
    lines = text.split("\n")
    starts = [(1, ""), *((heading.line, heading.text if heading.level == level else "") for heading in own)]
    ends = [line - 1 for line, _ in starts[1:]] + [len(lines)]
    return [
        NotePart(heading, "\n".join(lines[line - 1 : end]), line)
        for (line, heading), end in zip(starts, ends, strict=True)
    ]


class _Split:
    """The split of one note; `given` are the names that other splits of the plan have taken."""

    def __init__(self, ground: Ground, note: Note, parts: Sequence[NotePart], given: set[str]) -> None:
        self.ground, self.note, self.parts = ground, note, parts
        self._paths = {
            part: join(dirname(note.path), f"{ground.free_name(self._title(part), part.text, given)}.md")
            for part in parts
            if part.is_worth_a_note
        }
        self._holding: dict[str, set[int]] = defaultdict(set)  # anchor -> the places of the parts that have it
        for at, part in enumerate(parts):
            for anchor in _anchors(part.text):
                self._holding[anchor].add(at)

    def proposal(self, settings: GardenSettings) -> Proposal | None:
        """The proposal to split the note; None if that changes nothing. Raises NoteError, MdmemError."""
        work = Workspace(self.ground, "split")
        for part, path in self._paths.items():
            work.create(path, memory.render(self._meta(part, path), self._led(part.text, path).strip("\n")))
        page = self._led("\n\n".join(self._page()), self.note.path)
        work.write(self.note, fields.set_body(self.note.data, page, self.note.path))
        for other in self.ground.linking(self.note):
            if other.is_episode:
                continue
            text = self._led(other.data.decode(), other.path)
            if text.encode() != other.data:
                work.write(other, text.encode())
        size = f"has {self.note.size} tokens, over {settings.oversize_tokens}"
        first = self.note.body_line - 1
        headings = (Evidence(self.note.path, first + part.line, part.heading) for part in self._paths)
        title = f"split {self.note.name} into {len(self._paths)} notes, one for each section"
        why = (Evidence(self.note.path, 0, size), *headings)
        return work.proposal("revise", title, SURE["split"], why, [self.note])

    def _title(self, part: NotePart) -> str:
        """The heading of a part, after the title of the note if it says too little by itself."""
        is_enough = len(naming.words_of(part.heading)) >= naming.MIN_WORDS
        return part.heading if is_enough else f"{self.note.title}: {part.heading}"

    def _meta(self, part: NotePart, path: str) -> dict[str, Any]:
        """The properties of a part: those of the whole note, except the ones that stay with the page."""
        carried = {key: value for key, value in self.note.meta.items() if key not in _OWN}
        return {
            "id": memory.derived_id(path, self.note.id),
            "title": self._title(part),
            "created": self.note.created or None,
            **carried,
            "tags": list(self.note.tags) or None,
            "derived_from": links_to([self.note]),
        }

    def _page(self) -> Iterator[str]:
        """The blocks of the page: what stays of the note, and links in place of the sections that leave."""
        links_here: list[str] = []
        for part in self.parts:
            if part in self._paths:
                links_here.append(f"- [[{memory.stem(self._paths[part])}]]")
            elif part.text.strip():
                yield from ["\n".join(links_here)] if links_here else []
                links_here = []
                yield part.text.strip("\n")
        yield from ["\n".join(links_here)] if links_here else []

    # -- links to sections ---------------------------------------------------------------------------------

    def _led(self, text: str, source: str) -> str:
        """The text of the file `source`, with wikilinks to the sections leading to the notes they are in now."""
        bare = links.without_code(text)
        is_within = source == self.note.path or source in self._paths.values()
        for match in reversed(list(_ANCHORED.finditer(bare))):
            name = match["name"].strip()
            is_meant = is_within if not name else self.ground.named(fold_target(name)) == [self.note.path]
            home = self._home(match["anchor"]) if is_meant else ""
            if home and home != (self.note.path if name else source):
                text = f"{text[: match.start('name')]}{memory.stem(home)}{text[match.end('name') :]}"
        return text

    def _home(self, anchor: str) -> str:
        """The path of the note that will hold what an anchor names, the first in the text; "" if none does.

        `Roof#Gutter` is the heading Gutter of the section Roof.
        """
        names = (name.strip() for name in anchor.split("#"))
        holding = [self._holding[_key(name)] for name in names if name]
        places = sorted(holding, key=len)[0].intersection(*holding) if holding else ()
        return self._paths.get(self.parts[min(places)], self.note.path) if places else ""


def _anchors(text: str) -> Iterator[str]:
    """The keys of all anchors in a text: those of its headings, and after `^` those of its blocks."""
    yield from (_key(heading.text) for heading in blocks.headings(text))
    last = (line.rstrip().rpartition(" ")[2] for line in text.split("\n"))
    yield from (word for word in last if word.startswith("^"))


def _key(anchor: str) -> str:
    """A key that all spellings of an anchor share; a block has only one."""
    if anchor.startswith("^"):
        return anchor
    return "".join(char for char in anchor.replace("%20", " ").casefold() if char.isalnum())
