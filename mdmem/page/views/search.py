"""The views of a search and of the list of all memories."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mdmem.page.links import PageLinks
from mdmem.page.views.parts import PartLinks, part_links

_PART = re.compile(r'(?P<filter>-?[^\W\d][\w-]*:(?:"[^"]*"|[^\s"]+)|-"[^"]*"|-[^\s"]+)|"[^"]*"|[^\s"]+')
_STRONGEST = 6  # signals shown for an answer


class Chip(NamedTuple):
    """A filter: its text, and the address of the search with the filter added or removed."""

    words: str
    address: str
    count: int = 0  # type: ignore[assignment]  # it hides tuple.count, which nobody needs here


class Reason(NamedTuple):
    """A signal's contribution to a score."""

    signal: str
    value: float
    share: int  # percent of the strongest


class SnippetPiece(NamedTuple):
    """A piece of a snippet, and whether it matched the query."""

    text: str
    is_marked: bool


class FoundMemory(NamedTuple):
    """An answer with its reasons, the strongest first, and its snippet in pieces."""

    value: Mapping[str, Any]
    reasons: Sequence[Reason]
    snippet: Sequence[SnippetPiece]


class SearchView(NamedTuple):
    """A search: `chosen` are its filters, `offered` are filters that would narrow it."""

    title: str
    query: str
    as_of: str
    answers: Sequence[FoundMemory]
    chosen: Sequence[Chip]
    offered: Sequence[Chip]


class MemoriesView(NamedTuple):
    """A part of the list of all memories."""

    title: str
    total: int
    memories: Sequence[Mapping[str, Any]]
    hidden: Sequence[Mapping[str, Any]]
    parts: PartLinks


def view(value: Mapping[str, Any], links: PageLinks) -> SearchView:
    """The view for a value of `reading.search.read`."""
    query, as_of = value["query"], value["as_of"]

    def address(words: str) -> str:
        return links.to("search", q=words, as_of=as_of)

    return SearchView(
        title=f"Search: {query}" if query else "Search",
        query=query,
        as_of=as_of,
        answers=[
            FoundMemory(answer, reasons_of(answer["signals"]), pieces_of(answer["snippet"]))
            for answer in value["answers"]
        ],
        chosen=[Chip(match["filter"], address(_without(query, match))) for match in _filters(query)],
        offered=[
            Chip(f"{key}: {name}", address(f"{query} {key}:{_quoted(name)}"), count)
            for key, values in value["facets"].items()
            for name, count in values.items()
        ],
    )


def view_all(value: Mapping[str, Any], links: PageLinks) -> MemoriesView:
    """The view for a value of `reading.search.read_all`."""
    parts = part_links(value, "memories", links)
    return MemoriesView("Memories", value["total"], value["memories"], value["hidden"], parts)


def _filters(query: str) -> list[re.Match[str]]:
    return [match for match in _PART.finditer(query) if match["filter"]]


def _without(query: str, match: re.Match[str]) -> str:
    return " ".join((query[: match.start()] + query[match.end() :]).split())


def _quoted(text: str) -> str:
    return f'"{text}"' if re.search(r"\s", text) else text


def pieces_of(snippet: str) -> list[SnippetPiece]:
    """The pieces of a snippet in which `**` surrounds each match; an unpaired `**` is part of the text."""
    texts = snippet.split("**")
    if len(texts) % 2 == 0:
        texts[-2:] = ["**".join(texts[-2:])]
    return [SnippetPiece(text, at % 2 == 1) for at, text in enumerate(texts) if text]


def reasons_of(signals: Mapping[str, float]) -> list[Reason]:
    """The strongest signals of a score."""
    strongest = sorted(((name, value) for name, value in signals.items() if value), key=lambda item: -abs(item[1]))
    most = max((abs(value) for _, value in strongest), default=1.0)
    return [Reason(name, value, round(100 * abs(value) / most)) for name, value in strongest[:_STRONGEST]]
