"""History as JSON: commits, diffs, deletions, undos, news and conflicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mdmem.note import moments

if TYPE_CHECKING:
    from mdmem.history.merging.unsettled import Unsettled
    from mdmem.history.news import News, NewsItem
    from mdmem.history.past import Deleted, Wrote
    from mdmem.store.git.log import Commit


def commit_json(commit: Commit) -> dict[str, Any]:
    """A commit; `by_hand` is true if another tool than mdmem made it."""
    operation = commit.operation
    return {
        "commit": commit.oid,
        "when": moments.render(commit.when),
        "actor": commit.actor,
        "author": f"{commit.author} <{commit.email}>",
        "session": operation.session,
        "actions": list(commit.actions),
        "by_hand": not operation.action,
        "reason": operation.reason,
        "ids": list(operation.ids),
        "changes": [
            {"action": change.action, "path": change.path, "old_path": change.old_path}
            for change in commit.changes
        ],
    }


def deleted_json(item: Deleted) -> dict[str, Any]:
    """A deleted memory or dialog in the trash."""
    return {
        "name": item.name,
        "path": item.path,
        "id": item.id,
        "title": item.title,
        "deleted": moments.render(item.when) if item.when else "",
        "actor": item.actor,
        "reason": item.reason,
        "commit": item.commit,
    }


def line_json(line: Wrote) -> dict[str, Any]:
    """Who wrote a line of a memory."""
    return {
        "line": line.number,
        "commit": line.commit,
        "when": moments.render(line.when) if line.commit else "",
        "actor": line.actor,
        "action": line.action,
        "session": line.session,
        "text": line.text,
    }


def news_json(news: News) -> dict[str, Any]:
    """What became of memories since the commit `since`, at which the reader last looked."""
    return {
        "since": news.since,
        "warning": news.warning,
        "changes": [_news_item_json(item) for item in news.changes],
    }


def _news_item_json(item: NewsItem) -> dict[str, Any]:
    return {
        "kind": item.kind,
        "name": item.name,
        "path": item.path,
        "other": item.other,
        "by": list(item.by),
        "when": moments.render(item.when) if item.when else "",
        "committed": item.committed,
    }


def unsettled_json(found: Unsettled) -> dict[str, Any]:
    """A conflict: `about` is text, property (named by `key`), memory or deleted; `line` 0 means the whole file."""
    return found._asdict()
