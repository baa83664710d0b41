"""Which memories a session starts with: those to keep in mind, open tasks, what fits the context, what is new.

What is to be kept in mind takes half of the places at most: those who have many preferences hear of the project.
Without a context, decisions in force, the project's own first, and its newest memories say what it is. Nothing
only fills the page: with a context none that shares nothing with it, and none that came with many in one import.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from itertools import islice
from typing import NamedTuple

from mdmem.history.news import News
from mdmem.note import memory, segment
from mdmem.note.filters import Filter
from mdmem.note.memory import as_flag, as_number, project_of
from mdmem.recall import ask, validity
from mdmem.recall.ask import Answer
from mdmem.recall.validity import Circumstances
from mdmem.session.sources import Sources
from mdmem.store.index.port import FACT, MEMORY, IndexedNote
from mdmem.store.index.selection import passes
from mdmem.store.index.successor import GONE
from mdmem.store.operation import Caller
from mdmem.write import remember

KEPT_TAG = "do_not_forget"  # or do-not-forget
KEPT_IMPORTANCE = 0.9  # a memory of this importance or more is not to be forgotten
ENOUGH = 5  # memories; a pack of fewer is filled

PINNED, KEPT, PREFERENCE, TASK, RECALLED, CHANGED, DECISION, NEWEST = REASONS = (
    "pinned",
    "do not forget",
    "preference",
    "next task",
    "recalled",
    "changed",
    "decision",
    "newest",
)
SHOWN = "shown before"
_DECIDED = ("decision", "pattern")  # types of what holds until it is replaced
_AHEAD = "future"
_TASKS = 100  # newest open tasks that are considered
_SURE = 2  # place of the answer, of many, of which others need half the score
_ABOUT_PROJECT = 5  # memories that say what a project is, where there is no context
_NEWEST, _LOOKED_AT = 12, 60  # newest memories that are shown and considered
_AT_ONCE = 8  # memories of one commit were imported, and are not news
_PATIENCE = 20  # times as many memories as wanted are compared for twins
_BEGINNING = 10_000  # characters: to look for the end of each comment takes time by the square
_SYNTAX = re.compile(r'(?<!\S)-+|["“”„]|:(?=\S)')  # of queries; a context is only words
_SAYS_NOTHING = re.compile(  # headings, embeds, rules, empty items, comments, and placeholders of templates
    r"(?m)^[ \t]*(?:#{1,6}[ \t].*|[-*_ ]+|[-*+][ \t]*(?:\[.\])?[ \t]*|>?[ \t]*!\[.*\](?:\(.*\))?|.*(?:\{\{|<%).*)$"
    r"|(?s:^```(?:dataview|base|tasks|query)\b.*?^```$)|%%[^%]*%%|<!--.*?-->"
)


class Marked(NamedTuple):
    """Memories in force that somebody marked: those to keep in mind and why, pinned ones first, and open tasks,
    those due first and then the newest without a day.
    """

    kept: list[tuple[IndexedNote, str]]
    tasks: list[IndexedNote]


class Chosen(NamedTuple):
    """A memory of a pack and why it is there."""

    answer: Answer
    why: str


def as_words(text: str) -> str:
    """A text without the syntax of queries."""
    return _SYNTAX.sub(" ", text).strip()


def says_something(body: str) -> bool:
    """Whether a text is more than embeds, headings and the placeholders of a template, as its beginning tells."""
    return bool(segment.words(_SAYS_NOTHING.sub("", body[:_BEGINNING])))


def marked(sources: Sources, conditions: Sequence[Filter], now: datetime) -> Marked:
    """The memories that are marked to matter in any context; a task whose day is over does not."""
    marked = sources.of_each(lambda index: index.marked(_AHEAD, "forget", KEPT_IMPORTANCE))
    living = list(_living(sources, marked, conditions))
    kept = [(record, why) for record in living if (why := _is_kept(record))]
    kept.sort(key=lambda item: REASONS.index(item[1]))
    tasks = _ahead(sources, (one for one in living if one.category == _AHEAD), now)
    return Marked(kept, tasks)


def open_tasks(sources: Sources, now: datetime) -> list[IndexedNote]:
    """The tasks whose day is not over: those due first, then the newest."""
    return _ahead(sources, _living(sources, sources.of("category", _AHEAD), ()), now)


def _living(sources: Sources, found: Iterable[IndexedNote], conditions: Sequence[Filter]) -> Iterator[IndexedNote]:
    away = sources.away(conditions)
    for record in found:
        if passes(record, conditions) and record.status not in GONE and sources.key(record) not in away:
            yield record


def _ahead(sources: Sources, ahead: Iterator[IndexedNote], now: datetime) -> list[IndexedNote]:
    tasks = sorted(islice(_open(sources, ahead, now.date()), _TASKS), key=lambda task: task[0])
    return [record for _, record in tasks]


def _is_kept(record: IndexedNote) -> str:
    """PINNED or KEPT for a memory that is marked so, "" for any other."""
    if as_flag(record.meta.get("pinned")):
        return PINNED
    tagged = KEPT_TAG in (memory.fold(tag).replace("-", "_") for tag in record.tags)
    is_kept = tagged or (as_number(record.meta.get("importance")) or 0.0) >= KEPT_IMPORTANCE
    return KEPT if is_kept else ""


def _open(sources: Sources, ahead: Iterator[IndexedNote], today: date) -> Iterator[tuple[date, IndexedNote]]:
    """(day, task) of the tasks whose day is not over; texts are read in batches."""
    while batch := list(islice(ahead, _TASKS)):
        texts = zip(batch, sources.texts(batch), strict=True)
        dated = (
            (validity.task_day(record.meta, f"{record.title}\n{text.body}", record.created), record)
            for record, text in texts
        )
        yield from (task for task in dated if task[0] >= today)


class Wanted(NamedTuple):
    """What a pack is for: the words of a context, filters, the most memories, ids `shown` before, the caller."""

    context: str
    conditions: tuple[Filter, ...]
    files: int
    shown: frozenset[str]
    who: Caller


def choose(sources: Sources, wanted: Wanted, known: Marked, news: News) -> list[Chosen]:
    """The memories of a pack, in the order of REASONS."""
    choice = _Choice(sources, wanted)
    found = _recalled(sources, wanted)
    asked = {sources.key(answer.hit.record): answer for answer in found}
    half = wanted.files // 2 if wanted.context or wanted.who.project else wanted.files
    choice.fill(_kept(sources, known, choice), half)
    choice.fill(((record, TASK) for record in _tasks(known, choice, wanted)), (half + wanted.files) // 2)
    choice.fill((answer.hit.record, RECALLED) for answer in found)
    choice.fill((sources.own(change.record), CHANGED) for change in news.changes if change.record)
    own = _decisions(sources.of_projects(choice.is_own))
    if wanted.context:
        choice.fill(own, ENOUGH)
    else:
        choice.fill(own)
        newest = sorted(sources.of_projects(choice.is_worked_on), key=lambda one: one.created, reverse=True)
        choice.fill((record, NEWEST) for record in newest)
        choice.fill(_decisions(filter(choice.is_at_home, sources.of("type", *_DECIDED))))
        choice.fill(((record, NEWEST) for record in _newest(sources, choice)), _NEWEST)
    chosen = sorted(choice.chosen.items(), key=lambda item: REASONS.index(item[1]))
    rest = sources.at([key for key, _ in chosen if key not in asked])
    every = asked | {sources.key(answer.hit.record): answer for answer in sources.about(rest)}
    return _marked(sources, [Chosen(every[key], why) for key, why in chosen if key in every], wanted.who)


def _marked(sources: Sources, found: Sequence[Chosen], who: Caller) -> list[Chosen]:
    """Memories with what git says of their code; those of another branch come last among those of their reason."""
    view = sources.view(who)
    answers = view.marked([item.answer for item in found])
    aside = view.aside([answer.hit.record for answer in answers]) if view.aside else ()
    items = [Chosen(answer, item.why) for answer, item in zip(answers, found, strict=True)]
    return sorted(items, key=lambda item: (REASONS.index(item.why), item.answer.hit.record.path in aside))


def _kept(sources: Sources, known: Marked, choice: _Choice) -> Iterator[tuple[IndexedNote, str]]:
    """What is to be kept in mind, that of another project last; preferences of another one not at all."""
    yield from (item for item in known.kept if choice.is_at_home(item[0]))
    yield from ((one, PREFERENCE) for one in sources.of("type", "preference") if choice.is_at_home(one))
    yield from (item for item in known.kept if not choice.is_at_home(item[0]))


def _decisions(found: Iterable[IndexedNote]) -> Iterator[tuple[IndexedNote, str]]:
    """The decisions and patterns among memories, without those that are tasks."""
    return ((one, DECISION) for one in found if one.type in _DECIDED and one.category != _AHEAD)


def _tasks(known: Marked, choice: _Choice, wanted: Wanted) -> list[IndexedNote]:
    """The open tasks of everybody and of the project; where no project is meant, then those of any."""
    own = [record for record in known.tasks if choice.is_at_home(record)]
    if wanted.who.project or any(project_of(record.meta) for record in own):
        return own
    return own + [record for record in known.tasks if record not in own]


def _recalled(sources: Sources, wanted: Wanted) -> list[Answer]:
    """What recall finds for the context, else for the name of the project: only what shares something with it."""
    project = wanted.who.project
    text, most = (wanted.context, wanted.files) if wanted.context else (as_words(project), _ABOUT_PROJECT)
    if not text:
        return []
    # near a mere name is everything; and without a model a session starts in half the time
    query = ask.Query((text,), wanted.conditions, most, project=project, by_words=not wanted.context)
    answers = [answer for answer in sources.ask(query, wanted.who.now) if not answer.hit.successor]
    near = [answer for answer in answers if answer.hit.found or answer.hit.signals.get("meaning")]
    least = near[_SURE].hit.score / 2 if len(near) > ENOUGH else 0.0
    return [answer for answer in near if answer.hit.score >= least]


def _newest(sources: Sources, choice: _Choice) -> Iterator[IndexedNote]:
    """The newest memories of no other project, if little is chosen, without those that came in one import."""
    if len(choice.chosen) >= ENOUGH:
        return
    latest = [record for record in islice(sources.newest(), _LOOKED_AT) if choice.is_at_home(record)]
    latest.sort(key=lambda record: not project_of(record.meta))
    commits = [answer.commit for answer in sources.about(latest)]
    brought = Counter(
        commit for record, commit in zip(latest, commits, strict=True) if commit and not record.session
    )
    yield from (one for one, commit in zip(latest, commits, strict=True) if brought[commit] < _AT_ONCE)


class _Choice:
    """The memories chosen so far: key -> why; none that is not in force, or that another one says already."""

    def __init__(self, sources: Sources, wanted: Wanted) -> None:
        self.chosen: dict[str, str] = {}
        self._sources = sources
        self._wanted = wanted
        self._away = sources.away(wanted.conditions)
        self._now = Circumstances(wanted.who.now)
        self._words = set(segment.words(wanted.context))
        self._texts: list[str] = []

    def fill(self, records: Iterable[tuple[IndexedNote, str]], limit: int = 0) -> None:
        """Choose more, until there are `limit` (0: all that is wanted), or too many say nothing new."""
        limit = min(limit or self._wanted.files, self._wanted.files)
        patience = _PATIENCE * limit
        for record, why in records:
            if len(self.chosen) >= limit or not patience:
                return
            key = self._sources.key(record)
            if key in self.chosen or record.id in self._wanted.shown or not self._is_in_force(record):
                continue
            patience -= 1
            body = self._sources.body(record)
            if not self._is_worth_it(record, why, body):
                continue
            text = f"{record.title}\n{body}"
            if not any(remember.is_told(text, other) for other in self._texts):
                self.chosen[key] = why
                self._texts.append(text)

    def is_at_home(self, record: IndexedNote) -> bool:
        """Whether a memory is everybody's, or of a project that `is_own`."""
        project = project_of(record.meta)
        return not project or self.is_own(project)

    def is_own(self, project: str) -> bool:
        """Whether a project is the one that is worked on, or one that the context names."""
        return self.is_worked_on(project) or self._words.issuperset(segment.words(project))

    def is_worked_on(self, project: str) -> bool:
        return project.casefold() == self._wanted.who.project.casefold()

    def _is_worth_it(self, record: IndexedNote, why: str, body: str) -> bool:
        if record.category == _AHEAD and record.kind == MEMORY and why not in (PINNED, KEPT):
            day = validity.task_day(record.meta, f"{record.title}\n{body}", record.created)
            return day >= self._now.at.date()
        return why in (PINNED, KEPT, PREFERENCE) or record.kind == FACT or says_something(body)

    def _is_in_force(self, record: IndexedNote) -> bool:
        holds = validity.standing(record.meta, self._now).holds
        is_about = self._sources.key(record) not in self._away and passes(record, self._wanted.conditions)
        return holds and record.status not in GONE and is_about
