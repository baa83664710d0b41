"""The first page: what waits, what was written since the person last looked, what is due.

Beside it the health of a vault, and what the frame around every page tells.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import accumulate

from mdmem.acts.checks import checkup, doctor, queue
from mdmem.acts.pages import chronicle, review, topics
from mdmem.acts.pages.request import HOME, Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.acts.telling import encode
from mdmem.acts.text.notes import record_json
from mdmem.garden.plan import GARDENERS
from mdmem.history import news, past
from mdmem.history.news import Reader
from mdmem.note.memory import as_text, project_of
from mdmem.session import start
from mdmem.store.git import log
from mdmem.store.git.log import Commit
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault
from mdmem.systems.rum import work

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
    written = chronicle.kept(vault, f"page.written.{since}", lambda: _written(vault, since))
    tasks = chronicle.kept(
        vault, f"page.tasks.{request.now.date()}", lambda: start.open_tasks(vault, request.now)[:_MOST_TASKS]
    )
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "waiting": {**review.counts(vault, request), "problem": _doctor(vault, request, 1)["total_problems"]},
        "seen": seen,
        "head": vault.index.head,
        "warning": warning,
        **written,
        "by_hand": [*_uncommitted(vault), *written["by_hand"]][:_BY_HAND],
        "tasks": [{**record_json(one, request.now), "due": as_text(one.meta.get("due"))} for one in tasks],
    }


def _written(vault: Vault, since: str) -> Json:
    """What was written since a commit: the latest sessions, what is outside of them, and `more` of both."""
    found = vault.whole_index.told(among=vault.repo.reached("HEAD", since)) if since else []
    wrote: dict[str, dict[str, Commit]] = {}  # session -> path -> the latest commit, with the change to that file
    untold = Counter[str]()
    for commit in chronicle.some(vault, found[:_MOST_COMMITS]):
        session = commit.operation.session
        for change in commit.changes[: chronicle.CHANGES]:
            wrote.setdefault(session, {}).setdefault(change.path, commit._replace(changes=(change,)))
        untold[session] += len(commit.changes[chronicle.CHANGES :])
    by_hand = list(wrote.pop("", {}).values())
    shown = list(wrote)[:_MOST_CARDS]
    undone = past.undone_sessions(vault, shown)
    return {
        "sessions": [
            {
                "session": session,
                **_card(vault, list(wrote[session].values())[:_MOST_ITEMS]),
                "undone": session in undone,
                "memories": len(wrote[session]) + untold[session],
            }
            for session in shown
        ],
        "by_hand": _items(vault, by_hand[:_BY_HAND]),
        "more": len(wrote) - len(shown) + len(by_hand[_BY_HAND:]),
    }


def _card(vault: Vault, commits: Sequence[Commit]) -> Json:
    """What a session wrote, the latest first, and who it was."""
    items = _items(vault, commits)
    projects = [project_of(one.meta) for one in vault.index.records_at([item["path"] for item in items])]
    project = max(filter(None, projects), key=projects.count, default="")
    return {"actor": items[0]["actor"], "when": items[0]["when"], "project": project, "items": items}


def _items(vault: Vault, commits: Sequence[Commit]) -> list[Json]:
    """The change of each commit, with who made it and when."""
    told = chronicle.told(vault, commits)
    return [{**one["changes"][0], "actor": one["actor"], "when": one["when"]} for one in told]


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
    week_ago = next(iter(index.told(by=request.now - _RECENT, most=1) or index.told()[-1:]), "")
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
    made = sorted(filter(None, months))
    index, runs = vault.whole_index, Counter[str]()
    changing, others = index.written(chronicle.sight(vault).hidden)
    writes = Counter(changing) + Counter(f"{commit.when:%Y-%m}" for commit in chronicle.some(vault, others))
    undone: set[str] = set()
    carried_out: list[tuple[str, str]] = []  # (gardener, commit)
    named = log.messages(vault.repo, only=index.told({"undo", *GARDENERS}))  # an action may have such a name, too
    garden = [one.oid for one in named if one.operation.get("Gardener") or one.operation.get("Undoes")]
    for commit in chronicle.some(vault, garden):
        undone.update(commit.operation.get("Undoes"))
        carried_out += [(name, commit.oid) for name in commit.operation.get("Gardener")]
        runs[f"{commit.when:%Y-%m}"] += bool(commit.operation.get("Run"))
    done = Counter(name for name, _ in carried_out)
    taken_back = Counter(name for name, oid in carried_out if oid in undone)
    return {
        "total": kinds.total(),
        "types": dict(kinds.most_common()),
        "memories": list(zip(made, accumulate(months[month] for month in made), strict=True)),
        "writes": sorted(writes.items()),
        "gardening": sorted((+runs).items()),
        "gardeners": {name: {"done": done[name], "undone": taken_back[name]} for name in sorted(done)},
    }


def lacking(vault: Vault) -> set[str]:
    """The pages that would be empty, as long as they are."""

    def empty() -> set[str]:
        there = {"topics": topics.names(vault), "work": vault.index.with_trait(work.SUCCESS)}
        return {name for name, found in there.items() if not found}

    return chronicle.kept(vault, "page.lacking", empty)


def waiting(vault: Vault) -> int:
    """How many captured memories and conflicts wait; what the gardeners propose takes long to say."""
    return sum(queue.counts(vault, (queue.CAPTURED, queue.MERGE)).values())
