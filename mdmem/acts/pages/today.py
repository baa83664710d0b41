"""The first page: what waits, what was written since the person last looked, what is due.

Beside it the health of a vault, and what the frame around every page tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from itertools import accumulate

from mdmem.acts.checks import checkup, doctor, queue
from mdmem.acts.pages import chronicle, review, topics, works
from mdmem.acts.pages.request import HOME, Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.acts.text.notes import record_json
from mdmem.history import news, past
from mdmem.history.news import Reader
from mdmem.note.memory import as_text, project_of
from mdmem.session import start
from mdmem.store.git import log
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_RECENT = timedelta(days=7)
_MOST_COMMITS, _MOST_CARDS, _MOST_ITEMS, _BY_HAND, _MOST_TASKS = 300, 6, 12, 4, 5
_MOST_PROBLEMS, _MOST_RUNS = 200, 60


def read(vault: Vault, request: PageRequest) -> Json:
    """What is going on: `waiting` counts what waits by its kind.

    What was written is told since the commit `seen`, at which the person last said "all seen"; if they never did,
    `seen` is "" and the last week counts. It goes up to the commit `head`; `warning` says why it may be inexact.
    `sessions` has a card for each session that wrote, the latest first, and
    `by_hand` what was written outside of sessions. Of both there are only the first; `more` counts the cards that
    are left out. `tasks` are the open ones, those due first.
    """
    since, seen, warning = _since(vault, request)
    cards = chronicle.kept(vault, f"page.cards.{since}", lambda: _cards(vault, since))
    by_hand = [one for card in cards if not card["session"] for one in card["items"]]
    sessions = [card for card in cards if card["session"]]
    tasks = chronicle.kept(
        vault, f"page.tasks.{request.now.date()}", lambda: start.open_tasks(vault, request.now)[:_MOST_TASKS]
    )
    problems = _doctor(vault, request, 1)["total_problems"]
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "waiting": {**review.counts(vault, request), "problem": problems},
        "seen": seen,
        "head": vault.index.head,
        "warning": warning,
        "sessions": sessions[:_MOST_CARDS],
        "by_hand": [*_uncommitted(vault), *by_hand][:_BY_HAND],
        "more": max(len(sessions) - _MOST_CARDS, 0) + max(len(by_hand) - _BY_HAND, 0),
        "tasks": [{**record_json(one, request.now), "due": as_text(one.meta.get("due"))} for one in tasks],
    }


def _cards(vault: Vault, since: str) -> list[Json]:
    """What each session wrote since a commit, and what was written outside of them; the latest first."""
    if not since:
        return []
    told = log.messages(vault.repo, f"--max-count={_MOST_COMMITS}", f"{since}..HEAD")
    commits = chronicle.told(vault, chronicle.some(vault, [commit.oid for commit in told]))
    undone = past.undone_sessions(vault, {commit["session"] for commit in commits} - {""})
    cards: dict[str, Json] = {}
    for commit in commits:
        card = cards.setdefault(
            commit["session"],
            {**{key: commit[key] for key in ("session", "actor", "when")}, "items": {}, "more": 0},
        )
        for change in commit["changes"]:
            item = {**change, "actor": commit["actor"], "when": commit["when"]}
            card["items"].setdefault(change["path"], item)
        card["more"] += commit["total"] - len(commit["changes"])
    paths = {path for card in cards.values() for path in card["items"]}
    projects = {one.path: project_of(one.meta) for one in vault.index.records_at(sorted(paths))}
    return [
        {
            **card,
            "project": _most(projects.get(path, "") for path in card["items"]),
            "undone": card["session"] in undone,
            "memories": len(card["items"]) + card["more"],
            "items": list(card["items"].values())[:_MOST_ITEMS],
        }
        for card in sorted(cards.values(), key=lambda card: card["when"], reverse=True)
    ]


def _most(names: Iterable[str]) -> str:
    """The name that occurs most often, "" for none."""
    counted = Counter(filter(None, names)).most_common(1)
    return counted[0][0] if counted else ""


def _uncommitted(vault: Vault) -> list[Json]:
    """What somebody saved and nobody committed yet."""
    titles = chronicle.titles(
        vault, (item.path for item in news.news(vault, Reader(""), vault.index.head).changes)
    )
    return [
        {"path": path, "title": title, "there": there, "action": "saved", "actor": "", "when": ""}
        for path, (title, there) in titles.items()
    ]


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Record for `mdmem page` that a person has seen everything up to the commit `head`. It never moves back.

    Raises UsageError for a commit that does not exist.
    """
    head, name = vault.repo.resolve(request.text("head")), _reader(vault, who)
    seen = news.cursor(vault, name)
    if not (seen and vault.repo.has_commit(seen) and vault.repo.is_ancestor(head, seen)):
        news.move(vault, name, head, seen)
    return Destination(HOME)


