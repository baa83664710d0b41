"""What is remembered of files that an agent is about to touch, for editors and hooks of agents.

A file is told of when a work about it is at most 30 days old, at most once in 300 seconds, and at most five files
are told of in a minute. A failed work on a file whose goal is like what is about to be done is a conflict;
conflicts are told each time.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import islice
from posixpath import basename

from mdmem.index.freshness import HOOK_PATIENCE
from mdmem.systems.rum import recall, traits
from mdmem.systems.rum.recall import WorkQuery
from mdmem.systems.rum.reminded import Reminded
from mdmem.systems.rum.view import VaultWorks, WorkView
from mdmem.text import moments
from mdmem.values import NamedTuple
from mdmem.vault.vault import Vault

_OLDEST = timedelta(days=30)
_SUMMARIES = 3  # works that are told of a file
_OVERLAP = 0.3  # share of the words of a goal or an action from which the two are alike
_MANY = 500  # changed notes from which the index is left to the next command
_WORD = re.compile(r"\w{4,}")


class PastWork(NamedTuple):
    """A work on a file: its name and id in RUM, whose it was, how long ago, and what came of it."""

    name: str
    id: str
    agent: str
    age: str
    success: bool
    goal: str
    summary: str


class FileReminder(NamedTuple):
    """How many works are about a file and how many of them failed; the failed and best ones as `works`."""

    file: str
    memories: int
    failed: int
    works: tuple[PastWork, ...]


class RepeatedFailure(NamedTuple):
    """A failed work on a file that was after the same as what is about to be done."""

    file: str
    work: PastWork


class Reminders(NamedTuple):
    """What there is to know before an action; both are empty if there is nothing."""

    files: tuple[FileReminder, ...] = ()
    conflicts: tuple[RepeatedFailure, ...] = ()


def before(vault: Vault, files: Sequence[str], command: str, now: datetime, is_always: bool = False) -> Reminders:
    """What is remembered of files, and of those that a command names; with `is_always` whatever was told lately.

    Waits for no other process, and does not read a whole vault again: raises BusyError if the index is locked.
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
    """The words of a command that could be paths of files: those with a dot or a slash within."""
    try:
        words = shlex.split(command)
    except ValueError:  # a quotation mark that is not closed
        words = command.split()
    for word in words:
        if not word.startswith("-") and "://" not in word and re.search(r"\w[./]\w", word):
            yield word


def is_alike(goal: str, action: str) -> bool:
    """Whether one holds the other, or more than three tenths of the words of more than three letters are the same.

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
    """The works about a file, failed ones first, else as they rank."""

    def __init__(self, vault: Vault, file: str, ranked: Sequence[recall.RankedWork], now: datetime) -> None:
        self.file = file
        self._works = VaultWorks(vault)
        self._now = now
        failed = {path for path, _ in vault.index.with_trait(traits.SUCCESS, "false")}
        self._failed = [each for each in ranked if each.note.path in failed]
        self._others = [each for each in ranked if each.note.path not in failed]

    def reminder(self) -> FileReminder:
        """How many there are, and the first of them."""
        views = self._valid([*self._failed, *self._others])
        works = tuple(self._past(view) for view in islice(views, _SUMMARIES))
        return FileReminder(self.file, len(self._failed) + len(self._others), len(self._failed), works)

    def conflicts(self, action: str) -> Iterator[RepeatedFailure]:
        """The failed works that were after the same as an action, at most as many as are told of a file."""
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
    """What there is about a file and not too old; None if there is nothing. Patterns mean nothing here."""
    if not basename(file.replace("\\", "/")) or re.search(r"[*?\[]", file):
        return None
    wanted = WorkQuery(files=(file,), since=now - _OLDEST)
    ranked = recall.ranking(vault, wanted, now)
    return _About(vault, file, ranked, now) if ranked else None
