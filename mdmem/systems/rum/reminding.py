"""Reminds an agent of past works on files that it is about to touch, for editors and hooks.

An agent is reminded of a file if a work on it is at most 30 days old, at most once in 300 seconds, and of at most
five files in a minute. A failed work on a file whose goal is like the coming action is a conflict; conflicts are
reported every time.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from posixpath import basename
from typing import NamedTuple

from mdmem.note import moments
from mdmem.store.index.freshness import HOOK_PATIENCE
from mdmem.store.index.port import IndexedNote
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import recall, traits
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.reminded import Reminded
from mdmem.systems.rum.view import VaultWorks, WorkView

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
    works = VaultWorks(vault)
    failures = {path for path, _ in vault.index.with_trait(traits.SUCCESS, "false")}
    lately = Reminded(vault.root)
    told: list[FileReminder] = []
    conflicts: list[RepeatedFailure] = []

    def first(notes: Iterable[IndexedNote], is_meant: Callable[[WorkView], bool]) -> tuple[PastWork, ...]:
        views = (view for view in map(works.view, notes) if view.is_valid and is_meant(view))
        return tuple(_past(view, now) for view in islice(views, _SUMMARIES))

    for file in dict.fromkeys([*files, *files_of_command(command)]):
        notes = _notes_about(vault, file, now)
        failed = [note for note in notes if note.path in failures]
        alike = first(
            failed if command.strip() else (), lambda view: is_alike(view.work["intent"]["goal"], command)
        )
        conflicts += [RepeatedFailure(file, work) for work in alike]
        if notes and (is_always or lately.claim(file, now)):
            others = [note for note in notes if note.path not in failures]
            told.append(FileReminder(file, len(notes), len(failed), first([*failed, *others], lambda _: True)))
    if told and not is_always:
        lately.save()
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


def _past(view: WorkView, now: datetime) -> PastWork:
    intent, outcome = view.work["intent"], view.work["outcome"]
    return PastWork(
        name=view.note.name,
        id=view.work["id"],
        agent=view.work["agent_id"],
        age=age(moments.parse(view.note.created) or now, now),
        success=outcome["success"],
        goal=intent["goal"],
        summary=outcome["summary"],
    )


def _notes_about(vault: Vault, file: str, now: datetime) -> list[IndexedNote]:
    """The recent works on a file, as ranked. A glob finds nothing here."""
    if not basename(file.replace("\\", "/")) or re.search(r"[*?\[]", file):
        return []
    wanted = WorkQuery(files=(file,), since=now - _OLDEST)
    return [each.note for each in recall.ranking(vault, wanted, now)]
