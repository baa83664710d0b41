"""The first page: what is going on in a vault."""

from __future__ import annotations

from datetime import timedelta
from itertools import islice
from typing import Any

from mdmem.git import log
from mdmem.history import news
from mdmem.history.news import NewsItem, Reader
from mdmem.inbox.store import Inbox
from mdmem.local.sessions import Sessions
from mdmem.note.memory import name_words
from mdmem.page.request import PageRequest
from mdmem.render.json.notes import problem_json, record_json
from mdmem.render.json.past import news_json
from mdmem.render.json.session import session_json
from mdmem.session import start
from mdmem.upkeep import checkup
from mdmem.vault.vault import Vault

_RECENT = timedelta(days=7)
_MOST_NEWS, _MOST_TASKS, _NEWEST, _MOST_PROBLEMS = 30, 10, 8, 20


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """What is going on: how much there is, what changed in the last week, open tasks, what waits.

    `changed` counts all changes, of which `news` has the latest, each with the title that the memory has.
    `problems` are those that the doctor found when it was last run here, at `checked`, else what was wrong when
    the files were read. `session` and `waiting` are of this machine and null in a page that is kept.
    """
    since = vault.repo.commit_before(request.now - _RECENT) or _first_commit(vault)
    found = news.news(vault, Reader(""), since)
    shown = found._replace(changes=found.changes[:_MOST_NEWS])
    tasks = start.open_tasks(vault, request.now)[:_MOST_TASKS]
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "changed": len(found.changes),
        "news": [_told(item, told) for item, told in zip(shown.changes, news_json(shown)["changes"], strict=True)],
        "tasks": [record_json(record, request.now) for record in tasks],
        "newest": [record_json(record, request.now) for record in islice(vault.index.newest(), _NEWEST)],
        **_of_this_machine(vault, request),
    }


def _told(item: NewsItem, told: dict[str, Any]) -> dict[str, Any]:
    return {**told, "title": item.record.title if item.record else name_words(item.name)}


def _first_commit(vault: Vault) -> str:
    return next(iter(reversed(log.order(vault.repo))), "")


def _of_this_machine(vault: Vault, request: PageRequest) -> dict[str, Any]:
    if request.is_kept:
        problems = vault.index.problems()[:_MOST_PROBLEMS]
        return {
            "session": None,
            "waiting": None,
            "checked": "",
            "problems": [problem_json(each) for each in problems],
        }
    last = checkup.last(vault)
    problems = list(last.problems) if last else vault.index.problems()
    sessions = Sessions(vault.root, vault.repo, vault.tell)
    latest = sessions.last_touched()
    return {
        "session": session_json(latest) if latest else None,
        "waiting": Inbox(vault).count(),
        "checked": last.when if last else "",
        "problems": [problem_json(problem) for problem in problems[:_MOST_PROBLEMS]],
    }
