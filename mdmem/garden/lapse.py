"""Finds notes that are over: reminders whose day has passed, finished tasks, and passing states. They become past.

Nothing is removed. Recurring and future events stay as they are, and so do decisions, preferences and diaries.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from mdmem.garden.gardeners.deprecate import line_of
from mdmem.garden.gardeners.note import Note
from mdmem.garden.gardeners.proposal import Evidence
from mdmem.language.lapse import days, passing
from mdmem.language.lapse.days import NamedDay
from mdmem.language.sureness import SURE
from mdmem.note import decay
from mdmem.note.memory import as_flag

PLAIN_TYPES = frozenset(("", "note", "working", "task", "reminder"))  # types of notes that may be about one day
_SETTLED = timedelta(days=14)  # after this long a passing state is over
_LONGEST = 1000  # characters of a note that is searched for days; longer ones name days for many reasons
_DEADLINE = re.compile(
    r"\b(?:by|until|till|due|deadline|before|no later than|expires?|bis|spätestens|fällig|hasta|antes|vence|caduca"
    r"|jusqu'au|avant|d'ici)\b",
    re.I,
)
_TASK = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+\[(?P<mark>.)\]\s", re.M)
_OTHER_LINE = re.compile(r"^(?!\s*(?:[-*+]|\d+[.)])\s+\[.\]\s)(?!\s*#)\s*\S", re.M)
_DONE = frozenset("xX")


class Lapse(NamedTuple):
    """Why a note is past: the line that shows it, how sure that is (0-1), and the reason in words.

    `certain` is whether a property, a deadline or the ticked boxes say so.
    """

    why: Evidence
    sure: float
    reason: str = "its day is over"
    certain: bool = False


class _DayOfLine(NamedTuple):
    day: NamedDay
    line: int
    text: str


def lapse(note: Note, today: date) -> Lapse | None:
    """Why a note is past as of `today`; None if it is not, or is marked as past already."""
    if not note.is_active or as_flag(note.meta.get("pinned")):
        return None
    rules = {"future": (_done, _dated), "present": (_settled,)}.get(note.text("category"), ())
    due = decay.due(note.meta)
    if rules and due:
        key, day = due
        why = Evidence(note.path, line_of(note, key), f"{key}: {note.text(key)}")
        return Lapse(why, SURE["task.due"], certain=True) if day < today else None
    return next(filter(None, (rule(note, today) for rule in rules)), None)


def _done(note: Note, _: date) -> Lapse | None:
    """The lapse of a list of tasks that are all ticked off."""
    marks = {match["mark"] for match in _TASK.finditer(note.body)}
    if not marks or not marks <= _DONE or _OTHER_LINE.search(note.body):
        return None
    reason = "every task is done"
    return Lapse(Evidence(note.path, note.body_line, reason), SURE["task.done"], reason, certain=True)


def _dated(note: Note, today: date) -> Lapse | None:
    """The lapse of a task whose day is over; the day is a date, or relative to the day of writing."""
    last = _last_day(note)
    if last is None or last.day.last >= today:
        return None
    if days.recurs(f"{note.title}\n{note.body}"):
        return None
    if _DEADLINE.search(last.text):
        kind = "task.deadline"
    else:
        is_reminder = note.text("type") in PLAIN_TYPES and not days.told(last.text)
        kind = "task.day" if is_reminder else "task.dated"
    why = Evidence(note.path, last.line, last.text.strip())
    return Lapse(why, SURE[kind], certain=kind == "task.deadline")


def _last_day(note: Note) -> _DayOfLine | None:
    """The last day that a note names; None if it names none, or if that day is before the note was written."""
    if note.length > _LONGEST:
        return None
    written = note.moment.date()
    lines = [(1, note.title), *enumerate(note.body.split("\n"), note.body_line)]
    named = days.named_days([text for _, text in lines], written)
    found = [_DayOfLine(day, *lines[at]) for at, day in named]
    last = max(found, key=lambda one: (one.day.last, one.line), default=None)
    return last if last and last.day.last >= written else None


def _settled(note: Note, today: date) -> Lapse | None:
    """The lapse of a plain note that described a passing state weeks ago."""
    if note.text("type") not in PLAIN_TYPES or note.moment.date() + _SETTLED > today or note.links:
        return None
    text = note.body.strip() if note.length <= _LONGEST else ""
    sure = passing.sureness(text)
    if not sure or days.recurs(f"{note.title}\n{text}"):
        return None
    last = _last_day(note)
    is_ahead = last is not None and last.day.last >= today
    why = Evidence(note.path, note.body_line, text)
    return None if is_ahead else Lapse(why, sure, "it told of a passing state")
