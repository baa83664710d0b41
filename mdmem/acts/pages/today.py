"""The first page: what waits, what was written since the person last looked, what is due."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta

from mdmem.acts.json.notes import record_json
from mdmem.acts.pages import chronicle, review
from mdmem.acts.pages.health import doctor
from mdmem.acts.pages.request import HOME, Destination, PageRequest
from mdmem.acts.style import Json
from mdmem.history import news, past
from mdmem.history.news import News, Reader
from mdmem.note.memory import as_text, project_of
from mdmem.session import start
from mdmem.store.git import log
from mdmem.store.operation import Caller
from mdmem.store.vault.vault import Vault

_RECENT = timedelta(days=7)
_MOST_COMMITS, _MOST_CARDS, _MOST_ITEMS, _BY_HAND, _MOST_TASKS = 300, 6, 12, 4, 5


def read(vault: Vault, request: PageRequest) -> Json:
    """What is going on: `waiting` counts what waits by its kind.

    What was written is told since the commit `seen`, at which the person last said "all seen"; if they never did,
    `seen` is "" and the last week counts. It goes up to the commit `head`; `warning` says why it may be inexact.
    `sessions` has a card for each session that wrote, the latest first, and
    `by_hand` what was written outside of sessions. Of both there are only the first; `more` counts the cards that
    are left out. `tasks` are the open ones, those due first.
    """
    found, seen = _news(vault, request)
    cards = chronicle.kept(vault, f"page.cards.{found.since}", lambda: _cards(vault, found))
    by_hand = [one for card in cards if not card["session"] for one in card["items"]]
    sessions = [card for card in cards if card["session"]]
    tasks = chronicle.kept(
        vault, f"page.tasks.{request.now.date()}", lambda: start.open_tasks(vault, request.now)[:_MOST_TASKS]
    )
    problems = doctor(vault, request, 1)["total_problems"]
    return {
        "now": request.now.isoformat(),
        "memories": vault.index.count(),
        "waiting": {**review.counts(vault, request), "problem": problems},
        "seen": seen,
        "head": vault.index.head,
        "warning": found.warning,
        "sessions": sessions[:_MOST_CARDS],
        "by_hand": [*_uncommitted(vault, found), *by_hand][:_BY_HAND],
        "more": max(len(sessions) - _MOST_CARDS, 0) + max(len(by_hand) - _BY_HAND, 0),
        "tasks": [{**record_json(one, request.now), "due": as_text(one.meta.get("due"))} for one in tasks],
    }


def _cards(vault: Vault, found: News) -> list[Json]:
    """What each session wrote since then, and what was written outside of them; the latest first."""
    if not found.since:
        return []
    oids = log.order(vault.repo, f"--max-count={_MOST_COMMITS}", f"{found.since}..HEAD")
    commits = chronicle.told(vault, chronicle.some(vault, oids))
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


def _uncommitted(vault: Vault, found: News) -> list[Json]:
    """What somebody saved and nobody committed yet."""
    titles = chronicle.titles(vault, (item.path for item in found.changes if not item.committed))
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
