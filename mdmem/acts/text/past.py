"""History as text: commits, deletions, authorship, undos, diffs and conflicts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from mdmem.acts.style import Lines, Style, plain
from mdmem.note import moments
from mdmem.note.memory import stem
from mdmem.note.plural import some
from mdmem.note.terminal import safe, safe_line
from mdmem.store.layout import entry_name

if TYPE_CHECKING:
    from mdmem.history.past import Wrote
    from mdmem.history.reversal import Conflict
    from mdmem.store.git.log import Commit
    from mdmem.store.index.port import Deleted

_FEW_NAMES, _FEW_LINES = 4, 3  # of a commit: memories named, lines of its reason shown
_MANY_LINES = 20  # of the reason if a commit has no changes, such as a sync that lists its decisions
_DIFF_LOOK = {"+": "green", "-": "red", "@": "cyan"}


def commit_lines(commit: Commit, style: Style = plain) -> str:
    """A commit: id, time, action, memories and author; then the reason."""
    shown = safe_line(_named(commit))
    session = f" [{commit.operation.session}]" if commit.operation.session else ""
    by_hand = "" if commit.operation.action else " (by hand)"
    action = style(",".join(commit.actions) + by_hand, "bold")
    when = moments.render(commit.when)[:16].replace("T", " ")
    told = [f"{style(commit.oid[:8], 'yellow')} {when}", action, shown, f"- {safe_line(commit.actor + session)}"]
    lines = ["  ".join(filter(None, told))]
    few = _FEW_LINES if commit.changes else _MANY_LINES
    lines += [f"         {safe_line(line)}" for line in commit.operation.reason.splitlines()[:few] if line]
    return "\n".join(lines)


def _named(commit: Commit) -> str:
    """The first names of what a commit changed."""
    names = dict.fromkeys(entry_name(change.path) or stem(change.path) for change in commit.changes)
    return some(list(names), _FEW_NAMES)


def commit_subject(commit: Commit) -> str:
    """What a commit did, in one line: the first line of a message by hand, else `action: names`."""
    by_hand = "" if commit.operation.action else commit.operation.reason.partition("\n")[0]
    return by_hand or f"{','.join(commit.actions)}: {_named(commit)}"


def deleted_line(item: Deleted, style: Style = plain) -> str:
    """`name  deleted when by whom: why`."""
    name = style(safe_line(item.name), "bold")
    if item.when is None:
        return f"{name}  deleted, not committed yet"
    why = f": {item.reason.splitlines()[0]}" if item.reason else ""
    return f"{name}  deleted {moments.render(item.when)[:10]} by {safe_line(item.actor + why)}"


def blame_lines(lines: Sequence[Wrote]) -> Lines:
    """Each line of a memory, preceded by who wrote it."""
    authors = [_author(line) for line in lines]
    width = max(map(len, authors), default=0)
    for author, line in zip(authors, lines, strict=True):
        yield f"{author:{width}}  {safe(line.text)}".rstrip()


def _author(line: Wrote) -> str:
    """`commit date actor action [session]` of a line."""
    if not line.commit:
        return "not committed yet"
    session = f" [{line.session}]" if line.session else ""
    who = f"{line.commit[:8]} {moments.render(line.when)[:10]} {line.actor} {line.action}".rstrip()
    return safe_line(who + session)


def conflict_lines(conflict: Conflict, style: Style = plain) -> str:
    """Why a commit cannot be undone in a file, and both versions of the text."""
    message = safe_line(f"{conflict.path}: {conflict.message} ({conflict.commit.oid[:8]})")
    hunks = [f"    {safe(line)}" for line in _hunks(conflict.merged.splitlines())]
    return "\n".join([f"{style('conflict', 'red')}  {message}", *hunks])


def _hunks(lines: Iterable[str]) -> Lines:
    """The lines between conflict markers, the markers included."""
    inside = False
    for line in lines:
        inside = inside or line.startswith("<<<<<<< ")
        if inside:
            yield line
        inside = inside and not line.startswith(">>>>>>> ")


def diff_text(text: str, style: Style = plain) -> str:
    """A unified diff, highlighted."""
    return "\n".join(_diff_line(line, style) for line in safe(text).split("\n"))


def _diff_line(line: str, style: Style) -> str:
    if line.startswith(("+++", "---")):
        return style(line, "bold")
    look = _DIFF_LOOK.get(line[:1])
    return style(line, look) if look else line
