"""What people and scripts see: values as lines of text or as JSON-ready dictionaries. Nothing is computed here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from mdmem.text import moments
from mdmem.text.terminal import safe, safe_line

if TYPE_CHECKING:
    from mdmem.capture.proposals import CaptureDecision
    from mdmem.errors import Problem
    from mdmem.git.log import Commit
    from mdmem.history.past import Deleted, Wrote
    from mdmem.history.undo import Conflict
    from mdmem.index.catalogue import IndexedNote

_STATUS_COLOUR = {"deprecated": "yellow", "retracted": "yellow", "contested": "magenta"}


def counted(number: int, noun: str) -> str:
    """`1 file`, `2 files`, `3 memories`."""
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun if number == 1 else plural}"


def record_json(record: IndexedNote) -> dict[str, Any]:
    """A memory as `list --json` and `recall --json` print it."""
    return {
        "name": record.name,
        "path": record.path,
        "id": record.id,
        "title": record.title,
        "type": record.type,
        "status": record.status,
        "category": record.category,
        "topic": record.topic,
        "tags": list(record.tags),
        "created": record.created,
        "updated": record.updated,
    }


def record_line(record: IndexedNote) -> str:
    """`name  type  date  #tags`, with the status if it is not active."""
    parts = [click.style(safe_line(record.name), bold=True)]
    if record.status != "active":
        parts.append(click.style(safe_line(record.status), fg=_STATUS_COLOUR.get(record.status, "red")))
    parts += [safe_line(record.type), safe_line(record.category), record.created[:10]]
    parts += [click.style(f"#{safe_line(tag)}", fg="cyan") for tag in record.tags]
    return "  ".join(part for part in parts if part)


def problem_json(problem: Problem) -> dict[str, Any]:
    """A problem."""
    return problem._asdict()


def problem_lines(problem: Problem) -> str:
    """A problem in two lines: what is wrong and where, then the fix."""
    colour = "red" if problem.severity == "error" else "yellow"
    where = f"{problem.path}:{problem.line}" if problem.line else problem.path or "the vault"
    said = safe_line(f"{where}: {problem.message}")
    return f"{click.style(problem.severity, fg=colour)}  {said}\n       fix: {safe_line(problem.fix)}"


def commit_json(commit: Commit) -> dict[str, Any]:
    """A commit as `log --json` prints it."""
    what = commit.operation
    return {
        "commit": commit.oid,
        "when": moments.render(commit.when),
        "actor": commit.actor,
        "author": f"{commit.author} <{commit.email}>",
        "session": what.session,
        "actions": list(commit.actions),
        "by_hand": not what.action,
        "reason": what.reason,
        "ids": list(what.ids),
        "changes": [
            {"action": change.action, "path": change.path, "old_path": change.old_path}
            for change in commit.changes
        ],
    }


def commit_lines(commit: Commit) -> str:
    """A commit: id, time, who, what to which memories; then the reason."""
    from mdmem.note.memory import stem

    names = list(dict.fromkeys(stem(change.path) for change in commit.changes))
    shown = safe_line(", ".join(names[:4])) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
    who = safe_line(commit.actor + (f" [{commit.operation.session}]" if commit.operation.session else ""))
    head = f"{click.style(commit.oid[:8], fg='yellow')} {moments.render(commit.when)[:16].replace('T', ' ')}"
    action = ",".join(commit.actions) + ("" if commit.operation.action else " (by hand)")
    lines = [f"{head}  {click.style(action, bold=True)}  {shown}  - {who}"]
    lines += [f"         {safe_line(line)}" for line in commit.operation.reason.splitlines()[:3] if line]
    return "\n".join(lines)


def deleted_json(item: Deleted) -> dict[str, Any]:
    """A memory of the trash."""
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


def deleted_line(item: Deleted) -> str:
    """`name  deleted when by whom: why`."""
    name = click.style(safe_line(item.name), bold=True)
    if item.when is None:
        return f"{name}  deleted, not committed yet"
    why = f": {item.reason.splitlines()[0]}" if item.reason else ""
    return f"{name}  deleted {moments.render(item.when)[:10]} by {safe_line(item.actor + why)}"


def wrote_json(line: Wrote) -> dict[str, Any]:
    """A line of `blame --json`."""
    return {
        "line": line.number,
        "commit": line.commit,
        "when": moments.render(line.when) if line.commit else "",
        "actor": line.actor,
        "action": line.action,
        "session": line.session,
        "text": line.text,
    }


def wrote_by(line: Wrote) -> str:
    """`commit date actor action [session]` of a line."""
    if not line.commit:
        return "not committed yet"
    session = f" [{line.session}]" if line.session else ""
    who = f"{line.commit[:8]} {moments.render(line.when)[:10]} {line.actor} {line.action}".rstrip()
    return safe_line(who + session)


def conflict_lines(conflict: Conflict) -> str:
    """Why a file cannot be undone alone, and both versions of the place."""
    said = safe_line(f"{conflict.path}: {conflict.message} ({conflict.commit.oid[:8]})")
    head = f"{click.style('conflict', fg='red')}  {said}"
    return "\n".join([head, *(f"    {safe(line)}" for line in _hunks(conflict.merged.splitlines()))])


def conflict_json(conflict: Conflict) -> dict[str, Any]:
    """A conflict of an undo."""
    return {
        "path": conflict.path,
        "commit": conflict.commit.oid,
        "message": conflict.message,
        "merged": conflict.merged,
    }


def _hunks(lines: list[str]) -> Iterable[str]:
    """The lines between conflict markers, the markers included."""
    inside = False
    for line in lines:
        inside = inside or line.startswith("<<<<<<< ")
        if inside:
            yield line
        inside = inside and not line.startswith(">>>>>>> ")


def diff_text(text: str) -> str:
    """A diff in colours."""
    colours = {"+": "green", "-": "red", "@": "cyan"}
    lines = []
    for line in safe(text).split("\n"):
        colour = colours.get(line[:1]) if not line.startswith(("+++", "---")) else None
        lines.append(click.style(line, fg=colour, bold=colour is None and line.startswith(("+++", "---"))))
    return "\n".join(lines)


_LEFT = {"twin": "left out, known", "secret": "refused", "problem": "left out, cannot be written"}


def decision_lines(decision: CaptureDecision, path: str = "") -> str:
    """A proposal of capture: its trigger and quote, and what becomes of it; `path` is where it was written."""
    proposal = decision.proposal
    head = f"{click.style(proposal.trigger, bold=True)}  {proposal.confidence:.2f}  line {proposal.line}"
    quote = f'  "{safe_line(proposal.quote)}"' if proposal.quote else ""
    title = safe_line(str(proposal.draft.properties.get("title") or ""))
    if path:
        said = f"remembered {safe_line(path)}"
    elif decision.verdict in ("new", "update"):
        said = f"would remember: {title}"
    else:
        said = _LEFT.get(decision.verdict, "left out")
    about = f" {decision.record.name}" if decision.record and decision.verdict == "twin" else ""
    return f"{head}{quote}\n   {said} ({safe_line(decision.reason)}{about})"
