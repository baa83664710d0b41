"""The first page: what is going on in the vault."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from mdmem.acts.checks import queue
from mdmem.acts.checks.queue import CAPTURED, Wanted
from mdmem.acts.json.notes import record_json
from mdmem.acts.json.past import news_json
from mdmem.acts.json.queue import queue_json
from mdmem.acts.json.session import session_json
from mdmem.history import news
from mdmem.history.news import News, Reader
from mdmem.note.memory import name_words
from mdmem.page.links import HOME, Destination
from mdmem.page.reading import chronicle
from mdmem.page.reading.health import doctor
from mdmem.page.request import PageRequest
from mdmem.session import start
from mdmem.store.git import log
from mdmem.store.local.sessions import Sessions
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_RECENT = timedelta(days=7)
_ALWAYS = "~"  # sorts after every timestamp
_MOST_NEWS, _MOST_TASKS, _NEWEST, _MOST_PROBLEMS, _MOST_CAPTURED = 30, 10, 8, 20, 3


def read(vault: Vault, request: PageRequest) -> dict[str, Any]:
    """What is going on: the size of the vault, what changed, open tasks, and what waits for the person.

    Changes are those since the commit `seen`, at which the person last said "all seen"; if they never did, `seen`
    is "" and the last week counts. They go up to the commit `head`; `warning` says why they may be inexact.
    `changed` counts all of them; `news` has the latest, each with the memory's title. For the problems,
    see `health.doctor`. `session`, `waiting` and `captured` (the first in the inbox) belong to this machine; an
    export leaves them empty.
    """
    found, seen = _news(vault, request)
    shown = found._replace(changes=found.changes[:_MOST_NEWS])
    tasks = chronicle.kept(
        vault, f"page.tasks.{request.now.date()}", lambda: start.open_tasks(vault, request.now)[:_MOST_TASKS]
    )
    newest = vault.index.records_at(vault.index.created_within("", _ALWAYS, _NEWEST))
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "changed": len(found.changes),
        "seen": seen,
        "head": vault.index.head,
        "warning": found.warning,
        "news": [
            {**told, "title": item.record.title if item.record else name_words(item.name)}
            for item, told in zip(shown.changes, news_json(shown)["changes"], strict=True)
        ],
        "tasks": [record_json(record, request.now) for record in tasks],
        "newest": [record_json(record, request.now) for record in newest],
        **doctor(vault, request, _MOST_PROBLEMS),
        **_of_this_machine(vault, request),
    }


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


def _news(vault: Vault, request: PageRequest) -> tuple[News, str]:
    """(what changed, the commit that the person last saw, "" if the changes are those of the last week)."""
    warning = ""
    if not request.is_kept:
        seen = news.cursor(vault, _reader(vault, Caller(request.now, request.actor)))
        found = _since(vault, seen)
        if found.since:
            return found, found.since
        warning = found.warning
    week_ago = vault.repo.commit_before(request.now - _RECENT) or next(iter(reversed(log.order(vault.repo))), "")
    return _since(vault, week_ago)._replace(warning=warning), ""


def _since(vault: Vault, commit: str) -> News:
    return chronicle.kept(vault, f"page.news.{commit}", lambda: news.news(vault, Reader(""), commit))


def _of_this_machine(vault: Vault, request: PageRequest) -> dict[str, Any]:
    if request.is_kept:
        return {"session": None, "waiting": 0, "captured": []}
    latest = Sessions(vault.root, vault.repo, vault.tell).last_touched()
    captured = queue.waiting(vault, Caller(request.now), Wanted((CAPTURED,), limit=_MOST_CAPTURED))
    return {
        "session": session_json(latest) if latest else None,
        "waiting": captured.counts[CAPTURED],
        "captured": queue_json(captured.items),
    }
