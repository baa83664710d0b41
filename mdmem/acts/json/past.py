"""History as JSON: commits, diffs, deletions, undos, news and conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mdmem.text import moments

if TYPE_CHECKING:
    from mdmem.git.log import Commit
    from mdmem.history.merging.unsettled import Settlement, Unsettled
    from mdmem.history.news import News, NewsItem
    from mdmem.history.past import Deleted, Wrote


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


def audit_log_json(entries: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The audit log of a record, oldest entry first: action, actor, timestamp (RFC 3339), rationale."""
    return [dict(entry) for entry in entries]


def difference_json(path: str, old: str, new: str, diff: str) -> dict[str, Any]:
    """A unified diff between two revisions; `path` is "" for the whole vault, `new` is "" for the files."""
    return {"path": path, "from": old, "to": new, "diff": diff}


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


def blame_json(path: str, lines: Iterable[Wrote]) -> dict[str, Any]:
    """Who wrote each line of a memory."""
    return {"path": path, "lines": [_line_json(line) for line in lines]}


def _line_json(line: Wrote) -> dict[str, Any]:
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


def settled_json(done: Settlement) -> dict[str, Any]:
    """The files that settling a conflict wrote; `commit` is "" in a merge that `git commit` concludes."""
    return {"paths": list(done.paths), "commit": done.commit}
