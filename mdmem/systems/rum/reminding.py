"""Reminds an agent of past works on files that it is about to touch, for editors and hooks.

An agent is reminded of a file if a work on it is at most 30 days old, at most once in 300 seconds, and of at most
five files in a minute. A failed work on a file whose goal is like the coming action is a conflict; conflicts are
reported every time.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from posixpath import basename
from typing import NamedTuple

from mdmem.note import moments
from mdmem.store.index.freshness import HOOK_PATIENCE
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
    touched = dict.fromkeys([*files, *files_of_command(command)])
    known = [about for file in touched if (about := _about(vault, file, now))]
    conflicts = [conflict for about in known for conflict in about.conflicts(command)]
    lately = Reminded(vault.root)
    told = [about for about in known if is_always or lately.claim(about.file, now)]
    if told and not is_always:
        lately.save()
    return Reminders(tuple(about.reminder() for about in told), tuple(conflicts))


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


class _About:
    """The works on a file, failed ones first, otherwise as ranked."""

    def __init__(self, vault: Vault, file: str, ranked: Sequence[recall.RankedWork], now: datetime) -> None:
        self.file = file
        self._works = VaultWorks(vault)
        self._now = now
        failed = {path for path, _ in vault.index.with_trait(traits.SUCCESS, "false")}
        self._failed = [each for each in ranked if each.note.path in failed]
        self._others = [each for each in ranked if each.note.path not in failed]

    def reminder(self) -> FileReminder:
        """The numbers of works, and the first of them."""
        views = self._valid([*self._failed, *self._others])
        works = tuple(self._past(view) for view in islice(views, _SUMMARIES))
        return FileReminder(self.file, len(self._failed) + len(self._others), len(self._failed), works)

    def conflicts(self, action: str) -> Iterator[RepeatedFailure]:
        """The failed works with a goal like an action, at most as many as a reminder lists."""
        views = self._valid(self._failed) if action.strip() else iter(())
        alike = (view for view in views if is_alike(view.work["intent"]["goal"], action))
        yield from (RepeatedFailure(self.file, self._past(view)) for view in islice(alike, _SUMMARIES))

    def _valid(self, ranked: Sequence[recall.RankedWork]) -> Iterator[WorkView]:
        views = (self._works.view(each.note) for each in ranked)
        return (view for view in views if view.is_valid)

    def _past(self, view: WorkView) -> PastWork:
        outcome = view.work["outcome"]
        then = moments.parse(view.note.created) or self._now
        goal = view.work["intent"]["goal"]
        return PastWork(
            name=view.note.name,
            id=view.work["id"],
            agent=view.work["agent_id"],
            age=age(then, self._now),
            success=outcome["success"],
            goal=goal,
            summary=outcome["summary"],
        )


def _about(vault: Vault, file: str, now: datetime) -> _About | None:
    """The recent works on a file; None if there are none. A glob finds nothing here."""
    if not basename(file.replace("\\", "/")) or re.search(r"[*?\[]", file):
        return None
    wanted = WorkQuery(files=(file,), since=now - _OLDEST)
    ranked = recall.ranking(vault, wanted, now)
    return _About(vault, file, ranked, now) if ranked else None
