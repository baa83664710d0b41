"""Reminds an agent of past works on files that it is about to touch, for editors and hooks.

An agent is reminded of a file if a work on it is at most 30 days old, at most once in 300 seconds, and of at most
five files in a minute. A failed work on a file whose goal is like the coming action is a conflict; conflicts are
reported every time.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import islice
from posixpath import basename
from typing import NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import moments
from mdmem.note.plural import counted
from mdmem.note.terminal import safe_line
from mdmem.store.index.freshness import HOOK_PATIENCE
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import state
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import recall, work
from mdmem.systems.rum.shelf import RumView, Shelf

_OLDEST = timedelta(days=30)
_SUMMARIES = 3  # most works listed for a file
_OVERLAP = 0.3  # share of common words above which a goal and an action are alike
_MANY = 500  # changed notes from which indexing is left to the next command
_WORD = re.compile(r"\w{4,}")


class PastWork(NamedTuple):
    """A past work on a file: its name, its id in RUM, its agent, how long ago it was, and its outcome."""

    name: str
    id: str
    agent: str
    age: str
    success: bool
    goal: str
    summary: str


class FileReminder(NamedTuple):
    """The numbers of works and of failed works on a file; `works` are the first of them, failed ones first."""

    file: str
    memories: int
    failed: int
    works: tuple[PastWork, ...]


class RepeatedFailure(NamedTuple):
    """A failed work on a file, whose goal is like what is about to be done."""

    file: str
    work: PastWork


class Reminders(NamedTuple):
    """What to know before an action; both are empty if there is nothing."""

    files: tuple[FileReminder, ...] = ()
    conflicts: tuple[RepeatedFailure, ...] = ()


def before(vault: Vault, files: Sequence[str], command: str, now: datetime, is_always: bool = False) -> Reminders:
    """What is remembered of files, and of those that a command names; `is_always` ignores recent reminders.

    Waits for no other process and does not read the whole vault again: raises BusyError if the index is locked.
    """
    vault.catch_up(HOOK_PATIENCE, _MANY)
    works = Shelf(vault)
    failures = {path for path, _ in vault.index.with_trait(work.SUCCESS, "false")}
    lately = _lately(vault.root, now)
    told: list[FileReminder] = []
    conflicts: list[RepeatedFailure] = []

    for file in dict.fromkeys([*files, *files_of_command(command)]):
        notes = _notes_about(vault, file, now)
        failed = [note for note in notes if note.path in failures]
        alike = _first(works, failed, now, command) if command.strip() else ()
        conflicts += [RepeatedFailure(file, failure) for failure in alike]
        if notes and (is_always or _is_due(file, lately, now)):
            lately[file] = now.timestamp()
            others = [note for note in notes if note.path not in failures]
            past = _first(works, [*failed, *others], now)
            told.append(FileReminder(file, len(notes), len(failed), past))
    if told and not is_always:
        with suppress(OSError, MdmemError):  # they are told all the same
            state.save(vault.root, vault.repo, _FILE, json.dumps(lately).encode())
    return Reminders(tuple(told), tuple(conflicts))


def files_of_command(command: str) -> Iterator[str]:
    """The words of a command that could be file paths: those with a dot or a slash inside."""
    try:
        words = shlex.split(command)
    except ValueError:  # an unclosed quotation mark
        words = command.split()
    for word in words:
        if not word.startswith("-") and "://" not in word and re.search(r"\w[./]\w", word):
            yield word


def is_alike(goal: str, action: str) -> bool:
    """Whether one contains the other, or more than three tenths of their words of over three letters are shared.

    The share is of the text that has more such words.
    """
    one, other = goal.casefold().strip(), action.casefold().strip()
    if not one or not other:
        return False
    if one in other or other in one:
        return True
    words, others = set(_WORD.findall(one)), set(_WORD.findall(other))
    return len(words & others) > _OVERLAP * max(len(words), len(others))


def age(then: datetime, now: datetime) -> str:
    """How long ago, as a person says it: just now, 5h ago, yesterday, 6d ago, 3w ago."""
    hours = (now - then) / timedelta(hours=1)
    if hours <= 1:
        return "just now"
    if hours < 24:
        return f"{int(hours)}h ago"
    days = int(hours // 24)
    if days == 1:
        return "yesterday"
    return f"{days}d ago" if days < 7 else f"{days // 7}w ago"


def _first(works: Shelf, notes: Iterable[IndexedNote], now: datetime, like: str = "") -> tuple[PastWork, ...]:
    """The first valid works among the notes; if a text is given, of those with a goal that is `like` it."""
    views = (view for view in map(works.view, notes) if view.is_valid)
    meant = (view for view in views if not like or is_alike(view.value["intent"]["goal"], like))
    return tuple(_past(view, now) for view in islice(meant, _SUMMARIES))


def _past(view: RumView, now: datetime) -> PastWork:
    intent, outcome = view.value["intent"], view.value["outcome"]
    return PastWork(
        name=view.note.name,
        id=view.value["id"],
        agent=view.value["agent_id"],
        age=age(moments.parse(view.note.created) or now, now),
        success=outcome["success"],
        goal=intent["goal"],
        summary=outcome["summary"],
    )


def _notes_about(vault: Vault, file: str, now: datetime) -> list[IndexedNote]:
    """The recent works on a file, as ranked. A glob finds nothing here."""
    if not basename(file.replace("\\", "/")) or re.search(r"[*?\[]", file):
        return []
    wanted = recall.WorkQuery(files=(file,), since=now - _OLDEST)
    return [each.note for each in recall.ranking(vault, wanted, now)]


# -- which files an agent was reminded of --------------------------------------------------------------------


_FILE = "reminded.json"
_COOLDOWN = 300  # seconds until the next reminder of the same file
_MINUTE, _A_MINUTE = 60, 5  # seconds, and the most files to remind of in this time


def _lately(root: str, now: datetime) -> dict[str, float]:
    """file -> when the agent was reminded of it (Unix seconds), of the last _COOLDOWN seconds.

    The file is local and untracked; one that is damaged counts as empty. Two concurrent processes may each lose
    what the other wrote.
    """
    told = state.load(root, _FILE)
    times = told.items() if isinstance(told, dict) else ()
    numbers = [(name, when) for name, when in times if isinstance(when, int | float)]
    return {name: when for name, when in numbers if 0 <= now.timestamp() - when < _COOLDOWN}


def _is_due(file: str, lately: Mapping[str, float], now: datetime) -> bool:
    """Whether the agent may be reminded of a file, and of one more in this minute."""
    return file not in lately and sum(now.timestamp() - when < _MINUTE for when in lately.values()) < _A_MINUTE


# -- in words ------------------------------------------------------------------------------------------------

_LINE = 200  # characters of a line on a past work in a reminder


def reminder_lines(reminders: Reminders) -> Iterator[str]:
    """What is remembered of files that are about to be touched; conflicts first."""
    for conflict in reminders.conflicts:
        yield f"[RUM] {safe_line(conflict.file)}: the same was tried and failed"
        yield f"  - {_past_work(conflict.work)}"
    for about in reminders.files:
        failed = f" ({about.failed} failed)" if about.failed else ""
        yield f"[RUM] {safe_line(about.file)} has {counted(about.memories, 'memory')}{failed}"
        yield from (f"  - {_past_work(work)}" for work in about.works)


def _past_work(work: PastWork) -> str:
    ending = "" if work.success else "FAILED: "
    line = safe_line(f"{work.name}, {work.age}: {work.goal}. {ending}{work.summary}")
    return line if len(line) <= _LINE else f"{line[: _LINE - 3]}..."
