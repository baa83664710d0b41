"""Finds works by words, files, agent, time and more; ranks them, and tells them as deeply as there is room for.

Also reminds an agent of past works on files that it is about to touch.

Matches for words are ranked in steps of a tenth of the best one's relevance, within a step by importance, then
latest first. Without words all have the same relevance: matches for files are ranked by importance, then latest
first, and all other works latest first.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import basename
from typing import Any, NamedTuple

from mdmem.errors import MdmemError
from mdmem.note import moments, tokens
from mdmem.note.excerpt import DEPTHS
from mdmem.note.filters import Filter
from mdmem.note.memory import as_number
from mdmem.note.plural import counted
from mdmem.note.properties import is_archived
from mdmem.note.terminal import safe_line
from mdmem.recall import ask
from mdmem.store.git import log
from mdmem.store.index.freshness import HOOK_PATIENCE
from mdmem.store.index.port import IndexedNote
from mdmem.store.local import state, usage
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import work
from mdmem.systems.rum.shelf import RumView, Shelf
from mdmem.systems.rum.work import TYPE, Record, moment_of, with_time

_FOUND = 200  # most matches for words that are looked at
_STEPS = 10  # of relevance, within which importance decides
_SAME_END = 5  # most files with the same path ending whose former names are looked up
_GLOB = re.compile(r"[*?\[]")
_UP = re.compile(r"^(?:\.\.?/)+")  # a path from a folder of the project: its end is enough


class WorkQuery(NamedTuple):
    """Which works to find; an empty field does not restrict them.

    `files` are paths or globs, of which one must match. `since` (inclusive) and `before` (exclusive) bound the
    time of the work. `session` includes the sessions of subagents. With `archived`, works that were folded into
    their chapters are included.
    """

    words: str = ""
    files: Sequence[str] = ()
    agents: Sequence[str] = ()
    projects: Sequence[str] = ()
    session: str = ""
    since: datetime | None = None
    before: datetime | None = None
    task_types: Sequence[str] = ()
    success: bool | None = None
    tags: Sequence[str] = ()
    archived: bool = False
    limit: int = 10


class TouchedFile(NamedTuple):
    """A file that a work names, and what the work did to it."""

    path: str
    operation: str


class FoundWork(NamedTuple):
    """A work found: its relevance (0-1), the files by which it was found, and its text at a depth."""

    view: RumView
    relevance: float
    files: tuple[TouchedFile, ...]
    depth: str
    told: Telling


def recall(
    vault: Vault, wanted: WorkQuery, who: Caller, depth: str = "", budget: int = 0
) -> tuple[list[FoundWork], int]:
    """The works that match, best first, and the number of notes that would be found if they were valid.

    Without a `depth` each is told as a summary, and the best ones at greater depth as far as the `budget` (tokens)
    allows. Works that do not fit into the budget are left out. Each work counts as read once.
    """
    ranked = {each.note.path: each for each in ranking(vault, wanted, who.now)}
    views, broken = Shelf(vault).first_valid((each.note for each in ranked.values()), wanted.limit)
    found = [
        FoundWork(view, *ranked[view.note.path][1:], *told)
        for view, told in zip(views, _within_budget(views, depth, budget), strict=False)
    ]
    usage.add(vault.root, [each.view.note.id for each in found], who.now)
    return found, broken


def listed(vault: Vault, wanted: WorkQuery, now: datetime) -> tuple[list[RumView], int]:
    """The works that match, in the order of `ranking`, up to the limit; see `recall`. No use is counted."""
    notes = (each.note for each in ranking(vault, wanted, now))
    return Shelf(vault).first_valid(notes, wanted.limit)


class RankedWork(NamedTuple):
    """A work from the index, its relevance (0-1), and the files by which it was found."""

    note: IndexedNote
    relevance: float
    files: tuple[TouchedFile, ...] = ()


def ranking(vault: Vault, wanted: WorkQuery, now: datetime) -> list[RankedWork]:
    """All works that match, best first, without reading any of them."""
    has_words = bool(wanted.words.strip())
    files = _by_file(vault, wanted.files, wanted.since)
    relevance = _by_words(vault, wanted, now) if has_words else {}
    allowed = _by_traits(vault, wanted)
    allowed += [set(files)] if wanted.files else []
    allowed += [set(relevance)] if has_words else []
    notes = vault.index.records_at(sorted(set.intersection(*allowed))) if allowed else vault.index.of("type", TYPE)
    is_asked = has_words or bool(wanted.files)
    ranked = [
        RankedWork(note, relevance.get(note.path, 1.0), tuple(files.get(note.path, ())))
        for note in notes
        if _fits(note, wanted)
    ]
    ranked.sort(
        key=lambda each: (
            -round(each.relevance * _STEPS),
            -_importance(each.note) if is_asked else 0,
            -_when(each.note),
            each.note.path,
        )
    )
    return ranked


def _importance(note: IndexedNote) -> float:
    said = as_number(note.meta.get("importance"))
    return work.IMPORTANCE if said is None else said


def _fits(note: IndexedNote, wanted: WorkQuery) -> bool:
    """Whether a note is a work with matching properties; one folded into its chapter only if such are wanted."""
    sessions = (note.session, note.meta.get("parent_session"))
    return (
        note.type == TYPE
        and (wanted.archived or not is_archived(note.meta))
        and (not wanted.agents or note.meta.get("actor") in wanted.agents)
        and (not wanted.projects or note.meta.get("project") in wanted.projects)
        and (not wanted.session or wanted.session in sessions)
        and (not wanted.tags or any(tag.lstrip("#") in note.tags for tag in wanted.tags))
        and _is_between(_when(note), wanted.since, wanted.before)
    )


def _is_between(when: float, since: datetime | None, before: datetime | None) -> bool:
    return (since is None or when >= since.timestamp()) and (before is None or when < before.timestamp())


def _when(note: IndexedNote) -> float:
    """When a work was (Unix seconds, to the millisecond); 0 if that is not known."""
    times = (work.seconds(work.seconds_of(said)) for said in (note.meta.get("created"), note.created))
    return next((time for time in times if isinstance(time, int | float)), 0)


def _by_traits(vault: Vault, wanted: WorkQuery) -> list[set[str]]:
    """The paths of works with the wanted task types, and of those with the wanted success."""
    of_types = [one for type in wanted.task_types for one in vault.index.with_trait(work.TASK_TYPE, type)]
    found = [{path for path, _ in of_types}] if wanted.task_types else []
    if wanted.success is not None:
        ended = vault.index.with_trait(work.SUCCESS, str(wanted.success).lower())
        found.append({path for path, _ in ended})
    return found


def _by_words(vault: Vault, wanted: WorkQuery, now: datetime) -> dict[str, float]:
    """path -> relevance (0-1) of the works that match the words."""
    only = (Filter("type", "=", TYPE),)
    query = ask.Query((wanted.words,), only, limit=_FOUND, archived=wanted.archived)
    answers = ask.ask(vault, query, now, counted=False)
    best = max((answer.hit.score for answer in answers), default=0.0)
    return {answer.hit.record.path: answer.hit.score / best if best > 0 else 1.0 for answer in answers}


# -- files ---------------------------------------------------------------------------------------------------


def _by_file(vault: Vault, files: Sequence[str], since: datetime | None) -> dict[str, list[TouchedFile]]:
    """path of a work -> its files that match, also under names that these have had since `since`."""
    found: dict[str, list[TouchedFile]] = {}
    for wanted in dict.fromkeys(name for file in files for name in _names(vault, file, since)):
        matches = _matcher(wanted)
        key = "" if _GLOB.search(wanted) else work.file_key(wanted)
        for path, trait in vault.index.with_trait(work.FILE, key):
            touched = TouchedFile(trait.value, trait.detail)
            if matches(trait.value) and touched not in found.setdefault(path, []):
                found[path].append(touched)
    return {path: touched for path, touched in found.items() if touched}


def _matcher(wanted: str) -> Callable[[str], bool]:
    """A predicate for paths: equal to `wanted`, one the end of the other, or matching it as a glob."""
    if _GLOB.search(wanted):
        return lambda path: fnmatchcase(path, wanted) or fnmatchcase(path, f"*/{wanted}")
    return lambda path: path == wanted or path.endswith(f"/{wanted}") or wanted.endswith(f"/{path}")


def _names(vault: Vault, file: str, since: datetime | None) -> Iterable[str]:
    """A file, and its names since `since` if the vault is in the repository of that file."""
    plain = _UP.sub("", file.replace("\\", "/"))
    plain = f"{plain}**" if plain.endswith("/") else plain
    yield plain
    if vault.repo.prefix and not _GLOB.search(plain):  # otherwise its repository holds no files of a project
        for path in _tracked(vault, plain):
            yield from log.former_names(vault.repo, path, since)


def _tracked(vault: Vault, path: str) -> Sequence[str]:
    """A path, and the tracked files whose paths end with it, unless there are too many of them."""
    if os.path.isabs(path):
        return [path]
    ending = [end for end in log.paths_ending(vault.repo, path) if end != path]
    return [path, *ending] if len(ending) <= _SAME_END else [path]


# -- how deep ------------------------------------------------------------------------------------------------


def _within_budget(views: Sequence[RumView], depth: str, budget: int) -> list[tuple[str, Telling]]:
    """(depth, text) of the works that fit into the budget, in order."""
    found = [(depth or "summary", telling(view.value, depth or "summary")) for view in views]
    if not budget:
        return found
    while sum(told.tokens for _, told in found) > budget:
        found.pop()
    return found if depth else _deepened(found, views, budget)


def _deepened(
    found: list[tuple[str, Telling]], views: Sequence[RumView], budget: int
) -> list[tuple[str, Telling]]:
    """The works, the best ones told as deeply as what is left of the budget allows."""
    left = budget - sum(told.tokens for _, told in found)
    for at, view in enumerate(views[: len(found)]):
        for deeper in DEPTHS[1:]:
            told = telling(view.value, deeper)
            more = told.tokens - found[at][1].tokens
            if more > left:
                break
            left -= more
            found[at] = (deeper, told)
    return found


# -- how deep a work is told -----------------------------------------------------------------------------------
#
# Each of the five depths of RUM includes the one before it.
#
# | depth     | what it tells                                            | tokens |
# |-----------|----------------------------------------------------------|--------|
# | summary   | the goal, the summary of the outcome                     | 20     |
# | outcome   | and all of the outcome, learnings first                  | 50     |
# | reasoning | and all of the reasoning                                 | 150    |
# | full      | and the rest, of actions only their type and success     | 300    |
# | complete  | and the details of actions                               | all    |
#
# As JSON a depth is complete. As text it keeps within its tokens: if these do not suffice, long lines are cut to
# the same length, short ones stay whole, and the end says how many tokens the whole takes.


BUDGETS = dict(zip(DEPTHS, (20, 50, 150, 300, 0), strict=True))  # tokens; 0 means no limit
_WHO = ("id", "agent_id", "created_at")


class Telling(NamedTuple):
    """A work as text. `tokens` is the estimated size of `text`, `whole` that of everything at its depth."""

    text: str
    tokens: int
    whole: int

    @property
    def is_cut(self) -> bool:
        """Whether the text leaves out something of its depth."""
        return self.tokens < self.whole


def at_depth(work: Mapping[str, Any], depth: str) -> Record:
    """The part of a valid work that belongs to a depth (one of excerpt.DEPTHS), as JSON."""
    reached = DEPTHS[: DEPTHS.index(depth) + 1]
    outcome = work["outcome"]
    told: Record = {name: work[name] for name in _WHO if name in work}
    told["intent"] = {name: work["intent"][name] for name in ("goal", "task_type")}
    told["outcome"] = {name: outcome[name] for name in ("success", "summary")}
    if "outcome" in reached:
        told |= {"outcome": outcome, "learnings": outcome.get("learnings", [])}
    if "reasoning" in reached:
        told["reasoning"] = work["reasoning"]
    if "full" in reached:
        told |= {"perception": work["perception"], "actions": work["actions"], **work}
    if depth == "full":
        short = ("type", "result")
        told["actions"] = [{name: action[name] for name in short if name in action} for action in work["actions"]]
    return told


def telling(work: Mapping[str, Any], depth: str) -> Telling:
    """A valid work at a depth, as text within its tokens in BUDGETS."""
    told = at_depth(work, depth)
    lines = _summary(told) if depth == "summary" else list(_lines(told))
    limit = BUDGETS[depth]
    whole = "\n".join(lines)
    size = tokens.estimate(whole)
    if not limit or size <= limit:
        return Telling(whole, size, size)
    ending = f"(cut: {size} tokens)"
    kept = _fitted(lines, limit - tokens.estimate(f"{ending}\n"))
    text = "\n".join([*kept, ending])
    return Telling(text, tokens.estimate(text), size)


def _summary(told: Mapping[str, Any]) -> list[str]:
    mark = "" if told["outcome"]["success"] else "FAILED: "
    return [told["intent"]["goal"], mark + told["outcome"]["summary"]]


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A line for each field of the layers, the most useful first."""
    yield from _summary(told)
    shown = {"goal", "summary", "success"}
    for layer in ("outcome", "reasoning", "intent", "perception"):
        for name, value in told.get(layer, {}).items():
            if name not in shown and value not in ("", [], {}):
                yield f"{name}: {_inline(value)}"
    for action in told.get("actions", ()):
        yield f"action: {_inline(with_time(action, moment_of))}"
    for name in ("project_id", "session_id", "links", "tags"):
        if told.get(name):
            yield f"{name}: {_inline(told[name])}"


def _inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_inline(item)}" for name, item in value.items() if item not in ("", [], {}))
    if isinstance(value, list):
        return "; ".join(_inline(item) for item in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return " ".join(str(value).split())


def _fitted(lines: Sequence[str], budget: int) -> list[str]:
    """The lines, with the long ones cut so that all fit into `budget` tokens, line ends included."""
    sizes = [tokens.estimate(f"{line}\n") for line in lines]
    most = 0
    while sum(min(size, most + 1) for size in sizes) <= budget:
        most += 1
    return [kept for line in lines if (kept := tokens.cut(f"{line}\n", most).rstrip("\n"))]


# -- what is remembered of files that are about to be touched --------------------------------------------------
#
# For editors and hooks. An agent is reminded of a file if a work on it is at most 30 days old, at most once in 300
# seconds, and of at most five files in a minute. A failed work on a file whose goal is like the coming action is a
# conflict; conflicts are reported every time.


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
            past = _first(works, sorted(notes, key=lambda note: note.path not in failures), now)
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
    if not basename(file.replace("\\", "/")) or _GLOB.search(file):
        return []
    wanted = WorkQuery(files=(file,), since=now - _OLDEST)
    return [each.note for each in ranking(vault, wanted, now)]


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
