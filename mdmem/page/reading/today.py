"""The first page: what is going on in a vault."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mdmem.git import log
from mdmem.history import news
from mdmem.history.news import News, NewsItem, Reader
from mdmem.inbox.store import Inbox
from mdmem.index.port import IndexedNote
from mdmem.local.sessions import Sessions
from mdmem.note.memory import name_words
from mdmem.operation import Caller
from mdmem.page.links import HOME, Destination
from mdmem.page.reading import chronicle
from mdmem.page.request import PageRequest
from mdmem.render.json.capture import inbox_json
from mdmem.render.json.notes import problem_json, record_json
from mdmem.render.json.past import news_json
from mdmem.render.json.session import session_json
from mdmem.session import start
from mdmem.upkeep import checkup
from mdmem.vault.vault import Vault

_RECENT = timedelta(days=7)
_ALWAYS = "~"  # after every time
_MOST_NEWS, _MOST_TASKS, _NEWEST, _MOST_PROBLEMS, _MOST_CAPTURED = 30, 10, 8, 20, 3


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """What is going on: how much there is, what changed, open tasks, what waits.

    What changed is told since the person said "all seen", of which `seen` is the commit; `seen` is "" for one who
    never did, and the last week counts. `head` is the commit up to which it is told, `warning` what keeps it from
    being exact. `changed` counts all changes, of which `news` has the latest, each with the title that the memory
    has. `problems` are the first of `total_problems` that the doctor found when it was last run here, at
    `checked`, else of what was wrong when the files were read. `session`, `waiting` and `captured`, the first that
    wait in the inbox, are of this machine, and empty in a page that is kept.
    """
    found, seen = _news(vault, request)
    shown = found._replace(changes=found.changes[:_MOST_NEWS])
    tasks = chronicle.kept(
        vault, f"page.tasks.{request.now.date()}", lambda: start.open_tasks(vault, request.now)[:_MOST_TASKS]
    )
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "changed": len(found.changes),
        "seen": seen,
        "head": vault.index.head,
        "warning": found.warning,
        "news": [_told(item, told) for item, told in zip(shown.changes, news_json(shown)["changes"], strict=True)],
        "tasks": [record_json(record, request.now) for record in tasks],
        "newest": [record_json(record, request.now) for record in _newest(vault)],
        **_of_this_machine(vault, request),
    }


def act(vault: Vault, request: PageRequest, who: Caller) -> Destination:
    """Remember for `mdmem page` that a person has seen all up to the commit `head`; never an earlier one again.

    Raises UsageError for a commit that there is not.
    """
    head, name = vault.repo.resolve(request.text("head")), _reader(vault, who)
    seen = news.cursor(vault, name)
    if not (seen and vault.repo.has_commit(seen) and vault.repo.is_ancestor(head, seen)):
        news.move(vault, name, head, seen)
    return Destination(HOME)


def _newest(vault: Vault) -> list[IndexedNote]:
    paths = vault.index.created_within("", _ALWAYS, _NEWEST)
    return vault.index.records_at(paths)


def _reader(vault: Vault, who: Caller) -> str:
    """Whose cursor it is: not that of sessions, which agents in the name of a person move on."""
    return f"page of {start.actor_of(vault, who)}"


def _news(vault: Vault, request: PageRequest) -> tuple[News, str]:
    """(what changed, the commit since which if the person has seen that)."""
    warning = ""
    if not request.is_kept:
        seen = news.cursor(vault, _reader(vault, Caller(request.now, request.actor)))
        found = _since(vault, seen)
        if found.since:
            return found, found.since
        warning = found.warning
    week_ago = vault.repo.commit_before(request.now - _RECENT) or _first_commit(vault)
    return _since(vault, week_ago)._replace(warning=warning), ""


def _since(vault: Vault, commit: str) -> News:
    return chronicle.kept(vault, f"page.news.{commit}", lambda: news.news(vault, Reader(""), commit))


def _told(item: NewsItem, told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "title": item.record.title if item.record else name_words(item.name)}


def _first_commit(vault: Vault) -> str:
    return next(iter(reversed(log.order(vault.repo))), "")


def _of_this_machine(vault: Vault, request: PageRequest) -> dict[str, Any]:
    if request.is_kept:
        problems = vault.index.problems()
        return {
            "session": None,
            "waiting": None,
            "captured": [],
            "checked": "",
            "problems": [problem_json(each) for each in problems[:_MOST_PROBLEMS]],
            "total_problems": len(problems),
        }
    last = checkup.last(vault, _MOST_PROBLEMS)
    problems = list(last.problems) if last else vault.index.problems()
    sessions = Sessions(vault.root, vault.repo, vault.tell)
    latest = sessions.last_touched()
    waiting = Inbox(vault).items()
    return {
        "session": session_json(latest) if latest else None,
        "waiting": len(waiting),
        "captured": inbox_json(waiting[:_MOST_CAPTURED], {}),
        "checked": last.when if last else "",
        "problems": [problem_json(problem) for problem in problems[:_MOST_PROBLEMS]],
        "total_problems": last.total if last else len(problems),
    }
