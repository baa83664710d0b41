"""What of mdmem reads a text: each reader as a function of the text, for the tests of how its work grows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime

from mdmem.capture import candidates, concepts, proposals
from mdmem.errors import MdmemError, NoteError
from mdmem.garden.gardeners import note as garden_note
from mdmem.garden.gardeners import split
from mdmem.garden.gardeners.proposal import GardenSettings
from mdmem.garden.pairs import figures, near, words
from mdmem.history.merging import conflict
from mdmem.language import orders
from mdmem.note import (
    blocks,
    bullets,
    dates,
    excerpt,
    facts,
    fields,
    links,
    memory,
    naming,
    pieces,
    properties,
    sections,
    segment,
    sentences,
    tags,
    titles,
    tokens,
)
from mdmem.page import markdown
from mdmem.store.index import rows
from mdmem.systems.layers import dialog, extract
from mdmem.systems.layers.documents import EntryMeta
from mdmem.write import remember, secrets
from tests import plans

PATH = "allmemories/boat_of_the_town.md"
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
_PLAIN = b"---\nid: 0192f3c4-7d1e-7c3a-9d53-0c7a6f3e2b11\n---\nThe boat of the town is red.\n"


def _parsed(text: str) -> memory.Memory:
    return memory.parse(text.encode("utf-8", "replace"), PATH)


def _checked(text: str) -> None:
    list(properties.check(_parsed(text)))
    facts.of_memory(_parsed(text))


def _edited(text: str) -> None:
    with suppress(NoteError):
        fields.set_fields(text.encode(), {"status": "active"}, PATH)
        fields.append_body(text.encode(), "The boat is red.", PATH)


def _shown(text: str) -> None:
    body = _parsed(text).body
    for depth in excerpt.DEPTHS:
        excerpt.shown(depth, "Boat", body, text)
    words = set(segment.words(text[:200])[:20])
    excerpt.passage("Boat", body, "", excerpt.best_passage(body, words).snippet)


def _ingested(text: str) -> None:
    with suppress(MdmemError):
        read = dialog.read(text.encode(), "talk.txt")
        extract.summary_of(read, EntryMeta("e1", "2026-01-01T00:00:00Z", "town", "user", "", "", ""))
        dialog.leaks_in(read)


def _gardened(text: str) -> None:
    found = []
    for number, data in enumerate((text.encode(), f"{text}\nThe boat is blue.\n".encode(), _PLAIN)):
        parsed = memory.parse(data, f"allmemories/boat_of_the_town_{number}.md")
        found.append(garden_note.read(parsed, data, "2026-01-01T00:00:00Z"))
    plans.of_notes(found, GardenSettings(), NOW)


def _compared(text: str) -> None:
    words.read(text)
    one, two = (
        garden_note.read(_parsed(body), body.encode("utf-8", "replace"))
        for body in (text, f"{text} The boat is blue.")
    )
    roots = [frozenset(words.indexed(each)[0]) for each in (one, two)]
    told = [figures.told(each, own) for each, own in zip((one, two), roots, strict=True)]
    figures.second_look(*told, near.Weights(dict.fromkeys(roots[0] | roots[1], 1), 2))


READERS: dict[str, Callable[[str], object]] = {
    "title": titles.title_of,
    "name": lambda text: naming.make(titles.title_of(text), text, lambda name: False),
    "secrets": secrets.found,
    "orders": orders.found,
    "citations": lambda text: list(remember._named(text, {})),
    "capture": lambda text: proposals.read(f"User: {text}", "chat.txt"),
    "capture of an assistant": lambda text: proposals.read(f"User: hi\nAssistant: {text}", "chat.txt"),
    "summary": concepts.split,
    "candidates": lambda text: candidates.parse(f"[MEMORY_CANDIDATES]\n{text}", "chat.txt"),
    "text around candidates": candidates.outside,
    "ingest": _ingested,
    "ingest of a turn": lambda text: _ingested(f"User: {text}\nAssistant: yes"),
    "note": _parsed,
    "checks": _checked,
    "conflicts": lambda text: list(conflict.find(text)),
    "edits": _edited,
    "sections": lambda text: sections.read(text, sections.ANY),
    "lists": bullets.whole_list,
    "links": links.places,
    "links replaced": lambda text: links.replace(text, lambda place: "boat"),
    "lines": lambda text: list(blocks.lines(text)),
    "headings": lambda text: list(blocks.headings(text)),
    "pieces": lambda text: list(pieces.split(text)),
    "excerpts": _shown,
    "index": lambda text: rows.of_note(_parsed(text)),
    "hashtags": tags.inline,
    "words": naming.telling,
    "dates": lambda text: (dates.whole_days(text), dates.windows(text), dates.spoken(text, date(2026, 3, 1))),
    "page": lambda text: markdown.html(text, lambda target: ""),
    "split": split.sections,
    "garden": _gardened,
    "comparison": _compared,
    "sentences": lambda text: list(sentences.split(text, ";")),
    "tokens": lambda text: tokens.cut(text, 100),
    "likeness": lambda text: remember.says_the_same(text, f"{text} The boat."),
}  # name -> what it does with a text
