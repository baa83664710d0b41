"""Decay and prune: proposes to remove old memories, if policy allows it and nobody used, pinned or linked them.

Effective salience is computed for the given day and never written back. Only memories that have faded to nothing
(below 0.001) go; a salience floor above that keeps a memory until `max_age`.

Notes that are over become past, and nothing of them is removed (`lapse`): reminders whose day has passed, finished
tasks, and passing states. Recurring and future events stay, and so do decisions, preferences and diaries.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple

from mdmem.garden.gardeners.edits import Workspace, parting
from mdmem.garden.gardeners.note import Ground, Note
from mdmem.garden.gardeners.proposal import Evidence, Found, GardenSettings
from mdmem.language import likeness
from mdmem.language.lapse import days, passing
from mdmem.language.sureness import SURE
from mdmem.note import decay

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
_LONG = 500  # characters: a longer note says something
_ADDED = frozenset(("memory", "note"))  # words that short names are padded with
_UNUSED = timedelta(days=90)  # a note that was not recalled for so long counts as unused

_Case = tuple[str, str, Evidence]  # what would be done, the rule (of SURE) that says so, and where


def plan(ground: Ground, settings: GardenSettings, today: datetime) -> Iterator[Found]:
    """Proposals to remove notes that have faded, or that say nothing."""
    del settings
    for note in ground.notes:
        case = _faded(ground, note, today) or _noise(ground, note)
        if case is None:
            continue
        title, kind, why = case
        work = Workspace(ground, "decay")
        work.write(note, None)
        lost = f"the text of {note.name} (mdmem restore {note.name} brings it back); {parting(ground, note)}"
        yield work.proposal("delete", title, SURE[kind], [why], [note], lost=lost, certain=kind == "decay")


def _faded(ground: Ground, note: Note, today: datetime) -> _Case | None:
    """The case for removing a note whose salience has faded to nothing; None if there is none."""
    salience = _salience(note, today)
    if salience is None or salience >= decay.FADED or not _may_go(ground, note, today):
        return None
    age = (today - note.moment).days
    said = f"salience {salience:.3f} after {age} days, never linked"
    why = Evidence(note.path, note.line_of("decay"), said)
    return f"remove {note.name}, which has faded", "decay", why


def _noise(ground: Ground, note: Note) -> _Case | None:
    """The case for removing a note that only tries out the keyboard or the program; None if there is none."""
    is_kept = note.is_kept or note.is_pinned
    may_go = note.length <= _LONG and note.is_active and note.type in PLAIN_TYPES and not is_kept
    if not (may_go and passing.is_noise(note.body)):
        return None
    tied = note.links or ground.linking(note)
    is_named = set(likeness.telling(note.title)) - set(likeness.telling(note.body)) - _ADDED
    if tied or is_named:
        return None
    return f"remove {note.name}, which says nothing", "noise", Evidence(note.path, note.body_line, note.body)


def _salience(note: Note, today: datetime) -> float | None:
    """The effective salience of a note with `decay` settings and a date; None for any other."""
    if not isinstance(note.meta.get("decay"), dict) or not note.created:
        return None
    return decay.standing(note.meta, note.created, today)


def _may_go(ground: Ground, note: Note, today: datetime) -> bool:
    """Whether policy allows it, and no pin, link or recent recall keeps the note."""
    used = datetime.fromtimestamp(note.last_used, UTC) if note.last_used else None
    return (
        decay.may_be_pruned(note.meta)
        and not note.broken
        and not ground.linking(note)
        and (used is None or today - used > _UNUSED)
    )


# -- what is over ------------------------------------------------------------------------------------------------


class Lapse(NamedTuple):
    """Why a note is past: the line that shows it, how sure that is (0-1), and the reason in words.

    `certain` is whether a property, a deadline or the ticked boxes say so.
    """

    why: Evidence
    sure: float
    reason: str = "its day is over"
    certain: bool = False


def lapse(note: Note, today: date) -> Lapse | None:
    """Why a note is past as of `today`; None if it is not, or is marked as past already."""
    if not note.is_active or note.is_pinned:
        return None
    rules = {"future": (_done, _dated), "present": (_settled,)}.get(note.text("category"), ())
    due = decay.due(note.meta)
    if rules and due:
        key, day = due
        why = Evidence(note.path, note.line_of(key), f"{key}: {note.text(key)}")
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
    day, line, text = _last_day(note) or (today, 0, "")
    if day >= today or days.recurs(f"{note.title}\n{note.body}"):
        return None
    if _DEADLINE.search(text):
        kind = "task.deadline"
    else:
        is_reminder = note.type in PLAIN_TYPES and not days.told(text)
        kind = "task.day" if is_reminder else "task.dated"
    why = Evidence(note.path, line, text.strip())
    return Lapse(why, SURE[kind], certain=kind == "task.deadline")


def _last_day(note: Note) -> tuple[date, int, str] | None:
    """(day, line, its text) of the last day that a note names.

    None if it names none, or if that day is before the note was written.
    """
    if note.length > _LONGEST:
        return None
    written = note.moment.date()
    lines = [(1, note.title), *enumerate(note.body.split("\n"), note.body_line)]
    named = days.named_days([text for _, text in lines], written)
    last = max(((day.last, *lines[at]) for at, day in named), default=None)
    return last if last and last[0] >= written else None


def _settled(note: Note, today: date) -> Lapse | None:
    """The lapse of a plain note that described a passing state weeks ago."""
    if note.type not in PLAIN_TYPES or note.moment.date() + _SETTLED > today or note.links:
        return None
    text = note.body.strip() if note.length <= _LONGEST else ""
    sure = passing.sureness(text)
    if not sure or days.recurs(f"{note.title}\n{text}"):
        return None
    last = _last_day(note)
    why = Evidence(note.path, note.body_line, text)
    return None if last and last[0] >= today else Lapse(why, sure, "it told of a passing state")