def _reader(vault: Vault, who: Caller) -> str:
    """The name of the person's own cursor: agents that act in their name move the cursor of sessions."""
    return f"page of {start.actor_of(vault, who)}"


def _since(vault: Vault, request: PageRequest) -> tuple[str, str, str]:
    """(commit from which on changes are told, the same if the person saw it last, warning about it).

    If they never said so, the changes are those of the last week.
    """
    head, nobody, warning = vault.index.head, Reader(""), ""
    if not request.is_kept:
        seen = news.cursor(vault, _reader(vault, Caller(request.now, request.actor)))
        since, warning = news.start(vault, nobody, seen, head)
        if since:
            return since, since, warning
    index = vault.whole_index
    week_ago = next(iter([*index.told(by=request.now - _RECENT), *index.told()[-1:]]), "")
    return news.start(vault, nobody, week_ago, head)[0], "", warning


def read_health(vault: Vault, request: PageRequest) -> Json:
    """The numbers of a vault by month, each as [month, number], and its known problems.

    `memories` counts the current memories that existed by the end of each month in which one was created, `writes`
    the commits, `gardening` the gardeners' commits; for the problems, see `doctor`. `gardeners` tells for each
    gardener how many proposals were carried out and how many of these were undone. `tests` are the runs of `mdmem
    eval` on this machine. An export holds neither these nor the doctor's findings.
    """
    return {
        **chronicle.kept(vault, "page.numbers", lambda: _numbers(vault)),
        "tests": [] if request.is_kept else encode(checkup.tests(vault)[-_MOST_RUNS:]),
        **_doctor(vault, request, _MOST_PROBLEMS),
    }


def act_health(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Let the doctor look at the vault now; nothing but what this machine keeps of that changes."""
    del request
    checkup.keep(vault, doctor.examine(vault), who.now)
    return Destination("health")


def _doctor(vault: Vault, request: PageRequest, most: int) -> Json:
    """When `mdmem doctor` last ran here (`checked`), and the first of the `total_problems` that it found.

    If it never ran, and in an export, `checked` is "", and they are those met when the files were read.
    """
    last = None if request.is_kept else checkup.last(vault, most)
    problems = last.problems if last else vault.index.problems()
    return {
        "checked": last.when if last else "",
        "problems": encode(problems[:most]),
        "total_problems": last.total if last else len(problems),
    }


def _numbers(vault: Vault) -> Json:
    """Counts over all memories and commits."""
    kinds, months = Counter[str](), Counter[str]()
    for type, month, number in vault.index.tally("type", "month"):
        kinds[type or "none"] += number
        months[month] += number
    writes, runs = Counter[str](), Counter[str]()
    undone: set[str] = set()
    carried_out: list[tuple[str, str]] = []  # (gardener, commit)
    for commit in past.events(vault):  # one at a time: the first may have created every memory
        undone.update(commit.operation.get("Undoes"))
        carried_out += [(name, commit.oid) for name in commit.operation.get("Gardener")]
        writes[f"{commit.when:%Y-%m}"] += 1
        runs[f"{commit.when:%Y-%m}"] += bool(commit.operation.get("Run"))
    done = Counter(name for name, _ in carried_out)
    taken_back = Counter(name for name, oid in carried_out if oid in undone)
    return {
        "total": kinds.total(),
        "types": dict(kinds.most_common()),
        "memories": _growing(months),
        "writes": sorted(writes.items()),
        "gardening": sorted((+runs).items()),
        "gardeners": {name: {"done": done[name], "undone": taken_back[name]} for name in sorted(done)},
    }


def _growing(made: Counter[str]) -> list[tuple[str, int]]:
    """(month, number of memories by the end of it), for each month in which one was created."""
    months = sorted(filter(None, made))
    return list(zip(months, accumulate(made[month] for month in months), strict=True))


def lacking(vault: Vault) -> set[str]:
    """The pages that would be empty, as long as they are."""
    found = {"topics": topics.names, "work": works.any_of}
    return chronicle.kept(vault, "page.lacking", lambda: {name for name in found if not found[name](vault)})


def waiting(vault: Vault) -> int:
    """How many captured memories and conflicts wait; what the gardeners propose takes long to say."""
    return sum(queue.counts(vault, (queue.CAPTURED, queue.MERGE)).values())
