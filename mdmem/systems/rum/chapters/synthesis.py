"""Writes, by rule, the text of a chapter from its works, and the text of wisdom from several chapters.

The same works give the same text. Each line comes with the ids of the memories it is based on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from mdmem.systems.rum.schema import Record

MIN_WORKS = 3  # works with a tag or task type in common that make a chapter
MIN_CHAPTERS = 2  # chapters that wisdom needs
TOPICS = 5
_TOLD = 3  # goals and outcomes in a summary
_PRACTICE = re.compile(r"\b(?:should|avoid|prefer|best|never|always|don't|do not|must)\b", re.I)


class SourcedLine(NamedTuple):
    """A text, and the ids of the memories it is based on."""

    text: str
    ids: tuple[str, ...] = ()


class PageText(NamedTuple):
    """The text of a chapter or of wisdom: a summary, lists of lines by their field, tags, and its span of time.

    `start` and `end` are in Unix seconds.
    """

    summary: str
    lists: Mapping[str, tuple[SourcedLine, ...]]
    tags: tuple[str, ...]
    start: float
    end: float


def groups(works: Iterable[Record], least: int = MIN_WORKS) -> dict[str, tuple[str, ...]]:
    """key -> ids, oldest first, of the works of a project that share a tag, or else a task type.

    The key is the tag, or `task:TYPE`. At least `least` works make a group.
    Groups of the same works are merged under the tag that comes first in the alphabet.
    """
    by_key: dict[str, list[Record]] = {}
    for work in works:
        for key in work.get("tags") or [f"task:{work['intent']['task_type']}"]:
            by_key.setdefault(key, []).append(work)
    found: dict[tuple[str, ...], str] = {}
    for key in sorted(by_key):
        ids = tuple(work["id"] for work in in_order(by_key[key]))
        if len(ids) >= least:
            found.setdefault(ids, key)
    return {key: ids for ids, key in found.items()}


def title_of(key: str) -> str:
    """The title of the chapter for a tag, or for `task:TYPE`."""
    task = key.removeprefix("task:")
    return f"Works of type {task.replace('_', ' ')}" if task != key else f"Works on {key.replace('_', ' ')}"


def in_order(works: Iterable[Record]) -> list[Record]:
    """Works, oldest first."""
    return sorted(works, key=lambda work: (work.get("created_at", 0), work["id"]))


def chapter_of(works: Sequence[Record]) -> PageText:
    """The text of a chapter of one or more valid works."""
    ordered = in_order(works)
    learned = ((text, work["id"]) for work in ordered for text in work["outcome"].get("learnings", ()))
    return PageText(
        _summary(ordered),
        {"learnings": _merged(learned)},
        _by_frequency(ordered),
        ordered[0].get("created_at", 0),
        ordered[-1].get("created_at", 0),
    )


def _summary(works: Sequence[Record]) -> str:
    """How many works there are and how many failed, then the first goals and outcomes."""
    failed = [work for work in works if not work["outcome"]["success"]]
    goals = "; ".join(_plain(work["intent"]["goal"]) for work in works[:_TOLD])
    outcomes = "; ".join(_plain(work["outcome"]["summary"]) for work in works[:_TOLD])
    counted = f"{len(works)} works" if len(works) > 1 else "1 work"
    return f"{counted}, {len(failed)} failed. Goals: {goals}. Outcomes: {outcomes}."


def wisdom_of(chapters: Sequence[Record], projects: Mapping[str, Sequence[Record]]) -> PageText:
    """The text of wisdom made of valid chapters; `projects` maps the id of a chapter to its works.

    Insights are the learnings of the works, best practices the insights that give advice, patterns what several
    chapters share: tags, and kinds of failure.
    """
    ordered = sorted(chapters, key=lambda chapter: (chapter["start_ts"], chapter["id"]))
    insights = _merged(pair for chapter in ordered for pair in _learned(chapter, projects.get(chapter["id"], ())))
    summaries = " | ".join(_plain(chapter.get("title") or chapter["summary"]) for chapter in ordered)
    lists = {
        "insights": insights,
        "patterns": (*_shared_tags(ordered), *_shared_failures(ordered, projects)),
        "best_practices": tuple(line for line in insights if _PRACTICE.search(line.text)),
    }
    return PageText(
        f"Synthesis across {len(ordered)} chapters: {summaries}",
        lists,
        _by_frequency(ordered),
        min(chapter["start_ts"] for chapter in ordered),
        max(chapter["end_ts"] for chapter in ordered),
    )


def _learned(chapter: Record, works: Sequence[Record]) -> Iterable[tuple[str, str]]:
    """(text, id) of each learning in a chapter, with the works that it comes from, else with the chapter."""
    for text in chapter.get("learnings", ()):
        sources = [work["id"] for work in works if _key(text) in map(_key, work["outcome"].get("learnings", ()))]
        yield from ((text, id) for id in sources or [chapter["id"]])


def _shared_tags(chapters: Sequence[Record]) -> Iterable[SourcedLine]:
    for tag in _by_frequency(chapters):
        ids = tuple(chapter["id"] for chapter in chapters if tag in chapter.get("tags", ()))
        if len(ids) >= MIN_CHAPTERS:
            yield SourcedLine(f"'{tag}' comes up in {len(ids)} chapters", ids)


def _shared_failures(
    chapters: Sequence[Record], projects: Mapping[str, Sequence[Record]]
) -> Iterable[SourcedLine]:
    """The failure categories of several chapters, each with the works that failed in that way."""
    failed: dict[str, dict[str, list[str]]] = {}
    for chapter in chapters:
        for work in projects.get(chapter["id"], ()):
            category = work["outcome"].get("failure_category")
            if category:
                failed.setdefault(category, {}).setdefault(chapter["id"], []).append(work["id"])
    for category, by_chapter in sorted(failed.items()):
        ids = tuple(dict.fromkeys(id for works in by_chapter.values() for id in works))
        if len(by_chapter) >= MIN_CHAPTERS and len(ids) > 1:
            told = f"{len(ids)} works of {len(by_chapter)} chapters failed so"
            yield SourcedLine(f"{category.replace('_', ' ')}: {told}", ids)


def _merged(pairs: Iterable[tuple[str, str]]) -> tuple[SourcedLine, ...]:
    """(text, id) pairs as lines: each text once, with all the ids it comes from."""
    ids: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for text, id in pairs:
        if key := _key(text):
            texts.setdefault(key, _plain(text))
            ids.setdefault(key, []).append(id)
    return tuple(SourcedLine(texts[key], tuple(dict.fromkeys(ids[key]))) for key in texts)


def _by_frequency(records: Iterable[Record]) -> tuple[str, ...]:
    """The tags of works or chapters, the most frequent first."""
    counts = Counter(tag for value in records for tag in value.get("tags", ()))
    return tuple(sorted(counts, key=lambda tag: (-counts[tag], tag)))


def _key(text: str) -> str:
    return _plain(text).casefold()


def _plain(text: str) -> str:
    return " ".join(text.split()).rstrip(".;")
